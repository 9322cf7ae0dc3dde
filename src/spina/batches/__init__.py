"""Races in batches: thousands of races in one array of records, stepped together inside the kernel.

`spina.batch` makes one. The adapters to other tools share its rewards and its formats of races.
"""
