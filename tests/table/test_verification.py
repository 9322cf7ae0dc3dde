"""`verify` plays every race of a database again, and finds whatever does not come out as it was kept."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from sqlalchemy import Connection, text

import spina
from spina.games import get
from spina.table.live.commitment import commit
from spina.table.live.starts import begin, edition_of
from spina.table.refusals import Refusal
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Table
from spina.table.store.verification import Finding, Verified, verify


def race_at(store: Store, id: str, game: str = "charioteer", *, most: int = 10_000, **values: Any) -> Table:
    """A race of random choices, some taken back, written to the journal as the table would."""
    seed, salt = sum(map(ord, id)) * 2**50, f"{len(id):032x}"
    edition = get(game).kept_edition(values["edition"], None) if "edition" in values else None
    race = spina.new(game, seats=3, seed=seed, edition=edition)
    dice = random.Random(seed)
    entries = [Entry(table=id, version=1, kind="start", at=1.0, hash=race.hash())]

    def note(**entry: Any) -> None:
        entries.append(Entry(table=id, version=len(entries) + 1, at=1.0, **entry))

    while not race.over and len(entries) < most:
        seat = dice.choice(race.to_act)
        actions: list[str] = []
        while seat in race.to_act and not race.over and len(actions) < 3:
            action = dice.choice(race.legal(seat))
            race.play(seat, action)
            actions.append(str(action))
        note(kind="play", seat=seat, actions=actions, hash=race.hash() if dice.random() < 0.7 else None)
        if dice.random() < 0.3:
            try:
                race.retract(seat)
            except spina.IllegalAction:
                continue
            note(kind="retract", seat=seat)
    if race.over:
        note(kind="over")
    given: dict[str, Any] = {
        "game": game,
        "rules": get(game).rules_version,
        "seats": 3,
        "options": race.options,
        "edition": race.edition.hash,
        "seed": seed,
        "salt": salt,
        "commitment": commit(seed, salt),
        "host": "gaius",
        "created": 1.0,
        "status": "over" if race.over else "running",
        "ranking": race.ranking if race.over else None,
    }
    table = Table(id=id, **{**given, **values})
    asyncio.run(store.add_table(table, []))
    asyncio.run(store.record(id, entries))
    return table


def change(store: Store, statement: str, **values: Any) -> None:
    """Tamper with the database."""

    def work(connection: Connection) -> None:
        assert connection.execute(text(statement), values).rowcount == 1

    asyncio.run(store._writer.write(work))


@pytest.mark.slow
def test_races_that_are_as_they_were_are_verified(store: Store) -> None:
    for game in spina.game_names():
        race_at(store, f"finished {game}", game)
        race_at(store, f"running {game}", game, most=20)
    reported: list[Finding] = []
    verified = verify(store, reported.append)
    assert reported == []
    assert verified.races == 6
    assert verified.actions > 200
    assert verified.findings == []
    assert any(entry.kind == "retract" for _, journal in store.every_race() for entry in journal)


def test_an_empty_database_is_in_order(store: Store) -> None:
    assert verify(store) == Verified()


def test_the_first_difference_of_each_race_is_reported_and_the_rest_goes_on(store: Store) -> None:
    for id in ("a", "b", "c"):
        race_at(store, id, most=30)
    hashed = [entry.version for entry in asyncio.run(store.journal("b")) if entry.hash and entry.version > 5]
    for version in hashed[:2]:
        change(store, "UPDATE journal SET hash = 'dead' WHERE table_id = 'b' AND version = :version", version=version)
    change(store, "UPDATE journal SET actions = '[\"fly\"]' WHERE table_id = 'c' AND version = 2")
    reported: list[Finding] = []
    verified = verify(store, reported.append)
    assert [(finding.table, finding.version) for finding in reported] == [("b", hashed[0]), ("c", 2)]
    assert verified.races == 3
    assert verified.findings == verified.differences == reported
    assert "not dead" in str(reported[0])
    assert str(reported[1]).startswith("table c, version 2: seat ")


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE tables SET seed = '8'", "committed"),
        ("UPDATE tables SET salt = 'ff'", "committed"),
        ("UPDATE tables SET ranking = '[[2],[1],[0],[3]]'", "the ranking is"),
        ("UPDATE tables SET ranking = NULL", "the ranking is"),
        ("UPDATE tables SET version = version + 1", "its journal ends at"),
        ("DELETE FROM journal WHERE version = 4", "4 is missing"),
        ("UPDATE journal SET seat = NULL WHERE version = 2", "who chose"),
        ("UPDATE journal SET seat = 9 WHERE version = 2", "no seat 9"),
        ("UPDATE tables SET seats = 99", "cannot be set up"),
        ("UPDATE tables SET options = '{\"wings\": true}'", "cannot be set up"),
        ("UPDATE tables SET edition_text = 'nonsense'", "cannot be set up"),
    ],
)
def test_whatever_is_changed_is_found(store: Store, statement: str, says: str) -> None:
    race_at(store, "roma")
    change(store, statement)
    (finding,) = verify(store).findings
    assert says in finding.text
    assert finding.kind == "difference"


def test_a_race_that_is_said_to_be_over_must_be(store: Store) -> None:
    race_at(store, "roma", most=10, status="over")
    (finding,) = verify(store).findings
    assert "is over, and it is not" in finding.text


def test_races_with_a_former_reference_are_verified(store: Store) -> None:
    former = "73b37c41c1700853b831d112dcb8cf7a"
    table = race_at(store, "roma", "chariot-race", edition=former)
    assert table.edition_text is None
    assert verify(store).findings == []
    assert begin(table).edition.hash == edition_of(table).hash == former


def test_a_table_with_an_unknown_edition_is_refused(store: Store) -> None:
    table = race_at(store, "roma", most=5, edition="ffff")
    for needs_it in (begin, edition_of):
        with pytest.raises(Refusal, match="edition ffff, which is not known here"):
            needs_it(table)


def test_races_that_cannot_be_played_here_are_named_and_are_no_differences(store: Store) -> None:
    race_at(store, "a", most=10, rules=99)
    race_at(store, "b", most=10, game="charioteer")
    change(store, "UPDATE tables SET game = 'senet' WHERE id = 'b'")
    race_at(store, "c", most=10, edition="ffff")
    race_at(store, "d", most=10)
    verified = verify(store)
    assert [(finding.table, finding.kind) for finding in verified.findings] == [
        ("a", "other-rules"),
        ("b", "unknown-game"),
        ("c", "other-rules"),
    ]
    assert "version 99 of the rules" in str(verified.findings[0])
    assert "senet" in str(verified.findings[1])
    assert verified.differences == []
    assert verified.races == 4


def test_a_commitment_is_the_hash_of_seed_and_salt() -> None:
    # sha256sum of "7:5a17", so that anybody can check it with tools of their own
    assert commit(7, "5a17") == "dd9a3a1a411400b8f85649592ddd10fd2143e5abaf0e945f1217ea7ded2fe89f"
    assert commit(7, "5a17") != commit(71, "5a7")
