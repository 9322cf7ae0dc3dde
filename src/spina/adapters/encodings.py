"""The encoding of a race: the game's own, or the generic one made from its view."""

from __future__ import annotations

from spina.adapters.view_encoding import ViewEncoding, view_encoding
from spina.batches.race_format import race_format
from spina.games.encoding import Encoding
from spina.games.game import Game
from spina.race import Race

__all__ = ["Encoding", "encoding_of", "version_of"]


def encoding_of(race: Race) -> Encoding:
    """The encoding for races like this one: of its game, edition, options and number of seats."""
    game, races = race.game, race_format(race)
    own = game.encoding
    return view_encoding(game, races) if own is None else own(races)


def version_of(game: Game) -> int:
    """The version of the game's encoding, which is part of the names of its environments."""
    return (game.encoding or ViewEncoding).version
