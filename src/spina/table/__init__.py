"""The table: the server on which people and bots race each other."""
