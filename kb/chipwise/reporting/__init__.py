"""A knowledge base as a page and as plots: what sources say beside each other, and where they disagree.

gathering   from an open base and its audit to the values of `model`; nothing there draws
page        the HTML page: no script, nothing fetched; `markup` makes elements, and text stays text
charts, said, matrix    what a plot shows; *svg draws it, `terminal` writes it in characters
rendering   the one way in: a page, a drawing, or characters
"""
