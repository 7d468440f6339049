"""evals/ is a folder of scripts that import each other by name; here it is on the path for its own tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "evals"))
