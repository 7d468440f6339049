"""A knowledge base with the shipped facts, and documents that disagree and that try to become markup."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chipwise import Audit, KnowledgeBase, knowledge
from chipwise.building import building
from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.corpus import digests_folder, domain_folder, facts_folder
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL
from chipwise.results import Report

from ..documents import write
from ..fakes import install

EVIL_TITLE = "</title><script>alert(1)</script><b>Evil & co"
EVIL_NAME = "<img src=x onerror=alert(2)>.md"
DOCUMENTS = {
    EVIL_NAME: f"""---
title: "{EVIL_TITLE}"
publisher: "\\"><svg onload=alert(3)>"
url: "javascript:alert(4)"
---

# Notes </style><script>alert(5)</script>

The H200 has 96 GB of memory &lt;script&gt;alert(6)&lt;/script&gt;. "It's" <iframe src="https://evil.example/"></iframe> said.
""",
    "plain.md": """---
title: Plain notes
publisher: Example Press
url: https://example.com/plain
---

# Plain notes

The H200 has 141 GB of HBM3e memory. The memory bandwidth of the H200 is 4.8 TB/s.

The H100 SXM has 80 GB of memory. An H100 SXM reaches 989 TFLOPS of dense BF16.
""",
    "second.md": """# Second notes

The memory bandwidth of the H200 is 4.8 TB/s. The H200 has 150 GB of HBM3e memory.
""",
}
# of the shipped digests: prices, and what a step of the course rests on
DIGESTS = (
    "costnimbus-gpu-prices-2026.md",
    "cloud-gpu-list-prices-2026.md",
    "stas00-accelerators.md",
    "lockwood-h100.md",
)


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeFolder]:
    """The documents with the shipped domain and facts, indexed without a model. Not to be changed."""
    place = tmp_path_factory.mktemp("reporting")
    with pytest.MonkeyPatch.context() as patch:
        install(patch.setattr)
        patch.setattr(knowledge, "domain_folder", domain_folder)
        for module in (knowledge, building):
            patch.setattr(module, "facts_folder", facts_folder)
            patch.setattr(module, "digests_folder", digests_folder)
        base = KnowledgeFolder(place / "kb")
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, [*write(place / "documents", DOCUMENTS), *(digests_folder() / name for name in DIGESTS)])
        build(base)
        yield base


@pytest.fixture(scope="package")
def report(folder: KnowledgeFolder) -> Report:
    """The report on it, of three chips."""
    with KnowledgeBase(folder.folder) as kb:
        sure = kb.audit().surer_than(Audit.SURE_ENOUGH).findings
        finding = next(f for f in sure if f.verdict == "contradiction" and f.subject == "nvidia-h200")
        register = Path(folder.folder).parent / "register.toml"
        if not register.exists():
            kb.acknowledge(finding.fingerprint, "confirmed", "looked at <i>twice</i>", register)
        return kb.report("h100 sxm", "mi300x", "h200", register=register)


@pytest.fixture(scope="package")
def page(report: Report) -> str:
    """The page."""
    return KnowledgeBase.as_html(report)
