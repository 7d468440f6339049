"""chipwise: answers about AI accelerators, cited, with the disagreements between sources shown."""

__version__ = "0.1.0"
