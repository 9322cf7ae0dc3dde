"""Commands that the game adds to the command line. Loaded when `Game.commands` is asked for."""
