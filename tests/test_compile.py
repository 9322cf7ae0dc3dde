"""The compile switch: the places of the cache, its messages, and folders that are not trusted."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

import spina
from spina.games import find, get
from spina.kernel import code_folders
from spina.kernel import compiler as switch

pytestmark = pytest.mark.skipif(switch.INTERPRETED, reason="nothing is compiled when interpreting")

MODULE = """
from pathlib import Path
from numba import types
from spina.kernel.compiler import entry, kernel, ready, warm_up, _groups

@kernel
def half(number):
    return number // 2

@entry(types.int64(types.int64))
def quarter(number):
    return half(half(number))

folder = Path(__file__).parent
ready(folder)
print(quarter(40), _groups[folder].cache, len(quarter.dispatcher.stats.cache_hits))
"""


def run(tmp_path: Path, **environment: str) -> tuple[list[str], str]:
    """The standard output and standard error of a small game in a new process."""
    folder = tmp_path / "small_game"
    folder.mkdir(exist_ok=True)
    (folder / "rules.py").write_text(MODULE)
    command = [sys.executable, str(folder / "rules.py")]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return done.stdout.split(), done.stderr


@pytest.mark.slow
def test_a_first_compile_says_one_line_and_later_ones_nothing(tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    (answer, folder, hits), said = run(tmp_path, SPINA_CACHE_DIR=cache)
    assert (answer, hits) == ("10", "0")
    assert said == "Compiling small-game (once on this machine) …\n"
    assert folder.startswith(cache)
    assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700
    (answer, again, hits), said = run(tmp_path, SPINA_CACHE_DIR=cache)
    assert (answer, again, hits, said) == ("10", folder, "1", "")


@pytest.mark.slow
def test_the_same_source_in_another_place_is_not_compiled_again(tmp_path: Path) -> None:
    """A second checkout, or a file that was only touched, finds what was compiled before."""
    cache = str(tmp_path / "cache")
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (answer, _, hits), said = run(tmp_path / place, SPINA_CACHE_DIR=cache)
        assert answer == "10"
    assert (hits, said) == ("1", "")


@pytest.mark.slow
def test_nothing_is_written_beside_the_source(tmp_path: Path) -> None:
    run(tmp_path, SPINA_CACHE_DIR=str(tmp_path / "cache"))
    assert [path.name for path in (tmp_path / "small_game").rglob("*.nb*")] == []
    assert list(Path(spina.__file__).parent.rglob("*.nb*")) == []


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (answer, folder, _), _ = run(
        tmp_path, SPINA_CACHE_DIR=str(tmp_path / "file" / "cache"), XDG_CACHE_HOME=str(tmp_path / "home")
    )
    assert answer == "10"
    assert folder.startswith(str(tmp_path / "home"))


@pytest.mark.slow
def test_without_any_home_a_folder_of_its_own_serves(tmp_path: Path) -> None:
    """A read-only install with a read-only home: compiled code goes to the folder for temporary files."""
    (tmp_path / "file").write_text("in the way")
    blocked = str(tmp_path / "file" / "x")
    (tmp_path / "tmp").mkdir()
    (answer, folder, _), _ = run(
        tmp_path, SPINA_CACHE_DIR=blocked, XDG_CACHE_HOME=blocked, TMPDIR=str(tmp_path / "tmp")
    )
    assert answer == "10"
    assert folder.startswith(str(tmp_path / "tmp"))


@pytest.mark.slow
def test_a_cache_that_others_can_write_is_not_trusted(tmp_path: Path) -> None:
    """Cached code is loaded and run, so other users must not be able to write it."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    (_, folder, _), _ = run(tmp_path, SPINA_CACHE_DIR=str(tmp_path / "shared"), XDG_CACHE_HOME=str(tmp_path / "home"))
    assert folder.startswith(str(tmp_path / "home"))


