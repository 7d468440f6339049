"""A knowledge base as a page and as plots: what sources say beside each other, and where they disagree."""
