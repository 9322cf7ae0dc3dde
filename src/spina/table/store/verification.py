"""Verification: replay every race of a database from its start and journal, and compare with the stored results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from spina.errors import SpinaError
from spina.games import get as get_game
from spina.games import names as game_names
from spina.race import Race
from spina.table.live import starts
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Table


class Finding(msgspec.Struct, frozen=True):
    """A problem with a race: its replay differs, or it cannot be replayed."""

    table: str
    kind: Literal["difference", "other-rules", "unknown-game"]
    """"difference": the replay differs. The others: this version of Spina cannot replay the race."""
    version: int
    """Version of the journal's entry where it shows; 0 if before the first."""
    text: str

    def __str__(self) -> str:
        where = f"table {self.table}" + (f", version {self.version}" if self.version else "")
        return f"{where}: {self.text}"


class Verified(msgspec.Struct):
    """The result of a verification."""

    races: int = 0
    """Number of races examined."""
    actions: int = 0
    """Number of actions replayed."""
    findings: list[Finding] = []
    """The first finding of each race with any."""

    @property
    def differences(self) -> list[Finding]:
        """The findings that are errors."""
        return [finding for finding in self.findings if finding.kind == "difference"]


class _Found(Exception):
    def __init__(self, text: str, version: int = 0, kind: str = "difference") -> None:
        super().__init__(text)
        self.text, self.version, self.kind = text, version, kind


def verify(store: Store, report: Callable[[Finding], object] = lambda _: None) -> Verified:
    """Replay every race, and `report` the first finding of each as soon as it is found.

    Blocks; a server may write to the database meanwhile.
    """
    verified = Verified()
    for table, journal in store.every_race():
        verified.races += 1
        try:
            verified.actions += _verify(table, journal)
        except _Found as found:
            kind: Literal["difference", "other-rules", "unknown-game"] = found.kind  # type: ignore[assignment]
            finding = Finding(table=table.id, kind=kind, version=found.version, text=found.text)
            verified.findings.append(finding)
            report(finding)
    return verified


def _verify(table: Table, journal: Sequence[Entry]) -> int:
    """Replay one race. Returns the number of its actions."""
    if starts.committed(table) != table.commitment:
        raise _Found("the seed, or the position that the race began from, is not the one that was committed to")
    race = _begin(table)
    actions = 0
    for number, entry in enumerate(journal, start=1):
        if entry.version != number:
            raise _Found(f"the journal goes on with version {entry.version}, and {number} is missing", number)
        race = _step(race, table, entry) or race
        actions += _redo(race, entry)
    if table.version != len(journal):
        raise _Found(f"the table is at version {table.version}, and its journal ends at {len(journal)}", len(journal))
    if table.status == "over":
        _check_end(race, table)
    return actions


def _begin(table: Table) -> Race:
    if table.game not in game_names():
        raise _Found(f"there is no game “{table.game}” here", kind="unknown-game")
    game = get_game(table.game)
    if not game.oldest_rules <= table.rules <= game.rules_version:
        raise _Found(
            f"it was played by version {table.rules} of the rules, this is version {game.rules_version}",
            kind="other-rules",
        )
    try:
        edition = game.kept_edition(table.edition, table.edition_text)
        if edition is not None:
            return starts.begin_with(table, edition)
    except SpinaError as error:
        raise _Found(f"it cannot be set up: {error}") from None
    if table.edition_text is None:
        # The reference edition of another version of Spina. Without its text the race cannot be checked.
        raise _Found(f"it was played with edition {table.edition}, which is not known here", kind="other-rules")
    raise _Found(f"its edition is not {table.edition}")


def _step(race: Race, table: Table, entry: Entry) -> Race | None:
    """The race at the position of a lesson's step; None if the entry is another, or has no position."""
    if entry.kind != "step":
        return None
    try:
        return starts.from_step(table, race.edition, entry.actions)
    except (SpinaError, msgspec.MsgspecError) as error:
        raise _Found(f"step {entry.actions[0]}: {error}", entry.version) from None


def _redo(race: Race, entry: Entry) -> int:
    actions = entry.actions if entry.kind == "play" else []
    if entry.kind in ("play", "retract") and entry.seat is None:
        raise _Found(f"it is not known who chose {', '.join(actions) or 'to take back'}", entry.version)
    try:
        for action in actions:
            race.play(entry.seat, action)  # type: ignore[arg-type]
        if entry.kind == "retract":
            race.retract(entry.seat)  # type: ignore[arg-type]
    except SpinaError as error:
        raise _Found(f"seat {entry.seat}: {error}", entry.version) from None
    except Exception as error:
        # An error in a game's rules is reported like any other, and the remaining races are still verified.
        raise _Found(f"seat {entry.seat}: {type(error).__name__}: {error}", entry.version) from error
    if entry.hash is not None and race.hash() != entry.hash:
        raise _Found(f"the race stands otherwise than it did: {race.hash()}, not {entry.hash}", entry.version)
    return len(actions)


def _check_end(race: Race, table: Table) -> None:
    if not race.over:
        raise _Found("the table says that the race is over, and it is not", table.version)
    if race.ranking != table.ranking:
        raise _Found(f"the ranking is {race.ranking}, not {table.ranking}", table.version)
