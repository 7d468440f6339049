"""Whether a sentence affirms what it names, denies it, limits it to it, or puts it under a condition.

    "TPUs do not run PyTorch."                    a negation of "PyTorch"
    "TPUs are only available on Google Cloud."    exclusive at "Google Cloud"
    "TPUs idle if the disk cannot keep up."       condition at "idle": "if the disk cannot keep up"

Looks at words alone and knows nothing of chips, so figures and categories share it.
Every function takes the sentence and an offset in it, and reads a bounded stretch around that.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.text import Span, asks

REACH = 400  # characters read on either side: no clause is longer, and a wall of text stays linear
CONDITION = 80  # characters of a condition that are quoted

_SOFT = r"(?:only|just|merely|simply|solely|necessarily the|to mention)\b"
# what ends the reach of a negation: the end of a clause, or a verb of the subject's own after "and"
_CLAUSE = re.compile(
    r"""[;?!—–]|[.:](?=\s|$)|\s-\s|,?\s\b(?:but|while|whereas|although|though|because|since|so|unless|yet|where)\b
      |,\s*(?:few|nobody|no\sone)\b|,\s*(?:and\s+|or\s+|so\s+)?(?:instead|they|it|we|you|which|who|this|these)\b|,\s*and\s+(?:the|our|its)\s(?:[\w-]+\s){1,6}?(?:is|are|was|were|has|have|costs?|cost|runs?|supports?|comes?)\b
      |\band\s+(?:instead\s+)?(?:use|uses|has|have|is|are|was|were|run|runs|support|supports|rel(?:y|ies)|need|needs
      |can|will|they|it|you|work|works|offer|offers|come|comes)\b""",
    re.I | re.X,
)
_NEGATION = re.compile(
    rf"""\b(?:not(?!\s+{_SOFT})|cannot|never|without|neither|nor|unable|unsupported|incompatible|impossible
      |lack(?:s|ed|ing)?|no\slonger|no(?![\w.,:!)])(?!\s(?:more|less|fewer|later|doubt)\b)|nowhere|none|little\s(?:need|use|support|room|benefit)|refus(?:e|es|ed)
      |instead\sof|rather\sthan|except(?:ing)?|excluding|other\sthan|fails?\sto|(?:eliminat|avoid|prevent)(?:e[sd]?|s|ed|ing)?|\w+n['’]t(?!\s+{_SOFT}))(?![\w])""",
    re.I | re.X,
)
_CANCELS = re.compile(r"(?:without|lack|unable|unsupported|incompatible|impossible|fail)", re.I)
_OF_A_NOUN = re.compile(r"(?:without|instead\sof|rather\sthan|except(?:ing)?|excluding|other\sthan|none)$", re.I)
_DOES = re.compile(
    r"\b(?:gives?|gave|makes?|made|saves?|saved|cuts?|brings?|brought|yields?|means?|meant|costs?|takes?|took|delivers?|offers?|reduc(?:es|ed)|speeds?"
    r"|improv(?:es|ed)|lower(?:s|ed)|rais(?:es|ed)|increas(?:es|ed)|trims?|trimmed|slash(?:es|ed)|results?|leads?|led|provides?|achieves?|doubl(?:es|ed))\b",
    re.I,
)
_AFTER = re.compile(
    rf"""(?:[^\W]|['’/+%()\s-]){{0,48}}?(?<!\w)(?:(?:is|are|was|were|does|do|did|has|have|can|could|will|would)
      (?:\s+not\b(?!\s+{_SOFT})|n['’]t\b(?!\s+{_SOFT})|\s+no\slonger\b|\s+never\b)|cannot\b|unsupported\b|not\s+supported\b)""",
    re.I | re.X,
)
_JOINS = re.compile(r"\b(?:and|or|which|that|who|but|than|when|if|you|we|they|one)\b", re.I)
_PARTLY = re.compile(
    r"\b(?:no (?:full|complete|true|\d+[-‑ ]?way)\b|not (?:all|every|always|necessarily|yet clear|sure|clear)|almost no\b|virtually no\b|hardly|rarely|seldom|few (?!-))\b",
    re.I,
)

_ONLY = r"(?:only|exclusively|exclusive|exclusivity|solely|sole|nothing\s(?:but|other\sthan))"
_LIMITS = re.compile(rf"\b(?:{_ONLY}|cannot|can['’]t|\w+n['’]t|lack\w*)", re.I)
_ONLY_BEFORE = re.compile(
    rf"(?<!\bnot\s)(?<!n['’]t\s)\b{_ONLY}(?!\s(?:if|when|where|after|\d))\b[^;:.!?,]{{0,60}}$", re.I
)
_ONLY_AFTER = re.compile(
    rf"[^\s;:.!?,]*(?:[\s-]+(?:users?|work))?[\s-](?<!\bnot\s){_ONLY}\b(?!\s(?:if|when|where|after|\w+\s\d))", re.I
)

