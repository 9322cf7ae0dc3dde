"""A room: one table while it is in use, and the only one who changes it.

Everything that changes a race goes through the room's lock, one after the other: it is checked on a copy of the
race, written to the store, and only then becomes the race and is told to everybody. What fails changes nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from typing import Any

import msgspec

from spina.errors import Conflict, IllegalAction, SpinaError, StoreError
from spina.race import Race
from spina.sentences import OTHER
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.fair_queue import Asker
from spina.table.bots.win_chances import WinChances
from spina.table.http.rate_limits import Buckets
from spina.table.live import protocol
from spina.table.live.bot_seats import BotSeats
from spina.table.live.clocks import Clocks
from spina.table.live.listener import Listener, Told, Viewer, page_events
from spina.table.live.viewer_states import Drawn, ViewerStates, encoded
from spina.table.refusals import Refusal, say
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Said, Seat, Table

log = logging.getLogger("spina.table")

KEEPING, KEEPING_ALONE = 0.0003, 0.003
"""Seconds that a bot's address is charged for a choice; in a race without people, which is in no haste, more."""
ATTENDED = 30.0
"""Seconds after the last request of a person until a race without open pages is a race without people."""


class Room:
    """One table in use."""

    def __init__(
        self,
        table: Table,
        seats: list[Seat],
        race: Race | None,
        store: Store,
        thinkers: BotPool,
    ) -> None:
        self.table, self.seats, self.race = table, seats, race
        self.listeners: set[Listener] = set()
        self.told: list[Told] = []
        self.chat: list[Said] = []
        self.used = time.monotonic()
        self.on_abandon: Callable[[], None] | None = None
        """Called when the room gives its table up, so that another one goes on with the race."""
        self.asker = Asker(table.id, None, self._attended)
        self.pace: Buckets | None = None
        """By address: seconds of the server's time that bots' choices and telling of them may take. None: any."""
        self._visited = -ATTENDED
        self._store, self._thinkers = store, thinkers
        self._lock = asyncio.Lock()
        self._keys: dict[str, int] = {}
        self._states = ViewerStates(self)
        self._win_chances = WinChances()
        self.clocks = Clocks(table.clock)
        self._timer: asyncio.TimerHandle | None = None
        self._bots = BotSeats(self, thinkers)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self.begins: float | None = None
        """When the rematch begins without those who have not accepted: of a table that is open its own race, of one
        that is over the next. An instant of `time.monotonic`."""

    # --- from the journal --------------------------------------------------------------------------------------------

    def replay(self, journal: Iterable[Entry], race: Race | None) -> None:
        """Become what the journal says. `race` is the race at its start, None if it has not started."""
        self.race = race
        for entry in journal:
            if entry.key:
                self._keys[entry.key] = entry.version
            told = Told(entry.version, entry.at, entry.kind, entry.seat)
            if race is not None and entry.seat is not None:
                if entry.kind == "play":
                    self._perform(race, entry.seat, entry.actions, told)
                elif entry.kind == "retract":
                    race.retract(entry.seat)
            self.told.append(told)
            if race is not None:
                self._win_chances.of(race)
        self._ask_again(opening=True)

    def wake(self) -> None:
        """Let bots think and clocks run."""
        self._go_on()

    def close(self) -> None:
        """Stop everything that is under way; the store has all that counts."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        self._bots.close()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()

    def abandon(self) -> None:
        """The store may know more than this room: close it, and let everybody come back to a new one."""
        self.close()
        for listener in list(self.listeners):
            listener.part()
        if self.on_abandon is not None:
            self.on_abandon()

    @property
    def idle(self) -> bool:
        """Whether nobody would miss the room: nobody listens, no bot thinks, no clock runs."""
        return not (self.listeners or self._bots.thinking or self.clocks.first() is not None or self._lock.locked())

    @property
    def complete(self) -> bool:
        """Whether everybody is there: no seat is open, and everybody has accepted the rematch if it is one."""
        return all(seat.kind != "open" and not seat.away for seat in self.seats)

    def look_after(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something be done beside, until the room is closed."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- who is who --------------------------------------------------------------------------------------------------

    def own_seats(self, visitor: str) -> list[int]:
        """The seats of a visitor."""
        return [seat.seat for seat in self.seats if seat.visitor == visitor]

    def may_watch(self, visitor: str) -> bool:
        return self.table.watching != "none" or bool(self.own_seats(visitor)) or self.table.host == visitor

    def check_own(self, visitor: str, seat: int) -> None:
        """Raises Refusal unless the seat is the visitor's."""
        if not 0 <= seat < len(self.seats):
            raise Refusal("malformed", say("race.no-seat", seat=seat, last=len(self.seats) - 1))
        if self.seats[seat].visitor != visitor:
            raise Refusal("not-yours", say("table.seat-not-yours", seat=seat))

    def hinted(self, visitor: str, seat: int) -> Race:
        """The race, for a hint to a seat. Raises Refusal unless the seat is the visitor's and owes a choice."""
        race = self.running()
        self.check_own(visitor, seat)
        if not self.table.hints:
            raise Refusal("no-hints", say("table.no-hints"))
        if seat not in self.waiting():
            raise Refusal("not-now", say("table.not-now", seat=seat))
        return race

    def visit(self, visitor: str, address: str) -> None:
        """Somebody looks at the table or does something there: its bots no longer wait behind races with people.

        They count for the address of whoever set the table up; after a restart, of the first of its people to return.
        """
        if self.asker.address is None and (self.table.host == visitor or self.own_seats(visitor)):
            self.asker.address = address
        self._visited = time.monotonic()
        self._thinkers.attend(self.asker)

    def _attended(self) -> bool:
        """Whether people are here: a page is open, or there was a request a moment ago."""
        return bool(self.listeners) or time.monotonic() - self._visited < ATTENDED

    # --- listening ---------------------------------------------------------------------------------------------------

    def enter(self, listener: Listener, known: int | None) -> None:
        """Tell a newcomer everything, or what was missed since the version it knows."""
        self.used = time.monotonic()
        self.listeners.add(listener)
        self._bots.stir()
        complete = known is not None and 0 <= known <= self.table.version
        after = known if complete and known is not None else 0
        listener.version = self.table.version
        moments = [told.to(listener.looking) for told in self.told if told.version > after]
        listener.tell(self._welcome(listener, moments, complete=complete))
        self._tell_presence(listener)

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self._bots.stir()
        self.used = time.monotonic()
        self._tell_presence(None)

    def look(self, listener: Listener, seat: Viewer) -> None:
        """Let a page see with the eyes of another seat of its own: the past is told again as that seat knows it."""
        if seat is not None:
            self.check_own(listener.visitor, seat)
        listener.looking = seat
        listener.version = self.table.version
        moments = [told.to(seat) for told in self.told]
        listener.tell(self._welcome(listener, moments, complete=False))

    def shown(self, seat: int, version: int) -> None:
        """A page of the seat has shown everything up to this version: the seat's clock starts."""
        if not self.clocks.shown(seat, version):
            return
        self._bots.stir()
        if self.clocks.deadline(seat) is not None:
            for listener in self.listeners:
                left, starts = self._states.clock(listener.looking)
                listener.tell(protocol.Clock(self.table.version, left, starts))
        self._set_timer()

    def _tell_presence(self, but: Listener | None) -> None:
        """Who is here has changed, not the race."""
        news = protocol.Presence(self._states.people(), self._states.watchers())
        for other in self.listeners:
            if other is not but:
                other.tell(news)

    # --- what is seen ------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """What everybody at the table is called, by seat."""
        return [seat.name or f"Seat {seat.seat + 1}" for seat in self.seats]

    def waiting(self) -> list[int]:
        """Seats that owe a choice."""
        return list(self.race.to_act) if self.race is not None and self.table.status == "running" else []

    def may_judge(self, visitor: str) -> bool:
        """Whether somebody may know the chances: who watches, who may have hints, and afterwards everybody."""
        return self.table.status == "over" or self.table.hints or not self.own_seats(visitor)

    def chances(self, visitor: str) -> list[float] | None:
        """Every seat's chance to win, if the visitor may know it."""
        return self._win_chances.of(self.race) if self.race is not None and self.may_judge(visitor) else None

    def state_for(self, visitor: str, looking: Viewer, drawn: Drawn) -> protocol.State:
        """The table's state for a visitor. `drawn` caches views that several visitors share."""
        return self._states.state(visitor, looking, drawn)

    def _welcome(self, listener: Listener, moments: list[protocol.Moment], *, complete: bool) -> protocol.Welcome:
        state = self.state_for(listener.visitor, listener.looking, {})
        return protocol.Welcome(state, moments, [protocol.Spoken.of(said) for said in self.chat[-200:]], complete)

    # --- choosing ----------------------------------------------------------------------------------------------------

    async def play(
        self, visitor: str | None, seat: int, actions: Sequence[str], key: str | None = None, version: int | None = None
    ) -> int:
        """Do these actions, all or none. Returns the version at which they were kept. `visitor` None: a bot."""
        async with self._lock:
            if key is not None and (known := self._keys.get(key)) is not None:
                return known
            race = self.running()
            if visitor is not None:
                self.check_own(visitor, seat)
            elif not self.driven(seat):
                raise Refusal("stale", say("table.person-is-back"))
            if version is not None and version < (self.clocks.asked(seat) or 0):
                raise Refusal("stale", say("table.stale"))
            if not 1 <= len(actions) <= protocol.MOST_ACTIONS:
                raise Refusal(
                    "malformed", say("table.number-of-actions", most=protocol.MOST_ACTIONS, count=len(actions))
                )
            trial = race.copy()
            told = self._next("play", seat)
            entry = Entry(
                table=self.table.id,
                version=told.version,
                kind="play",
                seat=seat,
                actions=list(actions),
                key=key,
                at=told.at,
            )
            try:
                entry.hash = self._perform(trial, seat, actions, told, at_once=True)
            except IllegalAction as error:
                raise Refusal.of("illegal", error) from None
            entries = [entry]
            changes: dict[str, Any] = {"turn": trial.turn}
            if trial.over:
                entries.append(Entry(table=self.table.id, version=told.version + 1, kind="over", at=told.at))
                changes |= {"status": "over", "ended": told.at, "ranking": trial.ranking}
            seats = []
            if visitor is not None and self.seats[seat].away:  # whoever chooses is back
                seats = [self._with(seat, away=False)]
            await self._record(entries, changes, seats)
            self.race = trial
            self._win_chances.of(trial)
            self._publish([told, *(Told(e.version, e.at, e.kind, None) for e in entries[1:])])
            return told.version

    async def retract(self, visitor: str, seat: int, key: str | None = None) -> int:
        """Take a choice back that nobody has seen."""
        async with self._lock:
            if key is not None and (known := self._keys.get(key)) is not None:
                return known
            race = self.running()
            self.check_own(visitor, seat)
            trial = race.copy()
            try:
                trial.retract(seat)
            except IllegalAction as error:
                raise Refusal.of("illegal", error) from None
            if self.clocks.too_late(seat):  # it would be the stand-in's choice at once
                raise Refusal("too-late", say("table.too-late"))
            told = self._next("retract", seat)
            await self._record(
                [Entry(table=self.table.id, version=told.version, kind="retract", seat=seat, key=key, at=told.at)], {}
            )
            self.race = trial
            self._publish([told])
            return told.version

    def consider(self, visitor: str, seat: int, action: str) -> Any:
        """What an action would come to. Raises Refusal, saying why it cannot be done."""
        race = self.running()
        self.check_own(visitor, seat)
        try:
            _check_length(action)
            return race.explain(seat, action)
        except IllegalAction as error:
            raise Refusal("illegal", (error.sentence or OTHER).reworded(error.reason)) from None

    async def back(self, visitor: str, seat: int, key: str | None = None) -> int:
        """The person of a seat takes the reins again."""
        async with self._lock:
            if key is not None and (known := self._keys.get(key)) is not None:
                return known
            self.running()
            self.check_own(visitor, seat)
            if not self.seats[seat].away:
                return self.table.version
            return await self.note("back", seat, seats=[self._with(seat, away=False)], key=key)

    async def say(self, visitor: str, name: str, text: str, key: str) -> None:
        """A line of chat for everybody at the table."""
        async with self._lock:
            if any(said.key == key for said in self.chat):
                return
            own = self.own_seats(visitor)
            said = Said(
                table=self.table.id,
                number=0,
                visitor=visitor,
                name=self.seats[own[0]].name if own else name,
                seat=own[0] if own else None,
                text=text,
                key=key,
                at=time.time(),
            )
            said.number = await self._store.say(said)
            if self.chat and said.number <= self.chat[-1].number:
                return  # it was said long ago
            self.chat.append(said)
            for listener in self.listeners:
                listener.tell(protocol.Chatted(protocol.Spoken.of(said)))

    def running(self) -> Race:
        """The race, while it goes on. Raises Refusal."""
        if self._closed:
            raise Refusal("stale", say("table.elsewhere"))
        if self.table.status == "open" or self.race is None:
            raise Refusal("not-started", say("table.not-started"))
        if self.table.status != "running":
            raise Refusal("over", say("race.over"))
        return self.race

    def _perform(
        self, race: Race, seat: int, actions: Sequence[str], told: Told, *, at_once: bool = False
    ) -> str | None:
        """Play actions and note what everybody may know of them. Returns the hash when all is in the open.

        `at_once`: the seat chose them before it saw what comes of the first. What is refused is as if it had never
        been tried, so nothing that follows a roll or a reveal may be among them: its refusal would tell the future.
        """
        told.actions = tuple(actions)
        viewers: list[Viewer] = [None, *range(race.seats)]
        names = self.names()
        for number, action in enumerate(actions, start=1):
            _check_length(action)
            before = (race.settled, race.turn, race.chance)
            race.play(seat, action)
            if at_once and number < len(actions):
                still = race.to_act == (seat,) and (True, race.turn, race.chance) == before and race.settled
                if not still and not (race.choosing(seat) and race.chance == before[2]):
                    raise IllegalAction(say("table.shows-something-new", action=action))
            for viewer in viewers:
                news = page_events(race.game, race.told(viewer), names)
                told.events.setdefault(viewer, []).extend(news)
        return race.hash() if race.settled else None

    def _next(self, kind: str, seat: int | None) -> Told:
        return Told(self.table.version + 1, time.time(), kind, seat)

    # --- seats -------------------------------------------------------------------------------------------------------

    async def change(self, work: Callable[[Room], Awaitable[int]]) -> int:
        """Let the lobby change the table (sitting down, leaving, starting) while nobody else does."""
        async with self._lock:
            return await work(self)

    async def note(
        self,
        kind: str,
        seat: int | None = None,
        *,
        seats: list[Seat] | None = None,
        changes: dict[str, Any] | None = None,
        race: Race | None = None,
        key: str | None = None,
    ) -> int:
        """Write something to the journal that is not a choice, and tell everybody. Call it within `change`."""
        told = self._next(kind, seat)
        entry = Entry(table=self.table.id, version=told.version, kind=kind, seat=seat, key=key, at=told.at)  # type: ignore[arg-type]
        await self._record([entry], changes or {}, seats or [])
        if race is not None:
            self.race = race
            self._win_chances.of(race)
        self._publish([told])
        return told.version

    def _with(self, seat: int, **changes: Any) -> Seat:
        return msgspec.structs.replace(self.seats[seat], **changes)

    # --- keeping and telling -----------------------------------------------------------------------------------------

    async def _record(self, entries: list[Entry], changes: dict[str, Any], seats: Sequence[Seat] = ()) -> None:
        """To the store, and only then into the room."""
        writing = asyncio.ensure_future(self._store.record(self.table.id, entries, changes=changes, seats=list(seats)))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait([writing])
            writing.exception()  # it is nobody's any more
            self.abandon()  # whoever asked has gone, and nobody was told
            raise
        except Conflict:
            self.abandon()  # another server has gone on with this race
            raise Refusal("stale", say("table.elsewhere")) from None
        except StoreError:
            self.abandon()  # nobody knows whether it was kept
            raise
        self._keep(entries, changes, seats)

    def _keep(self, entries: list[Entry], changes: dict[str, Any], seats: Sequence[Seat]) -> None:
        for entry in entries:
            if entry.key:
                self._keys[entry.key] = entry.version
        self.table = msgspec.structs.replace(self.table, version=entries[-1].version, **changes)
        for seat in seats:
            self.seats[seat.seat] = seat

    def _publish(self, news: list[Told]) -> None:
        self.used = time.monotonic()
        self.told.extend(news)
        self._tell_clocks(news)
        self._ask_again()
        self._bots.stir()
        drawn: Drawn = {}
        moments: dict[Viewer, msgspec.Raw] = {}
        seated = any(told.kind == "seat" for told in news)
        begun = time.thread_time()
        for listener in self.listeners:
            viewer = listener.looking
            if viewer is not None and self.seats[viewer].visitor != listener.visitor:
                self.look(listener, None)  # the seat has gone to somebody else, and so have its secrets
                continue
            if viewer is None and seated and len(own := self.own_seats(listener.visitor)) == 1:
                self.look(listener, own[0])  # somebody who watched has sat down
                continue
            if viewer not in moments:
                moments[viewer] = encoded([told.to(viewer) for told in news])
            state = self.state_for(listener.visitor, viewer, drawn)
            listener.version = self.table.version
            listener.tell(protocol.Update(state, moments[viewer]))  # type: ignore[arg-type]
        if self.pace is not None:
            keeping = KEEPING if self._attended() else KEEPING_ALONE
            self.pace.of(self.asker.address or "").charge(keeping + time.thread_time() - begun)
        self._go_on()

    def _tell_clocks(self, news: list[Told]) -> None:
        """Let the clocks know how long pages take to show the news."""
        if self.race is not None:
            events = sum(len(told.events.get(None, ())) for told in news)
            self.clocks.told(len(self.seats), events * self.race.game.pace)

    @property
    def closed(self) -> bool:
        return self._closed

    # --- clocks and bots ---------------------------------------------------------------------------------------------

    def _ask_again(self, *, opening: bool = False) -> None:
        """Note since when each seat owes its choice, and until when it has time."""
        news = self.told[-1] if self.told else None
        acted = news is not None and news.kind in ("play", "retract")
        before = {seat: self.clocks.asked(seat) for seat in self.waiting()}
        self.clocks.ask(
            self.waiting(),
            owners=[seat.visitor for seat in self.seats],
            stand_ins=[seat.seat for seat in self.seats if seat.kind == "bot" or seat.away],
            version=self.table.version,
            number=0 if self.race is None else self.race.resolved,
            answered=news.seat if news is not None and acted else None,
            opening=opening or (news is not None and news.kind == "start"),
        )
        for seat, asked in before.items():
            if self.clocks.asked(seat) != asked:
                self._bots.ask_anew(seat)

    def driven(self, seat: int) -> bool:
        """Whether a bot drives the seat now."""
        return self.seats[seat].kind == "bot" or self.seats[seat].away or self.clocks.spent(seat)

    def _go_on(self) -> None:
        """Set clocks and bots to work on what is owed now."""
        self._set_timer()
        if not self._closed:
            self._bots.go_on()

    def _set_timer(self) -> None:
        """Wake up when the next clock runs out."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        first = self.clocks.first()
        deadline = None if first is None else self.clocks.deadline(first)
        if deadline is not None and not self._closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, deadline - time.monotonic()) + 0.05, self._run_out)

    def _run_out(self) -> None:
        self.look_after(self._send_away())

    async def _send_away(self) -> None:
        """Whoever ran out of time is driven by a bot until the person returns."""
        async with self._lock:
            for seat in self.clocks.over():
                if self._closed:
                    return
                try:
                    await self.note("away", seat, seats=[self._with(seat, away=True)])
                except StoreError:
                    return  # the store logs it; the clock goes on in the next room
                except SpinaError as error:
                    log.error("table %s: the clock of seat %s: %s", self.table.id, seat, error)

    def lot(self, seat: int) -> int:
        """A seed for thoughts about a seat's choice, the same whenever this question is thought about."""
        text = f"{self.table.salt}:{self.table.version}:{seat}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())


def _check_length(action: str) -> None:
    if len(action) > protocol.MOST_ACTION_TEXT:
        raise IllegalAction(say("table.action-too-long", most=protocol.MOST_ACTION_TEXT))
