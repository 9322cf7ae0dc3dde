"""The legal steps of a choice against a search through all choices, one by one, in positions made at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from charioteer_positions import scatter_hands

import spina
from spina.games import get
from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play import explanation
from spina.games.charioteer.play.actions import Choice
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules import record as r
from spina.games.charioteer.rules.record import EDITION, NOTHING, RACE, RESET
from spina.kernel.compiler import INTERPRETED
from spina.kernel.narration import silence
from spina.kernel.random import new_dice
from spina.kernel.record import Bytes, blank, look

POSITIONS = 120 if not INTERPRETED else 40


class Move(NamedTuple):
    """A complete move or reset, all but discards."""

    token: int
    symbol: int
    crowd: int
    wild: int
    cards: tuple[int, ...]


def moves(race: Any, edition: Any, seat: int) -> Iterator[Move]:
    """Every move and reset that the rules allow, by trying all of them (C4, C5, C7, C12, C17, C18)."""
    slots = [slot for slot in range(r.HAND) if race.hand[seat, slot] != NOTHING]
    hands = [cards for size in range(1, r.PLACES + 1) for cards in combinations(slots, size)]
    yield from (Move(NOTHING, RESET, 0, NOTHING, cards) for cards in hands)
    held = [kind for kind in range(edition.kinds) if race.tokens[seat, kind] and edition.kind_icon[kind] != r.DISCARD]
    shown = [[int(edition.shows[race.hand[seat, slot], symbol]) for symbol in range(r.SYMBOLS)] for slot in range(8)]
    crowd_shown = edition.shows[race.crowd[0]]
    for symbol in range(r.SYMBOLS):
        fitting = {slot for slot in slots if shown[slot][symbol] or not any(shown[slot])}
        tokens = [k for k in held if edition.kind_colour[k] in (r.ANY_COLOUR, edition.symbol_colour[symbol])]
        for crowd in range(2):
            if crowd and crowd_shown.any() and not crowd_shown[symbol]:
                continue
            from_crowd = 1 if crowd and crowd_shown[symbol] else 0
            for cards in hands:
                for wild in (NOTHING, *cards):
                    others = [slot for slot in cards if slot != wild]
                    showing = sum(shown[slot][symbol] > 0 for slot in others) + from_crowd + (wild != NOTHING)
                    if fitting.issuperset(others) and showing >= r.FEWEST_SHOWING:
                        for token in (NOTHING, *tokens):
                            wants = token != NOTHING and edition.kind_icon[token] == r.WILD
                            if wants == (wild != NOTHING):
                                yield Move(token, symbol, crowd, wild, cards)


def steps_of(move: Move) -> list[int]:
    """The steps of a move, one for each stage and card; a wild's card first, the others from a to h."""
    steps = [r.DO_NO_TOKEN if move.token == NOTHING else r.DO_TOKEN + move.token, r.DO_SYMBOL + move.symbol]
    steps.append(r.DO_CROWD if move.crowd else r.DO_NO_CROWD)
    if move.wild != NOTHING:
        steps.append(r.DO_SLOT + move.wild)
    return [*steps, *(r.DO_SLOT + slot for slot in move.cards if slot != move.wild), r.DO_DONE]


def wanted(all_steps: list[list[int]], taken: list[int]) -> tuple[list[int], list[int]]:
    """The steps taken, with those that had to be, and the legal steps then; none if the move is complete."""
    while True:
        after = {steps[len(taken)] for steps in all_steps if steps[: len(taken)] == taken and len(steps) > len(taken)}
        skipped = {0: r.DO_NO_TOKEN, 2: r.DO_NO_CROWD}.get(len(taken), r.DO_DONE)
        if after != {skipped}:
            return taken, sorted(after)
        taken = [*taken, skipped]


def discard_steps(race: Any, edition: Any, seat: int, played: set[int]) -> list[list[int]]:
    """Every way to discard cards with a token, and not to."""
    left = [slot for slot in range(r.HAND) if race.hand[seat, slot] != NOTHING and slot not in played]
    found = [[r.DO_NO_TOKEN]]
    for kind in range(edition.kinds):
        if race.tokens[seat, kind] and edition.kind_icon[kind] == r.DISCARD:
            for size in range(1, edition.kind_value[kind] + 1):
                for cards in combinations(left, size):
                    found.append([r.DO_TOKEN + kind, *(r.DO_SLOT + slot for slot in cards), r.DO_DONE])
    return found


