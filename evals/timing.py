"""Whole processes, timed from nothing to their end, with what they took of the processor and the peak of their memory.

python evals/timing.py COMMAND [ARGUMENT…]      prints [seconds, seconds of the processor, peak in KiB, exit code]
"""

from __future__ import annotations

import json
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
    """A command of `python`, with each round's seconds, those that it worked, and peak memory in MB.

    On a machine with other work to do the seconds grow several times, those of the processor by a fifth.
    """

    name: str
    arguments: list[str]
    accepted: tuple[int, ...] = (0,)  # exit codes
    python: str = sys.executable
    seconds: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Once, from nothing to the end of the process, which must succeed."""
        # subtle: to Linux, what a parent had in memory is the peak of its child too, so that a small one starts it
        command = [sys.executable, "-S", "-E", __file__, self.python, *self.arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, env=ENVIRONMENT, check=True)
        seconds, worked, peak, code = json.loads(done.stdout)
        self.seconds.append(seconds)
        self.worked.append(worked)
        self.peaks.append(peak / MEGABYTE)
        if code not in self.accepted:
            sys.exit(f"{self.name} ended with exit code {code}")


def percentile(values: Sequence[float], share: int) -> float:
    """The value that `share` per cent of the values do not exceed, by the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


def main() -> None:
    started = time.perf_counter()
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    print(json.dumps([seconds, used.ru_utime + used.ru_stime, used.ru_maxrss, process.returncode]))


if __name__ == "__main__":
    main()
