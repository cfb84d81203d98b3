#!/usr/bin/env bash
# Runs every fuzz target for so many seconds: scripts/fuzz.sh SECONDS [TARGET…]
# What is found on the way is kept in fuzz/target/corpus, what fails in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

limit="$1"
shift
[[ "$limit" =~ ^[1-9][0-9]*$ ]] || { echo "error: a number of seconds is expected, not '$limit'" >&2; exit 1; }
export PATH="$PWD/.tools/cargo-fuzz/bin:$PATH"
targets=("$@")
[[ $# -gt 0 ]] || mapfile -t targets < <(cd fuzz/fuzz_targets && printf '%s\n' *.rs | sed 's/\.rs$//')

mkdir -p fuzz/target
printf '→ building %s targets (some minutes when new)\n' "${#targets[@]}"
cargo +nightly fuzz build >fuzz/target/build.log 2>&1 || { cat fuzz/target/build.log >&2; exit 1; }

crashes=0
for target in "${targets[@]}"; do
  found="fuzz/target/corpus/$target"
  log="fuzz/target/$target.log"
  mkdir -p "$found"
  printf '→ %s for %s s … ' "$target" "$limit"
  if cargo +nightly fuzz run "$target" "$found" "fuzz/corpus/$target" -- \
    -max_total_time="$limit" -max_len=4096 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    >"$log" 2>&1; then
    runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    printf '%s runs, %s kept inputs\n' "${runs:-?}" "$(find "$found" -type f | wc -l)"
  else
    crashes=$((crashes + 1))
    printf 'failed\n'
    tail -n 40 "$log" >&2
  fi
done
printf 'targets=%s crashes=%s\n' "${#targets[@]}" "$crashes"
[[ "$crashes" == 0 ]]
