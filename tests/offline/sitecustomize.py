"""Refuses network sockets in every Python process that starts with this folder on its path."""

import socket

_Socket = socket.socket


class NoNetwork(_Socket):
    """A socket of this machine's own kinds only."""

    def __init__(self, family=-1, *arguments, **named):
        if family in (-1, socket.AF_INET, socket.AF_INET6):
            raise AssertionError("chipwise makes no network call")
        super().__init__(family, *arguments, **named)


socket.socket = NoNetwork
