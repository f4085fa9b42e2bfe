"""Readers and writers of row formats: Assay's own and others'."""
