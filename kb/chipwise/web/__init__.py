"""The knowledge base in a browser on this machine: `pages` without a script, and the `server` that answers nobody else."""
