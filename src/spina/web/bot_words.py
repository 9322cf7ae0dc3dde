"""What a bot is called, in a language: its name, its character, and a line about how it races.

A game may have words of its own for its levels (the area `bots` of its messages). A level without them, or another bot,
has the words that all games share; a bot without any is called by its own name.
"""

from __future__ import annotations

import msgspec

from spina.web.messages import messages


class BotWords(msgspec.Struct, frozen=True):
    """A bot as people meet it."""

    bot: str
    """By which programs name it."""
    name: str
    character: str
    """What kind of driver it is, in two or three words; may be empty."""
    line: str
    """How it races; may be empty."""


def bot_words(language: str, game: str, bot: str) -> BotWords:
    """The words for a bot in a game."""
    return BotWords(
        bot,
        _first(language, f"bot.{game}.{bot}", f"bot.{bot}") or bot,
        _first(language, f"bot.{game}.{bot}.character"),
        _first(language, f"bot.{game}.{bot}.line", f"bot.{bot}.line"),
    )


def _first(language: str, *ids: str) -> str:
    """The first of these messages that there is, or an empty text."""
    found = messages()
    return next((found.text(language, id_) for id_ in ids if found.has(language, id_)), "")
