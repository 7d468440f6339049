"""What is known, looked up by name: facts, comparisons like for like, what a number could be, the claims of a document."""
