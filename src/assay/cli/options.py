"""Options that several commands share, and texts given as ``@FILE``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.errors import InputError

MAX_FILE_BYTES = 32 * 1024 * 1024

ProfileOption = Annotated[
    str, typer.Option("--profile", "-p", help="Built-in profile or path of a YAML file.", show_default=True)
]
EmbedderOption = Annotated[
    str | None,
    typer.Option(
        "--embedder", help="Embedder instead of the profile's: lexical, minilm, or an installed one."
    ),
]
ModelsOption = Annotated[
    Path | None, typer.Option("--models", help="Folder with the model's files, looked in first.")
]


def text_or_file(value: str, option: str) -> str:
    """The value itself, or for ``@FILE`` what the file holds (``@@`` stands for a literal @).

    Raises:
        InputError: The file is missing, too large, or not UTF-8 text.
    """
    if not value.startswith("@"):
        return value
    if value.startswith("@@"):
        return value[1:]
    path = Path(value[1:])
    if path.is_dir():
        raise InputError("a folder, not a file", file=str(path), field=option)
    if not path.is_file():
        raise InputError("no such file", file=str(path), field=option)
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise InputError(f"the file has {size:,} bytes, more than {MAX_FILE_BYTES:,}", file=str(path))
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text (byte {error.start})", file=str(path), field=option) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path), field=option) from None
    if "\x00" in text:
        raise InputError("a binary file (it holds null bytes), not text", file=str(path), field=option)
    return text.removesuffix("\n")
