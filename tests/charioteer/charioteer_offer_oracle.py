"""Offers and explanations made the slow way: legal steps, taken one by one on copies of the race."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play import events
from spina.games.charioteer.play.actions import (
    LETTERS,
    Card,
    Choice,
    Crowd,
    Done,
    Step,
    Symbol,
    Token,
    slot_number,
    step,
    step_code,
)
from spina.games.charioteer.play.explanation import Breakdown, discard_tokens
from spina.games.charioteer.play.offer import DiscardOffer, MoveOffer, Offer, ResetOffer, WildSlots
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules.record import (
    AT_CARDS,
    AT_CROWD,
    AT_DISCARD_TOKEN,
    AT_DISCARDS,
    AT_SYMBOL,
    AT_TOKEN,
    AT_WILD,
    EDITION,
    HAND,
    NOTHING,
    PLACES,
    RACE,
    READY,
    STEPS,
)
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance

WITH_CROWD = "+"
"""Follows the letters of a card set that includes the crowd card."""
LONGEST_MOVE = 400
"""More events than one seat's move can have."""


def slow_offer(race: Bytes, edition: CharioteerEdition, seat: int) -> Offer:
    """All choices of the seat, and what the longest move with each symbol leads to."""
    asker = _Asker(edition, seat)
    begun = asked_anew(race, edition)
    state = glance(begun, RACE)
    hand = state.hand[seat].tolist()
    slots = {LETTERS[slot]: hand[slot] for slot in range(HAND) if hand[slot] != NOTHING}
    crowd = int(state.crowd[0])
    tokens = [s.token for s in asker.steps(begun, AT_TOKEN) if isinstance(s, Token) and s.token is not None]
    plain = asker.after(begun, AT_TOKEN, Token(None))
    found: dict[str, MoveOffer] = {}
    for symbol in asker.symbols(plain):
        move = found[symbol] = _described(edition, symbol, slots, crowd)
        move.sets = asker.card_sets(asker.after(plain, AT_SYMBOL, Symbol(symbol)))
        move.best = _longest(race, edition, seat, move)
    for token in tokens:
        laid = asker.after(begun, AT_TOKEN, Token(token))
        for symbol in asker.symbols(laid):
            move = found.setdefault(symbol, _described(edition, symbol, slots, crowd))
            move.tokens.append(token)
            changeable = asker.changeable(asker.after(laid, AT_SYMBOL, Symbol(symbol)))
            if changeable is not None:
                move.wild = changeable
    order = [name for name in edition.symbol_names if name in found]
    reset = Choice("reset", next(iter(slots)))
    return Offer(
        most=PLACES,
        moves=[found[name] for name in order],
        reset=ResetOffer(cards="".join(slots), best=slow_explain(race, edition, seat, reset)),
        discards=_discards(begun, edition, seat),
    )


def _described(edition: CharioteerEdition, symbol: str, slots: dict[str, int], crowd: int) -> MoveOffer:
    """A symbol, and how often each hand card and the crowd card show it."""
    data = glance(edition.data, EDITION)
    shows = data.shows[:, edition.symbol_names.index(symbol)].tolist()
    symbols_on = data.symbols_on
    return MoveOffer(
        symbol=symbol,
        cards={slot: shows[card] for slot, card in slots.items() if shows[card]},
        free="".join(slot for slot, card in slots.items() if not symbols_on[card]),
        crowd=shows[crowd],
        sets=[],
        tokens=[],
        wild=None,
        best=None,
    )


def _longest(race: Bytes, edition: CharioteerEdition, seat: int, move: MoveOffer) -> Breakdown:
    """What the card set with the most symbols leads to; of several sets, the smallest."""

    def symbols(cards: str) -> int:
        shown: dict[str, int] = {**move.cards, WITH_CROWD: move.crowd}
        return sum(shown.get(slot, 0) for slot in cards)

    best = max(move.sets, key=lambda cards: (symbols(cards), -len(cards)))
    crowd = best.endswith(WITH_CROWD)
    return slow_explain(race, edition, seat, Choice(move.symbol, best.removesuffix(WITH_CROWD), crowd))


def _discards(race: Bytes, edition: CharioteerEdition, seat: int) -> list[DiscardOffer]:
    """The discard tokens in hand, and how many cards each may put away."""
    tokens = discard_tokens(race, edition, seat)
    return [DiscardOffer(token=name, most=most) for name, most in tokens.items()]


# --- steps ----------------------------------------------------------------------------------------------------------


def asked_anew(race: Bytes, edition: CharioteerEdition) -> Bytes:
    """A copy in which all seats begin their choices again, so that one seat's choice does not resolve the turn."""
    work, data = race.copy(), edition.data
    for seat in range(int(glance(work, RACE).seats)):
        entries.retract(work, data, seat)
    return work


