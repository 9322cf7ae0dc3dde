"""A room: the actor that owns a table's replica in this server while the table is in use.

The room's lock serializes all changes. A change is tried on a copy of the race and written to the store; only then does
the copy replace the race, and the change is published to all listeners. A change that fails has no effect. If another
server has appended to the journal meanwhile, the room follows its entries and tries the change again.
"""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any

import msgspec

from spina.errors import Conflict, IllegalAction, StoreError
from spina.race import Race
from spina.sentences import OTHER
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.fair_queue import Asker
from spina.table.http.rate_limits import Buckets
from spina.table.instrumentation import NO_INSTRUMENTATION
from spina.table.live import protocol
from spina.table.live.bot_seats import BotSeats
from spina.table.live.chat import Chat
from spina.table.live.clocks import Clocks
from spina.table.live.deadlines import Deadlines
from spina.table.live.journal_follower import JournalFollower
from spina.table.live.listener import Listener, Told, Viewer
from spina.table.live.other_servers import OtherServers
from spina.table.live.publisher import Publisher
from spina.table.live.replica import Replica, check_length
from spina.table.live.viewer_states import Snapshot, ViewerStates
from spina.table.refusals import Refusal, say
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Seat, StartedClock, Table

ATTEMPTS = 20
"""Attempts of a change while other servers append to the same journal; the pauses between them grow to 0.1 s."""
ATTENDED = 30.0
"""Seconds after the last request of a person for which a race without open pages still counts as attended."""


