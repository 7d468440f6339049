"""Cases about comparisons and statements: multiples, who vouches for them, and what is supported or offered where."""

from __future__ import annotations

from audit_bank import DTYPES, Bank, Fact, Random, Row
from audit_pages import Case, around, marked, sentence
from audit_surfaces import number

CLOUDS = {
    "aws": "AWS",
    "azure": "Azure",
    "gcp": "Google Cloud",
    "oci": "Oracle Cloud",
    "coreweave": "CoreWeave",
    "lambda-labs": "Lambda",
    "ibm-cloud": "IBM Cloud",
}
FRAMEWORKS = ("PyTorch", "JAX", "TensorFlow", "vLLM", "DeepSpeed", "MindSpore")
LINES = {  # what runs frameworks, in the plural, by split
    "tune": {
        "google-tpu-v5p": "TPU v5p chips",
        "aws-trainium": "Trainium chips",
        "aws-inferentia2": "Inferentia2 chips",
        "tpu": "TPUs",
    },
    "report": {
        "intel-gaudi": "Gaudi accelerators",
        "google-tpu-v6e": "TPU v6e chips",
        "google-tpu-v7": "Ironwood TPUs",
        "huawei-ascend": "Ascend NPUs",
    },
}
MEASURED = ("speedup", "price_performance")  # what is compared by measuring, what by dividing two figures
COMPUTED = ("memory_bandwidth", "peak_compute")


def baseline(bank: Bank, chance: Random) -> Case:
    """The same multiple against another chip, which cannot be as true."""
    it, base, metric, factor = compared(bank, chance)
    wrong = another_base(bank, chance, it, base, factor)
    first, second = (
        multiple(chance, it, b, template, factor)
        for b, template in zip((base, wrong), chance.sample(bank.comparisons(metric), 2), strict=True)
    )
    texts = [first, second]
    chance.shuffle(texts)
    pages = tuple(around(bank, text, chance) for text in texts)
    planted = f"{number(factor)} against {base.subject.id} / {wrong.subject.id}"
    return Case("baseline", True, bank.split, pages, ("CW3", "CW104"), it.subject.id, metric, planted)


def another_base(bank: Bank, chance: Random, it: Fact, base: Fact, factor: float) -> Fact:
    """Another chip, of another ratio where that can be computed, and no variant of the first."""
    others = bank.of(it.metric, dtype=it.dtype, sparsity=it.sparsity)
    apart = [f for f in others if not related(f, base) and not related(f, it)]
    return chance.choice([f for f in apart if abs(it.value / f.value / factor - 1) > 0.15])


def compared(
    bank: Bank, chance: Random, metrics: tuple[str, ...] = (*MEASURED, *COMPUTED)
) -> tuple[Fact, Fact, str, float]:
    """Two chips, what they are compared in, and the multiple: the ratio of the facts, for lack of a measured one."""
    metric = chance.choice(metrics)
    base_metric = metric if metric in COMPUTED else "peak_compute"
    axes = {"dtype": "bf16", "sparsity": "dense"} if base_metric == "peak_compute" else {}
    while True:
        it, base = chance.sample(bank.of(base_metric, **axes), 2)
        ratio = it.value / base.value * (1 if it.unit == base.unit else 0)
        if metric in MEASURED:
            ratio *= chance.uniform(0.5, 0.9)  # never the whole of the peak
        factor = round(ratio, 1 if metric in MEASURED else 2)
        rare = abs(2 * factor - round(2 * factor)) > 0.1 and not related(
            it, base
        )  # "2x" and "1.5x" are said of anything
        if 1.2 <= factor <= 8 and rare:
            return it, base, metric, factor


def related(a: Fact, b: Fact) -> bool:
    """True for variants of one chip; all TPUs are one."""
    return a.subject.id.split("-")[:2] == b.subject.id.split("-")[:2]


def multiple(chance: Random, it: Fact, base: Fact, template: str, factor: float, upto: str = "") -> str:
    names = {"it": chance.choice(it.subject.names), "base": chance.choice(base.subject.names)}
    return sentence(template, names | {"m": marked(number(factor)), "upto": upto})