class _Asker:
    """Takes a seat's steps on copies of the race and lists the legal steps after them."""

    def __init__(self, edition: CharioteerEdition, seat: int) -> None:
        self._edition, self._seat = edition, seat
        self._story = new_story(0)
        self._menu = np.zeros(STEPS, np.int64)

    def stage(self, race: Bytes) -> int:
        return int(glance(race, RACE).stage[self._seat])

    def steps(self, race: Bytes, stage: int) -> list[Step]:
        """The legal steps, if the choice is at this stage; none if the rules have skipped it."""
        if self.stage(race) != stage:
            return []
        count = entries.legal(race, self._edition.data, self._seat, self._menu)
        return [step(self._edition, code) for code in self._menu[:count].tolist()]

    def after(self, race: Bytes, stage: int, taken: Step) -> Bytes:
        """A copy after this step; the race itself if the stage was skipped."""
        if self.stage(race) != stage:
            return race
        work = race.copy()
        entries.apply(work, self._edition.data, self._seat, step_code(self._edition, taken), self._story)
        return work

    def symbols(self, race: Bytes) -> list[str]:
        return [s.symbol for s in self.steps(race, AT_SYMBOL) if isinstance(s, Symbol) and s.symbol != "reset"]

    def card_sets(self, race: Bytes) -> list[str]:
        """All sets of cards that make a move with the chosen symbol, such as "abd" or, with the crowd card, "ab+"."""
        found = []
        for crowd, work in self._crowds(race):
            found += [cards + (WITH_CROWD if crowd else "") for cards in self._completions(work, "")]
        return found

    def changeable(self, race: Bytes) -> WildSlots | None:
        """The cards that a wild may change, without and with the crowd card; None without a wild."""
        found = WildSlots("", "")
        for crowd, work in self._crowds(race):
            if self.stage(work) == AT_CARDS:
                return None
            slots = "".join(s.slot for s in self.steps(work, self.stage(work)) if isinstance(s, Card))
            if crowd:
                found.with_crowd = slots
            else:
                found.without = slots
        return found

    def _crowds(self, race: Bytes) -> Iterator[tuple[bool, Bytes]]:
        """The race after each legal step about the crowd card."""
        answers = [s for s in self.steps(race, self.stage(race)) if isinstance(s, Crowd)]
        if not answers:
            yield False, race
        for answer in answers:
            yield answer.crowd, self.after(race, self.stage(race), answer)

    def _completions(self, race: Bytes, cards: str) -> list[str]:
        """All card sets that begin with these cards."""
        if self.stage(race) != AT_CARDS:
            return [cards]  # no further card is legal, so the rules have skipped the stage
        found = []
        for taken in self.steps(race, AT_CARDS):
            if isinstance(taken, Done):
                found.append(cards)
            elif isinstance(taken, Card):
                found += self._completions(self.after(race, AT_CARDS, taken), cards + taken.slot)
        return found


# --- what a choice leads to -----------------------------------------------------------------------------------------


def slow_explain(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Breakdown:
    """What a legal choice leads to, from the events of a forecast."""
    work = asked_anew(race, edition)
    state, story = glance(work, RACE), new_story(LONGEST_MOVE)
    while state.stage[seat] != READY:
        code = step_code(edition, next_step(state, seat, choice))
        assert entries.check(work, edition.data, seat, code) == entries.OK
        entries.apply(work, edition.data, seat, code, story)
    story[0, 0] = 0
    entries.forecast(work, edition.data, seat, story)
    told = events.decode(edition, story[1 : story[0, 0] + 1].tolist())
    counted = next((e for e in told if isinstance(e, events.Counted)), events.Counted(seat, 0, 0, 0, 0, 0, 0))
    whip = next((e for e in told if isinstance(e, events.Whipped)), None)
    return Breakdown(
        choice=str(choice),
        number=counted.number,
        symbols=counted.symbols,
        token=counted.token,
        skill=counted.skill,
        damage=counted.damage,
        points=counted.points,
        recovered=sum(e.cubes for e in told if isinstance(e, events.Recovered))
        + sum(e.damage for e in told if isinstance(e, events.Calmed)),
        progress=int(state.progress[seat]),
        space=int(state.progress[seat]) % edition.spaces,
        lane=int(state.lane[seat]),
        passes=tuple(e.rival for e in told if isinstance(e, events.Passed)),
        whips=whip.whips if whip else 0,
        whip_spaces=whip.spaces if whip else 0,
        whip_ended=whip.ended if whip else None,
        attack=sum(e.cubes for e in told if isinstance(e, events.Attacked)),
        shielded=any(isinstance(e, events.Shielded | events.Calmed) for e in told),
        learns=tuple((e.colour, e.place, e.bonus) for e in told if isinstance(e, events.Learned)),
        fan_token=any(isinstance(e, events.FanToken) and not e.empty for e in told),
    )


def next_step(state: Any, seat: int, choice: Choice) -> Step:
    """The next step towards the choice."""
    stage = state.stage[seat]
    if stage == AT_TOKEN:
        return Token(choice.token)
    if stage == AT_SYMBOL:
        return Symbol(choice.symbol)
    if stage == AT_CROWD:
        return Crowd(choice.crowd)
    if stage == AT_WILD:
        return Card(choice.wild or "")
    if stage == AT_CARDS:
        return _next_card(choice.cards, int(state.played[seat]))
    if stage == AT_DISCARD_TOKEN:
        return Token(choice.discard_token)
    assert stage == AT_DISCARDS
    return _next_card(choice.discards, int(state.discarded[seat]))


def _next_card(letters: str, taken: int) -> Step:
    for letter in sorted(letters):
        if not taken >> slot_number(letter) & 1:
            return Card(letter)
    return Done()
