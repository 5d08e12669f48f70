#!/bin/sh
# Structure at scale: our kernels and SuiteSparse BTF (bench_structure), SciPy's LAPJVsp on the
# same matrices, and the whole command `daetool analyze` on the same models.
# Usage: bench/structure/run.sh [BUILD [LARGEST [LARGEST_OF_KERNELS]]]
# BUILD is a folder set up with -Dbuildtype=release -Dbenchmarks=enabled.
# SciPy: Debian package python3-scipy.
set -eu
build=${1:-build-bench}
largest=${2:-100000}
kernels=${3:-$largest} # of the kernels alone
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$build/bench/structure/bench_structure" "$kernels" "$work"

echo
if /usr/bin/python3 -c 'import scipy' 2>/dev/null; then
  echo "SciPy LAPJVsp:"
  /usr/bin/python3 "$here/lapjvsp.py" "$work"
else
  echo "SciPy is not installed (apt install python3-scipy): LAPJVsp left out"
fi

echo
echo "daetool analyze, reading included:"
for model in "$work"/*-"$largest".mo; do
  printf '%-40s ' "$(basename "$model" .mo)"
  /usr/bin/time -f '%U s user, %M KB' "$build/daetool" analyze "$model" 2>&1 >/dev/null | tail -1
done
