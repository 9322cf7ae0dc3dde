"""The figures of the rules pages are up to date, say what happened, and show every kind of move."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import spina
from spina.games import find, get
from spina.games.chariotmaster.play import events as told
from spina.games.chariotmaster.rules.event_kinds import ADJUSTMENTS, ATTACKS, DEFENCES, MOVES
from spina.games.chariotmaster.rules.record import TABLE_NAMES
from spina.games.rule_figures import LIST, Figure, Scene, read
from spina.table.http.rules_pages import SECTIONS, section
from spina.table.http.shown_figures import figures, figures_at
from spina.web.messages import messages

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import rule_figures as tool

GAMES = [name for name in spina.game_names() if find(name).web.has(LIST)]
every_game = pytest.mark.parametrize("game", GAMES)
REFERENCE = {
    "Every decision in order",
    "Races",
    "Options of a race",
    "How Spina writes actions",
    "Tracks from the command line",
    "Where Spina departs from the letter",
    "Versions of these rules",
}
"""Sections of Chariotmaster's rules whose tables are looked up, not pictured."""


def listed(game: str) -> list[Figure]:
    path = get(game).web.path(LIST)
    assert path is not None
    return read(path)


def scenes(game: str) -> dict[str, Scene]:
    played = {figure.id: tool.scene(game, figure) for figure in listed(game)}
    return {id_: scene for id_, scene in played.items() if scene is not None}


def test_the_files_are_up_to_date() -> None:
    assert tool.stale() == [], "run python tools/rule_figures.py"


@every_game
def test_every_figure_has_its_texts_and_its_places(game: str) -> None:
    ids = [figure.id for figure in listed(game)]
    wanted = {f"rules.{game}.figure.{id_}{end}" for id_ in ids for end in ("", ".alt")}
    for language in ("en", "es"):
        assert set(messages().areas(language)[f"{game}.figures"]) == wanted
        assert list(figures(language, game)) == ids
    text = get(game).web.rules_text() or ""
    assert sorted(re.findall(r"\(figures/([a-z0-9-]+)\.svg\)", text)) == sorted(ids)
    entries = {f"{name}.{entry.key}" for name in SECTIONS for entry in section("en", game, name)}
    assert figures_at("en", game).keys() <= entries


def numbers_in(value: Any) -> set[str]:
    """Every number that an event or a view holds, as texts may write it."""
    if isinstance(value, bool | None):
        return set()
    if isinstance(value, int | float):
        return {f"{abs(value):g}"}
    if isinstance(value, str):
        return set(re.findall(r"\d+", value))
    if isinstance(value, dict):
        return {found for each in value.values() for found in numbers_in(each)}
    if isinstance(value, list | tuple):
        return {found for each in value for found in numbers_in(each)}
    return {found for name in value.__struct_fields__ for found in numbers_in(getattr(value, name))}


@every_game
def test_numbers_in_captions_are_those_of_the_scene(game: str) -> None:
    """A number is of an event or of the position, or part of the rule itself: a point, a natural face, a hit."""
    rule = {"1"}
    for figure in listed(game):
        scene = tool.scene(game, figure)
        if scene is None:
            continue
        kinds = Counter(type(event).__name__ for event in scene.events)  # such as points lost, one event each
        facts = rule | numbers_in(list(scene.events)) | numbers_in(figure.position) | numbers_in(dict(kinds))
        for language in ("en", "es"):
            caption = messages().text(language, f"rules.{game}.figure.{figure.id}")
            assert set(re.findall(r"\d+", caption)) <= facts, f"{game} {figure.id}: {caption}"


@every_game
def test_a_figure_is_small_and_needs_nothing_else(game: str) -> None:
    for shown in figures("en", game):
        path = get(game).web.path(f"figures/{shown}.svg")
        assert path is not None and path.stat().st_size < 40_000
        text = path.read_text()
        assert "<script" not in text and "<style" not in text and "http" not in text.replace("http://www.w3.org/", "")


def test_chariotmaster_shows_every_kind_of_move() -> None:
    played = scenes("chariotmaster")
    happened = [event for scene in played.values() for event in scene.events]

    def kinds(type_: type, field: str) -> set[str]:
        return {getattr(event, field) for event in happened if isinstance(event, type_)}

    assert kinds(told.Moved, "how") == set(MOVES)
    assert kinds(told.Attacked, "how") == set(ATTACKS)
    assert kinds(told.Defended, "how") == set(DEFENCES)
    assert kinds(told.Changed, "how") == set(ADJUSTMENTS)
    assert {type(event).__name__ for event in happened} >= {
        *("TurnedRound", "Pivoted", "Skids", "Collided", "RanThrough", "Aligned", "Bounced", "Duelled", "Bitten"),
        *("Climbed", "Grabbed", "Fell", "CutFree", "Crashed", "Entangled", "Hurled", "CutLoose", "Crossed"),
    }


def test_chariotmaster_shows_every_table() -> None:
    charts = {figure.chart for figure in listed("chariotmaster")}
    assert {f"out of {table}" for table in TABLE_NAMES} <= charts
    text = get("chariotmaster").web.rules_text() or ""
    for part in re.split(r"^#{2,3} ", text, flags=re.MULTILINE)[1:]:
        heading = part.splitlines()[0]
        if "\n|---" in part and heading not in REFERENCE:
            assert "](figures/" in part, f"{heading}: a table without a figure"


def test_chariot_race_shows_every_kind_of_move() -> None:
    happened = {type(event).__name__ for scene in scenes("chariot-race").values() for event in scene.events}
    assert happened >= {
        *("Repaired", "Rolled", "Blessed", "Sped", "Stepped", "Cornered", "Rammed", "PutBack", "Spiked", "Wrecked"),
        *("JavelinThrown", "CaltropDropped", "Line"),
    }


def test_charioteer_shows_every_kind_of_move() -> None:
    events = [event for scene in scenes("charioteer").values() for event in scene.events]
    own = [event for event in events if getattr(event, "seat", 0) == 0]
    assert {type(event).__name__ for event in own} >= {
        *("Revealed", "Counted", "Attacked", "Recovered", "Calmed", "Passed", "Whipped", "Learned"),
    }
    colours = {event.symbol.split("-")[0] for event in own if type(event).__name__ == "Revealed" and event.symbol}
    assert colours >= {"green", "red", "yellow", "black"}
