"""Matrices: factors and forms by LAPACK where numbers are known at translation,
and on terms or as methods with values at run time where they are not. Each is held to the equations
that define it."""

import csv
import io

from exported import check_same
from harness import check_exit, contains, equal, main, run_text

FUNCTIONS = """function qr
  input Real A[:, :]; output Real Q[size(A, 1), size(A, 2)] = A; output Real R[size(A, 2), size(A, 2)];
  output Integer p[size(A, 2)];
protected
  Real F[size(A, 1), size(A, 2)]; Real tau[size(A, 2)]; Integer info;
algorithm
  (F, tau, p, info) := factors(A);
  R := zeros(size(A, 2), size(A, 2));
  for i in 1:size(A, 2) loop for j in i:size(A, 2) loop R[i, j] := F[i, j]; end for; end for;
  Q := orthogonal(F, tau);
end qr;
function factors
  input Real A[:, :]; output Real F[size(A, 1), size(A, 2)] = A; output Real tau[size(A, 2)];
  output Integer p[size(A, 2)] = zeros(size(A, 2)); output Integer info;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Integer l = 3*n + 1; Real work[l];
external "FORTRAN 77" dgeqp3(m, n, F, m, p, tau, work, l, info);
end factors;
function qrWithoutPivots
  input Real A[:, :]; output Real Q[size(A, 1), size(A, 2)]; output Real R[size(A, 2), size(A, 2)];
protected
  Real F[size(A, 1), size(A, 2)]; Real tau[size(A, 2)];
algorithm
  (F, tau) := factorsInPlace(A);
  R := {{if j >= i then F[i, j] else 0 for j in 1:size(A, 2)} for i in 1:size(A, 2)};
  Q := orthogonal(F, tau);
end qrWithoutPivots;
function factorsInPlace
  input Real A[:, :]; output Real F[size(A, 1), size(A, 2)] = A; output Real tau[size(A, 2)];
  output Integer info; output Real work[3*size(A, 2)];
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Integer l = 3*n;
external "FORTRAN 77" dgeqrf(m, n, F, m, tau, work, l, info);
end factorsInPlace;
function expert
  input Real A[:, size(A, 1)]; input Real B[size(A, 1), :]; input String trans = "N";
  output Real X[size(A, 1), size(B, 2)]; output Integer info; output Real rcond;
protected
  Integer n = size(A, 1); Integer m = size(B, 2); Real F[:, :] = A; Integer p[size(A, 1)];
  String equed = " "; Real r[size(A, 1)]; Real e[size(B, 2)]; Real w[4*size(A, 1)];
external "FORTRAN 77" dgesvx("N", trans, n, m, A, n, F, n, p, equed, r, r, B, n, X, n, rcond, e, e,
  w, p, info);
end expert;
function solution
  input Real A[:, size(A, 1)]; input Real b[size(A, 1)]; output Real x[size(A, 1)] = b;
  output Integer info;
protected
  Integer n = size(A, 1); Real W[:, :] = A; Integer p[size(A, 1)];
external "FORTRAN 77" dgesv(n, 1, W, n, p, x, n, info);
end solution;
function orthogonal
  input Real F[:, :]; input Real tau[:]; output Real Q[size(F, 1), size(F, 2)] = F;
  output Integer info;
protected
  Integer m = size(F, 1); Integer n = size(F, 2); Integer k = size(tau, 1); Real work[n];
external "FORTRAN 77" dorgqr(m, n, k, Q, m, tau, work, n, info);
end orthogonal;
function hessenberg
  input Real A[:, size(A, 1)]; output Real H[size(A, 1), size(A, 1)] = A;
  output Real tau[size(A, 1) - 1]; output Integer info;
protected
  Integer n = size(A, 1); Integer l = 3*n; Real work[l];
external "FORTRAN 77" dgehrd(n, 1, n, H, n, tau, work, l, info);
end hessenberg;
function hessenbergFactor
  input Real H[:, size(H, 1)]; input Real tau[:]; output Real Q[size(H, 1), size(H, 1)] = H;
  output Integer info;
protected
  Integer n = size(H, 1); Integer l = 3*n; Real work[l];
external "FORTRAN 77" dorghr(n, 1, n, Q, n, tau, work, l, info);
end hessenbergFactor;
function eigenOfHessenberg
  input Real A[:, size(A, 1)]; output Real re[size(A, 1)]; output Real im[size(A, 1)];
  output Integer info; output Real H[:, :] = A; output Real Z[:, :] = A;
  output Real work[3*size(A, 1)];
protected
  Integer n = size(A, 1); Integer l = 3*n;
external "FORTRAN 77" dhseqr("E", "N", n, 1, n, H, n, re, im, Z, n, work, l, info);
end eigenOfHessenberg;
function schur
  input Real A[:, size(A, 1)]; output Real T[size(A, 1), size(A, 1)] = A;
  output Real Z[size(A, 1), size(A, 1)]; output Real re[size(A, 1)]; output Real im[size(A, 1)];
  output Integer info;
protected
  Integer n = size(A, 1); Integer s = 0; Integer l = 10*n; Real work[l]; Boolean b[n];
  constant Integer none[1] = {0};
external "FORTRAN 77" dgees("V", "N", none, n, T, n, s, re, im, Z, n, work, l, b, info);
end schur;
function reorder
  input Boolean select[:]; input Real A[:, :]; input Real P[:, :];
  output Real T[:, :] = A; output Real Q[:, :] = P; output Real re[size(A, 1)];
  output Real im[size(A, 1)]; output Integer m; output Real s; output Real sep;
  output Integer info;
protected
  Integer n = size(A, 1); Real work[n]; Integer iwork[1];
external "FORTRAN 77" dtrsen("N", "V", select, n, T, n, Q, n, re, im, m, s, sep, work, n, iwork, 1,
  info);
end reorder;
function sylvester
  input Real A[:, :]; input Real B[:, :]; input Real C[:, :];
  output Real X[size(C, 1), size(C, 2)] = C; output Real scale; output Integer info;
protected
  Integer m = size(A, 1); Integer n = size(B, 1);
external "FORTRAN 77" dtrsyl("N", "N", 1, m, n, A, m, B, n, X, m, scale, info);
end sylvester;
function constrained
  input Real A[:, :]; input Real c[size(A, 1)]; input Real B[:, size(A, 2)];
  input Real d[size(B, 1)]; output Real x[size(A, 2)]; output Integer info;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Integer p = size(B, 1); Integer l = 50;
  Real a[size(A, 1), size(A, 2)] = A; Real b[size(B, 1), size(A, 2)] = B;
  Real u[size(A, 1)] = c; Real v[size(B, 1)] = d; Real work[50];
external "FORTRAN 77" dgglse(m, n, p, a, m, b, p, u, v, x, work, l, info);
end constrained;
function condition
  input Real LU[:, :]; input Real norm; output Real rcond; output Integer info;
protected
  Integer n = size(LU, 1); Real work[4*n]; Integer iwork[n];
external "FORTRAN 77" dgecon("1", n, LU, n, norm, rcond, work, iwork, info);
end condition;
function least
  input Real A[:, :]; input Real b[size(A, 1)]; output Real x[size(A, 2)]; output Integer rank;
protected
  Real X[max(size(A, 1), size(A, 2))] = cat(1, b, zeros(max(size(A, 1), size(A, 2)) - size(A, 1)));
  Integer info;
algorithm
  (X, info, rank) := leastFull(A, X);
  x := X[1:size(A, 2)];
end least;
function leastFull
  input Real A[:, :]; input Real b[:]; output Real X[size(b, 1)] = b; output Integer info;
  output Integer rank;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Real a[size(A, 1), size(A, 2)] = A;
  Integer p[size(A, 2)] = zeros(size(A, 2)); Integer k = size(b, 1); Real work[100];
external "FORTRAN 77" dgelsy(m, n, 1, a, m, X, k, p, 0.0, rank, work, 100, info);
end leastFull;
function cholesky
  input Real A[:, size(A, 1)]; input Boolean upper = true; output Real C[size(A, 1), size(A, 1)] = A;
  output Integer info;
protected
  Integer n = size(A, 1); String part = if upper then "U" else "L";
external "FORTRAN 77" dpotrf(part, n, C, n, info);
end cholesky;
function norm
  input Real A[:, :]; input String kind; output Real y;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Real work[m];
external "FORTRAN 77" y = dlange(kind, m, n, A, m, work);
end norm;
function eigen
  input Real A[:, size(A, 1)]; output Real re[size(A, 1)]; output Real im[size(A, 1)];
  output Real V[size(A, 1), size(A, 1)]; output Integer info;
protected
  Integer n = size(A, 1); Integer l = 12*n; Real work[l]; Real W[size(A, 1), size(A, 1)] = A;
  Real none[1, size(A, 1)];
external "FORTRAN 77" dgeev("N", "V", n, W, n, re, im, none, 1, V, n, work, l, info);
end eigen;
function singular
  input Real A[:, :];
  output Real s[min(size(A, 1), size(A, 2))]; output Real U[size(A, 1), size(A, 1)];
  output Real VT[size(A, 2), size(A, 2)]; output Integer info;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Integer l = 200; Real work[l];
  Real W[size(A, 1), size(A, 2)] = A;
external "FORTRAN 77" dgesvd("A", "A", m, n, W, m, s, U, m, VT, n, work, l, info);
end singular;
"""


