"""Shared by tests of edition files: changes of a game's reference edition, and checks of the problems reported."""

from __future__ import annotations

import copy
import json
import pickle
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from spina.errors import EditionError
from spina.games.editions import Edition
from spina.kernel.record import look

Change = tuple[str, int, int, str]


class Trial:
    """The reference edition of a game, as text that can be changed and read again."""

    def __init__(self, module: ModuleType, sane: Callable[[Any, Any], bool]) -> None:
        """`module` reads the editions; `sane` checks that an edition agrees with its record."""
        self.module = module
        self.sane = sane
        self.text: str = module.template()
        self.rows = self.text.split("\n")
        self.reference: Edition = module.reference()

    def parse(self, text: str) -> Any:
        return self.module.parse(text, "my.toml")

    # --- the reference

    def empty_fields(self) -> list[str]:
        """The fields of the record that the reference leaves empty."""
        record = recorded(self.reference)
        return [name for name in record.dtype.names if name != "_padding" and not np.any(record[name])]

    def check_template(self, folder: Path) -> None:
        assert self.text == self.reference.text
        path = folder / "copy.toml"
        path.write_text(self.text, encoding="utf-8")
        assert self.module.load(path) == self.reference
        assert self.module.reference() is self.reference
        assert (self.reference.game, self.reference.name) == (self.module.GAME, "Reference edition")

    def check_key(self) -> None:
        hashed = bytes.fromhex(self.reference.hash)
        assert len(hashed) == 16
        assert recorded(self.reference).key == int.from_bytes(hashed[:8], "little", signed=True)

    # --- changes

    def changed(self, old: str, new: str) -> str:
        """The reference with one piece replaced, which must be there once."""
        assert self.text.count(old) == 1, f"{old!r} occurs {self.text.count(old)} times"
        return self.text.replace(old, new)

    def without(self, table: str) -> str:
        """The reference without one of its tables."""
        start = self.text.index(f"[{table}]\n")
        end = self.text.find("\n[", start + 1)
        return self.text[:start] + (self.text[end + 1 :] if end > 0 else "")

    def with_value(self, row: int, value: float | str) -> str:
        """The reference with another value on this row."""
        rows = self.rows.copy()
        before, _, after = rows[row].partition("value = ")
        rows[row] = f"{before}value = {json.dumps(value)},{after.partition(',')[2]}"
        return "\n".join(rows)

    # --- problems

    def problems(self, text: str) -> list[tuple[int, str]]:
        with pytest.raises(EditionError) as caught:
            self.parse(text)
        assert caught.value.name == "my.toml"
        return list(caught.value.problems)

    def only_problem(self, text: str) -> tuple[int, str]:
        found = self.problems(text)
        assert len(found) == 1, found
        return found[0]

    def check_mistake(self, old: str, new: str, message: str) -> None:
        """Check that the change is reported with this message, on the first line that it changes."""
        text = self.changed(old, new)
        line, said = self.only_problem(text)
        changed_lines = [i for i, row in enumerate(text.split("\n"), 1) if row != (self.rows[i - 1 : i] or [""])[0]]
        assert line == changed_lines[0], (line, said)
        assert message in said, said

    def check_other_hash(self, text: str) -> None:
        edition = self.parse(text)
        assert edition.hash != self.reference.hash
        assert recorded(edition).key != recorded(self.reference).key

    def check_same_hash(self, text: str) -> None:
        edition = self.parse(text)
        assert edition.hash == self.reference.hash
        assert (edition.data == self.reference.data).all()

    def survives(self, text: str) -> None:
        """Check that reading soon gives an edition, or an EditionError with existing lines, and nothing else."""
        before = time.process_time()
        found: tuple[tuple[int, str], ...] = ()
        try:
            edition = self.parse(text)
        except EditionError as error:
            found = error.problems
            str(error).encode()
        else:
            assert self.sane(edition, recorded(edition))
        assert all(1 <= line <= text.count("\n") + 1 and said for line, said in found), found
        assert time.process_time() - before < 5


def recorded(edition: Edition) -> Any:
    """The record of an edition, by its fields."""
    return look(edition.data, edition.layout)


def line_of(text: str, piece: str) -> int:
    """The line on which a piece of text begins."""
    return text[: text.index(piece)].count("\n") + 1


def check_copies(edition: Edition) -> None:
    """Check that copies are equal and read-only."""
    for twin in (copy.deepcopy(edition), pickle.loads(pickle.dumps(edition))):
        assert twin == edition
        assert hash(twin) == hash(edition)
        assert (twin.data == edition.data).all()
        assert not twin.data.flags.writeable


# --- any change at all ----------------------------------------------------------------------------------------------


def changes(rows: int, pieces: st.SearchStrategy[str]) -> st.SearchStrategy[list[Change]]:
    """A few random changes of a file with this many rows."""
    row, column, none = st.integers(0, rows - 1), st.integers(0, 60), st.just("")
    change = st.one_of(
        st.tuples(st.just("delete"), row, st.just(0), none),
        st.tuples(st.just("double"), row, st.just(0), none),
        st.tuples(st.just("swap"), row, row, none),
        st.tuples(st.just("insert"), row, column, pieces),
        st.tuples(st.just("replace"), row, column, pieces),
        st.tuples(st.just("cut"), row, column, none),
    )
    return st.lists(change, min_size=1, max_size=4)


def mutated(text: str, changes: Iterable[Change]) -> str:
    """A file after these changes."""
    rows = text.split("\n")
    for how, row, at, piece in changes:
        match how:
            case "delete":
                rows[row] = ""
            case "double":
                rows.insert(row, rows[row])
            case "swap":
                rows[row], rows[at] = rows[at], rows[row]
            case "insert":
                rows[row] = rows[row][:at] + piece + rows[row][at:]
            case "replace":
                rows[row] = rows[row][:at] + piece + rows[row][at + 1 :]
            case "cut":
                rows[row] = rows[row][:at]
    return "\n".join(rows)
