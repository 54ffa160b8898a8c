# Six commands: app, test, lint, docs, bench, compare. Each prepares .venv once. test-lowest has a separate environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
# The tests of a file share their studies in one process. A third process uses the time in which two cores would wait for browsers
# and other processes.
BESIDE := -n 3 --dist loadfile --no-loadscope-reorder

# Python keeps compiled files even if the environment forbids it, because tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: app test test-lowest lint docs bench compare samples clean

app: $(VENV)/app.done
	$(BIN)/streamlit run app.py

test: $(VENV)/test.done chromium                # one of the tests runs the type checks of lint
	$(BIN)/ruff check . && $(BIN)/ruff format --check -q .
	$(BIN)/python -m pytest $(BESIDE)

# The core with the lowest supported versions. It takes minutes, so it is not part of `test`. Types are checked
# against the newest libraries only, because older ones have other annotations.
test-lowest: $(LOWEST)/test.done
	$(LOWEST)/bin/python -m pytest $(BESIDE) -m 'not slow and not types' tests/stabcore

lint: $(VENV)/test.done
	$(BIN)/ruff check . && $(BIN)/ruff format --check -q .
	$(BIN)/mypy

docs: $(VENV)/docs.done                        # warnings are errors, and the code on the pages runs
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo "Open docs/_build/html/index.html"

bench: $(VENV)/test.done
	$(BIN)/python -m pytest -m slow
	for script in tests/benchmarks/bench_*.py; do PYTHONPATH=.:tests $(BIN)/python $$script || exit 1; done

# Compare the rule of the panel with those of other packages. 200 tables of each kind take hours.
TABLES ?= 200
compare: $(VENV)/test.done
	$(BIN)/python -m pip install -q --disable-pip-version-check --editable '.[compare]' || echo "The peers cannot be installed."
	PYTHONPATH=.:tests $(BIN)/python tests/benchmarks/compare.py $(TABLES)

# Recompute the bundled results from their tables (fixed seed).
samples: $(VENV)/app.done
	for study in sample_data/*.toml; do rm -f $${study%.toml}.stab; $(BIN)/python -m stabcore run $$study || exit 1; done
	rm -f sample_data/*.lock

clean:
	rm -rf $(VENV) $(LOWEST)

# The browser tests use the system's Chromium. On Debian, root installs it here.
.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } || \
	  echo "No Chromium here: the browser tests will be skipped."

$(VENV)/python.done:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/app.done: $(VENV)/python.done requirements.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.txt
	touch $@

# Modules are compiled when they are imported, as few of all are: half the time, in which one core would wait.
$(VENV)/test.done: $(VENV)/python.done requirements.txt pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-compile -r requirements.txt --editable '.[cluster,docs,test]'
	touch $(VENV)/app.done $@

$(VENV)/docs.done: $(VENV)/app.done pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check --editable '.[docs]'
	touch $@

# numpy>=2.0,<3 becomes numpy==2.0.*
$(LOWEST)/test.done: pyproject.toml requirements.txt
	$(PYTHON) -m venv $(LOWEST)
	sed 's/ *#.*//; s/>=\([0-9.]*\),.*/==\1.*/' requirements.txt > $(LOWEST)/requirements.txt
	$(LOWEST)/bin/python -m pip install -q --disable-pip-version-check -r $(LOWEST)/requirements.txt --editable '.[cluster,formats,test]' polars
	touch $@
