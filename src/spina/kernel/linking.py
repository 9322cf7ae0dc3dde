"""Machine code for entries only.

Numba makes every compiled function ready to be called from Python by itself: it links in all that the function calls,
optimises twice, and writes machine code. Our kernels are only ever called from entries, which link them in again, so
for them all of that is done in vain; in Chariotmaster it was two thirds of the time to compile. While a kernel is
compiled on behalf of another function, this module has Numba keep its code as it is after one cheap pass.

It reaches into Numba's code generator. Where that does not look as expected, nothing is changed: everything works,
and compiling takes longer.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from numba.core import codegen

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
    library, linked, generator = codegen.CPUCodeLibrary, codegen.JITCodeLibrary, codegen.JITCPUCodegen
    try:
        optimise = library._optimize_final_module
        finalise = library._finalize_final_module
        set_environment = generator.set_env
        wanted = (linked._finalize_specific, library._finalize_dynamic_globals, library._verify_declare_only_symbols)
        generator._module_pass_manager  # noqa: B018
    except AttributeError:
        return False

    def optimise_once(self: Any) -> None:
        if not _is_nested():
            optimise(self)
            return
        manager, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=1)
        manager.run(self._final_module, builder)

    def finalise_unwritten(self: Any) -> None:
        if not _is_nested() or not isinstance(self, linked):
            finalise(self)
            return
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._final_module._CPUCodeLibrary__library = weakref.proxy(self)
        self._finalized = True

    def set_if_written(self: Any, name: str, environment: Any) -> None:
        if self._engine.get_global_value_address(name):
            set_environment(self, name, environment)
        else:
            _environments.append((name, environment))

    library._optimize_final_module = optimise_once
    library._finalize_final_module = finalise_unwritten
    generator.set_env = set_if_written
    return bool(wanted)


def settle_environments(generator: Any) -> None:
    """Tell the machine code of an entry that is now written where its kernels' environments are."""
    for name, environment in _environments:
        if generator._engine.get_global_value_address(name):
            generator.set_env(name, environment)


INSTALLED = _install()
