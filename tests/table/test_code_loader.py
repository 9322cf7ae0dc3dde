"""Workers answer before compiled code is loaded, and load it when questions pause."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import spina
from spina.bots import search_bot
from spina.games import folders
from spina.kernel import compiler

pytestmark = [pytest.mark.slow, pytest.mark.skipif(compiler.INTERPRETED, reason="one tier only when interpreting")]

WORKER = """
import json, sys, threading, time, spina
from spina import bots
from spina.bots import search_bot
from spina.games import background_compile, folders
from spina.kernel import compiler
from spina.table.bots import code_loader, subprocesses, worker
from spina.table.bots.worker_messages import Question

background_compile.disable()
subprocesses.stand_back = lambda: None
race = spina.new("chariot-race", seats=4, seed=3)
questions = [Question.of(race, race.to_act[0], bot, 11) for bot in ("competent", "medium", "expert")]
needed = (*folders("chariot-race"), search_bot.FOLDER)
def until_loaded():
    while not compiler.is_ready(*needed):
        time.sleep(0.01)
"""


def run(code: str) -> Any:
    """What a process prints as JSON, in which nothing is loaded at first but everything is in the cache."""
    compiler.ready(*folders("chariot-race"), search_bot.FOLDER)
    done = subprocess.run(
        [sys.executable, "-c", WORKER + code],
        env={**os.environ, "SPINA_COMPILE": "", "PYTHONPATH": str(Path(spina.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_drivers_do_not_wait_for_compiled_code() -> None:
    """Loading never ends here."""
    code = """
code_loader.QUIET = 0.0
code_loader.CodeLoader.load = lambda self, game: threading.Event().wait()
speaker = worker._Speaker()
answers = [speaker._answer(question).action for question in questions[:2]]
print(json.dumps([race.check(race.to_act[0], action) for action in answers] + ["numba" in sys.modules]))
"""
    assert run(code) == [None, None, False]


def test_compiled_code_is_loaded_when_questions_pause_and_choices_stay_the_same() -> None:
    code = """
speaker = worker._Speaker()
before = [speaker._answer(question).action for question in questions[:2]]
until_loaded()
print(json.dumps([before, [speaker._answer(question).action for question in questions[:2]]]))
"""
    before, after = run(code)
    assert before == after


def test_compiled_code_is_loaded_also_when_questions_never_pause() -> None:
    code = """
code_loader.QUIET, code_loader.LONGEST_DELAY = 3600.0, 0.05
worker._Speaker()._answer(questions[0])
until_loaded()
print("true")
"""
    assert run(code) is True


def test_a_search_waits_for_compiled_code() -> None:
    code = """
code_loader.QUIET = code_loader.LONGEST_DELAY = 3600.0
action = worker._Speaker()._answer(questions[2]).action
print(json.dumps([race.check(race.to_act[0], action), compiler.is_ready(*needed)]))
"""
    assert run(code) == [None, True]


def test_an_error_does_not_end_the_loader() -> None:
    code = """
load, failures = code_loader.CodeLoader.load, [1]
def fail_once(self, game):
    if failures:
        failures.pop()
        raise OSError("the disk is gone")
    load(self, game)
code_loader.CodeLoader.load = fail_once
code_loader.QUIET = 0.0
speaker = worker._Speaker()
while not compiler.is_ready(*needed):
    speaker._answer(questions[0])
print(json.dumps(failures))
"""
    assert run(code) == []
