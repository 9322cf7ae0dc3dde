"""Messages: every language says the same things, pages ask for nothing that is not there, and nothing is left over."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import spina
from spina.games import find
from spina.games.factions import FACTIONS, shape
from spina.web import LANGUAGES, STATIC, TEMPLATES
from spina.web.messages import Message, Messages, bundle, messages, negotiate, text

TABLE = Path(spina.__file__).parent / "table"
WEB = Path(spina.__file__).parent / "web"
BRACES = re.compile(r"\{([^{}]*)\}")
ID = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+")
ASKED = re.compile(r"""\b(?:t|rich|_t)\(\s*["'`]([^"'`$~]+)["'`]\s*[,)]""")
HELPED = re.compile(r"""data-help(?:=|"\s*:\s*)["']([a-z0-9_.-]+)["']""")
BEGUN = (
    re.compile(r"`([a-z0-9_.-]+[.-])\$\{"),  # scripts
    re.compile(r"""["']([a-z0-9_.-]+\.)["']\s*(?:~|\+)"""),  # templates, and scripts that add texts
    re.compile(r"""f["']([a-z0-9_.-]+\.)\{"""),  # Python
)
"""How an id is put together of a beginning that is written out and an end that is not."""


def web_folders() -> dict[str, Path]:
    """The folder of each game's browser files."""
    found = {name: find(name).web.folder for name in spina.game_names()}
    return {name: folder for name, folder in found.items() if folder is not None}


def sources() -> dict[Path, str]:
    paths = [*TEMPLATES.rglob("*.html"), *STATIC.rglob("*.js"), *TABLE.rglob("*.py"), *WEB.glob("*.py")]
    paths += [path for folder in web_folders().values() for path in folder.rglob("*.js")]
    return {path: path.read_text(encoding="utf-8") for path in paths}


def own_prefix(path: Path) -> str:
    """The scripts of a game may leave its name out of its messages."""
    return next((f"{game}." for game, folder in web_folders().items() if path.is_relative_to(folder)), "")


def forms(message: Message) -> dict[str, str]:
    return message if isinstance(message, dict) else {"": message}


def test_both_languages_have_the_same_areas_and_ids() -> None:
    english, spanish = (messages().areas(language) for language in ("en", "es"))
    assert {area: sorted(ids) for area, ids in english.items()} == {area: sorted(ids) for area, ids in spanish.items()}


def test_both_languages_fill_the_same_braces_in_the_same_plural_forms() -> None:
    english, spanish = (bundle(language, *messages().areas("en")) for language in ("en", "es"))
    for id_, message in english.items():
        other = spanish[id_]
        assert forms(message).keys() == forms(other).keys(), id_
        for form in forms(message):
            left_out = {"count"} if form == "one" else set()  # "a race" says it as well as "1 race"
            found = [set(BRACES.findall(forms(each)[form])) - left_out for each in (message, other)]
            assert found[0] == found[1], id_


def test_messages_are_well_written() -> None:
    for language in messages().languages:
        for id_, message in bundle(language, *messages().areas(language)).items():
            assert ID.fullmatch(id_), id_
            assert set(forms(message)) in ({""}, {"one", "other"}), id_
            for form in forms(message).values():
                assert form == form.strip() and form, id_
                assert all(re.fullmatch("[a-z_]+", name) for name in BRACES.findall(form)), id_
                assert "<" not in form, id_


def test_no_id_is_there_twice() -> None:
    for language in messages().languages:
        found: dict[str, str] = {}
        folders = [LANGUAGES, *(folder / "messages" for folder in web_folders().values())]
        for path in [path for folder in folders for path in sorted((folder / language).glob("*.json"))]:
            pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
            for id_, _ in pairs:
                assert id_ not in found, f"{id_} is in {path.name} and in {found.get(id_)}"
                found[id_] = path.name


def test_every_id_that_is_asked_for_exists() -> None:
    known = bundle("en", *messages().areas("en"))
    missing = []
    for path, source in sources().items():
        wanted = ASKED.findall(source) + [f"help.{id_}" for id_ in HELPED.findall(source)]
        own = own_prefix(path)
        missing += [
            f"{path.name}: {id_}" for id_ in wanted if ID.fullmatch(id_) and not {id_, own + id_} & known.keys()
        ]
    assert not missing


def test_every_message_is_used() -> None:
    everything = "\n".join(sources().values())
    written = set(re.findall(r"""["'`]([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)["'`]""", everything))
    begun = tuple({begin for pattern in BEGUN for begin in pattern.findall(everything)})

    def used(id_: str) -> bool:
        if id_.startswith("help."):
            plain = id_.removeprefix("help.").removesuffix(".title")
            return f'"{plain}"' in everything or plain in written or plain.startswith(begun)
        return id_ in written or id_.startswith(begun)

    assert [id_ for id_ in bundle("en", *messages().areas("en")) if not used(id_)] == []


@pytest.mark.parametrize(
    ("accepted", "chosen", "language"),
    [
        (None, None, "en"),
        ("es-MX,es;q=0.9,en;q=0.8", None, "es"),
        ("de,es;q=0.3,en;q=0.7", None, "en"),
        ("de, fr;q=0.5", None, "en"),
        ("en", "es", "es"),
        ("es", "xx", "es"),
        ("es;q=0", None, "en"),
        (";;q=,*;q=1,\x00" * 200, None, "en"),
    ],
)
def test_the_language_is_the_chosen_one_or_the_best_that_the_browser_takes(
    accepted: str | None, chosen: str | None, language: str
) -> None:
    assert negotiate(accepted, chosen) == language


def test_count_chooses_the_form() -> None:
    assert text("en", "home.seats-open", count=1) == "1 seat free"
    assert text("en", "home.seats-open", count=0) == "0 seats free"
    assert text("es", "home.seats-open", count=2) == "2 plazas libres"


def test_values_are_filled_in_once_and_unknown_ids_are_shown() -> None:
    assert text("en", "house.rules", game="{game} & <b>") == "Rules of {game} & <b>"
    assert text("es", "no.such-id") == "no.such-id"


def test_the_address_of_messages_changes_with_them(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    file = tmp_path / "en" / "common.json"
    file.write_text('{"a.b": "one"}')
    before = Messages(tmp_path).url("en", ["common", "missing"])
    file.write_text('{"a.b": "two"}')
    assert before.startswith("/messages/en/common.json?v=")
    assert Messages(tmp_path).url("en", ["common", "missing"]) != before


def test_scripts_draw_the_factions_as_pictures_do() -> None:
    script = (STATIC / "js" / "dom.js").read_text()
    for faction in FACTIONS:
        assert f'"{shape(faction.shape, 10)}"' in script
    for values in zip(*((faction.letter, faction.colour, faction.ink) for faction in FACTIONS), strict=True):
        assert json.dumps(values) in script


def test_styles_know_the_colours_of_the_factions() -> None:
    style = (STATIC / "css" / "base.css").read_text()
    for faction in FACTIONS:
        assert f"--{faction.name}: {faction.colour};" in style


def test_ruling_numbers_stand_in_the_rules_only() -> None:
    """Terms on a page explain themselves; who wants to know the ruling finds it in the rules."""
    for language in ("en", "es"):
        for area, texts in messages().areas(language).items():
            if area.endswith("rules"):
                continue
            for id_, message in texts.items():
                found = re.findall(r"\b[A-Z]\d{1,2}\b", str(message))
                assert not found, f"{language}: {id_}: {found}"
