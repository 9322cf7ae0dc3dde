"""The JSON interface, for the pages' buttons and for bots in any language.

Every operation is declared once, in `OPERATIONS`; the routes and the OpenAPI description are generated from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spina.errors import SpinaError
from spina.games import names as game_names
from spina.games.game import Setting
from spina.table.bots.analysis import Analysis
from spina.table.bots.bot_pool import offered
from spina.table.bots.worker_messages import AdviceData
from spina.table.http.addresses import address_of
from spina.table.http.display_text import clean_line
from spina.table.http.local_network import LocalNetwork, Reach
from spina.table.http.responses import answer, from_page, refusal_of, refused
from spina.table.http.security import TOO_LARGE, TooLarge, new_token
from spina.table.live import protocol
from spina.table.live import replay_steps as moments
from spina.table.live.listener import Listener
from spina.table.live.lobby import Lobby, Setup
from spina.table.live.protocol import GameExplanation, Key, Moment, State
from spina.table.live.room import Room
from spina.table.live.table_lists import Summary
from spina.table.refusals import Refusal, say, sentence_code
from spina.table.services import Services, services_of
from spina.table.store.records import Visitor
from spina.table.waits import is_set_within
from spina.web.bot_words import BotWords, bot_words
from spina.web.messages import negotiate

LONGEST_WAIT = 25.0

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=11)]


# --- bodies of requests and responses --------------------------------------------------------------------------------


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """An empty body."""


class GameInfo(msgspec.Struct):
    """A game that can be raced."""

    name: str
    title: str
    summary: str
    seats: list[int]
    bots: list[str]
    bot_words: list[BotWords]
    """The bots with their names, characters and how they race, in the visitor's language."""
    settings: list[Setting]
    lesson: bool
    """Whether it has a lesson."""


class NewVisitor(msgspec.Struct):
    """A visitor for a program: send the token as `Authorization: Bearer …`. It is shown this once."""

    token: str
    visitor: str


class Visit(msgspec.Struct, forbid_unknown_fields=True):
    """The name, colour and language of a visitor. Fields that are left out stay as they are."""

    name: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    colour: Annotated[int, msgspec.Meta(ge=0, le=5)] | None = None
    language: Literal["en", "es"] | None = None


class Made(msgspec.Struct):
    """The table that was set up."""

    id: str


class Listed(msgspec.Struct):
    """Tables by kind."""

    own: list[Summary]
    open: list[Summary]
    finished: list[Summary]


class Seen(msgspec.Struct):
    """A table as the visitor sees it, with the moments since the requested version."""

    state: State
    moments: list[Moment]
    legal: list[str] | None
    """The seat's legal actions in notation; a selection where a game has too many to list."""


Colour = Annotated[int, msgspec.Meta(ge=0, le=5)]


class Sit(msgspec.Struct, forbid_unknown_fields=True):
    """The seat and the colour to take; left out: the first open seat, one's preferred colour if it is free."""

    seat: SeatNumber | None = None
    colour: Colour | None = None


class Coloured(msgspec.Struct, forbid_unknown_fields=True):
    """The colour to change to, before the start."""

    colour: Colour


class Seated(msgspec.Struct):
    seat: int


class Fill(msgspec.Struct, forbid_unknown_fields=True):
    bot: str = "medium"


class FromMoment(msgspec.Struct, forbid_unknown_fields=True):
    """A moment of a finished race's replay, and the seat to take there; `bot` drives all others."""

    moment: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    seat: SeatNumber
    bot: str | None = None


class Learn(msgspec.Struct, forbid_unknown_fields=True):
    """The game whose lesson is to begin."""

    game: str


class LessonStep(msgspec.Struct):
    """A step of a lesson, as far as a page needs it."""

    id: str
    asks: bool
    """Whether it asks for a choice."""
    spotlight: list[str]


class NextStep(msgspec.Struct, forbid_unknown_fields=True):
    """The step of a lesson to begin: the one after the present step, which must be done."""

    key: Key
    step: Annotated[str, msgspec.Meta(max_length=40)]


class Chosen(msgspec.Struct, forbid_unknown_fields=True):
    """Actions in notation, applied all or none. A request with a key that was used before has no further effect."""

    key: Key
    seat: SeatNumber
    actions: list[str]
    version: int | None = None


class Take(msgspec.Struct, forbid_unknown_fields=True):
    key: Key
    seat: SeatNumber


class Puzzled(msgspec.Struct, forbid_unknown_fields=True):
    """The seat to give a hint for."""

    seat: SeatNumber


class Thought(msgspec.Struct, forbid_unknown_fields=True):
    seat: SeatNumber
    action: str


class Line(msgspec.Struct, forbid_unknown_fields=True):
    key: Key
    text: Annotated[str, msgspec.Meta(max_length=1000)]