def scattered(seed: int, edition: Bytes) -> Bytes:
    """A position with random tokens and hands, some of them small, some with many cards that show no symbol."""
    chance, data = random.Random(seed), blank(RACE)
    entries.set_up(data, edition, np.array([r.SEATS], np.int64), new_dice(seed))
    scatter_hands(look(data, RACE), look(edition, EDITION), chance)
    entries.adopt(data, edition)
    return data


def legal(data: Bytes, edition: Bytes, seat: int) -> list[int]:
    out = np.zeros(r.STEPS, np.int64)
    return out[: entries.legal(data, edition, seat, out)].tolist()  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(POSITIONS))
def test_steps_are_those_that_lead_to_a_choice(seed: int) -> None:
    edition_bytes = get("charioteer").reference().data
    edition, chance = look(edition_bytes, EDITION), random.Random(seed)
    data = scattered(seed, edition_bytes)
    race = look(data, RACE)
    for seat in range(r.SEATS - 1):  # the last one would end the turn
        hand = {slot for slot in range(r.HAND) if race.hand[seat, slot] != NOTHING}
        all_steps = [steps_of(move) for move in moves(race, edition, seat)]
        taken, steps = wanted(all_steps, [])
        discarding = False
        while True:
            if not steps and not discarding:
                discarding = True
                played = {step - r.DO_SLOT for step in taken if r.DO_SLOT <= step < r.DO_DONE}
                assert played <= hand
                all_steps = discard_steps(race, edition, seat, played)
                taken, steps = [], sorted({steps[0] for steps in all_steps})
                if steps == [r.DO_NO_TOKEN]:
                    steps = []
            assert legal(data, edition_bytes, seat) == steps
            if not steps:
                assert race.stage[seat] == r.READY
                break
            step = chance.choice(steps)
            entries.apply(data, edition_bytes, seat, step, silence())
            if discarding:
                taken = [*taken, step]
                after = {s[len(taken)] for s in all_steps if s[: len(taken)] == taken and len(s) > len(taken)}
                steps = [] if after <= {r.DO_DONE} else sorted(after)
            else:
                taken, steps = wanted(all_steps, [*taken, step])


def mutated(choice: Choice, edition: CharioteerEdition, chance: random.Random) -> Choice:
    """A choice with one field changed at random, often to something illegal."""
    letters = "".join(chance.sample("abcdefgh", chance.randint(0, 4)))
    field, value = chance.choice(
        [
            ("symbol", chance.choice([*edition.symbol_names, "reset", "purple-9"])),
            ("cards", letters),
            ("cards", choice.cards[::-1]),
            ("cards", choice.cards + choice.cards[:1]),
            ("crowd", not choice.crowd),
            ("token", chance.choice([None, *edition.kind_names, "nothing"])),
            ("wild", chance.choice([None, *"abcdefgh"])),
            ("discard_token", chance.choice([None, "discard", *edition.kind_names])),
            ("discards", letters),
        ]
    )
    return msgspec.structs.replace(choice, **{field: value})


@pytest.mark.parametrize("seed", range(12))
def test_a_choice_whose_steps_are_legal_has_no_objection_and_the_other_way_round(seed: int) -> None:
    """`steps_of` looks for an objection only if the steps do not make up the choice."""
    race, chance = spina.new("charioteer", seats=4, seed=seed), random.Random(seed)
    edition, bot = get("charioteer").reference(), spina.bots.make("longest", game="charioteer", seed=seed)
    assert isinstance(edition, CharioteerEdition)
    agreed = {True: 0, False: 0}
    for _ in range(40):
        if race.over:
            break
        seat = chance.choice(race.to_act)
        choice = bot.choose(race, seat)
        for _ in range(8):
            other = choice
            for _ in range(chance.randint(0, 3)):
                other = mutated(other, edition, chance)
            wanted = explanation.meant(race._bytes, edition, seat, other)
            whole = explanation.tried(race._bytes, edition, seat, wanted).whole
            assert whole == (explanation.objection(race._bytes, edition, seat, wanted) is None)
            assert whole == (race.check(seat, other) is None)
            agreed[whole] += 1
        race.play(seat, choice)
    assert min(agreed.values()) > 20
