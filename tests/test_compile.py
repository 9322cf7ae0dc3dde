"""The compile switch: the places of the cache, its messages, and folders that are not trusted."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import indent

import pytest

import spina
from spina.games import find, get
from spina.kernel import code_folders
from spina.kernel import compiler as switch
from spina.kernel import source_key as source_keys
from spina.kernel.source_key import source_key

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


DOCUMENTED = MODULE.replace(
    "    return number // 2", '    """Half of it."""  # rounded down\n\n    return (number  // 2)'
)


@pytest.mark.slow
def test_a_source_with_other_comments_is_not_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = str(tmp_path / "cache")
    (_, before, _), _ = run(tmp_path, SPINA_CACHE_DIR=cache)
    monkeypatch.setattr(sys.modules[__name__], "MODULE", DOCUMENTED)
    (answer, after, hits), said = run(tmp_path, SPINA_CACHE_DIR=cache)
    assert (answer, after, hits, said) == ("10", before, "1", "")


def test_the_key_of_a_source_is_its_code(tmp_path: Path) -> None:
    kept = tmp_path / "source-keys"
    assert DOCUMENTED != MODULE
    assert source_key(DOCUMENTED, kept) == source_key(MODULE, kept) == source_key(MODULE)
    others = [MODULE.replace(*change) for change in (("// 2", "// 3"), ("(40)", "(41)"), ("kernel\ndef", "entry\ndef"))]
    assert len({source_key(text, kept) for text in [MODULE, *others]}) == 4
    assert len(kept.read_text().splitlines()) == 5
    assert source_key("no code (", kept) != source_key("nor this (", kept)


def test_a_torn_file_of_source_keys_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """Two processes may write at the same time, or one may be ended in the middle."""
    kept = tmp_path / "source-keys"
    source_key(MODULE, kept)
    kept.write_bytes(b"\xff\x00 torn\n0123 45\n" + kept.read_bytes() + b"0123456789abcdef 01")
    source_keys._known.clear()
    assert source_key(DOCUMENTED, kept) == source_key(MODULE, kept) == source_key(MODULE)


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
from spina.kernel import code_folders, linker
from spina.kernel.compiler import entry, kernel, ready

written, kept = [], []
add, link = codegen.JITCPUCodegen._add_module, linker.LinkedLibrary.link
codegen.JITCPUCodegen._add_module = lambda self, module: (written.append(str(module.name)), add(self, module))[1]

def watched(library, entries):
    code = link(library, entries)
    kept.extend(each.name for each in library._final_module.functions if not each.is_declaration)
    return code

linker.LinkedLibrary.link = watched

@kernel
def third(number):
    if number < 0:
        raise ValueError("negative")
    return number // 3

@kernel
def ninth(number):
    return third(third(number))

@kernel
def same(number):
LARGE    return number

@entry(types.int64(types.int64))
def twenty_seventh(number):
    return third(ninth(number))

@entry(types.int64(types.int64))
def third_again(number):
    return third(same(number))

@entry(types.int64(types.int64))
def eighty_first(number):
    return third(twenty_seventh(number))

written.clear()
ready(Path(__file__).parent)
print(linker.INSTALLED, twenty_seventh(81), third_again(81), eighty_first(81))
print(sum(name.endswith(code_folders.processor()) for name in written), *kept)
try:
    third_again(-1)
except ValueError as error:
    print(error)
"""


@pytest.mark.slow
def test_machine_code_is_written_once_for_entries_only(tmp_path: Path) -> None:
    """Entries are linked together with all that they call; kernels by themselves would never be called.

    What is left are the entries, and their wrappers for Python. The second time the code comes from the cache.
    """
    folder = tmp_path / "written_game"
    folder.mkdir()
    large = "    number = ((number ^ 7) * 3 + (number >> 2)) % 1001\n" * 60
    (folder / "rules.py").write_text(WRITTEN.replace("LARGE", f"    if number > 99:\n{indent(large, '    ')}"))
    environment = {**os.environ, "SPINA_CACHE_DIR": str(tmp_path / "cache")}
    (tmp_path / "cache").mkdir(mode=0o700)
    for is_compiled in (False, True):
        process = subprocess.run(
            [sys.executable, str(folder / "rules.py")], env=environment, capture_output=True, text=True, check=True
        )
        answer, functions, error = process.stdout.splitlines()
        assert answer.split() == ["True", "3", "27", "1"]
        modules, *kept = functions.split()
        assert modules == "1"
        assert error == "negative"
        if not is_compiled:
            names = ("twenty_seventh", "third_again", "eighty_first")
            visible = [name for name in kept if any(each in name for each in names)]
            assert len(visible) == 6, "each entry with its wrapper"
            assert not any("4same" in name for name in kept), "a kernel with one call leaves no copy of itself"


SHARED = """
from pathlib import Path
import numba
from numba import types
from spina.kernel.compiler import entry, kernel, prepare, ready

@kernel
def scrambled(ignored, number):
LARGE    return number

@entry(types.int64(types.int64))
def both(number):
    return scrambled(1, number) + scrambled(2, number + 1)

ready(Path(__file__).parent)
prepare()

@numba.njit
def one(number):
    return scrambled(3, number)

print(both(40), one(40) + one(41), both.py_func(40))
"""


@pytest.mark.slow
def test_a_kernel_in_an_entry_is_not_taken_for_the_kernel_in_a_users_function(tmp_path: Path) -> None:
    """In the entry, LLVM drops the argument that the kernel ignores; the user's function still passes it."""
    folder = tmp_path / "shared_game"
    folder.mkdir()
    large = "    number = ((number ^ 7) * 3 + (number >> 2)) % 1001\n" * 60
    (folder / "rules.py").write_text(SHARED.replace("LARGE", large))
    (tmp_path / "cache").mkdir(mode=0o700)
    environment = {**os.environ, "SPINA_CACHE_DIR": str(tmp_path / "cache")}
    for _ in ("compiled here", "from the cache"):
        said = subprocess.check_output([sys.executable, str(folder / "rules.py")], env=environment, text=True).split()
        assert said[0] == said[1] == said[2]


@pytest.mark.slow
def test_two_processes_do_not_compile_the_same(tmp_path: Path) -> None:
    """The second waits for the first, and loads what that has compiled."""
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: run(tmp_path, SPINA_CACHE_DIR=str(tmp_path / "cache")), range(2)))
    assert [answer for (answer, _, _), _ in both] == ["10", "10"]
    assert sorted(hits for (_, _, hits), _ in both) == ["0", "1"]


@pytest.mark.slow
def test_a_damaged_file_in_the_cache_is_compiled_anew(tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    (_, folder, _), _ = run(tmp_path, SPINA_CACHE_DIR=cache)
    (code,) = (path for path in Path(folder).iterdir() if path.name not in ("index", "lock"))
    for damage in (code.read_bytes()[:1000], b"", None):
        code.write_bytes(damage) if damage is not None else code.unlink()
        (answer, _, _), _ = run(tmp_path, SPINA_CACHE_DIR=cache)
        assert answer == "10"
        assert len(code.read_bytes()) > 1000


@pytest.mark.slow
def test_code_for_another_processor_is_not_loaded(tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    (_, folder, _), _ = run(tmp_path, SPINA_CACHE_DIR=cache)
    other = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    for expected in ("0", "1"):
        (answer, again, hits), _ = run(tmp_path, SPINA_CACHE_DIR=cache, **other)
        assert (answer, again, hits) == ("10", folder, expected)
    assert len(list(Path(folder).iterdir())) == 4, "index, lock, and code for two processors"


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
