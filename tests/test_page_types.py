"""The types of the page scripts match what the server sends."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import spina
from spina.games import find
from spina.games.mapping_struct import MappingStruct
from spina.games.schemas import schemas_of
from spina.games.shared_view import SharedView

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "spina"
PROTOCOL = SOURCE / "web" / "static" / "js" / "protocol.d.ts"
GAMES = spina.game_names()


def test_the_generated_types_are_up_to_date() -> None:
    checked = subprocess.run(
        [sys.executable, "tools/page_types.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("game", GAMES)
def test_what_a_race_sends_fits_its_types(game: str) -> None:
    of, chance = find(game), random.Random(5)
    race = spina.new(game, seats=3, seed=5)
    for _ in range(150):
        if race.over:
            break
        seat = chance.choice(race.to_act)
        action = chance.choice(race.legal(seat))
        for sent, kind in ((race.view(seat), of.view_type), (race.offer(seat), of.offer_type)):
            assert isinstance(sent, kind)
            read = msgspec.json.decode(msgspec.json.encode(sent), type=kind)
            assert read == sent
        for event in race.play(seat, action):
            assert type(event) in of.event_types
            assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_event_has_a_type(game: str) -> None:
    of = find(game)
    decoded: set[type[Any]] = set()
    for kind in of.event_types:
        decoded.add(kind)
        assert kind.__doc__ and kind.__struct_config__.tag == kind.__name__
    assert len(decoded) == len(of.event_types) > 0


@pytest.mark.parametrize("game", GAMES)
def test_schemas_name_every_struct_once(game: str) -> None:
    found = schemas_of(find(game), "#/{name}")
    assert {"View", "Offer"} <= found.components.keys()
    assert not [name for name in found.components if "." in name], "two structs of a game have the same name"
    shared = set(SharedView.__struct_fields__)
    assert shared <= set(found.components["View"]["required"])
    assert found.components["View"]["properties"]["seat"]["description"]


@pytest.mark.parametrize("game", GAMES)
def test_the_places_of_a_page_fit_their_type(game: str) -> None:
    race = spina.new(game, seed=1)
    places = race.game.scene(race.edition, race.options).places
    read = msgspec.convert(json.loads(msgspec.json.encode(places)), type=race.game.places_type)
    assert read.keys() == places.keys()


class Inner(MappingStruct, kw_only=True):
    number: int


class Outer(MappingStruct, kw_only=True, rename={"with_": "with"}):
    inner: list[Inner]
    with_: str
    maybe: int | msgspec.UnsetType = msgspec.UNSET


def test_a_struct_reads_like_the_json_it_becomes() -> None:
    struct = Outer(inner=[Inner(number=3)], with_="x")
    plain = {"inner": [{"number": 3}], "with": "x"}
    assert struct == plain and plain == struct and struct != {**plain, "with": "y"}
    assert struct["inner"][0]["number"] == struct.inner[0].number == 3
    assert dict(struct) == {**struct} == plain and list(struct) == ["inner", "with"] and len(struct) == 2
    assert "maybe" not in struct and struct.get("maybe", 7) == 7 and "with_" not in struct and 3 not in struct
    assert struct.as_dict() == json.loads(msgspec.json.encode(struct)) == plain
    with pytest.raises(KeyError, match="maybe"):
        struct["maybe"]
    struct.maybe = 0
    assert struct["maybe"] == 0 and list(struct.values()) == [struct.inner, "x", 0]
    assert eval(repr(struct)) == struct


MOST_ANY = 20
"""Most lines of the page scripts that may use `any`."""


def test_the_page_scripts_hardly_say_any() -> None:
    said = re.compile(r"@(type|param|returns?|property|typedef|template)\b.*\bany\b")
    scripts = [*(SOURCE / "web/static/js").glob("*.js"), *SOURCE.glob("games/*/web/*.js")]
    found = [
        f"{path.name}: {line.strip()}"
        for path in scripts
        for line in path.read_text().splitlines()
        if said.search(line)
    ]
    assert len(scripts) > 50 and len(found) <= MOST_ANY, "\n".join(found)
    generated = [PROTOCOL, *SOURCE.glob("games/*/web/types.d.ts")]
    assert not [path for path in generated if re.search(r": .*\bany\b.*;$", path.read_text(), flags=re.MULTILINE)]
