"""What is computed from figures: the shapes of language models, and what they need."""
