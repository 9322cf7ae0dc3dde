"""Messages between a page and its table, over the WebSocket. `docs/table.md` describes them for other clients.

Every message has a `type`; a message that needs an answer has a `key`, which the answer repeats.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from spina.table.bots.worker_messages import AdviceData
from spina.table.refusals import Coded
from spina.table.store.records import Said

MOST_ACTIONS = 64
MOST_ACTION_TEXT = 200
KEY_LENGTH = 64

OF_GAME = "x-spina-game"
"""Marks game-specific parts of a JSON schema; the OpenAPI description puts the types of all games there."""
GameView = Annotated[Any, msgspec.Meta(extra_json_schema={OF_GAME: "view"})]
GameOffer = Annotated[Any, msgspec.Meta(extra_json_schema={OF_GAME: "offer"})]
GameExplanation = Annotated[Any, msgspec.Meta(extra_json_schema={OF_GAME: "explanation"})]
GameEvent = Annotated[Any, msgspec.Meta(extra_json_schema={OF_GAME: "event"})]

Key = Annotated[str, msgspec.Meta(min_length=8, max_length=KEY_LENGTH, pattern="^[!-~]+$")]
"""ASCII only: keys are stored in the database, which does not accept all of Unicode."""


class Incoming(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    """A message from a page."""


class Play(Incoming, tag="play"):
    """Play these actions, in notation, all or none of them."""

    key: Key
    seat: int
    actions: list[str]
    version: int | None = None
    """The version at which the choice was made; it is refused if the seat has been asked anew since."""


class Retract(Incoming, tag="retract"):
    """Take back a choice that has not been revealed."""

    key: Key
    seat: int


class Consider(Incoming, tag="consider"):
    """Ask for the consequences of an action, without playing it."""

    key: Key
    seat: int
    action: str


class Look(Incoming, tag="look"):
    """Switch to the view of another seat of the visitor; None: to the spectator's view."""

    seat: int | None


class Shown(Incoming, tag="shown"):
    """The page has shown everything up to this version to the person of this seat.

    The seat's clock then starts at once, without the usual delay for showing the news.
    """

    seat: int
    version: int


class Say(Incoming, tag="say"):
    """A chat line."""

    key: Key
    text: str


class Back(Incoming, tag="back"):
    """The person takes a seat back from the stand-in."""

    key: Key
    seat: int


class MoreTime(Incoming, tag="more-time"):
    """The person wants the whole time again for the choice that the seat owes; only where no other person waits."""

    key: Key
    seat: int


class Hint(Incoming, tag="hint"):
    """Ask for the advice of a strong bot."""

    key: Key
    seat: int


AnyIncoming = Play | Retract | Consider | Look | Shown | Say | Back | MoreTime | Hint


class Person(msgspec.Struct, omit_defaults=True):
    """A seat as all viewers see it."""

    seat: int
    kind: str
    name: str
    colour: int
    """The number of its colour, 0 to 5."""
    bot: str | None = None
    away: bool = False
    here: bool = False
    """Whether a page of its person is open."""
    ready: bool = False
    """Whether it has chosen while others are still choosing."""
    stands_in: bool = False
    """Whether a bot drives for a person who has left, whose name the seat still has."""
    warming_up: bool = False
    """Whether a simpler bot chooses for it, because its search is not compiled yet."""


class Begun(msgspec.Struct):
    """Where a race began that did not begin at the start of its game."""

    kind: Literal["position", "moment"]
    """A position that was made, or a moment of another race with the hidden parts dealt anew."""
    table: str | None
    """That other race's table, and the number of the moment in its replay, if this server has it."""
    moment: int | None
    fingerprint: str | None
    """Revealed at the end: what was hashed with the seed and the salt, SHA-256 of the position's data."""


