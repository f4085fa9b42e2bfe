"""The regression gate: what a system answered when it was validated, and what it answers now."""
