"""Code libraries for kernels and entries: machine code is written for entries only.

Numba makes every compiled function ready to be called from Python by itself: it links in all that the function calls,
optimises twice, and writes machine code. Our kernels are only called from entries, which link them in again, so for
kernels that work is wasted; in Chariotmaster it was three quarters of the time to compile. `KernelCompiler` keeps a
kernel's code after one cheap pass; `EntryCompiler` links all that an entry needs, directly or not, and optimises it as
a whole, of which only the entry itself can be called from outside.

Both are handed to `numba.njit` as `pipeline_class`, so nothing of Numba is patched: other Numba code in the process,
also code that calls a kernel, compiles as if Spina were not there. The libraries use Numba's code generator from
inside; where that does not look as expected, they are not used: everything works, and compiling takes longer.
"""

from __future__ import annotations

import weakref
from typing import Any

from llvmlite import binding as llvm
from numba.core import codegen, compiler

MOST_INLINED = 12
"""A kernel that calls at most this many others, directly or not, has them linked in at once, and inlined."""

_NEEDED = (
    "_raise_if_finalized",
    "_finalize_dynamic_globals",
    "_get_module_for_linking",
    "_optimize_final_module",
    "finalize",
)
_environments: list[tuple[str, Any]] = []


class _DeferredEnvironments:
    """A code generator that only notes the environment of a kernel, whose code is not in memory yet."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def set_env(self, name: str, environment: Any) -> None:
        _environments.append((name, environment))


class KernelLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel after one cheap pass, to be linked into entries."""

    @property
    def codegen(self) -> Any:
        return _DeferredEnvironments(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """A kernel has no address: only entries become machine code."""
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


class EntryLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry, into which every kernel that it needs is linked once."""

    def finalize(self) -> None:
        direct = list(self._linking_libraries)
        self._linking_libraries[:] = [_Alone(called) for called in _all_needed(self)]
        super().finalize()
        self._linking_libraries[:] = direct

    def _optimize_final_module(self) -> None:
        _make_internal(self._final_module)
        super()._optimize_final_module()


class _Alone:
    """A library as `EntryLibrary` links it: its own code, without what it calls."""

    def __init__(self, library: Any) -> None:
        self._library, self._reload_init = library, library._reload_init

    def _get_module_for_linking(self) -> Any:
        return _own_module(self._library)


def _make_internal(module: Any) -> None:
    """Make the kernels that are linked into an entry invisible outside it; the entry and its wrappers stay visible.

    LLVM must keep a copy of a function that another module could call. Without that copy it inlines a kernel with a
    single call however large the kernel is, and drops kernels that are inlined everywhere.
    """
    for function in module.functions:
        if function.linkage == llvm.Linkage.linkonce_odr:
            function.linkage = llvm.Linkage.internal


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


class _Compiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's compiler with a code library of ours."""

    library: type[Any]

    def compile_extra(self, function: Any) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class KernelCompiler(_Compiler):
    """Compiles a kernel on behalf of the function that calls it."""

    library = KernelLibrary


class EntryCompiler(_Compiler):
    """Compiles an entry with all that it calls."""

    library = EntryLibrary


def settle_environments(generator: Any) -> None:
    """Tell the machine code of an entry that is now written where its kernels' environments are."""
    for name, environment in _environments:
        if generator._engine.get_global_value_address(name):
            generator.set_env(name, environment)


INSTALLED = all(hasattr(codegen.JITCodeLibrary, name) for name in _NEEDED) and hasattr(
    codegen.JITCPUCodegen, "_module_pass_manager"
)
"""Whether Numba's code generator looks as expected."""
KERNEL_OPTIONS: dict[str, Any] = {"pipeline_class": KernelCompiler} if INSTALLED else {}
ENTRY_OPTIONS: dict[str, Any] = {"pipeline_class": EntryCompiler} if INSTALLED else {}