def last_of(text, *options):
    result = check_exit(run_text("simulate", FUNCTIONS + text, "--stop", "1", "--intervals", "1",
                                 *options), 0)
    row = list(csv.DictReader(io.StringIO(result.out)))[-1]
    return {name: float(value) for name, value in row.items()}


def vanishes(row, *names):
    for name, value in row.items():
        if name.split("[")[0] in names:
            assert abs(value) < 1e-12, (name, value)


def test_orthogonal_factors():
    row = last_of("""model M
  parameter Real A[3, 2] = [1, 2; 3, 4; 5, 7];
  Real Q[3, 2], R[2, 2], z[3, 2], e[2, 2]; Integer p[2];
equation
  (Q, R, p) = qr(A);
  z = A[:, {2, 1}] - Q*R;
  e = transpose(Q)*Q - identity(2);
end M;""")
    vanishes(row, "z", "e")
    assert [row["p[1]"], row["p[2]"]] == [2, 1], row  # the longest column first


def test_orthogonal_factors_without_pivots():
    text = """model M
  Real A[3, 2] = [1, 2; 3, 4 + time; 5, 7];
  Real Q[3, 2], R[2, 2], z[3, 2], e[2, 2];
  constant Real Q1[:, :] = qrWithoutPivots([1, 2; 3, 4; 5, 7]);
  Real d = Q1[:, 1]*Q1[:, 2] + Q1[1, 1]*sqrt(35) + 1;
equation
  (Q, R) = qrWithoutPivots(A);
  z = A - Q*R;
  e = transpose(Q)*Q - identity(2);
end M;"""
    row = last_of(text)
    vanishes(row, "z", "e", "d")
    assert last_of(text, "--native") == row
    check_same(FUNCTIONS + text, "0.05", "1", methods=("bdf3",))


