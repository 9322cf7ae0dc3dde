"""Clips: a race, or a part of it, as an animated picture that can be sent."""

from spina.clips.film import Clip as Clip
from spina.clips.film import make_clip as make_clip
