"""From sentences and table rows to typed claims."""