class Kept(msgspec.Struct):
    """The request took effect and was stored as this version."""

    version: int


class Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """A link to make: to one open seat, to a seat of one's own (for another device), or to any open seat."""

    kind: Literal["seat", "join"]
    seat: SeatNumber | None = None


class Linked(msgspec.Struct):
    path: str
    """Path of the link on this server."""


class Opened(msgspec.Struct, forbid_unknown_fields=True):
    """Whether people on the local network can reach the table."""

    open: bool


class Follow(msgspec.Struct, forbid_unknown_fields=True):
    """The secret of a link. The seat is one of the open ones, or a bot's in a running race; else the first open one."""

    secret: Annotated[str, msgspec.Meta(max_length=64)]
    seat: SeatNumber | None = None
    colour: Colour | None = None


# --- operations ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asking:
    """A request with its visitor."""

    request: Request
    services: Services
    visitor: Visitor

    @property
    def lobby(self) -> Lobby:
        return self.services.lobby

    @property
    def table(self) -> str:
        return str(self.request.path_params["id"])

    @property
    def address(self) -> str:
        return address_of(self.request.scope)

    async def room(self) -> Room:
        """The room of the requested table. Raises Refusal if the visitor may not watch it."""
        room = await self.services.rooms.room(self.table)
        if not room.may_watch(self.visitor.id):
            raise Refusal("not-yours", say("table.not-to-be-seen"))
        room.visit(self.visitor.id, self.address)
        return room

    def number(self, name: str) -> int | None:
        """An integer parameter of the query. Raises Refusal for anything else."""
        text = self.request.query_params.get(name)
        if text is None:
            return None
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise Refusal("malformed", say("table.query-number", name=name, text=repr(text[:20])))
        return int(text)

    def looking(self, room: Room) -> int | None:
        """The seat to look with: the requested one, if it is the visitor's own or the race is over."""
        seat = self.number("seat")
        if seat is None:
            return None
        if room.table.status != "over":
            room.check_own(self.visitor.id, seat)
        elif seat >= room.table.seats:
            raise Refusal("malformed", say("race.no-seat", seat=seat, last=room.table.seats - 1))
        return seat


