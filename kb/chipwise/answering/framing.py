"""The statement inside a question that asks whether it is so.

    "Is it true that the H100 does 1,979 TFLOPS dense?"          ->  "the H100 does 1,979 TFLOPS dense"
    "A vendor says the v5p does 4,800 GB/s per chip. True?"      ->  "the v5p does 4,800 GB/s per chip"
    'Our draft says "an H200 has 144 GB". OK to print?'          ->  "an H200 has 144 GB"

Who says so changes nothing of whether it is so.
"""

from __future__ import annotations

from chipwise import patterns as re

_SO = r"(?:true|right|correct|accurate|so|wrong|false|real|legit|plausible)"
_IT = r"(?:this|that|it|he|she|they|both|these|those|all of (?:it|this|that|them))"
_OPENS = re.compile(
    rf"^(?:so |and |but |wait,? )?(?:is|was|can|could) (?:it|this|that)(?: really| actually| be)? (?:{_SO}|the case|a fact)[,:]? (?:that |to say (?:that )?)?"
    rf"|^(?:am|are|was|were) (?:i|we) (?:right|correct|wrong)(?: in (?:thinking|assuming|saying)| to (?:think|assume|say)| that)?,? (?:that )?"
    rf"|^(?:true or false|fact[- ]check|myth or fact|correct or not)\W+",
    re.I,
)
_CLOSES = re.compile(
    rf"\s*[,.;:?!–—-]\s*(?:(?:is|was) {_IT} (?:really |actually )?(?:{_SO}|the case)|(?:are|is) {_IT} (?:right|correct|wrong)"
    rf"|(?:both |all |either )?{_SO}(?: or (?:not|false|wrong))?|does {_IT} (?:hold|check out|add up)|isn[’']t {_IT}|doesn[’']t {_IT})\s*[?!.]*\s*$",
    re.I,
)
_SAYS = re.compile(
    r"^(?:\S+ ){0,5}?(?:says?|said|claims?|claimed|told (?:me|us)|tells (?:me|us)|states?|stated|insists?|quoted?|read|heard|hear|thinks?|thought|believes?|"
    r"writes?|wrote|reports?|advertises?|assumes?|mentioned|argues?)(?: (?:somewhere|online|once|to me|on \w+|in an? \w+))?,?(?: that)? (?=\S+ \S+ \S+)",
    re.I,
)
_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]+)[\"“”«»]")
# beside a quotation, what asks whether it is so
_CHECKS = re.compile(
    r"\b(?:claims?|claimed|drafts?|article|says?|said|states?|stated|wrote|writes|quotes?|(?:fact[- ])?check(?:ing|ed)?|verify|verified|true|right|correct|"
    r"accurate|wrong|print|publish|ok(?:ay)?|hold|holds|plausible|real|(?:at|for) (?:that|this) (?:price|rate))\b",
    re.I,
)
_ASKS = re.compile(r"^(?:what|which|how|who|whose|why|when|where)\b", re.I)
_LEAST = 3  # words of a statement


def find_statement(question: str) -> str:
    """The statement, without who makes it; "" where the question does not ask whether one is so."""
    quoted = _QUOTED.search(question)
    if quoted and len(quoted[1].split()) > _LEAST and _CHECKS.search(question.replace(quoted[0], " ")):
        return quoted[1].strip(" ,.!")
    opened = _OPENS.match(question)
    closed = _CLOSES.search(question)
    if not opened and not closed:
        return ""
    said = question[opened.end() if opened else 0 : closed.start() if closed else len(question)].strip(" ?!.,")
    told = _SAYS.match(said)
    stated = (said[told.end() :] if told else said).strip()
    return "" if _ASKS.match(stated) or len(stated.split()) < _LEAST else stated
