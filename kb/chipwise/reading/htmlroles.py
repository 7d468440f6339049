"""What an HTML element is to its page, told by its tag and ARIA role; whether it is shown, by class and style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lxml.html import defs

from chipwise import patterns as re
from chipwise.types import Role

# Never text of the page: code, fall-backs, controls, drawings.
SKIPPED: Final = frozenset(
    [
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "math",
        "iframe",
        "frame",
        "object",
        "embed",
        "applet",
        "canvas",
        "audio",
        "video",
        "map",
        "select",
        "option",
        "datalist",
        "button",
        "input",
        "textarea",
        "progress",
        "meter",
        "head",
        "link",
        "meta",
        "title",
        "base",
        "dialog",
    ]
)
# Begin and end a block of their own; all other elements are inline.
BLOCKS: Final = (defs.block_tags - {"del", "ins"}) | frozenset(
    "article aside body details dialog figcaption figure footer header hgroup html main nav section summary".split()
)
HEADINGS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "summary": 6}

_BOILERPLATE_TAGS: Final = frozenset(("nav", "aside", "footer", "form"))
_BOILERPLATE_ARIA: Final = frozenset(
    ("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu", "menubar", "toolbar")
)
_NOTE: Final = re.compile(r"note|admonition|callout|topic|warning|tip", re.IGNORECASE)  # an aside of the author's
_HIDDEN_CLASS: Final = re.compile(
    r"(?:^|\s)(?:hidden|sr-only|visually-?hidden|screen-reader(?:-text)?|d-none|is-hidden|invisible|offscreen)(?:\s|$)",
    re.IGNORECASE,
)
_HIDDEN_STYLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?:\.0+)?\w{0,3}\s*(?:;|!|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?:^|;)\s*(?:max-)?height\s*:\s*0(?:px)?\s*(?:;|!|$)",
    re.IGNORECASE,
)


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether the element, as far as its own attributes tell, is not shown to a reader."""
    if "hidden" in attributes or attributes.get("aria-hidden", "").strip().lower() == "true":
        return True
    if _HIDDEN_STYLE.search(attributes.get("style", "")[:1000]):
        return True
    return _HIDDEN_CLASS.search(attributes.get("class", "")[:1000]) is not None


def container_role(tag: str, attributes: Mapping[str, str]) -> Role | None:
    """The role of everything inside the element, or None where it says nothing of it."""
    if tag == "aside" and _NOTE.search(f"{attributes.get('class', '')[:500]} {attributes.get('id', '')[:100]}"):
        return None
    if tag in _BOILERPLATE_TAGS or attributes.get("role", "").lower() in _BOILERPLATE_ARIA:
        return Role.BOILERPLATE
    return None
