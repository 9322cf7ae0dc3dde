"""Chariotmaster, as the rest of Spina meets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import IllegalAction, OptionError
from spina.games.chariotmaster.bots.features import FEATURES, measure_features
from spina.games.chariotmaster.bots.learned import DRIVERS, POLICY
from spina.games.chariotmaster.bots.levels import FROZEN_LEVELS, LEVELS
from spina.games.chariotmaster.components import options
from spina.games.chariotmaster.components.edition import FILES, ChariotmasterEdition, summary
from spina.games.chariotmaster.pictures import board, terminal_board
from spina.games.chariotmaster.pictures import pieces as figures
from spina.games.chariotmaster.pictures.layout import Track, track_of
from spina.games.chariotmaster.play import actions, event_rows, events, explanation, narrator, offer, positions, reasons
from spina.games.chariotmaster.play import view as seeing
from spina.games.chariotmaster.play.offer_types import Offer
from spina.games.chariotmaster.play.places import Places
from spina.games.chariotmaster.play.refusals import say
from spina.games.chariotmaster.rules import entries as rules
from spina.games.chariotmaster.rules.record import ACTIONS, CHARIOTS, LONGEST_MENU, RACE, RULES_VERSION
from spina.games.choice_reasons import Reason
from spina.games.command_line import AddCommand
from spina.games.editions import Edition
from spina.games.encoding import Encoding
from spina.games.factions import FACTIONS
from spina.games.game import Action, Event, Game, Placed, Scene, Setting
from spina.games.mapping_struct import Fields
from spina.games.studies.profile import LabProfile
from spina.games.web_files import WebFiles
from spina.kernel.record import Bytes, look


def _own(edition: Edition) -> ChariotmasterEdition:
    if not isinstance(edition, ChariotmasterEdition):
        raise OptionError(say("option.other-game", found=edition.game, game="chariotmaster"))
    return edition


_tracks: dict[tuple[str, int], Track] = {}
"""Tracks laid out for pictures, by edition and scenario; a few, since each keeps its outlines."""
MOST_TRACKS = 16


def _track(edition: ChariotmasterEdition, scenario: int) -> Track:
    key = edition.hash, scenario
    if key not in _tracks:
        if len(_tracks) >= MOST_TRACKS:
            _tracks.clear()
        _tracks[key] = track_of(edition.data, scenario, edition.scenarios[scenario].title)
    return _tracks[key]


class Chariotmaster(Game):
    """Free movement in centimetres and degrees, collisions, runaway teams, dragged drivers; one to twelve players."""

    name = "chariotmaster"
    title = "Chariotmaster"
    summary = "Free movement in centimetres and degrees, collisions, runaway teams, dragged drivers, 1 to 12 players"
    seat_counts = range(1, CHARIOTS + 1)
    rules = rules.RULES
    rules_version = RULES_VERSION
    record = RACE
    steps = ACTIONS
    longest_menu = LONGEST_MENU
    lists_all = False
    features = FEATURES
    measure_features = staticmethod(measure_features)
    network = files(__package__) / "bots" / "weights.json"
    levels = LEVELS
    frozen_levels = FROZEN_LEVELS
    costly_drivers = True
    editions = FILES
    drivers = DRIVERS
    blind_drivers = frozenset(DRIVERS)
    policy = POLICY
    command_examples = MappingProxyType({"track new my-track.toml": "a track of your own for Chariotmaster"})
    list_position = 3
    line_up = ("competent", "cautious", "competent", "cautious")
    web = WebFiles(Path(__file__).parent / "web")
    lesson = Path(__file__).parent / "lesson" / "lesson.json"
    view_type = seeing.View
    offer_type = Offer
    explanation_type = explanation.Breakdown
    event_types = events.EVENTS
    places_type = Places

    @cached_property
    def lab(self) -> LabProfile:
        from spina.games.chariotmaster.lab.profile import PROFILE

        return PROFILE

    @cached_property
    def encoding(self) -> type[Encoding]:
        from spina.games.chariotmaster.encoding.observation import ChariotmasterEncoding

        return ChariotmasterEncoding

    @property
    def commands(self) -> Sequence[AddCommand]:
        from spina.games.chariotmaster.cli import track

        return (partial(track.add_commands, game=self),)

    def check_options(self, seats: int, given: Mapping[str, object], edition: Edition) -> dict[str, Any]:
        return options.check(_own(edition), given, seats)

    def encode_options(self, seats: int, chosen: Mapping[str, Any], edition: Edition) -> NDArray[np.int64]:
        return options.encode(_own(edition), seats, chosen)

    def settings(self, edition: Edition) -> list[Setting]:
        return options.settings(_own(edition))

    def points_of(self, edition: Edition, chosen: Mapping[str, Any]) -> list[int]:
        """The equipment points that each chariot of checked options costs."""
        return options.points_of(_own(edition), chosen)

    def setup_data(self, edition: Edition) -> dict[str, Any]:
        """The tracks, the equipment and the ready-made chariots to choose from."""
        return options.workshop(_own(edition))

    def action(self, edition: Edition, code: int) -> Action:
        return actions.action(code)

    def read(self, edition: Edition, text: str) -> Action:
        return actions.read(text)

    def encode(self, race: Bytes, edition: Edition, seat: int, action: Action) -> list[int]:
        own = _own(edition)
        if not isinstance(action, actions.Any):
            raise IllegalAction(say("chariotmaster.not-an-action", name=type(action).__name__))
        codes = actions.codes_of(action)
        if isinstance(action, actions.Tokens):
            self._check_tokens(race, own, seat, action, codes)
        elif reason := rules.check(race, own.data, seat, codes[0]):
            raise IllegalAction(*explanation.objection(race, own, seat, action, reason))
        return codes

    def _check_tokens(
        self, race: Bytes, edition: ChariotmasterEdition, seat: int, action: actions.Tokens, codes: list[int]
    ) -> None:
        """Tokens for all of a seat's chariots at once, or for the next one."""
        trial = race.copy()
        if self.starts_over(action):
            rules.retract(trial, edition.data, seat)
        wanted = seeing.to_choose(trial, seat)
        if wanted and len(codes) > 1 and len(codes) != len(wanted):
            raise IllegalAction(
                say("chariotmaster.tokens-of-choice", action=action, count=len(codes), seat=seat, wanted=len(wanted))
            )
        for i, code in enumerate(codes):
            if reason := rules.check(trial, edition.data, seat, code):
                raise IllegalAction(*explanation.objection(race, edition, seat, action, reason))
            look(trial, RACE).token[wanted[i]] = code

    def gather(self, edition: Edition, steps: Sequence[Action]) -> Action:
        return actions.gather(steps)

    def starts_over(self, action: Action) -> bool:
        return actions.starts_over(action)

    def event(self, edition: Edition, row: Sequence[int]) -> Event:
        return event_rows.event(row)

    def view(self, race: Bytes, edition: Edition, seat: int | None) -> seeing.View:
        return seeing.view(race, _own(edition), seat)

    def views(self, race: Bytes, edition: Edition, viewers: Sequence[int | None]) -> list[seeing.View]:
        return seeing.views(race, _own(edition), viewers)

    def explain(self, race: Bytes, edition: Edition, seat: int, action: Action) -> explanation.Breakdown:
        codes = self.encode(race, edition, seat, action)
        return explanation.explain(race, _own(edition), seat, codes[0])

    def reasons(self, race: Bytes, edition: Edition, seat: int, action: Action, other: Action) -> list[Reason]:
        return reasons.reasons(race, _own(edition), seat, action, other)

    def offer(self, race: Bytes, edition: Edition, seat: int) -> Offer:
        return offer.offer(race, _own(edition), seat)

    def sentence(self, event: Event, names: Sequence[str]) -> str:
        return narrator.sentence(event, names)

    def heading(self, view: Fields, width: int, colour: bool) -> list[str]:
        return narrator.heading(view, width, colour)

    def story(self, events: Sequence[Event], names: Sequence[str], width: int, colour: bool) -> list[str]:
        return narrator.story(events, names, width, colour)

    def components(self, edition: Edition) -> str:
        return summary(_own(edition))

    def draw(self, race: Bytes, edition: Edition, names: Sequence[str], colour: bool) -> str:
        own = _own(edition)
        return terminal_board.draw(
            _track(own, int(look(race, RACE).scenario)), seeing.view(race, own, None), names, colour
        )

    def picture(self, race: Bytes, edition: Edition, names: Sequence[str]) -> str:
        own = _own(edition)
        return board.race_svg(_track(own, int(look(race, RACE).scenario)), seeing.view(race, own, None), names)

    def board(self, edition: Edition, scenario: str | None = None) -> str:
        own = _own(edition)
        chosen = own.scenarios[0] if scenario is None else own.scenario(scenario)
        return board.board_svg(_track(own, own.scenarios.index(chosen)), chosen.laps)

    def seats_have_colours(self, seats: int, options: Mapping[str, Any]) -> bool:
        """Where each seat has one chariot: further ones have colours of their own."""
        return len(options["designs"]) == seats <= len(FACTIONS)

    def scene(self, edition: Edition, options: Mapping[str, Any]) -> Scene:
        own = _own(edition)
        track = _track(own, own.scenarios.index(own.scenario(options["scenario"])))
        chariots = range(len(options["designs"]))
        places = track.coordinates() | {"figures": figures.assembly(chariots)}
        return Scene(board.board_svg(track, options["laps"], chariots), places)

    def position(self, data: Mapping[str, Any], edition: Edition) -> Placed:
        return positions.position(data, _own(edition))


GAME = Chariotmaster()
