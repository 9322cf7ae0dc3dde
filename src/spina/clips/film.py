"""Clips as animated GIF: frames drawn from the pictures of a race, with pieces that move between them.

Every picture is drawn from a determinization for spectators, so nothing hidden can be in a clip. The board is drawn
once a turn; in between, only the pieces are drawn and laid over it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spina.clips.race_picture import REACH, Pose, RacePicture
from spina.errors import OptionError, SpinaError
from spina.games.factions import FACTIONS
from spina.race import Race

if TYPE_CHECKING:
    from PIL.Image import Image

FPS, WIDTH = 12, 960
LEAST_WIDTH, MOST_WIDTH = 160, 1920
MOST_FPS = 50
"""GIF counts time in hundredths of a second; many programs show shorter frames slower."""
STEP = 0.08
"""Seconds for one step of a piece, such as a space."""
GLIDE = 0.3
"""Seconds for a piece that goes straight to where it ends."""
PAUSE, ENDING = 0.5, 2.5
"""Seconds that the end of a turn and the end of the clip are shown."""
COLOURS = 255
SWATCH = 24
"""Pixels of the side of a square."""


class Clip(NamedTuple):
    """A clip: the file's bytes, the number of its frames, and its length in seconds."""

    data: bytes
    frames: int
    seconds: float


def make_clip(
    states: Iterable[Race],
    names: Sequence[str] | None = None,
    *,
    colours: Sequence[int] | None = None,
    first: int | None = None,
    last: int | None = None,
    fps: int = FPS,
    width: int = WIDTH,
    progress: Callable[[int], None] = lambda frames: None,
) -> Clip:
    """An animated GIF of a race, from its states after every action, as spectators see it.

    `first` and `last` are turns; left out: the whole race. `progress` is called with the number of frames so far.
    Raises OptionError for a size or speed that cannot be, and for turns that the race does not have, SpinaError where
    Pillow is not installed.
    """
    if not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise OptionError(f"a clip is {LEAST_WIDTH} to {MOST_WIDTH} pixels wide, not {width}")
    if not 1 <= fps <= MOST_FPS:
        raise OptionError(f"a clip has 1 to {MOST_FPS} frames a second, not {fps}")
    pillow = _pillow()
    frames = 0
    seconds = 0.0

    def quantised() -> Iterator[Image]:
        """Frames in the colours of the first one, made while they are written: a whole race would fill the memory."""
        nonlocal frames, seconds
        palette = None
        for image, duration in _Film(names, colours, fps, width).frames(states, first, last):
            if palette is None:
                palette = _with_swatches(image).quantize(COLOURS, dither=pillow.Dither.NONE)
            frame = image.quantize(palette=palette, dither=pillow.Dither.NONE)
            hundredths = max(2, round(100 * duration))
            frame.info["duration"] = 10 * hundredths
            seconds += hundredths / 100
            frames += 1
            progress(frames)
            yield frame

    found = quantised()
    begin = next(found, None)
    if begin is None:
        raise OptionError("the race has none of these turns")
    out = io.BytesIO()
    begin.save(out, "GIF", save_all=True, append_images=found, loop=0, disposal=1)
    return Clip(out.getvalue(), frames, seconds)


class _Film:
    """Draws frames."""

    def __init__(self, names: Sequence[str] | None, colours: Sequence[int] | None, fps: int, width: int) -> None:
        self._names = None if names is None else list(names)
        self._colours, self._fps, self._width = colours, fps, width

    def frames(self, states: Iterable[Race], first: int | None, last: int | None) -> Iterator[tuple[Image, float]]:
        """Frames with the seconds for which each is shown."""
        picture: RacePicture | None = None
        board: Image | None = None
        poses: dict[str, Pose] = {}
        turn = 0
        for race in states:
            if first is not None and race.turn < first:
                continue
            if last is not None and race.turn > last:
                break
            public = race.determinized(None, 0)
            after = RacePicture(public.svg(self._names, self._colours))
            if picture is None or board is None:
                picture, board, poses, turn = after, self._raster(after.still), dict(after.poses), race.turn
                yield self._raster(after.whole), PAUSE
                continue
            for piece, x, y, turned in race.game.travels(race.edition, race.told(None)):
                if piece in poses and piece in picture.poses:
                    goal = Pose(x, y, turned, poses[piece].scale)
                    yield from self._move(picture, board, poses, {piece: goal}, STEP)
            gone = {name: pose for name, pose in after.poses.items() if name in poses and name in picture.poses}
            if any(poses[name] != pose for name, pose in gone.items()):
                yield from self._move(picture, board, poses, gone, GLIDE)
            if race.turn != turn or race.over or after.poses.keys() != picture.poses.keys():
                board, turn = self._raster(after.still), race.turn
                picture, poses = after, dict(after.poses)
                yield self._composed(picture, board, poses), ENDING if race.over else PAUSE
            else:
                picture, poses = after, dict(after.poses)
        if picture is not None and board is not None:
            yield self._composed(picture, board, poses), ENDING

    def _move(
        self, picture: RacePicture, board: Image, poses: dict[str, Pose], goals: dict[str, Pose], seconds: float
    ) -> Iterator[tuple[Image, float]]:
        """Frames in which pieces go from their poses to their goals, which are their poses afterwards."""
        begun = dict(poses)
        count = max(1, round(seconds * self._fps))
        for number in range(1, count + 1):
            for name, goal in goals.items():
                poses[name] = goal if number == count else begun[name].towards(goal, number / count)
            yield self._composed(picture, board, poses), 1 / self._fps

    def _composed(self, picture: RacePicture, board: Image, poses: dict[str, Pose]) -> Image:
        """The board with its pieces in these poses."""
        scale = self._width / picture.width
        frame = board.copy()
        side = max(1, round(2 * REACH * scale))
        for name, pose in poses.items():
            left, top = round((pose.x - REACH) * scale), round((pose.y - REACH) * scale)
            # where whole pixels begin, so that pieces move evenly
            exact = pose._replace(x=left / scale + REACH, y=top / scale + REACH)
            sprite = _rasterised(picture.sprite(name, exact), side)
            frame.paste(sprite, (left, top), sprite)
        return frame

    def _raster(self, svg: str) -> Image:
        return _rasterised(svg, self._width).convert("RGB")


def _with_swatches(image: Image) -> Image:
    """The image with a square of each colour that a chariot may have, so that small pieces count for the palette."""
    found = image.copy()
    for number, of in enumerate(FACTIONS):
        for row, colour in enumerate((of.colour, of.horse, of.ink)):
            found.paste(colour, (SWATCH * number, SWATCH * row, SWATCH * (number + 1), SWATCH * (row + 1)))
    return found


def _pillow() -> Any:
    """Pillow's module for images. Raises SpinaError where it is not installed."""
    try:
        import PIL.Image
    except ImportError:
        raise SpinaError("clips and frames need Pillow, which is not installed: pip install 'spina[clip]'") from None
    return PIL.Image


def pixels(svg: str, width: int) -> NDArray[np.uint8]:
    """A picture as an array of rows of pixels, each red, green and blue. Raises SpinaError without Pillow."""
    _pillow()
    return np.array(_rasterised(svg, width).convert("RGB"))


def _rasterised(svg: str, width: int) -> Image:
    """A picture drawn without a browser, and without reading files or addresses that it might name."""
    import resvg_py
    from PIL.Image import open as read_image

    return read_image(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width)))).convert("RGBA")
