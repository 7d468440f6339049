"""The role of a section by its heading: comments, questions, advertising, a biography.

Also the clean text of a heading. Whole headings are matched, not words in them: "Related work" and
"Response times" are body.
"""

from __future__ import annotations

from typing import Final

from chipwise import patterns as re
from chipwise.reading.decoding import one_line
from chipwise.types import Role

_ROLES: Final[tuple[tuple[Role, str], ...]] = (
    (
        Role.COMMENT,
        r"(?:all |top |\d[\d,]* |reader'?s?'? |user |visitor |customer )*(?:comments?|responses?|replies)"
        r"(?: ?\(\d+\)| from readers)?|\d+ thoughts? on .*|what readers say",
    ),
    (
        Role.FAQ,
        r".*\bfaqs?\b.*|.*\bfrequently asked\b.*|common(?:ly asked)? questions(?: .*)?"
        r"|q ?(?:&|and) ?a|questions (?:and|&) answers|people also ask",
    ),
    (
        Role.BIO,
        r"about (?:the |our |this )?(?:authors?|writers?|contributors?)|authors?(?:'s)? bio(?:graphy|graphies)?"
        r"|meet the (?:author|writer|team)|(?:written|reviewed) by\b.*",
    ),
    (
        Role.BOILERPLATE,
        r"(?:related|similar|recommended|recent|popular|latest|more|trending|other|suggested) "
        r"(?:posts?|articles?|stories|reading|reads|content|news|videos|guides|products|links)\b.*"
        r"|you (?:might|may) (?:also )?(?:like|enjoy|find|be interested)\b.*|recommended(?: for you)?"
        r"|more (?:from|like this)\b.*|(?:read|up) next|keep reading|continue reading|trending(?: now)?"
        r"|(?:our |the )?newsletters?|subscribe\b.*|sign up\b.*|stay (?:updated|informed|in touch|connected)\b.*"
        r"|(?:paid )?advertis(?:ing|ements?)|advertorial|sponsor(?:s|ed(?: by .*| content)?)?|promotions?"
        r"|privacy(?: policy| notice)?|terms (?:of (?:service|use)|(?:and|&) conditions)"
        r"|cookies?(?: (?:policy|settings|notice|preferences))?|legal(?: notice)?|imprint"
        r"|share (?:this|on|via)\b.*|share|follow us\b.*|connect with us|contact us"
        r"|(?:leave|write|post|add|submit) (?:a |your )?(?:comment|reply|response)\b.*|cancel reply|join the conversation"
        r"|(?:table of )?contents|on this page|in this (?:article|post)|navigation|menu|site ?map|breadcrumbs?"
        r"|(?:article |post )?(?:tags|categories|archives)|testimonials?|what (?:our |people|customers|users|clients)\b.* say\b.*",
    ),
)
_PATTERNS: Final = tuple((role, re.compile(wording)) for role, wording in _ROLES)
_NUMBERING: Final = re.compile(r"(?:section |chapter |appendix )?(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.):]\s+")

_IMAGE: Final = re.compile(r"!\[([^\[\]]*)\]\([^()]*\)")
_LINK: Final = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->")
_ATTRIBUTES: Final = re.compile(r"\{[#.:][^{}]*\}\s*$")
_MARKS: Final = re.compile(r"\*+|`+|~~|(?<!\w)_+|_+(?!\w)")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_TRAILING_HASHES: Final = re.compile(r"\s+#+\s*$|\s*¶\s*$")

_CONTENTS: Final = re.compile(r"\bcontents\b|on this page|in this (?:article|post)|navigation|menu", re.IGNORECASE)
DEEPEST: Final = 9  # below any heading's level
LONGEST_HEADING: Final = 200  # characters; a longer "heading" is a paragraph set in bold


def section_role(heading: str) -> Role | None:
    """The role that a heading gives to the text below it, or None for plain body."""
    words = heading.lower().replace("’", "'").strip(" :.!?—–-|#*")
    words = _NUMBERING.sub("", words, count=1)
    for role, pattern in _PATTERNS:
        if pattern.fullmatch(words):
            return role
    return None


def role_within(zone: Role, own: Role) -> Role:
    """The role of a block inside a zone: a table or listing in an answer keeps its own role."""
    return own if zone is Role.FAQ and own in (Role.TABLE, Role.CODE) else zone


def reach(title: str, level: int, role: Role) -> int:
    """The level that ends the section's role: its own, or any heading for a table of contents or the page's top.

    A "Contents" at level 1 often holds the whole document, chapter by chapter.
    """
    return DEEPEST if role is Role.BOILERPLATE and (level == 1 or _CONTENTS.search(title)) else level


def clean_heading(raw: str) -> str:
    """Return a heading without Markdown's marks: "**`A`** [b](c) ##" becomes "A b"."""
    text = one_line(raw, 2 * LONGEST_HEADING)
    text = _ATTRIBUTES.sub("", _TRAILING_HASHES.sub("", text))
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _MARKS.sub("", _TAG.sub("", text))
    return one_line(_ESCAPED.sub(r"\1", text), LONGEST_HEADING)
