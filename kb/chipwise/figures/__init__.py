"""Figures and what follows from them: keys resolved to facts, and one network of equations."""
