"""Embedders (and later verifiers and language models) behind small protocols."""
