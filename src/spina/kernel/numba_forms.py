"""The compiled forms of kernels and entries: all that Spina asks of Numba.

Imported when something is compiled or loaded for the first time.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

import spina.kernel.compiler as tiers
from spina.kernel import code_folders, instructions, linked_entries, linker
from spina.kernel.code_cache import code_cache
from spina.kernel.signatures import Array, Number, Record, Signature

if TYPE_CHECKING:
    from spina.kernel.compiler import Entry

# Function pointers with explicit signatures are what lets one search serve every game. They are cached and
# have kept their form for years; the warning would meet every user at every start.
warnings.filterwarnings("ignore", message="First-class function", category=NumbaExperimentalFeatureWarning)

_kernels: list[Any] = []
"""The dispatchers of all kernels: a Numba type refers to its dispatcher only weakly."""


def numba_type(described: Any) -> Any:
    """The Numba type, or signature, that `spina.kernel.signatures` describes; a Numba type stays what it is."""
    match described:
        case Number(name):
            return getattr(types, name)
        case Array(element, dimensions, readonly):
            return types.Array(numba_type(element), dimensions, "C", readonly=readonly)
        case Record(record, fields):
            kinds = [numba_type(field) for field in fields]
            if len(set(kinds)) == 1:  # as Numba types such a tuple
                return types.NamedUniTuple(kinds[0], len(kinds), record)
            return types.NamedTuple(kinds, record)
        case Signature(returned, parameters):
            return numba_type(returned)(*(numba_type(parameter) for parameter in parameters))
    return described


# --- kernels and entries --------------------------------------------------------------------------------------------


def kernel_type(function: Callable[..., Any]) -> Any:
    """The type of a kernel for compiled callers."""
    # Without the wrappers through which Python would call it, a kernel compiles in three quarters of the time.
    compiled = numba.njit(
        nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, **linker.OPTIONS
    )(function)
    _kernels.append(_with_plain_integers(compiled))
    return types.Dispatcher(compiled)


def entry_type(found: Entry) -> Any:
    """The type of an entry for compiled callers, which compile it with themselves like a kernel."""
    return kernel_type(found.py_func)


def entry_dispatcher(found: Entry) -> Any:
    """The dispatcher of an entry, with its place in the cache."""
    if not linker.INSTALLED:
        compiled = numba.njit(nogil=True, error_model="numpy")(found.py_func)
        compiled._cache = code_cache(found.py_func, tiers._groups[found.folder].cache)
        return compiled
    compiled = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **linker.OPTIONS)(found.py_func)
    compiled._cache = linked_entries.EntryCache(found, tiers._groups[found.folder].cache, on_miss=tiers.prepare)
    return compiled


def compile_entries(entries: Sequence[Entry], cache: Path, after_each: Callable[[], None]) -> None:
    """Compile entries of one folder into its cache, and report after each of them."""
    tiers.prepare()
    if linker.INSTALLED:
        linked_entries.compile_entries(entries, cache, after_each)
        return
    for found in entries:
        found.dispatcher.compile(found.numba_signature)
        code_folders.add_to_index(cache, [found.key], code_folders.file_name(found.key))
        after_each()


def load_entry(found: Entry) -> None:
    """Have an entry's dispatcher use what is in the cache, or what was just compiled."""
    found.dispatcher.compile(found.numba_signature)
    found.dispatcher.disable_compile()  # another argument type is a mistake, not a reason to compile again


def _with_plain_integers(compiled: Any) -> Any:
    """Let calls from other kernels pass every integer as 64 bits.

    Numba would compile a kernel once for each width of an argument, and again for each literal and each argument that
    is left out: 213 versions of the kernels of Charioteer instead of 149, in half as much time again.
    """
    fold = compiled._compiler.fold_argument_types

    def fold_plainly(arguments: Any, keywords: Any) -> Any:
        signature, folded = fold(arguments, keywords)
        return signature, tuple(map(_plain, folded))

    compiled._compiler.fold_argument_types = fold_plainly
    return compiled


def _plain(kind: Any) -> Any:
    kind = types.unliteral(kind)
    if isinstance(kind, types.Omitted) and type(kind.value) is int:
        return types.int64
    narrow = isinstance(kind, types.Integer) and kind != types.uint64
    return types.int64 if narrow else kind


def instruction_type(name: str) -> Any:
    """The type of a function of `instructions`."""
    return _type_of_intrinsic(getattr(instructions, name))


def table_type(symbol: str, table: Any) -> Any:
    """The type of a function that returns the array whose address a symbol stands for (see `outside_tables`)."""
    kind = types.Array(numba.from_dtype(table.dtype), table.ndim, "C", readonly=True)

    @intrinsic  # type: ignore[untyped-decorator]
    def outside(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(kind)(context, builder)
            place = builder.module.globals.get(symbol)
            if place is None:
                place = ir.GlobalVariable(builder.module, array.data.type.pointee, symbol)
            number = context.get_value_type(types.intp)
            populate_array(
                array,
                data=place,
                shape=[number(size) for size in table.shape],
                strides=[number(size) for size in table.strides],
                itemsize=number(table.itemsize),
                meminfo=None,
            )
            return array._getvalue()

        return kind(), generate

    return _type_of_intrinsic(outside)


def define_symbol(symbol: str, address: int) -> None:
    """Let a symbol in compiled code stand for an address of this process."""
    llvm.add_symbol(symbol, address)


def number_class(kind: type[Any]) -> Any:
    """The type of a NumPy number class as a function that converts to it."""
    return numba.typeof(kind)


# --- functions out of addresses (see `function_pointers`) -----------------------------------------------------------


def address(found: Entry, signature: Signature) -> int:
    """The address of a compiled entry. Raises TypeError if it was compiled for another signature."""
    wanted = numba_type(signature)
    compiled = found.dispatcher.get_compile_result(wanted)
    if compiled.signature.return_type != wanted.return_type:
        raise TypeError(f"{found} returns {compiled.signature.return_type}, not {wanted.return_type}")
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def unpack_type(record: Any, signatures: Sequence[Signature]) -> Any:
    """The type of a function that turns an array of addresses into a named tuple of functions."""
    kind = types.NamedTuple([types.FunctionType(numba_type(signature)) for signature in signatures], record)

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

    return _type_of_intrinsic(unpack)


def element_type(signature: Signature) -> Any:
    """The type of a function that returns one function out of an array of addresses."""
    kind = types.FunctionType(numba_type(signature))

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing_context: Any, array: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            return _function(context, builder, kind, builder.gep(data, [arguments[1]]))

        return kind(array, types.intp), generate

    return _type_of_intrinsic(at)


_intrinsics: list[Any] = []
"""Numba keeps only weak references to them."""


def _type_of_intrinsic(function: Any) -> Any:
    _intrinsics.append(function)
    context = numba.core.registry.cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(function)


def _function(context: Any, builder: Any, kind: Any, place: Any) -> Any:
    """Numba's value for a function whose address is stored at `place`."""
    function = cgutils.create_struct_proxy(kind)(context, builder)
    nothing = cgutils.voidptr_t(None)
    function.c_addr, function.py_addr = nothing, nothing
    function.jit_addr = builder.inttoptr(builder.load(place), cgutils.voidptr_t)
    return function._getvalue()
