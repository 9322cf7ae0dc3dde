"""Tables in use: rooms, seats, clocks, and the WebSocket."""
