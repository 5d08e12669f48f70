#!/bin/sh
# Jacobian of the chain of pendula, next to GiNaC. Usage: bench/terms/run.sh [BUILD [N ...]]
# BUILD is a folder for a release build with benchmarks; it is set up if it is not there. The
# peer takes part if the Debian packages libginac-dev and g++ are installed.
set -eu
build=${1:-build-bench}
[ $# -gt 0 ] && shift
root=$(dirname "$0")/../..
if [ ! -d "$build" ]; then
  meson setup "$build" "$root" -Dbuildtype=release -Dbenchmarks=enabled
fi
ninja -C "$build" bench/terms/bench_terms
pkg-config --exists ginac || echo "GiNaC is not installed (apt install libginac-dev g++): it is left out"
"$build/bench/terms/bench_terms" "$@"
