"""What the database keeps, as plain records. The store writes and reads them; nobody else knows a column's name."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Status = Literal["open", "running", "over", "left"]
"""Of a table: waiting for people, racing, raced to the end, or given up before it."""
Watching = Literal["all", "link", "none"]
"""Who may watch: anybody, listed on the home page; whoever has the link; nobody."""
Kind = Literal["person", "screen", "bot", "open"]
"""Of a seat: a person on a device of their own, a person on the same screen as others, a bot, nobody yet."""


class Visitor(msgspec.Struct, kw_only=True):
    """Somebody who has opened a page. The token in the cookie is kept as its hash only."""

    id: str
    token_hash: str
    name: str
    colour: int
    """A faction that is liked, 0 to 5."""
    language: str | None = None
    created: float
    seen: float


class Table(msgspec.Struct, kw_only=True):
    """A table and the race on it."""

    id: str
    game: str
    rules: int
    """Version of the game's rules that the race is played by."""
    seats: int
    options: dict[str, Any]
    edition: str
    """Hash of the edition."""
    edition_text: str | None = None
    """The edition itself, unless it is the reference."""
    seed: int
    """Secret until the race is over."""
    salt: str
    """Secret likewise: hex digits that are hashed with the seed, so that it cannot be guessed."""
    commitment: str
    """The hash of both, shown before the first choice."""
    clock: int | None = None
    """Seconds for a choice."""
    watching: Watching = "all"
    first: bool = False
    """Whether the page explains as it goes."""
    status: Status = "open"
    host: str
    """Visitor who set the table up."""
    created: float
    started: float | None = None
    ended: float | None = None
    version: int = 0
    """Of the last entry of the journal."""
    turn: int = 0
    ranking: list[list[int]] | None = None
    """When it is over."""
    rematch: str | None = None
    """The table where the same people race again."""
    hints: bool = False
    """Whether people may ask what a strong bot would do, and see their chances while they race."""


class Seat(msgspec.Struct, kw_only=True):
    """A seat at a table."""

    table: str
    seat: int
    kind: Kind
    visitor: str | None = None
    name: str = ""
    """As it is shown; of a bot its level."""
    bot: str | None = None
    """The bot that drives the seat, or that drives it while its person is away."""
    away: bool = False
    """A bot drives until the person is back. At a table that is still open: the person has not accepted the rematch."""


class Entry(msgspec.Struct, kw_only=True):
    """One line of a table's journal. Plays and retractions in their order are the race."""

    table: str
    version: int
    kind: Literal["start", "play", "retract", "seat", "away", "back", "over", "left", "rematch", "accept"]
    seat: int | None = None
    actions: list[str] = []
    """In notation; several that were chosen together count as one entry."""
    key: str | None = None
    """Idempotency key, unique within the table."""
    hash: str | None = None
    """The state's hash after a play that everybody has seen."""
    at: float


class Said(msgspec.Struct, kw_only=True):
    """A line of chat."""

    table: str
    number: int
    """1 for the first at its table."""
    visitor: str
    name: str
    seat: int | None = None
    text: str
    key: str | None = None
    at: float


class Link(msgspec.Struct, kw_only=True):
    """An unguessable link, kept as its hash only."""

    secret_hash: str
    kind: Literal["seat", "join"]
    """Take this seat, open or handed on by whoever has it; take any open seat."""
    table: str
    seat: int | None = None
    visitor: str | None = None
    created: float
    used: float | None = None
    """A link to a seat works once."""
