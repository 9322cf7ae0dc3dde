"""Doors to the tools of researchers: PettingZoo, Gymnasium and OpenSpiel.

Each door is a module of its own that needs its package: `pip install 'spina[research]'`. They share the episode
(`episode.py`) and the encodings of races as arrays (`encodings/`), which need NumPy only.
"""
