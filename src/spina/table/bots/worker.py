"""`python -m spina.table.bots.worker`: the process in which bots think. `thinking` starts and asks it."""

from __future__ import annotations

import os
import queue
import re
import threading
import traceback
from functools import lru_cache

import msgspec
import numpy as np

from spina import bots
from spina.bots import network_weights, reasons
from spina.bots.levels import OF_GAME
from spina.errors import SpinaError
from spina.games import get
from spina.games.editions import Edition
from spina.race import Race
from spina.table.bots import subprocesses
from spina.table.bots.bot_pool import Advice, Answer, Asked, Because, Inquiry, Option, Question, Situation, call, called

EDITIONS = 16
"""Editions that are kept in mind."""
CANDIDATES = 6
"""Choices that advice speaks of."""
LOOKED_AT = 48
"""Among so many of those that the search liked best."""


def choose(question: Question) -> str:
    """What the bot would do, in notation. Raises SpinaError."""
    return str(bots.make(question.bot, game=question.game, seed=question.seed).choose(_race(question), question.seat))


def advise(inquiry: Inquiry) -> Advice:
    """What the search of the strongest level thinks. Raises SpinaError.

    The search tries what it likes best most often and the others hardly ever. What it found is therefore weighed once
    more, each choice by itself and all with the same luck, so that they can be compared.
    """
    race, seat = _race(inquiry), inquiry.seat
    if inquiry.chosen is None:
        found = _search(inquiry).advise(race, seat, LOOKED_AT).candidates
        different = {_head(str(each.action)): str(each.action) for each in reversed(found)}
        actions = [str(each.action) for each in found if str(each.action) in different.values()][:CANDIDATES]
        weighed = [_weighed(inquiry, race, action, len(actions)) for action in actions]
        weighed.sort(key=lambda each: -each[0].chances[seat])
        return _advice(race, seat, weighed, None)
    best = str(_search(inquiry).advise(race, seat, 1).candidates[0].action)
    chosen = _weighed(inquiry, race, inquiry.chosen)
    if best == inquiry.chosen:
        return _advice(race, seat, [chosen], chosen)
    return _advice(race, seat, [_weighed(inquiry, race, best)], chosen)


def _head(action: str) -> str:
    """What a choice is about: of those that differ in a detail only, advice speaks of the best."""
    return re.split("[:,]", action, maxsplit=1)[0]


Weighed = tuple[Option, tuple[float, ...]]
"""A choice, and the seat's figures after it."""


def _weighed(inquiry: Inquiry, race: Race, action: str, share: int = 1) -> Weighed:
    found = _search(inquiry, share).weigh(race, inquiry.seat, action)
    return Option(action, [round(chance, 4) for chance in found.chances], found.tried), found.figures


def _advice(race: Race, seat: int, weighed: list[Weighed], chosen: Weighed | None) -> Advice:
    best, figures = weighed[0]
    others = [each[1] for each in weighed[1:]] if chosen is None else [chosen[1]]
    why = None
    if others:
        average = np.mean(others, axis=0).tolist()
        why = reasons.reason(race.game.features_in(race.edition), network_weights.load(race.game), figures, average)
    options = [option for option, _ in weighed]
    return Advice(seat, options, best.chances, _because(why), None if chosen is None else chosen[0])


def _search(inquiry: Inquiry, share: int = 1) -> bots.Search:
    return bots.Search(
        get(inquiry.game),
        iterations=max(1, inquiry.iterations // share),
        milliseconds=inquiry.milliseconds / share,
        manner=OF_GAME[inquiry.game]["expert"].manner,
        seed=inquiry.seed,
    )


def _because(reason: bots.Reason | None) -> Because | None:
    if reason is None:
        return None
    return Because(reason.figure.replace(" ", "-"), reason.more, round(reason.amount, 2))


def _race(situation: Situation) -> Race:
    game, edition = get(situation.game), _edition(situation.game, situation.edition_text)
    state = np.frombuffer(situation.state, np.uint8).copy()
    race = Race(game, edition, situation.seats, situation.options, 0, state)
    if situation.choosing:
        race._steps[situation.seat] = [game.read(edition, step) for step in situation.choosing]
    return race


@lru_cache(maxsize=EDITIONS)
def _edition(game: str, text: str | None) -> Edition:
    return get(game).reference() if text is None else get(game).parse_edition(text, "edition")


_Call = tuple[int, bytes]
_Calls = queue.SimpleQueue[_Call]


def _listen(questions: _Calls, quick_ones: _Calls) -> None:
    while (message := subprocesses.hear()) is not None:
        number, quick, question = called(message)
        (quick_ones if quick else questions).put((number, question))
    os._exit(0)  # the server has ended; whatever is being thought about is of no use


class _Speaker:
    """Answers questions, from several threads."""

    def __init__(self) -> None:
        self._speak = subprocesses.stand_back()
        self._turn = threading.Lock()
        self._printed: set[str] = set()  # each mistake's traceback is shown once

    def say(self, number: int, answer: Answer) -> None:
        with self._turn:
            self._speak.write(subprocesses.framed(call(number, False) + msgspec.msgpack.encode(answer)))

    def answer_all(self, questions: _Calls) -> None:
        """Answer one question after the other, for ever. What cannot be understood ends the process."""
        decoder: msgspec.msgpack.Decoder[Asked] = msgspec.msgpack.Decoder(Asked)
        try:
            while True:
                number, question = questions.get()
                self.say(number, self._answer(decoder.decode(question)))
        except BaseException:
            traceback.print_exc()
            os._exit(1)

    def _answer(self, asked: Asked) -> Answer:
        try:
            return Answer(action=choose(asked)) if isinstance(asked, Question) else Answer(advice=advise(asked))
        except SpinaError as error:
            return Answer(problem=str(error))
        except Exception as error:  # a mistake in a bot: it would be made again, so nobody need be replaced
            problem = f"{type(error).__name__}: {error}"
            if problem not in self._printed:
                self._printed.add(problem)
                traceback.print_exc()
            return Answer(problem=problem)


def main() -> None:
    """Answer questions until the server ends: searches in this thread and quick ones in another.

    Kernels release the interpreter's lock, so that the quick ones need not wait for a search.
    """
    speaker = _Speaker()
    questions: _Calls = queue.SimpleQueue()
    quick_ones: _Calls = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, quick_ones), daemon=True).start()
    threading.Thread(target=speaker.answer_all, args=(quick_ones,), daemon=True).start()
    speaker.say(0, Answer())  # ready to be asked
    speaker.answer_all(questions)


if __name__ == "__main__":
    main()
