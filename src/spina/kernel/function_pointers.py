"""Compiled functions that a kernel receives as an array of addresses.

Numba can pass one compiled function to another as an argument, but then looks up its address at every call, which
takes 40 µs for each function. `addresses` looks them up once. Inside the kernel, what `record_of` or `function_of`
made turns the addresses into functions again.

In the interpreter the "addresses" are the functions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spina.kernel.compiler import INTERPRETED

if not INTERPRETED:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic


def addresses(functions: Sequence[Callable[..., Any]], signatures: Sequence[Any]) -> Any:
    """The addresses of compiled entries, for a kernel's parameter of the type ADDRESSES.

    Raises TypeError if an entry was compiled for another signature.
    """
    if INTERPRETED:
        return tuple(functions)
    return np.array([_address(*each) for each in zip(functions, signatures, strict=True)], np.int64)


def _address(function: Any, signature: Any) -> int:
    compiled = function.get_compile_result(signature)
    if compiled.signature.return_type != signature.return_type:
        raise TypeError(f"{function.__name__} returns {compiled.signature.return_type}, not {signature.return_type}")
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def record_of(record: Any, signatures: Sequence[Any]) -> Any:
    """A kernel function `unpack(addresses)` that returns the functions as the fields of a named tuple."""
    if INTERPRETED:
        return lambda functions: record(*functions)
    kind = types.NamedTuple([types.FunctionType(signature) for signature in signatures], record)

    @intrinsic  # type: ignore[untyped-decorator]
    def unpack(typing_context: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            numbers = [context.get_constant(types.intp, i) for i in range(len(kind.types))]
            functions = [
                _function(context, builder, each, builder.gep(data, [number]))
                for each, number in zip(kind.types, numbers, strict=True)
            ]
            return context.make_tuple(builder, kind, functions)

        return kind(array), generate

    return unpack


def function_of(signature: Any) -> Any:
    """A kernel function `at(addresses, i)` that returns function number i of an array; all have this signature."""
    if INTERPRETED:
        return lambda functions, number: functions[number]
    kind = types.FunctionType(signature)

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing_context: Any, array: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            return _function(context, builder, kind, builder.gep(data, [arguments[1]]))

        return kind(array, types.intp), generate

    return at


def _function(context: Any, builder: Any, kind: Any, place: Any) -> Any:
    """Numba's value for a function whose address is stored at `place`."""
    function = cgutils.create_struct_proxy(kind)(context, builder)
    nothing = cgutils.voidptr_t(None)
    function.c_addr, function.py_addr = nothing, nothing
    function.jit_addr = builder.inttoptr(builder.load(place), cgutils.voidptr_t)
    return function._getvalue()
