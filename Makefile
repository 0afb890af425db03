# Trajmill's commands. `make help` lists them. Every target sets up what it needs; an up-to-date environment costs nothing.

VENV := .venv
BIN := $(VENV)/bin
PORTIONS := flows synth verifiers sandboxes schemas
VIEW := $(PORTIONS:%=.types/trajmill/%)
DEMO := examples/demo.toml
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links --exclude-newer '7 days'
PYTEST_ARGS ?= -n auto --dist loadfile --no-loadscope-reorder

.PHONY: help setup check format test demo bench consumers-small consumers-harbor lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.dev ## Make .venv with everything that development needs
	@echo "Ready: $(BIN)/trajmill, $(BIN)/pytest"

check: setup ## Style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: setup ## Sort imports, mend what ruff can mend, format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: setup ## All tests but the consumers', with the covered share of lines and branches
	$(BIN)/pytest $(PYTEST_ARGS) --cov --cov-report=
	@echo "Covered: $$($(BIN)/coverage report --format=total) % of lines and branches"

demo: $(VENV)/.demo ## Build a verified dataset from real files: no key, no daemon, no root
	@start=$$(date +%s); $(BIN)/trajmill build $(DEMO) || exit $$?; \
	echo "Built in $$(($$(date +%s) - start)) s, installation not counted. Datasets are in:"; ls -d $(CURDIR)/datasets/*/

bench: setup ## Run every benchmark and print its figures
	@for bench in benchmarks/*.py; do echo "== $$bench"; $(BIN)/python "$$bench" || exit 1; done

consumers-small: setup ## Feed what we export to the tools that read it, each in an environment of its own
	@for run in tests/consumers/*/run.sh; do echo "== $$run"; PYTHON=$(CURDIR)/$(BIN)/python sh "$$run" || exit 1; done

consumers-harbor: ## Let Harbor's own models read our trajectories (needs Python 3.12 and 500 MB)
	@sh tests/consumers/harbor/check.sh

lock: setup ## Resolve the newest week-old versions within the bounds; see docs/decisions/002-dependencies.md
	$(INSTALL) 'uv>=0.9,<1'
	$(BIN)/$(LOCK) --upgrade --extra dev pyproject.toml --output-file requirements.lock
	$(BIN)/$(LOCK) --extra build --extra demo --constraints requirements.lock pyproject.toml --output-file requirements-demo.lock

clean: ## Remove what the targets above made, except datasets and stores
	@if [ -e $(VENV)/.made-by-make ]; then rm -rf $(VENV); else rm -f $(VENV)/.dev $(VENV)/.demo; fi
	rm -rf tests/consumers/*/.venv .types build dist *.egg-info .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(PORTIONS) tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. A stamp is renewed when what it was made from changes; the larger set contains the smaller.

$(BIN)/python:
	@for candidate in python3 python3.13 python3.12 python3.11 python3.14; do \
		"$$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		echo "Making $(VENV) with $$("$$candidate" -V)"; \
		"$$candidate" -m venv $(VENV) && touch $(VENV)/.made-by-make && exit 0; \
	done; \
	echo "No Python 3.11 or newer with the venv module was found (on Debian: apt-get install python3-venv)." >&2; exit 1

$(VENV)/.dev: pyproject.toml setup.py requirements.lock | $(BIN)/python $(VIEW)
	$(INSTALL) --no-deps --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.demo

$(VENV)/.demo: pyproject.toml setup.py requirements-demo.lock | $(BIN)/python
	$(INSTALL) --no-deps --require-hashes -r requirements-demo.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# A view of the folders under their import name, for type checkers.
.types/trajmill/%:
	@mkdir -p .types/trajmill && ln -sfn ../../$* $@
