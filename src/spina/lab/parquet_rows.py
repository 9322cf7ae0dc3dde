"""Raw facts as Parquet: one row for every chariot, with the columns of its race."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spina.errors import SpinaError
from spina.games.studies.facts import Facts


def write(path: str | Path, known: Mapping[str, Facts]) -> None:
    """Writes the chariots of these games' races to one file. Raises SpinaError."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise SpinaError("Parquet files need PyArrow: pip install 'spina[lab]'") from None
    tables = []
    for game, facts in known.items():
        rows = facts.chariots["race"]
        columns = {"game": np.full(len(rows), game)}
        columns |= {f"race_{name}": column[rows] for name, column in facts.races.items()}
        columns |= {name: column for name, column in facts.chariots.items() if name != "race"}
        tables.append(pa.table({name: pa.array(column) for name, column in columns.items()}))
    try:
        pq.write_table(pa.concat_tables(tables, promote_options="permissive"), path)
    except OSError as error:
        raise SpinaError(f"{path} cannot be written: {error.strerror or error}") from None
