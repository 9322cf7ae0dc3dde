"""What compiled callers get in the place of functions under `@instruction`: LLVM code instead of Python.

Imported when something is compiled. The Python form of each function is in `bits.py`, `narration.py` or
`shared_counter.py`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from spina.kernel.narration import WIDTH

_WORD = ir.IntType(64)
_NO = ir.IntType(1)(0)
_PDEP = "llvm.x86.bmi.pdep.64"


def _of_words(*kinds: Any) -> Any:
    """The signature of a function that takes and returns 64-bit integers, or None if other things are passed."""
    if all(isinstance(kind, types.Integer) for kind in kinds):
        return types.int64(*[types.int64] * len(kinds))
    return None


@intrinsic  # type: ignore[untyped-decorator]
def count_bits(typing: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return _of_words(bits), generate


@intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(typing: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _NO)

    return _of_words(bits), generate


@intrinsic  # type: ignore[untyped-decorator]
def under_highest(typing: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        smaller = builder.lshr(_WORD(2**63 - 1), builder.ctlz(arguments[0], _NO))
        return builder.select(builder.icmp_signed("==", arguments[0], _WORD(0)), _WORD(0), smaller)

    return _of_words(bits), generate


@intrinsic  # type: ignore[untyped-decorator]
def nth_bit(typing: Any, bits: Any, n: Any) -> Any:
    def step_by_step(bits: Any, n: Any) -> Any:
        for _ in range(n):
            bits &= bits - 1
        return lowest_bit(bits)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if "+bmi2" not in getattr(context.codegen(), "_tm_features", ""):
            return context.compile_internal(builder, step_by_step, signature, arguments)
        pdep = builder.module.declare_intrinsic(_PDEP, (), ir.FunctionType(_WORD, [_WORD, _WORD]))
        return builder.cttz(builder.call(pdep, [builder.shl(_WORD(1), arguments[1]), arguments[0]]), _NO)

    return _of_words(bits, n), generate


def _of_row(row: Any, size: Any) -> Any:
    """The signature of a function of a row and its constant size."""
    if row.layout == "C" and isinstance(size, types.IntegerLiteral):
        return types.int64(row, size)
    return None


def _set_of(context: Any, builder: Any, signature: Any, arguments: Any, plural: bool) -> Any:
    """Compare a whole row at once: the indices of what is not 0; plural: of sets with more than one member."""
    row, size = signature.args[0], signature.args[1].literal_value
    vector = ir.VectorType(context.get_data_type(row.dtype), size)
    start = context.make_array(row)(context, builder, arguments[0]).data
    values = builder.load(builder.bitcast(start, vector.as_pointer()), align=row.dtype.bitwidth // 8)
    if plural:
        values = builder.and_(values, builder.sub(values, ir.Constant(vector, [1] * size)))
    members = builder.icmp_signed("!=", values, ir.Constant(vector, [0] * size))
    return builder.zext(builder.bitcast(members, ir.IntType(size)), _WORD)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def filled(typing: Any, counts: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _set_of(context, builder, signature, arguments, False)

    return _of_row(counts, size), generate


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def crowded(typing: Any, sets: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _set_of(context, builder, signature, arguments, True)

    return _of_row(sets, size), generate


@intrinsic  # type: ignore[untyped-decorator]
def claim(typing: Any, counter: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("add", place, arguments[1], "acq_rel")

    return types.int64(counter, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def silence(typing: Any) -> Any:
    """An array without memory: nothing is allocated, and no references to it are counted."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.return_type)(context, builder)
        number = context.get_value_type(types.intp)
        size = types.int32.bitwidth // 8
        populate_array(
            array,
            data=ir.Constant(array.data.type, None),
            shape=[number(0), number(WIDTH)],
            strides=[number(WIDTH * size), number(size)],
            itemsize=number(size),
            meminfo=None,
        )
        return array._getvalue()

    return types.Array(types.int32, 2, "C")(), generate
