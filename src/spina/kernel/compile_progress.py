"""Progress of compilation, for pages that wait for it: see `compiler`."""

from __future__ import annotations

from spina.kernel.compiler import in_cache, pending, ready

__all__ = ["in_cache", "pending", "ready"]
