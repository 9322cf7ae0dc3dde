"""Records as interpreted kernels open them: the same bytes as NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from spina.kernel.record import MOST_OPEN, _opened, as_words, blank, elements, fields, look, record, row, table, whole
from spina.kernel.record_views import reader

LAYOUT = record(
    [
        ("dice", "u8", (4,)),
        ("turn", "i8"),
        ("small", "i2"),
        ("share", "f8"),
        ("deck", "i1", (8,)),
        ("hand", "i2", (3, 5)),
        ("stack", "i8", (2, 3, 2)),
    ]
)


def test_numbers_and_arrays_are_read_and_written_as_numpy_does() -> None:
    data, chance = blank(LAYOUT), np.random.default_rng(1)
    data[:] = chance.integers(0, 256, len(data), np.uint8)
    opened, known = fields(data, LAYOUT), look(data, LAYOUT)
    assert (opened.turn, opened.small) == (known.turn, known.small)
    for name in ("dice", "deck", "hand", "stack"):
        assert opened.__getattr__(name).tolist() == known[name].tolist()
    opened.turn -= 7
    opened.small, opened.share = -3, 0.25
    opened.dice[2], opened.deck[7], opened.hand[2, 4], opened.stack[1, 2, 1] = 2**64 - 1, -128, -9, -(2**63)
    assert (known.turn, known.small, known.share) == (opened.turn, -3, 0.25)
    assert (known.dice[2], known.deck[7], known.hand[2, 4], known.stack[1, 2, 1]) == (2**64 - 1, -128, -9, -(2**63))
    data[:] = 0
    assert (opened.turn, opened.small, opened.share, opened.hand[2, 4]) == (0, 0, 0.0, 0)
    assert row(opened.hand, 1).tolist() == [0] * 5 and len(as_words(opened.deck)) == 1


def test_numbers_are_pythons_own_and_do_not_wrap() -> None:
    opened = fields(blank(LAYOUT), LAYOUT)
    opened.small = 32_767
    assert type(opened.small) is type(opened.deck[0]) is type(whole(np.int16(3))) is int
    assert opened.small + 1 == 32_768  # as compiled code widens it
    with pytest.raises(ValueError, match="invalid value"):
        opened.deck[0] = 200
    with pytest.raises(AttributeError):
        opened.missing  # noqa: B018


def test_read_only_bytes_cannot_be_written() -> None:
    data = blank(LAYOUT)
    data.flags.writeable = False
    opened = fields(data, LAYOUT)
    assert opened is fields(data, LAYOUT) and opened.turn == 0
    with pytest.raises(TypeError):
        opened.deck[0] = 1


def test_few_records_are_kept_open_and_none_is_mistaken_for_another() -> None:
    for number in range(5 * MOST_OPEN):
        data = blank(LAYOUT)
        look(data, LAYOUT).turn = number
        assert fields(data, LAYOUT).turn == number
    assert len(_opened) <= MOST_OPEN


def test_a_table_gives_numbers_of_python() -> None:
    squares = table(np.arange(5) ** 2)
    assert squares[3] == 9 and type(squares[3]) is int and squares[-1] == 16
    with pytest.raises(ValueError, match="one dimension"):
        table(np.zeros((2, 2)))


def test_elements_of_an_array_are_pythons_own_numbers_and_written_in_place() -> None:
    array = np.arange(6, dtype=np.int32).reshape(2, 3)
    opened = elements(array)
    opened[1, 2] += 40
    assert array[1, 2] == 45 and type(opened[1, 2]) is int and opened.shape == (2, 3) and len(opened) == 2


def test_fields_read_at_once_are_those_that_numpy_reads() -> None:
    data, names = blank(LAYOUT), ("hand", "turn", "deck", "small", "dice")
    read = reader(LAYOUT, *names)
    for seed in range(20):
        data[:] = np.random.default_rng(seed).integers(0, 256, len(data), np.uint8)
        found, known = read(data), look(data, LAYOUT)
        assert found._fields == names
        for name in names:
            assert np.array_equal(getattr(found, name), known[name])
    assert type(found.turn) is type(found.deck[0]) is type(found.hand[2][4]) is int
    for other in ("share", "stack"):
        with pytest.raises(ValueError, match=other):
            reader(LAYOUT, other)
