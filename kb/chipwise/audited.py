"""A knowledge base that is held against itself and against documents, and drawn: audits, checks, reports, plots."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chipwise.managed import ManagedBase

if TYPE_CHECKING:
    from chipwise.audit.acknowledging import Acknowledged
    from chipwise.audit.codes import Codes
    from chipwise.audit.model import Audit
    from chipwise.reporting.model import Plot, Report

PLOT_WIDTH = 720  # pixels


class AuditedBase(ManagedBase):
    """What its documents contradict, and what that looks like."""

    def audit(
        self,
        *,
        source: str = "",
        subject: str = "",
        metric: str = "",
        everything: bool = False,
        register: Path | None = None,
    ) -> Audit:
        """Where the sources contradict each other or arithmetic, worst first; `everything` adds explained and compatible pairs.

        Findings are marked by the `register`, or by the shipped one and the one in the folder. Raises SourceUnknown.
        """
        from chipwise.audit.acknowledging import registers  # noqa: PLC0415
        from chipwise.audit.register import read_register  # noqa: PLC0415

        paths = registers(self._folder, register)
        known = read_register(*paths)
        from chipwise.audit.auditing import run_audit  # noqa: PLC0415

        asked = {"source": source, "subject": subject, "metric": metric}
        audit = run_audit(self._folder, **asked, everything=everything)
        # the shipped register is not the user's to mend
        unmatched = () if any(asked.values()) else read_register(paths[-1]).unmatched(audit.findings)
        return replace(audit.marked(known), unmatched=unmatched)

    def check(
        self,
        file: str | Path | None = None,
        *,
        text: str = "",
        register: Path | None = None,
        baseline: Path | None = None,
        lines: Collection[int] | None = None,
    ) -> Audit:
        """The judgement on each claim of a file or a text, and the findings that touch it; nothing of it is kept.

        What is in the `baseline` is marked so; with `lines`, only what stands on those is told. Raises
        SourceUnreadable, SettingsInvalid.
        """
        from chipwise.audit.acknowledging import registers  # noqa: PLC0415
        from chipwise.audit.baseline import read_baseline  # noqa: PLC0415
        from chipwise.audit.register import read_register  # noqa: PLC0415

        known = read_register(*registers(self._folder, register))
        before = None if baseline is None else read_baseline(baseline)
        from chipwise.audit.checking import run_check  # noqa: PLC0415

        read = (None, text) if file is None else (Path(file), None)
        audit = run_check(self._folder, *read, lines=lines).marked(known)
        return audit if before is None else before.apply(audit, partial=lines is not None)

    @staticmethod
    def write_baseline(path: Path, audit: Audit) -> int:
        """Notes what a check found as known, and tells how many findings the file has then. Raises SettingsInvalid, StorageFailed."""
        from chipwise.audit.baseline import write_baseline  # noqa: PLC0415

        return write_baseline(path, audit)

    def acknowledge(self, fingerprint: str, status: str, reason: str, register: Path | None = None) -> Acknowledged:
        """Marks a finding as looked at. Raises SourceUnknown, QuestionInvalid, DomainInvalid."""
        from chipwise.audit.acknowledging import acknowledge  # noqa: PLC0415

        return acknowledge(self._folder, fingerprint, status, reason, register)

    @staticmethod
    def codes() -> Codes:
        """What each code of a finding means."""
        from chipwise.audit.codes import read_codes  # noqa: PLC0415

        return read_codes()

    @staticmethod
    def documents_in(*paths: str | Path) -> list[Path]:
        """Files as they are, and for each folder all below it that can be checked. Raises SourceUnreadable."""
        from chipwise.reading import STRUCTURED, find_files  # noqa: PLC0415

        return [file for path in paths for file in find_files(Path(path), STRUCTURED)]

    @staticmethod
    def is_document(path: str | Path) -> bool:
        """Whether a file's name says that it can be checked."""
        from chipwise.reading import READABLE, STRUCTURED  # noqa: PLC0415

        return Path(path).suffix.lower() in READABLE | STRUCTURED

    def report(self, *chips: str, register: Path | None = None) -> Report:
        """Findings, matrix and plots as one page, with charts of `chips` or of those that most sources speak of. Raises NameUnknown."""
        from chipwise.corpus import shipped_documents  # noqa: PLC0415
        from chipwise.reporting.gathering import gather  # noqa: PLC0415

        index = self._index
        added = {document.id for document in self._folder.read_contents().documents}
        own = frozenset(path.stem for path in shipped_documents()) - added
        return gather(index, self.audit(register=register), self.codes(), own, chips)

    def plot(self, what: str, *names: str, dtype: str = "") -> Plot:
        """A plot of "roofline" or "price-performance" of chips, or of the figures of a metric by source.

        Raises NameUnknown, and QuestionInvalid for a metric without figures.
        """
        from chipwise.reporting import gathering  # noqa: PLC0415

        index = self._index
        if what in gathering.CHARTS:
            return gathering.draw_chart(index, what, names, dtype)
        metric = gathering.metric_named(index.names, what)
        return gathering.draw_strips(index, metric, names, lambda: self.audit(metric=metric))

    @staticmethod
    def as_html(report: Report) -> str:
        """A report as one page that needs nothing from elsewhere and runs no script."""
        from chipwise.reporting.page import page  # noqa: PLC0415

        return page(report)

    @staticmethod
    def as_svg(plot: Plot, width: int = PLOT_WIDTH) -> str:
        """A plot as an SVG document, so many pixels wide."""
        from chipwise.reporting.rendering import as_svg  # noqa: PLC0415

        return as_svg(plot, width)

    @staticmethod
    def as_text(plot: Plot, width: int = 100) -> str:
        """A plot drawn in characters, so many columns wide."""
        from chipwise.reporting.rendering import as_text  # noqa: PLC0415

        return as_text(plot, width)

    @staticmethod
    def save(made: Report | Plot, path: str | Path, width: int = PLOT_WIDTH) -> None:
        """Puts a report as a page, or a plot as SVG, into a file, in place of what is there. Raises StorageFailed."""
        from chipwise.reporting.rendering import save  # noqa: PLC0415

        save(made, Path(path), width)