class Room(Replica):
    """One table in use."""

    def __init__(self, table: Table, seats: list[Seat], store: Store, bot_pool: BotPool) -> None:
        super().__init__(table, seats)
        # The parts refer to the room weakly: without reference cycles a closed room is freed at once. The server
        # hardly ever collects all garbage, because that would stop it for tenths of a second (garbage.py).
        itself: Room = weakref.proxy(self)
        self.listeners: set[Listener] = set()
        self.chat = Chat(itself, store)
        self.used = time.monotonic()
        self.on_duty: Callable[[], bool] = lambda: True
        """Whether bots and clocks of the table are this server's work."""
        self.others = OtherServers(itself, store)
        self.following = JournalFollower(itself, store)
        self.on_abandon: Callable[[Room], None] | None = None
        """Called with the room when it is abandoned, so that a new one continues the race."""
        self.asker = Asker(table.id, None, partial(_is_attended, weakref.ref(self)))
        self.pace: Buckets | None = None
        """Rate limit by address, in seconds of processor time, for recording and publishing bots' choices."""
        self.is_interpreted: Callable[[], bool] = lambda: False
        """Whether the game is still being compiled. Its time is not charged then: it is slow, and not their doing."""
        self.instruments = NO_INSTRUMENTATION
        self._visited = -ATTENDED
        self._store, self._bot_pool = store, bot_pool
        self.lock = asyncio.Lock()
        """Held during a change."""
        self._states = ViewerStates(itself)
        self.publisher = Publisher(itself, self._states)
        self.clocks = Clocks(table.clock)
        self._deadlines = Deadlines(itself)
        self._bots = BotSeats(itself, bot_pool)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self.begins: float | None = None
        """When the rematch begins without those who have not accepted it (`time.monotonic`). For an open table this is
        its own race, for a finished one the next."""

    # --- opening and closing -----------------------------------------------------------------------------------------

    def replay(self, journal: Iterable[Entry]) -> None:
        super().replay(journal)
        self._ask_again(opening=True)

    def wake(self) -> None:
        """Start bots and clocks, if they are this server's work."""
        self._go_on()

    def relieve(self) -> None:
        """Stop bots and clocks: they are another server's work now."""
        self._deadlines.stop()
        self._bots.close()

    def close(self) -> None:
        """Cancel all tasks and timers. The store has everything that must not be lost."""
        self._closed = True
        self.publisher.forget()
        self._deadlines.stop()
        self._bots.close()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()

    def abandon(self) -> None:
        """Close the room, because the store may be ahead of it, and let all listeners reconnect to a new one."""
        self.close()
        for listener in list(self.listeners):
            listener.part()
        if self.on_abandon is not None:
            self.on_abandon(self)

    @property
    def idle(self) -> bool:
        """Whether the room may be closed: it has no listeners, no bot thinks, no clock runs."""
        return not (self.listeners or self._bots.thinking or self.clocks.first() is not None or self.lock.locked())

    def run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task until it is done or the room is closed."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- visitors and seats ------------------------------------------------------------------------------------------

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
        """Note that a visitor is here: the table's bots get the priority of a race with people.

        Their time is charged to the host's address; after a restart, to that of the first of its people to return.
        """
        known, before = self.asker.address, self.visited
        if known is None and (self.table.host == visitor or self.own_seats(visitor)):
            self.asker.address = address
        self._visited = time.monotonic()
        self._bot_pool.attend(self.asker)
        if not before or known is not self.asker.address:
            self.others.tell_presence()

    def charge_to(self, address: str) -> None:
        """Charge the table's bots to an address that another server knows, unless one is known here."""
        if self.asker.address is None:
            self.asker.address = address
            self._bot_pool.attend(self.asker)

    @property
    def visited(self) -> bool:
        """Whether there was a request of a person in the last ATTENDED seconds."""
        return time.monotonic() - self._visited < ATTENDED

    def is_attended(self) -> bool:
        """Whether people are here: a page is open, or there was a request in the last ATTENDED seconds."""
        return bool(self.listeners) or self.others.anybody or self.visited

    # --- listeners ---------------------------------------------------------------------------------------------------

    def enter(self, listener: Listener, known: int | None) -> None:
        """Add a listener and send it the state with all moments, or those after the version that it knows."""
        self.publisher.flush()
        self.used = time.monotonic()
        self.listeners.add(listener)
        self._bots.wake_stand_ins()
        complete = known is not None and 0 <= known <= self.table.version
        after = known if complete and known is not None else 0
        listener.version = self.table.version
        moments = [told.to(listener.looking) for told in self.told if told.version > after]
        listener.tell(self._welcome(listener, moments, complete=complete))
        self.tell_seats(but=listener)
        self.others.tell_presence()

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self._bots.wake_stand_ins()
        self.used = time.monotonic()
        self.tell_seats()
        self.others.tell_presence()

    def is_here(self, visitor: str | None) -> bool:
        """Whether a page of a visitor is open, here or at another server."""
        return visitor is not None and visitor in self.present()

    def present(self) -> set[str]:
        """Visitors with open pages; of those at other servers only people with a seat."""
        return {listener.visitor for listener in self.listeners} | self.others.visitors()

    def look(self, listener: Listener, seat: Viewer) -> None:
        """Switch a page to another seat of its visitor, and send all moments again as that seat may know them."""
        if seat is not None:
            self.check_own(listener.visitor, seat)
        self.publisher.flush()
        listener.looking = seat
        listener.version = self.table.version
        moments = [told.to(seat) for told in self.told]
        listener.tell(self._welcome(listener, moments, complete=False))

    def shown(self, seat: int, version: int) -> None:
        """Start the seat's clock, because a page has shown it everything up to this version."""
        if self.clocks.shown(seat, version):
            self._clock_started(seat)

    def _clock_started(self, seat: int) -> None:
        """Let this server and the others go by the new start of a seat's clock."""
        self._go_by_clock(seat)
        since = self.clocks.since(seat)
        if self.table.clock is not None and since is not None:
            self.others.tell_clock(StartedClock(table=self.table.id, seat=seat, since=since, starts=time.time()))

    def _go_by_clock(self, seat: int) -> None:
        self._bots.wake_stand_ins()
        if self.clocks.deadline(seat) is not None:
            self._tell_time()
        self._deadlines.set()

    def follow_clocks(self, started: Iterable[StartedClock]) -> None:
        """Go by the clocks that pages at other servers have started."""
        for clock in started:
            if self.clocks.follow(clock.seat, clock.since, time.monotonic() + clock.starts - time.time()):
                self._go_by_clock(clock.seat)

    def _tell_time(self) -> None:
        """Tell all listeners what the clocks show. The table's version stays the same."""
        self.publisher.flush()
        for listener in self.listeners:
            left, starts = self._states.clock(listener.looking)
            listener.tell(protocol.Clock(self.table.version, left, starts))

    def give_more_time(self, visitor: str, seat: int) -> int:
        """Give a seat the whole time again for the choice that it owes. Returns the version, which stays the same.

        Raises Refusal if other people take part, and if no clock of the seat runs.
        """
        self.running()
        self.check_own(visitor, seat)
        if not self.may_have_more_time(visitor):
            raise Refusal("not-now", say("table.others-wait"))
        if not self.clocks.renew(seat):
            raise Refusal("not-now", say("table.no-clock"))
        self._clock_started(seat)
        return self.table.version

    def presence_changed(self) -> None:
        """Note that people came or left at another server."""
        self._bot_pool.attend(self.asker)
        self._bots.wake_stand_ins()
        self.tell_seats()

    def tell_seats(self, but: Listener | None = None) -> None:
        """Tell all listeners except one who is here and which bots warm up. The table's version stays the same."""
        news = protocol.Presence(self._states.people(self.waiting()), self._states.watchers())
        for other in self.listeners:
            if other is not but:
                other.tell(news)

    # --- state -------------------------------------------------------------------------------------------------------

    def is_warming_up(self, seat: Seat) -> bool:
        """Whether a driver chooses for the seat's bot, because the search is not compiled yet."""
        return seat.kind == "bot" and seat.bot is not None and self._bot_pool.is_warming_up(self.table.game, seat.bot)

    def may_judge(self, visitor: str) -> bool:
        """Whether a visitor may know the chances: spectators, people at tables with hints, and all after the race."""
        return self.table.status == "over" or self.table.hints or not self.own_seats(visitor)

    def chances(self) -> list[float] | None:
        """Every seat's chance to win, for those who may know it."""
        return None if self.race is None else self._win_chances.of(self.race)

    def state_for(self, visitor: str, looking: Viewer, shared: Snapshot | None = None) -> protocol.State:
        """The table's state for a visitor. `shared`: what it has in common with the states of other visitors."""
        return self._states.state(visitor, looking, shared or self._states.snapshot([looking]))

    def forget_offers(self) -> None:
        """Make all offers anew, because another race has taken the place of the one before."""
        self._states.forget_offers()

    def _welcome(self, listener: Listener, moments: list[protocol.Moment], *, complete: bool) -> protocol.Welcome:
        state = self.state_for(listener.visitor, listener.looking)
        return protocol.Welcome(state, moments, self.chat.shown(), complete)

    # --- choices -----------------------------------------------------------------------------------------------------

    async def play(
        self, visitor: str | None, seat: int, actions: Sequence[str], key: str | None = None, version: int | None = None
    ) -> int:
        """Play these actions, all or none. Returns the version under which they are stored. `visitor` None: a bot."""
        arrived = time.perf_counter()

        async def choose(room: Room) -> int:
            made = await self._play(visitor, seat, actions, key, version)
            self.instruments.choice(self.table.game, by_bot=visitor is None, seconds=time.perf_counter() - arrived)
            return made

        return await self.change(choose, key)

    async def _play(
        self, visitor: str | None, seat: int, actions: Sequence[str], key: str | None, version: int | None
    ) -> int:
        race = self.running()
        if visitor is not None:
            self.check_own(visitor, seat)
            if self.lesson is not None:
                self.lesson.check(race, seat, actions)
        elif not self.driven(seat):
            raise Refusal("stale", say("table.person-is-back"))
        if version is not None and version < (self.clocks.asked(seat) or 0):
            raise Refusal("stale", say("table.stale"))
        if not 1 <= len(actions) <= protocol.MOST_ACTIONS:
            raise Refusal("malformed", say("table.number-of-actions", most=protocol.MOST_ACTIONS, count=len(actions)))
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
            self._perform(trial, seat, actions, told, at_once=True)
        except IllegalAction as error:
            raise Refusal.of("illegal", error) from None
        entry.hash = trial.hash() if trial.settled else None
        entries = [entry]
        changes: dict[str, Any] = {"turn": trial.turn}
        if trial.over:
            entries.append(Entry(table=self.table.id, version=told.version + 1, kind="over", at=told.at))
            changes |= {"status": "over", "ended": told.at, "ranking": trial.ranking}
        seats = []
        if visitor is not None and self.seats[seat].away:  # a person who chooses is back
            seats = [self.with_changes(seat, away=False)]
        await self._record(entries, changes, seats)
        self.race = trial
        self._win_chances.note(trial)
        self._publish([told, *(Told(e.version, e.at, e.kind, None) for e in entries[1:])])
        return told.version

    async def retract(self, visitor: str, seat: int, key: str | None = None) -> int:
        """Take back a choice that has not been revealed."""

        async def take_back(room: Room) -> int:
            race = self.running()
            self.check_own(visitor, seat)
            trial = race.copy()
            try:
                trial.retract(seat)
            except IllegalAction as error:
                raise Refusal.of("illegal", error) from None
            if self.clocks.too_late(seat):  # the stand-in would choose at once
                raise Refusal("too-late", say("table.too-late"))
            return await self.note("retract", seat, race=trial, key=key)

        return await self.change(take_back, key)

    async def begin_step(self, visitor: str, step: str, key: str | None = None) -> int:
        """Begin the next step of a lesson, for its person. Returns the version."""

        async def begin(room: Room) -> int:
            race = self.running()
            if self.lesson is None:
                raise Refusal("unknown", say("table.no-lesson", title=race.game.title))
            self.check_own(visitor, self.lesson.lesson.seat)
            actions, placed = self.lesson.next_step(step, race)
            return await self.note("step", self.lesson.lesson.seat, race=placed, key=key, actions=actions)

        return await self.change(begin, key)

    def consider(self, visitor: str, seat: int, action: str) -> Any:
        """The consequences of an action, which is not played. Raises Refusal if it is illegal."""
        race = self.running()
        self.check_own(visitor, seat)
        try:
            check_length(action)
            return race.explain(seat, action)
        except IllegalAction as error:
            raise Refusal("illegal", (error.sentence or OTHER).reworded(error.reason)) from None

    async def back(self, visitor: str, seat: int, key: str | None = None) -> int:
        """Give a seat back to its person."""

        async def come_back(room: Room) -> int:
            self.running()
            self.check_own(visitor, seat)
            if not self.seats[seat].away:
                return self.table.version
            return await self.note("back", seat, seats=[self.with_changes(seat, away=False)], key=key)

        return await self.change(come_back, key)

    def running(self) -> Race:
        """The running race. Raises Refusal before its start and after its end."""
        if self._closed:
            raise Refusal("stale", say("table.elsewhere"))
        if self.table.status == "open" or self.race is None:
            raise Refusal("not-started", say("table.not-started"))
        if self.table.status != "running":
            raise Refusal("over", say("race.over"))
        return self.race

    def _next(self, kind: str, seat: int | None) -> Told:
        return Told(self.table.version + 1, time.time(), kind, seat)

    # --- changes -----------------------------------------------------------------------------------------------------

    async def change(self, work: Callable[[Room], Awaitable[int]], key: str | None = None) -> int:
        """Run a change under the room's lock. Returns its version.

        A change with the key of an earlier one has happened already. If another server was first, the work is done
        again on what that server has made of the table.
        """
        async with self.lock:
            try:
                return await self._try(work, key)
            finally:
                self.following.follow_heard()
                self.publisher.flush()

    async def _try(self, work: Callable[[Room], Awaitable[int]], key: str | None) -> int:
        for attempt in range(1, ATTEMPTS + 1):
            self.following.follow_arrived()
            if key is not None and (known := self._keys.get(key)) is not None:
                return known
            try:
                return await work(self)
            except Conflict:
                await self.following.after_conflict(attempt)
            except Refusal:  # the replica may be behind: only the newest state refuses
                if attempt == ATTEMPTS or self._closed or not (self._store.shared and await self.following.read()):
                    raise
        self.abandon()
        raise Refusal("stale", say("table.elsewhere"))

    async def note(
        self,
        kind: str,
        seat: int | None = None,
        *,
        seats: list[Seat] | None = None,
        changes: dict[str, Any] | None = None,
        race: Race | None = None,
        key: str | None = None,
        actions: Sequence[str] = (),
        holder: str | None = None,
        following: tuple[Table, Sequence[Seat]] | None = None,
    ) -> int:
        """Write an entry that is not a choice to the journal, and publish it. Call it within `change`.

        `holder` and `following` are those of `Store.record`.
        """
        told = self._next(kind, seat)
        told.actions = tuple(actions)
        entry = Entry(
            table=self.table.id,
            version=told.version,
            kind=kind,  # type: ignore[arg-type]
            seat=seat,
            actions=list(actions),
            key=key,
            at=told.at,
        )
        await self._record([entry], changes or {}, seats or [], holder=holder, following=following)
        if race is not None:
            self.race = race
            self.forget_offers()
            self._win_chances.note(race)
        self._publish([told])
        return told.version

    def with_changes(self, seat: int, **changes: Any) -> Seat:
        """A seat with some fields changed."""
        return msgspec.structs.replace(self.seats[seat], **changes)

    # --- recording and publishing ------------------------------------------------------------------------------------

    async def _record(
        self, entries: list[Entry], changes: dict[str, Any], seats: Sequence[Seat] = (), **more: Any
    ) -> None:
        """Write entries and changes to the store, and only then apply them to the room. `more`: see `Store.record`."""
        record = self._store.record(self.table.id, entries, changes=changes, seats=list(seats), **more)
        writing = asyncio.ensure_future(record)
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait([writing])
            writing.exception()  # mark it as retrieved
            self.abandon()  # the request was cancelled, and nothing was published
            raise
        except Conflict:
            raise  # nothing was stored: another server was first
        except StoreError:
            self.abandon()  # it is not known whether the entries were stored
            raise
        self._keep(entries, changes, seats)

    def _publish(self, news: list[Told]) -> None:
        """Note what this server has recorded, and tell all listeners."""
        self.note_told(news)
        self.tell_listeners(news)

    def note_told(self, news: list[Told]) -> None:
        """Note what has happened, and update the clocks."""
        self.told.extend(news)
        self._tell_clocks(news)
        self._ask_again()

    def tell_listeners(self, news: list[Told]) -> None:
        """Tell all listeners, and let bots and clocks go on."""
        self.used = time.monotonic()
        self._bots.wake_stand_ins()
        self.publisher.tell(news)
        self._go_on()

    def tell_listeners_soon(self, news: list[Told]) -> None:
        """The same for news that ask none of the listeners anything: they are told together with what comes soon."""
        self.used = time.monotonic()
        self._bots.wake_stand_ins()
        self.publisher.hold(news)
        self._go_on()

    def _tell_clocks(self, news: list[Told]) -> None:
        """Tell the clocks how long pages take to show the news."""
        if self.race is not None:
            events = sum(len(told.events(None)) for told in news)
            self.clocks.told(len(self.seats), events * self.race.game.pace)

    @property
    def closed(self) -> bool:
        return self._closed

    # --- clocks and bots ---------------------------------------------------------------------------------------------

    def _ask_again(self, *, opening: bool = False) -> None:
        """Update the clocks: which seats owe a choice, and since when."""
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
                self._bots.forget_failures(seat)

    def driven(self, seat: int) -> bool:
        """Whether a bot drives the seat now."""
        return self.seats[seat].kind == "bot" or self.seats[seat].away or self.clocks.spent(seat)

    def _go_on(self) -> None:
        """Start the clocks and bots of the seats that owe a choice."""
        self._deadlines.set()
        if not self._closed and self.on_duty():
            self._bots.go_on()


def _is_attended(room: weakref.ref[Room]) -> bool:
    """Whether people are at a room; False if it is gone, while a question of its bots may still be in the queue."""
    there = room()
    return there is not None and there.is_attended()
