"""What somebody typed into the questions that it holds."""

from __future__ import annotations

import pytest

from chipwise.asking.parting import Parts, part
from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain

DOMAIN = read_domain(domain_folder())


def parts(text: str) -> Parts:
    return part(text, DOMAIN)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        (
            "How much memory has the H200, and what is its TDP?",
            ("How much memory has the H200", "what is the H200's TDP?"),
        ),
        ("TDP of the H100? And the B200?", ("TDP of the H100?", "TDP of the B200?")),
        (
            "Price of a v5p chip per hour, and of 128 of them?",
            ("Price of a v5p chip per hour", "Price of 128 v5p chip per hour"),
        ),
        ("How many cores and how much SRAM has the XQ200?", ("How many cores and how much SRAM has the XQ200?",)),
        (
            "How many chips in a full v5p pod and how many exaflops is that?",
            ("How many chips in a full v5p pod", "how many exaflops is a full v5p pod?"),
        ),
        (
            "How much HBM do the B200 and B300 have, and which of the two draws more power?",
            ("How much HBM do the B200 and B300 have", "which draws more power, the B200 or the B300?"),
        ),
        (
            "Is the memory of the L4 GDDR6 and how fast is it?",
            ("Is the memory of the L4 GDDR6", "how fast is the L4's memory?"),
        ),
        (
            "How many NVLink links has the B200 and what's the bandwidth?",
            ("How many NVLink links has the B200", "what's the NVLink bandwidth of the B200?"),
        ),
        (
            "How many Gaudi 3 are in one node and over what links?",
            ("How many Gaudi 3 are in one node", "what links has the Gaudi 3?"),
        ),
        (
            "How much power does a DGX H100 draw, and can it be air cooled?",
            ("How much power does a DGX H100 draw", "can the DGX H100 be air cooled?"),
        ),
        ("What is a TPU and who makes it?", ("What is a TPU", "who makes the TPU?")),
        ("Is Trillium TPU v6e? And what is Ironwood?", ("Is Trillium TPU v6e?", "what is Ironwood?")),
        (
            "FP8 peak of the MI300X? And the H100 SXM for comparison?",
            ("FP8 peak of the MI300X?", "FP8 peak of the H100 SXM?"),
        ),
        ("MI355X TDP and does it need liquid cooling?", ("MI355X TDP", "does the MI355X need liquid cooling?")),
        # what is told in a gerund or by a verb, and for how long, is no question of its own
        (
            "Training a 7B model on 2T tokens with 256 H100s at 40% MFU, how many days?",
            ("Training a 7B model on 2T tokens with 256 H100s at 40% MFU, how many days?",),
        ),
        ("Does Azure rent H100s? Name of the VM?", ("Does Azure rent H100s?", "which Azure instance has the H100s?")),
        (
            "Price of a v5e per hour in us, and with a 3 yr commitment?",
            ("Price of a v5e per hour in us", "Price of a v5e per hour in us with a 3 yr commitment?"),
        ),
        ("Over a year, what does an H100 cost?", ("Over a year, what does an H100 cost?",)),
        ("memory of 8 H100, and of 4 H200?", ("memory of 8 H100", "memory of 4 H200")),
        ("TDP of the H100? what about B200", ("TDP of the H100?", "TDP of the B200?")),
        ("SMs in the A100 and how about the V100?", ("SMs in the A100", "SMs in the V100")),
        (
            "What is the TDP of the L4; how much memory?",
            ("What is the TDP of the L4", "how much memory of the L4?"),
        ),
        ("L40S: does it have NVLink, and how much VRAM?", ("does the L40S have NVLink", "how much VRAM of the L40S?")),
        ("What is HBM and why is it faster than GDDR?", ("What is HBM", "why is the HBM faster than GDDR?")),
        (
            "We lease 2 racks of GB200 NVL72. How many GPUs is that, and how much HBM?",
            ("How many GPUs is that of the 2 racks of GB200 NVL72?", "how much HBM of the 2 racks of GB200 NVL72?"),
        ),
        (
            "When was the TPU v5p announced and by whom?",
            ("When was the TPU v5p announced", "who makes the TPU v5p?"),
        ),
        (
            "What is a ridge point, and which has the higher one: H100 or v5p?",
            ("What is a ridge point", "which has the higher ridge point: H100 or v5p?"),
        ),
        (
            "What is the memory bandwidth of Trainium2, and how does it compare to an A100?",
            (
                "What is the memory bandwidth of Trainium2",
                "What is the memory bandwidth of the Trainium2 compared with an A100?",
            ),
        ),
        (
            "Has the H200 more memory than the MI250X, or is it less?",
            ("Has the H200 more memory than the MI250X?",),
        ),
        (
            "What is the TDP of the T4? Which GPU has the most memory?",
            ("What is the TDP of the T4?", "Which GPU has the most memory?"),
        ),
        (
            "H100 vs H200: HBM and bandwidth. And when did the H200 launch?",
            ("H100 vs H200: HBM and bandwidth.", "when did the H200 launch?"),
        ),
        (
            "How much memory has the B300? And its TDP? What about the B200?",
            (
                "How much memory has the B300?",
                "the B300's TDP?",
                "How much memory has the B200?",
                "the B200's TDP?",
            ),
        ),
        (
            "How long does a 8B model take on 128 H200s? And with 256?",
            ("How long does a 8B model take on 128 H200s?", "How long does a 8B model take on 256 H200s?"),
        ),
        (
            "How many chips are in a TPU v5e pod, and what's the pod's total BF16 peak?",
            ("How many chips are in a TPU v5e pod", "what's the TPU v5e pod's total BF16 peak?"),
        ),
        (
            "When did NVIDIA announce Rubin, how much memory does it have?",
            ("When did NVIDIA announce Rubin", "how much memory does the Rubin have?"),
        ),
        (
            "We rent 3 nodes of p5.48xlarge. What does that cost and how much HBM is it in total?",
            ("What does the 3 nodes of p5.48xlarge cost", "how much HBM is the 3 nodes of p5.48xlarge in total?"),
        ),
        ("What changed from the H100 to the H200, and what did not?", ("What changed from the H100 to the H200?",)),
    ],
)
def test_each_question_is_complete_by_itself(text: str, questions: tuple[str, ...]) -> None:
    assert parts(text).questions == questions


