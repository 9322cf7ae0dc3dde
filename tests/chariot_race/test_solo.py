"""A chariot alone on the track: the solution agrees with a plain one, with the rules, and with what is kept of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from rules_page_helpers import table

import spina
from spina.errors import OptionError
from spina.games.chariot_race.bots import solo, solo_table
from spina.games.chariot_race.components.edition import ChariotRaceEdition, parse, reference, template
from spina.games.chariot_race.rules.record import EDITION
from spina.kernel.record import look

SMALL_COURSE = """[course]
lanes = { value = 2, source = "printed" }
line = { value = 3, source = "printed" }
source = "printed"
sections = [
  "straight: straight, half 1, length 5, spaces 5 5",
  "bend: bend, half 2, length 3, spaces 2 3",
]
[corners]
source = "printed"
list = ["bend a 1: speed 1", "bend b 2: speed 2"]
[heaps]
source = "printed"
list = ["bend a 2"]
[grid]
source = "printed"
list = ["straight b 3", "straight a 3", "straight b 2", "straight a 2", "straight b 1", "straight a 1"]

"""
FIGURES = {
    "laps": 1, "repair_cost": 1, "repair_points": 1, "fortune_cost": 1, "dice": 2,
}  # fmt: skip
PLAIN = {
    "most_condition": 3, "most_speed": 3, "most_fate": 1, "first_condition": 3, "first_speed": 1, "first_fate": 1,
}  # fmt: skip


@cache
def small() -> ChariotRaceEdition:
    """Two lanes of seven and eight spaces, one lap, two dice, short tracks: few enough states to be solved by hand."""
    text = template()
    course, plain = text.index("[course]\n"), text.index("[plain]\n")
    text = text[:course] + SMALL_COURSE + text[plain:]
    for name, value in FIGURES.items():
        text, times = re.subn(rf"^{name} = {{ value = \d+", f"{name} = {{ value = {value}", text, flags=re.MULTILINE)
        assert times == 1, name
    for name, value in PLAIN.items():
        text = re.sub(rf"^{name} = {{ value = \d+", f"{name} = {{ value = {value}", text, count=1, flags=re.MULTILINE)
    text = re.sub(r"(?<=\[plain.dice\])([^[]*values = )\[[^]]*\]", r"\g<1>[2, 2, 2, 1]", text)
    text = re.sub(r"(?<=\[plain.limit\])([^[]*values = )\[[^]]*\]", r"\g<1>[1, 2, 3]", text)
    text = re.sub(r"^values = \[5[^]]*\]", lambda found: re.sub(r"[3-5]", "2", found[0]), text, flags=re.MULTILINE)
    return parse(text, "small.toml")


class ByHand:
    """The same solution once more, written down as the rules tell a turn: every roll, every subset, every path."""

    def __init__(self, edition: ChariotRaceEdition, heaps: bool, wreck: float) -> None:
        self.edition, self.wreck = edition, wreck
        self.next = look(edition.data, EDITION).next.tolist()
        self.heap = [heaps and heap for heap in edition.heap]
        self.value: dict[tuple[int, ...], float] = {}
        spaces = [space for space in range(edition.spaces) if not self.heap[space]]
        for lap in (0, -1):
            for space in sorted(spaces, key=lambda space: -edition.front[space]):
                if lap == 0 or space in edition.grid:
                    self.solve(lap, space)

    def solve(self, lap: int, space: int) -> None:
        """Only standing still leads back here, and always with speed 0."""
        states = [(lap, space, *rest) for rest in itertools.product(range(4), range(1, 4), range(2))]
        self.value.update(dict.fromkeys(states, 0.0))
        standing = [state for state in states if state[2] == 0]
        while self.improve(standing) > 1e-9:
            pass
        self.improve(states)

    def improve(self, states: list[tuple[int, ...]]) -> float:
        """Every value from the values after the turn; the greatest change."""
        change = 0.0
        self.ends: dict[tuple[int, ...], float] = {}
        turns: dict[tuple[int, ...], float] = {}
        for lap, space, *values in states:
            starts = [*self.repaired(*values)]
            for start in starts:
                if start not in turns:
                    turns[start] = self.turn(lap, space, *start)
            rounds = 1.0 + min(turns[start] for start in starts)
            change = max(change, abs(rounds - self.value[lap, space, *values]))
            self.value[lap, space, *values] = rounds
        return change

    def repaired(self, speed: int, condition: int, fate: int) -> Iterator[tuple[int, int, int]]:
        yield min(speed, condition), condition, fate
        if condition < 3 and fate >= 1:
            yield min(speed, condition + 1), condition + 1, fate - 1

    def turn(self, lap: int, space: int, speed: int, condition: int, fate: int) -> float:
        faces, known = self.edition.die, {}

        def rolled(dice: tuple[int, ...], again: tuple[int, ...], fate: int) -> float:
            total = 0.0
            for roll in itertools.product(faces, repeat=len(again)):
                fresh = iter(roll)
                total += bought(tuple(next(fresh) if i in again else side for i, side in enumerate(dice)), fate)
            return total / len(faces) ** len(again)

        def bought(dice: tuple[int, ...], fate: int) -> float:
            dice = tuple(sorted(dice))
            if (dice, fate) not in known:
                best = self.stop(lap, space, speed, condition, fate, dice)
                if fate >= 1:
                    for again in subsets(len(dice)):
                        if again:
                            best = min(best, rolled(dice, again, fate - 1))
                    for i, side in itertools.product(range(len(dice)), range(4)):
                        if side != dice[i]:
                            best = min(best, bought((*dice[:i], side, *dice[i + 1 :]), fate - 1))
                known[dice, fate] = best
            return known[dice, fate]

        count = (2, 2, 2, 1)[speed]
        firsts: dict[tuple[int, ...], int] = {}
        for roll in itertools.product(faces, repeat=count):
            firsts[tuple(sorted(roll))] = firsts.get(tuple(sorted(roll)), 0) + 1
        best = {roll: min(rolled(roll, again, fate) for again in subsets(count)) for roll in firsts}
        return sum(best[roll] * times for roll, times in firsts.items()) / len(faces) ** count

    def stop(self, lap: int, space: int, speed: int, condition: int, fate: int, dice: tuple[int, ...]) -> float:
        changes, sprints, steers, _, fortuna = (dice.count(side) for side in range(5))
        if condition - sprints <= 0:
            return self.wreck
        rounds = []
        for signs in itertools.product((1, -1), repeat=changes):
            then = max(0, min(3, speed + sum(signs) + 2 * sprints))
            rounds.append(self.path(lap, space, then, then, steers, condition - sprints, min(1, fate + fortuna)))
        return min(rounds)

    def path(self, lap: int, space: int, speed: int, steps: int, steers: int, condition: int, fate: int) -> float:
        """Rounds after this turn, for the best of all paths."""
        if self.heap[space] or condition <= 0:
            return self.wreck
        if steps == 0:
            return 0.0 if lap >= 1 else self.value[lap, space, speed, condition, fate]
        state = (lap, space, speed, steps, steers, condition, fate)
        if state not in self.ends:
            best = self.wreck
            for way, then in enumerate(self.next[space]):
                if then >= 0 and (way == 0 or steers > 0):
                    crossed = self.edition.front[then] < self.edition.front[space]
                    number = self.edition.number[then]
                    damage = max(0, speed - number) if number else 0
                    rest = (speed, steps - 1, steers - (way > 0), condition - damage, fate)
                    best = min(best, self.path(lap + crossed, then, *rest))
            self.ends[state] = best
        return self.ends[state]


def subsets(count: int) -> list[tuple[int, ...]]:
    return [chosen for size in range(count + 1) for chosen in itertools.combinations(range(count), size)]


@pytest.mark.slow
def test_solution_agrees_with_one_that_writes_out_every_roll_and_path() -> None:
    edition = small()
    solution = solo.solve(edition, "AB", wreck=9.0)
    by_hand = ByHand(edition, True, 9.0)
    assert len(by_hand.value) == (14 + 6) * 24
    for (lap, *state), rounds in by_hand.value.items():
        assert solution.values[(lap + 1, *state)] == pytest.approx(rounds, abs=1e-7), (lap, *state)


def test_nothing_would_change_if_the_solution_were_computed_further() -> None:
    assert 0.0 <= solo.solve(small(), "AB").residual < 1e-11


@cache
def solved(board: str) -> solo.Solution:
    """The reference edition's."""
    return solo.solve(reference(), board)


