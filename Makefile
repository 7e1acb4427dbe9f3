# Two commands to know: `make demo` and `make test`. Both set everything up first.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin

BENCH := ../shared/bench
HYBRID := src/posterity/extraction/hybrid

.PHONY: demo test check setup lock docs pictures bench train sbom audit wheel zipapp clean

demo: setup  ## harvest the bundled blog over real HTTP, print what was found, export it
	$(BIN)/posterity demo

test: setup  ## everything CI runs: lint, types, layers, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto --maxprocesses 8 --dist loadfile

check: test  ## the same, under the name that other projects use

setup: .venv/.ready  ## .venv with the locked dependencies, the package editable, a browser if possible

.venv/.ready: requirements.lock pyproject.toml tools/setup.sh
	PYTHON=$(PYTHON) bash tools/setup.sh
	touch $@

lock: setup  ## pin the newest allowed versions of every dependency, with hashes
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --upgrade --python-version 3.11 --no-emit-index-url \
	  --extra all --group dev pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --upgrade --python-version 3.11 --no-emit-index-url \
	  --constraint requirements.lock --group train -o requirements-train.lock

docs: setup  ## regenerate the generated parts of the documentation
	$(BIN)/python tools/cli_docs.py --write
	$(BIN)/python tools/api_docs.py --write
	$(BIN)/python tools/python_docs.py --write
	$(BIN)/python tools/picture.py --write

pictures: setup  ## the pictures of the web pages in docs/images, taken in a browser
	POSTERITY_PICTURES=1 $(BIN)/pytest -q tests/e2e/serve

bench: setup  ## score hybrid and other extractors on the benchmarks next to the checkout (SAMPLE=N: a quick run, WRITE=1: docs/quality.md)
	$(BIN)/python -m tools.bench $(BENCH) --blogs "$$($(BIN)/python ../shared/blogs/serve.py --unpack)" \
	  --fronts ../shared/blogs/index_truth.json $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(WRITE),--write docs/quality.md)

train: .venv-train/.ready  ## train both models of hybrid from the pages in BENCH (and in FEED_PAGES), with records of the inputs
	.venv-train/bin/python -m tools.train_article \
	  $(BENCH)/wcxb_dev.jsonl.xz $(BENCH)/scrapinghub.jsonl.xz $(BENCH)/trafilatura.jsonl.xz $(FEED_PAGES) \
	  -o $(HYBRID)/article_weights.npz
	.venv-train/bin/python -m tools.field_reliability learn \
	  $(BENCH)/wcxb_dev.jsonl.xz $(BENCH)/trafilatura.jsonl.xz --held-out $(BENCH)/htmldate.jsonl.xz -o $(HYBRID)/field_weights.json

.venv-train/.ready: requirements.lock requirements-train.lock pyproject.toml | setup
	$(PYTHON) -m venv .venv-train
	$(BIN)/uv pip install -q --python .venv-train/bin/python --require-hashes -r requirements.lock -r requirements-train.lock
	$(BIN)/uv pip install -q --python .venv-train/bin/python --no-deps --no-build-isolation -e .
	touch $@

sbom: setup  ## write dist/sbom.json, a CycloneDX list of the locked dependencies; needs no network
	mkdir -p dist
	$(BIN)/python tools/sbom.py requirements.lock > dist/sbom.json

audit: setup  ## check the locked dependencies without network; ADVISORIES=FOLDER of OSV records looks them up
	$(BIN)/python -m tools.audit requirements.lock $(if $(ADVISORIES),--advisories $(ADVISORIES))

wheel: setup  ## build dist/posterity-*.whl
	$(BIN)/uv build --wheel --no-build-isolation --out-dir dist

zipapp: setup  ## dist/posterity.pyz: the command and its core in one file (EXTRAS='[crawl]' for more)
	bash tools/zipapp.sh

clean:
	rm -rf .venv .venv-train dist demo-output .mypy_cache .ruff_cache .pytest_cache .hypothesis .schemathesis .import_linter_cache
