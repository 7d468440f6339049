# The recipes of CONTRIBUTING.md. Each is what it prints; nothing here is needed to build or test.

# lint, and the fast tests
default: lint fast

lint:
    ruff check
    ruff format --check

fast:
    pytest -m fast

# all tests, or those named
test *paths:
    pytest {{paths}}

types:
    mypy

# every answer, finding and claim that a change alters
freeze:
    python evals/freeze.py --diff

# the transcripts in README and docs
docs:
    cog -r -I docs README.md docs/*.md

# the index that a wheel carries
index:
    python evals/prebuilt.py

wheel:
    pip wheel --no-deps -w dist .

# what CI runs, in a fresh environment
all:
    bash .ci/run