def modality(bank: Bank, chance: Random) -> Case:
    """A bound, an estimate or a promise that became a fact."""
    it, base, metric, factor = compared(bank, chance, MEASURED)
    if chance.random() < 0.25:
        metric, factor = "cost", round(100 * (1 - 1 / factor))
    kind = chance.choice(("bound", "estimated", "promised"))
    a, b = chance.sample(bank.comparisons(metric), 2)
    weak = multiple(chance, it, base, a, factor, "up to " if kind == "bound" else "")
    sure = multiple(chance, it, base, b, factor)
    if kind != "bound":
        weak = reported(bank, chance, kind, weak, it.subject.maker)
        if chance.random() < 0.3:
            sure = reported(bank, chance, "measured", sure, it.subject.maker)
    texts = [weak, sure]
    chance.shuffle(texts)
    pages = tuple(around(bank, text, chance) for text in texts)
    return Case("modality", True, bank.split, pages, ("CW3",), it.subject.id, metric, f"{kind}: {number(factor)}")


def reported(bank: Bank, chance: Random, use: str, text: str, maker: str) -> str:
    """`text` as a clause of what somebody says."""
    clause = text.rstrip(".")
    first = clause.partition(" ")[0]
    common = "The A On With In Every Each Per There Large Compared Moving Teams Replacing Against Peak Memory Over At Between One What Inference"
    if first in common.split():
        clause = clause[0].lower() + clause[1:]
    return sentence(chance.choice(bank.texts(use)), {"c": clause, "maker": maker})


def polarity(bank: Bank, chance: Random) -> Case:
    """Supports and does not; only there and there as well."""
    subject, thing, uses, slots = chance.choice((dtypes, frameworks, clouds))(bank, chance)
    kind = uses.partition(" ")[0]
    if kind == "cloud" and chance.random() < 0.5:
        elsewhere = chance.choice([name for id_, name in CLOUDS.items() if name != slots["x"] and id_ != "ibm-cloud"])
        first = _polar(bank, chance, "cloud only", slots, slots["x"])
        second = _polar(bank, chance, chance.choice(("cloud also", "cloud yes")), slots, elsewhere)
    else:
        opposite = {"yes": "no", "no": "yes"}[uses.partition(" ")[2]]
        first, second = (
            _polar(bank, chance, f"{kind} {pole}", slots, slots["x"]) for pole in (uses.partition(" ")[2], opposite)
        )
    texts = [first, second]
    chance.shuffle(texts)
    pages = tuple(around(bank, text, chance) for text in texts)
    return Case("polarity", True, bank.split, pages, ("CW5",), subject, thing, kind)


def _polar(bank: Bank, chance: Random, use: str, slots: dict[str, str], thing: str) -> str:
    return marked(sentence(chance.choice(bank.texts(use)), slots | {"x": thing}))


def dtypes(bank: Bank, chance: Random) -> tuple[str, str, str, dict[str, str]]:
    fact = chance.choice([f for f in bank.of("peak_compute") if f.dtype in ("fp8", "int8", "fp4", "bf16", "tf32")])
    slots = {"it": chance.choice(fact.subject.names), "x": DTYPES[fact.dtype]}
    return fact.subject.id, "dtype_support", "dtype yes", slots


def frameworks(bank: Bank, chance: Random) -> tuple[str, str, str, dict[str, str]]:
    lines = LINES[bank.split]
    rows = [r for r in bank_rows(bank) if r["subject"] in lines and r["metric"] == "framework_support"]
    names = {name.lower(): name for name in FRAMEWORKS}
    row = chance.choice([r for r in rows if r["value"] in names])
    return (
        row["subject"],
        "framework_support",
        "framework yes",
        {"its": lines[row["subject"]], "x": names[row["value"]]},
    )


def bank_rows(bank: Bank) -> list[Row]:
    """Of the chips and the lines that they belong to."""
    return [*bank.rows, *bank.line_rows(tuple(LINES[bank.split]))]


def clouds(bank: Bank, chance: Random) -> tuple[str, str, str, dict[str, str]]:
    priced = [(r["subject"], r["provider"]) for r in bank.rows if r["provider"] in CLOUDS]
    listed = [
        (r["subject"], r["value"]) for r in bank.rows if r["metric"] == "cloud_availability" and r["value"] in CLOUDS
    ]
    subject, provider = chance.choice([*dict.fromkeys([*priced, *listed])])
    slots = {"it": chance.choice(bank.subjects[subject].names), "x": CLOUDS[provider]}
    return subject, "cloud_availability", "cloud yes", slots
