"""The commands: parse, call one library function, render what comes back."""
