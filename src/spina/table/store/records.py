"""Records of the database as structs. Only the store knows the names of columns."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Status = Literal["open", "running", "over", "left"]
"""Status of a table: waiting for people, racing, finished, or given up."""
Watching = Literal["all", "link", "none"]
"""Who may watch: all visitors (the home page lists the table); those with the link; only its own people."""
Kind = Literal["person", "screen", "bot", "open", "raced"]
"""Kind of a seat: a person on a separate device, a person who shares a screen, a bot, not taken yet; or only known by
name, from the file of a finished race."""


EntryKind = Literal[
    "start",
    "play",
    "retract",
    "seat",
    "away",
    "back",
    "over",
    "left",
    "rematch",
    "accept",
    "colour",
    "step",
    "gone",
    "joined",
]
"""Kind of a journal entry: "gone" when a person leaves a seat to a bot, "joined" when one takes over from a bot."""


class Visitor(msgspec.Struct, kw_only=True):
    """A visitor: the session of a browser or program. Only the hash of its token is stored."""

    id: str
    token_hash: str
    name: str
    colour: int
    """The preferred faction, 0 to 5."""
    language: str | None = None
    created: float
    seen: float


class Table(msgspec.Struct, kw_only=True):
    """A table and the race on it."""

    id: str
    game: str
    rules: int
    """Version of the game's rules for this race."""
    seats: int
    options: dict[str, Any]
    edition: str
    """Hash of the edition."""
    edition_text: str | None = None
    """The edition's TOML, unless it is the reference edition."""
    seed: int
    """Secret until the race is over."""
    salt: str
    """Secret too: hex digits that are hashed with the seed, so that it cannot be guessed from the commitment."""
    commitment: str
    """The hash of both and of `start`, published before the first choice."""
    clock: int | None = None
    """Seconds for a choice; None: no limit."""
    watching: Watching = "all"
    first: bool = False
    """Whether it is a first race: the page explains the rules as they come up."""
    status: Status = "open"
    host: str
    """Id of the visitor who set the table up."""
    created: float
    started: float | None = None
    ended: float | None = None
    version: int = 0
    """Version of the journal's last entry."""
    turn: int = 0
    ranking: list[list[int]] | None = None
    """The seats by place, when the race is over."""
    rematch: str | None = None
    """Id of the table of the rematch."""
    hints: bool = False
    """Whether people may ask for hints and see their chances during the race."""
    start: dict[str, Any] | None = None
    """Where the race begins, as `live.starts.Start`; None: at the start of the game. Secret until the race is over."""
    lesson: bool = False
    """Whether it is a lesson: the steps of the game's lesson are taken one after the other, and rivals follow them."""


class Seat(msgspec.Struct, kw_only=True):
    """A seat at a table."""

    table: str
    seat: int
    kind: Kind
    visitor: str | None = None
    name: str = ""
    """The displayed name; for a bot its level."""
    bot: str | None = None
    """The bot that drives the seat, or that drives it while its person is away."""
    away: bool = False
    """A stand-in drives until the person is back. At an open table: the person has not accepted the rematch."""
    colour: int | None = None
    """The number of its colour, 0 to 5; None: that of its number."""
    left_by: str | None = None
    """Id of the visitor who left it to its bot during the race, and may come back while the race runs."""


class Entry(msgspec.Struct, kw_only=True):
    """An entry of a table's journal. Its plays and retractions, replayed in order, give the race."""

    table: str
    version: int
    kind: EntryKind
    seat: int | None = None
    actions: list[str] = []
    """Actions in notation; actions that were sent together are one entry. For a step of a lesson: its id and, if it
    begins from a position, that as JSON."""
    key: str | None = None
    """Idempotency key, unique within the table."""
    hash: str | None = None
    """The state's hash after a play, if no choice is hidden then."""
    at: float


class Said(msgspec.Struct, kw_only=True):
    """A chat line."""

    table: str
    number: int
    """Number within the table, from 1."""
    visitor: str
    name: str
    seat: int | None = None
    text: str
    key: str | None = None
    at: float


class Link(msgspec.Struct, kw_only=True):
    """A link with a secret, of which only the hash is stored."""

    secret_hash: str
    kind: Literal["seat", "join"]
    """"seat": take this seat, which is open or is handed over by its person; "join": take any open seat."""
    table: str
    seat: int | None = None
    visitor: str | None = None
    created: float
    used: float | None = None
    """When it was used. A link to a seat works once."""


class StartedClock(msgspec.Struct, kw_only=True):
    """The clock of a seat's choice, once a page has shown the question: for servers that take the table over."""

    table: str
    seat: int
    since: int
    """Version of the table at which the seat was asked."""
    starts: float
    """When its time began, in seconds since 1970."""
