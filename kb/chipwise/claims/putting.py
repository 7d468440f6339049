"""Whether a word that says how something is put says it of a figure, or of something else in its sentence.

"The H200 will have 141 GB"                      promised
"has 16 GB of HBM, which will require sharding"  no promise of 16 GB
"about 1 PFLOPS of FP16"                         estimated
"with 8 GB per accelerator. We expect ..."       plainly said
"""

from __future__ import annotations

import re

from chipwise.claims.around import clause
from chipwise.claims.model import Modality
from chipwise.claims.scene import Scene
from chipwise.numbers.quantities import Quantity

_PUTS = {
    Modality.MEASURED: r"\b(?:measure[ds]?|observed|achiev\w+|reach\w*|sustain\w*|got|saw|averag\w+|record\w*|tests?|tested)\b",
    Modality.ESTIMATED: r"(?:~|≈|\b(?:about|around|roughly|approx\w*|circa|estimat\w+|rumou?r\w*|should|may|might|could|(?:un)?likely|probably|presum\w+|suppos\w+|perhaps|possibly|maybe|guess\w*|assum\w+|believe\w*|think|thought|expect\w*|speculat\w+|unconfirmed|seems?|appears?)\b)",
    Modality.PROMISED: r"(?:\b(?:expected|projected|planned|promis\w+|will|would|announced|upcoming|to (?:have|offer|bring))\b|['’]ll\b)",
}
# behind a figure, in its own clause: "141 GB is what the H200 will have"
_GOES_ON_TO = r"(?:(?!\b(?:which|that|who|where|so|and|but)\b)[^,;:.()\[\]]){0,48}?"
_BEFORE = {modality: re.compile(puts, re.I) for modality, puts in _PUTS.items()}
_BEHIND = {
    modality: re.compile(rf"(?:{_GOES_ON_TO}|\s?\([^)]{{0,20}}?){puts}", re.I) for modality, puts in _PUTS.items()
}


def is_put_so(scene: Scene, quantity: Quantity, modality: Modality) -> bool:
    """True where the clause of a figure says that it is measured, estimated or promised; of other ways nothing is said here."""
    if modality not in _PUTS:
        return True
    start, _ = clause(scene, quantity)
    told = _BEFORE[modality].search(scene.text, start, quantity.start)
    return bool(told or _BEHIND[modality].match(scene.text, quantity.end))
