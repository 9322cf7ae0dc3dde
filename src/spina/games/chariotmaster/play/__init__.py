"""The game as players and programs use it: actions, events, views, offers, explanations, positions, the story."""
