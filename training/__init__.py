"""The recipe of the bundled verifier: from labelled rows to the committed weights."""
