#!/usr/bin/env bash
# Checks a program with mcmini: installs what is missing, builds mcmini if a source is newer than it, and runs it with
# the arguments given, in the caller's directory. Without arguments it checks an example.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$root/build/release
source "$root/.setup"

if sources_changed "$build/.built"; then
  install_packages "${build_packages[@]}"
  build_preset release mcmini libmcmini transitions
  touch "$build/.built"
fi

if [ $# -eq 0 ]; then
  example=$build/example-philosophers
  say "no program named: checking examples/deadlock/philosophers_all_left.c"
  if [ ! -x "$example" ] || [ "$root/examples/deadlock/philosophers_all_left.c" -nt "$example" ]; then
    gcc -g -pthread -o "$example" "$root/examples/deadlock/philosophers_all_left.c"
  fi
  set -- "$example" 3
fi
exec "$build/bin/mcmini" "$@"
