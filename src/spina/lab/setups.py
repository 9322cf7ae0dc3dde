"""Set-ups: which races a study runs, by a label such as "field 4" or "field 6 BB".

The first word of a label says who drives and what is different:

- field: the same drivers in every seat;
- the name of a driver: one seat has it, the others are as in the field;
- any other word is a set-up of the game (`LabProfile.setups`), such as one where a seat never attacks.

Then come the number of seats and, in games with a variant (`LabProfile.variant`), its value. The odd seat of a set-up
is another one in every race.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spina.errors import OptionError
from spina.games import get
from spina.games.game import Game
from spina.games.studies.profile import SetupKind
from spina.games.studies.recording import Task

FIELD = "field"
COMPETENT = "competent"
SEATS = 4


def usual_driver(game: Game) -> str:
    """The driver of studies that name none: "competent", or the first that the game has."""
    return COMPETENT if COMPETENT in game.drivers else next(iter(game.drivers))


def usual_seats(game: Game) -> int:
    """The seats of measures and studies that name none."""
    return game.lab.usual_seats or (SEATS if SEATS in game.seat_counts else game.seat_counts[-1])


def label_of(game: Game, kind: str, seats: int, variant: str = "") -> str:
    """The label of a set-up; where the game has a variant and none is named, the set-up has its first value."""
    known = game.lab.variant
    if known and not variant and kind != FIELD:
        variant = known.studied[0]
    own = game.lab.setups.get(kind)
    return " ".join(filter(None, (kind, str(own.seats if own and own.seats else seats), variant)))


def make(
    game: str,
    label: str,
    races: int,
    seed: int,
    *,
    drivers: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    edition: str | None = None,
) -> Task:
    """The races of a set-up. `drivers`: those of the field, in turn over the seats. Raises OptionError."""
    found = get(game)
    what, seats, variant = _parts(label)
    drivers = tuple(drivers) or (usual_driver(found),)
    for name in drivers:
        if name not in found.drivers:
            raise OptionError(f'{found.title} has no driver "{name}": it has {", ".join(found.drivers)}')
    line_up = tuple(i % len(drivers) for i in range(seats))
    given: dict[str, Any] = dict(options or {})
    if variant:
        if found.lab.variant is None:
            raise OptionError(f'a set-up of {found.title} is a word and a number of seats, not "{label}"')
        given[found.lab.variant.option] = variant
    kind = found.lab.setups.get(what)
    if kind is None and what != FIELD:
        if what not in found.drivers:
            known = ", ".join((FIELD, *found.lab.setups, *found.drivers))
            raise OptionError(f'{found.title} has no driver and no set-up "{what}": it has {known}')
        drivers, line_up = (*drivers, what), (len(drivers), *line_up[1:])
    special = _special(found, kind, seats, given, edition) if kind else {}
    return Task(
        game, seats, seed, 0, races, drivers=drivers, line_up=line_up,
        options=tuple(sorted(given.items())), edition=edition, label=label, **special,
    )  # fmt: skip


def _special(game: Game, kind: SetupKind, seats: int, given: dict[str, Any], edition: str | None) -> dict[str, Any]:
    """The fields of a task that a set-up of the game sets; its options are put into `given`."""
    given.update({**kind.defaults, **given, **kind.options})
    fields: dict[str, Any] = {"opening": kind.opening}
    if kind.handicap:
        fields |= {"handicap": kind.handicap, "held": (0,)}
    if kind.varied:
        components = game.reference() if edition is None else game.parse_edition(edition, "the edition")
        fields["varied"] = kind.varied(components, seats, given)
    return fields


def words(game: Game, label: str) -> str:
    """A set-up as people call it."""
    what, seats, value = _parts(label)
    said = [f"{seats} seats"]
    if value and game.lab.variant:
        said.append(f"{game.lab.variant.option} {value}")
    if what != FIELD:
        kind = game.lab.setups.get(what)
        said.append(kind.words if kind else f"one {what} among them")
    return ", ".join(said)


def _parts(label: str) -> tuple[str, int, str]:
    """Kind, seats and variant. Raises OptionError."""
    what, _, rest = label.partition(" ")
    seats, _, variant = rest.partition(" ")
    if not seats.isdigit():
        raise OptionError(f'a set-up is a word and a number of seats, such as "field 4", not "{label}"')
    return what, int(seats), variant
