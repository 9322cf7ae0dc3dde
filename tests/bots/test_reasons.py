"""The reasons that bots give: amounts in the units of the race's edition, in words that are true of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import spina
from spina.bots import network_weights, reasons
from spina.bots.network_weights import Network
from spina.games import get
from spina.games.editions import Edition
from spina.games.feature import Feature
from spina.race import Race
from spina.table.bots import worker

GAMES = ("charioteer", "chariot-race", "chariotmaster")


def longer_charioteer() -> Edition:
    """Laps of 100 spaces instead of 76, four of them, and a skills track that is three spaces longer."""
    text = get("charioteer").editions.template()
    for old, new in (
        ("laps = { value = 3,", "laps = { value = 4,"),
        ("spaces = { value = 76,", "spaces = { value = 100,"),
        ('"24 x regular"', '"48 x regular"'),
        ("values = [1, 1, 1, 1, 1, 1, 1, 1]", "values = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return get("charioteer").parse_edition(text, "longer.toml")


def longer_chariot_race() -> Edition:
    """Three laps instead of two."""
    text = get("chariot-race").editions.template()
    assert text.count("laps = { value = 2,") == 1
    return get("chariot-race").parse_edition(text.replace("laps = { value = 2,", "laps = { value = 3,"), "longer.toml")


def standing(race: Race, seat: int = 0) -> list[float]:
    out = np.zeros(32)
    race.game.measure_features(race.determinized_state(None, 0), race.edition.data, seat, out)
    return out[: len(race.game.features)].tolist()


def difference(better: Race, worse: Race, name: str) -> float:
    """By how much a figure differs, in the unit of its words."""
    figures = better.game.features_in(better.edition)
    place = [figure.name for figure in figures].index(name)
    return abs(standing(better)[place] - standing(worse)[place]) * figures[place].unit


def charioteer(edition: Edition | None, **chariot: Any) -> Race:
    return spina.position("charioteer", {"chariots": [chariot, {}]}, edition=edition)


@pytest.mark.parametrize("edition", [None, longer_charioteer()], ids=["reference", "longer"])
def test_reasons_of_charioteer_count_the_spaces_and_places_of_the_edition(edition: Edition | None) -> None:
    further, behind = charioteer(edition, progress=40), charioteer(edition, progress=33)
    assert difference(further, behind, "to go") == pytest.approx(7)
    assert difference(further, behind, "behind first") == pytest.approx(0)
    skills = {"green": 3, "red": 2, "yellow": 1, "black": 0}
    for colour in skills:
        trained = charioteer(edition, skills={**skills, colour: skills[colour] + 5})
        assert difference(trained, charioteer(edition, skills=skills), colour) == pytest.approx(5)


@pytest.mark.parametrize("edition", [None, longer_chariot_race()], ids=["reference", "longer"])
def test_reasons_of_chariot_race_count_the_spaces_of_the_edition(edition: Edition | None) -> None:
    def at(space: str) -> Race:
        chariots = [{"space": space}, {"space": "o2"}]
        return spina.position("chariot-race", {"chariots": chariots}, edition=edition)

    assert difference(at("m13"), at("m6"), "to go") == pytest.approx(7)


def test_a_bot_says_how_many_spaces_of_its_own_edition_a_choice_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = longer_charioteer()
    further, behind = charioteer(edition, progress=40), charioteer(edition, progress=33)
    only_way = Network(1, np.array([-1.0] + [0.0] * 12 + [10.0]))  # less to go is better, and nothing else counts
    monkeypatch.setattr(network_weights, "load", lambda game: only_way)
    search = spina.bots.Search(further.game, iterations=1)
    step = further.legal(0)[0]
    candidates = [spina.bots.Candidate(step, 1, (0.5, 0.5), tuple(standing(race))) for race in (further, behind)]
    said = search._reason(further, candidates)
    assert said is not None and said.words == "gets 7 spaces further"


def test_a_hint_counts_the_spaces_of_its_own_edition() -> None:
    hand = ["green-2 green-2 red-1", "green-2 green-2 red-3", "green-2 green-2 red-5", "red-1 red-1 red-3"]
    race = charioteer(longer_charioteer(), hand=hand, progress=85)
    far, near = "green-2: a b c", "red-1: a d"
    gained = []
    for action in (far, near):
        trial = race.copy()
        trial.play(0, action)
        trial.play(1, "reset: a")
        gained.append(trial.view(0)["chariots"][0]["progress"] - 85)
    against, found = worker.telling(race, 0, far, [near])
    spaces = next(reason for reason in found if reason.code == "spaces")
    assert against == near and spaces.good
    assert (spaces.values["n"], spaces.values["by"]) == (gained[0], gained[0] - gained[1])


def test_fan_tokens_are_counted_as_they_are_held_not_as_they_are_won() -> None:
    """A choice that wins one is two ahead of a choice that spends one: nobody wins two in a turn (C11)."""
    hand = ["green-2 green-2 red-1", "green-2 green-2 red-3", "green-2 green-2 red-5", "red-1 red-1 red-3"]
    race = charioteer(None, hand=hand, tokens=["+3 green"], progress=20)
    after = {}
    for action in ("green-2: a b c", "red-1: a d", "green-2: a b, token +3"):
        trial = race.copy()
        trial.play(0, action)
        trial.play(1, "reset: a")
        after[action] = trial
    winning, neither, spending = after.values()
    assert difference(winning, neither, "fans") == pytest.approx(1)
    assert difference(winning, spending, "fans") == pytest.approx(2)
    figure = next(figure for figure in race.game.features if figure.name == "fans")
    assert "win" not in figure.more and "ends the turn with {n}" in figure.more


def test_cubes_of_the_coming_turn_are_no_reason_because_no_choice_changes_them() -> None:
    race = spina.new("charioteer", seats=2, seed=3)
    figure = next(figure for figure in race.game.features if figure.name == "attack")
    assert not figure.more and not figure.less


def said(figure: Feature, way: str, amount: float) -> str:
    return reasons._words(getattr(figure, way), amount)


@pytest.mark.parametrize("game", GAMES)
def test_one_is_singular_and_every_other_number_plural(game: str) -> None:
    for figure in get(game).features:
        for way in ("more", "less"):
            words = getattr(figure, way)
            many = re.search(r"\{n\} (?:player |fan )?(\w+s)\b", words)
            if many is None:
                continue
            plural, singular = many[1], many[1].removesuffix("s")
            for amount, number, noun in (
                (1.0, "1", singular), (0.96, "1", singular), (1.04, "1", singular),
                (0.5, "0.5", plural), (1.1, "1.1", plural), (2.1, "2.1", plural), (3.1, "3", plural),
                (11.0, "11", plural), (21.0, "21", plural),
            ):  # fmt: skip
                assert re.search(rf" {re.escape(number)} (player |fan )?{noun}\b", said(figure, way, amount)), said(
                    figure, way, amount
                )
