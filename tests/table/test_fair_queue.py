"""Whose question a bot's worker takes next."""

from __future__ import annotations

from collections import Counter

import pytest

from spina.table.bots import fair_queue
from spina.table.bots.fair_queue import Asker, Entry, FairQueue


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(fair_queue, "time", clock)
    return clock


def table(name: str, address: str | None = "192.0.2.1", *, attended: bool = True) -> Asker:
    return Asker(name, address, lambda: attended)


def served(queue: FairQueue[str], clock: Clock, seconds: float = 1.0) -> str | None:
    """Let one worker answer the next question."""
    entry = queue.take()
    if entry is None:
        return None
    clock.now += seconds
    queue.done(entry)
    return entry.item


def all_served(queue: FairQueue[str], clock: Clock, seconds: float = 1.0) -> list[str]:
    found = []
    while (item := served(queue, clock, seconds)) is not None:
        found.append(item)
    return found


def test_questions_of_one_table_are_answered_in_their_order(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    anna = table("a")
    for item in "123":
        queue.add(item, anna)
    assert len(queue) == 3
    assert all_served(queue, clock) == ["1", "2", "3"]
    assert len(queue) == 0


def test_sixty_tables_of_one_address_delay_another_address_by_one_question(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(60):
        for seat in range(6):
            queue.add(f"flood {number} {seat}", table(f"f{number}", "192.0.2.66"))
    assert served(queue, clock) == "flood 0 0"
    for turn in range(20):
        queue.add(f"easy {turn}", table("easy", "192.0.2.1"))
        assert served(queue, clock, 0.001) == f"easy {turn}"
        assert str(served(queue, clock)).startswith("flood")


def test_an_address_is_charged_for_time_not_for_questions(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    long, short = table("long", "192.0.2.66"), table("short", "192.0.2.1")
    for number in range(100):
        queue.add(f"long {number}", long)
        queue.add(f"short {number}", short)
    used = Counter[str]()
    for _ in range(60):
        entry = queue.take()
        assert entry is not None
        name = entry.item.split()[0]
        took = 1.0 if name == "long" else 0.1
        clock.now += took
        queue.done(entry)
        used[name] += round(took * 10)
    assert abs(used["long"] - used["short"]) <= 10


def test_tables_of_one_address_share_its_time(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(10):
        queue.add(f"busy {number}", table("busy"))
    queue.add("quiet", table("quiet"))
    assert served(queue, clock) == "busy 0"
    assert served(queue, clock) == "quiet"


def test_waiting_for_long_earns_no_credit_and_having_been_alone_costs_nothing(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("before", table("b", "192.0.2.2"))
    assert served(queue, clock) == "before"
    for _ in range(50):  # one address has the workers for itself
        queue.add("alone", table("a", "192.0.2.1"))
        served(queue, clock, 10.0)
    for number in range(6):
        queue.add(f"a{number}", table("a", "192.0.2.1"))
        queue.add(f"b{number}", table("b", "192.0.2.2"))
    first = all_served(queue, clock)
    assert Counter(item[0] for item in first[:6]) == {"a": 3, "b": 3}


def test_races_without_people_and_what_can_wait_come_after_races_with_people(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("leisure", table("l"), leisurely=True)
    for number in range(3):
        queue.add(f"alone {number}", table("a", attended=False))
    queue.add("people", table("p"))
    assert all_served(queue, clock)[:3] == ["people", "leisure", "alone 0"]


def test_somebody_who_comes_to_a_race_makes_its_questions_theirs(clock: Clock) -> None:
    people = False
    queue: FairQueue[str] = FairQueue(alone_per_address=1)
    coming = Asker("c", "192.0.2.1", lambda: people)
    queue.add("other", table("o", "192.0.2.1", attended=False))
    queue.add("coming", coming)
    people = True
    queue.attend(coming)
    assert all_served(queue, clock) == ["coming", "other"]


def test_only_so_many_races_without_people_are_under_way(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue(alone_at_once=3, alone_per_address=2)
    askers = [table(f"{address}{number}", address, attended=False) for address in "xyz" for number in range(5)]
    for asker in askers:
        queue.add(asker.table, asker)
    begun = set()
    for _ in range(30):
        item = served(queue, clock, 0.01)
        assert item is not None
        begun.add(item)
        queue.add(item, next(asker for asker in askers if asker.table == item))  # the race goes on
    assert begun == {"x0", "y0", "z0"}


def test_an_address_has_a_limit_of_its_own_for_races_without_people(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue(alone_at_once=10, alone_per_address=2)
    for number in range(5):
        queue.add(f"x{number}", table(f"x{number}", "x", attended=False))
    assert all_served(queue, clock, 0.01) == ["x0", "x1"]
    clock.now += fair_queue.UNDER_WAY + 1  # those are over: others may begin
    assert all_served(queue, clock, 0.01) == ["x2", "x3"]
    clock.now += fair_queue.UNDER_WAY + 1
    assert all_served(queue, clock, 0.01) == ["x4"]


def test_races_of_unknown_addresses_are_limited_in_all_only(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue(alone_at_once=4, alone_per_address=1)
    for number in range(6):
        queue.add(f"{number}", table(f"{number}", None, attended=False))
    assert all_served(queue, clock, 0.01) == ["0", "1", "2", "3"]


def test_one_of_several_workers_is_left_to_people(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue(workers=3)
    for number in range(5):
        queue.add(f"alone {number}", table(f"a{number}", attended=False))
    busy: list[Entry[str] | None] = [queue.take() for _ in range(3)]
    assert busy[0] is not None and busy[1] is not None and busy[2] is None
    queue.add("people", table("p"))
    entry = queue.take()
    assert entry is not None and entry.item == "people"
    queue.done(busy[0])
    assert queue.take() is not None


def test_one_address_does_not_get_a_second_worker_while_another_waits(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue(workers=2)
    for number in range(4):
        queue.add(f"x{number}", table(f"x{number}", "x"))
    queue.add("y", table("y", "y"))
    first, second = queue.take(), queue.take()
    assert first is not None and second is not None
    assert {first.item[0], second.item} == {"x", "y"}


def test_quick_questions_of_races_with_people_can_be_taken_apart(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("search", table("a"))
    queue.add("quick", table("a"), quick=True)
    queue.add("quick alone", table("n", attended=False), quick=True)
    entry = queue.take_quick()
    assert entry is not None and entry.item == "quick"
    assert queue.take_quick() is None
    queue.done(entry)
    assert all_served(queue, clock) == ["search", "quick alone"]


def test_what_nobody_wants_any_more_is_taken_out(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    entries = [queue.add(f"{number}", table(f"{number}", attended=number % 2 == 0)) for number in range(6)]
    for entry in entries[1:]:
        queue.discard(entry)
        queue.discard(entry)
    assert len(queue) == 1
    assert all_served(queue, clock) == ["0"]
    queue.discard(entries[0])
    assert len(queue) == 0


def test_clearing_gives_back_everything_that_waits(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue(alone_per_address=1)
    queue.add("people", table("p"))
    queue.add("alone 1", table("a1", attended=False))
    queue.add("alone 2", table("a2", attended=False))
    queue.add("leisure", table("p"), leisurely=True)
    assert sorted(queue.clear()) == ["alone 1", "alone 2", "leisure", "people"]
    assert len(queue) == 0 and queue.take() is None


def test_tables_and_addresses_are_forgotten(clock: Clock) -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(3 * fair_queue.LOOKED_THROUGH):
        queue.add("once", table(f"{number}", f"address {number}"))
        served(queue, clock, 0.001)
        clock.now += 1.0
    assert len(queue._tables) <= fair_queue.LOOKED_THROUGH + fair_queue.REMEMBERED
    assert len(queue._addresses) <= fair_queue.LOOKED_THROUGH + fair_queue.REMEMBERED


def test_a_table_whose_address_becomes_known_counts_for_it(clock: Clock) -> None:
    """After a restart of the server addresses are not known until people come back."""
    queue: FairQueue[str] = FairQueue()
    asker = Asker("back", None, lambda: False)
    queue.add("back 1", asker)
    asker.address, asker.attended = "192.0.2.1", lambda: True
    queue.attend(asker)
    queue.add("other", table("other", "192.0.2.1"))
    assert all_served(queue, clock) == ["back 1", "other"]
    assert queue._addresses["192.0.2.1"].used >= 2.0
