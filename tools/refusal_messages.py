"""Write the English messages of refusals for pages from the catalogues of the code, and say which others are missing.

    python tools/refusal_messages.py

The catalogues (`refusals.py`) are the source of the English words: a page shows what the library says. The messages of
other languages are written by hand, in the file of the same name beside the English one.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path

from spina.sentences import Catalogue, Template

SOURCE = Path(__file__).parents[1] / "src" / "spina"
HOUSE = SOURCE / "web" / "languages"
PREFIX = "refused."
FIXED = {f"{PREFIX}other": "this is not possible", f"{PREFIX}list": "{words} and {last}"}
"""Messages that are in no catalogue: a refusal without a code, and words in a list."""
OTHERS = ("es",)

Message = str | dict[str, str]


def catalogues() -> Iterator[tuple[Path, Catalogue]]:
    """Every catalogue, with the folder of the messages that pages load for it."""
    yield HOUSE, _catalogue("spina.refusal_codes")
    yield HOUSE, _catalogue("spina.table.refusals")
    for path in sorted(SOURCE.glob("games/*/*/refusals.py")):
        game = path.parent.parent
        yield game / "web" / "messages", _catalogue(f"spina.games.{game.name}.{path.parent.name}.refusals")


def _catalogue(module: str) -> Catalogue:
    found: Catalogue = importlib.import_module(module).say
    return found


def english() -> dict[Path, dict[str, Message]]:
    """The English messages by the folder of their languages."""
    found: dict[Path, dict[str, Message]] = {HOUSE: dict(FIXED)}
    for folder, catalogue in catalogues():
        messages = found.setdefault(folder, {})
        messages.update({PREFIX + code: _message(template) for code, template in catalogue.own.items()})
    return found


def _message(template: Template) -> Message:
    return template if isinstance(template, str) else {"one": template[0], "other": template[1]}


def text_of(messages: dict[str, Message]) -> str:
    """The messages as the text of their file."""
    return json.dumps(messages, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    for folder, messages in english().items():
        (folder / "en" / "refusals.json").write_text(text_of(messages), encoding="utf-8")
        for language in OTHERS:
            file = folder / language / "refusals.json"
            known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
            for id_ in messages.keys() - known.keys():
                print(f"{file}: {id_} is missing")
            for id_ in known.keys() - messages.keys():
                print(f"{file}: {id_} is not used any more")


if __name__ == "__main__":
    main()
