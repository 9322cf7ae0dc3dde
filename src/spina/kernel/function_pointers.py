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

from spina.kernel import compiler
from spina.kernel.signatures import Signature


def addresses(functions: Sequence[Callable[..., Any]], signatures: Sequence[Signature]) -> Any:
    """The addresses of entries, for a kernel's parameter of the type ADDRESSES. Waits until they are compiled.

    Raises TypeError if an entry was compiled for another signature.
    """
    if compiler.INTERPRETED:
        return tuple(functions)
    compiler.ready(*dict.fromkeys(map(compiler.folder_of, functions)))
    address = compiler.numba_forms().address
    return np.array([address(*each) for each in zip(functions, signatures, strict=True)], np.int64)


def record_of(record: Any, signatures: Sequence[Signature]) -> Any:
    """A kernel function `unpack(addresses)` that returns the functions as the fields of a named tuple."""

    def unpack(functions: Any) -> Any:
        return record(*functions)

    return compiler.compiled_as(lambda: compiler.numba_forms().unpack_type(record, signatures))(unpack)


def function_of(signature: Signature) -> Any:
    """A kernel function `at(addresses, i)` that returns function number i of an array; all have this signature."""

    def at(functions: Any, number: Any) -> Any:
        return functions[number]

    return compiler.compiled_as(lambda: compiler.numba_forms().element_type(signature))(at)
