"""A compiler for tests, which compiles nothing: it counts down, and dies as often as it is told to."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from spina.table.bots import subprocesses

game, *modules = sys.argv[1:]
folder = Path(os.environ["SPINA_TEST_FOLDER"])
begun = folder / f"{game}.begun"
with begun.open("a") as file:
    file.write(f"{os.getpid()} {' '.join(modules)}\n")
speak = subprocesses.stand_back()
subprocesses.end_with_parent()
for left in (5, 3):
    speak.write(subprocesses.framed(left.to_bytes(4, "big")))
if len(begun.read_text().splitlines()) <= int(os.environ.get("SPINA_TEST_DEATHS", "0")):
    os.kill(os.getpid(), 9)
while (folder / f"{game}.hold").exists():
    time.sleep(0.02)
(folder / ("search.done" if modules else f"{game}.done")).touch()
