"""The language model that is asked where the local signals cannot decide."""

from assay.judge.ask import Judge, Session
from assay.judge.prompts import PROMPT_VERSION
from assay.judge.spending import Price

__all__ = ["PROMPT_VERSION", "Judge", "Price", "Session"]