def test_expert_solution_and_its_condition():
    row = last_of("""model M
  Real A[2, 2] = [1 + time, 2; 3, 14], B[2, 1] = [1; time];
  Real X[2, 1], Y[2, 1], z[2, 1], e[2, 1], r, s, d; Integer info, wrong;
equation
  (X, info, r) = expert(A, B);
  (Y, , s) = expert(A, B, "T");
  z = A*X - B;
  e = transpose(A)*Y - B;
  d = expert([1, 2; 3, 4], [1; 0])*{1} * {1, 1} + 0.5;
  (, wrong) = expert([1, 2; 2, 4], [1; 0]);
end M;""")
    vanishes(row, "z", "e", "d")
    equal((row["info"], row["wrong"]), (0, 1))
    assert abs(row["r"] - 22/(16*17)) < 1e-12, row  # columns 5, 16; of the inverse 17/22, 4/22
    assert abs(row["s"] - 22/(17*16)) < 1e-12, row


def test_linear_equations_with_more_than_fifty_rows():
    text = """model M
  Real A[60, 60] = {{if i == j then 3 + time else if abs(i - j) == 1 then -1 else 0 for j in 1:60}
                    for i in 1:60};
  Real x[60], z[60];
equation
  x = solution(A, fill(1, 60));
  z = A*x - fill(1, 60);
end M;"""
    row = last_of(text)
    vanishes(row, "z")


