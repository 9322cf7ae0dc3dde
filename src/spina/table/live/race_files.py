"""Race files at the table: the journal that a race from a file would have had."""

from __future__ import annotations

import msgspec

from spina import replay
from spina.errors import SaveError, SpinaError
from spina.games.driver_names import CHARIOTEERS
from spina.race import Race
from spina.save_file import Saved
from spina.table.http.display_text import clean_name
from spina.table.refusals import say
from spina.table.store.records import Entry


def journal_of(saved: Saved) -> tuple[Race, list[Entry]]:
    """Replay a race from its file. Returns it with the journal that it would have had. Raises SaveError."""
    race, kept = replay.begin(saved)
    if kept.pending:
        raise SaveError(say("save.pending"))
    entries = [Entry(table="", version=1, kind="start", at=0.0)]
    replayed = replay.replaying(saved)
    next(replayed)
    for (seat, action), race in zip(kept.actions, replayed, strict=True):
        known = race.hash() if race.settled else None
        entries.append(
            Entry(table="", version=len(entries) + 1, kind="play", seat=seat, actions=[action], hash=known, at=0.0)
        )
    return race, [*entries, Entry(table="", version=len(entries) + 1, kind="over", at=0.0)]


def names_of(saved: Saved) -> list[str]:
    """The names in a race file; charioteers of Rome where there are none, or none that can be shown."""
    given = [] if saved.names is msgspec.UNSET else saved.names
    names = list(CHARIOTEERS[: saved.seats])
    for seat, name in enumerate(given[: saved.seats]):
        try:
            names[seat] = clean_name(name)
        except SpinaError:
            continue
    return names
