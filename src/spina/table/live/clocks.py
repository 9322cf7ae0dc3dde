"""Clocks: how long each seat may think about the choice that it owes, and from when on.

People cannot choose while their page still shows what has just happened. A seat's clock therefore starts when a page of
the seat says that it has shown the news, or when the offer is sent to a program over HTTP. Without such a
word it starts by itself after the time that pages usually take to show the news, `LONGEST_SHOW` at most, so that the
others cannot be kept waiting by silence.

All instants are those of `time.monotonic`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LONGEST_SHOW = 12.0
"""Most seconds that a clock waits for the word that the news has been shown. A race that begins, and one that goes on
after a restart of the server, wait as long as this: pages are being opened then."""
SHORTEST_SHOW = 2.0
"""Seconds that a clock waits for that word when there is no news to show: the page and the line need some time, too."""
STAND_IN_PAUSE = 2.0
"""Seconds before each choice of a stand-in while no page of the person is open, lest the race be over before the
person is back."""
STAND_IN_VISIBLE = 5.0
"""Seconds for which a person whose page is open sees the question before the stand-in chooses."""


class Reading(NamedTuple):
    """What a clock shows."""

    left: float
    """Seconds left for the choice."""
    starts: float
    """Seconds until the clock starts by itself, if it is not started before; 0: it runs."""


@dataclass(slots=True)
class Question:
    """A choice that a seat owes, or has made and may still take back."""

    since: int
    """Version of the table at which the seat was asked."""
    asked: int
    """Version at which it was asked last: each step of a choice asks for the next one."""
    number: int
    """`Race.resolved` when it was asked. The steps of a choice, and a choice taken back, belong to one question."""
    at: float
    """When it was asked."""
    starts: float
    """When its clock starts, at the latest; infinite while another seat at the same screen chooses first."""
    stand_in: bool
    """Whether a stand-in answers for the person."""
    handed: float
    """When the stand-in took over."""
    renewed: bool = False
    """Whether the person has come back and got the whole time once more."""
    spent: bool = False
    """Whether the person came back again with no time left: the stand-in still makes this one choice."""


class Clocks:
    """The clocks of a table. `seconds`: for each choice; None: there is no time limit."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._owed: dict[int, Question] = {}
        self._made: dict[int, Question] = {}
        """Of the seats that owe no choice, the last question: a choice that is taken back is owed again."""
        self._caught_up: dict[int, float] = {}
        """Of each seat, when its page will have shown everything that it was told, as far as can be reckoned."""

    # --- asking ------------------------------------------------------------------------------------------------------

    def told(self, seats: int, seconds: float) -> None:
        """Every seat was told news that a page needs this many seconds to show."""
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
        """Take note of who owes a choice now.

        `owners` are the visitors by seat, `stand_ins` the seats that bots drive, `answered` is the seat that has just
        acted. `opening`: pages are only being opened.
        """
        now = time.monotonic()
        for seat in [seat for seat in self._owed if seat not in waiting]:
            self._made[seat] = self._owed.pop(seat)
        for seat in waiting:
            known = self._owed.pop(seat, None) or self._made.get(seat)
            if known is not None and known.number != number and (seat == answered or seat in self._made):
                known = None  # it has been answered for good
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
        """Seconds after which a page will have shown the news, as far as can be reckoned."""
        return min(LONGEST_SHOW, max(0.0, self._caught_up.get(seat, now) - now) + SHORTEST_SHOW)

    def _hand(self, question: Question, stand_in: bool, now: float) -> None:
        """The reins change hands, perhaps."""
        if question.stand_in and not stand_in:
            if question.renewed:
                question.spent = True  # a second return within one question must not stall the others
            else:
                question.renewed, question.starts = True, now
        elif stand_in and not question.stand_in:
            question.handed = now
        question.stand_in = stand_in

    def _queue_up(self, owners: Sequence[str | None], now: float) -> None:
        """People at one screen choose one after the other: a clock does not start before it is the seat's turn."""
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
        """Whether the stand-in chooses this once although the person is back."""
        question = self._owed.get(seat)
        return question is not None and question.spent

    # --- starting and running out ------------------------------------------------------------------------------------

    def shown(self, seat: int, version: int) -> bool:
        """A page has shown the seat everything up to this version. Returns whether that starts its clock."""
        question = self._owed.get(seat)
        if question is None or version < question.since:
            return False
        now = time.monotonic()
        self._caught_up[seat] = now
        if question.starts <= now:
            return False
        question.starts = now
        return True

    def deadline(self, seat: int) -> float | None:
        """When the time of a seat runs out; None if no clock limits it, and before it is known."""
        question = self._owed.get(seat)
        if self.seconds is None or question is None or question.stand_in or question.spent:
            return None
        return question.starts + self.seconds if question.starts < math.inf else None

    def first(self) -> int | None:
        """The seat whose time runs out first."""
        limits = {seat: limit for seat in self._owed if (limit := self.deadline(seat)) is not None}
        return min(limits, key=lambda seat: limits[seat], default=None)

    def over(self) -> list[int]:
        """Seats whose time has run out."""
        now = time.monotonic()
        return [seat for seat in self._owed if (limit := self.deadline(seat)) is not None and limit <= now]

    def too_late(self, seat: int) -> bool:
        """Whether a choice that was made cannot be taken back because the time for it has run out."""
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
