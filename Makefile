# Two commands do everything on a fresh machine: `make play` and `make test`. `make test-fast` is for after every edit.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# the scripts of the pages are checked with the system's npm, or with the one that a package brings
NPM_PATH := PATH="$$PATH:$(CURDIR)/$(BIN)"

# the many processes of the tests need not translate all sources anew
unexport PYTHONDONTWRITEBYTECODE

# tests that look at pages mostly wait: one tester more than there are cores
TESTERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')

.PHONY: play test failed-again test-fast fast-tests test-numba test-learners check compiled-chariotmaster compiled-others collected bench docs ladder clean help

help:            ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

play: $(VENV)/.installed   ## open the table: race in the browser; PORT=9000 chooses the port
	@$(BIN)/spina $(if $(PORT),--port $(PORT))

# the checks and the two compilers keep one core each busy, the browser's coming mostly waits: all at once, in any order
test:            ## every check and the whole test suite
	@$(MAKE) --jobs=5 --no-print-directory check compiled-chariotmaster compiled-others .chromium collected
	$(BIN)/pytest -n $(TESTERS) --dist worksteal || $(MAKE) --no-print-directory failed-again

# Python translates the tests and all that they import once, and not in each tester at the same time;
# what cannot be collected is told by the tests' own run
collected: $(VENV)/.dev
	@$(BIN)/pytest --collect-only -p no:cacheprovider >/dev/null 2>&1 || true

# what failed beside other tests is run once more, alone: a busy machine makes pages and servers late
failed-again:
	@echo "These tests failed, and run again alone; look into them even if they pass now:"
	@$(BIN)/python -c "import json; print(*json.load(open('.pytest_cache/v/cache/lastfailed')), sep='\n')"
	$(BIN)/pytest --last-failed --last-failed-no-failures none

# at most 90 s on two cores, once the games are compiled
test-fast: $(VENV)/.dev    ## every check and the quick tests: no browser, no server, nothing slow
	@$(MAKE) --jobs=2 --no-print-directory compiled-chariotmaster compiled-others
	@$(MAKE) --jobs=2 --no-print-directory check fast-tests

fast-tests: $(VENV)/.dev
	@$(BIN)/pytest -n auto --dist worksteal -m "not browser and not server and not slow"

check: $(VENV)/.dev node_modules/.installed       ## formatting, lint, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NPM_PATH) npx --no-install tsc -p .

compiled-chariotmaster: $(VENV)/.dev
	@$(BIN)/python tools/compile_all.py chariotmaster

compiled-others: $(VENV)/.dev
	@$(BIN)/python tools/compile_all.py charioteer chariot-race

# the ends of the range of Numba that pyproject.toml declares, each in an environment of its own
NUMBAS := 0.63.0 0.68.1

test-numba:      ## the kernels with the oldest and the newest Numba that Spina supports
	@set -e; for version in $(NUMBAS); do \
	  echo "Numba $$version"; \
	  [ -d $(VENV)-numba-$$version ] || $(PYTHON) -m venv $(VENV)-numba-$$version; \
	  $(VENV)-numba-$$version/bin/python -m pip install --quiet --disable-pip-version-check --editable . numba==$$version pytest pytest-timeout hypothesis; \
	  $(VENV)-numba-$$version/bin/python -m pytest -p no:cacheprovider -o addopts=-q $(NUMBA_TESTS); \
	done

NUMBA_TESTS := tests/test_compile.py tests/test_borrowed_arguments.py tests/test_kernel_random.py tests/test_contract.py tests/test_former_rules.py

LEARNERS := stable-baselines3 sb3-contrib jax

test-learners:   ## learn a few steps with other projects' learners, which bring PyTorch
	@[ -d $(VENV)-learners ] || $(PYTHON) -m venv $(VENV)-learners
	@$(VENV)-learners/bin/python -m pip install --quiet --disable-pip-version-check $(TORCH)
	@$(VENV)-learners/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[research]' $(LEARNERS) pytest pytest-timeout
	$(VENV)-learners/bin/python -m pytest -p no:cacheprovider -o addopts=-q -o filterwarnings=default -rs tests/learners

# without the packages for graphics cards that the newest build brings, where a registry has such a file
TORCH ?= torch

bench: $(VENV)/.dev        ## measure speed and calibration, printed as ratios
	$(BIN)/python -m bench

docs: $(VENV)/.dev         ## the documentation as a site, in build-output/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

ladder: $(VENV)/.dev       ## rate all bots of all games; can be stopped and continued
	$(BIN)/spina lab ladder --folder bench/results --out docs/ladder.md

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Spina needs Python 3.11 or later, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Spina into $(VENV) (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Spina and its checks into $(VENV) (once) ..."
	@# most of what is installed is never imported: what is, is translated then
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed

node_modules/.installed: package.json $(VENV)/.dev
	@$(NPM_PATH) npm install --silent --no-package-lock --no-audit --no-fund
	@touch $@

# The browser tests need a Chromium, and the same without a user interface, which is faster: the system's, or those that
# Playwright brings.
.PHONY: .chromium .system-chromium
.chromium: .system-chromium $(VENV)/.dev
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || $(BIN)/playwright install chromium

.system-chromium:
	@command -v chromium >/dev/null && command -v chromium-headless-shell >/dev/null || \
	! command -v apt-get >/dev/null || [ "$$(id -u)" != 0 ] || \
	(apt-get update -qq && apt-get install -y -qq chromium chromium-headless-shell >/dev/null) || true

clean:           ## remove the environment and what was built
	rm -rf $(VENV) node_modules build build-output dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
