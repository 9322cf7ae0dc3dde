"""Observations, masks and menus: what every game's encoding must keep to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from adapter_helpers import GAMES, states

import spina
from spina.adapters.encodings import encoding_of
from spina.adapters.view_encoding import ViewEncoding, leaves, without_ready
from spina.games import find
from spina.kernel.record import Bytes

OTHER_OPTIONS: dict[str, dict[str, Any]] = {
    "charioteer": {"seats": 6},
    "chariot-race": {"seats": 3, "individual": True, "board": "AB"},
    "chariotmaster": {"seats": 2, "chariots": 2},
}


def bytes_of(race: spina.Race) -> Bytes:
    return race._bytes


@pytest.fixture(params=[(game, how) for game in GAMES for how in ("usual", "other", "generic")], ids="-".join)
def setting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[str, Any]]:
    """A game with options; "generic" takes its encoding away, so that the one from its view stands in."""
    game, how = request.param
    if how == "generic":
        monkeypatch.setattr(find(game), "encoding", None)
        assert isinstance(encoding_of(spina.new(game, seats=4, seed=0)), ViewEncoding)
    return game, OTHER_OPTIONS[game] if how == "other" else {"seats": 4}


@pytest.mark.slow
def test_an_observation_tells_nothing_that_its_seat_cannot_see(setting: tuple[str, dict[str, Any]]) -> None:
    game, options = setting
    encoding = encoding_of(spina.new(game, seed=0, **options))
    differing = 0

    def look(race: spina.Race) -> None:
        nonlocal differing
        for seat in range(race.seats):
            real = bytes_of(race)
            for seed in (1, 2):
                imagined = race.determinized_state(seat, seed)
                differing += bool((imagined != real).any())
                np.testing.assert_array_equal(encoding.observe(real, seat), encoding.observe(imagined, seat))
                np.testing.assert_array_equal(encoding.mask(real, seat), encoding.mask(imagined, seat))
                np.testing.assert_array_equal(encoding.menu(real, seat), encoding.menu(imagined, seat))

    states(game, 5, 20, look, **options)
    assert differing > 10


def test_an_observation_has_a_name_for_each_number_and_stays_within_bounds(
    setting: tuple[str, dict[str, Any]],
) -> None:
    game, options = setting
    encoding = encoding_of(spina.new(game, seed=0, **options))
    assert len(set(encoding.names)) == len(encoding.names) == encoding.size
    seen: list[Any] = []

    def look(race: spina.Race) -> None:
        for seat in range(race.seats):
            seen.append(encoding.observe(bytes_of(race), seat))
            menu = encoding.menu(bytes_of(race), seat)
            assert menu.shape == (encoding.actions, len(encoding.menu_names))
            assert np.isfinite(menu).all() and np.abs(menu).max(initial=0) <= 1

    states(game, 3, 10, look, **options)
    together = np.array(seen)
    assert together.dtype == np.float32 and together.shape[1:] == (encoding.size,)
    assert np.isfinite(together).all() and np.abs(together).max() <= 1
    assert len(np.unique(together, axis=0)) > len(seen) // 2, "most observations differ"


def test_masks_agree_with_what_race_calls_legal(setting: tuple[str, dict[str, Any]]) -> None:
    game, options = setting
    encoding = encoding_of(spina.new(game, seed=0, **options))

    def look(race: spina.Race) -> None:
        for seat in range(race.seats):
            data, listed = bytes_of(race), race.legal(seat)
            mask = encoding.mask(data, seat, room=1)
            assert mask.shape == (encoding.actions + 1,) and mask[-1] == 0
            indices = np.flatnonzero(mask).tolist()
            assert indices == encoding.indices(data, seat)
            codes = [encoding.code(data, seat, index) for index in indices]
            assert [race.game.action(race.edition, code) for code in codes if code is not None] == listed
            for index in (-1, encoding.actions, next(i for i in range(encoding.actions) if not mask[i])):
                assert encoding.code(data, seat, index) is None

    states(game, 7, 5, look, **options)


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_finds_itself_first_whichever_seat_it_is(game: str) -> None:
    race = spina.new(game, seats=4, seed=1)
    encoding = encoding_of(race)
    column = encoding.names.index("own: distance" if game == "chariot-race" else "own: progress")
    bot = spina.bots.make("random", game=game, seed=1)
    while race.turn < 6:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    key = "distance" if game == "chariot-race" else "progress"
    reached = [chariot[key] for chariot in race.view(None)["chariots"]]
    seen = [float(encoding.observe(bytes_of(race), seat)[column]) for seat in range(4)]
    assert len(set(reached)) > 1
    assert sorted(range(4), key=reached.__getitem__) == sorted(range(4), key=seen.__getitem__)


def test_charioteer_shows_the_hand_and_the_choice_being_made() -> None:
    race = spina.new("charioteer", seats=2, seed=4)
    encoding = encoding_of(race)
    hand = race.view(1)["hand"]
    named = dict(zip(encoding.names, encoding.observe(bytes_of(race), 1).tolist(), strict=True))
    assert all(named[f"hand {slot}: held"] == 1 for slot in hand)
    race.play(1, next(action for action in race.legal(1) if "no token" in str(action)))
    symbol = race.legal(1)[0]
    race.play(1, symbol)
    after = dict(zip(encoding.names, encoding.observe(bytes_of(race), 1).tolist(), strict=True))
    assert after[f"chosen symbol: {race.view(1)['choice']['symbol']}"] == 1
    assert named["stage: token"] == 1 and after["stage: token"] == 0


def test_the_menu_of_chariotmaster_says_where_moves_lead() -> None:
    race = spina.new("chariotmaster", seats=2, seed=4)
    encoding = encoding_of(race)
    for seat in (0, 1):
        race.play(seat, race.legal(seat)[-1])
    seat = race.to_act[0]
    menu = encoding.menu(bytes_of(race), seat)
    columns = {name: i for i, name in enumerate(encoding.menu_names)}
    moves = np.flatnonzero(menu[:, columns["kind: sub-move"]])
    assert len(moves) > 20
    mine = next(chariot["chariot"] for chariot in race.view(seat)["chariots"] if chariot["seat"] == seat)
    for index in moves[:: len(moves) // 8].tolist():
        after = race.copy()
        after.play(seat, race.legal(seat)[index])
        before, then = race.view(seat)["chariots"][mine], after.view(seat)["chariots"][mine]
        gained = (then["progress"] - before["progress"]) / 300
        assert menu[index, columns["way gained"]] == pytest.approx(gained, abs=0.06)
    assert (menu[len(race.legal(seat)) :] == 0).all()


def test_a_view_is_flattened_as_its_seat_counts_seats() -> None:
    view = {
        "first_seat": 2,
        "chariots": [{"seat": 0, "lane": "inner", "ready": True}, {"seat": 1, "lane": None}, {"seat": 2, "skill": [3]}],
    }
    assert dict(leaves(without_ready(view), 1, 3)) == {
        "first_seat": 1,
        "chariots.0.seat": 0,
        "chariots.1.seat": 1,
        "chariots.1.skill.0": 3,
        "chariots.2.seat": 2,
        "chariots.2.lane": "inner",
    }


def test_the_generic_encoding_is_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find("chariot-race"), "encoding", None)
    race = spina.new("chariot-race", seats=3, seed=2)
    one = encoding_of(race)
    monkeypatch.setattr("spina.adapters.view_encoding._schemas", {})
    other = encoding_of(race)
    assert one.names == other.names
    assert one.observe(bytes_of(race), 1).tolist() == other.observe(bytes_of(race), 1).tolist()
    assert "chariots.0.condition" in one.names
    assert any(name.startswith("stage = ") for name in one.names)
