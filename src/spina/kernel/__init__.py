"""What every game stands on: compiling, random numbers, records, narration, and the table of a game's functions."""
