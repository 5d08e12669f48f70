#!/bin/sh
# Reduction by size, then GiNaC and SymPy on the small chains in the same run. Needs a build
# with -Dbenchmarks=enabled. Usage: bench/reduce/run.sh BUILD
set -eu
build=${1:?usage: bench/reduce/run.sh BUILD}
here=$(dirname "$0")
"$build/bench/reduce/bench_reduce"
"$build/bench/reduce/bench_reduce" file "$here"/../../examples/*.mo
echo
"$build/bench/reduce/bench_reduce" chain 1 2 5 10 20 |
  awk 'NR == 1 { printf "%-24s %9s %9s\n", "daetool (DAG nodes)", "terms out", "seconds"; next }
       { printf "%-5s %-18s %9s %9s\n", $1, $2, $8, $11 }'
if [ -x "$build/bench/reduce/bench_reduce_ginac" ]; then
  "$build/bench/reduce/bench_reduce_ginac" 1 2 5 10 20
else
  echo "GiNaC: libginac-dev is not installed"
fi
if python3 -c 'import sympy' 2>/dev/null; then
  python3 "$here/peer_sympy.py" 1 2 5 10 20
else
  echo "SymPy: python3-sympy is not installed"
fi
