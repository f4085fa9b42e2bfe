"""``python -m assay``: the same as the `assay` command."""

from assay.cli.app import main

main()
