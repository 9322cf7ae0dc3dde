"""Clocks: the time limit of each choice, and when it starts.

People cannot choose while their page still animates what has just happened. A seat's clock therefore starts when a page
of the seat reports that it has shown the news, or when the offer is sent to a program over HTTP. Without a report it
starts by itself after the time that pages usually take to show the news, `LONGEST_SHOW` at most, so that a silent page
cannot keep the others waiting.

All times are those of `time.monotonic`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LONGEST_SHOW = 12.0
"""Maximum seconds that a clock waits for the report that the news has been shown. It waits this long at the start of a
race and after a restart of the server, because pages are being opened then."""
SHORTEST_SHOW = 2.0
"""Seconds that a clock waits for that report when there is no news: time for the page and the network."""
STAND_IN_PAUSE = 2.0
"""Seconds before each choice of a stand-in while no page of the person is open, so that the race is not over before
the person is back."""
STAND_IN_VISIBLE = 5.0
"""Seconds for which a person whose page is open sees the question before the stand-in chooses."""


class Reading(NamedTuple):
    """The state of a clock, as it is shown."""

    left: float
    """Seconds left for the choice."""
    starts: float
    """Seconds until the clock starts by itself, unless it is started earlier; 0: it runs."""


@dataclass(slots=True)
class Question:
    """A choice that a seat owes, or has made and may still take back."""

    since: int
    """Version of the table at which the seat was asked."""
    asked: int
    """Version at which it was asked for the latest step of the choice."""
    number: int
    """`Race.resolved` when it was asked. The steps of a choice, and a choice taken back, belong to one question."""
    at: float
    """When it was asked."""
    starts: float
    """Latest start of its clock; infinite while another seat at the same screen chooses first."""
    stand_in: bool
    """Whether a stand-in chooses for the person."""
    handed: float
    """When the stand-in took over."""
    renewed: bool = False
    """Whether the person has come back and was given the whole time again."""
    spent: bool = False
    """Whether the person came back a second time: the stand-in still makes this one choice."""


class Clocks:
    """The clocks of a table. `seconds`: time limit of each choice; None: no limit."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._owed: dict[int, Question] = {}
        self._made: dict[int, Question] = {}
        """Last question of each seat that owes no choice: needed when the choice is taken back."""
        self._caught_up: dict[int, float] = {}
        """Estimate for each seat of when its page will have shown all the news."""

    # --- questions ---------------------------------------------------------------------------------------------------

    def told(self, seats: int, seconds: float) -> None:
        """Note that every seat was sent news that a page needs this many seconds to show."""
        now = time.monotonic()
        for seat in range(seats):
            self._caught_up[seat] = max(now, self._caught_up.get(seat, now)) + seconds

    def ask(
        self,
        waiting: Sequence[int],
        *,
        owners: Sequence[str | None],
        stand_ins: Collection[int],
        version: int,
        number: int,
        answered: int | None = None,
        opening: bool = False,
    ) -> None:
        """Update which seats owe a choice.

        `owners` are the visitors by seat, `stand_ins` the seats that bots drive, `answered` is the seat that has just
        acted. `opening`: pages are still being opened.
        """
        now = time.monotonic()
        for seat in [seat for seat in self._owed if seat not in waiting]:
            self._made[seat] = self._owed.pop(seat)
        for seat in waiting:
            known = self._owed.pop(seat, None) or self._made.get(seat)
            if known is not None and known.number != number and (seat == answered or seat in self._made):
                known = None  # its choice is resolved: this is a new question
            self._made.pop(seat, None)
            if known is None:
                starts = now + (LONGEST_SHOW if opening else self._show(seat, now))
                known = Question(version, version, number, now, starts, seat in stand_ins, now)
            else:
                known.number = number
                if seat == answered:
                    known.asked = version
            self._hand(known, seat in stand_ins, now)
            self._owed[seat] = known
        self._queue_up(owners, now)

    def _show(self, seat: int, now: float) -> float:
        """Estimated seconds until a page will have shown the news, within the limits."""
        return min(LONGEST_SHOW, max(0.0, self._caught_up.get(seat, now) - now) + SHORTEST_SHOW)

    def _hand(self, question: Question, stand_in: bool, now: float) -> None:
        """Note if the stand-in takes over from the person, or the person from the stand-in."""
        if question.stand_in and not stand_in:
            if question.renewed:
                question.spent = True  # a second return to the same question must not delay the others again
            else:
                question.renewed, question.starts = True, now
        elif stand_in and not question.stand_in:
            question.handed = now
        question.stand_in = stand_in

    def _queue_up(self, owners: Sequence[str | None], now: float) -> None:
        """For people at one screen, who choose one after the other: a clock starts only when it is the seat's turn."""
        choosing: set[str] = set()
        for seat, question in sorted(self._owed.items()):
            owner = owners[seat]
            if question.stand_in or question.spent or owner is None or owner not in choosing:
                if question.starts == math.inf:
                    question.starts = now + self._show(seat, now)
            elif question.starts > now:
                question.starts = math.inf
            if owner is not None and not question.stand_in and not question.spent:
                choosing.add(owner)

    def asked(self, seat: int) -> int | None:
        """The version at which a seat was asked for the choice that it owes; None if it owes none."""
        question = self._owed.get(seat)
        return None if question is None else question.asked

    def spent(self, seat: int) -> bool:
        """Whether the stand-in makes this choice although the person is back."""
        question = self._owed.get(seat)
        return question is not None and question.spent

    # --- starts and deadlines ----------------------------------------------------------------------------------------

    def shown(self, seat: int, version: int) -> bool:
        """Note that a page has shown the seat everything up to this version. Returns whether its clock starts now."""
        question = self._owed.get(seat)
        if question is None or version < question.since:
            return False
        now = time.monotonic()
        self._caught_up[seat] = now
        if question.starts <= now:
            return False
        question.starts = now
        return True

    def since(self, seat: int) -> int | None:
        """The version at which a seat was asked for its choice, before its first step; None: it owes none."""
        question = self._owed.get(seat)
        return None if question is None else question.since

    def follow(self, seat: int, since: int, starts: float) -> bool:
        """Take over the start of a seat's clock from another server. Returns whether it was different."""
        question = self._owed.get(seat)
        if question is None or question.since != since or question.starts == starts:
            return False
        question.starts = starts
        return True

    def renew(self, seat: int) -> bool:
        """Give the seat the whole time again for the choice that it owes. Returns whether its clock was running.

        Clocks are not in the journal, so a race is the same with and without more time.
        """
        now = time.monotonic()
        limit = self.deadline(seat)
        if limit is None or self._owed[seat].starts > now:
            return False
        self._owed[seat].starts = now
        return True

    def deadline(self, seat: int) -> float | None:
        """Deadline of a seat's choice; None if it has no clock, and while the clock's start is not known."""
        question = self._owed.get(seat)
        if self.seconds is None or question is None or question.stand_in or question.spent:
            return None
        return question.starts + self.seconds if question.starts < math.inf else None

    def first(self) -> int | None:
        """The seat with the earliest deadline."""
        limits = {seat: limit for seat in self._owed if (limit := self.deadline(seat)) is not None}
        return min(limits, key=lambda seat: limits[seat], default=None)

    def over(self) -> list[int]:
        """Seats whose deadline has passed."""
        now = time.monotonic()
        return [seat for seat in self._owed if (limit := self.deadline(seat)) is not None and limit <= now]

    def too_late(self, seat: int) -> bool:
        """Whether the deadline of a choice has passed, so that it cannot be taken back."""
        question = self._owed.get(seat) or self._made.get(seat)
        return (
            self.seconds is not None
            and question is not None
            and not question.stand_in
            and question.starts + self.seconds <= time.monotonic()
        )

    def reading(self, seat: int | None) -> Reading | None:
        """The clock that is shown to this seat: its own, or the one that runs out first."""
        limit = None if seat is None else self.deadline(seat)
        if limit is None:
            first = self.first()
            limit = None if first is None else self.deadline(first)
        if limit is None or self.seconds is None:
            return None
        now = time.monotonic()
        starts = max(0.0, limit - self.seconds - now)
        return Reading(max(0.0, min(self.seconds, limit - now)), starts)

    # --- stand-ins ---------------------------------------------------------------------------------------------------

    def stand_in_chooses(self, seat: int, here: bool) -> float:
        """When the stand-in may choose for a seat. `here`: a page of the person is open."""
        question = self._owed.get(seat)
        if question is None or question.spent:
            return 0.0
        if here:
            return max(question.starts, question.handed) + STAND_IN_VISIBLE
        return max(question.at, question.handed) + STAND_IN_PAUSE
