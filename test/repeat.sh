#!/usr/bin/env bash
# Runs system tests many times: counts, verdicts and exit codes have to be the same each time. ./test.sh builds them.
#   test/repeat.sh [-n TIMES] [-j JOBS] [TEST...]     50 times, as many at once as there are processors; all, or those
#                                                     that names and tags ('[mutex]') of Catch2 select
# A test that compares mcmini with itself is run once for that; one that says it cannot is run TIMES times.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/release/bin/system_tests
times=50
jobs=$(nproc)
while getopts n:j: option; do
  case $option in
    n) times=$OPTARG ;;
    j) jobs=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ -x "$tests" ] || { echo "repeat.sh: there is no $tests; ./test.sh builds it" >&2; exit 2; }

# runs NAME [VARIABLE=VALUE]: catch2 calls it a success if no test has such a name.
runs() {
  local pattern
  pattern=$(sed 's/[][\\,*]/\\&/g' <<<"$1")
  env "${@:2}" "$tests" "$pattern" >"$log" 2>&1 && ! grep -q '^No test cases matched' "$log"
}

repeat_test() {
  log=$(mktemp)
  local start=$SECONDS verdict=ok
  runs "$1" MCMINI_REPEAT="$times" || verdict=FAILED
  if grep -q '^to be repeated as a whole$' "$log"; then
    for ((i = 1; i < times; i++)); do
      [ $verdict = FAILED ] || runs "$1" || verdict=FAILED
    done
  fi
  printf '%-6s %4d s  %s\n' $verdict $((SECONDS - start)) "$1"
  [ $verdict = ok ] || cat "$log"
  rm -f "$log"
}
export tests times
export -f runs repeat_test

results=$(mktemp)
trap 'rm -f "$results"' EXIT
# Catch2 exits with the number of tests that it lists.
{ "$tests" --list-test-names-only "$@" || true; } | tr '\n' '\0' |
  xargs -0 -P "$jobs" -n 1 bash -c 'repeat_test "$1"' repeat_test | tee "$results"
failed=$(grep -c '^FAILED ' "$results" || true)
passed=$(grep -c '^ok ' "$results" || true)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -ne 0 ]
