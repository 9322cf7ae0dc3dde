"""Saved races: the content of the file, and damaged or harmful files."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spina
from spina import replay, save_file, seal
from spina.games import get
from spina.games.charioteer.components.edition import parse, template


@pytest.fixture(autouse=True)
def own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPINA_DATA_DIR", str(tmp_path / "data"))


def finished(seed: int = 1) -> spina.Race:
    race = spina.new("charioteer", seats=2, seed=seed)
    bot = spina.bots.make("competent", game="charioteer", seed=1)
    while not race.over:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    return race


FINISHED = json.loads(msgspec.json.encode(finished().saved()))


def load(data: Any) -> spina.Race:
    return replay.replay(replay.parse(json.dumps(data).encode()))


def changed(**changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(FINISHED))
    for path, value in changes.items():
        *parents, last = path.split("__")
        place: Any = data
        for parent in parents:
            place = place[int(parent) if parent.isdigit() else parent]
        place[int(last) if last.isdigit() else last] = value
    return data


def test_a_long_seed_is_kept_as_text_and_gives_the_same_race(tmp_path: Path) -> None:
    seed = 2**200 + 12345
    race = finished(seed)
    race.save(tmp_path / "race.json")
    assert json.loads((tmp_path / "race.json").read_text())["race"]["origin"] == str(seed)
    again = spina.load(tmp_path / "race.json")
    assert (again.origin, again.hash()) == (seed, race.hash())
    assert spina.new("charioteer", seats=2, seed=seed).hash() != spina.new("charioteer", seats=2, seed=12345).hash()


@pytest.mark.parametrize("seed", [2**256, -1, True, 1.5, "7", pytest.param(10**5000, id="digits")])
def test_a_seed_has_at_most_256_bits(seed: Any) -> None:
    with pytest.raises(spina.OptionError, match=r"from 0 to 2\*\*256 - 1"):
        spina.new("charioteer", seats=2, seed=seed)


@pytest.mark.parametrize("origin", ["", "-1", "0x10", "9" * 79, "\u0661", str(2**256)])
def test_a_saved_seed_must_be_digits(origin: str) -> None:
    with pytest.raises(spina.SaveError, match="seed"):
        load(changed(race__origin=origin))


def test_a_finished_race_is_readable_text(tmp_path: Path) -> None:
    finished().save(tmp_path / "race.json")
    data = json.loads((tmp_path / "race.json").read_text())
    assert data["game"] == "charioteer" and data["over"] and data["race"]["origin"] == 1
    assert data["race"]["actions"][0][1].count(":") == 1
    assert load(data).over


def test_a_race_with_its_own_edition_carries_it(tmp_path: Path) -> None:
    text = template().replace("laps = { value = 3", "laps = { value = 1", 1)
    race = spina.new("charioteer", seats=2, seed=4, edition=parse(text, "short.toml"))
    bot = spina.bots.make("longest", game="charioteer", seed=1)
    while not race.over:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    race.save(tmp_path / "race.json")
    again = spina.load(tmp_path / "race.json")
    assert again.edition.hash == race.edition.hash != spina.new("charioteer").edition.hash
    assert again.hash() == race.hash()


def test_a_race_with_a_reference_that_has_changed_since_goes_on(tmp_path: Path) -> None:
    former = get("chariot-race").kept_edition("73b37c41c1700853b831d112dcb8cf7a", None)
    race = spina.new("chariot-race", seats=3, seed=4, edition=former, board="BB")
    for _ in range(40):
        race.play(race.to_act[0], race.legal(race.to_act[0])[0])
    data = json.loads(msgspec.json.encode(race.saved()))
    data["edition_text"] = None  # as it was written when this was the reference
    assert load(data).hash() == race.hash()


def test_a_race_from_a_position_is_saved_with_it(tmp_path: Path) -> None:
    race = spina.position("charioteer", {"chariots": [{"progress": 30}, {"progress": 31, "damage": 2}], "seed": 5})
    race.play(0, race.legal(0)[0])
    race.save(tmp_path / "race.json")
    assert spina.load(tmp_path / "race.json").hash() == race.hash()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (changed(spina=2), "format 2"),
        (changed(game="chess"), 'no game "chess"'),
        (changed(rules=99), "version 99 of the rules"),
        (changed(edition="00"), "edition 00"),
        (changed(seats=1), "2 to 6 seats"),
        (changed(seats=3), "not possible|otherwise"),
        (changed(race__origin=2), "not possible|otherwise"),
        (changed(race__origin=-1), "seed"),
        (changed(race__origin={"chariots": []}), "2 to 6 chariots"),
        (changed(options={"turbo": 1}), "turbo"),
        (changed(options={"seats": 3}), "set up"),
        (changed(race__actions__0__1="reset: a"), "otherwise|not possible"),
        (changed(race__actions__0__1="red-5 a b"), "action 1"),
        (changed(race__actions__0__0=9), "no seat 9"),
        (changed(race__actions=[]), "says that it is over"),
        (changed(over=False), "is over"),
        (changed(race__hashes__0__1="0" * 16), "otherwise"),
        (changed(race=None), "either"),
        (changed(sealed="AAAA"), "either"),
        (changed(edition_text="format = 1"), "cannot be set up"),
        (changed(surprise=1), "unknown field"),
        ([], "not a saved race"),
        ("race", "not a saved race"),
    ],
)
def test_what_is_wrong_with_a_saved_race_is_said(data: Any, says: str) -> None:
    with pytest.raises(spina.SaveError, match=says):
        load(data)


@pytest.mark.timeout(60)  # a parser that took more than linear time would need hours
@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"null", b"[" * 100_000, b'{"a":' * 50_000])
def test_what_is_not_a_saved_race_is_refused_at_once(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "race.json").write_bytes(data)
    with pytest.raises(spina.SaveError, match="not a saved race"):
        spina.load(tmp_path / "race.json")


def test_files_that_cannot_be_read_or_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(spina.SaveError, match=r"missing\.json"):
        spina.load(tmp_path / "missing.json")
    with pytest.raises(spina.SaveError, match="cannot be read"):
        spina.load(tmp_path)
    with pytest.raises(spina.SaveError, match="cannot be saved"):
        finished().save(tmp_path / "no such folder" / "race.json")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with open(tmp_path / "large.json", "wb") as file:
        file.truncate(save_file.LARGEST_FILE + 1)
    with pytest.raises(spina.SaveError, match="larger"):
        spina.load(tmp_path / "large.json")


# --- seals ----------------------------------------------------------------------------------------------------------


def test_a_seal_opens_with_its_key_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = seal.seal(b"the seed is 7")
    assert seal.open_seal(text) == b"the seed is 7"
    assert seal.seal(b"the seed is 7") != text
    key = tmp_path / "data" / "seal.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    monkeypatch.setenv("SPINA_DATA_DIR", str(tmp_path / "other"))
    with pytest.raises(spina.SaveError, match="key"):
        seal.open_seal(text)
    seal.seal(b"")
    with pytest.raises(spina.SaveError, match="another machine"):
        seal.open_seal(text)


@pytest.mark.parametrize("text", ["", "AAAA", "not base64!", "é"])
def test_a_damaged_seal_is_refused(text: str) -> None:
    seal.seal(b"x")
    with pytest.raises(spina.SaveError, match="damaged"):
        seal.open_seal(text)


def test_a_damaged_key_is_named(tmp_path: Path) -> None:
    seal.seal(b"x")
    (tmp_path / "data" / "seal.key").write_bytes(b"short")
    with pytest.raises(spina.SaveError, match="damaged"):
        seal.seal(b"x")


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("SPINA_DATA_DIR", str(tmp_path / "file" / "data"))
    with pytest.raises(spina.SaveError, match="key"):
        seal.seal(b"x")


# --- fuzzing --------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
QUICK = settings(deadline=5000, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(st.binary(max_size=400))
def test_no_bytes_break_the_loader(data: bytes) -> None:
    with pytest.raises(spina.SaveError):
        replay.replay(replay.parse(data))


@QUICK
@given(st.data())
def test_no_altered_file_breaks_the_loader(data: st.DataObject) -> None:
    altered = json.loads(json.dumps(FINISHED))
    place: Any = altered
    while isinstance(place, dict | list) and place:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else list(range(len(place)))))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    try:
        assert load(altered).over
    except spina.SaveError as error:
        assert str(error)


@QUICK
@given(JSON)
def test_no_position_breaks_the_builder(data: Any) -> None:
    with pytest.raises(spina.PositionError):
        spina.position("charioteer", data)


@QUICK
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "chariots": st.lists(
                st.fixed_dictionaries(
                    {},
                    optional={
                        "progress": st.integers(-5, 200),
                        "lane": st.integers(-1, 6),
                        "damage": st.integers(-1, 2000),
                        "attack": st.integers(-1, 4),
                        "skills": st.dictionaries(
                            st.sampled_from(["green", "red", "yellow", "black", "blue"]), st.integers(-1, 17)
                        ),
                        "hand": st.lists(st.sampled_from(["whip", "red-5 red-5 green-2", "red-9", ""]), max_size=9),
                        "tokens": st.lists(st.sampled_from(["+5 red", "shield", "nothing", "wild red"]), max_size=5),
                    },
                ),
                max_size=7,
            ),
            "turn": st.integers(-1, 20_000),
            "emperor": st.sampled_from(["sprint", "all", "disrupt", "sun"]),
            "crowd": st.lists(st.sampled_from(["whip", "red-5 red-5 green-2"]), max_size=4),
            "discards": st.lists(st.just("whip"), max_size=4),
            "spent_tokens": st.lists(st.sampled_from(["shield", "+5 red"]), max_size=9),
            "seed": st.integers(-1, 2**64),
        },
    )
)
def test_a_position_is_either_refused_by_field_or_can_be_raced(data: Any) -> None:
    try:
        race = spina.position("charioteer", data)
    except spina.PositionError as error:
        assert ":" in str(error)
        return
    chance = 0
    for _ in range(60):
        if race.over:
            break
        seat = race.to_act[0]
        legal = race.legal(seat)
        race.play(seat, legal[chance % len(legal)])
        chance += 7


@QUICK
@given(st.text(max_size=80))
def test_no_text_breaks_the_notation(text: str) -> None:
    race = spina.new("charioteer", seats=2, seed=1)
    before = race.hash()
    if race.check(0, text) is not None:
        with pytest.raises(spina.IllegalAction):
            race.play(0, text)
        assert race.hash() == before


@QUICK
@given(st.text(alphabet="redgnylowbackst0123456-:+, token wilddiscardh", max_size=60))
def test_nearly_right_notation_is_refused_or_played(text: str) -> None:
    race = spina.new("charioteer", seats=2, seed=1)
    why = race.check(0, text)
    assert why is None or why
