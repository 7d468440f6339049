"""`python -m chipwise` is the command."""

from importlib import import_module

import_module("chipwise_cli.main").run()
