"""One file a signal, and the reading of a sample that they share."""
