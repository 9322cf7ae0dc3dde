"""The codes of refusals: every one has its status, the same for pages and programs, and stands in the documentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_fakes import Browser, FakeLobby, fake_app
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import spina
from spina.errors import OptionError, SpinaError, StoreError
from spina.table.http import api, openapi
from spina.table.http.responses import AWAY, refusal_of
from spina.table.refusals import STATUS, Refusal, say
from spina.web.messages import bundle, messages

ROOT = Path(__file__).parents[2]
SOURCES = sorted(Path(spina.__file__).parent.joinpath("table").rglob("*.py"))


def codes_in(source: Path) -> Iterator[str]:
    """The codes with which a source makes refusals, also where one of two is chosen."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal" and node.args:
            for inner in ast.walk(node.args[0]):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.value


def test_every_code_that_the_table_refuses_with_has_a_status() -> None:
    used = {code for source in SOURCES for code in codes_in(source)}
    assert len(used) > 15
    assert used <= set(STATUS)


def test_the_documentation_lists_every_code_with_its_status() -> None:
    rows = re.findall(r"^\| (\d{3}) \| (.+) \|$", (ROOT / "docs" / "table.md").read_text(), re.MULTILINE)
    said = {code: int(status) for status, text in rows for code in re.findall(r"`([a-z-]+)`", text)}
    assert said == STATUS
    assert {str(status) for status in STATUS.values()} == set(openapi._PROBLEMS)


def test_a_refusal_has_the_same_status_on_a_page_and_in_the_api() -> None:
    async def page(request: Request) -> Response:
        raise Refusal(request.path_params["code"], say("table.no-bot", bot="so it is"))

    async def program(asking: api.Asking, _: None) -> None:
        raise Refusal(asking.request.path_params["code"], say("table.no-bot", bot="so it is"))

    app = fake_app(FakeLobby())
    app.router.routes[:0] = [
        Route("/page/{code}", page),
        Route("/api/page/{code}", page),
        api._route(api.Operation("GET", "/api/program/{code}", program, "")),
    ]
    browser = Browser(app)
    try:
        for code, status in STATUS.items():
            shown = browser.get(f"/page/{code}")
            assert (shown.status_code, "so it is" in shown.text) == (status, True), code
            for path in ("/api/program", "/api/page"):
                told = browser.get(f"{path}/{code}", headers={"cookie": "spina=somebody"})
                refusal = {"code": "table.no-bot", "parameters": {"bot": "so it is"}}
                assert (told.status_code, told.json()) == (status, {"error": code, "refusal": refusal}), code
                program_told = browser.get(f"{path}/{code}", headers={"authorization": f"Bearer {'x' * 20}"})
                assert program_told.status_code == status
                assert program_told.json() == {**told.json(), "reason": 'there is no bot "so it is"'}, code
            assert ("retry-after" in told.headers) == ("retry-after" in shown.headers)
    finally:
        browser.close()


def test_other_errors_are_wrong_and_those_of_the_database_tell_nothing() -> None:
    assert refusal_of(OptionError("a line has at most 300 letters")).code == "wrong"
    away = refusal_of(StoreError("connection to server at 10.0.0.7 failed"))
    assert (away.code, away.reason) == ("failed", AWAY)
    told = Refusal("full", "no seat is open")
    assert refusal_of(told) is told


@pytest.mark.parametrize("error", [Refusal("sun", "…"), SpinaError("…")])
def test_a_refusal_with_a_code_that_there_is_not_is_a_mistake(error: SpinaError) -> None:
    if isinstance(error, Refusal):
        with pytest.raises(KeyError):
            assert error.status
    else:
        assert refusal_of(error).status == 422


@pytest.mark.parametrize("language", messages().languages)
def test_an_error_page_for_a_used_link_says_so(language: str) -> None:
    assert "error.410" in bundle(language, "common")
