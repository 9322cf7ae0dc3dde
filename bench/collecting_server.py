"""`spina` that collects all garbage often: what its memory grows by is in use.

    python -m bench.collecting_server serve …

A server lets garbage wait until its memory has grown by half, and by some 100 MB at least, because collecting it stops
everybody for some tenths of a second. A campaign that looks for leaks cannot tell such garbage from a leak.
"""

from __future__ import annotations

import sys

from spina.cli import main
from spina.table import garbage

OFTEN = 100_000
"""Growth in blocks of memory, some 10 MB, after which everything is collected."""
PROGRAM = ("bench.collecting_server",)
"""What `bench.servers` runs instead of Spina itself."""

if __name__ == "__main__":
    garbage.GROWTH, garbage.LEAST_GROWTH = 1.0, OFTEN
    sys.exit(main())