@pytest.mark.parametrize(
    "text",
    [
        "Which has more memory, the H100 or the H200, and by how much?",
        "MI300X or MI325X: which has more memory?",
        "At 4.20 USD per chip-hour, what do 8 v5p chips cost per hour?",
        "A vendor says that the H100 has 96 GB. Is that right?",
        "memory and bandwidth of the H200",
        "What is a chip that has HBM and which is made by AMD called?",
        "goodput meaning",
    ],
)
def test_one_question_stays_whole(text: str) -> None:
    assert parts(text) == Parts((text,))


def test_by_how_many_times_belongs_to_the_question_before() -> None:
    text = "TPU v5e vs v6e peak BF16, how many times more?"
    assert parts(text).questions == (text,)


def test_what_is_said_beside_a_question_is_its_context() -> None:
    found = parts("Our hall has 1 MW. How many DGX H100 can I run?")
    assert found == Parts(("How many DGX H100 can I run?",), "Our hall has 1 MW.")


def test_what_names_nothing_is_no_context() -> None:
    assert parts("I'm new to this: what is MFU?") == Parts(("what is MFU?",))
    assert parts("In our 8-GPU node: what is MFU?").questions == ("In our 8-GPU node: what is MFU?",)


def test_a_premise_is_told_from_the_question_and_names_what_that_is_about() -> None:
    found = parts("Since the H100 SXM has 96 GB, how many do I need for 1 TB?")
    assert found.premise == "the H100 SXM has 96 GB"
    assert found.questions == ("how many H100 SXM do I need for 1 TB?",)


def test_a_statement_of_a_figure_and_of_something_else_is_two() -> None:
    found = parts("My boss read that the RTX 4090 has NVLink and 48 GB of memory. True?")
    assert found.questions == (
        "Is it true that the RTX 4090 has NVLink?",
        "Is it true that the RTX 4090 has 48 GB of memory?",
    )
    for whole in ("a DGX H100 has 640 GB of memory and supports FP8", "the MI300X has 192 GB and is not sold"):
        assert len(parts(f"Is it true that {whole}?").questions) == 1
    assert len(parts("Is it true that the TPU v7 has 192 GB of HBM and 7.4 TB/s?").questions) == 1


def test_a_machine_with_one_chip_is_spoken_of_too() -> None:
    assert (
        parts("What does a g4dn.xlarge cost and what GPU is in it?").questions[-1] == "what GPU is in the g4dn.xlarge?"
    )


def test_an_expletive_it_stands_for_nothing() -> None:
    found = parts("What is the TDP of the H100? How much does it cost to train GPT-3?")
    assert found.questions[-1] == "How much does it cost to train GPT-3?"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("TDP of the A100 PCIe 80GB? And of the SXM one?", "TDP of the A100 SXM 80GB?"),
        ("Can 4 L40S hold a 70B model in FP16? And in FP8?", "Can 4 L40S hold a 70B model in FP8?"),
        ("How long do 10 TB take over 400 Gb/s? And at 800 Gb/s?", "How long do 10 TB take over 800 Gb/s?"),
        ("I have 4 L40S. Can I run 70B in FP16 on them?", "Can I run 70B in FP16 on the 4 L40S?"),
        ("NVLink bandwidth of the A100 and that of the H100? And B200?", "NVLink bandwidth of the B200?"),
        (
            "What interconnect has the TPU v5p and what is its bandwidth?",
            "what is the TPU v5p's interconnect bandwidth?",
        ),
        (
            "What do 8 H100s cost for a day, and what would the same cost at AWS?",
            "what would the same cost at AWS of the 8 H100s?",
        ),
        ("When was the B200 announced and when the H100?", "When was the H100 announced"),
        ("What is the TPU v6e? How much faster than v5e is it?", "How much faster than v5e is the TPU v6e?"),
        ("When was Gaudi 3 announced, and on which node is it made?", "on which node is the Gaudi 3 made?"),
    ],
)
def test_what_is_left_out_is_taken_from_before(text: str, last: str) -> None:
    assert parts(text).questions[-1] == last


@pytest.mark.parametrize(
    "text",
    [
        "As of 2026, what does an H100 cost on AWS?",
        "Since 2023, how have H100 prices on AWS changed?",
        "Given 8 H100s at $2 per GPU-hour, what is the monthly cost?",
    ],
)
def test_what_says_when_or_how_many_is_no_premise(text: str) -> None:
    assert parts(text) == Parts((text,))