@pytest.mark.slow
def test_the_rules_page_has_the_expected_rounds_from_every_starting_space() -> None:
    _, *spaces = (heading := table("chariot-race", "", "o36", "m32"))[0]
    for sides, *rounds in heading[1:]:
        starts = solved(sides.removeprefix("sides ").replace(" and ", "")).starts
        assert rounds == [f"{starts[space]:.2f}" for space in spaces], sides


@pytest.mark.slow
def test_races_by_the_rules_take_as_long_as_the_solution_says() -> None:
    """Every choice by the solution, all else by the rules: the mean lies where it must, wrecks counted as agreed."""
    solution = solved("AA")
    rounds = solo.race_alone(solution, 3000, seed=5, place=1)
    counted = np.abs(rounds) + solution.wreck * (rounds < 0)
    margin = 3.5 * counted.std() / np.sqrt(len(counted))
    assert abs(counted.mean() - solution.starts["m32"]) < margin < 0.08


def test_more_of_anything_good_never_costs_rounds() -> None:
    values = solo.solve(small()).values[1]
    assert (np.diff(values[:, :, 1:], axis=2) <= 1e-9).all()
    assert (np.diff(values[:, :, 1:], axis=3) <= 1e-9).all()


def test_chance_of_a_wreck_falls_when_a_wreck_counts_for_more() -> None:
    chances = [solo.chances_of_wreck(solo.solve(small(), "AB", wreck=wreck)) for wreck in (2.0, 50.0)]
    for space, chance in chances[0].items():
        assert 0.0 <= chances[1][space] <= chance <= 1.0


