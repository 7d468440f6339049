"""Look-ups by name or number, without a question: facts, comparisons, what a number could be, and the claims of a document."""
