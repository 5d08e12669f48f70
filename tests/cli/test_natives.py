"""Native functions for linear equations and Fourier transforms, against plain Python."""

import cmath
import csv
import io
import math

from harness import check_exit, contains, main, run_text

LAPACK = """function dgetrf
  input Real A[:, :]; output Real LU[size(A, 1), size(A, 2)] = A;
  output Integer pivots[min(size(A, 1), size(A, 2))]; output Integer info;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Integer lda = max(1, size(A, 1));
external "FORTRAN 77" dgetrf(m, n, LU, lda, pivots, info);
end dgetrf;
function dgetri
  input Real LU[:, size(LU, 1)]; input Integer pivots[size(LU, 1)];
  output Real inv[size(LU, 1), size(LU, 1)] = LU; output Integer info;
protected
  Integer n = size(LU, 1); Real work[size(LU, 1)];
external "FORTRAN 77" dgetri(n, inv, n, pivots, work, n, info);
end dgetri;
function dgetrs
  input Real LU[:, size(LU, 1)]; input Integer pivots[size(LU, 1)];
  input Real B[size(LU, 1), :]; input String trans;
  output Real X[size(LU, 1), size(B, 2)] = B; output Integer info;
protected
  Integer n = size(LU, 1); Integer m = size(B, 2);
external "FORTRAN 77" dgetrs(trans, n, m, LU, n, pivots, X, n, info);
end dgetrs;
function invert
  input Real A[:, size(A, 1)]; output Real B[size(A, 1), size(A, 1)];
protected
  Real LU[size(A, 1), size(A, 1)]; Integer p[size(A, 1)]; Integer info;
algorithm
  (LU, p, info) := dgetrf(A);
  assert(info == 0, "the matrix is singular: " + String(info));
  B := dgetri(LU, p);
end invert;
function solve
  input Real A[:, size(A, 1)]; input Real b[size(A, 1), :]; input String trans;
  output Real x[size(A, 1), size(b, 2)];
protected
  Real LU[size(A, 1), size(A, 1)]; Integer p[size(A, 1)];
algorithm
  (LU, p) := dgetrf(A);
  x := dgetrs(LU, p, b, trans);
end solve;
"""


def last_of(text):
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1"), 0)
    return {k: float(v) for k, v in list(csv.DictReader(io.StringIO(result.out)))[-1].items()}


def close(got, wanted):
    assert abs(got - wanted) <= 1e-9*max(1, abs(wanted)), (got, wanted)


def test_factors_inverse_and_solution():
    row = last_of(LAPACK + """model M
  parameter Real A[3, 3] = [0, 2, 1; 1, 1, 0; 3, 0, 1];
  Real E[3, 3] = A*invert(A)*time;
  Real C[2, 2] = invert([2 + time, 1; 1, 3]);
  Real R[3, 2] = A*solve(A, [1, 2; 3, 4; 5, 6*time], "N");
  Real S[3, 1] = transpose(A)*solve(A, [1; 3; 5*time], "T");
end M;""")
    for i in range(3):
        for j in range(3):
            close(row[f"E[{i + 1},{j + 1}]"], 1 if i == j else 0)
        close(row[f"R[{i + 1},2]"], 2*i + 2)
        close(row[f"S[{i + 1},1]"], 2*i + 1)
    for name, wanted in (("[1,1]", 3/8), ("[1,2]", -1/8), ("[2,2]", 3/8)):
        close(row["C" + name], wanted)


def test_pivots_are_chosen_with_the_values_of_parameters():
    row = last_of("""function solve
  input Real A[:, size(A, 1)]; input Real b[size(A, 1)]; output Real x[size(A, 1)] = b;
  output Integer info;
protected
  Real Aw[size(A, 1), size(A, 1)] = A; Integer p[size(A, 1)]; Integer n = size(A, 1);
external "FORTRAN 77" dgesv(n, 1, Aw, n, p, x, n, info);
end solve;
model M parameter Real A[2, 2] = [0, 2; 1, 1]; Real x[2] = solve(A, {time, 3}); end M;""")
    close(row["x[1]"], 2.5)
    close(row["x[2]"], 0.5)


def test_a_singular_matrix_is_told():
    err = check_exit(run_text("show", LAPACK + "model M parameter Real B[2, 2] = "
                              "invert([1, 2; 2, 4]); end M;"), 3).err
    contains(err, "singular")


FFT = """function fft
  input Real u[:]; output Integer info; output Real a[div(size(u, 1), 2) + 1];
  output Real p[div(size(u, 1), 2) + 1];
protected
  Real work[3*size(u, 1) + 2*(div(size(u, 1), 2) + 1)];
external "C" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), a, p);
end fft;
"""


def test_a_transform_of_values_at_run_time():
    row = last_of(FFT + """model M
  Real u[6], a[4], p[4];
equation
  u = {sin(k + time) + 0.3*k^2 for k in 0:5};
  (, a, p) = fft(u);
end M;""")
    u = [math.sin(k + 1) + 0.3*k*k for k in range(6)]
    for f in range(4):
        x = sum(u[k]*cmath.exp(-2j*math.pi*f*k/6) for k in range(6))
        close(row[f"a[{f + 1}]"], abs(x)/4)
        if f < 3:  # the last one is on the branch cut
            close(row[f"p[{f + 1}]"], cmath.phase(x))


def test_a_vector_of_odd_length_is_an_error():
    text = FFT + "model M Real a[2]; equation (, a) = fft({1, 2, time}); end M;"
    contains(check_exit(run_text("show", text), 3).err, "even length")


def test_models_write_no_files():
    text = """function write
  input String name; input Real A[:, :]; output Boolean done;
external "C" done = ModelicaIO_writeRealMatrix(name, "A", A, size(A, 1), size(A, 2), 0, "4");
end write;
model M Real x = if write("%s", [1, 2]) then 1 else time; end M;"""
    result = check_exit(run_text("simulate", text % "nowhere.mat", "--stop", "1"), 0)
    contains(result.err, "models write no files")


main(globals())
