#!/usr/bin/env bash
# Installs what the build and the tests need and is not there yet:
#   scripts/setup.sh [wasm-target] [rust-src] [node-modules] [chromium] [firefox] [test-runner] [redis] [mariadb] [node24]
#                    [cargo-fuzz]
# Everything but Debian packages and the Rust target goes to .tools/ and node_modules/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools="$PWD/.tools"

say() { printf '→ %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# --- the wasm32 target of rustc -------------------------------------------------------------------

wasm_libdir() { rustc --print target-libdir --target wasm32-unknown-unknown; }
has_wasm_target() { compgen -G "$(wasm_libdir)/libstd-*.rlib" >/dev/null; }

wasm_target() {
  have rustc && have cargo || fail "rustc and cargo 1.95 are needed: https://rustup.rs"
  if [[ "${SILTSTONE_WASM_TARGET:-}" == rust-src ]]; then
    [[ -f "$(wasm_libdir)/.from-rust-src" ]] || wasm_target_from_source
  elif ! has_wasm_target; then
    say "adding the wasm32-unknown-unknown target"
    if ! have rustup || ! rustup target add wasm32-unknown-unknown; then
      say "rustup could not add it; building it from Debian's rust-src instead"
      wasm_target_from_source
    fi
  fi
  has_wasm_target || fail "the wasm32-unknown-unknown target is missing and could not be installed"
}

# Compiles the standard library for wasm32 from its source. The compiler accepts its own standard
# library only when it is built as upstream builds it, which is what RUSTC_BOOTSTRAP and the flags
# below are for.
wasm_target_from_source() {
  local libdir target="$tools/std"
  rust_src
  say "compiling the standard library for wasm32 (about half a minute)"
  RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zforce-unstable-if-unmarked -Cpanic=abort" \
    __CARGO_DEFAULT_LIB_METADATA=stablestd CARGO_TARGET_DIR="$target" \
    cargo build --quiet --release --manifest-path "$(std_source)/library/sysroot/Cargo.toml" \
    --target wasm32-unknown-unknown
  libdir="$(wasm_libdir)"
  mkdir -p "$libdir"
  rm -f "$libdir"/*.rlib "$libdir"/*.rmeta
  cp "$target"/wasm32-unknown-unknown/release/deps/*.rlib "$libdir/"
  touch "$libdir/.from-rust-src"
  rm -rf "$target"
}

# --- the source of the standard library, which the build compiles with the core ---------------------

std_source() { echo "$(rustc --print sysroot)/lib/rustlib/src/rust"; }

rust_src() {
  local version work="$tools/rust-src"
  [[ -f "$(std_source)/library/Cargo.lock" ]] && return
  say "adding the source of the standard library"
  if [[ "${SILTSTONE_WASM_TARGET:-}" == rust-src ]] || ! have rustup || ! rustup component add rust-src; then
    version="$(rustc --version | cut -d' ' -f2)"
    say "fetching Debian's rust-src $version"
    mkdir -p "$work" "$(std_source)"
    fetch_rust_src "$version" "$work"
    cp -R "$work/usr/src/rustc-$version/library" "$(std_source)/"
    rm -rf "$work"
  fi
}

# Uses a package list of its own, so the machine's apt configuration stays as it is.
fetch_rust_src() {
  local version="$1" work="$2" apt="$2/apt" mirror exact
  have apt-get || fail "this way needs Debian's apt-get; elsewhere: rustup component add rust-src"
  mirror="$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n1 | tr -d ' ' || true)"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  for suite in trixie-backports bookworm-backports; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
      "${mirror:-http://deb.debian.org/debian} $suite main"
  done >"$apt/sources.list"
  local options=(-qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  exact="$(apt-cache "${options[@]:1}" madison rust-src |
    awk -v v="$version" -F' *[|] *' 'index($2, v "+") == 1 { print $2; exit }')"
  [[ -n "$exact" ]] || fail "Debian has no rust-src $version; use rustup component add rust-src"
  (cd "$work" && apt-get "${options[@]}" download "rust-src=$exact" && dpkg -x rust-src_*.deb .)
}

# --- npm packages ---------------------------------------------------------------------------------

node_modules() {
  have node && have npm || fail "Node.js 20 or later and npm are needed"
  local lock stamp=node_modules/.lock-hash
  lock="$(sha256sum package-lock.json | cut -d' ' -f1)"
  [[ "$(cat "$stamp" 2>/dev/null)" == "$lock" ]] && return
  say "installing the npm packages"
  # None of the packages needs its install script: their binaries come as packages of their own.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  echo "$lock" >"$stamp"
}

# --- Debian packages ------------------------------------------------------------------------------

# debian WHAT-FOR PACKAGE…
debian() {
  local purpose="$1" root=()
  shift
  if [[ $EUID -ne 0 ]]; then
    have sudo && root=(sudo) || root=(false)
  fi
  have apt-get && [[ "${root[*]}" != false ]] || fail "$purpose need $* in PATH,
  and this is not root on Debian. There: apt-get install $*"
  say "installing $*"
  "${root[@]}" apt-get -qq update
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

# --- browsers -------------------------------------------------------------------------------------

chromium() {
  have chromium && have chromedriver && return
  debian "the browser tests" chromium chromium-driver
}

firefox() {
  have firefox-esr && return
  debian "the tests in Firefox" firefox-esr
}

# --- database servers -----------------------------------------------------------------------------

# Servers are often out of an ordinary user's path.
has_server() { PATH="$PATH:/usr/sbin:/usr/local/sbin" have "$1"; }

redis() {
  has_server redis-server && return
  debian "the tests of the Redis cache" redis-server
}

mariadb() {
  has_server mariadbd && has_server mariadb-install-db && return
  debian "the tests of the MySQL host" mariadb-server
}

# --- Node.js 24, for node:sqlite --------------------------------------------------------------------

# In a folder of its own: npm removes the binary that the package nests when it installs another one.
node24() {
  local version=24.21.0 root="$tools/node24"
  [[ "$(cat "$root/version" 2>/dev/null)" == "$version" ]] && return
  say "installing Node.js $version for the tests of node:sqlite"
  mkdir -p "$root"
  echo '{ "private": true }' >"$root/package.json"
  (cd "$root" && npm install "node@$version" --no-audit --no-fund --loglevel=error)
  echo "$version" >"$root/version"
}

# --- wasm-bindgen's test runner -------------------------------------------------------------------

test_runner() {
  local version root="$tools/wasm-bindgen"
  [[ -f Cargo.lock ]] || cargo generate-lockfile
  version="$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/"/, "", $3); print $3 }' Cargo.lock)"
  [[ "$(cat "$root/version" 2>/dev/null)" == "$version" ]] && return
  say "building the wasm test runner $version (one to five minutes, once)"
  # Without --locked: the lock file that the tool ships names a crate version that was withdrawn.
  cargo install wasm-bindgen-cli --version "$version" --bin wasm-bindgen-test-runner --debug \
    --root "$root" --target-dir "$root/target" --force --quiet
  rm -rf "$root/target"
  echo "$version" >"$root/version"
}

# --- cargo fuzz -----------------------------------------------------------------------------------

cargo_fuzz() {
  local version=0.13.2 root="$tools/cargo-fuzz"
  cargo +nightly --version >/dev/null 2>&1 || fail "fuzzing needs a nightly toolchain: rustup toolchain install nightly"
  [[ "$(cat "$root/version" 2>/dev/null)" == "$version" ]] && return
  say "building cargo-fuzz $version (one to three minutes, once)"
  cargo install cargo-fuzz --version "$version" --root "$root" --target-dir "$root/target" --locked --force --quiet
  rm -rf "$root/target"
  echo "$version" >"$root/version"
}

for what in "$@"; do
  case "$what" in
    wasm-target) wasm_target ;;
    rust-src) rust_src ;;
    node-modules) node_modules ;;
    chromium) chromium ;;
    firefox) firefox ;;
    test-runner) test_runner ;;
    redis) redis ;;
    mariadb) mariadb ;;
    node24) node24 ;;
    cargo-fuzz) cargo_fuzz ;;
    *) fail "unknown: $what (wasm-target, rust-src, node-modules, chromium, firefox, test-runner, redis, mariadb, node24 or cargo-fuzz)" ;;
  esac
done
