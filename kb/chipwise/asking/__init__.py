"""A question into a cited answer, or into a refusal: reading the question, facts that answer it outright, else passages."""