def test_hessenberg_and_schur_forms():
    row = last_of("""model M
  parameter Real A[3, 3] = [1, 2, 3; 4, 5, 6; 7, 8, 10];
  Real K[3, 3], Q[3, 3], T[3, 3], Z[3, 3], re[3], im[3], s[3], z[3, 3], y[3, 3], f[3];
  function all
    input Real A[3, 3]; output Real K[3, 3]; output Real Q[3, 3]; output Real s[3]; output Real f[3];
  protected
    Real H[3, 3]; Real t[2];
  algorithm
    (H, t) := hessenberg(A);
    Q := hessenbergFactor(H, t);
    K := H;
    K[3, 1] := 0;
    (s, f) := eigenOfHessenberg(K);
  end all;
equation
  (K, Q, s, f) = all(A);
  z = A - Q*K*transpose(Q);
  (T, Z, re, im) = schur(A);
  y = A - Z*T*transpose(Z);
end M;""")
    vanishes(row, "z", "y", "im", "f")
    values = sorted(row[f"s[{k}]"] for k in (1, 2, 3))
    for a, b in zip(values, sorted(row[f"re[{k}]"] for k in (1, 2, 3))):
        assert abs(a - b) < 1e-12
    assert abs(sum(values) - 16) < 1e-12 and abs(values[0]*values[1]*values[2] + 3) < 1e-12


def test_a_schur_form_in_another_order():
    row = last_of("""model M
  parameter Real A[2, 2] = [1, 5; 0, 2];
  Real T[2, 2], Q[2, 2], re[2], im[2], z[2, 2]; Integer m;
equation
  (T, Q, re, im, m) = reorder({false, true}, A, identity(2));
  z = A - Q*T*transpose(Q);
end M;""")
    vanishes(row, "z", "im")
    assert abs(row["re[1]"] - 2) < 1e-14 and abs(row["re[2]"] - 1) < 1e-14 and row["m"] == 1, row


def test_equations_of_matrices():
    row = last_of("""model M
  parameter Real A[2, 2] = [1, 2; 0, 3]; parameter Real B[2, 2] = [4, 1; 0, 5];
  Real X[2, 2], s, z[2, 2], x[2], r;
equation
  (X, s) = sylvester(A, B, [1, 2; 3, 4]);
  z = A*X + X*B - s*[1, 2; 3, 4];
  x = constrained([1, 1; 1, 2; 1, 3], {1, 2, 2}, [1, 1], {3});
  r = condition([4, 1; 0.25, 2.75], 5);
end M;""")
    vanishes(row, "z")
    assert abs(row["x[1]"] - 3.6) < 1e-12 and abs(row["x[2]"] + 0.6) < 1e-12, row
    assert abs(row["r"] - 1/(5*5/11)) < 1e-12, row


def test_least_squares_at_run_time():
    """At time 1 the values are those of numbers."""
    row = last_of("""model M
  Real x[2], y[3], u[2], v[3], d[2]; Integer rank;
equation
  (x, rank) = least([1, 1; 1, 2; 1, 3*time], {1, 2, 2});
  u = least([1, 1; 1, 2; 1, 3], {1, 2, 2});
  y = least([1, 2, time; 0, 1, 1], {1, time});
  v = least([1, 2, 1; 0, 1, 1], {1, 1});
  d = der(x);
end M;""")
    for a, b, n in (("x", "u", 2), ("y", "v", 3)):
        for k in range(1, n + 1):
            assert abs(row[f"{a}[{k}]"] - row[f"{b}[{k}]"]) < 1e-12, row
    # the slope is t/(2 - 6 t + 6 t^2), the other one (5 - 3 (1 + t) slope)/3
    assert abs(row["d[1]"] - 1.5) < 1e-9 and abs(row["d[2]"] + 1) < 1e-9, row
    assert row["rank"] == 2
    err = check_exit(run_text("show", FUNCTIONS + "model M Real x[2] = least([time, time; 1, 1; 2, 2], "
                              "{1, 2, 2}); end M;"), 3).err
    contains(err, "dgelsy: the matrix is singular")


