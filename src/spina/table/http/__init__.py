"""HTTP: pages, the JSON interface, security checks and rate limits."""
