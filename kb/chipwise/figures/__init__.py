"""Figures and what follows from them: which facts fill a key, how two relate, and one network of equations."""