RUN_TIME = """model M
  Real x(start = 2, fixed = true);
  Real A[3, 3] = [x, 1, 2; -3, x*x, 1; 0.5, -1, 3*x];
  Real re[3], im[3], V[3, 3], pair[3], s[2], U[3, 3], VT[2, 2], z[3, 2], Q[3, 3], R[3, 3];
  Real q[3, 3], e[3, 3], T[3, 3], Z[3, 3], y[3, 3], c[2], X[2, 2], w[2, 2], r;
  function ordered
    input Real A[3, 3]; output Real Q[3, 3]; output Real R[3, 3]; output Real B[3, 3];
  protected
    Integer p[3];
  algorithm
    (Q, R, p) := qr(A);
    B := A[:, p];
  end ordered;
  Real B[3, 3];
equation
  der(x) = -x/2;
  (re, im, V) = eigen(A);
  pair = A*V[:, 1] - re[1]*V[:, 1] + im[1]*V[:, 2]; // a complex pair stands first
  (s, U, VT) = singular([x, 1; 2, x; x*x, 1]);
  z = U[:, 1:2]*diagonal(s)*VT - [x, 1; 2, x; x*x, 1];
  (Q, R, B) = ordered(A);
  q = Q*R - B;
  e = transpose(Q)*Q - identity(3);
  (T, Z) = schur(A);
  y = A - Z*T*transpose(Z);
  c = constrained([1, 1; 1, 2; 1, 3*time], {1, 2, 2}, [1, 1], {3});
  X = sylvester([x, 1; 0, 3], [2, x; 0, 1], [1, 2; x, 4]);
  w = [x, 1; 0, 3]*X + X*[2, x; 0, 1] - [1, 2; x, 4];
  r = condition([4, 1; 0.25, 2.75]*(1 + 0*x), 5*exp(x - x));
end M;"""


def test_methods_of_lapack_at_run_time():
    row = last_of(RUN_TIME)
    vanishes(row, "pair", "z", "q", "e", "y", "w")
    assert row["im[1]"] > 1 and row["im[2]"] == -row["im[1]"] and row["im[3]"] == 0, row
    assert abs(row["c[1]"] - 3.6) < 1e-12 and abs(row["c[2]"] + 0.6) < 1e-12, row
    assert abs(row["r"] - 1/(5*5/11)) < 1e-12, row
    assert last_of(RUN_TIME, "--native") == row


def test_methods_at_run_time_read_back_and_as_c():
    text = FUNCTIONS + RUN_TIME
    shown = check_exit(run_text("show", text), 0).out
    contains(shown, 'method = "dgeev 3 1 0 0 0 0 16"')
    equal(check_exit(run_text("show", shown), 0).out, shown)
    options = ("--stop", "1", "--intervals", "3")
    equal(check_exit(run_text("simulate", shown, *options), 0).out,
          check_exit(run_text("simulate", text, *options), 0).out)
    # a text that says another size than it has inputs for is a function without values
    wrong = shown.replace('method = "dgeev 3 1', 'method = "dgeev 9 1')
    contains(check_exit(run_text("simulate", wrong), 3).err, "it has no values")
    check_same(text, "0.05", "1", methods=("bdf3",))


def test_derivatives_of_eigenvalues_and_singular_values():
    """An index of 3 needs the second derivative; x follows from the eigenvalue, or s from x."""
    row = last_of("""model M
  Real x(start = 2), u, w, re[2], im[2], l = 4 + 0.1*sin(time), xr = (l^2 - 3*l - 2)/(l - 3);
  Real ur = der(xr), wr = der(ur), s[2], s1[2], s2[2], t[2], t1[2], t2[2];
  Real a = sqrt((x*x + 4)^2 + 0*x), X[2, 2], X1[2, 2], C[2], C1[2];
equation
  (re, im) = eigen([x, 1; 2, 3]);
  re[2] = l;
  der(x) = u;
  der(u) = w;
  s = singular([x, 2; -2, x + 1]);
  s1 = der(s);
  s2 = der(s1);
  // by hand: s1 + s2 and s1*s2 are known for 2 x 2
  t = {(sqrt((2*x + 1)^2 + 16) + 1)/2, (sqrt((2*x + 1)^2 + 16) - 1)/2};
  t1 = der(t);
  t2 = der(t1);
  X = sylvester([x, 1; 0, 3], [2, x; 0, 1], [1, 2; x, 4]);
  X1 = der(X);
  C = constrained([x, 1; 2, x; 1, 1], {1, x, 3}, [1, x*x], {2 + x});
  C1 = der(C);
end M;""")
    for a, b in (("x", "xr"), ("u", "ur"), ("w", "wr"), ("s[1]", "t[1]"), ("s[2]", "t[2]"),
                 ("s1[1]", "t1[1]"), ("s2[1]", "t2[1]"), ("s2[2]", "t2[2]")):
        assert abs(row[a] - row[b]) < 1e-8, (a, row[a], row[b])


