"""The lab: arena, ratings, balance, claims, tuning and their reports, on local processes or Ray."""
