"""`python -m spina.table.bots.worker`: a worker process, in which bots think. `bot_pool` starts it."""

from __future__ import annotations

import os
import queue
import re
import threading
import traceback
from functools import lru_cache

import msgspec

from spina import bots
from spina.errors import IllegalAction, OptionError, SpinaError
from spina.games import background_compile, find
from spina.games.choice_reasons import Reason
from spina.games.editions import Edition
from spina.race import Race
from spina.table.bots import subprocesses
from spina.table.bots.code_loader import CodeLoader
from spina.table.bots.worker_messages import (
    AdviceData,
    AdviceQuestion,
    Answer,
    Asked,
    Option,
    Question,
    Situation,
    call,
    called,
    is_quick,
)

EDITIONS = 16
"""Maximum number of cached editions."""
CANDIDATES = 6
"""Maximum number of candidates in advice."""
LOOKED_AT = 48
"""Number of the search's best choices from which the candidates are selected."""


def choose(question: Question) -> str:
    """The bot's choice, in notation. Raises SpinaError.

    Programs and "module:Class" are refused: the name comes from a table, not from the host.
    """
    if ":" in question.bot:
        raise OptionError(f'the bot "{question.bot}" cannot sit at a table')
    return str(bots.make(question.bot, game=question.game, seed=question.seed).choose(_race(question), question.seat))


def advise(question: AdviceQuestion) -> AdviceData:
    """The advice of the strongest level's search. Raises SpinaError.

    The search gives most of its simulations to the best choices and few to the others. The best are therefore simulated
    again, each with the same number of simulations and the same random numbers, so that they can be compared.
    """
    race, seat = _race(question), question.seat
    if question.chosen is None:
        found = _search(question).advise(race, seat, LOOKED_AT).candidates
        different = {_head(str(each.action)): str(each.action) for each in reversed(found)}
        actions = [str(each.action) for each in found if str(each.action) in different.values()][:CANDIDATES]
        weighed = [_weighed(question, race, action, len(actions)) for action in actions]
        weighed.sort(key=lambda each: -each.chances[seat])
        return _advice(race, seat, weighed, None)
    best = str(_search(question).advise(race, seat, 1).candidates[0].action)
    chosen = _weighed(question, race, question.chosen)
    if best == question.chosen:
        return _advice(race, seat, [chosen], chosen)
    return _advice(race, seat, [_weighed(question, race, best)], chosen)


def _head(action: str) -> str:
    """The main part of a choice. Advice contains only the best of the choices that differ in details."""
    return re.split("[:,]", action, maxsplit=1)[0]


def _weighed(question: AdviceQuestion, race: Race, action: str, share: int = 1) -> Option:
    found = _search(question, share).weigh(race, question.seat, action)
    return Option(action, [round(chance, 4) for chance in found.chances], found.tried)


def _advice(race: Race, seat: int, weighed: list[Option], chosen: Option | None) -> AdviceData:
    best = weighed[0]
    others = [option.action for option in (weighed[1:] if chosen is None else [chosen])]
    against, why = telling(race, seat, best.action, [action for action in others if action != best.action])
    return AdviceData(seat, weighed, best.chances, why, against, chosen)


def telling(race: Race, seat: int, action: str, others: list[str]) -> tuple[str | None, list[Reason]]:
    """The first of the others against which something speaks for the action, and what does.

    Without such a reason it is the first other, with what speaks against the action: then only chances are better.
    """
    found = [(other, _reasons(race, seat, action, other)) for other in others]
    for other, why in found:
        if why and why[0].good:
            return other, why
    return found[0] if found else (None, [])


def _reasons(race: Race, seat: int, action: str, other: str) -> list[Reason]:
    game, edition = race.game, race.edition
    try:
        return game.reasons(
            race.determinized_state(seat, 0), edition, seat, game.read(edition, action), game.read(edition, other)
        )
    except IllegalAction:  # only whole choices can be explained
        return []


def _search(question: AdviceQuestion, share: int = 1) -> bots.Search:
    return bots.Search(
        find(question.game),
        iterations=max(1, question.iterations // share),
        milliseconds=question.milliseconds / share,
        config=find(question.game).strongest_level.config,
        seed=question.seed,
    )


def _race(situation: Situation) -> Race:
    game, edition = find(situation.game), _edition(situation.game, situation.edition_text)
    return Race.from_state(
        game,
        situation.state,
        edition=edition,
        seats=situation.seats,
        options=situation.options,
        choosing={situation.seat: situation.choosing},
    )


@lru_cache(maxsize=EDITIONS)
def _edition(game: str, text: str | None) -> Edition:
    return find(game).reference() if text is None else find(game).parse_edition(text, "edition")


_Call = tuple[int, bytes]
_Calls = queue.SimpleQueue[_Call]


def _listen(questions: _Calls, quick_ones: _Calls) -> None:
    while (message := subprocesses.hear()) is not None:
        number, quick, question = called(message)
        (quick_ones if quick else questions).put((number, question))
    os._exit(0)  # the server has ended


class _Speaker:
    """Writes answers to the server, from several threads."""

    def __init__(self) -> None:
        self._speak = subprocesses.stand_back()
        self._turn = threading.Lock()
        self._loader = CodeLoader()
        self._printed: set[str] = set()  # the traceback of each error is printed once

    def say(self, number: int, answer: Answer) -> None:
        with self._turn:
            try:
                self._speak.write(subprocesses.framed(call(number, False) + msgspec.msgpack.encode(answer)))
            except BrokenPipeError:
                os._exit(0)  # the server has ended

    def answer_all(self, questions: _Calls) -> None:
        """Answer questions for ever. A message that cannot be decoded ends the process."""
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
            if is_quick(asked):
                self._loader.want(asked.game)
            else:
                self._loader.load(asked.game)
            return Answer(action=choose(asked)) if isinstance(asked, Question) else Answer(advice=advise(asked))
        except SpinaError as error:
            return Answer(problem=str(error))
        except Exception as error:  # an error in a bot: a new process would not help, so this one stays
            problem = f"{type(error).__name__}: {error}"
            if problem not in self._printed:
                self._printed.add(problem)
                traceback.print_exc()
            return Answer(problem=problem)


def main() -> None:
    """Answer questions until the server ends: searches in this thread, quick questions in another.

    Kernels release the interpreter's lock, so quick questions need not wait for a search.
    """
    background_compile.disable()
    speaker = _Speaker()
    questions: _Calls = queue.SimpleQueue()
    quick_ones: _Calls = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, quick_ones), daemon=True).start()
    threading.Thread(target=speaker.answer_all, args=(quick_ones,), daemon=True).start()
    speaker.say(0, Answer())  # ready for questions
    speaker.answer_all(questions)


if __name__ == "__main__":
    main()
