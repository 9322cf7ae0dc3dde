"""The `Game` object of Chariot Race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import IllegalAction, OptionError
from spina.games.chariot_race.bots.features import FEATURES, measure_features
from spina.games.chariot_race.bots.learned import DRIVERS, POLICY
from spina.games.chariot_race.bots.levels import FROZEN_LEVELS, LEVELS
from spina.games.chariot_race.components import options
from spina.games.chariot_race.components.edition import FILES, ChariotRaceEdition
from spina.games.chariot_race.pictures import board, terminal_board
from spina.games.chariot_race.pictures.layout import layout
from spina.games.chariot_race.play import actions, events, explanation, narrator, offer, positions, reasons
from spina.games.chariot_race.play import view as seeing
from spina.games.chariot_race.play.offer_types import Offer
from spina.games.chariot_race.play.offer_types import Path as PathOffer
from spina.games.chariot_race.play.places import Places
from spina.games.chariot_race.play.refusals import say
from spina.games.chariot_race.rules import entries as rules
from spina.games.chariot_race.rules.record import ACTIONS, RACE, SEATS
from spina.games.choice_reasons import Reason
from spina.games.editions import Edition
from spina.games.encoding import Encoding
from spina.games.game import Action, Event, Game, Placed, Scene, Setting
from spina.games.mapping_struct import Fields
from spina.games.studies.profile import LabProfile
from spina.games.web_files import WebFiles
from spina.kernel.record import Bytes


def _own(edition: Edition) -> ChariotRaceEdition:
    if not isinstance(edition, ChariotRaceEdition):
        raise OptionError(say("option.other-game", found=edition.game, game="chariot-race"))
    return edition


class ChariotRace(Game):
    """Dice, lanes, corners, rams and javelins, two laps, two to six players. By Matt Leacock."""

    name = "chariot-race"
    title = "Chariot Race"
    summary = "Dice, lanes, corners, rams and javelins, two laps, 2 to 6 players; designed by Matt Leacock"
    seat_counts = range(2, SEATS + 1)
    rules = rules.RULES
    rules_version = 2
    record = RACE
    steps = ACTIONS
    longest_menu = ACTIONS
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
    hidden_information = False
    list_position = 2
    line_up = ("competent", "fastest", "careful", "competent")
    view_type = seeing.View
    offer_type = Offer
    explanation_type = explanation.Breakdown
    event_types = events.EVENTS
    places_type = Places
    turn_word = "round"
    pace = 0.37
    web = WebFiles(Path(__file__).parent / "web")
    lesson = Path(__file__).parent / "lesson" / "lesson.json"

    @cached_property
    def lab(self) -> LabProfile:
        from spina.games.chariot_race.lab.profile import PROFILE

        return PROFILE

    @cached_property
    def encoding(self) -> type[Encoding]:
        from spina.games.chariot_race.encoding.observation import ChariotRaceEncoding

        return ChariotRaceEncoding

    def seats_have_colours(self, seats: int, options: Mapping[str, Any]) -> bool:
        """No: chariots have colours, by which javelins name their targets; with individual ones they differ (R23)."""
        return False

    def units(self, edition: Edition) -> Mapping[str, float]:
        own = _own(edition)
        return {"to go": own.laps * own.spaces / own.lanes}

    def check_options(self, seats: int, given: Mapping[str, object], edition: Edition) -> dict[str, Any]:
        return options.check(given, seats)

    def encode_options(self, seats: int, chosen: Mapping[str, Any], edition: Edition) -> NDArray[np.int64]:
        return options.encode(seats, chosen)

    def settings(self, edition: Edition) -> list[Setting]:
        return options.settings()

    def action(self, edition: Edition, code: int) -> Action:
        return actions.action(_own(edition), code)

    def read(self, edition: Edition, text: str) -> Action:
        return actions.read(_own(edition), text)

    def encode(self, race: Bytes, edition: Edition, seat: int, action: Action) -> list[int]:
        own = _own(edition)
        if not isinstance(action, actions.Any):
            raise IllegalAction(say("chariot-race.not-an-action", name=type(action).__name__))
        code = actions.code_of(own, action)
        if rules.check(race, own.data, seat, code) != rules.OK:
            raise IllegalAction(*explanation.objection(race, own, seat, action))
        return [code]

    def gather(self, edition: Edition, steps: Sequence[Action]) -> Action:
        return steps[-1]

    def starts_over(self, action: Action) -> bool:
        return False

    def event(self, edition: Edition, row: Sequence[int]) -> Event:
        return events.decode(_own(edition), row)

    def decode_events(self, edition: Edition, rows: Sequence[Sequence[int]]) -> list[Event]:
        own = _own(edition)
        return [events.decode(own, row) for row in rows]

    def view(self, race: Bytes, edition: Edition, seat: int | None) -> seeing.View:
        return seeing.view(race, _own(edition))

    def views(self, race: Bytes, edition: Edition, viewers: Sequence[int | None]) -> list[seeing.View]:
        view = seeing.view(race, _own(edition))
        return [copy(view) for _ in viewers]

    def explain(self, race: Bytes, edition: Edition, seat: int, action: Action) -> explanation.Breakdown:
        (code,) = self.encode(race, edition, seat, action)
        return explanation.explain(race, _own(edition), code)

    def outcome(self, race: Bytes, edition: Edition, seat: int, action: Action) -> PathOffer | None:
        return offer.best_path(race, _own(edition), seat, str(action))

    def outlook(self, race: Bytes, edition: Edition, seat: int) -> list[Any]:
        return explanation.paths(race, _own(edition))

    def reasons(self, race: Bytes, edition: Edition, seat: int, action: Action, other: Action) -> list[Reason]:
        (code,), (another,) = self.encode(race, edition, seat, action), self.encode(race, edition, seat, other)
        return reasons.reasons(race, _own(edition), code, another)

    def offer(self, race: Bytes, edition: Edition, seat: int) -> Offer:
        return offer.offer(race, _own(edition), seat)

    def sentence(self, event: Event, names: Sequence[str]) -> str:
        return narrator.sentence(event, names)

    def heading(self, view: Fields, width: int, colour: bool) -> list[str]:
        return narrator.heading(view, width, colour)

    def story(self, events: Sequence[Event], names: Sequence[str], width: int, colour: bool) -> list[str]:
        return narrator.story(events, names, width, colour)

    def components(self, edition: Edition) -> str:
        return narrator.components(_own(edition))

    def draw(self, race: Bytes, edition: Edition, names: Sequence[str], colour: bool) -> str:
        own = _own(edition)
        view = seeing.view(race, own)
        return terminal_board.draw({**view, "over": view["stage"] == "race over"}, own, names, colour)

    def picture(self, race: Bytes, edition: Edition, names: Sequence[str]) -> str:
        own = _own(edition)
        view = seeing.view(race, own)
        return board.race_svg(
            layout(own),
            board.chariots_of(view, own, names),
            view["caltrops"],
            laps=own.laps,
            heaps=view["heaps"],
            dice=view["dice"],
            active=None if view["stage"] == "race over" else view["chariot"],
        )

    def travels(self, edition: Edition, told: Sequence[Event]) -> list[tuple[str, float, float, float]]:
        own = _own(edition)
        place = layout(own)
        return [
            (f"chariot-{e.chariot}", *place.spot(own.space_names.index(e.space)))
            for e in told
            if isinstance(e, events.Stepped | events.PutBack)
        ]

    def board(self, edition: Edition, scenario: str | None = None) -> str:
        if scenario is not None:
            raise OptionError(say("option.other-board", title=self.title, scenario=repr(scenario)))
        own = _own(edition)
        return board.board_svg(layout(own), laps=own.laps, heaps=own.heap_spaces)

    def scene(self, edition: Edition, options: Mapping[str, Any]) -> Scene:
        own = _own(edition)
        place = layout(own)
        heaps = place.heaps([side == "B" for side in options["board"]])
        places = {**place.coordinates(), **offer.components(own)}
        return Scene(board.board_svg(place, laps=own.laps, heaps=heaps), places)

    def position(self, data: Mapping[str, Any], edition: Edition) -> Placed:
        return positions.position(data, _own(edition))


GAME = ChariotRace()
