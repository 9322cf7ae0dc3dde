"""Types that several threads use for the first time at once."""

from __future__ import annotations

import subprocess
import sys

THREADS = """
import sys, threading
import msgspec
from spina.typed_data import ready

sys.setswitchinterval(1e-6)

def race(number):
    inner = msgspec.defstruct(f"Inner{number}", [("a", int, 0), ("b", list[str], [])])
    kind = msgspec.defstruct(f"Kind{number}", [(f"f{k}", inner | None, None) for k in range(10)])
    together, made = threading.Barrier(4), []

    def convert():
        together.wait()
        for _ in range(5):
            made.append(msgspec.convert({"f9": {"a": 1, "b": ["x"]}}, ready(kind)).f9.a)

    threads = [threading.Thread(target=convert) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1] * 20

for number in range(200):
    race(number)
"""


def test_threads_that_convert_to_a_new_type_at_once_do_not_crash() -> None:
    subprocess.run([sys.executable, "-c", THREADS], check=True, timeout=60)
