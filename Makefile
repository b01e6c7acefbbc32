# The commands of the project. Run `make` to list them. Each command sets up what it needs.

PYTHON ?= python3
BIN = $(if $(wildcard .venv/Scripts),.venv/Scripts,.venv/bin)
ARGS ?=

.DEFAULT_GOAL := help
# With NATIVE=no, nothing is compiled and no compiled module is used: make run NATIVE=no
ifdef NATIVE
export SHIBUMI3D_NATIVE = $(NATIVE)
endif

# Run each test file in a single process, and the tests of pages before those of pictures, since both hold a drawing
# context.
PYTEST = $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder
# Keep compiled Python files. Otherwise, each program that the tests start would compile them again.
unexport PYTHONDONTWRITEBYTECODE
# Leave to `make thorough`: more seeds, sizes and games of cases already covered, and tests that take minutes.
SHARE = -m "not thorough"
# Tests that plain Python must also pass if the engine is compiled. All other tests then run only once, compiled.
PLAIN_TESTS = tests/test_compiled_engine.py::test_tests_run_the_selected_engine tests/rules tests/games $(addprefix tests/search/test_,computer_matches.py certificates.py strength_levels.py search_limits.py game_quality.py)

.PHONY: help run native pure bundle release test compiled quick thorough mutants renew lint format bench shots pages looks strips store docs problems messages goldens clean setup-run setup-test

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup-run ## open the window (make run ARGS="play spline" starts a game)
	@$(BIN)/shibumi3d $(ARGS)

native: setup-run ## compile the engine and wait (the window does this once, in the background)
	@$(BIN)/python -m shibumi3d.build_native

pure: setup-run ## remove the compiled engine
	@$(BIN)/python -m shibumi3d.build_native --remove

bundle: setup-test native ## build a self-contained folder for machines without Python (ARGS=--with-film adds ffmpeg)
	$(BIN)/python -m shibumi3d.build_bundle $(ARGS)

# The tests install each file into an empty environment, which requires a network, and play there.
release: setup-test native ## build everything that is published into dist/, and test each file
	rm -rf dist build/wheel
	$(BIN)/python -m build --no-isolation --sdist --outdir dist
	SHIBUMI3D_NATIVE=no $(BIN)/python -m build --no-isolation --wheel --outdir dist
	SHIBUMI3D_NATIVE=yes $(BIN)/python -m build --no-isolation --wheel --outdir build/wheel
	if [ "$$(uname)" = Linux ]; then PATH="$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl; \
	else cp build/wheel/*.whl dist; fi
	$(BIN)/python -m shibumi3d.build_bundle
	SHIBUMI3D_NATIVE=no SHIBUMI3D_RELEASE=$(CURDIR)/dist $(PYTEST) tests/test_release_files.py tests/test_bundle.py

test: setup-test ## run all checks and tests; those of the engine also in plain Python
	@$(MAKE) --no-print-directory --jobs=2 lint compiled # style and types use one core, the compiler two
	@native=$$($(BIN)/python -c 'from shibumi3d import native; print(native.status.is_native)') || exit 1; \
	if [ "$$native" = True ]; then \
		SHIBUMI3D_NATIVE=no $(PYTEST) $(SHARE) $(PLAIN_TESTS) && SHIBUMI3D_NATIVE=yes $(PYTEST) $(SHARE) $(ARGS); \
	elif [ -n "$$CI" ] && [ "$$SHIBUMI3D_NATIVE" != no ]; then echo "The compiled engine isn't in use."; exit 1; \
	else echo "The tests run in plain Python only."; SHIBUMI3D_NATIVE=no $(PYTEST) $(SHARE) $(ARGS); fi

# Without a compiler (status 2), only CI fails.
compiled: setup-test
	@$(BIN)/python -m shibumi3d.build_native; status=$$?; \
	[ $$status = 0 ] || { [ $$status = 2 ] && [ -z "$$CI" ]; } || exit $$status

quick: setup-test ## run some of the tests, in about a minute
	$(PYTEST) -q -m "not slow and not thorough" $(ARGS)

thorough: setup-test ## run all tests, with all seeds, sizes and games
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[openspiel]'
	@$(MAKE) test SHARE=

mutants: setup-test ## make 300 random changes to the engine, matches and the search, and record in mutants.jsonl which ones the tests notice
	$(BIN)/python -m pip install --quiet -c constraints.txt 'cosmic-ray>=8,<9' 'coverage>=7,<8'
	nice $(BIN)/python -m tools.mutants --out mutants.jsonl $(ARGS)

