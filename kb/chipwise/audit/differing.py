"""In what two statements differ besides their figures: the axes, the variants, how many chips they are of."""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.audit.casebook import Statement
from chipwise.domain.catalogue import RUN
from chipwise.domain.model import Domain

_WORD = re.compile(r"[a-z]+|\d[\w.]*")


def differing_axes(domain: Domain, a: Statement, b: Statement) -> tuple[str, ...]:
    """The axes on which both state a value and not the same one."""
    if (a.count, a.claim.subject, a.claim.qualifiers) == (b.count, b.claim.subject, b.claim.qualifiers):
        return ()
    stated = dict(b.claim.qualifiers)
    differing = [
        axis
        for axis, value in a.claim.qualifiers
        if axis != "count"
        and not go_together(axis, stated.get(axis, value), value)
        and not _is_slip(domain, axis, stated[axis], value)
    ]
    if a.count is not None and b.count is not None:
        differing = [axis for axis in differing if axis != "aggregation" or a.count != b.count]
        if a.count != b.count:
            differing.append("count")
    forms = {form for s in (a, b) if (form := _form_factor(domain, s))}
    if variants_differ(domain, a.claim.subject, b.claim.subject) or len(forms) > 1:
        differing.append("form_factor")
    return tuple(dict.fromkeys(differing))


def _form_factor(domain: Domain, s: Statement) -> str:
    """The form factor that a statement says, or that its variant has."""
    entity = domain.entities.get(s.claim.subject)
    return s.claim.qualifier("form_factor") or (entity.form_factor if entity is not None else "")


def is_wider(a: str, b: str) -> bool:
    """True where `a` is `b` or takes it in: "hbm" and "hbm3e", "2022" and "2022-05"; not "hbm3" and "hbm3e"."""
    rest = b[len(a) :]
    return a in ("", b) or (b.startswith(a) and (rest[0] == "-" or (a.isalpha() and rest[0].isdigit())))


def go_together(axis: str, a: str, b: str) -> bool:
    """True where one thing can have both values of an axis: "HBM" is no other kind than "HBM3e", only less of a word for it.

    Many write "141 GB of HBM3" of HBM3e: that is said of the kind, and the figures are of one memory all the same.
    """
    loosely = axis == "memory_kind" and (a.startswith(b) or b.startswith(a))
    return loosely or is_wider(a, b) or is_wider(b, a) or (axis in RUN and _is_one_model(a, b))


def _is_one_model(a: str, b: str) -> bool:
    """True for "palm-540b" and "PaLM 540B training": one is the model of the other, its size and all."""
    few, many = sorted((frozenset(_WORD.findall(value.lower())) for value in (a, b)), key=len)
    return few <= many and any(word[0].isdigit() for word in few)


def _is_slip(domain: Domain, axis: str, a: str, b: str) -> bool:
    """True where a chip that has the one has not the other: the "HBM" of a card with GDDR6 is a slip for its memory."""
    families = domain.axes[axis].one_of if axis in domain.axes else ()
    x, y = (next((f for f in families if value.startswith(f)), "") for value in (a, b))
    return bool(x and y and x != y)


def variants_differ(domain: Domain, a: str, b: str) -> bool:
    """True for H100 SXM and H100 PCIe; not for H100 and one of them."""
    return domain.is_chip(a) and domain.is_chip(b) and not domain.are_kin(a, b)


def scope_stated(s: Statement) -> bool:
    """True where the text tells of how many chips the figure is."""
    return bool(s.claim.qualifier("aggregation") or s.claim.qualifier("count"))
