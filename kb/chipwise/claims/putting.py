"""Whether a word that says how something is put says it of a figure, or of something else in its sentence.

"The H200 will have 141 GB"                      promised
"has 16 GB of HBM, which will require sharding"  no promise of 16 GB
"about 1 PFLOPS of FP16"                         estimated
"with 8 GB per accelerator. We expect ..."       plainly said
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.around import clause
from chipwise.claims.model import Modality
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity

_TELLS = (Modality.MEASURED, Modality.ESTIMATED, Modality.PROMISED)  # what is supposed or passed on is so all along
# what a word behind a figure is said of something else by: "80 GB, which will do", "one with 80 GB could cost less"
_ANOTHER = re.compile(r"[,;:.()\[\]]\s|\b(?:which|that|who|where|so|and|but)\b", re.I)
_BUILT_IN = (
    "information",
    "count",
    "length",
    "area",
    "frequency",
)  # dimensions of what a chip has, whatever is run on it
_MODAL = re.compile(r"could|might|may", re.I)


def is_put_so(domain: Domain, scene: Scene, quantity: Quantity, modality: Modality) -> bool:
    """False where what a sentence measures, guesses or promises is something else than the figure."""
    if modality not in _TELLS:
        return True
    text = scene.text
    cues = [c for c in domain.voice_lexicon.find(text) if c.puts == modality and c.reaches(text, quantity.start)]
    first, last = clause(scene, quantity)
    return not cues or any(
        first <= cue.start
        if cue.start < quantity.end
        else cue.end <= last
        and not _ANOTHER.search(text, quantity.end, cue.start)
        and not _MODAL.fullmatch(text, cue.start, cue.end)
        for cue in cues
    )


def is_built_in(metric: Metric) -> bool:
    """True for what nobody measures: how much memory a chip has, and how large it is."""
    return metric.nature == Modality.SPECIFIED and metric.dimension in _BUILT_IN
