"""A course on the trade-offs of accelerators: predict, look, and see why.

The steps are data (`corpus/learn/*.toml`). Each figure is looked up in the facts table or calculated from it
whenever a step is shown, and so is the right option: neither code nor data repeats a figure.
"""
