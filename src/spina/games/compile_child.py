"""A child process that compiles a game into the cache: `python -m spina.games.compile_child GAME [MODULE …]`.

It compiles what a race of the game needs, then the entries in the folders of the modules. After each entry it reports
on standard output how many are left. What it has finished stays in the cache if it is ended before the last one.
"""

from __future__ import annotations

import sys
from importlib import import_module

from spina import child_process
from spina.games import registry
from spina.games.background_compile import NUMBER_BYTES
from spina.kernel import compiler


def main(game: str, *modules: str) -> None:
    """Compile a game and the entries beside some modules, and report after every entry how many are left."""
    speak = child_process.stand_back()
    child_process.end_with_parent()

    def report(left: int) -> None:
        speak.write(child_process.framed(left.to_bytes(NUMBER_BYTES, "big")))

    beside = [compiler.folder_of_module(import_module(module)) for module in modules]
    kernel, *own = registry.folders(game)
    # The kernel last: every game needs it, and the child of another one may have compiled it by then.
    compiler.ready(*own, kernel, *beside, report=report)


if __name__ == "__main__":
    main(*sys.argv[1:])
