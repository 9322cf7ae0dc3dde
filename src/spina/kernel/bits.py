"""Small sets as the bits of an integer.

Each function has two forms: the Python code below, and one or a few instructions that compiled callers get in its
place. `tests/kernel/test_bits.py` compares them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spina.kernel.compiler import INTERPRETED


def count_bits(bits: Any) -> int:
    """How many members the set has."""
    return int(bits).bit_count()


def lowest_bit(bits: Any) -> int:
    """The smallest member of a set that is not empty."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


def nth_bit(bits: Any, n: Any) -> int:
    """The n-th member of the set, counted from 0."""
    bits = int(bits)
    for _ in range(n):
        bits &= bits - 1
    return lowest_bit(bits)


def under_highest(bits: Any) -> int:
    """All numbers below the largest member of the set; none if it is empty."""
    return (1 << int(bits).bit_length() >> 1) - 1 if bits else 0


def filled(counts: Any, size: int) -> int:
    """The indices, below `size`, at which an array of 16-bit integers is not 0. `size` must be a constant."""
    return int.from_bytes(np.packbits(counts[:size] != 0, bitorder="little").tobytes(), "little")


def crowded(sets: Any, size: int) -> int:
    """The indices, below `size`, at which an array of 16-bit sets holds two members or more; `size` as for `filled`."""
    return filled(sets & (sets - 1), size)


if not INTERPRETED:
    from llvmlite import ir
    from numba import types
    from numba.extending import lower_builtin, type_callable

    _WORD = ir.IntType(64)
    _PDEP = "llvm.x86.bmi.pdep.64"

    for _one in (count_bits, lowest_bit, under_highest):

        @type_callable(_one)  # type: ignore[untyped-decorator]
        def _type_of_one(context: Any) -> Any:
            return lambda bits: types.int64 if isinstance(bits, types.Integer) else None

    @type_callable(nth_bit)  # type: ignore[untyped-decorator]
    def _type_of_nth_bit(context: Any) -> Any:
        return lambda bits, n: types.int64

    for _row in (filled, crowded):

        @type_callable(_row)  # type: ignore[untyped-decorator]
        def _type_of_row(context: Any) -> Any:
            def typer(row: Any, size: Any) -> Any:
                return types.int64 if row.layout == "C" and isinstance(size, types.IntegerLiteral) else None

            return typer

    def _word(context: Any, builder: Any, signature: Any, arguments: Any, number: int = 0) -> Any:
        """An argument of a call as a 64-bit integer."""
        return context.cast(builder, arguments[number], signature.args[number], types.int64)

    @lower_builtin(count_bits, types.Integer)  # type: ignore[untyped-decorator]
    def _lower_count_bits(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(_word(context, builder, signature, arguments))

    @lower_builtin(lowest_bit, types.Integer)  # type: ignore[untyped-decorator]
    def _lower_lowest_bit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(_word(context, builder, signature, arguments), ir.IntType(1)(0))

    @lower_builtin(under_highest, types.Integer)  # type: ignore[untyped-decorator]
    def _lower_under_highest(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = _word(context, builder, signature, arguments)
        smaller = builder.lshr(_WORD(2**63 - 1), builder.ctlz(bits, ir.IntType(1)(0)))
        return builder.select(builder.icmp_signed("==", bits, _WORD(0)), _WORD(0), smaller)

    def _nth_bit_by_steps(bits: Any, n: Any) -> Any:
        for _ in range(n):
            bits &= bits - 1
        return lowest_bit(bits)

    @lower_builtin(nth_bit, types.Integer, types.Integer)  # type: ignore[untyped-decorator]
    def _lower_nth_bit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits, n = (_word(context, builder, signature, arguments, number) for number in range(2))
        if "+bmi2" in getattr(context.codegen(), "_tm_features", ""):  # one instruction instead of a loop
            deposit = builder.module.declare_intrinsic(_PDEP, (), ir.FunctionType(_WORD, [_WORD, _WORD]))
            return builder.cttz(builder.call(deposit, [builder.shl(_WORD(1), n), bits]), ir.IntType(1)(0))
        plain = types.int64(types.int64, types.int64)
        return context.compile_internal(builder, _nth_bit_by_steps, plain, [bits, n])

    def _lower_row(context: Any, builder: Any, signature: Any, arguments: Any, plural: bool) -> Any:
        """Compare a whole row at once."""
        row, size = signature.args[0], signature.args[1].literal_value
        number = context.get_data_type(row.dtype)
        vector = ir.VectorType(number, size)
        start = context.make_array(row)(context, builder, arguments[0]).data
        values = builder.load(builder.bitcast(start, vector.as_pointer()), align=row.dtype.bitwidth // 8)
        if plural:
            values = builder.and_(values, builder.sub(values, ir.Constant(vector, [1] * size)))
        members = builder.icmp_signed("!=", values, ir.Constant(vector, [0] * size))
        return builder.zext(builder.bitcast(members, ir.IntType(size)), _WORD)

    @lower_builtin(filled, types.Array, types.IntegerLiteral)  # type: ignore[untyped-decorator]
    def _lower_filled(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _lower_row(context, builder, signature, arguments, False)

    @lower_builtin(crowded, types.Array, types.IntegerLiteral)  # type: ignore[untyped-decorator]
    def _lower_crowded(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _lower_row(context, builder, signature, arguments, True)
