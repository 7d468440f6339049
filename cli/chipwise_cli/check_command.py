"""`chipwise check`, also of no more than what git says has changed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from chipwise import Audit, KnowledgeBase
from chipwise.errors import SettingsInvalid, SourceUnreadable
from chipwise.text import counted, one_line
from chipwise_cli.audit_output import (
    baseline_option,
    chosen_format,
    file_option,
    least_confidence,
    min_confidence_option,
    output_options,
    report_remarks,
    require_writable,
    show,
    write_sarif,
)
from chipwise_cli.display import complain, knowledge_base, remark, standard_input, working

STDIN_LIMIT = 64_000_000  # characters; `add` takes files of that many bytes
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.M)
_QUIET = ("--no-color", "--no-ext-diff", "--no-textconv")


@click.command(epilog="Example: chipwise check draft.md")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--all", "everything", is_flag=True, help="List unsure findings too, and every claim with its verdict.")
@click.option("--claims", is_flag=True, help="List the claims that were read, without verdicts.")
@baseline_option
@click.option("--write-baseline", is_flag=True, help="Write the findings to the baseline file, and exit with 0.")
@click.option("--changed-since", metavar="REV", default="", help="Check only what changed since this git revision.")
@click.option("--against", metavar="FILE", multiple=True, help="Check against this result file or folder only.")
@min_confidence_option
@file_option("--sarif", "Also write SARIF to this file.")
@output_options
def command(
    files: tuple[str, ...],
    everything: bool,
    claims: bool,
    baseline: Path | None,
    write_baseline: bool,
    changed_since: str,
    against: tuple[str, ...],
    min_confidence: float,
    sarif: Path | None,
    most: int | None,
    register: Path | None,
    form: str,
    as_json: bool,
    kb: str | None,
) -> None:
    """Check each claim in a document against the knowledge base.

    FILE is a document (Markdown, text, HTML, PDF, DOCX); data or code (CSV, JSON, YAML, TOML), whose cells and constants
    are read as claims; a folder of such files; or - for standard input. Nothing is stored. Exit code 1 means that a claim
    contradicts the knowledge base, the document itself, or arithmetic, and is not in the baseline. With --against, result files take the place of the knowledge base.

    <!-- chipwise: ignore CW701: why --> in a document suppresses that code on its own line, or in the paragraph below it.
    """
    form = chosen_format(form, as_json)
    _refuse(files, baseline, write_baseline=write_baseline, changed_since=changed_since)
    require_writable(sarif, baseline if write_baseline else None)
    if claims:
        from chipwise_cli.lookup_commands import claims as list_claims  # noqa: PLC0415

        for file in files:  # a file without claims exits with 1, as the last
            with suppress(*([click.exceptions.Exit] if file != files[-1] else [])):
                click.get_current_context().invoke(list_claims, source=file, as_json=form == "json", kb=kb)
        return
    changes = _changes_since(changed_since) if changed_since else None
    base = knowledge_base(kb)
    named = files or tuple(str(file) for file in (changes.files() if changes else ()) if base.is_document(file))
    known = None if write_baseline and baseline and not baseline.exists() else baseline
    options = {"register": register, "baseline": known, "against": base.documents_in(*against)}
    audits, refused = _checked(base, named, changes, **options)
    if not audits and refused and form not in ("json", "sarif"):  # a program reads a value here, too
        click.get_current_context().exit(2)
    audit = Audit.merged(audits).surer_than(least_confidence(min_confidence, everything=everything))
    report_remarks(audit)
    if write_baseline and baseline:
        count = base.write_baseline(baseline, audit)
        remark(f"{baseline} has {counted(count, 'finding')} now")
    show(base, audit, form, checking=True, everything=everything, most=most)
    if sarif:
        write_sarif(base, audit, sarif)
    if refused or (audit.contradicts and not write_baseline):
        click.get_current_context().exit(2 if refused else 1)


def _refuse(files: tuple[str, ...], baseline: Path | None, *, write_baseline: bool, changed_since: str) -> None:
    """Raises UsageError for options that cannot go together."""
    if not files and not changed_since:
        raise click.UsageError("Missing argument 'FILE...'.")
    if write_baseline and not baseline:
        raise click.UsageError("--write-baseline needs --baseline FILE, or `baseline` in chipwise.toml")
    if write_baseline and changed_since:
        raise click.UsageError("--write-baseline records whole documents: leave out --changed-since")
    if "-" in files and changed_since:
        raise click.UsageError("git does not track standard input: leave out --changed-since")


def _checked(
    base: KnowledgeBase, names: tuple[str, ...], changes: _Changes | None, **options: Any
) -> tuple[list[Audit], bool]:
    """The checks of all documents that could be read, and whether one that was named could not be.

    What is found below a folder, or by git, may be no document: that is remarked, and no failure.
    """
    audits: list[Audit] = []
    refused = False
    for at, name in enumerate(dict.fromkeys(names), start=1):
        named = not Path(name).is_dir()
        try:
            found = [name] if named else [str(file) for file in base.documents_in(name)]
        except SourceUnreadable as error:
            found, refused = [], True
            complain(str(error), error.hint)
        for number, file in enumerate(found, start=1):
            counted_off = f"{number} of {len(found)}" if len(found) > 1 else f"{at} of {len(names)}"
            try:
                with working(f"checking {one_line(file)}, {counted_off}"):
                    audits += _check(base, file, changes, **options)
            except SourceUnreadable as error:
                refused |= named
                complain(str(error), error.hint) if named else remark(f"left out {file}: {error}")
    return audits, refused


def _check(base: KnowledgeBase, file: str, changes: _Changes | None, **options: Any) -> list[Audit]:
    """The check of one document, or none where nothing in it has changed. Raises SourceUnreadable."""
    if file == "-":
        text = standard_input().read(STDIN_LIMIT + 1)
        if len(text) > STDIN_LIMIT:
            raise SourceUnreadable(f"standard input has over {STDIN_LIMIT:,} characters", hint="check a part of it")
        return [base.check(text=text, **options)]
    lines = None if changes is None else changes.lines(Path(file))
    return [] if lines is not None and not lines else [base.check(file, lines=lines, **options)]


@dataclass(frozen=True, slots=True)
class _Changes:
    """The state of files against a commit: where HEAD and the commit named parted, as in a review."""

    commit: str

    def lines(self, file: Path) -> frozenset[int] | None:
        """The lines of a file that are new or other than before; all are (None) where git does not have it, empty where none is.

        Where lines were only taken out, the two around them count.
        """
        if _git("ls-files", "--error-unmatch", "--", file.name, folder=file.parent) is None:
            return None
        diff = _git("diff", "-U0", *_QUIET, self.commit, "--", file.name, folder=file.parent)
        if diff is None or "\nBinary files " in diff:
            return None
        found: set[int] = set()
        for hunk in _HUNK.finditer(diff):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found.update(range(first, first + count) if count else (first, first + 1))
        return frozenset(found)

    def files(self) -> list[Path]:
        """All files below the current folder that have changed or that git does not have yet, less what it ignores."""
        ways = (
            ("diff", "--name-only", "-z", "--relative", "--diff-filter=d", *_QUIET, self.commit),
            ("ls-files", "-z", "--others", "--exclude-standard"),
        )
        names = (name for way in ways for name in (_git(*way) or "").split("\0"))
        return sorted(Path(name) for name in dict.fromkeys(names) if name)


def _changes_since(revision: str) -> _Changes:
    """List the lines that changed since a commit, branch or tag. Raises SettingsInvalid outside of a repository, or for what is no revision."""
    if _git("rev-parse", "--git-dir") is None:
        raise SettingsInvalid("this folder is not in a git repository", hint="--changed-since asks git what changed")
    commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        hint = "name a commit, branch or tag that was fetched; a shallow clone has few"
        raise SettingsInvalid(f"git has no commit {revision!r}", hint=hint)
    # what others did on that branch since is not this document's change; a shallow clone may not know where they parted
    base = _git("merge-base", commit.strip(), "HEAD")
    return _Changes((base or commit).strip())


def _git(*arguments: str, folder: Path | None = None) -> str | None:
    """Return the output of a git command, or None if it fails. Raises SettingsInvalid where there is no git."""
    command: Sequence[str] = ("git", "-c", "core.quotePath=off", *arguments)
    try:
        done = subprocess.run(command, capture_output=True, cwd=folder or None, check=False)
    except FileNotFoundError:
        raise SettingsInvalid("git cannot be started", hint="install git, or leave --changed-since out") from None
    except NotADirectoryError:
        return None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None
