"""The arena: bots race each other in every seat, and are ranked."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from spina import bots
from spina.bots import policy_bot
from spina.errors import OptionError
from spina.games import get
from spina.games.editions import Edition
from spina.games.game import Game
from spina.kernel.random import LARGEST_SHORT_SEED
from spina.lab import proof_seeds, proofs
from spina.lab import results as keeping
from spina.lab.code_digest import code_digest
from spina.lab.executor import check_place, run
from spina.lab.jobs import Job, in_kernel, play
from spina.lab.ratings import Rating, Running, Share, place_matrix, ratings, running_ratings, shares
from spina.lab.recheck import recheck
from spina.lab.results import Results, Study
from spina.race import checked_seed, find_edition, new
from spina.simulation import MOST_RACES

SEATS = 4
RACES = 1000
SEED = 1
MOST_LINE_UPS = 100_000
PARTS = 16
"""Jobs that each line-up has at least, where it has as many races, so that all cores have work to the end."""
LONGEST_NAME = 30
NOT_OF_STUDY = ("seed", "proof", "positions", "edition_text")
"""What a description says besides what is raced. (The edition's text is long, and its hash says as much.)"""
RECHECKED = 4
"""Races of an unfinished proof that must come out as they did before changed code may go on with it."""


class Arena(msgspec.Struct, frozen=True, kw_only=True):
    """The bots, seats and races of an arena. Equal arenas have equal races on every machine."""

    game: str
    bots: tuple[str, ...]
    """A name may occur more than once: "expert,expert,competent,competent" is two of each."""
    seats: int = SEATS
    races: int = RACES
    seed: int = SEED
    """Of a comparison; a proof has the seed of its range."""
    proof: int | None = None
    """The number of a proof range, if the races are to prove something (`proofs.enter`); None: a comparison."""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    edition: str | None = None
    """The text of an edition's file, or the file's name; None for the reference edition."""


class Standing(msgspec.Struct, frozen=True):
    """The results of one bot."""

    bot: str
    wins: Share
    rating: Rating
    running: Running
    places: list[float]
    """The shares of its seats that finished first, second, …"""
    milliseconds: float | None
    """Mean time for a choice; None if all its races were played inside the kernel."""


class Standings(msgspec.Struct, frozen=True):
    """The results of all bots, the strongest first."""

    description: dict[str, Any]
    races: int
    """Races played so far."""
    turns: float
    """Turns in an average race."""
    choices: float
    bots: list[Standing]


# --- the schedule ---------------------------------------------------------------------------------------------------


def line_ups(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every line-up of an arena, each in all its rotations over the seats.

    With as many bots as seats there is one line-up. Fewer bots are repeated; if the seats do not divide evenly, every
    combination of bots gets the extra seats in turn. Of more bots than seats, every combination races in turn.
    """
    times, rest = divmod(seats, len(names))
    found = []
    for extra in combinations(names, rest):
        line_up = (*names,) * times + extra
        found += [line_up[-turn:] + line_up[:-turn] for turn in range(seats)]
    return found


def schedule(arena: Arena) -> list[Job]:
    """The jobs of an arena, in rounds in which every line-up has equally many races, so that it can stop after any."""
    game, edition = _check(arena)
    every = line_ups(arena.bots, arena.seats)
    plain = in_kernel(game.name, arena.bots)
    block = game.lab.sizes.arena_job if plain else 1
    block = max(1, min(block, math.ceil(arena.races / (len(every) * PARTS))))
    jobs: list[Job] = []
    first = 0
    while first < arena.races:
        share, more = divmod(min(arena.races - first, block * len(every)), len(every))
        for number, line_up in enumerate(every):
            count = share + (number < more)
            if count:
                jobs.append(
                    Job(
                        game=game.name,
                        seats=arena.seats,
                        bots=line_up,
                        first=first,
                        count=count,
                        seed=study_seed(arena),
                        options=arena.options,
                        edition=game.kept_text(edition),  # the worker need not have the file
                    )
                )
                first += count
    return jobs


def describe(arena: Arena) -> dict[str, Any]:
    """The description of an arena in its results file: everything that decides its races."""
    game, edition = _check(arena)
    return {
        "study": "arena",
        **keeping.about(game, edition),
        "bots": list(arena.bots),
        **_policies(arena.bots),
        "seats": arena.seats,
        "races": arena.races,
        "seed": study_seed(arena),
        **_proof_range(arena),
        "options": arena.options,
    }


def study_seed(arena: Arena) -> int:
    """The seed that the seeds of its races are made from."""
    return arena.seed if arena.proof is None else proof_seeds.seed_of(arena.proof)


def _policies(names: Sequence[str]) -> dict[str, Any]:
    """Digests of the files of policies that race: other weights under the same name are another study."""
    found = {name: policy_bot.digest(name) for name in dict.fromkeys(names) if name.startswith(policy_bot.PREFIX)}
    return {"policies": found} if found else {}


def _proof_range(arena: Arena) -> dict[str, Any]:
    if arena.proof is None:
        return {}
    return {"proof": arena.proof, "positions": list(proof_seeds.positions(arena.proof, arena.races))}


def _check(arena: Arena) -> tuple[Game, Edition]:
    """The game and edition of an arena. Raises OptionError for an arena that is not possible."""
    checked_seed(arena.seed, LARGEST_SHORT_SEED)
    game = get(arena.game)
    edition = _edition(game, arena.edition)
    new(arena.game, seats=arena.seats, seed=0, edition=edition, **arena.options)
    if len(set(arena.bots)) < 2:
        raise OptionError(f"an arena compares bots: name at least two different ones, of {_known(arena.game)}")
    wide = math.comb(len(arena.bots), arena.seats % len(arena.bots)) * arena.seats
    if wide > MOST_LINE_UPS:
        raise OptionError(f"{len(arena.bots)} bots for {arena.seats} seats make {wide:,} line-ups: name fewer bots")
    if isinstance(arena.races, bool) or not isinstance(arena.races, int) or not wide <= arena.races <= MOST_RACES:
        raise OptionError(
            f"{len(arena.bots)} bots in {arena.seats} seats need a whole number of races from {wide:,} (every line-up "
            f"in every rotation once) to {MOST_RACES:,}, not {arena.races!r}"
        )
    if arena.proof is None:
        proof_seeds.check_free(arena.seed, arena.races)
    elif arena.seed != SEED:
        raise OptionError(
            "a proof has the seeds of its range, so that no lucky seed can be chosen: leave out the seed "
            f"{arena.seed}, or compare without proof"
        )
    else:
        proof_seeds.positions(arena.proof, arena.races)
    return game, edition


def _known(game: str) -> str:
    return ", ".join(bots.names(game))


def _edition(game: Game, given: str | None) -> Edition:
    if given is not None and "\n" in given:
        return game.parse_edition(given, "edition")
    return find_edition(game, given)


# --- proofs ---------------------------------------------------------------------------------------------------------


def enter_proof(
    arena: Arena,
    out: Path | None = None,
    *,
    number: int | None = None,
    register: Path | None = None,
    file: str | None = None,
    on: str | None = None,
    processes: int | None = None,
) -> tuple[Arena, Path]:
    """The arena as a proof, entered in the register, and the file of its results.

    Without a number, an arena that is in the register already keeps its range and its file, and another one gets the
    next range. Its file is `out`, or `file` with the number for "{proof}". Raises OptionError for a range that another
    study has used.
    """
    register = register or proofs.default_register()
    number = arena.proof if number is None else number
    described = describe(replace(arena, proof=number or 1))  # raises OptionError
    study = {name: value for name, value in described.items() if name not in NOT_OF_STUDY}

    def unchanged(file: Path) -> bool:
        found = recheck(file, RECHECKED, on=on, processes=processes)
        return found.rules is None and not found.different

    entry = proofs.enter(
        study, races=arena.races, code=code_digest(arena.game), number=number, register=register,
        file=str(out or file or f"arena-{arena.game}-proof-{{proof}}.parquet"), unchanged=unchanged,
    )  # fmt: skip
    return replace(arena, proof=entry.proof), out or proofs.place_of(entry, register)


# --- the races ------------------------------------------------------------------------------------------------------


def hold(
    arena: Arena,
    path: str | Path,
    *,
    on: str | None = None,
    processes: int | None = None,
    watch: Callable[[int, int], None] | None = None,
    minutes: float | None = None,
    register: Path | None = None,
) -> Results:
    """Plays all races that are not in the file yet and saves them there; `executor.run` explains `on` and `processes`.

    `watch` is called with the number of finished races and the total. If this ends early, as it does after `minutes`,
    the file holds the finished races, and the same call goes on from there. A proof is entered in the `register` first.
    """
    jobs = schedule(arena)
    check_place(on)
    check_bots(arena)
    if arena.proof is not None:
        enter_proof(arena, Path(path), register=register, on=on, processes=processes)
    until = math.inf if minutes is None else time.monotonic() + 60 * minutes
    with Study(path, describe(arena), order="race") as study:
        done = {index for index, job in enumerate(jobs) if job.key in study}
        there = sum(jobs[index].count for index in done)
        if watch is not None:
            watch(there, arena.races)
        with closing(run(play, jobs, on=on, processes=processes, done=done)) as finished:
            for index, block in finished:
                study.add(jobs[index].key, block.columns)
                there += len(block)
                if watch is not None:
                    watch(there, arena.races)
                if time.monotonic() >= until:
                    break
        return study.results()


def check_bots(arena: Arena) -> None:
    """Raises OptionError for bots that there are not. Compiles the game."""
    for name in dict.fromkeys(arena.bots):
        bots.make(name, game=arena.game, seed=0).close()


# --- the standings -------------------------------------------------------------------------------------------------


def standings(results: Results) -> Standings:
    """Win shares, ratings and places from the races played so far. Raises OptionError if there are none."""
    if not len(results):
        raise OptionError("no race has been finished, so there is nothing to compare")
    names, seated = results.names("bots")
    places = results.numbers("places").astype(np.int64)
    lots = np.argsort(results.numbers("seed"), kind="stable")  # running ratings need mixed line-ups: a random order
    running = running_ratings(names, seated[lots], places[lots])
    strengths, wins = ratings(names, seated, places), shares(names, seated, places)
    matrix = place_matrix(names, seated, places)
    made, seconds = results.numbers("made"), results.numbers("seconds")
    found = []
    for number, name in enumerate(names):
        time = None
        if made.shape == seated.shape:
            own = (seated == number) & ~np.isnan(made)
            time = 1000 * float(seconds[own].sum() / made[own].sum()) if own.any() else None
        found.append(Standing(name, wins[name], strengths[name], running[name], matrix[number].tolist(), time))
    return Standings(
        description=results.description,
        races=len(results),
        turns=float(results.numbers("turns").mean()),
        choices=float(results.numbers("choices").mean()),
        bots=sorted(found, key=lambda one: (-one.rating.rating, one.bot)),
    )


def lines(found: Standings) -> list[str]:
    """The standings as lines for a terminal."""
    said = found.description
    wide = max(3, *(len(_shown(one.bot)) for one in found.bots))
    anchor = next((one.bot for one in found.bots if one.rating.error == 0), None)
    played = f"{found.races:,}" if found.races == said["races"] else f"{found.races:,} of {said['races']:,}"
    options = "".join(f" · {name}={value}" for name, value in said["options"].items())
    text = [
        f"{get(said['game']).title} · {said['edition']}{options} · {played} races with {said['seats']} seats"
        f" · {_seed_words(said)}",
        "",
        f"  {'bot':{wide}}    races     won     95 % interval  expected   a seat   rating   95 % interval",
    ]
    for one in found.bots:
        wins, points = one.wins, one.rating
        span = "set" if one.bot == anchor else f"{points.low:.0f} to {points.high:.0f}"
        text.append(
            f"  {_shown(one.bot):{wide}}  {wins.races:>7,}  {wins.share:>6.1%}  {wins.low:>6.1%} to {wins.high:>6.1%}"
            f"    {wins.expected:>6.1%}   {wins.by_seat:>6.1%}  {points.rating:>7.0f}  {span:>14}"
        )
    heads = "".join(f"{_ordinal(place):>8}" for place in range(1, said["seats"] + 1))
    text += ["", f"  {'bot':{wide}} {heads}   running rating     a choice"]
    for one in found.bots:
        cells = "".join(f"{share:>8.1%}" for share in one.places)
        time = "in kernel" if one.milliseconds is None else _time(one.milliseconds)
        text.append(
            f"  {_shown(one.bot):{wide}} {cells}    {one.running.mu:>6.1f} ± {one.running.sigma:<5.1f}  {time:>10}"
        )
    return [*text, "", f"{found.turns:.1f} turns a race, {found.choices:.1f} choices."]


def _seed_words(said: Mapping[str, Any]) -> str:
    """Which races these are: those of a seed, or of a proof range."""
    for name, words in (("proof", "proof range"), ("proofs", "proof ranges"), ("seeds", "seeds")):
        if name in said:
            found = said[name]
            return f"{words} {', '.join(map(str, found)) if isinstance(found, list) else found}"
    return f"seed {said['seed']}"


def _shown(bot: str) -> str:
    """A bot's name for a table; a long one is cut in the middle."""
    return bot if len(bot) <= LONGEST_NAME else f"{bot[:12]}…{bot[13 - LONGEST_NAME :]}"


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def _time(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.2f} s" if milliseconds >= 1000 else f"{milliseconds:.3g} ms"
