"""Results of a study in one Parquet file that survives crashes.

While a study runs, every finished task is appended to a journal beside the file (`NAME.journal`). When it ends or is
stopped, all results are written to the Parquet file (under a temporary name, then renamed), and the journal is removed.
After a crash at any point, opening the study again finds each finished task once: an incomplete end of the journal is
cut off, and a task that is in both files counts once.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina import __version__
from spina.errors import SpinaError
from spina.file_lock import lock

FORMAT = 1
METADATA = b"spina"
"""Key of the study's description in the metadata of the Parquet file."""
JOB = "job"
"""The column with the key of the task that a row came from."""
RACE = "race"
"""The column with the number of a race, in studies that have races."""
_BY_PART = {"seed", "races", "proof", "positions"}
"""What the descriptions of files may differ in that are put together."""
_HEAD = struct.Struct("<4sII")
_MAGIC = b"spn1"


class ResultsError(SpinaError):
    """Results that cannot be read or written, or that belong to another study."""


class Results:
    """The results of a study: its description, and its rows by column."""

    def __init__(self, description: dict[str, Any], table: Any) -> None:
        self.description = description
        self.table = table
        """A pyarrow Table, with `to_pandas` and the rest of Arrow's methods."""

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def numbers(self, name: str) -> NDArray[Any]:
        """A column as an array: of one dimension, or of two if each row has a list of the same length.

        Missing values are NaN.
        """
        pa = _arrow()
        column = self.table[name].combine_chunks()
        if pa.types.is_list(column.type):
            values = column.flatten().to_numpy(zero_copy_only=False)
            missing = column.null_count
            if missing == len(column):
                return np.full((len(column), 1), np.nan)
            wide = len(values) // (len(column) - missing)
            if not missing:
                return np.asarray(values).reshape(len(column), wide)
            array = np.full((len(column), wide), np.nan)
            array[column.is_valid().to_numpy(zero_copy_only=False)] = np.asarray(values, float).reshape(-1, wide)
            return array
        if pa.types.is_null(column.type):
            return np.full(len(column), np.nan)
        return np.asarray(column.to_numpy(zero_copy_only=False))

    def names(self, name: str) -> tuple[list[str], NDArray[np.int64]]:
        """A column of strings or lists of strings: the distinct strings, sorted, and the index of each value."""
        pa = _arrow()
        column = self.table[name].combine_chunks()
        listed = pa.types.is_list(column.type)
        coded = (column.flatten() if listed else column).dictionary_encode()
        words = coded.dictionary.to_pylist()
        order = sorted(range(len(words)), key=lambda code: str(words[code]))
        places = np.empty(len(words), np.int64)
        places[order] = np.arange(len(words))
        codes = places[coded.indices.to_numpy(zero_copy_only=False)]
        return [words[code] for code in order], codes.reshape(len(column), -1) if listed else codes


