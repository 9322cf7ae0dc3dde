"""Where a table's race begins, if not at the start of its game: a position, or a moment of another race."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from spina.branches import follow
from spina.errors import OptionError, SaveError
from spina.games import find
from spina.games.editions import Edition
from spina.race import Race, position
from spina.race import start as start_race
from spina.save_file import Branch, read_seed, written_seed
from spina.table.live.commitment import commit
from spina.table.refusals import Refusal, say
from spina.table.store.records import Table
from spina.typed_data import ready

FORMAT = 1
LUCK_BITS = 64
"""Length of the seed of a position, and of what a branch deals anew."""


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """What is stored with a table: how to come to the position that its race begins from."""

    format: int
    origin: int | str | dict[str, Any]
    """The seed or the position of the first race, as in a race file."""
    branches: list[Branch] = []
    """Moments at which hidden information was dealt anew; after the last the table's race begins."""
    table: str | None = None
    """The table at which the race was branched off, if any, and the number of the moment in its replay."""
    moment: int | None = None

    @property
    def kind(self) -> Literal["position", "moment"]:
        return "moment" if self.branches else "position"


def read(data: dict[str, Any]) -> Start:
    """The stored data in their typed form. Raises SaveError for another format."""
    if data.get("format") != FORMAT:
        raise SaveError(say("table.start-format", found=repr(data.get("format"))[:40], known=FORMAT))
    try:
        return msgspec.convert(data, ready(Start))
    except msgspec.ValidationError as error:
        text = f"it cannot be read where the race begins: {error}"
        raise SaveError(say("table.start-unreadable").reworded(text)) from None


def fingerprint(data: dict[str, Any] | None) -> str | None:
    """SHA-256 of format, origin and branches as JSON with sorted keys and without spaces; None for no start."""
    if data is None:
        return None
    part = {name: data.get(name) for name in ("format", "origin", "branches")}
    return hashlib.sha256(msgspec.json.encode(part, order="sorted")).hexdigest()


def committed(table: Table) -> str:
    """The commitment that the table's seed, salt and start must have."""
    return commit(table.seed, table.salt, fingerprint(table.start))


def give(table: Table, race: Race, source: tuple[str, int] | None = None) -> None:
    """Let a new table begin where this race begins. `source`: the table and the moment it was branched off from."""
    table.rules, table.seats, table.options = race.rules, race.seats, race.options
    table.seed = luck(race)
    if race.branches or isinstance(race.origin, dict):
        origin = race.origin if isinstance(race.origin, dict) else written_seed(race.origin)
        table.start = msgspec.to_builtins(Start(FORMAT, origin, list(race.branches), *(source or ())))
    table.commitment = committed(table)


def placed(game: str, data: dict[str, Any], edition: Edition, places: Sequence[str]) -> Race:
    """A race from a position that somebody has sent, with new luck, for seats of these kinds.

    Raises OptionError for a table that others could join, since the host knows what is hidden in the position, and
    PositionError naming the field.
    """
    if "open" in places:
        raise OptionError(say("table.position-open", option="seats"))
    if "seed" in data:
        raise OptionError(say("table.position-seed", option="position"))
    race = position(game, {**data, "seed": secrets.randbits(LUCK_BITS)}, edition=edition)
    if race.over:
        raise OptionError(say("race.over"))
    if race.seats != len(places):
        raise OptionError(say("table.position-seats", option="seats", wanted=race.seats, count=len(places)))
    return race


def luck(race: Race) -> int:
    """The seed that decides what is still to come: that of the last branch, of the position, or of the race."""
    if race.branches:
        return race.branches[-1].seed
    return race.origin if isinstance(race.origin, int) else int(race.origin.get("seed", 0))


def source(table: Table) -> tuple[str, int] | None:
    """The table and the moment that a table's race was branched off from; None if it was not."""
    known = None if table.start is None else read(table.start)
    return None if known is None or known.table is None or known.moment is None else (known.table, known.moment)


def begin(table: Table) -> Race:
    """The race of a table at its start. Raises SpinaError when this version of Spina cannot race it."""
    game = find(table.game)
    if not game.oldest_rules <= table.rules <= game.rules_version:
        raise Refusal("other-rules", say("table.other-rules", rules=table.rules, known=game.rules_version))
    return begin_with(table, edition_of(table))


def edition_of(table: Table) -> Edition:
    """The edition of a table's race. Raises Refusal if it is not known."""
    edition = find(table.game).kept_edition(table.edition, table.edition_text)
    if edition is None:
        raise Refusal("other-rules", say("save.edition", edition=table.edition))
    return edition


def begin_with(table: Table, edition: Edition) -> Race:
    """The race of a table at its start, with this edition and the rules that it names. Raises SpinaError."""
    if table.start is None:
        return _from(table, table.seed, edition)
    known = read(table.start)
    race = follow(_from(table, known.origin, edition), known.branches)
    if (race.seats, race.options) != (table.seats, table.options):
        raise SaveError(say("table.start-seats", seats=race.seats))
    return race


def again(table: Table, edition: Edition) -> Race:
    """The race from the table's position or moment once more, with new luck. Raises SpinaError."""
    assert table.start is not None
    known, seed = read(table.start), secrets.randbits(LUCK_BITS)
    if not known.branches:
        assert isinstance(known.origin, dict)
        return _from(table, {**known.origin, "seed": seed}, edition)
    last = msgspec.structs.replace(known.branches[-1], seed=seed)
    return follow(_from(table, known.origin, edition), [*known.branches[:-1], last])


def from_step(table: Table, edition: Edition, actions: Sequence[str]) -> Race | None:
    """The race at the position that an entry for a step of a lesson holds; None if the step has none."""
    if len(actions) < 2:
        return None
    return position(table.game, msgspec.json.decode(actions[1]), edition=edition, rules=table.rules)


def _from(table: Table, origin: int | str | dict[str, Any], edition: Edition) -> Race:
    if isinstance(origin, dict):
        return position(table.game, origin, edition=edition, rules=table.rules)
    seed = read_seed(origin)
    return start_race(table.game, table.options, seats=table.seats, seed=seed, edition=edition, rules=table.rules)
