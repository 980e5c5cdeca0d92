"""The verb `audit` and what it finds out about a benchmark; the sentences about it are in `fairshot.reports`."""
