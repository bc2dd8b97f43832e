#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests. Arguments go to ctest (-L unit, -R philosophers, ...).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/.setup"

install_packages "${build_packages[@]}" "${test_packages[@]}"
build_preset release
say "running the tests"
ctest --test-dir "$root/build/release" --output-on-failure -j "$(($(nproc) + 1))" "$@"
if [ $# -eq 0 ]; then
  build_preset asan unit_tests plugins_tests
  say "running the unit tests under AddressSanitizer and UndefinedBehaviorSanitizer"
  ctest --test-dir "$root/build/asan" --output-on-failure -j "$(nproc)" -L 'unit|plugins'
fi
