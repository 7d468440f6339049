"""What an HTML element is to its page, told by its tag, ARIA role, class and style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "caption",
    ]
)
HEADINGS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "summary": 6}

_BOILERPLATE_TAGS: Final = frozenset(("nav", "aside", "footer", "form"))
_BOILERPLATE_ARIA: Final = frozenset(
    ("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu", "menubar", "toolbar")
)
_NEVER: Final = frozenset(("html", "body", "main", "article"))  # "has-sidebar" on the body says nothing
_CLASSES: Final = (
    (
        Role.COMMENT,
        r"comments?|comments?-(?:area|list|section|wrapper|container|body|content|thread|block|text|item)|commentlist|disqus_thread|user-reviews?",
    ),
    (
        Role.BIO,
        r"(?:post-|entry-)?author-(?:bio|box|info|description|card|profile)|about-(?:the-)?author|(?:writer|author)bio|bio",
    ),
    (Role.FAQ, r"faqs?|faqs?-(?:section|list|container|wrapper|accordion|item|content|block)|schema-faq(?:-section)?"),
    (
        Role.BOILERPLATE,
        r"(?:main-|site-|top-|sub-)?nav(?:bar|igation)?|(?:main-|site-|mega-)?menu|breadcrumbs?|(?:left-|right-)?sidebar|(?:site-|page-)?footer"
        r"|site-header|masthead|cookies?(?:-\w+)*|gdpr(?:-\w+)*|consent(?:-\w+)*|newsletter(?:-\w+)*|subscribe(?:-\w+)*|sign-?up(?:-\w+)*"
        r"|social(?:-\w+)*|share(?:-\w+)*|sharing(?:-\w+)*|related-?(?:posts?|articles?|content|stories|links|reading|items|news)"
        r"|recommend(?:ed|ations?)(?:-\w+)*|promo(?:tion)?s?(?:-\w+)*|advert(?:isement|ising|s)?(?:-\w+)*|ads?|ad-(?:slot|unit|container|banner|wrapper)"
        r"|sponsor(?:ed|s)?(?:-\w+)*|popup|modal|pagination|pager|toc|table-of-contents|post-tags|tag-list|post-meta|entry-meta|byline"
        r"|testimonials?(?:-\w+)*|cta|call-to-action|skip-link|search-form|post-navigation|widget-area",
    ),
)
_NOTE: Final = re.compile(r"note|admonition|callout|topic|warning|tip", re.IGNORECASE)  # an aside of the author's
_CLASS_ROLES: Final = tuple((role, re.compile(names, re.IGNORECASE)) for role, names in _CLASSES)
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
    if tag in _NEVER:
        return None
    names = (attributes.get("class", "")[:500] + " " + attributes.get("id", "")[:100]).split()
    for role, pattern in _CLASS_ROLES:
        if tag in BLOCKS and any(pattern.fullmatch(name.replace("__", "-")) for name in names):
            return role
    if tag == "aside" and _NOTE.search(" ".join(names)):
        return None
    if tag in _BOILERPLATE_TAGS or attributes.get("role", "").lower() in _BOILERPLATE_ARIA:
        return Role.BOILERPLATE
    return None
