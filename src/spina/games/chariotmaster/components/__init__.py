"""Components: editions, equipment, scenarios, and the options of a race."""