class Study:
    """The results of a running study. Use it in a `with` statement, which saves them at the end.

    `description` holds, in plain values, everything that decides the results; a file with another description is
    refused. `order` names the column by which the file is sorted (default: the tasks' keys), so that the file does not
    depend on the order in which tasks finished.
    """

    def __init__(self, path: str | Path, description: Mapping[str, Any], *, order: str | None = None) -> None:
        self.path = Path(path)
        self.journal = self.path.with_name(self.path.name + ".journal")
        self.description = _plain({"format": FORMAT, **description})
        self._order = order
        self._parts: list[Any] = []  # tables, with no task in two of them
        self._keys: set[str] = set()
        self._file = _lock(self.journal, self.path)
        self._stored = 0  # tasks that the Parquet file has
        try:
            if self.path.exists():
                self._take(read(self.path))
            self._stored = len(self._keys)
            self._replay()
        except BaseException:
            self._release()
            raise

    @property
    def done(self) -> frozenset[str]:
        """The keys of the finished tasks."""
        return frozenset(self._keys)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def add(self, key: str, columns: Mapping[str, Any]) -> None:
        """Adds the results of a task: columns of equal length, at least 1. A task that was added before is ignored."""
        if key in self._keys:
            return
        part = _table(key, columns)
        self._append(part)
        self._parts.append(part)
        self._keys.add(key)

    def results(self) -> Results:
        """The results so far."""
        pa = _arrow()
        if not self._parts:
            return Results(self.description, pa.table({}))
        table = pa.concat_tables(self._parts, promote_options="permissive").combine_chunks()
        return Results(self.description, table.sort_by(self._order or JOB))

    def save(self) -> Results:
        """Writes all results to the Parquet file and empties the journal."""
        results = self.results()
        if len(self._keys) > self._stored:
            write(results, self.path)
            self._stored = len(self._keys)
            os.ftruncate(self._file, 0)
        return results

    def close(self) -> None:
        """Saves all results and removes the journal."""
        try:
            self.save()
            self.journal.unlink(missing_ok=True)
        finally:
            self._release()

    def __enter__(self) -> Study:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # --- the journal

    def _append(self, part: Any) -> None:
        payload = _packed(part, self.description)
        try:
            os.lseek(self._file, 0, os.SEEK_END)
            _write(self._file, _HEAD.pack(_MAGIC, len(payload), zlib.crc32(payload)) + payload)
        except OSError as error:
            raise ResultsError(f"{self.journal} cannot be written: {error.strerror or error}") from None

    def _replay(self) -> None:
        """Reads the journal of an earlier run up to the first incomplete entry, and cuts the rest off."""
        whole = 0
        with open(os.dup(self._file), "rb") as file:
            file.seek(0)
            while True:
                head = file.read(_HEAD.size)
                if len(head) < _HEAD.size:
                    break
                magic, length, checksum = _HEAD.unpack(head)
                payload = file.read(length) if magic == _MAGIC else b""
                if magic != _MAGIC or len(payload) < length or zlib.crc32(payload) != checksum:
                    break
                self._take(_unpacked(payload, self.journal))
                whole = file.tell()
        os.ftruncate(self._file, whole)

    def _take(self, found: Results) -> None:
        self._check(found.description)
        pa = _arrow()
        table = found.table.replace_schema_metadata(None)
        known = pa.array(sorted(self._keys), pa.string())
        table = table.filter(pa.compute.invert(pa.compute.is_in(table[JOB], known)))
        self._keys.update(table[JOB].unique().to_pylist())
        if table.num_rows:
            self._parts.append(table)

    def _check(self, found: Mapping[str, Any]) -> None:
        different = sorted(
            name for name in {*found, *self.description} if found.get(name) != self.description.get(name)
        )
        if different:
            name = different[0]
            there, here = (_short(given.get(name)) for given in (found, self.description))
            raise ResultsError(
                f"{self.path} holds another study: its {name.replace('_', ' ')} is {there}, not {here}; "
                "name another file, or remove this one"
            )

    def _release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def read(path: str | Path) -> Results:
    """The results of a study from its Parquet file. Raises ResultsError."""
    pa = _arrow()
    path = Path(path)
    try:
        table = pa.parquet.read_table(path)
        said = (table.schema.metadata or {})[METADATA]
        return Results(msgspec.json.decode(said), table)
    except FileNotFoundError:
        raise ResultsError(f"there is no file {path}") from None
    except (KeyError, msgspec.MsgspecError, pa.ArrowInvalid, OSError) as error:
        why = "it says nothing of a study" if isinstance(error, KeyError) else str(error).splitlines()[0]
        raise ResultsError(f"{path} cannot be read as results of the lab: {why}") from None


def write(results: Results, path: str | Path) -> None:
    """Writes results to a Parquet file, which is complete or not there. Raises ResultsError."""
    path = Path(path)
    noted = results.table.replace_schema_metadata({METADATA: msgspec.json.encode(results.description)})
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _arrow().parquet.write_table(noted, beside, compression="zstd")
        _to_disk(beside)
        os.replace(beside, path)
    except OSError as error:
        raise ResultsError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        beside.unlink(missing_ok=True)


