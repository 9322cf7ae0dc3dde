"""A picture of a race taken apart: what stands still, and the pieces that move, each with its pose."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree import ElementTree

SVG = "http://www.w3.org/2000/svg"
PIECE = re.compile(r"(chariot|piece)-\d+")
"""Ids of pieces in the pictures of all games."""
_NUMBER = r"(-?[\d.]+)"
_POSE = re.compile(rf"translate\({_NUMBER} {_NUMBER}\)(?: rotate\({_NUMBER}\))?(?: scale\({_NUMBER}\))?")
_TURN = re.compile(rf"rotate\({_NUMBER}\)")
REACH = 52.0
"""How far the drawing of a piece reaches from its middle, in units of the picture."""
ElementTree.register_namespace("", SVG)


class Pose(NamedTuple):
    """Where a piece stands, how far it is turned clockwise, in degrees, and how large it is drawn."""

    x: float
    y: float
    turn: float = 0.0
    scale: float = 1.0

    def towards(self, other: Pose, share: float) -> Pose:
        """A pose on the straight way to another one, turning the shorter way round."""
        turned = (other.turn - self.turn + 180) % 360 - 180
        return Pose(
            self.x + (other.x - self.x) * share,
            self.y + (other.y - self.y) * share,
            self.turn + turned * share,
            self.scale + (other.scale - self.scale) * share,
        )


class RacePicture:
    """The picture of a race as SVG, in parts."""

    def __init__(self, svg: str) -> None:
        self.whole = svg
        self._root = ElementTree.fromstring(svg)
        _, _, self.width, self.height = map(float, self._root.attrib["viewBox"].split())
        self._pieces: dict[str, ElementTree.Element] = {}
        self.poses: dict[str, Pose] = {}
        for parent in list(self._root.iter()):
            for child in list(parent):
                name = child.get("id", "")
                found = _POSE.match(child.get("transform", ""))
                if PIECE.fullmatch(name) and found:
                    x, y, turn, scale = found.groups()
                    self.poses[name] = Pose(float(x), float(y), float(turn or 0), float(scale or 1))
                    self._pieces[name] = child
                    parent.remove(child)
        self.still = ElementTree.tostring(self._root, "unicode")
        """The picture without its pieces."""
        self._definitions = list(self._root.iter(f"{{{SVG}}}defs"))

    def sprite(self, name: str, pose: Pose) -> str:
        """One piece in this pose as SVG, in a square of twice `REACH` around it."""
        side = 2 * REACH
        box = f"{pose.x - REACH:.2f} {pose.y - REACH:.2f} {side:.2f} {side:.2f}"
        picture = ElementTree.Element(f"{{{SVG}}}svg", {"viewBox": box})
        picture.extend(self._definitions)
        piece = copy.deepcopy(self._pieces[name])
        piece.set(
            "transform",
            f"translate({pose.x:.2f} {pose.y:.2f}) rotate({pose.turn:.2f}) scale({pose.scale:.3f})",
        )
        turned = pose.turn - self.poses[name].turn
        for text in piece.iter(f"{{{SVG}}}text"):  # letters stay upright
            upright = text.get("transform", "")
            found = _TURN.search(upright)
            turn = f"rotate({(float(found[1]) if found else 0.0) - turned:.2f})"
            text.set("transform", _TURN.sub(turn, upright) if found else f"{upright} {turn}")
        picture.append(piece)
        return ElementTree.tostring(picture, "unicode")

    def moved(self, poses: Mapping[str, Pose]) -> list[str]:
        """The pieces that stand elsewhere than in these poses."""
        return [name for name, pose in self.poses.items() if name in poses and poses[name] != pose]
