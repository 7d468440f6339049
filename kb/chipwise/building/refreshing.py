"""Builds a knowledge base where it is: in its folder, or on its server."""

from __future__ import annotations

from chipwise.building import building
from chipwise.building.building import BuildReport, Progress
from chipwise.knowledge import KnowledgeFolder


def build(base: KnowledgeFolder, progress: Progress = lambda *_: None, *, fresh: bool = False) -> BuildReport:
    """See `building.build`."""
    if base.shared:
        from chipwise.building.publishing import build_on_server  # noqa: PLC0415

        return build_on_server(base, progress, fresh=fresh)
    return building.build(base, progress, fresh=fresh)
