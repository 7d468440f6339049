"""A path through the trade-offs of accelerators: predict, look, and see why.

The steps are data (`corpus/learn/*.toml`). Their figures are looked up in the facts table and worked out from
there whenever they are told, and so is which of the options is right: nothing here or there repeats a figure.
"""
