"""Components: editions, and what is built of them."""