class LessonState(msgspec.Struct):
    """How far a lesson has come."""

    step: str
    """The id of the step."""
    number: int
    """Its number, from 1."""
    of: int
    done: bool
    """Whether the next step may begin: the step only tells something, or its choice has been made."""
    asks: bool
    """Whether it asks for a choice."""
    spotlight: list[str]
    """Places of the page to show, or to click one after the other."""
    text: str
    """The id of its message; when its choice has been made, the message with `.after` at the end says why."""


class State(msgspec.Struct):
    """The state of a table for one viewer."""

    version: int
    status: str
    seats: list[Person]
    own: list[int]
    """Seats of the viewer."""
    left: list[int]
    """Seats that the viewer has left to bots, and can have back while the race runs."""
    looking: int | None
    """The seat whose view is shown; None: the spectator's view."""
    waiting: list[int]
    """Seats that owe a choice."""
    deadline: float | None
    """Seconds left on the clock of the `looking` seat, if it owes a choice under a clock, else on the clock with the
    earliest deadline. They count from the arrival of the message, or from the start of the clock."""
    starts: float
    """Seconds until that clock starts by itself, unless a page reports `Shown` earlier. 0: it runs."""
    more_time: bool
    """Whether the viewer may ask for `MoreTime`: the table has a clock, and all seats but the viewer's are bots'."""
    watchers: int
    view: GameView | None
    """`Race.view`; None before the start."""
    offer: GameOffer | None
    """`Race.offer` for the `looking` seat, when it owes a choice."""
    retractable: bool
    """Whether that seat has a choice that it may take back."""
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
    """Every seat's chance to win, from public information; None for people who race without hints."""
    start: Begun | None = None
    """Where the race began, if not at the start of its game."""
    lesson: LessonState | None = None
    """The step of the lesson, if the table is one."""


class Moment(msgspec.Struct):
    """What happened at one version, as the viewer may know it."""

    version: int
    at: float
    kind: str
    seat: int | None
    events: list[GameEvent]


class Spoken(msgspec.Struct):
    """A chat line as it is shown."""

    number: int
    name: str
    seat: int | None
    text: str
    at: float

    @classmethod
    def of(cls, said: Said) -> Spoken:
        return cls(said.number, said.name, said.seat, said.text, said.at)


class Outgoing(msgspec.Struct, tag_field="type"):
    """A message from a table."""


class Welcome(Outgoing, tag="welcome"):
    """The first message: the whole state, and the moments since the version that the page knew."""

    state: State
    moments: list[Moment]
    chat: list[Spoken]
    complete: bool
    """Whether the moments begin right after the version that the page knew; if not, the page starts over."""


class Update(Outgoing, tag="update"):
    """New moments, and the state after them."""

    state: State
    moments: list[Moment]


class Done(Outgoing, tag="done"):
    """The request with this key took effect and was stored."""

    key: str
    version: int


class Considered(Outgoing, tag="considered"):
    """The consequences of an action, or why it is illegal."""

    key: str
    breakdown: GameExplanation | None
    refusal: Coded | None = None
    """Why not, as a code with parameters."""
    why: str | None = None
    """The same in English, for programs."""


class Hinted(Outgoing, tag="hinted"):
    """A strong bot's advice for the choice that a seat owes."""

    key: str
    version: int
    """Version of the race that the advice is for."""
    advice: AdviceData


class Refused(Outgoing, tag="refused", omit_defaults=True):
    """A message was refused; nothing has changed."""

    key: str | None
    code: str
    """The kind of refusal: malformed, illegal, stale, not-yours, not-now, no-hints, too-fast, too-late, over,
    not-started, unknown, failed."""
    refusal: Coded
    """The reason as a code with parameters, for which pages have messages."""
    reason: str | None = None
    """The same in English, for programs."""


class Presence(Outgoing, tag="presence"):
    """A page was opened or closed."""

    seats: list[Person]
    watchers: int


class Clock(Outgoing, tag="clock"):
    """A clock has started: the values for the page to show."""

    version: int
    deadline: float | None
    starts: float


class Chatted(Outgoing, tag="said"):
    """A chat line."""

    said: Spoken
