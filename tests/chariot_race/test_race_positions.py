"""Positions of Chariot Race: contradictions are named by their field."""

from __future__ import annotations

import re
from typing import Any

import pytest

import spina

TWO: list[dict[str, Any]] = [{"space": "m3"}, {"space": "o3"}]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"chariots": TWO, "options": {"pairs": True}}, "options.pairs: 2 chariots for 2 seats are not pairs"),
        (
            {"chariots": [{"space": f"m{n}"} for n in range(1, 5)], "seats": 2, "options": {"pairs": False}},
            "options.pairs: 4 chariots for 2 seats are pairs",
        ),
        (
            {"chariots": [{**c, "kind": "light"} for c in TWO], "options": {"individual": True}},
            "chariots[1].kind: there is only one light chariot",
        ),
    ],
)
def test_contradictions_are_named(data: dict[str, Any], says: str) -> None:
    with pytest.raises(spina.PositionError, match=re.escape(says)):
        spina.position("chariot-race", data)


def test_a_position_can_have_pairs_and_individual_chariots() -> None:
    kinds = ["heavy", "lucky", "steady", "light"]
    chariots = [{"space": f"m{n + 1}", "kind": kind} for n, kind in enumerate(kinds)]
    race = spina.position("chariot-race", {"chariots": chariots, "seats": 2, "options": {"individual": True}})
    view = race.view(None)
    assert [c["seat"] for c in view["chariots"]] == [0, 1, 0, 1]
    assert [c["kind"] for c in view["chariots"]] == kinds
