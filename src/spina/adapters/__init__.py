"""Adapters to the tools of researchers: PettingZoo, Gymnasium, OpenSpiel, PufferLib.

Each adapter is a module that needs its package: `pip install 'spina[research]'`. They share the episode (`episode.py`)
and the encodings of races as arrays (`encodings.py`), which need NumPy only. No adapter knows a game: a game's encoding
is in its own folder, and a game without one gets `view_encoding.py`. Vector environments (`vector.py`,
`pufferlib.py`) step many races together through `spina.batches`.
"""