def together(files: Sequence[str | Path]) -> Results:
    """The results of several files as one: parts of one study, or the same study with several seeds.

    A task that is in two files counts once. Raises ResultsError for files of different studies, and for a proof
    together with races of tuning or comparison.
    """
    parts = [read(path) for path in files]
    first = parts[0].description
    for path, part in zip(files, parts, strict=True):
        if ("proof" in part.description) != ("proof" in first):
            proof, other = (path, files[0]) if "proof" in part.description else (files[0], path)
            raise ResultsError(
                f"{proof} is a proof and {other} is not: races that settings may have been chosen by prove nothing, so "
                "the two are not put together"
            )
        for name in sorted({*first, *part.description} - _BY_PART):
            if first.get(name) != part.description.get(name):
                raise ResultsError(
                    f"{path} holds another study than {files[0]}: its {name.replace('_', ' ')} is "
                    f"{_short(part.description.get(name))}, not {_short(first.get(name))}"
                )
    pa = _arrow()
    table = parts[0].table.replace_schema_metadata(None)
    for part in parts[1:]:
        known = table[JOB].unique()
        more = part.table.filter(pa.compute.invert(pa.compute.is_in(part.table[JOB], known)))
        table = pa.concat_tables([table, more.replace_schema_metadata(None)], promote_options="permissive")
    if "seed" in table.column_names and len(table["seed"].unique()) < table.num_rows:
        raise ResultsError("these files have some races in common, but not as the same tasks: leave one of them out")
    descriptions = {msgspec.json.encode(part.description, order="sorted"): part.description for part in parts}
    if len(descriptions) == 1:
        return Results(first, table.combine_chunks().sort_by(RACE if RACE in table.column_names else JOB))
    joined = {name: value for name, value in first.items() if name not in _BY_PART}
    for name in ("seed", "proof"):
        if name in first:
            joined[f"{name}s"] = sorted({each[name] for each in descriptions.values()})
    joined["races"] = sum(each["races"] for each in descriptions.values())
    return Results(joined, table.combine_chunks())


def about(game: Any, edition: Any) -> dict[str, Any]:
    """What a description says of the game, so that results of other rules or components are not mixed."""
    return {
        "game": game.name,
        "rules": game.rules_version,
        "edition": edition.name,
        "edition_hash": edition.hash,
        "edition_text": game.kept_text(edition),
        "spina": __version__,
    }


def _arrow() -> Any:
    """PyArrow, imported when it is needed. Raises SpinaError."""
    try:
        import_module("pyarrow.compute")
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        raise SpinaError("results are kept with PyArrow, which is not installed: pip install 'spina[lab]'") from None


def _table(key: str, columns: Mapping[str, Any]) -> Any:
    pa = _arrow()
    arrays = {
        name: pa.array([*column] if getattr(column, "ndim", 1) > 1 else column) for name, column in columns.items()
    }
    lengths = {len(array) for array in arrays.values()}
    if len(lengths) != 1 or lengths == {0}:
        raise ResultsError(f"the columns of a task must have one length, at least 1, not {sorted(lengths)}")
    return pa.table({JOB: pa.array([key] * lengths.pop()), **arrays})


def _packed(part: Any, description: Mapping[str, Any]) -> bytes:
    pa = _arrow()
    sink = pa.BufferOutputStream()
    noted = part.replace_schema_metadata({METADATA: msgspec.json.encode(description)})
    with pa.ipc.new_stream(sink, noted.schema) as stream:
        stream.write_table(noted)
    return bytes(sink.getvalue())


def _unpacked(payload: bytes, path: Path) -> Results:
    pa = _arrow()
    try:
        table = pa.ipc.open_stream(payload).read_all()
        return Results(msgspec.json.decode(table.schema.metadata[METADATA]), table)
    except (pa.ArrowInvalid, KeyError, TypeError, msgspec.MsgspecError) as error:
        raise ResultsError(f"{path} is no journal of the lab: {error}") from None


def _plain(description: Mapping[str, Any]) -> dict[str, Any]:
    """A description as it is read back from a file, for comparison."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(description))
    return plain


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:60] + "…"


def _write(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _to_disk(path: Path) -> None:
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


# --- one run at a time ----------------------------------------------------------------------------------------------


def _lock(journal: Path, path: Path) -> int:
    """Opens and locks the journal. The system releases the lock when the process ends. Raises ResultsError."""
    while True:
        try:
            file = os.open(journal, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise ResultsError(f"{journal} cannot be written: {error.strerror}") from None
        if not lock(file):
            os.close(file)
            raise ResultsError(f"{path} is being written by another run: wait for it, or name another file")
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), journal.stat()):
                return file
        os.close(file)  # another run has just removed it