@pytest.mark.slow
def test_kept_tables_are_the_solution_of_the_reference_edition() -> None:
    """One board of four is computed anew."""
    edition = reference()
    assert int(look(edition.data, EDITION).plain_key) == solo_table.KNOWN
    assert solo_table.solo_tables().shape[0] == len(solo.BOARDS)
    solution = solo.solve(edition, "BA", credit=solo.CREDIT)
    kept = solo_table.solo_tables()[solo.BOARDS.index("BA")]
    assert np.abs(kept - solo_table.PARTS * solution.values[1:].ravel()).max() <= 0.501


def test_the_solution_is_used_whatever_the_individual_chariots_are() -> None:
    def with_change(old: str, new: str) -> ChariotRaceEdition:
        assert template().count(old) == 1
        return parse(template().replace(old, new), "changed.toml")

    def known(edition: ChariotRaceEdition) -> bool:
        return bool(look(edition.data, EDITION).plain_key == solo_table.KNOWN)

    fewer_dice = "values = [5, 5, 5, 5, 5, 5, 4, 4, 4, 3, 3, 2, 2, 2]"
    other_wild_one = with_change(fewer_dice, fewer_dice.replace("4, 4, 4", "4, 4, 3"))
    assert other_wild_one.hash != reference().hash
    assert known(other_wild_one)
    assert not known(with_change('"straight-2 middle 5"', '"straight-2 middle 6"'))
    races = [
        spina.simulate("chariot-race", seats=4, races=20, drivers="competent", seed=3, edition=edition)
        for edition in (reference(), other_wild_one)
    ]
    assert (races[0]["hash"] == races[1]["hash"]).all()


def test_a_space_beyond_the_line_can_be_worth_something() -> None:
    plain, credited = solo.solve(small()), solo.solve(small(), credit=0.1)
    assert all(credited.starts[space] < rounds for space, rounds in plain.starts.items())


@pytest.mark.parametrize("wrong", [{"board": "AC"}, {"kind": 7}, {"wreck": -1.0}, {"credit": 2.0}])
def test_solve_refuses_what_makes_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        solo.solve(small(), **wrong)  # type: ignore[arg-type]


def test_a_lane_shorter_than_a_move_is_refused() -> None:
    text = small().text.replace("most_speed = { value = 3", "most_speed = { value = 7", 1)
    text = re.sub(r"(?<=\[plain.dice\])([^[]*values = )\[[^]]*\]", r"\g<1>[2, 2, 2, 1, 1, 1, 1, 1]", text)
    with pytest.raises(OptionError, match="too short"):
        solo.solve(parse(text, "short.toml"))
