# Two commands do everything on a machine that has Python 3.11 or newer: make demo, make test.
PYTHON ?= python3
BIN := .venv/bin

# Real data for tests, where it lies beside the checkout; without it these tests say that they were skipped.
ifndef FAIRSHOT_DATA
ifneq ($(wildcard ../shared/data),)
export FAIRSHOT_DATA := $(abspath ../shared/data)
endif
endif

# Tests start many processes: each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test tests check setup browser docs
demo: setup
	$(BIN)/fairshot demo $(WHAT)

# Types and style are checked beside the tests, so that no core waits.
test: setup
	$(MAKE) --jobs 2 check tests

tests: setup
	$(BIN)/python -m pytest -n 2 --dist loadscope

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

# The documentation as a site in build/site: nothing of it asks the network once MkDocs is installed.
docs: setup .venv/docs
	$(BIN)/python docs/site_pages.py build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --config-file build/docs/mkdocs.yml --site-dir ../site
	$(BIN)/python -m pytest -q tests/test_built_site.py

.venv/docs: docs/requirements.txt .venv/complete
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r docs/requirements.txt
	touch $@

# For the tests of pages in a real browser, which are skipped without one: Debian's Chromium.
browser:
	command -v chromium >/dev/null || $(if $(shell command -v sudo),sudo )apt-get install --yes --no-install-recommends chromium

setup: .venv/complete

.venv/complete: requirements.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@
