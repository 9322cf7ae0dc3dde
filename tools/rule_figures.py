"""Draws the figures of the rules pages.

    python tools/rule_figures.py          writes the files
    python tools/rule_figures.py --check  says which files are out of date; exit code 1 if there are any

A figure is a position and the actions that are played from it, by the rules themselves; see `spina.games.rule_figures`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import spina
from spina.games import get
from spina.games.rule_figures import FOLDER, LIST, Figure, Scene, read


def scene(game: str, figure: Figure) -> Scene | None:
    """Play a figure; None for a chart."""
    if figure.position is None:
        return None
    race = spina.position(game, figure.position)
    before, events = race.view(None), list(race.told(None))
    for seat, action in figure.play:
        events += race.play(seat, action)
    return Scene(before, race.view(None), events)


def drawn(game: str, figure: Figure) -> str:
    """The SVG of a figure."""
    package = type(get(game)).__module__.rpartition(".")[0]
    drawing = importlib.import_module(f"{package}.pictures.figures")
    text: str = drawing.draw(figure, scene(game, figure), get(game).reference())
    return text


def files() -> Iterator[tuple[Path, str]]:
    """Every file with its content."""
    for game in spina.game_names():
        listed = get(game).web.path(LIST)
        if listed is not None:
            for figure in read(listed):
                yield listed.parent / f"{figure.id}.svg", drawn(game, figure) + "\n"


def stale() -> list[Path]:
    """The files that are missing, not up to date, or of no figure."""
    wanted = dict(files())
    folders = {path.parent for path in wanted}
    kept = {path for folder in folders for path in folder.glob("*.svg")}
    old = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    return sorted({*old, *(kept - wanted.keys())})


def main(arguments: list[str]) -> int:
    """Write the files, or check them. Returns the exit code."""
    if arguments == ["--check"]:
        for path in stale():
            print(f"{path}: not up to date; run python tools/rule_figures.py")
        return int(bool(stale()))
    for path, text in files():
        path.write_text(text, encoding="utf-8")
    for path in stale():
        path.unlink()
    print(f"{FOLDER}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