renew: ## install the newest versions of all packages, run all tests, and show what changed in constraints.txt
	@.ci/setup $(PYTHON) renew
	@$(MAKE) test; status=$$?; git --no-pager diff -- constraints.txt; exit $$status

lint: setup-test ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tools.messages --check
	$(BIN)/codespell shibumi3d tools shaders docs README.md CHANGELOG.md CONTRIBUTING.md
	$(BIN)/mypy --strict shibumi3d tools

format: setup-test ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup-run ## measure speed
	@$(BIN)/python -m tools bench $(ARGS)

SHOT = $(BIN)/shibumi3d shot --tier high --samples 32 --small
STILL = $(SHOT) --size 592x333

shots: setup-run ## draw the pictures of the README
	@mkdir -p docs/pictures
	$(SHOT) --size 560x315 splice --at 11 --seed 8 --table --out docs/pictures/table.png
	$(STILL) spectacular-tumble --night --out docs/pictures/night.png
	$(SHOT) --size 564x317 spargo --at 24 --seed 3 --clear --out docs/pictures/clear.png
	$(SHOT) --size 576x324 splush --choices --out docs/pictures/choices.png
	$(SHOT) --size 576x324 spair --at 14 --seed 2 --material slate --out docs/pictures/boards.png
	$(STILL) spire --at 64 --seed 2 --board 6 --material tatami --size 560x315 --out docs/pictures/large.png
	$(SHOT) speedo --at 24 --seed 4 --size 292x164 --eyes grey protan deutan tritan --out docs/pictures/eyes.png
	$(BIN)/shibumi3d export docs/film.yaml --to 1 --size 244x138 --speed 1.6 --gif docs/pictures/film.gif

pages: setup-run ## draw every page, in every language and in several window sizes, into pages/
	$(BIN)/python -m tools.pages --out pages $(ARGS)

# As in tools/pages.py.
GAMES = spline splice splush spargo spair spire spangle spectacular-tumble

looks: setup-run ## draw eight games by day, by night, in clear colours and for different colour vision, into looks/
	$(BIN)/python -m tools.pages --out looks --only $(addprefix game-,$(GAMES)) --size 1280x720 --lang en \
		--look day night clear grey protan deutan tritan $(ARGS)

strips: setup-run ## draw twelve frames of each animation, by day and night, into strips/
	$(BIN)/python -m tools.strips --out strips $(ARGS)

# The pages are those of tests/portraits.py.
store: setup-run ## draw the pictures for software stores into docs/pictures/store
	rm -rf build/store
	$(BIN)/python -m tools.pages --out build/store --only end problem arcanoid-2 home --size 1280x720 --lang en
	$(BIN)/python -m tools.pages --out build/store --only game-spectacular-tumble --size 1280x720 --lang en --look night
	$(BIN)/python -m tests.portraits --store build/store

docs: setup-test ## update the generated tables and pictures in docs/
	$(BIN)/python -m tests.portraits
	$(BIN)/shibumi3d list --markdown docs/games.md
	$(BIN)/python -m shibumi3d.catalogue.reference docs/language.md
	$(BIN)/python -m tests.layers

problems: setup-test native ## prove all problems again, and five of each game by the other method
	$(BIN)/shibumi3d problems check games/problems/*.yaml
	$(BIN)/shibumi3d problems check --other --first 5 games/problems/*.yaml
	$(BIN)/shibumi3d solo check --first 2 games/solo/*.yaml

messages: setup-test ## add new sentences to the catalogues of all languages, and compile them
	$(BIN)/python -m tools.messages

goldens: setup-test ## rewrite the golden files of the tests; review them as a diff
	$(BIN)/python -m tests.games.goldens
	$(BIN)/python -m tests.rules.golden.playthrough
	$(BIN)/python -m tests.tables.hyena_playthrough
	$(BIN)/python -m tests.tables.arcanoid_playthrough
	$(BIN)/python -m tests.catalogue.bad
	FRAMES=write $(BIN)/python -m pytest -q tests/render/test_reference_images.py
	TREES=write $(BIN)/python -m pytest -q tests/app/test_accessibility_tree_snapshots.py

clean: ## remove the virtual environment, builds and caches
	rm -rf .venv build dist shibumi3d/_native .mypy_cache .ruff_cache .pytest_cache .hypothesis tests/out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

setup-run:
	@.ci/setup $(PYTHON) run

setup-test:
	@.ci/setup $(PYTHON) test
