"""SVG documents read back."""

from __future__ import annotations

import xml.etree.ElementTree as ET

NAMESPACE = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    """The root of an SVG document; anything that is not well-formed is an error."""
    assert svg.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<')
    return ET.fromstring(svg.partition("\n")[2])  # noqa: S314 (of our own making)
