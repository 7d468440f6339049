"""What a question takes for granted and the facts contradict: "H800 NVLink at 160 GB/s, typo in the paper?"."""

from __future__ import annotations

from chipwise.domain.model import Domain
from chipwise.index.store import Store
from chipwise.types import Finding

_AGAINST_FACTS, _SURE = "CW7", 0.7  # the codes and the confidence of what is told
_COUNTS = ("count", "number", "time")  # dimensions in which a question gives its own circumstances


def contradicted(question: str, domain: Domain, store: Store) -> tuple[Finding, ...]:
    """The surest findings on the figures of a question, held against the facts of the products that it names.

    Most questions state no figure: they are not read as documents are, which takes longer than the answer.
    """
    named = {i for m in domain.find_entities(question) for i in m.ids if domain.is_specific(i)}
    if not named or all(q.dimension in _COUNTS for q in domain.unit_table.find(question)):
        return ()
    from chipwise.audit.auditing import audit_documents  # noqa: PLC0415
    from chipwise.audit.sifting import turned  # noqa: PLC0415
    from chipwise.reading import read_bytes  # noqa: PLC0415

    document = read_bytes(question.encode(), name="question.md", origin="-")
    facts = store.facts(i for i in domain.entities if any(domain.are_kin(i, n) for n in named))
    audit = audit_documents([document], domain, facts).surer_than(_SURE)
    told = (f for f in audit.findings if f.code.startswith(_AGAINST_FACTS) and f.verdict == "contradiction")
    return tuple(turned(f, document.info.id) for f in told)
