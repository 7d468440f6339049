"""How a text puts what it says: as a property, a measurement, a report of someone else, a guess, a promise.

"Anthropic reportedly cut its TCO by 52%"   -> reported
"Analysis suggests up to 52% lower TCO"     -> estimated
"Suppose that a chip costs $2 an hour"      -> hypothetical
"""

from __future__ import annotations

import re

from chipwise.claims.model import DOUBTED, Modality

_HYPOTHETICAL = re.compile(
    r"^\W*say,\s|^\W*(?:(?:question|exercise|problem|example)\s?\d*\W[^.?!]{0,60})?(?:suppose|imagine|assum(?:e|ing)|let['’]?s? (?:say|assume|take|suppose|imagine)|say you|picture"
    r"|consider an? (?:example|case))\b"
    r"|\b(?:if|had|were)\b[^,.;]{0,80}\b(?:had|were to|were|gave|offered|could|would|came with|cost|ran at|reached|doubled)\b"
    r"|\b(?:hypothetical\w*|for the sake of argument|thought experiment|imaginary|fictional|fictitious|made-up|make-believe|in theory|pretend|toy example"
    r"|suppos(?:e|ing)|imagine|assuming|let us (?:say|assume|imagine|suppose))\b"
    r"|\b(?:even if|what if|if (?:you|we|it|they|one|a|an|the|your) [^,.;]{0,60}|would (?:have|cost|take|need|give|reach|yield|mean)|in order to (?:have|reach|get))\b",
    re.I,
)
_PROMISED = re.compile(
    r"\b(?:will (?:be|have|offer|deliver|reach|ship|support|provide|come|feature|bring)|(?:is|are) (?:expected|slated|set|due|planned) to"
    r"|plans? to|promis(?:es|ing|ed)|expects? (?:that|to|its|the|an?)|aims? (?:to|for)|upcoming|roadmap|planned)\b",
    re.I,
)
_REPORTED = re.compile(
    r"\b(?:reportedly|allegedly|according to|reports? (?:say|suggest|indicate|claim)s?|(?:is|are|was|were) (?:said|rumou?red|reported) to|rumou?r\w*"
    r"|claim(?:s|ed)? (?:that|to|up to|an?)|i (?:saw|heard|think)|supposedly|purportedly|quoted)\b",
    re.I,
)
_ESTIMATED = re.compile(
    r"\b(?:(?:model|simulation|calculation|projection|forecast|extrapolation|estimate)s? (?:suggests?|shows?|predicts?|puts?|gives?)"
    r"|analys[ie]s (?:suggests?|indicates?|shows?|estimates?|puts?)|estimat(?:e|es|ed|ing)|projected|projections?|projects (?:that|to|an?|\d)|could|might|may (?!\d)|potentially|extrapolat\w+|modell?ed"
    r"|back-of-the-envelope|would be|presumably|likely|probabl[ey]|possibly|perhaps|seems?|appears? to|possible explanation|interpretation|implies|works out (?:to|at|as))\b",
    re.I,
)
_MEASURED = re.compile(
    r"\b(?:measured|benchmarked|observed|we (?:saw|see|got|obtained|reached)|recorded|clocked|in (?:our |real-world )?tests?(?:ing)?|benchmarks?|achieved|averag(?:ed|ing))\b",
    re.I,
)
_DOUBTED = re.compile(
    r"\b(?:wrong(?:ly)?|mistaken(?:ly)?|in error|erroneous(?:ly)?|misquot\w+|misprint\w*|typo|should (?:be|read)|incorrect(?:ly)?|cannot be right|can(?:no|['’])t be right"
    r"|not to be (?:taken|confused)|match(?:es)? (?:neither|no|none|nothing)|pre-?launch (?:figure|number|value|spec\w*)|mislabel\w+|garbled|confus(?:es|ed|ing)|mix(?:es|ed) up|no primary source|unsupported|does not (?:hold|match|follow)|contradicts?|supersed\w+|retracted|not the planned|(?:previously|formerly|earlier|initially|originally) (?:published|listed|said|stated|quoted|announced|gave|given|planned|printed)"
    r"|(?:published|listed|stated|printed|said) (?:earlier|before|previously))\b|^\W*(?:earlier|previously|formerly)\b",
    re.I,
)
_DOUBTING_HEADING = re.compile(
    r"\b(?:traps?|notes? on reading|reading this source|caveats?|errors?|pitfalls?|mistakes?|disput\w+|what (?:it|this) gets wrong|cautions?|doubt\w*|how to read|weak\w*)\b",
    re.I,
)
_SPEAKER = re.compile(
    r"\b[Aa]ccording to ((?:the |an? )?[A-Z][\w.&'’-]*(?:\s[A-Z][\w.&'’-]*){0,3})"
    r"|\b([A-Z][\w.&’-]*(?:\s[A-Z][\w.&’-]*){0,2}) (?:says?|said|claims?|claimed|reports?|reported|states?|stated|estimates?|estimated|announced|quotes?)\b"
)


_BREAK = re.compile(
    r"[;—]|:\s|\si\.e\.\s|\s[-–]\s|,\s(?i:but|while|whereas|although|though|so|because|which|where|we|you|and (?:may|might|could|will|would))\b|\.\s(?=[A-Z])"
)
_LEADS = re.compile(
    r"\W*(?:(?i:suppose|imagine|assum|let['’]?s|if|even if|according to|reports?|analys|reportedly|estimat|for example|question|exercise"
    r"|(?:one|a|another) (?:possible|likely) (?:explanation|reading|reason))|[A-Z]\w+ (?:says|claims|expects|promises))"
)


def modality(text: str, nature: str, at: int = 0) -> Modality:
    """How `text` puts the figure at `at`, whose metric is by its nature specified, measured, priced or estimated.

    What a neighbouring clause supposes or doubts is not said of this one.
    """
    text = _clause(text, at)
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


def _clause(text: str, at: int) -> str:
    """The clause that `at` stands in, with what leads the whole sentence in ("Suppose that ...")."""
    breaks = list(_BREAK.finditer(text))
    start = max((m.end() for m in breaks if m.end() <= at), default=0)
    end = min((m.start() for m in breaks if m.start() >= at), default=len(text))
    lead = text[: breaks[0].start()] if breaks and start and _LEADS.match(text) else ""
    return f"{lead} {text[start:end]}" if lead else text[start:end]


def attribution(text: str, heading: tuple[str, ...]) -> str:
    """The words for whoever is said to say it; DOUBTED where the source itself casts doubt on it; else ""."""
    if _DOUBTED.search(text) or any(_DOUBTING_HEADING.search(part) for part in heading):
        return DOUBTED
    match = _SPEAKER.search(text)
    return (match[1] or match[2]) if match else ""
