"""Array arguments that kernels borrow: no references to them are counted.

Numba counts a reference to an array for every variable that holds it, and so for every argument of every call, with
instructions that wait until the whole machine agrees: an eighth of a random race of Chariot Race. A caller keeps what
it passes until the call is over, so a function that returns no array needs no reference of its own. `BorrowingLower`
tells such a function that no object owns the memory of its array arguments, which Numba then does not count.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import compiler, lowering, typed_passes
from numba.core.compiler_machinery import register_pass

OWNER = "meminfo"
"""The field of Numba's arrays that names the owner of their memory."""


class BorrowingLower(lowering.Lower):  # type: ignore[misc]
    """Numba's translation to LLVM, of functions that borrow their array arguments."""

    def extract_function_arguments(self) -> Any:
        arguments = super().extract_function_arguments()
        if not self.generator_info and not self._is_counted(self.fndesc.restype):
            self.fnargs = [self._borrowed(*each) for each in zip(self.fndesc.argtypes, arguments, strict=True)]
        return self.fnargs

    def _is_counted(self, kind: Any) -> bool:
        """Whether references to values of this type, or to parts of them, are counted."""
        return bool(self.context.data_model_manager[kind].contains_nrt_meminfo())

    def _borrowed(self, kind: Any, value: Any) -> Any:
        """The value without the owners of its arrays."""
        if isinstance(kind, types.Array):
            field = self.context.data_model_manager[kind].get_field_position(OWNER)
            return self.builder.insert_value(value, ir.Constant(value.type.elements[field], None), field)
        if isinstance(kind, types.BaseTuple):
            for i, part in enumerate(kind):
                borrowed = self._borrowed(part, self.builder.extract_value(value, i))
                value = self.builder.insert_value(value, borrowed, i)
        return value


@register_pass(mutates_CFG=True, analysis_only=False)
class BorrowingLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    """The step of Numba's compiler that uses `BorrowingLower`."""

    _name = "borrowing_lowering"

    @property
    def lowering_class(self) -> type[BorrowingLower]:
        return BorrowingLower


class BorrowingCompiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's compiler for functions that borrow their array arguments."""

    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (BorrowingLowering if step is typed_passes.NativeLowering else step, description)
                for step, description in pipeline.passes
            ]
            pipeline.finalize()
        return pipelines