@pytest.mark.slow
def test_an_edited_source_is_compiled_anew(tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    (_, before, _), _ = run(tmp_path, SPINA_CACHE_DIR=cache)
    global MODULE
    original = MODULE
    MODULE = MODULE.replace("number // 2", "number // 4")
    try:
        (answer, after, hits), said = run(tmp_path, SPINA_CACHE_DIR=cache)
    finally:
        MODULE = original
    assert (answer, hits) == ("2", "0")
    assert after != before
    assert said


def test_compiled_code_is_keyed_by_every_kernel_it_contains_and_nothing_else() -> None:
    names = {path.name for folder in get("charioteer").folders for path in code_folders.sources(folder)}
    assert names >= {"entries.py", "drivers.py", "movement.py", "choice.py", "record.py", "random.py", "bits.py"}
    assert not names & {"board.py", "narrator.py", "events.py", "edition.py"}


@pytest.mark.slow
def test_kernels_are_plain_functions_and_entries_are_when_nothing_is_compiled(tmp_path: Path) -> None:
    code = (
        "from spina.kernel.random import below; from spina.kernel.race_runner import hash_race; "
        "print(type(below).__name__, type(hash_race).__name__)"
    )
    for value, kinds in (("1", "function function"), ("0", "function Entry"), ("", "function Entry")):
        printed = subprocess.check_output(
            [sys.executable, "-c", code], env={**os.environ, "SPINA_INTERPRET": value}, text=True
        )
        assert printed.strip() == kinds


def test_games_are_warmed_up_in_the_background() -> None:
    thread = spina.warm_up("charioteer")
    assert thread.daemon
    thread.join(120)
    assert not thread.is_alive()
    assert all(not switch._groups[folder].pending for folder in find("charioteer").folders)


WRITTEN = """
from pathlib import Path
from numba import types
from numba.core import codegen
from spina.kernel import linker
from spina.kernel.compiler import entry, kernel, ready

written = []
add = codegen.JITCPUCodegen._add_module
codegen.JITCPUCodegen._add_module = lambda self, module: (written.append(str(module.name)), add(self, module))[1]

@kernel
def third(number):
    return max(number, 0) // 3

@kernel
def ninth(number):
    return third(third(number))

@kernel
def same(number):
LARGE    return number

@entry(types.int64(types.int64))
def twenty_seventh(number):
    return same(third(ninth(number)))

written.clear()
ready(Path(__file__).parent)
names = ("third", "ninth", "twenty_seventh")
print(linker.INSTALLED, twenty_seventh(81), *(name for name in names if name in written))
(library,) = (each.library for each in twenty_seventh.dispatcher.overloads.values())
print(*(each.name for each in library._final_module.functions if not each.is_declaration))
"""


@pytest.mark.slow
def test_machine_code_is_written_for_entries_only(tmp_path: Path) -> None:
    """Kernels are linked into the entries that need them; by themselves they would never be called.

    What is left is the entry, and its wrappers for Python and for C.
    """
    folder = tmp_path / "written_game"
    folder.mkdir()
    large = "    number = ((number ^ 7) * 3 + (number >> 2)) % 1001\n" * 60
    (folder / "rules.py").write_text(WRITTEN.replace("LARGE", f"    if number > 99:\n{indent(large, '    ')}"))
    environment = {**os.environ, "SPINA_CACHE_DIR": str(tmp_path / "cache")}
    (tmp_path / "cache").mkdir(mode=0o700)
    process = subprocess.run(
        [sys.executable, str(folder / "rules.py")], env=environment, capture_output=True, text=True, check=True
    )
    answer, functions = process.stdout.splitlines()
    assert answer.split() == ["True", "3", "twenty_seventh"]
    assert len(functions.split()) == 3, "a kernel with one call leaves no copy of itself, also a large one"
    assert all("twenty_seventh" in name for name in functions.split())


USERS_CODE = """
import re, sys
import numba, numpy as np
from numba.core import codegen
if sys.argv[1] == "with":
    import spina
    spina.new("charioteer")

@numba.njit
def middle(numbers):
    if len(numbers) == 0:
        raise ValueError("no numbers")
    return np.sort(numbers)[len(numbers) // 2] + np.zeros(3).max()

assert middle(np.array([3.0, 1.0, 2.0])) == 2.0
(code,) = middle.inspect_llvm().values()
print(re.sub(r"(?<=B)\\d*v\\d+|0x[0-9a-f]+|\\d{6,}", "", code).count("\\n"), codegen.JITCodeLibrary.finalize.__module__,
      codegen.JITCPUCodegen.set_env.__module__, type(middle.overloads[middle.signatures[0]].library).__name__)
"""


@pytest.mark.slow
def test_a_users_numba_code_compiles_as_if_spina_were_not_there(tmp_path: Path) -> None:
    """Nothing of Numba is patched: classes are the original ones, and the code of a function is as long as before."""
    (tmp_path / "program.py").write_text(USERS_CODE)
    said = [
        subprocess.check_output([sys.executable, str(tmp_path / "program.py"), spina_is], text=True)
        for spina_is in ("with", "without")
    ]
    assert said[0] == said[1]
    assert said[0].split()[1:] == ["numba.core.codegen", "numba.core.codegen", "JITCodeLibrary"]


def test_a_users_numba_function_can_call_kernels() -> None:
    """Kernels are linked with all that they call."""
    import numba
    import numpy as np

    from spina.kernel.random import below, new_dice

    switch.prepare()

    @numba.njit
    def throws(dice: object, count: int) -> object:
        out = np.zeros(count, np.int64)
        for i in range(count):
            out[i] = below(dice, 6)
        return out

    found = throws(new_dice(1), 600)
    assert set(found.tolist()) == set(range(6))  # type: ignore[attr-defined]