def test_derivatives_that_lapack_does_not_give():
    """Signs of vectors jump, conditions are estimated: an error where the structure needs them."""
    for equations, name in (("(s, U) = singular([x, 1; 2, x]); D = der(U);", "dgesvd"),
                            ("(s, r, U) = eigen([x, 1; 2, x]); D = der(U);", "dgeev"),
                            ("r[1] = condition([4, 1; x, 2], 5); D = der(r[1])*identity(2); "
                             "r[2] = 0; s = r; U = identity(2);", "dgecon")):
        text = FUNCTIONS + ("model M Real x(start = 1, fixed = true), s[2], r[2], U[2, 2], "
                            "D[2, 2]; equation der(x) = -x; " + equations +
                            (" r = {0, 0};" if name == "dgesvd" else "") + " end M;")
        err = check_exit(run_text("reduce", text), 3).err
        contains(err, f"the derivative of function '{name}' is needed and cannot be had")
        contains(err, "what it gives here may jump")
        contains(err, "has to be differentiated 1 time")


def test_cholesky_factors_and_norms_at_run_time():
    row = last_of("""model M
  Real A[2, 2] = [4, 1 + time; 1 + time, 9*time]; Real U[2, 2], L[2, 2], z[2, 2], y[2, 2], n[4];
equation
  U = cholesky(A);
  L = cholesky(A, false);
  z = transpose([U[1, 1], U[1, 2]; 0, U[2, 2]])*[U[1, 1], U[1, 2]; 0, U[2, 2]] - A;
  y = [L[1, 1], 0; L[2, 1], L[2, 2]]*transpose([L[1, 1], 0; L[2, 1], L[2, 2]]) - A;
  n = {norm(A, "1"), norm([time, -5; 1, 1], "I"), norm(A, "M"), norm([3*time, 0; 0, 4], "F")};
end M;""", "--start", "0.5")
    vanishes(row, "z", "y")
    assert [row[f"n[{k}]"] for k in (1, 2, 3, 4)] == [11, 6, 9, 5], row


def test_matrices_without_elements():
    text = """function solve
  input Real A[:, size(A, 1)]; input Real B[size(A, 1), :]; output Real X[size(A, 1), size(B, 2)] = B;
  output Integer info;
protected
  Integer n = size(A, 1); Integer m = size(B, 2); Real W[n, n] = A; Integer p[n];
external "FORTRAN 77" dgesv(n, m, W, n, p, X, n, info);
end solve;
function norm
  input Real A[:, :]; output Real r;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Real work[2*m];
external "FORTRAN 77" r = dlange("F", m, n, A, m, work);
end norm;
function sylvester
  input Real A[:, :]; input Real B[:, :]; input Real C[size(A, 1), size(B, 2)];
  output Real X[size(A, 1), size(B, 2)] = C; output Real scale; output Integer info;
protected
  Integer m = size(A, 1); Integer n = size(B, 1);
external "FORTRAN 77" dtrsyl("N", "N", 1, m, n, A, m, B, n, X, m, scale, info);
end sylvester;
model M
  Real X[0, 2], Y[0, 0], r, scale; Integer info, also;
equation
  (X, info) = solve(fill(time, 0, 0), zeros(0, 2));
  r = norm(zeros(0, 3)) + time;
  (Y, scale, also) = sylvester(zeros(0, 0), zeros(0, 0), zeros(0, 0));
end M;
"""
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1"), 0)
    equal(list(csv.reader(io.StringIO(result.out))),
          [["time", "r", "scale", "info", "also"], ["0", "0", "1", "0", "0"],
           ["1", "1", "1", "0", "0"]])
    wrong = text.replace("zeros(0, 2));", "zeros(1, 2));")
    assert check_exit(run_text("simulate", wrong), 3).err.count("error") == 1


main(globals())
