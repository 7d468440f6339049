"""The tools that agents call: typed results (`models`), one function a tool (`tools`), and the protocol (`server`)."""
