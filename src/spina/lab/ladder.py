"""The ladder: the ratings of all bots of all games, as a page of the documentation."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from spina.games import find, get
from spina.games import names as game_names
from spina.lab.arena import Arena, Standings, enter_proof, hold, standings

SEATS = 4


def entrants(game: str) -> tuple[str, ...]:
    """The bots on a game's ladder: the levels, and the drivers that are not a level already."""
    found = find(game)
    drivers = {level.driver for level in found.levels.values()}
    return (*(name for name in found.drivers if name not in drivers), *found.levels)


def climb(
    folder: Path,
    *,
    games: Sequence[str] = (),
    races: int | None = None,
    number: int | None = None,
    register: Path | None = None,
    minutes: float | None = None,
    processes: int | None = None,
    on: str | None = None,
    watch: Callable[[str, int, int], None] = lambda *_: None,
) -> dict[str, Standings]:
    """Plays the races of the ladder that are not in the folder yet; `watch` is given the game, races done and total.

    They are proofs: each game has a proof range, in the order of the games from `number` on, or without it the range
    that it has already or the next one. After `minutes` it ends with the races that there are.
    """
    found = {}
    folder.mkdir(parents=True, exist_ok=True)
    until = math.inf if minutes is None else time.monotonic() + 60 * minutes
    for place, game in enumerate(games or game_names()):
        counts = get(game).seat_counts
        seats = SEATS if SEATS in counts else counts[-1]
        count = races or get(game).lab.sizes.ladder
        arena = Arena(game=game, bots=entrants(game), seats=seats, races=count)
        arena, path = enter_proof(
            arena, number=None if number is None else number + place, register=register,
            file=str(folder / f"ladder-{game}-proof-{{proof}}.parquet"), on=on, processes=processes,
        )  # fmt: skip

        def look(there: int, of: int, game: str = game) -> None:
            watch(game, there, of)

        left = None if minutes is None else max(0.0, until - time.monotonic()) / 60
        results = hold(arena, path, on=on, processes=processes, watch=look, minutes=left, register=register)
        found[game] = standings(results)
        if not is_complete(found[game]):
            break
    return found


def is_complete(found: Standings) -> bool:
    """Whether all races of a game's ladder have been played."""
    return bool(found.races == found.description["races"])


def page(found: dict[str, Standings], command: str) -> str:
    """The ladder in Markdown."""
    text = [
        "# The ladder",
        "",
        "How strong the bots are, from races against each other: four seats, every line-up in every rotation. Ratings",
        "are Plackett–Luce strengths on the scale of chess ratings: 400 points more mean ten times the odds to finish",
        "ahead; one bot of each list is set to 1500. Intervals are 95 %.",
        "",
        f"Made by `{command}`.",
    ]
    for game, one in found.items():
        text += [
            "",
            f"## {get(game).title}",
            "",
            f"{one.races:,} races of proof range {one.description['proof']}, which no other study has.",
            "",
            "| | bot | rating | interval | won, a seat | time for a choice |",
            "|--:|---|--:|--:|--:|--:|",
        ]
        for place, bot in enumerate(one.bots, 1):
            low, high = bot.rating.low, bot.rating.high
            span = "set" if bot.rating.error == 0 else f"{low:.0f} to {high:.0f}"
            time = "–" if bot.milliseconds is None else f"{bot.milliseconds:.3g} ms"
            won = f"{bot.wins.by_seat:.1%}"
            text.append(f"| {place} | {_called(game, bot.bot)} | {bot.rating.rating:.0f} | {span} | {won} | {time} |")
    return "\n".join(text) + "\n"


def _called(game: str, bot: str) -> str:
    level = find(game).level(bot)
    if level is None:
        return f"`{bot}` (driver)"
    how = f"the driver `{level.driver}`" if level.driver else f"search, {level.iterations:,} simulations"
    return f"**{bot}** ({how})"
