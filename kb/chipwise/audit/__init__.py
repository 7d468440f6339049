"""Where sources contradict each other, themselves, or arithmetic."""
