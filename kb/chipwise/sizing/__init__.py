"""Sizing: what a language model takes in memory, what a training run or a service takes in chips, time and money.

`requests` reads what is asked, `memory`, `training` and `serving` make a worksheet of it, which all commands print.
"""
