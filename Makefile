SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.NOTPARALLEL:

WASM := --target wasm32-unknown-unknown
WASM_TEST_RUNNER := $(CURDIR)/.tools/wasm-bindgen/bin/wasm-bindgen-test-runner
# The runner gives a browser 20 seconds for all tests unless told otherwise.
WASM_TEST := WASM_BINDGEN_TEST_TIMEOUT=300 \
	CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=$(WASM_TEST_RUNNER) \
	cargo test $(WASM) --test wasm
heading = @printf '\n== %s\n' '$(1)'

# Which memories the recall benchmark stores: turns or observations.
MEMORIES ?= turns
# What it searches by: words alone (lexical), or embeddings too (hybrid).
MODE ?= lexical

# Seeds of the simulator, and after how many seconds it stops; 0: when it is through.
SEEDS ?= 100000
STOP_AFTER ?= 0

.PHONY: help run build test lint test-native simulation sim test-wasm test-package fuzz bench recall ablation consolidation compression growth size fmt clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

run: build ## build everything and serve the chat page on http://127.0.0.1:8787
	@node scripts/serve.mjs

build: ## build the npm package: dist/siltstone.tgz
	$(call heading,build)
	@scripts/setup.sh wasm-target rust-src node-modules
	@node scripts/build.mjs

test: lint test-native test-wasm test-package ## check and test everything
	@printf '\nall passed: lint, native tests, wasm tests (Node.js and Chromium), package tests, worker size, page tests\n'

lint: build ## formatting, clippy, rustdoc, biome, strict TypeScript
	$(call heading,lint: cargo fmt)
	@cargo fmt --all --check
	@cargo fmt --manifest-path fuzz/Cargo.toml --check
	@cargo fmt --manifest-path benches/crossings/module/Cargo.toml --check
	$(call heading,lint: clippy)
	@cargo clippy --workspace --all-targets -- -D warnings
	@cargo clippy --lib $(WASM) --package siltstone --package siltstone-counter -- -D warnings
	$(call heading,lint: cargo doc)
	@RUSTDOCFLAGS='-D warnings' cargo doc --no-deps --quiet
	$(call heading,lint: biome)
	@node_modules/.bin/biome check --error-on-warnings .
	$(call heading,lint: tsc)
	@node_modules/.bin/tsc --project tsconfig.worker.json
	@node_modules/.bin/tsc --project tsconfig.page.json
	@node_modules/.bin/tsc --project examples/cloudflare-worker
	@node_modules/.bin/tsc --project examples/browser
	$(call heading,lint: supply chain)
	@node scripts/supply-chain.mjs

test-native: ## cargo test
	$(call heading,native tests)
	@cargo test --package siltstone --package siltstone-kernels --package siltstone-tokens

simulation: ## play months of a user's life and print the curve of hot, cold and forgotten memories
	@cargo test --quiet --test native simulation -- --nocapture

sim: ## what goes wrong, by seed: make sim SEEDS=100000 STOP_AFTER=seconds
	@SEEDS='$(SEEDS)' STOP_AFTER='$(STOP_AFTER)' cargo test --quiet --test sim

test-wasm: test-native ## the behaviour cases in wasm, in Node.js and in Chromium
	$(call heading,wasm tests)
	@scripts/setup.sh wasm-target test-runner chromium
	$(call heading,wasm tests in Node.js)
	@$(WASM_TEST)
	$(call heading,wasm tests in Chromium)
	@WASM_BINDGEN_USE_BROWSER=1 CHROMEDRIVER="$$(command -v chromedriver)" $(WASM_TEST)

test-package: build test-native ## the packed package in every runtime, its size in a worker, the page
	@scripts/setup.sh chromium firefox redis mariadb node24
	$(call heading,package tests)
	@node --test --test-reporter=spec tests/build/*.test.mjs tests/package/*.test.mjs
	$(call heading,worker size)
	@node scripts/size.mjs
	$(call heading,page tests)
	@node --test --test-reporter=spec tests/e2e/*.test.mjs

# How long each fuzz target is run.
SECONDS ?= 20

fuzz: ## run every fuzz target for a while: make fuzz SECONDS=20 (needs a nightly toolchain)
	@scripts/setup.sh cargo-fuzz
	$(call heading,fuzz)
	@scripts/fuzz.sh '$(SECONDS)'

bench: build ## measure everything beside other packages: make bench QUICK=1 PARTS=window,recall
	$(call heading,bench)
	@QUICK='$(QUICK)' PARTS='$(PARTS)' node benches/bench.mjs

recall: build ## measure recall: make recall DATA=folder MEMORIES=turns|observations MODE=lexical|hybrid
	@: $${DATA:?where is the data set? make recall DATA=folder MEMORIES=turns MODE=lexical}
	$(call heading,recall of $(MEMORIES): $(MODE))
	@node scripts/recall.mjs '$(DATA)' '$(MEMORIES)' '$(MODE)'

ablation: ## what each step of recall gives: make ablation DATA=folder (LOO=1 chooses the constants anew)
	@: $${DATA:?where is the data set? make ablation DATA=folder}
	@LOO='$(LOO)' cargo bench --quiet --bench recall -- '$(DATA)'

consolidation: build ## what the rules keep without a language model: make consolidation DATA=folder
	@: $${DATA:?where is the data set? make consolidation DATA=folder}
	@node scripts/consolidation.mjs '$(DATA)'

compression: ## measure the rule compressor: make compression DATA=folder
	@: $${DATA:?where is the data set? make compression DATA=folder}
	@cargo bench --quiet --bench compression -- '$(abspath $(DATA))'

.PHONY: load
load: build ## hundreds of conversations at a time over HTTP: is everything there, how long it takes
	@node scripts/load.mjs

growth: build ## count what a turn, a session and a user cost a store
	@node scripts/growth.mjs

size: build ## the gzip sizes of the core, a worker and a page that use the package
	@node scripts/size.mjs

fmt: ## format everything
	@cargo fmt --all
	@node_modules/.bin/biome check --write .

clean: ## remove all that was built; what setup installed stays
	@cargo clean
	@rm -rf dist pkg-template/src/wasm
