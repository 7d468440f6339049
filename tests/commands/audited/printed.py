"""What the commands are to print of the findings in `samples`, and a register that has some of them."""

from __future__ import annotations

from pathlib import Path

from chipwise.audit.marks import Mark, entry_text

SHOWN = """\
CW101 H200 memory capacity disagrees: 141 GB against 144 GB
  --> note.md:12:18
12 | The H200 carries 141 GB of HBM3e.
   |                  ^^^^^^
  --> https://example.org/a b?x=[1]#y:5:31 (Example Press, 2024-11, digest#1)
 5 | The H200 is the same die with 144 GB of HBM3e.
   |                               ^^^^^^
144 / 141 = 1.021
  GiB against GB would be 1.074
   = high contradiction, 3f2a91c04bd1
help: same chip, same metric, both per GPU; no qualifier explains 3 GB

"""
SPREAD_SHOWN = """\
CW103 H200 price varies: $2.50 to $3.10
 --> digest.md:5:48 (comment)
5 | An hour of it costs $3.10.
  = low spread, aa00bb11cc22

"""
UNCHECKED = "not checked: statements\n"
SUMMARY = "1 contradiction, 1 spread in 12 sources: 841 claims, 312 pairs compared\n"
NOT_ASKED = {"source": "", "subject": "", "metric": "", "everything": False}


def acknowledge(path: Path, *fingerprints: str) -> None:
    path.write_text("\n".join(entry_text(Mark(f, "accepted", "we know", "2026-11-21")) for f in fingerprints))
