"""The rules: the records, and the kernels that read like the rulebook."""
