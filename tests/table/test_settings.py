"""What people are asked for when they set a race up: the same options that the games know."""

from __future__ import annotations

from typing import Any

import pytest

from spina import bots
from spina.errors import EditionError, OptionError
from spina.games import find, names
from spina.games.game import Setting
from spina.table.http import forms
from spina.web.messages import messages

GAMES = names()


def value_of(setting: Setting, choice: Any) -> Any:
    return int(choice) if setting.kind == "number" else choice


@pytest.mark.parametrize("name", GAMES)
def test_settings_are_the_options_that_the_game_knows(name: str) -> None:
    game = find(name)
    edition = game.reference()
    assert {setting.name for setting in game.settings(edition)} == set(game.check_options(2, {}, edition))


@pytest.mark.parametrize("name", GAMES)
def test_defaults_are_what_the_game_takes_when_nobody_asks(name: str) -> None:
    game = find(name)
    edition = game.reference()
    for seats in (2, 3, 4):
        usual = game.check_options(seats, {}, edition)
        for setting in game.settings(edition):
            if setting.kind != "design" and (not setting.seats or seats in setting.seats):
                assert usual[setting.name] == setting.default, (seats, setting.name)


@pytest.mark.parametrize("name", GAMES)
def test_every_choice_that_is_offered_is_accepted(name: str) -> None:
    game = find(name)
    edition = game.reference()
    for setting in game.settings(edition):
        if setting.name in ("teams", "designs"):
            continue
        numbers = range(setting.low, setting.high + 1) if setting.kind == "number" else ()
        flags = (True, False) if setting.kind == "switch" else ()
        seats = setting.seats[0] if setting.seats else max(1, game.seat_counts[0] if setting.name != "chariots" else 1)
        for choice in (*setting.choices, *numbers, *flags):
            given = {setting.name: value_of(setting, choice)}
            if setting.name == "fantasy":
                given["points"] = 2
            assert game.check_options(seats, given, edition)[setting.name] == given[setting.name]


def test_two_chariots_each_are_for_two_or_three_seats_only() -> None:
    game = find("chariot-race")
    (pairs,) = [setting for setting in game.settings(game.reference()) if setting.name == "pairs"]
    for seats in game.seat_counts:
        if seats in pairs.seats:
            game.check_options(seats, {"pairs": True}, game.reference())
        else:
            with pytest.raises(OptionError, match="two chariots each"):
                game.check_options(seats, {"pairs": True}, game.reference())


@pytest.mark.parametrize("name", GAMES)
def test_every_setting_and_choice_has_its_words(name: str) -> None:
    game = find(name)
    for language in messages().languages:
        for setting in game.settings(game.reference()):
            if setting.kind == "design":
                continue
            ids = [f"setup.option.{setting.name}", f"setup.option.{setting.name}.hint"]
            if setting.name == "scenario":
                ids += [f"setup.scenario.{choice}" for choice in setting.choices]
            elif setting.kind == "choice" and setting.name != "teams":
                ids += [f"setup.choice.{setting.name}.{choice.lower()}" for choice in setting.choices]
            assert [id_ for id_ in ids if not messages().has(language, id_)] == []


@pytest.mark.parametrize("name", GAMES)
def test_bots_are_offered_as_they_exist_with_a_name_and_a_line(name: str) -> None:
    levels = forms.levels(find(name))
    assert set(levels) <= set(bots.names(name))
    for language in messages().languages:
        for level in levels:
            assert messages().has(language, f"bot.{level}") and messages().has(language, f"bot.{level}.line")
    assert len({messages().text("en", f"bot.{level}") for level in levels}) == len(levels)


def test_a_first_race_of_chariot_race_has_one_chariot_a_seat() -> None:
    """Three seats would drive two each by default."""
    defaults = {
        preset: {setting["name"]: setting["default"] for setting in forms.set_up("chariot-race", preset)["settings"]}
        for preset in ("bots", "first")
    }
    assert len(forms.set_up("chariot-race", "first")["seats"]) == 3
    assert defaults["bots"] == {**defaults["first"], "pairs": True}
    assert defaults["first"]["pairs"] is False


@pytest.mark.parametrize("preset", forms.PRESETS)
@pytest.mark.parametrize("name", GAMES)
def test_every_preset_can_be_raced(name: str, preset: str) -> None:
    data = forms.set_up(name, preset)
    low, high = data["seat_counts"]
    assert low <= len(data["seats"]) <= high
    assert all(seat["bot"] in data["bots"] for seat in data["seats"] if seat["kind"] == "bot")
    assert sum(seat["kind"] == "me" for seat in data["seats"]) <= 1
    assert data["clock"] in forms.CLOCKS and data["watching"] in forms.WATCHING


# --- the workshop of Chariotmaster ----------------------------------------------------------------------------------


def workshop() -> dict[str, Any]:
    data: dict[str, Any] = forms.set_up("chariotmaster", "bots")["setup_data"]
    return data


def test_ready_made_chariots_cost_what_the_workshop_says() -> None:
    game = find("chariotmaster")
    edition = game.reference()
    for ready in workshop()["ready_made"]:
        options = game.check_options(1, {"points": 9, "fantasy": True, "designs": [ready["name"]]}, edition)
        table = {key: value for key, value in ready.items() if key not in ("name", "cost")}
        assert options["designs"] == [table]
        assert game.points_of(edition, options) == [ready["cost"]]  # type: ignore[attr-defined]


def test_a_chariot_for_more_points_than_agreed_is_refused() -> None:
    game = find("chariotmaster")
    with pytest.raises(OptionError, match="designs, chariot 2: it costs 4 points"):
        game.check_options(2, {"points": 2, "fantasy": True, "designs": ["tribune", "champion"]}, game.reference())


def test_everything_in_the_workshop_has_a_name_in_both_languages() -> None:
    data = workshop()
    ids = [f"setup.item.{item['name']}" for item in data["items"]]
    ids += [f"setup.people.{race}" for race in data["races"]]
    ids += [f"setup.ready.{ready['name']}" for ready in data["ready_made"]]
    ids += [f"setup.category.{category}" for category in data["categories"]]
    for language in messages().languages:
        assert [id_ for id_ in ids if not messages().has(language, id_.replace(" ", "-"))] == []


def test_the_workshop_offers_the_laps_and_the_room_of_each_track() -> None:
    game = find("chariotmaster")
    for scenario in workshop()["scenarios"]:
        for laps in scenario["offered"]:
            game.check_options(2, {"scenario": scenario["name"], "laps": laps}, game.reference())
        with pytest.raises(OptionError, match="laps must be"):
            game.check_options(
                2, {"scenario": scenario["name"], "laps": max(scenario["offered"]) + 1}, game.reference()
            )
        game.check_options(scenario["most"], {"scenario": scenario["name"]}, game.reference())


# --- forms ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "to"),
    [
        ("/t/abc", "/t/abc"),
        (None, "/"),
        ("", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/a\r\nset-cookie: x=1", "/"),
        ("/" + "a" * 500, "/"),
    ],
)
def test_a_form_leads_to_pages_of_this_house_only(given: str | None, to: str) -> None:
    assert forms.where_next(given) == to


def test_problems_of_an_edition_have_their_lines() -> None:
    with pytest.raises(EditionError) as raised:
        find("charioteer").parse_edition('format = 1\ngame = "charioteer"\n', "edition")
    problems = forms.problems_of(raised.value)
    assert problems and all(isinstance(problem["line"], int) and problem["refusal"].code for problem in problems)
