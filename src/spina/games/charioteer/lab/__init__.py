"""What the lab studies in the game: facts, claims, set-ups, knobs. Loaded when `Game.lab` is asked for."""
