"""Wording that gives away page furniture, advertising and reader comments.

Data first, then the few functions that weigh it. No single word condemns a paragraph: cues add
up, a long paragraph needs more of them, and a figure speaks against. If in doubt, a text stays
body, because an indexed advert costs less than a lost claim.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from chipwise import patterns as re


def _pattern(wording: str) -> re.Pattern[str]:
    """Compile a pattern for lower-case text: ignoring case would double the search time."""
    return re.compile(wording)


def _any_case(wording: str) -> re.Pattern[str]:
    return re.compile(wording, re.IGNORECASE)


# What surrounds an article: true only of short lines, because articles also speak of cookies and e-mail.
MOST_FURNITURE_WORDS: Final = 20
MOST_CAPTION_WORDS: Final = 25
LONGEST_SHORT_TEXT: Final = 300  # characters of a text that has few words
_FURNITURE: Final = tuple(
    map(
        _pattern,
        (
            r"\bcaptcha\b|i'm not a robot|are you human",
            r"all rights reserved|^(?:copyright )?(?:©|\(c\)) ?\d{4}|^copyright\b",
            r"\b(?:accept|we use|uses|manage|reject)\b.{0,20}\bcookies\b|cookie (?:policy|settings|preferences|notice)",
            r"^(?:terms of (?:service|use)|privacy policy|privacy notice|terms (?:and|&) conditions)\b.{0,40}$",
            r"skip to (?:main )?content|back to top|jump to (?:section|navigation)|toggle (?:navigation|menu)",
            r"^\d+ ?[- ]?min(?:ute)?s?[- ](?:read|reading)\b|\breading time\b|\bmin(?:ute)?s? read$",
            r"^(?:read|learn|see|show|load|view|find out) (?:more|all|less)\b.{0,40}$|^(?:more|all) (?:posts|articles|news)$",
            r"^(?:log ?in|sign ?in|sign ?up|register|log ?out|my account|search|menu|home|close|cart)(?: .{0,20})?$",
            r"^share\b.{0,40}$|^(?:tweet|pin it|follow us|like us|e-?mail this|print this)\b.{0,40}$|copy link",
            r"\bsubscribe (?:to|now|today|for)\b|\bsign up (?:for|to)\b|\bour newsletter\b|^newsletter$|\bunsubscribe\b",
            r"(?:enter|check) your e-?mail|your e-?mail address|we will be following up|we will be in touch",
            r"^(?:sorry,? )?(?:no results|nothing) (?:were |was )?found|page not found|javascript (?:is|to be)|enable javascript",
            r"^(?:previous|next|older|newer) (?:post|article|entry|story|page)s?\b.{0,80}$",
            r"^(?:posted|filed|tagged|published|written|updated|last (?:updated|modified|edited))(?: (?:in|by|on|under|with|at))?\b.{0,60}$",
            r"^(?:advertisement|advertisements|sponsored|sponsored content|promoted|ad|affiliate disclosure)\b.{0,20}$",
            r"affiliate (?:link|commission)s?\b|we may earn a commission",
            r"^(?:leave|write|post|add|submit) (?:a |your )?(?:comment|reply|response)\b.{0,40}$|submit your comment|cancel reply",
            r"required fields are marked|will not be published",
            r"^.{0,80}(?:→|»|›|>>)$",  # a link's arrow
        ),
    )
)


class _Cue(NamedTuple):
    """A wording with its weight. One of the `marks`, if any are given, is in whatever it matches.

    Looking for a mark takes a fiftieth of the time of a search.
    """

    weight: int
    marks: tuple[str, ...]
    pattern: re.Pattern[str]


def _weigh(cues: tuple[_Cue, ...], lower: str) -> int:
    """The sum of the weights of the cues that are in the text, which is in lower case."""
    return sum(
        weight
        for weight, marks, pattern in cues
        if (not marks or any(mark in lower for mark in marks)) and pattern.search(lower)
    )


# (weight, marks, wording): who sells, to whom, and the verbs of selling.
_ADVERTISING: Final = tuple(
    _Cue(weight, marks, _pattern(wording))
    for weight, marks, wording in (
        (2, ("click ", "tap "), r"\bclick (?:below|here|the (?:button|link))\b|\btap (?:below|here)\b"),
        (2, ("start a ", "book a ", "request a ", "contact "), r"\bstart a (?:live )?chat\b|\bbook a (?:demo|call|meeting)\b|\brequest a (?:demo|quote)\b|\bcontact (?:our )?sales\b"),
        (1, (" our", "contact us", "in touch", "our "), r"\b(?:talk|speak|chat) (?:to|with) (?:one of )?our\b|\bcontact us\b|\bget in touch\b|\bour (?:team|experts|specialists)\b"),
        (2, ("s where ",), r"\bthat[’']s where [\w .’'-]{1,40} comes? in\b"),
        (1, ("our ",), r"\bour (?:[\w-]+ ){0,4}(?:hosting|servers?|plans?|services?|platform|products?|cloud|solutions?|customers|packages|app|courses?)\b"),
        (1, ("can help", "let us"), r"\bcan help\b|\blet us\b"),
        (1, ("industry", "unparalleled", "leading", "world", "premium", "cutting", "unbeatable", "award", "blazing", "unmatched", "-the-art"), r"\b(?:leading|best in|leaders? in) the industry\b|\bindustry[- ]leading\b|\bunparalleled\b|\bleading[- ]edge\b|\bworld[- ]class\b"
            r"|\bpremium\b|\bcutting[- ]edge\b|\bunbeatable\b|\baward[- ]winning\b|\bblazing(?:ly)?[- ]fast\b|\bunmatched\b|\bstate-of-the-art\b"),
        (1, (), r"^(?:get|unlock|try|discover|boost|supercharge|elevate|experience|join|start|sign up|book|claim|grab|transform|turn)\b"),
        (2, ("free ", "money", "limited", "% off", "%off", " code"), r"\bfree (?:trial|consultation|quote|demo)\b|\bmoney[- ]back\b|\blimited[- ]time\b|\b\d+ ?% off\b|\bpromo(?:tion)? code\b|\bdiscount code\b"),
        (1, ("today", "now", "get started", "credit card"), r"\b(?:today|now)[!.]?$|\bget started (?:today|now|for free|with our)\b|\bno credit card\b"),
        (3, (), r"^(?:struggling|looking|ready|tired|wondering|thinking|trying|curious|need|want)\b[^.?!]{0,150}\byour?\b[^.?!]{0,80}\? "
            r"(?:compare|discover|learn|find|explore|get|check|start|try|join|read|see) ")
    )
)  # fmt: skip

# (words at most, weight needed); a longer paragraph says more than it sells
_NEEDED: Final = ((30, 2), (80, 3), (120, 5))
MOST_WEIGHED: Final = 1000  # characters that are looked at

# A table of contents as text: "2.1 Memory . . . . . . 14".
_LEADERS: Final = _pattern(r"(?:\. ?){6}\s*(?:\d+|[ivxl]+)\b")

# Text meant for a pupil, an author or a program instead of a reader.
_INSTRUCTION: Final = tuple(
    _Cue(weight, marks, _pattern(wording))
    for weight, marks, wording in (
        (1, ("this lesson",), r"\bthis lesson\b"),
        (1, ("learning ",), r"\blearning (?:plan|objectives?|outcomes?|path|goals?)\b"),
        (1, ("lesson ",), r"\blesson (?:topic|plan|overview|title)\b"),
        (2, ("key ",), r"\bkey (?:insights|points|messages|topics) to (?:cover|include|mention)\b"),
        (2, ("not be ", "do not "), r"\b(?:must|should|do) not be (?:fetched|opened|followed|visited|crawled)\b|\bdo not (?:fetch|crawl|visit)\b"),
        (4, ("ignore ", "disregard ", "forget ", "override "), r"\b(?:ignore|disregard|forget|override) (?:all |any |the |your |of |my )*(?:previous|prior|above|earlier|preceding) "
            r"(?:instructions?|prompts?|messages?|rules|context)\b"),
        (2, ("you are ",), r"\byou are (?:now )?(?:an? |the )?(?:[\w-]+ )?(?:assistant|chatbot|ai|language model|llm|gpt|copywriter|seo expert)\b"),
        (2, ("prompt", ":"), r"\b(?:system|user|assistant) prompt\b|^(?:system|assistant|user|human) ?: "),
        (1, ("as an ai",), r"\bas an ai(?: language)? model\b"),
        (2, (), r"^(?:write|generate|create|draft|summari[sz]e|rewrite|translate) (?:an?|the|this|me) (?:\d+[- ]word |short |long |detailed )?"
            r"(?:article|blog|essay|post|summary|lesson|script|podcast|paragraph)\b"),
        (2, ("answer", "reply", "respon", "output"), r"\b(?:answer|reply|respond|output)(?: only)? (?:with|in|as) (?:json|yes|no|markdown|exactly)\b|\bin your (?:answer|response|reply)\b"),
        (2, ("do not ",), r"\bdo not (?:reveal|disclose|tell the user|mention (?:this|these))\b")
    )
)  # fmt: skip

_FIGURE: Final = _pattern(r"\d ?(?:[gtm]i?b|tflops|pflops|tops|w\b|kw|ghz|nm|x\b|×|tokens)|[$€£]\d")

# A picture's alternative text: a noun phrase without a verb and without a figure.
_CAPTION: Final = _pattern(
    r"^(?:[\w-]+ ){0,3}(?:drawing|illustration|infographic|artwork|painting|render(?:ing)?|photo(?:graph)?|sketch|cartoon|image|picture|diagram"
    r"|screenshot|visuali[sz]ation|graphic|collage)s? (?:[\w-]+ )?"
    r"(?:of|comparing|illustrating|depicting|showing|featuring|representing|with|about|contrasting|visuali[sz]ing)\b"
)
_VERB: Final = _pattern(
    r"\b(?:is|are|was|were|has|have|had|can|will|would|shows|makes|gives|emerges|helps|needs|takes)\b|\d"
)

# A reader's voice; each counts once, and two of them in what stands below a bare name make it a comment.
_INFORMAL: Final = (
    re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|me)\b"),
    re.compile(r"^[a-z]|\bi (?:read|think|swear|tried|just|had|was|am|have|agree|love)\b|\bi['’]m\b"),
    _any_case(r"\b(?:lol|lmao|imo|imho|tbh|btw|gonna|wanna|kinda|gotta|yeah|nah|dude|folks|guys|haha|wow|omg|thx)\b"),
    _any_case(
        r"\bthe author\b|\b(?:this|your|the) (?:article|post|blog|write-?up|whole thing)\b|\bthanks?(?: you)? for\b|\btypo\w*\b"
    ),
    _any_case(
        r"\b(?:great|nice|good|awesome|excellent|terrible|useless) (?:post|article|read|piece|job|content)\b|\bwell[- ]written\b"
    ),
    _any_case(
        r"\blet me tell you\b|\bdon['’]t want you to\b|\bwake up\b|\bdon['’]t (?:even )?get me started\b|\bi agree\b|\bagree with\b"
    ),
    re.compile(r"!{2,}|\?{2,}|![^!]{0,400}!|😀|😂|👍|🙌|❤"),
)
_PRAISE: Final = _any_case(
    r"\b(?:I|my|me|I['’]\w+)\b|\b(?:love|loved|perfect|great|best|amazing|awesome|recommend|easy|effortless|smarter|saves?|helps?|crazy"
    r"|inspiring|clear|incredible|finally|like an?|turned|replaced|game[- ]changer|fantastic|excellent)\b"
)
_QUOTED: Final = re.compile(r"[\"“«].{8,400}[\"”»][.!]?(?: ?[—–-] ?.{2,60})?")

_PROFESSION: Final = (
    r"(?i:engineer|writer|journalist|editor|reporter|developer|analyst|researcher|author|professor|lecturer|specialist|consultant|founder"
    r"|co-founder|cofounder|strategist|blogger|scientist|marketer|manager|director|architect|student|enthusiast|contributor|administrator)"
)
BIOGRAPHY: Final = re.compile(
    r"(?P<name>[A-Z][\w'’-]+(?: [A-Z]\.)?(?: (?:de|van|von|der|al|bin))?(?: [A-Z][\w'’-]+){1,3})(?:, [^,]{2,40},)? "
    rf"(?:is|was|works as|has been|writes) (?:currently )?(?:an?|the|our),?(?: [\w,&/+-]+){{0,7}}? {_PROFESSION}s?\b"
)


def is_boilerplate(words: str, count: int) -> bool:
    """True if the wording is that of page furniture, advertising, instructions or a picture's caption.

    `count` is the number of words.
    """
    lower = words[:MOST_WEIGHED].lower()
    short = len(words) <= LONGEST_SHORT_TEXT
    if short and count <= MOST_FURNITURE_WORDS and any(cue.search(lower) for cue in _FURNITURE):
        return True
    if short and count <= MOST_CAPTION_WORDS and _CAPTION.match(lower) and not _VERB.search(lower):
        return True
    return is_leader(lower) or _advertises(lower, count)


def _advertises(lower: str, count: int) -> bool:
    """True if enough cues of advertising, or of instructions to someone else, come together."""
    needed = next((weight for most, weight in _NEEDED if count <= most), _NEEDED[-1][1])
    if _weigh(_INSTRUCTION, lower) >= needed:
        return True
    if count > _NEEDED[-1][0]:
        return False
    sold = _weigh(_ADVERTISING, lower)
    return sold >= needed and (sold > needed or not _FIGURE.search(lower))


def is_leader(words: str) -> bool:
    """True for a line of a table of contents with its row of dots."""
    return _LEADERS.search(words[:MOST_WEIGHED]) is not None


def is_quoted(words: str) -> bool:
    """True if the whole text is in quotation marks, apart from a name at the end."""
    return _QUOTED.fullmatch(words) is not None


def praises(words: str) -> bool:
    """True if a pleased customer may be speaking."""
    return _PRAISE.search(words) is not None


def informality(words: str) -> int:
    """Count the kinds of informal marks in the text."""
    return sum(1 for cue in _INFORMAL if cue.search(words[:4000]))
