"""Menus that skip sweeps where clearances suffice list the same as menus that sweep everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spina
from spina.games.chariotmaster.rules import menu
from spina.games.chariotmaster.rules.clearance import Clearance
from spina.games.chariotmaster.rules.record import ASK_NAMES, EDITION, RACE
from spina.games.chariotmaster.rules.track import FAR
from spina.kernel.record import fields, look

MENU = 512
SETTINGS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (4, {"scenario": "trial"}),
    (6, {"fantasy": True, "points": 4}),
    (12, {"scenario": "maximus"}),
    (8, {"must_leave": True}),
]


def no_clearance(race: Any, edition: Any, piece: Any, pose: Any, about: Any) -> Clearance:
    """A clearance that is never enough, so that the sweeps decide."""
    return Clearance(-FAR, -FAR, -FAR, 0, -FAR)


def every_run(race: Any, edition: Any, chariot: int, way: int, out: Any, count: int) -> int:
    """Ways through something low, each length tried."""
    if menu.bits_of_low(race, edition):
        for mm in range(10, menu.distance_left(race, edition, chariot) // menu.MM + 1, 10):
            if menu.can_run_through(race, edition, chariot, way, mm):
                count = menu.add(out, count, menu.DO_RUN + way * menu.LONGEST + mm)
    return count


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), SETTINGS)
def test_clearances_change_no_menu(seats: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    batch = spina.batch("chariotmaster", 8, seats, seed=seats, menus=False, threads=1, **options)
    monkeypatch.setattr(menu, "clearance_at", no_clearance)
    monkeypatch.setattr(menu, "list_runs", every_run)
    asked: dict[str, int] = {}
    for step in range(400):
        batch.step(batch.random_actions())
        i = step % 8
        state, count = batch._arrays.races[i].copy(), int(batch._arrays.counts[i, 0])
        question = ASK_NAMES[int(look(state, RACE).ask)]
        if count < 6 or asked.get(question, 0) >= 12:
            continue
        asked[question] = asked.get(question, 0) + 1
        out = np.zeros(MENU, np.int64)
        race, edition = fields(state, RACE), fields(batch.edition.data, EDITION)
        assert menu.list_answers(race, edition, int(batch.seat[i]), out) == count
        assert out[:count].tolist() == batch._arrays.codes[i, 0, :count].tolist()
    assert asked.get("drive", 0) >= 8 and asked.get("sub-move", 0) >= 3
