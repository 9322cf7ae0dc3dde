"""Messages between a page and its table, over the WebSocket. `docs/table.md` describes them for other clients.

Everything that a page sends has a `type`; what needs an answer has a `key` that the answer repeats.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from spina.table.bots.worker_messages import AdviceData
from spina.table.refusals import Coded
from spina.table.store.records import Said

MOST_ACTIONS = 64
MOST_ACTION_TEXT = 200
KEY_LENGTH = 64

OF_GAME = "x-spina-game"
"""Marks what depends on the game in a JSON schema; the OpenAPI description puts the types of all games there."""
GameView = Annotated[Any, msgspec.Meta(extra_json_schema={OF_GAME: "view"})]
GameOffer = Annotated[Any, msgspec.Meta(extra_json_schema={OF_GAME: "offer"})]
GameExplanation = Annotated[Any, msgspec.Meta(extra_json_schema={OF_GAME: "explanation"})]
GameEvent = Annotated[Any, msgspec.Meta(extra_json_schema={OF_GAME: "event"})]

Key = Annotated[str, msgspec.Meta(min_length=8, max_length=KEY_LENGTH, pattern="^[!-~]+$")]
"""Plain characters only: keys are kept in the database, which does not take all there are."""


class Incoming(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    """Something that a page says."""


class Play(Incoming, tag="play"):
    """Do these actions, in notation, all or none of them."""

    key: Key
    seat: int
    actions: list[str]
    version: int | None = None
    """The version of the race that was looked at; a choice made on an older one that mattered is refused."""


class Retract(Incoming, tag="retract"):
    """Take a choice back that nobody has seen."""

    key: Key
    seat: int


class Consider(Incoming, tag="consider"):
    """What would this action come to?"""

    key: Key
    seat: int
    action: str


class Look(Incoming, tag="look"):
    """See the race with the eyes of this seat of one's own; None: as a spectator."""

    seat: int | None


class Shown(Incoming, tag="shown"):
    """The page has shown everything up to this version to the person of this seat.

    The seat's clock starts now, and not only when the usual time for showing the news has passed.
    """

    seat: int
    version: int


class Say(Incoming, tag="say"):
    """A line of chat."""

    key: Key
    text: str


class Back(Incoming, tag="back"):
    """The person of a seat that a bot drives is back."""

    key: Key
    seat: int


class Hint(Incoming, tag="hint"):
    """What would a strong bot do here?"""

    key: Key
    seat: int


AnyIncoming = Play | Retract | Consider | Look | Shown | Say | Back | Hint


class Person(msgspec.Struct, omit_defaults=True):
    """A seat as everybody at the table sees it."""

    seat: int
    kind: str
    name: str
    bot: str | None = None
    away: bool = False
    here: bool = False
    """Whether a page of its person is open."""
    ready: bool = False
    """Whether it has chosen, where others are still choosing."""


class State(msgspec.Struct):
    """How a table stands, for one viewer."""

    version: int
    status: str
    seats: list[Person]
    own: list[int]
    """Seats of the viewer's."""
    looking: int | None
    """With the eyes of which seat; None: a spectator's."""
    waiting: list[int]
    """Seats that owe a choice."""
    deadline: float | None
    """Seconds left on the clock of the seat that is looked with, if it owes a choice under a clock, else on the clock
    that runs out first. They count from the arrival of the message, or from when the clock starts."""
    starts: float
    """Seconds until that clock starts by itself, at the latest: it starts when the news has been shown. 0: it runs."""
    watchers: int
    view: GameView | None
    """`Race.view`; None before the start."""
    offer: GameOffer | None
    """`Race.offer` for the seat that is looked with, when it owes a choice."""
    retractable: bool
    """Whether that seat has a choice to take back."""
    commitment: str
    seed: str | None = None
    """Revealed at the end, with the salt that was hashed with it."""
    salt: str | None = None
    rematch: str | None = None
    begins: float | None = None
    """Seconds until the rematch begins without those who have not accepted it (at an open table they are `away`)."""
    hints: bool = False
    """Whether people at this table may ask for hints."""
    chances: list[float] | None = None
    """Every seat's chance to win, as anybody who watches may judge it; None for people who race without hints."""


class Moment(msgspec.Struct):
    """What happened at one version, as the viewer may know it."""

    version: int
    at: float
    kind: str
    seat: int | None
    events: list[GameEvent]


class Spoken(msgspec.Struct):
    """A line of chat as it is shown."""

    number: int
    name: str
    seat: int | None
    text: str
    at: float

    @classmethod
    def of(cls, said: Said) -> Spoken:
        return cls(said.number, said.name, said.seat, said.text, said.at)


class Outgoing(msgspec.Struct, tag_field="type"):
    """Something that a table says."""


class Welcome(Outgoing, tag="welcome"):
    """The first message: everything, with the moments since the version that the page knew."""

    state: State
    moments: list[Moment]
    chat: list[Spoken]
    complete: bool
    """Whether the moments begin right after the version that the page knew; else it begins anew."""


class Update(Outgoing, tag="update"):
    """Something happened."""

    state: State
    moments: list[Moment]


class Done(Outgoing, tag="done"):
    """What was asked for under this key is done, and kept."""

    key: str
    version: int


class Considered(Outgoing, tag="considered"):
    """What an action would come to, or why it cannot be done."""

    key: str
    breakdown: GameExplanation | None
    refusal: Coded | None = None
    """Why not, as a code with parameters."""
    why: str | None = None
    """The same in English, for programs."""


class Hinted(Outgoing, tag="hinted"):
    """What a strong bot thinks of the choice that a seat owes."""

    key: str
    version: int
    """Of the race that was thought about."""
    advice: AdviceData


class Refused(Outgoing, tag="refused", omit_defaults=True):
    """Something was wrong with a message; nothing has changed."""

    key: str | None
    code: str
    """The kind of refusal: malformed, illegal, stale, not-yours, not-now, no-hints, too-fast, too-late, over,
    not-started, unknown, failed."""
    refusal: Coded
    """Why, as a code with parameters: pages have words for it."""
    reason: str | None = None
    """The same in English, for programs."""


class Presence(Outgoing, tag="presence"):
    """Somebody has come or gone."""

    seats: list[Person]
    watchers: int


class Clock(Outgoing, tag="clock"):
    """A clock has started: what the page shows is now this."""

    version: int
    deadline: float | None
    starts: float


class Chatted(Outgoing, tag="said"):
    """A line of chat."""

    said: Spoken
