"""How a text puts what it says: as a property, a measurement, a report of someone else, a guess, a promise.

"Anthropic reportedly cut its TCO by 52%"   -> reported
"Analysis suggests up to 52% lower TCO"     -> estimated
"Suppose that a chip costs $2 an hour"      -> hypothetical

The words that tell are data (voice.toml).
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.model import DOUBTED, Modality
from chipwise.domain.model import Domain
from chipwise.text import Span

# what commits its author least goes first: "Analysts say that it may be 2x" is a guess that is passed on
_WEAKEST_FIRST = (Modality.HYPOTHETICAL, Modality.PROMISED, Modality.ESTIMATED, Modality.REPORTED)
_SPEECH = "speech"
_RECKONED = "reckoned"
_DOUBTING_HEADING = re.compile(
    r"\b(?:traps?|notes? on reading|reading this source|caveats?|errors?|pitfalls?|mistakes?|disput\w+|what (?:it|this) gets wrong|cautions?|doubt\w*|how to read|weak\w*)\b",
    re.I,
)
_NAME = r"[A-Z][\w.&’-]*(?:\s[A-Z][\w.&’-]*){0,2}"
_NOBODY = "(?:That|This|These|Those|It|Having|What|As|All|Which|There|Being|Easier|Enough|Much)\\b"  # "That said, ..."
_SPEAKER = re.compile(rf"\b((?!{_NOBODY}){_NAME})\s(?:(?:has|had|have|also|now|itself)\s){{0,2}}$")
_SOURCE = re.compile(
    r"(?:\b[Aa]ccording to|^Per|\b[Ii]n the words of)\s((?:the |an? )?[A-Z][\w.&'’-]*(?:\s[A-Z][\w.&'’-]*){0,3})"
)


def modality(domain: Domain, text: str, nature: str, at: int | None = None) -> Modality:
    """How `text` puts the figure at `at`, whose metric is by its nature specified, measured, priced or estimated.

    What a neighbouring clause supposes or doubts is not said of this one. A label has no `at`: all in it counts.
    """
    put = {cue.puts for cue in domain.voice_lexicon.find(text) if at is None or cue.reaches(text, at)}
    # below "Back of the envelope" stands what the sum is made from, too
    if _RECKONED in put and not (at is None and nature == Modality.SPECIFIED):
        put.add(Modality.ESTIMATED)
    for weak in _WEAKEST_FIRST:
        if weak in put:
            return weak
    if nature == Modality.SPECIFIED and Modality.MEASURED in put:
        return Modality.MEASURED
    return Modality(nature)


def of_figure(domain: Domain, text: str, figure: Span) -> Modality | None:
    """How words put the figure at `figure`: as a guess where they stand before its end, as reported wherever they stand; None for a plain one."""
    start, end = figure
    reaching = [cue for cue in domain.voice_lexicon.find(text) if cue.reaches(text, start)]
    before = {cue.puts for cue in reaching if cue.end <= end}
    if _RECKONED in before:
        before.add(Modality.ESTIMATED)
    said = before | {cue.puts for cue in reaching if cue.puts == Modality.REPORTED}
    return next((weak for weak in _WEAKEST_FIRST if weak in said), None)


def attribution(domain: Domain, text: str, heading: tuple[str, ...]) -> str:
    """The words for whoever is said to say it; DOUBTED where the source itself casts doubt on it; else ""."""
    cues = domain.voice_lexicon.find(text)
    if any(cue.puts == DOUBTED for cue in cues) or any(_DOUBTING_HEADING.search(part) for part in heading):
        return DOUBTED
    source = _SOURCE.search(text)
    if source and not any(m.start <= source.start() < m.end for m in domain.find_qualifiers(text)):  # "Per GPU, ..."
        return source[1]
    speakers = (_SPEAKER.search(text, max(0, cue.start - 80), cue.start) for cue in cues if cue.puts == _SPEECH)
    # the "RX 7900 XTX" that claims 61 TFLOPS is what is spoken of, and no speaker; no more is the "PFLOPS FP4" mentioned
    spoken_of = [(m.start, m.end) for m in domain.find_entities(text) if any(map(domain.is_specific, m.ids))]
    spoken_of += [
        (m.start, m.end) for m in domain.find_qualifiers(text) if not any(i.startswith("provider=") for i in m.ids)
    ]
    heard = (s for s in speakers if s and not any(start < s.end(1) and s.start(1) < end for start, end in spoken_of))
    return next((speaker[1] for speaker in heard), "")
