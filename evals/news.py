"""Quantities as news has them: counts with their nouns, money, ages, points (`python evals/news.py`).

evals/quantities/news.jsonl has 160 invented sentences by somebody who had not seen the program: `text`, and `quantities` with the `surface`,
the `value`, or `low` and `high` of a range, and the `unit`: a currency, a name, or the noun that is counted, "" for a bare multiple.
A quantity is found where the two overlap; its value is right within 0.6%, its unit where both are one unit or one noun.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.standalone import shipped_domain

SET = Path(__file__).parent / "quantities" / "news.jsonl"
NEAR = 0.006
ENDINGS = (("people", "person"), ("children", "child"), ("men", "man"), ("ies", "y"), ("ches", "ch"), ("s", ""))


def measure(domain: Domain) -> dict[str, float]:
    """F1 of the values, and of values with their units."""
    labeled = found = values = both = 0
    for line in SET.read_text("utf-8").splitlines():
        record = json.loads(line)
        quantities = domain.unit_table.find_all(record["text"])
        labeled, found, at = labeled + len(record["quantities"]), found + len(quantities), 0
        for gold in record["quantities"]:
            at = record["text"].find(gold["surface"], at)
            end = at + len(gold["surface"])
            hit = next((q for q in quantities if q.start < end and at < q.end), None)
            quantities = [q for q in quantities if q is not hit]
            is_right = hit is not None and _is_value(hit, gold, domain)
            values += is_right
            both += is_right and hit is not None and _is_unit(hit, gold["unit"], domain)
            at = end
    return {"F1 of values": 2 * values / (labeled + found), "F1 with units": 2 * both / (labeled + found)}


def _is_value(q: Quantity, gold: dict[str, Any], domain: Domain) -> bool:
    value = gold["value"]
    wanted = (value["low"] + value["high"]) / 2 if isinstance(value, dict) else float(value)
    scale = domain.units[q.unit].scale if q.unit in domain.units else 1.0
    return any(abs(said - wanted) <= NEAR * abs(wanted) for said in (q.middle / scale, q.middle))


def _is_unit(q: Quantity, unit: str, domain: Domain) -> bool:
    own = q.unit.partition("/")[0]  # "$73.20 a barrel" is labeled as money
    if not own or not unit:
        return not own and not unit
    named = {read.unit for form in (unit, f"{unit}s") for read in domain.unit_table.find_all(f"5 {form}")}
    return own.lower() == unit or own in named or _singular(own) == _singular(unit)


def _singular(noun: str) -> str:
    word = noun.lower().rpartition(" ")[2]
    return next((word[: -len(end)] + one for end, one in ENDINGS if word.endswith(end)), word)


if __name__ == "__main__":
    print(json.dumps(measure(shipped_domain()), indent=1))
