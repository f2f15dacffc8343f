# Quorum's two commands: `make run` and `make test`. Each does all of its own set-up on a fresh machine.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
SOURCES := $(shell find static/src static/styles static/*.mjs locale -type f ! -name '*.mo' 2>/dev/null)

.PHONY: run test bench lint messages clean

run: $(VENV)/.installed static/dist/.built $(VENV)/.translated
	@exec $(PY) -m config.serve

test: $(VENV)/.installed-for-tests static/dist/.built $(VENV)/.translated
	@$(PY) -m tests.run

bench: $(VENV)/.installed-for-benchmarks static/dist/.built $(VENV)/.translated
	@$(PY) -m tests.benchmarks

$(VENV)/.installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Quorum needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3")'
	@echo "Installing Python packages into $(VENV) (a few minutes the first time)…"
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.installed-for-tests: $(VENV)/.installed pyproject.toml
	@echo "Installing what the tests need…"
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt --group test
	@touch $@

$(VENV)/.installed-for-benchmarks: $(VENV)/.installed-for-tests
	@echo "Installing what ours is measured against…"
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt --group test --group bench
	@touch $@

node_modules/.installed: package.json package-lock.json
	@command -v npm >/dev/null || { echo "Quorum needs Node.js 20 or newer with npm."; exit 1; }
	@echo "Installing the front end's tools…"
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

static/dist/.built: node_modules/.installed $(SOURCES)
	@echo "Building the front end…"
	@npm run --silent build
	@touch $@

$(VENV)/.translated: $(VENV)/.installed $(wildcard locale/*/LC_MESSAGES/*.po)
	@$(PY) -m config.translations
	@touch $@

# Brings both catalogues up to date with the sources; new messages are left for a translator.
messages: $(VENV)/.installed node_modules/.installed
	@$(PY) -m config.translations extract
	@npm run --silent messages

clean:
	rm -rf $(VENV) node_modules static/dist