Handler = Callable[[Asking, Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the interface: its route, its handler and the types of its bodies."""

    method: str
    path: str
    handler: Handler
    summary: str
    body: type | None = None
    result: Any = None
    query: tuple[tuple[str, str], ...] = ()


async def _games(asking: Asking, _: None) -> list[GameInfo]:
    from spina.games import find  # imported late: loads the games themselves

    language = negotiate(asking.request.headers.get("accept-language"), asking.visitor.language)
    return [
        GameInfo(
            g.name,
            g.title,
            g.summary,
            list(g.seat_counts),
            list(offered(g.name, asking.services.settings.bots)),
            [bot_words(language, g.name, bot) for bot in offered(g.name, asking.services.settings.bots)],
            list(g.settings(g.reference())),
            g.lesson is not None,
        )
        for g in map(find, game_names())
    ]


async def _ready(asking: Asking, _: None) -> dict[str, Any]:
    return asking.services.warm_up.progress()


async def _visit(asking: Asking, body: Visit) -> NewVisitor:
    token = new_token()
    visitor = await asking.lobby.visitor(token)
    await asking.lobby.change(visitor, name=body.name, colour=body.colour, language=body.language)
    return NewVisitor(token, visitor.id)


async def _check(asking: Asking, body: Setup) -> dict[str, Any]:
    try:
        return {"ok": True, **await asking.lobby.check(body)}
    except Refusal:
        raise
    except SpinaError as error:
        said: dict[str, Any] = {} if from_page(asking.request.headers) else {"problem": str(error)}
        return {"ok": False, "refusal": sentence_code(error.said), **said}


async def _create(asking: Asking, body: Setup) -> Made:
    return Made(await asking.lobby.create(asking.visitor, body, asking.address))


async def _tables(asking: Asking, _: None) -> Listed:
    lists, visitor = asking.services.lists, asking.visitor
    return Listed(await lists.own(visitor), await lists.open_tables(visitor), await lists.finished(visitor))


async def _see(asking: Asking, _: None) -> Seen:
    room = await asking.room()
    after = asking.number("after")
    wait = min(asking.number("wait") or 0, LONGEST_WAIT)
    looking = asking.looking(room)
    if after is not None and wait and room.table.version <= after and room.table.status in ("open", "running"):
        await _wait_for_news(room, asking.visitor.id, wait)
    if looking in room.own_seats(asking.visitor.id):
        assert looking is not None
        room.shown(looking, room.table.version)  # a program has seen the offer as soon as it is sent: its clock starts
    state = room.state_for(asking.visitor.id, looking)
    moments = [told.to(looking) for told in room.told if told.version > (after or 0)]
    legal = None
    if looking is not None and looking in room.waiting() and room.race is not None:
        legal = [str(action) for action in room.race.legal(looking)]
    return Seen(state, moments, legal)


class _Waiter(Listener):
    """A long-polling client, which waits for the next update."""

    def __init__(self, visitor: str) -> None:
        self.visitor, self.looking, self.version = visitor, None, 0
        self.happened = asyncio.Event()

    def tell(self, message: protocol.Outgoing) -> None:
        if isinstance(message, protocol.Update | protocol.Welcome):
            self.happened.set()

    def part(self) -> None:
        self.happened.set()


async def _wait_for_news(room: Room, visitor: str, seconds: float) -> None:
    waiter = _Waiter(visitor)
    room.listeners.add(waiter)
    try:
        await is_set_within(waiter.happened, seconds)
    finally:
        room.listeners.discard(waiter)


async def _sit(asking: Asking, body: Sit) -> Seated:
    await asking.room()
    return Seated(await asking.lobby.sit(asking.visitor, asking.table, body.seat, body.colour))


async def _colour(asking: Asking, body: Coloured) -> Nothing:
    await asking.services.seating.choose_colour(asking.visitor, asking.table, body.colour)
    return Nothing()


async def _return(asking: Asking, _: Nothing) -> Nothing:
    await asking.services.seating.come_back(asking.visitor, asking.table)
    return Nothing()


async def _fill(asking: Asking, body: Fill) -> Nothing:
    await asking.lobby.fill(asking.visitor, asking.table, body.bot)
    return Nothing()


async def _leave(asking: Asking, _: Nothing) -> Nothing:
    await asking.lobby.leave(asking.visitor, asking.table)
    return Nothing()


async def _rematch(asking: Asking, _: Nothing) -> Made:
    return Made(await asking.lobby.rematch(asking.visitor, asking.table, asking.address))


async def _branch(asking: Asking, body: FromMoment) -> Made:
    room, branches = await asking.room(), asking.services.branches
    table = await branches.open(asking.visitor, room, body.moment, body.seat, bot=body.bot, address=asking.address)
    return Made(table)


async def _learn(asking: Asking, body: Learn) -> Made:
    return Made(await asking.services.lessons.open(asking.visitor, body.game, asking.address))


async def _lesson(asking: Asking, _: None) -> list[LessonStep]:
    lesson = asking.services.lessons.lesson(str(asking.request.path_params["game"]))
    return [LessonStep(step.id, bool(step.expect), step.spotlight) for step in lesson.steps]


async def _next_step(asking: Asking, body: NextStep) -> Kept:
    room = await asking.room()
    return Kept(await room.begin_step(asking.visitor.id, body.step, f"{asking.visitor.id}:{body.key}"))


async def _play(asking: Asking, body: Chosen) -> Kept:
    room = await asking.room()
    key = f"{asking.visitor.id}:{body.key}"
    return Kept(await room.play(asking.visitor.id, body.seat, body.actions, key, body.version))


async def _retract(asking: Asking, body: Take) -> Kept:
    room = await asking.room()
    return Kept(await room.retract(asking.visitor.id, body.seat, f"{asking.visitor.id}:{body.key}"))


async def _consider(asking: Asking, body: Thought) -> Any:
    room = await asking.room()
    return room.consider(asking.visitor.id, body.seat, body.action)


async def _hint(asking: Asking, body: Puzzled) -> AdviceData:
    room = await asking.room()
    _, advice = await asking.services.hints.hint(room, asking.visitor.id, body.seat)
    return advice


async def _analysis(asking: Asking, _: None) -> Analysis:
    return await asking.services.analyst.analysis(await asking.room(), asking.visitor.id)


async def _say(asking: Asking, body: Line) -> Nothing:
    room = await asking.room()
    visitor = asking.visitor
    await room.chat.say(visitor.id, visitor.name, clean_line(body.text), f"{visitor.id}:{body.key}")
    return Nothing()


async def _link(asking: Asking, body: Wanted) -> Linked:
    secret = await asking.services.invitations.link(asking.visitor, body.kind, asking.table, body.seat)
    return Linked(f"/l/{secret}")


async def _follow(asking: Asking, body: Follow) -> Made:
    return Made(await asking.services.invitations.use(asking.visitor, body.secret, body.seat, body.colour))


async def _network(asking: Asking, _: None) -> Reach:
    network: LocalNetwork = asking.request.app.state.network
    return network.reach(asking.request.scope)


async def _open_network(asking: Asking, body: Opened) -> Reach:
    network: LocalNetwork = asking.request.app.state.network
    return await network.set_open(asking.request.scope, body.open)


async def _moments(asking: Asking, _: None) -> moments.Replay | moments.Packed:
    room = await asking.room()
    begin = asking.number("begin") or 0
    count = asking.number("count")
    count = moments.MOST if count is None else count
    judging = room.may_judge(asking.visitor.id)
    return await asking.services.replays.part(room, asking.looking(room), begin, count, judging=judging)


_TABLE = "/api/tables/{id}"
OPERATIONS = (
    Operation("GET", "/api/games", _games, "The games, with their options and bots", result=list[GameInfo]),
    Operation("GET", "/api/ready", _ready, "How far the games are compiled", result=dict[str, Any]),
    Operation("POST", "/api/visitors", _visit, "Become a visitor, as a program", Visit, NewVisitor),
    Operation("POST", "/api/check", _check, "Whether a race can be set up like this", Setup, dict[str, Any]),
    Operation("GET", "/api/tables", _tables, "One's own tables, open ones and finished ones", result=Listed),
    Operation("POST", "/api/tables", _create, "Set a table up", Setup, Made),
    Operation(
        "GET",
        _TABLE,
        _see,
        "How a table stands, and what has happened there",
        result=Seen,
        query=(
            ("seat", "see with the eyes of this seat of your own"),
            ("after", "tell what happened after this version"),
            ("wait", "wait so many seconds, at most 25, for something to happen after that version"),
        ),
    ),
    Operation("POST", f"{_TABLE}/sit", _sit, "Take an open seat", Sit, Seated),
    Operation(
        "POST", f"{_TABLE}/colour", _colour, "Change the colour of one's seat, before the start", Coloured, Nothing
    ),
    Operation("POST", f"{_TABLE}/fill", _fill, "Start now, with bots on the open seats", Fill, Nothing),
    Operation("POST", f"{_TABLE}/leave", _leave, "Leave the table", Nothing, Nothing),
    Operation("POST", f"{_TABLE}/return", _return, "Come back to the seat that one has left", Nothing, Nothing),
    Operation("POST", f"{_TABLE}/rematch", _rematch, "Race again", Nothing, Made),
    Operation(
        "POST",
        f"{_TABLE}/branch",
        _branch,
        "Race on from a moment of a finished race, with what a seat knew then and the hidden parts dealt anew",
        FromMoment,
        Made,
    ),
    Operation("GET", "/api/lessons/{game}", _lesson, "The steps of a game's lesson", result=list[LessonStep]),
    Operation("POST", "/api/lessons", _learn, "Begin the lesson of a game", Learn, Made),
    Operation("POST", f"{_TABLE}/step", _next_step, "Begin the next step of a lesson", NextStep, Kept),
    Operation("POST", f"{_TABLE}/play", _play, "Make a choice", Chosen, Kept),
    Operation("POST", f"{_TABLE}/retract", _retract, "Take a choice back that nobody has seen", Take, Kept),
    Operation("POST", f"{_TABLE}/consider", _consider, "What an action would come to", Thought, GameExplanation),
    Operation("POST", f"{_TABLE}/hint", _hint, "What a strong bot thinks of the choice", Puzzled, AdviceData),
    Operation("POST", f"{_TABLE}/chat", _say, "Say something", Line, Nothing),
    Operation("POST", f"{_TABLE}/links", _link, "A link that invites, or that moves a seat", Wanted, Linked),
    Operation("GET", "/api/network", _network, "Who can reach the table, asked at its own machine", result=Reach),
    Operation("POST", "/api/network", _open_network, "Open the table to the local network, or close it", Opened, Reach),
    Operation("POST", "/api/links", _follow, "Take the seat that a link leads to", Follow, Made),
    Operation(
        "GET",
        f"{_TABLE}/moments",
        _moments,
        "A race moment by moment, for a replay",
        result=moments.Replay,
        query=(
            ("seat", "see with the eyes of this seat, when the race is over or the seat is yours"),
            ("begin", "number of the first moment"),
            ("count", "how many moments"),
        ),
    ),
    Operation(
        "GET", f"{_TABLE}/analysis", _analysis, "The chances over a finished race, and what cost most", result=Analysis
    ),
)


def _route(operation: Operation) -> Route:
    decoder: msgspec.json.Decoder[Any] | None = msgspec.json.Decoder(operation.body) if operation.body else None

    async def endpoint(request: Request) -> Response:
        try:
            body = decoder.decode(await request.body() or b"{}") if decoder else None
            asking = Asking(request, services_of(request), request.state.visitor)
            return answer(await operation.handler(asking, body))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            text = f"this is not what {operation.path} takes: {error}"
            return refused(Refusal("malformed", say("table.malformed").reworded(text)), request.headers)
        except TooLarge:
            return refused(TOO_LARGE, request.headers)
        except SpinaError as error:
            return refused(refusal_of(error), request.headers)

    return Route(operation.path, endpoint, methods=[operation.method])


def routes() -> list[Route]:
    return [_route(operation) for operation in OPERATIONS]
