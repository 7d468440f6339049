"""A knowledge base with the shipped domain and facts, and the digests that the steps of the path, or some sums, rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from chipwise import corpus, knowledge
from chipwise.building import building
from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL

from ..conftest import ROOT
from ..fakes import install

DIGESTS = (
    "aiwiki-h200", "aws-capacity-blocks-pricing", "cloud-gpu-list-prices-2026", "computespec-cloud-gpu-pricing",
    "dgx-h100-supercluster", "google-tpu-pricing-gpuhunt", "google-tpu-v5p-docs", "google-tpu-v5p-training-docs",
    "llama-3-herd", "llm-foundry-benchmarks", "lockwood-b200", "lockwood-h100", "maxtext-accelerator-map",
    "maxtext-architecture-overview", "maxtext-tpu-v5p-performance", "megatron-lm-llama-fp8", "megatron-lm-readme",
    "mlperf-training-v5-0", "nvidia-mlperf-training-v5-0-blog", "runlocalai-b200-ramp",
    "scaling-book-applied-inference", "scaling-book-tpus", "stas00-accelerators", "stas00-accelerators-amd",
    "stas00-network-nvidia",
)  # fmt: skip


@contextmanager
def taught(
    folder: Path, documents: Sequence[str] = tuple(f"sources/{name}" for name in DIGESTS)
) -> Iterator[KnowledgeFolder]:
    """One with some documents of the corpus, built below `folder` with the fake encoder, for as long as it lasts."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch.setattr)
        patch.setattr(knowledge, "domain_folder", corpus.domain_folder)
        for module in (knowledge, building):
            patch.setattr(module, "facts_folder", corpus.facts_folder)
        base = KnowledgeFolder(folder / "kb")
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, [ROOT / "corpus" / f"{name}.md" for name in documents])
        build(base)
        yield base
