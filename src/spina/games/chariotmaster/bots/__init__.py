"""Drivers, and the features that bots judge a race by."""
