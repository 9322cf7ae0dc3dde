"""Machine code for entries only.

Numba makes every compiled function ready to be called from Python by itself: it links in all that the function calls,
optimises twice, and writes machine code. Our kernels are only ever called from entries, which link them in again, so
for them all of that is done in vain; in Chariotmaster it was three quarters of the time to compile. While a kernel is
compiled on behalf of another function, this module has Numba keep its code by itself, after one cheap pass; an entry
then links all that it needs, directly or not, and is optimised as a whole.

It reaches into Numba's code generator. Where that does not look as expected, nothing is changed: everything works,
and compiling takes longer.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from numba.core import codegen

SMALL = 12
"""A kernel that calls no more than so many others, directly or not, has them linked in at once, and inlined."""

_nesting = threading.local()
_environments: list[tuple[str, Any]] = []


def on_behalf(ask: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap what compiles a kernel when another function calls it."""

    def nested(*arguments: Any) -> Any:
        _nesting.depth = getattr(_nesting, "depth", 0) + 1
        try:
            return ask(*arguments)
        finally:
            _nesting.depth -= 1

    return nested


def _is_nested() -> bool:
    return getattr(_nesting, "depth", 0) > 0


def _install() -> bool:
    library, generator = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    try:
        finalise, set_environment = library.finalize, generator.set_env
        needed = (
            library._raise_if_finalized, library._finalize_dynamic_globals, generator._module_pass_manager,
            generator._check_llvm_bugs,
        )  # fmt: skip
    except AttributeError:
        return False

    def finalise_by_itself(self: Any) -> None:
        if not _is_nested():
            self._linking_libraries[:] = _all_needed(self)
            finalise(self)
            return
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        needed_here = _all_needed(self)
        for called in needed_here:
            self._reload_init.update(called._reload_init)
            if len(needed_here) <= SMALL:
                self._final_module.link_in(called._get_module_for_linking(), preserve=True)
        manager, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=1)
        manager.run(self._final_module, builder)
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._final_module._CPUCodeLibrary__library = weakref.proxy(self)
        self._finalized = True

    def set_if_written(self: Any, name: str, environment: Any) -> None:
        if self._engine.get_global_value_address(name):
            set_environment(self, name, environment)
        else:
            _environments.append((name, environment))

    library.finalize = finalise_by_itself
    generator.set_env = set_if_written
    return bool(needed)


def _all_needed(library: Any) -> list[Any]:
    """What a library calls, directly or not: callers first, because linking drops what nobody has called yet."""
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


def settle_environments(generator: Any) -> None:
    """Tell the machine code of an entry that is now written where its kernels' environments are."""
    for name, environment in _environments:
        if generator._engine.get_global_value_address(name):
            generator.set_env(name, environment)


INSTALLED = _install()
