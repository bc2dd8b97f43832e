#!/usr/bin/env bash
# Checks a program with mcmini: installs what is missing, builds mcmini if a source is newer than it, and runs it with
# the arguments given, in the caller's directory. If they name no program, an example is checked.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$root/build/release
source "$root/.setup"

# Not 1, which says that the program has a bug.
trap 'status=$?; [ $status -eq 130 ] || { say "the set-up failed, see above"; status=70; }; exit $status' EXIT

if sources_changed "$build/.built"; then
  install_packages "${build_packages[@]}"
  build_preset release mcmini libmcmini transitions ready_plugins
  touch "$build/.built"
fi

example=$build/philosophers_all_left
source=$root/examples/deadlock/philosophers_all_left.c
[ -x "$example" ] && [ ! "$source" -nt "$example" ] || gcc -g -pthread -o "$example" "$source"
export MCMINI_EXAMPLE=$example
exec "$build/bin/mcmini" "$@"
