"""How a text puts what it says: as a property, a measurement, a report of someone else, a guess, a promise.

"Anthropic reportedly cut its TCO by 52%"   -> reported
"Analysis suggests up to 52% lower TCO"     -> estimated
"Suppose that a chip costs $2 an hour"      -> hypothetical
"""

from __future__ import annotations

import re

from chipwise.claims.model import Modality

_HYPOTHETICAL = re.compile(
    r"^\W*(?:suppose|imagine|assum(?:e|ing)|let['’]?s? (?:say|assume)|say,|picture|consider an? (?:example|case))\b"
    r"|\b(?:even if|what if|if (?:you|we|it|they|one|a|an|the|your) [^,.;]{0,60}|hypothetical\w*|for (?:example|instance): you|would (?:be|have|cost|take|need))\b",
    re.I,
)
_PROMISED = re.compile(
    r"\b(?:will (?!be familiar)(?:be|have|offer|deliver|reach|ship|support|provide|come|feature|bring)|(?:is|are) (?:expected|slated|set|due|planned) to"
    r"|plans? to|promis(?:es|ing|ed)|aims? (?:to|for)|upcoming|roadmap|planned)\b",
    re.I,
)
_REPORTED = re.compile(
    r"\b(?:reportedly|allegedly|according to|reports? (?:say|suggest|indicate|claim)s?|(?:is|are|was|were) (?:said|rumou?red|reported) to|rumou?r\w*"
    r"|claim(?:s|ed)? (?:that|to|up to|an?)|[Ii] swear|i (?:saw|heard|think)|supposedly|purportedly|quoted)\b",
    re.I,
)
_ESTIMATED = re.compile(
    r"\b(?:analys[ie]s (?:suggests?|indicates?|shows?|estimates?|puts?)|estimat(?:e|es|ed|ing)|project(?:s|ed|ion)|could|might|may (?!\d)|potentially|extrapolat\w+|modell?ed"
    r"|back-of-the-envelope|presumably|likely|implies|works out (?:to|at|as))\b",
    re.I,
)
_MEASURED = re.compile(
    r"\b(?:measured|benchmarked|observed|we (?:saw|see|got|obtained|reached)|recorded|clocked|in (?:our |real-world )?tests?(?:ing)?|achieved|averag(?:ed|ing))\b",
    re.I,
)
_DOUBTED = re.compile(
    r"\b(?:wrong(?:ly)?|mistaken(?:ly)?|in error|erroneous(?:ly)?|misquot\w+|misprint\w*|typo|should (?:be|read)|incorrect(?:ly)?|cannot be right|can(?:no|['’])t be right"
    r"|not to be (?:taken|confused)|mislabel\w+|garbled|confus(?:es|ed|ing)|mix(?:es|ed) up|no primary source|unsupported|does not (?:hold|match|follow)|contradicts?)\b",
    re.I,
)
_DOUBTING_HEADING = re.compile(
    r"\b(?:traps?|notes? on reading|reading this source|caveats?|errors?|pitfalls?|mistakes?|disput\w+|what (?:it|this) gets wrong|cautions?|doubt\w*|how to read|weak\w*)\b",
    re.I,
)
_SPEAKER = re.compile(
    r"\baccording to ((?:the |an? )?[A-Z][\w.&'’-]*(?:\s[A-Z][\w.&'’-]*){0,3})"
    r"|\b([A-Z][\w.&’-]*(?:\s[A-Z][\w.&’-]*){0,2}) (?:says?|said|claims?|claimed|reports?|reported|states?|stated|estimates?|estimated|announced|quotes?)\b"
)
DOUBTED = "doubted"


def modality(text: str, nature: str) -> Modality:
    """How `text` puts a figure whose metric is by its nature specified, measured, priced or estimated."""
    for pattern, result in (
        (_HYPOTHETICAL, Modality.HYPOTHETICAL),
        (_REPORTED, Modality.REPORTED),
        (_PROMISED, Modality.PROMISED),
        (_ESTIMATED, Modality.ESTIMATED),
    ):
        if pattern.search(text):
            return result
    if nature == "specified" and _MEASURED.search(text):
        return Modality.MEASURED
    return Modality(nature)


def attribution(text: str, heading: tuple[str, ...]) -> str:
    """The words for whoever is said to say it; DOUBTED where the source itself casts doubt on it; else ""."""
    if _DOUBTED.search(text) or any(_DOUBTING_HEADING.search(part) for part in heading[1:]):
        return DOUBTED
    match = _SPEAKER.search(text)
    return (match[1] or match[2]) if match else ""


def asks(text: str) -> bool:
    """True for a question: it states nothing."""
    return text.rstrip("\"'”’) ").endswith("?")
