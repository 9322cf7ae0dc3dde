"""The ladder: the ratings of all bots of all games, as a page of the documentation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from spina.games import find, get
from spina.games import names as game_names
from spina.lab.arena import Arena, Standings, hold, standings

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
    seed: int = 1,
    processes: int | None = None,
    on: str | None = None,
    watch: Callable[[str, int, int], None] = lambda *_: None,
) -> dict[str, Standings]:
    """Plays the races of the ladder that are not in the folder yet; `watch` is given the game, races done and total."""
    found = {}
    folder.mkdir(parents=True, exist_ok=True)
    for game in games or game_names():
        counts = get(game).seat_counts
        seats = SEATS if SEATS in counts else counts[-1]
        count = races or get(game).lab.sizes.ladder
        arena = Arena(game=game, bots=entrants(game), seats=seats, races=count, seed=seed)

        def look(there: int, of: int, game: str = game) -> None:
            watch(game, there, of)

        results = hold(arena, folder / f"ladder-{game}.parquet", on=on, processes=processes, watch=look)
        found[game] = standings(results)
    return found


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
            f"{one.races:,} races.",
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
