"""A knowledge base as a page and as plots: what sources say beside each other, and where they disagree.

gathering, charts, figures        the values of `model`; nothing there draws
page, findings, opening, plots    HTML without a script; `markup` makes elements, and text stays text
*svg, terminal                    plots in pixels, by what `drawing` has, and in characters
"""
