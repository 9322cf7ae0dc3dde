"""What people and programs meet: actions, events, views, offers, explanations, positions, the story."""
