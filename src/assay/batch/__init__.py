"""Many rows: running, summarising, reporting, measuring."""