# what an "only" limits besides, or sets against one other alone: "only use JAX for a specific need", "only INT8 and not FP8"
_NOT_ALONE = re.compile(
    r"[^\s;:.!?,]*,?\s(?:(?:and|but)\snot|not|rather\sthan|instead\sof|for\s(?!now|the\s(?:moment|time)|good|ever)|to\s[a-z]|when|if|while|during|after|before)\b",
    re.I,
)
_LEADS = (
    r"(?:if|when|whenever|unless|provided(?:\sthat)?|as\slong\sas|in\scase|once|until|except\swhen|except\sif|where)"
)
_TRAILING = re.compile(rf"(?:\b(?:even|only|especially|particularly)\s)?\b{_LEADS}\s[^;:?!—–.]+", re.I)
_OPENING = re.compile(
    rf"^\W*(?:however,\s|but\s|and\s|so\s|then\s)?((?:even\s|only\s)?(?:{_LEADS}|for|between|inside|within|outside)\s[^;:?!—–]+?),\s",
    re.I,
)
_FOR = re.compile(r"\bfor\s(?!example|instance|now|sale|rent|purchase|free)[^;:?!—–,.]+", re.I)
_SUPPOSED = re.compile(r"\b(?:suppose|imagine|assume|pretend|what if|let['’]s say|hypothetical\w*|whether)\b", re.I)
_REJECTED = re.compile(
    r"""\b(?:claims?|myth|belief|idea|notion|statements?|wording|assertion|rumou?r|remark)\b.{0,160}?
      \b(?:wrong|false|misleading|incorrect|untrue|outdated|refuted|clash\w*|contradict\w*|conflict\w*|no\slonger\strue|dated)\b
      |\bclash(?:es|ed)?\b|\bat\sodds\b|\bit\sis\s(?:a\smyth|wrong|false|untrue|misleading)\b""",
    re.I | re.X,
)
_IN_IF = re.compile(r"\b(?:if|unless|in\scase|provided|whenever|when|once)\s[^,:]*$", re.I)
_UNDER_IF = re.compile(r"\b(?:if|when|unless)\b[^.?!:]{0,40}:\s[^.?!]*$", re.I)


def negation(text: str, at: int) -> Span | None:
    """Where the word stands that denies the words at `at`, None without one; two negations cancel, and "not only" is none."""
    begin = clause(text, at)[0]
    cues = [m for m in _NEGATION.finditer(text, begin, at) if _reaches(text, m, at)]
    if not cues:
        after = _AFTER.match(text, at, min(len(text), at + REACH))
        found = _NEGATION.search(text, at, after.end()) if after and not _JOINS.search(after.group()) else None
        return found.span() if found else None
    # "not without"; "no loss and no delay" denies twice
    return cues[-1].span() if len(cues) == 1 or not _CANCELS.match(cues[-1].group()) else None


def denials(text: str, begin: int, end: int) -> list[Span]:
    """Where a part of a text has words that deny or limit: "cannot", "lacks", "only"."""
    return [m.span() for pattern in (_NEGATION, _LIMITS) for m in pattern.finditer(text, begin, end)]


def _reaches(text: str, cue: re.Match[str], at: int) -> bool:
    """ "not TensorFlow, but" and "without rewriting code, on AWS" deny up to the comma alone.

    What stands instead of a thing is denied, not what having it does: "a TPU instead of a GPU cuts cost by 40%".
    """
    between = text[cue.end() : at]
    if cue.group().lower() in ("instead of", "rather than") and _DOES.search(between):
        return False
    contrast = text[: cue.start()].rstrip()[-1:] in (",", "(", "-") and cue.group().lower() == "not"
    return "," not in between if contrast or _OF_A_NOUN.match(cue.group()) else True


def partly(text: str, at: int) -> bool:
    """True where the sentence neither affirms nor denies: "not all GPUs support FP8"."""
    return _PARTLY.search(text, *clause(text, at)) is not None


def exclusive(text: str, at: int) -> bool:
    """True where the words at `at` are all there is: "only on Google Cloud", "exclusivity to TensorFlow"."""
    begin = clause(text, at)[0]
    if _ONLY_BEFORE.search(text[begin:at]):
        return not _NOT_ALONE.match(text, at)
    return _ONLY_AFTER.match(text, at, min(len(text), at + 60)) is not None


def condition(text: str, at: int) -> str:
    """The words of the condition on what stands at `at`, verbatim, or "": "when using JAX", "for large batches"."""
    opening = _OPENING.match(text, 0, REACH)
    if opening and opening.end() <= at:
        return _short(opening.group(1))
    end = min(len(text), at + REACH)
    for pattern in (_TRAILING, _FOR):
        found = pattern.search(text, at, end)
        if found and not re.search(r"[;?!—–]|\.\s|\bbut\b", text[at : found.start()]):
            return _short(found.group())
    before = _TRAILING.search(text, clause(text, at)[0], at)
    return _short(before.group()) if before and before.end() < at else ""


def supposed(text: str, at: int) -> bool:
    """True where nothing is asserted: a question, an if-clause, a supposition, a claim reported to be wrong."""
    begin, end = clause(text, at)
    if text[end : end + 1] == "?" or asks(text) or _REJECTED.search(text[:REACH]):
        return True
    if _SUPPOSED.search(text, begin, at):
        return True
    return _IN_IF.search(text[begin:at]) is not None or _UNDER_IF.search(text[max(0, at - REACH) : at]) is not None


def clause(text: str, at: int) -> tuple[int, int]:
    """The clause around `at`, as far as its punctuation and conjunctions tell."""
    low, high = max(0, at - REACH), min(len(text), at + REACH)
    begin = low
    for mark in _CLAUSE.finditer(text, low, at):
        begin = mark.start() if mark.group()[-1:].isalpha() else mark.end()
    following = _CLAUSE.search(text, at, high)
    return begin, following.start() if following else high


def _short(words: str) -> str:
    words = words.strip().rstrip(",")
    return words if len(words) <= CONDITION else words[: CONDITION + 1].rsplit(None, 1)[0]
