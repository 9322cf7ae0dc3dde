"""The HTTP side of the table: pages, the JSON interface, and what guards them."""
