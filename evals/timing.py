"""Whole processes, timed from nothing to their end, with the peak of their memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

MEGABYTE = 1024  # of ru_maxrss, which Linux gives in KiB; it counts what is mapped from files, such as the weights
CHIPWISE = "from chipwise_cli.main import run; run()"  # what the installed script does
# an installed package has its bytecode; without this the checkout might be compiled at each start
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass
class Timed:
    """A command of `python`, with each round's seconds and peak memory in MB."""

    name: str
    arguments: list[str]
    accepted: tuple[int, ...] = (0,)  # exit codes
    python: str = sys.executable
    seconds: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Once, from nothing to the end of the process, which must succeed."""
        started = time.perf_counter()
        process = subprocess.Popen([self.python, *self.arguments], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        _, status, used = os.wait4(process.pid, 0)
        self.seconds.append(time.perf_counter() - started)
        self.peaks.append(used.ru_maxrss / MEGABYTE)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in self.accepted:
            sys.exit(f"{self.name} ended with exit code {process.returncode}")


def percentile(values: Sequence[float], share: int) -> float:
    """The value that `share` per cent of the values do not exceed, by the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]
