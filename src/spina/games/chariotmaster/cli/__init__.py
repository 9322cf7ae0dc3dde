"""Commands that the game adds to the command line. Loaded when `Game.add_commands` is called."""
