"""Code libraries for kernels and entries: machine code is written once, for entries that are linked together.

Numba makes every compiled function ready to be called from Python by itself: it links in all that the function calls,
optimises twice, and writes machine code. Our kernels are only called from entries, so for kernels that work is wasted;
in Chariotmaster it was three quarters of the time to compile. And many entries of a game need most of its rules.
`KernelCompiler` keeps the code of a kernel or an entry after one cheap pass; `LinkedLibrary` links some entries with
all that they need, directly or not, and optimises that as a whole, of which only entries can be called from outside.

The compiler is handed to `numba.njit` as `pipeline_class`, so nothing of Numba is patched: other Numba code in the
process, also code that calls a kernel, compiles as if Spina were not there. The libraries use Numba's code generator
from inside; where that does not look as expected, they are not used: everything works, and compiling takes longer.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from llvmlite import binding as llvm
from numba.core import codegen
from numba.core.environment import lookup_environment

from spina.kernel.borrowed_arguments import BorrowingCompiler

MOST_INLINED = 12
"""A kernel that calls at most this many others, directly or not, has them linked in at once, and inlined."""

_NEEDED = (
    "_raise_if_finalized",
    "_finalize_dynamic_globals",
    "_get_module_for_linking",
    "_optimize_final_module",
    "finalize",
)
_environments: list[Any] = []
"""Environments of kernels. Numba refers to them only weakly, and they are needed when kernels are linked."""


class _DeferredEnvironments:
    """A code generator that only keeps the environment of a kernel, whose code is not in memory yet."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def set_env(self, name: str, environment: Any) -> None:
        _environments.append(environment)


class KernelLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel or of an entry after one cheap pass, to be linked."""

    @property
    def codegen(self) -> Any:
        return _DeferredEnvironments(self._codegen)

    def _optimize_functions(self, module: Any) -> None:
        """Nothing but what the passes of `finalize` need: they optimise each function of the module too."""
        module.data_layout = self._codegen._data_layout

    def get_pointer_to_function(self, name: str) -> int:
        """Nothing has an address before it is linked."""
        self._ensure_finalized()
        return 0

    def finalize(self) -> None:
        """Optimise the kernel cheaply, with what it calls if that is little."""
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        needed = _all_needed(self)
        for called in needed:
            self._reload_init.update(called._reload_init)
            if len(needed) <= MOST_INLINED:
                self._final_module.link_in(_own_module(called), preserve=True)
        manager, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=1)
        manager.run(self._final_module, builder)
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._final_module._CPUCodeLibrary__library = weakref.proxy(self)
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The kernel with all that it calls, for Numba functions that are not Spina's."""
        module = _own_module(self).clone()
        for called in _all_needed(self):
            module.link_in(_own_module(called), preserve=True)
        return module


class LinkedLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The machine code of some entries, and of every kernel that they need once."""

    def __init__(self, generator: Any, name: str, symbols: tuple[str, ...] = ()) -> None:
        super().__init__(generator, name)
        self._symbols = frozenset(symbols)

    @classmethod
    def loaded(cls, generator: Any, code: LinkedCode) -> LinkedLibrary:
        """A library out of machine code that was linked before, in this process or another."""
        for initialize in code.initializers:
            initialize()
        library = cls(generator, code.name, code.symbols)
        library.enable_object_caching()
        library._set_compiled_object(code.machine_code)
        library._finalize_final_module()
        for environment in code.environments:
            generator.set_env(environment.env_name, environment)
        return library

    def get_pointer_to_function(self, name: str) -> int:
        return int(self._codegen._engine.get_function_address(name)) if name in self._symbols else 0

    def link(self, entries: list[Any]) -> LinkedCode:
        """Link the code of entries with all that they need, and optimise it as a whole."""
        everything = _all_needed(SimpleNamespace(_linking_libraries=entries))
        for library in everything:
            self._reload_init.update(library._reload_init)
            module = library._final_module if library in entries else _own_module(library)
            self._final_module.link_in(module, preserve=True)
        _make_private(self._final_module)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        functions = self._final_module.functions
        return LinkedCode(
            name=self.name,
            machine_code=self._codegen._tm.emit_object(self._final_module),
            symbols=tuple(each.name for each in functions if _is_visible(each)),
            initializers=tuple(self._reload_init),
            environments=tuple(_environments_in(self._final_module)),
            portable=not self._dynamic_globals,
        )


class LinkedCode(NamedTuple):
    """Machine code with all that another process needs to load it."""

    name: str
    machine_code: bytes
    """An object file."""
    symbols: tuple[str, ...]
    """Names of the functions that can be called."""
    initializers: tuple[Any, ...]
    """Functions of Numba to call before it is loaded."""
    environments: tuple[Any, ...]
    """Numba's environments of the functions in it."""
    portable: bool
    """Whether another process can load it: false if it contains an address of this one."""


def _is_visible(function: Any) -> bool:
    return not function.is_declaration and function.linkage == llvm.Linkage.external


def _environments_in(module: Any) -> Iterator[Any]:
    for variable in module.global_variables:
        found = lookup_environment(variable.name) if variable.name.startswith("_ZN08NumbaEnv") else None
        if found is not None and found.can_cache():
            yield found


def _make_private(module: Any) -> None:
    """Make linked kernels invisible from outside; entries and their wrappers stay visible.

    LLVM must keep a copy of a function that another module could call. Without that copy it inlines a kernel with a
    single call however large the kernel is, drops kernels that are inlined everywhere, and chooses how to pass their
    arguments. Internal linkage would do the same, but leaves a kernel's name in the table of symbols, where LLVM's
    loader would find it for a module that brings a kernel of that name with the usual way to pass arguments.
    """
    for function in module.functions:
        if function.linkage == llvm.Linkage.linkonce_odr:
            function.linkage = llvm.Linkage.private


def _own_module(library: Any) -> Any:
    """The code of a library without kernels that it only calls."""
    return codegen.JITCodeLibrary._get_module_for_linking(library)


def _all_needed(library: Any) -> list[Any]:
    """What a library calls, directly or not: callers first, because linking drops what nothing has called yet."""
    found: list[Any] = []
    seen = set()

    def visit(caller: Any) -> None:
        for called in getattr(caller, "_linking_libraries", ()):
            if called not in seen:
                seen.add(called)
                called._ensure_finalized()
                visit(called)
                found.append(called)

    visit(library)
    return found[::-1]


class _Compiler(BorrowingCompiler):
    """Numba's compiler with a code library of ours."""

    library: type[Any]

    def compile_extra(self, function: Any) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class KernelCompiler(_Compiler):
    """Compiles a kernel on behalf of the function that calls it; or an entry, to be linked afterwards."""

    library = KernelLibrary


INSTALLED = all(hasattr(codegen.JITCodeLibrary, name) for name in _NEEDED) and hasattr(
    codegen.JITCPUCodegen, "_module_pass_manager"
)
"""Whether Numba's code generator looks as expected."""
OPTIONS: dict[str, Any] = {"pipeline_class": KernelCompiler} if INSTALLED else {}
