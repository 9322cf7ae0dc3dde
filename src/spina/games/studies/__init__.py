"""The types that a game's `lab/` folder uses: estimates, facts, claims, measures, set-ups and knobs.

The lab (`spina.lab`) runs the studies and imports everything; a game only describes itself. So these types lie below
the games, where both can import them, and know neither the lab nor `Game`. `profile.LabProfile` ties them together.
"""
