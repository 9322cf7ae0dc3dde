"""A builder of SVG: elements that escape what they hold, short numbers, path data.

Everything is drawn with presentation attributes, never with style sheets, so that a picture set into a page
changes nothing else on it and passes a strict content security policy; a page's own style sheet still wins.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

Value = str | int | float | None
Look = dict[str, Value]
"""Attributes that several elements share."""


def number(value: float) -> str:
    """A coordinate, rounded to a tenth of a unit and written as short as possible."""
    if not math.isfinite(value):
        raise ValueError(f"a coordinate must be finite, not {value}")
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """The text without characters that no XML document may hold, such as control characters."""
    return "".join(letter if _allowed(ord(letter)) else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _allowed(code: int) -> bool:
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


@dataclass(frozen=True, slots=True)
class Element:
    """One SVG element; `str()` gives its text, with everything escaped."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple[Element | str, ...]

    def __str__(self) -> str:
        parts: list[str] = []
        self._write(parts)
        return "".join(parts)

    def _write(self, parts: list[str]) -> None:
        parts.append(f"<{self.tag}")
        parts.extend(f' {name}="{escape(clean(value))}"' for name, value in self.attributes)
        if not self.children:
            parts.append("/>")
            return
        parts.append(">")
        for child in self.children:
            if isinstance(child, Element):
                child._write(parts)
            else:
                parts.append(escape(clean(child), quote=False))
        parts.append(f"</{self.tag}>")


def element(tag: str, *children: Element | str, **attributes: Value) -> Element:
    """An element. Underscores in its attributes become hyphens (`stroke_width`), a last one goes (`class_`).

    Attributes that are None are left out; numbers are shortened.
    """
    named = tuple(
        (name.removesuffix("_").replace("_", "-"), value if isinstance(value, str) else number(value))
        for name, value in attributes.items()
        if value is not None
    )
    return Element(tag, named, children)


def group(children: Iterable[Element], **attributes: Value) -> Element:
    """A `<g>` around the children."""
    return element("g", *children, **attributes)


def path(data: str, *children: Element, **attributes: Value) -> Element:
    """A `<path>` with this data."""
    return element("path", *children, d=data, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: Value) -> Element:
    """A `<rect>` with its upper left corner at (x, y)."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def at(x: float, y: float, turn: float = 0.0, scale: float = 1.0) -> str:
    """The transformation that brings what is drawn around (0, 0) to its place."""
    text = f"translate({number(x)} {number(y)})"
    if turn:
        text += f" rotate({number(turn)})"
    if scale != 1:
        text += f" scale({scale:.3g})"
    return text


def use(name: str, **attributes: Value) -> Element:
    """A copy of the definition with this name."""
    return element("use", href="#" + name, **attributes)


def polygon(points: Iterable[tuple[float, float]]) -> str:
    """Path data of the closed polygon through the points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def document(width: float, height: float, children: Iterable[Element], *, title: str, label: str, class_: str) -> str:
    """A whole picture: its title, its description for screen readers, and its parts."""
    svg = element(
        "svg",
        element("title", title),
        element("desc", label),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        class_=class_,
        role="img",
        aria_label=label,
    )
    return str(svg)
