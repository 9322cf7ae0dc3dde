"""Replays races of a results file: if they end otherwise now, the file describes other bots than there are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import numpy as np

from spina.games import get
from spina.lab import results
from spina.lab.executor import run
from spina.lab.jobs import Job, play
from spina.lab.results import Results, ResultsError

RACES = 20


class Rechecked(msgspec.Struct, frozen=True):
    """The result of racing some races again."""

    races: int
    different: list[int]
    """Numbers of the races that ended otherwise."""
    rules: int | None = None
    """The version of the rules that the file was raced by, if that is not the current one: then nothing was raced."""


def recheck(
    path: str | Path,
    races: int = RACES,
    *,
    seed: int = 1,
    on: str | None = None,
    processes: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Rechecked:
    """Races some random races of an arena's file again and compares their final states.

    Races of a former version of the rules cannot be compared; they are reported, not raced.
    """
    found = results.read(path)
    if (rules := _other_rules(found, path)) is not None:
        return Rechecked(0, [], rules)
    drawn = np.random.default_rng(seed).permutation(len(found))[:races].tolist()
    rows = [found.table.slice(row, 1).to_pylist()[0] for row in sorted(drawn)]
    edition = _edition_text(found, path)
    jobs = [_job(found, row["race"], tuple(row["bots"]), edition) for row in rows]
    different, done = [], 0
    with closing(run(play, jobs, on=on, processes=processes)) as finished:
        for index, block in finished:
            done += 1
            if watch is not None:
                watch(done, len(jobs))
            if int(block["hash"][0]) != int(rows[index]["hash"]):
                different.append(rows[index]["race"])
    return Rechecked(len(jobs), sorted(different))


def _job(found: Results, race: int, bots: tuple[str, ...], edition: str | None) -> Job:
    said = found.description
    return Job(
        game=said["game"], seats=said["seats"], bots=bots, first=race, count=1, seed=said["seed"],
        options=said["options"], edition=edition,
    )  # fmt: skip


def _other_rules(found: Results, path: str | Path) -> int | None:
    """The version of the rules that a file was raced by, unless it is the current one."""
    said = found.description
    if said.get("study") != "arena":
        raise ResultsError(f"{path} holds no races of an arena")
    rules = int(said["rules"])
    return None if rules == get(said["game"]).rules_version else rules


def _edition_text(found: Results, path: str | Path) -> str | None:
    """The components of the races, as jobs carry them. Raises ResultsError for races that cannot be raced here."""
    said = found.description
    game = get(said["game"])
    edition = game.kept_edition(said["edition_hash"], said["edition_text"])
    if edition is None:
        raise ResultsError(f"{path} was raced with edition {said['edition_hash']}, which is not known here")
    return game.kept_text(edition)
