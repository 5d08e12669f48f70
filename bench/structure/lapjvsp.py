"""SciPy's sparse weighted matching (LAPJVsp) on the matrices that bench_structure has
written: "row column sigma" lines."""

import sys
import time
from pathlib import Path

import numpy
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

LARGEST = 100_000  # entries grow the time quadratically beyond

for path in sorted(Path(sys.argv[1]).glob("*.txt"),
                   key=lambda p: (int(p.stem.rsplit("-", 1)[1]), p.stem)):
    row, column, sigma = numpy.loadtxt(path, dtype=numpy.int64, unpack=True)
    n = int(row.max()) + 1
    if n > LARGEST:
        continue
    # costs must not be 0 in a sparse matrix, where 0 means absent: 1 + largest - sigma
    matrix = csr_matrix((1.0 + sigma.max() - sigma, (row, column)), shape=(n, n))
    since = time.process_time()
    rows, columns = min_weight_full_bipartite_matching(matrix)
    spent = 1000 * (time.process_time() - since)
    value = n * (1.0 + sigma.max()) - matrix[rows, columns].sum()
    print(f"{path.stem:28s} n {n:8d} value {value:9.0f} {spent:12.2f} ms", flush=True)
