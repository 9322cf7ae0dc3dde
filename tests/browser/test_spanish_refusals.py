"""What the server refuses is told on Spanish pages in Spanish, beside what it is about."""

from __future__ import annotations

from pathlib import Path

from axe_helpers import findings
from browsing import Visitors

from spina.games import find


def test_the_set_up_page_says_in_spanish_what_is_wrong(visitor: Visitors) -> None:
    page = visitor(language="es")
    page.goto("/new/chariotmaster")
    page.locator("#option-points").select_option("4")
    page.locator("select:has(option[value=own])").first.select_option("own")
    page.locator("#option-points").select_option("0")
    for choice in page.locator(".designs select:has(option[value=heavy])").all()[:1]:
        choice.select_option("heavy")
    told = page.locator("#problem-design-0")
    told.wait_for(state="visible")
    assert told.inner_text() == "cuesta 1 punto: se pueden gastar como máximo 0"


def test_mistakes_of_an_edition_are_listed_in_spanish(visitor: Visitors, tmp_path: Path) -> None:
    text = find("charioteer").editions.template().replace("hand = { value = 8,", 'hand = { value = "many",')
    file = tmp_path / "mine.toml"
    file.write_text(text + "\nunknown = 3\n", encoding="utf-8")
    page = visitor(language="es")
    page.goto("/new/charioteer")
    page.locator("#edition").set_input_files(file)
    told = page.locator("#edition-problems li").first
    told.wait_for(state="attached")
    lines = page.locator("#edition-problems").all_inner_texts()[0] or page.locator("#edition-problems").text_content()
    assert "debe ser un número entero" in str(lines)
    page.locator("details:has(#edition) > summary").click()
    assert findings(page) == []
