"""Messages between the server and the worker processes in which bots think.

A question carries only what the seat may know: the server determinizes the race before it sends the question.
"""

from __future__ import annotations

from typing import Any

import msgspec

from spina.games import find
from spina.games.choice_reasons import Reason
from spina.race import Race

CALL_BYTES = 5


class Situation(msgspec.Struct, frozen=True, kw_only=True, tag_field="asks"):
    """A race as a seat knows it."""

    game: str
    edition_text: str | None
    """None: the reference edition."""
    seats: int
    options: dict[str, Any]
    state: bytes
    """A determinization of the race for the seat."""
    choosing: list[str]
    """The first steps of an incomplete choice of the seat, in notation."""
    seat: int
    seed: int
    """Seed of the bot's random numbers. It must not depend on the seed of the race."""


def _situation(race: Race, seat: int, seed: int) -> dict[str, Any]:
    """The fields of a situation, with the race determinized for the seat."""
    return {
        "game": race.game.name,
        "edition_text": race.game.kept_text(race.edition),
        "seats": race.seats,
        "options": race.options,
        "state": race.determinized_state(seat, seed).tobytes(),
        "choosing": [str(step) for step in race.choosing(seat)],
        "seat": seat,
        "seed": seed,
    }


class Question(Situation, frozen=True, kw_only=True, tag="choice"):
    """Asks for the choice of a bot. The answer is deterministic."""

    bot: str

    @classmethod
    def of(cls, race: Race, seat: int, bot: str, seed: int) -> Question:
        """The question what a bot would choose for this seat."""
        return cls(bot=bot, **_situation(race, seat, seed))


class AdviceQuestion(Situation, frozen=True, kw_only=True, tag="advice"):
    """Asks the search of the strongest level to evaluate the possible choices."""

    iterations: int
    """Maximum simulations to find the best choices, and as many again to compare them."""
    milliseconds: float
    """Time limit for each of the two. If it is not reached, the answer is deterministic."""
    chosen: str | None = None
    """An action to compare with the best, each by `iterations` simulations."""

    @classmethod
    def of(
        cls, race: Race, seat: int, seed: int, *, iterations: int, milliseconds: float, chosen: str | None = None
    ) -> AdviceQuestion:
        """The question for advice for this seat."""
        return cls(iterations=iterations, milliseconds=milliseconds, chosen=chosen, **_situation(race, seat, seed))


class Option(msgspec.Struct, frozen=True):
    """A possible choice in notation, with every seat's chance to win after it.

    The choice of a driver, while the search is not compiled, has no chances and was tried 0 times.
    """

    action: str
    chances: list[float]
    tried: int
    """Number of simulations that began with it."""


class AdviceData(msgspec.Struct, frozen=True):
    """A search's advice, as pages and programs get it: `spina.bots.Advice` as plain data."""

    seat: int
    candidates: list[Option]
    """The best choices, the best first."""
    chances: list[float]
    """Every seat's chance to win with the best choice."""
    reasons: list[Reason]
    """What speaks for the best choice, then what speaks against it, compared with `against`."""
    against: str | None
    """The choice that it is compared with, in notation: `chosen`, or another candidate. None: there is no other."""
    chosen: Option | None = None
    """The chosen action, if the question named it; the only candidate is then the best choice."""


class Answer(msgspec.Struct, frozen=True):
    """A worker's answer: an action in notation, advice, or an error message."""

    action: str | None = None
    advice: AdviceData | None = None
    problem: str | None = None


Asked = Question | AdviceQuestion


def is_quick(question: Asked) -> bool:
    """Whether a driver answers, which takes next to no time; a search takes a second and more."""
    if not isinstance(question, Question):
        return False
    game = find(question.game)
    level = game.level(question.bot)
    return question.bot in game.drivers or (level is not None and level.driver is not None)


def call(number: int, quick: bool) -> bytes:
    """The header of a question or an answer: its number, and whether it is quick."""
    return (number % 2**32).to_bytes(CALL_BYTES - 1, "big") + bytes([quick])


def called(message: bytes) -> tuple[int, bool, bytes]:
    """Split a message into its number, whether it is quick, and its content. Raises EOFError if it has no header."""
    if len(message) < CALL_BYTES:
        raise EOFError("a message without a number")
    return int.from_bytes(message[: CALL_BYTES - 1], "big"), bool(message[CALL_BYTES - 1]), message[CALL_BYTES:]
