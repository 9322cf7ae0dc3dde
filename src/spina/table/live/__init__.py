"""Tables in use: lobby, rooms, clocks, replays, and the WebSocket."""
