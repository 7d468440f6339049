"""`chipwise report` and `chipwise plot`: what they write, and how they end."""

from __future__ import annotations

import shlex
import webbrowser
from pathlib import Path

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import ROOT, Chipwise
from .drawings import NAMESPACE, parsed


class TestReport:
    def test_it_writes_the_page_and_says_where(
        self, chipwise: Chipwise, folder: KnowledgeFolder, tmp_path: Path
    ) -> None:
        path = tmp_path / "new" / "report.html"
        result = chipwise("report", str(path), "--chips", "h100-sxm, mi300x", kb=folder)
        assert (result.exit_code, result.stdout) == (0, f"wrote {path}\n")
        text = path.read_text("utf-8")
        assert text.startswith("<!DOCTYPE html>\n<html")
        assert "H100 SXM, MI300X" in text
        assert [entry.name for entry in path.parent.iterdir()] == ["report.html"], "nothing is left beside it"

    def test_open_shows_the_file_in_a_browser(
        self, chipwise: Chipwise, folder: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shown: list[str] = []
        monkeypatch.setattr(webbrowser, "open", shown.append)
        monkeypatch.chdir(tmp_path)
        assert chipwise("report", "--open", "a page.html", kb=folder).exit_code == 0
        assert shown == [(tmp_path / "a page.html").as_uri()]

    def test_what_is_no_page_is_never_replaced(
        self, chipwise: Chipwise, folder: KnowledgeFolder, tmp_path: Path
    ) -> None:
        notes = tmp_path / "notes.md"
        notes.write_text("mine")
        result = chipwise("report", str(notes), kb=folder)
        assert result.exit_code == 2
        assert "does not end in .html or .htm" in result.stderr
        assert notes.read_text() == "mine"

    def test_an_unknown_chip_is_an_error_and_writes_nothing(
        self, chipwise: Chipwise, folder: KnowledgeFolder, tmp_path: Path
    ) -> None:
        path = tmp_path / "report.html"
        result = chipwise("report", str(path), "--chips", "h100,zorgon", kb=folder)
        assert result.exit_code == 2
        assert result.stderr.startswith("error: nothing is called 'zorgon'\nhelp: ")
        assert not path.exists()

    def test_a_place_that_cannot_be_written_is_an_error(
        self, chipwise: Chipwise, folder: KnowledgeFolder, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("")
        result = chipwise("report", str(tmp_path / "file" / "report.html"), kb=folder)
        assert result.exit_code == 2
        assert "can't be written" in result.stderr


class TestPlot:
    def test_a_pipe_gets_svg(self, chipwise: Chipwise, folder: KnowledgeFolder) -> None:
        result = chipwise("plot", "roofline", "h100 sxm", "mi300x", kb=folder)
        assert result.exit_code == 0
        root = parsed(result.stdout)
        assert root.tag == f"{NAMESPACE}svg"
        assert {"H100 SXM", "MI300X"} <= set(root.itertext())

    def test_text_draws_in_characters(self, chipwise: Chipwise, folder: KnowledgeFolder) -> None:
        result = chipwise("plot", "price-performance", "h100", "--text", kb=folder)
        assert result.exit_code == 0
        assert result.stdout.startswith("Peak compute in BF16, dense, by price\n")
        assert "A  H100 SXM\n" in result.stdout

    def test_a_file_is_written_whole(self, chipwise: Chipwise, folder: KnowledgeFolder, tmp_path: Path) -> None:
        path = tmp_path / "memory.svg"
        result = chipwise("plot", "memory capacity", "h200", "--out", str(path), kb=folder)
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"note: wrote {path}\n")
        words = " ".join(parsed(path.read_text("utf-8")).itertext())
        assert "NVIDIA H200" in words
        assert "96 GB" in words

    def test_a_file_of_another_kind_is_never_replaced(
        self, chipwise: Chipwise, folder: KnowledgeFolder, tmp_path: Path
    ) -> None:
        result = chipwise("plot", "roofline", "--out", str(tmp_path / "notes.md"), kb=folder)
        assert result.exit_code == 2
        assert "does not end in .svg" in result.stderr

    @pytest.mark.parametrize(
        ("word", "near"),
        [("rooflin", "roofline"), ("price-performence", "price-performance"), ("memory bandwith", "memory ")],
    )
    def test_what_is_no_plot_has_the_plots_and_metrics_that_come_near(
        self, chipwise: Chipwise, folder: KnowledgeFolder, word: str, near: str
    ) -> None:
        result = chipwise("plot", word, "h100", kb=folder)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"error: nothing is called {word!r}\nhelp: did you mean {near}")
        assert not any(word in result.stderr for word in ("H100", "ease of use"))  # a chip, and no number

    def test_nothing_to_draw_ends_with_one_and_says_why(self, chipwise: Chipwise, folder: KnowledgeFolder) -> None:
        result = chipwise("plot", "roofline", "v100", "--dtype", "fp8", kb=folder)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "nothing to draw: Roofline in FP8, dense" in result.stderr
        assert "dense FP8 peak not known" in result.stderr

    def test_the_same_plot_is_drawn_each_time(self, chipwise: Chipwise, folder: KnowledgeFolder) -> None:
        first, second = (chipwise("plot", "memory bandwidth", kb=folder).stdout for _ in range(2))
        assert first == second

    def test_the_transcript_of_the_page_is_what_it_draws(
        self, chipwise: Chipwise, folder: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = (ROOT / "docs" / "report.md").read_text("utf-8")
        command, _, shown = page.partition("```console\n$ chipwise ")[2].partition("```")[0].partition("\n")
        monkeypatch.setenv("COLUMNS", "80")
        drawn = chipwise(*shlex.split(command), kb=folder).stdout
        assert len(shown) > 1000
        assert drawn.startswith(shown.removesuffix("…\n"))
