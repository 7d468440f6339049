"""Completion in PowerShell, which click does not know: imported by its script's calls and by `completion`."""

from __future__ import annotations

import os

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

_SCRIPT = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $ast, $at)
    $env:COMP_WORDS = $ast.ToString(); $env:COMP_CWORD = $word; $env:%(complete_var)s = "powershell_complete"
    %(prog_name)s | ForEach-Object {
        $value, $told = $_ -split "`t", 2
        [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $(if ($told) { $told } else { $value }))
    }
    $env:COMP_WORDS = $env:COMP_CWORD = $env:%(complete_var)s = ""
}
"""


@add_completion_class
class PowerShell(ShellComplete):
    """Words of the line in COMP_WORDS, the one that is being typed in COMP_CWORD."""

    name = "powershell"
    source_template = _SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is completed, and that one."""
        incomplete = os.environ.get("COMP_CWORD", "")
        words = os.environ.get("COMP_WORDS", "").split()[1:]
        return words[:-1] if incomplete and words[-1:] == [incomplete] else words, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """One line: the value, and what is told of it."""
        return f"{item.value}\t{item.help or ''}"
