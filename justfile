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

# the documentation as a site, in site/
site:
    mkdocs build --strict

# the index that a wheel carries
index:
    python evals/prebuilt.py

wheel:
    pip wheel --no-deps -w dist .

# what a night should run: odd uses, damaged bases, killed builds, hostile files, with ten times as many made-up texts;
# then 3,000 broken questions, odd options, full disks and cut files against the installed command
faults:
    CHIPWISE_TESTS=all pytest tests/commands/test_fuzzing.py tests/commands/test_odd_uses.py tests/commands/test_states.py tests/reading tests/building/test_damaged.py tests/building/test_interrupted.py tests/building/test_two_writers.py
    python evals/faults.py

# what CI runs, in a fresh environment
all:
    bash .ci/run
