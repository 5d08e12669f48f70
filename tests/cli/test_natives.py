"""Native functions for linear equations and Fourier transforms, against plain Python."""

import os
import cmath
import csv
import io
import math
import struct

from harness import check_exit, contains, equal, main, run_text, scratch

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


def check_transform(n):
    """In two stages of p and n/p sums: amplitudes and phases of all frequencies."""
    m = n//2 + 1
    row = last_of(FFT + f"""model M
  Real u[{n}], a[{m}], p[{m}];
equation
  u = {{sin(0.7*k*k + time) + 0.3*k for k in 0:{n - 1}}};
  (, a, p) = fft(u);
end M;""")
    u = [math.sin(0.7*k*k + 1) + 0.3*k for k in range(n)]
    for f in range(m):
        x = sum(u[k]*cmath.exp(-2j*math.pi*f*k/n) for k in range(n))
        close(row[f"a[{f + 1}]"], abs(x)/m)
        if f < m - 1:
            close(row[f"p[{f + 1}]"], cmath.phase(x))


def test_long_transforms():
    check_transform(72)   # 8 * 9
    check_transform(90)   # 9 * 10
    check_transform(74)   # 2 * 37


def test_a_transform_in_a_when_clause():
    text = FFT + """model M
  discrete Real a[4](each start = 7, each fixed = true);
  Real u[6]; Integer info(start = 0, fixed = true);
equation
  u = {sin(k + time) + 0.3*k^2 for k in 0:5};
algorithm
  when time > 0.5 then
    (info, a) := fft(u);
  end when;
end M;"""
    row = last_of(text)
    u = [math.sin(k + 0.5) + 0.3*k*k for k in range(6)]
    for f in range(4):
        x = sum(u[k]*cmath.exp(-2j*math.pi*f*k/6) for k in range(6))
        close(row[f"a[{f + 1}]"], abs(x)/4)
    before = last_of(text.replace("time > 0.5", "time > 1.5"))
    for f in range(4):
        close(before[f"a[{f + 1}]"], 7)


def test_a_vector_of_odd_length_is_an_error():
    text = FFT + "model M Real a[2]; equation (, a) = fft({1, 2, time}); end M;"
    contains(check_exit(run_text("show", text), 3).err, "even length")


MATRICES = """function eigen
  input Real A[:, size(A, 1)]; output Real re[size(A, 1)]; output Real im[size(A, 1)];
  output Real V[size(A, 1), size(A, 1)]; output Integer info;
protected
  Integer n = size(A, 1); Integer lwork = 12*n; Real W[size(A, 1), size(A, 1)] = A;
  Real work[12*size(A, 1)]; Real dummy[1, 1]; Integer one = 1;
external "FORTRAN 77" dgeev("N", "V", n, W, n, re, im, dummy, one, V, n, work, lwork, info);
end eigen;
function svd
  input Real A[:, :]; output Real s[min(size(A, 1), size(A, 2))];
  output Real U[size(A, 1), size(A, 1)]; output Real VT[size(A, 2), size(A, 2)];
  output Integer info;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Integer lwork = 100;
  Real W[size(A, 1), size(A, 2)] = A; Real work[100];
external "FORTRAN 77" dgesvd("A", "A", m, n, W, m, s, U, m, VT, n, work, lwork, info);
end svd;
function least
  input Real A[:, :]; input Real b[size(A, 1)]; output Real x[size(A, 1)] = b; output Integer info;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Integer one = 1; Integer lwork = 100;
  Real W[size(A, 1), size(A, 2)] = A; Real work[100];
external "FORTRAN 77" dgels("N", m, n, one, W, m, x, m, work, lwork, info);
end least;
function cholesky
  input Real A[:, size(A, 1)]; output Real R[size(A, 1), size(A, 1)] = A; output Integer info;
protected
  Integer n = size(A, 1);
external "FORTRAN 77" dpotrf("U", n, R, n, info);
end cholesky;
function norm
  input Real A[:, :]; input String kind; output Real y;
protected
  Integer m = size(A, 1); Integer n = size(A, 2); Real work[size(A, 1)];
external "FORTRAN 77" y = dlange(kind, m, n, A, m, work);
end norm;
function tridiagonal
  input Real u[:]; input Real d[:]; input Real l[:]; input Real b[size(d, 1)];
  output Real x[size(d, 1)] = b; output Integer info;
protected
  Integer n = size(d, 1); Integer one = 1; Real lw[size(l, 1)] = l; Real dw[size(d, 1)] = d;
  Real uw[size(u, 1)] = u;
external "FORTRAN 77" dgtsv(n, one, lw, dw, uw, x, n, info);
end tridiagonal;
function band
  input Integer n; input Integer kl; input Integer ku; input Real A[2*kl + ku + 1, n];
  input Real b[n]; output Real x[n] = b; output Integer info;
protected
  Integer one = 1; Integer ld = size(A, 1); Real W[size(A, 1), size(A, 2)] = A; Integer p[n];
external "FORTRAN 77" dgbsv(n, kl, ku, one, W, ld, p, x, n, info);
end band;
"""


def test_eigenvalues_singular_values_and_least_squares():
    row = last_of(MATRICES + """model M
  parameter Real A[3, 3] = [1, 2, 3; 3, 4, 5; 2, 1, 4]; parameter Real R[2, 2] = [3, -2; 2, 3];
  Real e[3]; Real f[3]; Real V[3, 3]; Real z[3, 3]; Real r[2]; Real i[2]; Real s[2]; Real U[3, 3];
  Real VT[2, 2]; Real w[3, 2]; Real x[3]; Real C[2, 2]; Real n; Real k; Integer info;
equation
  (e, f, V) = eigen(A); z = A*V - V*diagonal(e); (r, i) = eigen(R);
  (s, U, VT) = svd([1, 2; 3, 4; 5, 6.5]); w = U*[s[1], 0; 0, s[2]; 0, 0]*VT - [1, 2; 3, 4; 5, 6.5];
  x = least([1, 1; 1, 2; 1, 3], {1, 2, 2});
  (C, info) = cholesky([4, 2; 2, 5]); n = norm(A, "I"); k = norm(A, "F");
end M;""")
    golden = (1 + math.sqrt(5))/2
    values = sorted(row[f"e[{k}]"] for k in (1, 2, 3))
    assert all(abs(a - b) < 1e-12 for a, b in zip(values, (1 - golden, golden, 8))), values
    assert all(abs(row[f"{m}[{a},{b}]"]) < 1e-12 for m in "zw" for a in (1, 2, 3)
               for b in ((1, 2, 3) if m == "z" else (1, 2))), row
    assert [row[f"r[{k}]"] for k in (1, 2)] == [3, 3], row
    assert abs(abs(row["i[1]"]) - 2) < 1e-14 and row["i[2]"] == -row["i[1]"], row
    assert abs(row["s[1]"]**2 + row["s[2]"]**2 - (1 + 4 + 9 + 16 + 25 + 42.25)) < 1e-12, row
    assert abs(row["x[1]"] - 2/3) < 1e-14 and abs(row["x[2]"] - 0.5) < 1e-14, row
    assert [row[f"C[{k}]"] for k in ("1,1", "1,2", "2,2")] == [2, 1, 2], row
    assert row["info"] == 0 and row["n"] == 12 and abs(row["k"] - math.sqrt(85)) < 1e-14, row


def test_systems_with_a_band_at_run_time():
    row = last_of(MATRICES + """model M
  Real x[3] = tridiagonal({1, 1}, {4 + time, 4, 4}, {1, 2}, {1, 2, 3});
  Real y[3] = band(3, 1, 1, [0, 0, 0; 0, 1, 1; 4 + time, 4, 4; 1, 2, 0], {1, 2, 3});
end M;""")
    for name in "xy":
        a, b, c = (row[f"{name}[{k}]"] for k in (1, 2, 3))
        for left, right in ((5*a + b, 1), (a + 4*b + c, 2), (2*b + 4*c, 3)):
            assert abs(left - right) < 1e-14, row


def test_matrices_of_other_sizes_than_the_function_says():
    text = MATRICES.replace("Real W[size(A, 1), size(A, 1)] = A",
                            "Real W[2, 3] = [1, 2, 3; 4, 5, 6]")
    text += "model M Real e[2]; equation e = eigen([1, 1; 1, 2]); end M;"
    err = check_exit(run_text("show", text), 3).err
    contains(err, "the sizes of the matrices do not fit")


SCAN = """function scan
  input String s; input Integer start = 1; input Boolean unsigned = false;
  output Integer next; output Integer number;
external "C" ModelicaStrings_scanInteger(s, start, unsigned, next, number);
end scan;
model M
  Integer n[4], k[4];
equation
  (n[1], k[1]) = scan("a  -25 b", 2);
  (n[2], k[2]) = scan("2.3 // no Integer");
  (n[3], k[3]) = scan("7e2");
  (n[4], k[4]) = scan("+7*2", 1, true);
end M;
"""


def test_the_beginning_of_a_real_is_no_integer():
    out = check_exit(run_text("simulate", SCAN, "--stop", "1"), 0).out.splitlines()
    values = dict(zip(*list(csv.reader(out))[:2]))
    assert [values[f"n[{i}]"] for i in range(1, 5)] == ["7", "1", "1", "1"]
    assert [values[f"k[{i}]"] for i in range(1, 5)] == ["-25", "0", "0", "0"]


FILES = """function write
  input String name; input String what; input Real A[:, :]; input Integer more;
  input String version = "4"; output Boolean done;
external "C" done = ModelicaIO_writeRealMatrix(name, what, A, size(A, 1), size(A, 2), more,
                                               version);
end write;
function mkdir input String name; external "C" ModelicaInternal_mkdir(name); end mkdir;
function rmdir input String name; external "C" ModelicaInternal_rmdir(name); end rmdir;
function remove input String name; external "C" ModelicaInternal_removeFile(name); end remove;
function copy
  input String a; input String b;
external "C" ModelicaInternal_copyFile(a, b);
end copy;
function rename
  input String a; input String b;
external "C" ModelicaInternal_rename(a, b);
end rename;
"""

WRITES = FILES + """model M
  parameter String dir = "DIR";
  Real z(start = 1, fixed = true);
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
equation
  der(z) = -z;
algorithm
  when initial() then
    mkdir(dir + "/sub");
    a := write(dir + "/sub/z.mat", "old", [1, 2, 3], 0);
    a := write(dir + "/sub/z.mat", "z", [7], 1);
    copy(dir + "/sub/z.mat", dir + "/first.mat");
  end when;
  when sample(0.5, 0.5) then
    b := write(dir + "/sub/z.mat", "z", [z, time; 1, 2], 1);
    b := write(dir + "/six.mat", "z", [z, time; 1, 2], 0, "6");
  end when;
  when terminal() then
    rename(dir + "/sub/z.mat", dir + "/last.mat");
    rmdir(dir + "/sub");
  end when;
end M;"""


def level_4(path):
    with open(path, "rb") as file:
        data = file.read()
    found = {}
    while data:
        kind, rows, columns, imaginary, length = struct.unpack("<5i", data[:20])
        assert (kind, imaginary) == (0, 0)
        name = data[20:20 + length - 1].decode()
        end = 20 + length + 8*rows*columns
        values = struct.unpack(f"<{rows*columns}d", data[20 + length:end])
        assert name not in found
        found[name] = [values[i::rows] for i in range(rows)]
        data = data[end:]
    return found


def test_a_matrix_is_written_when_it_happens():
    with scratch() as folder:
        text = WRITES.replace("DIR", folder)
        for command in ("show", "analyze", "check-init"):  # only a run acts
            check_exit(run_text(command, text), 0)
            equal(os.listdir(folder), [])
        check_exit(run_text("simulate", text, "--stop", "1", "--tol", "1e-9"), 0)
        equal(sorted(os.listdir(folder)), ["first.mat", "last.mat", "six.mat"])
        equal(level_4(f"{folder}/first.mat"), {"old": [(1, 2, 3)], "z": [(7,)]})
        last = level_4(f"{folder}/last.mat")
        equal(last["old"], [(1, 2, 3)])
        assert abs(last["z"][0][0] - math.exp(-1)) < 1e-8 and last["z"][0][1] == 1
        equal(last["z"][1], (1, 2))
        with open(f"{folder}/six.mat", "rb") as file:
            six = file.read()
        assert len(six) % 8 == 0 and six[124:128] == b"\0\1IM"
        equal(struct.unpack("<4d", six[-32:]), tuple(v for c in zip(*last["z"]) for v in c))


def contents(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}", "rb") as file:
            found[name] = file.read()
    return found


def test_what_changes_files_does_so_after_show():
    with scratch() as folder:
        text = WRITES.replace("DIR", folder).replace("b := write(dir + \"/six.mat\"", """
    say("z = " + String(z) + " \\"at\\" " + String(time), dir + "/said.txt");
    if z < 0.5 then remove(dir + "/first.mat"); end if;
    b := write(dir + "/six.mat\"""")
        text = ("function say input String s; input String f; external \"C\" "
                "ModelicaInternal_print(s, f); end say;\n" + text)
        shown = check_exit(run_text("show", text), 0).out
        contains(shown, f"'$print'(\"{folder}/said.txt\", \"z = \" + String(z) + ")
        equal(check_exit(run_text("show", shown), 0).out, shown)
        written = []
        for model in (text, shown):
            check_exit(run_text("simulate", model, "--stop", "1"), 0)
            written.append(contents(folder))
            for name in os.listdir(folder):
                os.remove(f"{folder}/{name}")
        equal(sorted(written[0]), ["last.mat", "said.txt", "six.mat"])
        equal(written[0]["said.txt"].decode().splitlines()[0][:14], 'z = 0.606531 "')
        equal(written[0], written[1])


def test_what_cannot_be_written_ends_the_run():
    text = FILES + "model M Real x = if write(\"%s\", \"A\", [1, 2], 1) then 1 else 2; end M;"
    with scratch() as folder:
        wrong = check_exit(run_text("simulate", text % f"{folder}/no/a.mat", "--stop", "1"), 5)
        contains(wrong.err, "the model cannot write")
        other = f"{folder}/other.mat"
        with open(other, "wb") as file:
            file.write(b"no matrix")
        wrong = check_exit(run_text("simulate", text % other, "--stop", "1"), 5)
        contains(wrong.err, "no MATLAB file of version 4")
        with open(other, "rb") as file:
            equal(file.read(), b"no matrix")
        contains(check_exit(run_text("simulate", FILES + """model M
  parameter Boolean b = write("a.mat", "A", [1], 0); end M;"""), 3).err,
                 "cannot depend on what a run writes")


READ_FILE = """function countLines
  input String n; output Integer k;
external "C" k = ModelicaInternal_countLines(n);
end countLines;
function readFile
  input String n; output String s[countLines(n)];
external "C" ModelicaInternal_readFile(n, s, size(s, 1));
end readFile;
function len input String n; output Integer k;
external "C" k = ModelicaStrings_length(n);
end len;
model M
  parameter String s[:] = readFile("FILE"); String r[:] = readFile("FILE");
  Real x = 100*size(s, 1) + 10*len(s[2]) + size(r, 1);
end M;"""


def test_the_lines_of_a_file_are_an_array():
    with scratch() as folder:
        with open(f"{folder}/lines", "w", encoding="utf-8") as file:
            file.write("a\nfive5\n\nd\n")
        out = check_exit(run_text("simulate", READ_FILE.replace("FILE", f"{folder}/lines"),
                                  "--intervals", "1"), 0).out
        contains(out, "\n0,454\n")


def test_comprehensions_over_nothing_have_the_type_and_size_of_their_elements():
    out = check_exit(run_text("simulate", """model M
  Real a[2] = sum({i*1.0, 2.0} for i in 1:0); Real p = product(i for i in 1:0);
  Integer n = sum(i for i in 1:0); Boolean b = max(x for x in fill(true, 0));
  Real q = size({{i, 2, 3} for i in 1:0}, 2);
end M;""", "--intervals", "1"), 0).out.splitlines()
    equal(out[:2], ['"time","a[1]","a[2]","p","q","n","b"', "0,0,0,1,3,0,0"])


PRINT = """function say
  input String text; input String file = "";
external "C" ModelicaInternal_print(text, file);
end say;
function logged
  input Real x; input String file; output Real y;
algorithm
  say("called with " + String(x), file);
  y := 2*x;
end logged;
model M
  parameter String file = "FILE"; parameter Real k = logged(0.5, file);
  Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true);
equation
  der(x) = -k*x;
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
    if x < 0.7 then
      say("tick " + String(n) + " at " + String(x, significantDigits = 4));
      say("tick " + String(n), file);
    end if;
  end when;
end M;"""


def test_what_models_print_is_said_when_it_happens():
    with scratch() as folder:
        file = f"{folder}/log.txt"
        text = PRINT.replace("FILE", file)
        for command in ("show", "analyze", "check-init"):  # only a run acts
            check_exit(run_text(command, text), 0)
            assert not os.path.exists(file)
        err = check_exit(run_text("simulate", text, "--stop", "0.9"), 0).err
        contains(err, "note: tick 2 at 0.6065\ndaetool: note: tick 3 at 0.4724\n")
        with open(file, encoding="utf-8") as log:
            equal(log.read(), "called with 0.5\ntick 2\ntick 3\n")
        wrong = PRINT.replace("FILE", f"{folder}/none/log.txt")
        contains(check_exit(run_text("simulate", wrong, "--stop", "0.9"), 5).err,
                 "the model cannot write")



SYSTEM = """function count
  input String folder; output Integer n;
external "C" n = ModelicaInternal_getNumberOfFiles(folder);
end count;
function list
  input String folder; input Integer n; output String names[n];
external "C" ModelicaInternal_readDirectory(folder, n, names);
end list;
impure function now
  output Integer ms; output Integer s; output Integer min; output Integer h; output Integer d;
  output Integer mon; output Integer y;
external "C" ModelicaInternal_getTime(ms, s, min, h, d, mon, y);
end now;
impure function pid
  output Integer n;
external "C" n = ModelicaInternal_getpid();
end pid;
impure function seed
  output Integer n;
external "C" n = ModelicaRandom_automaticGlobalSeed(0.0);
end seed;
impure function fresh
  output String name;
external "C" name = ModelicaInternal_temporaryFileName();
end fresh;
"""


def test_the_operating_system():
    with scratch() as folder:
        for name in ("b", "a", "c"):
            open(os.path.join(folder, name), "w", encoding="utf-8").close()
        text = SYSTEM + f"""model M
  parameter Integer n = count("{folder}"); parameter String names[n] = list("{folder}", n);
  parameter Integer p = pid(), q = seed(); parameter String f = fresh(), g = fresh();
  parameter Integer t[7](each fixed = false); Real x = time;
initial algorithm
  (t[1], t[2], t[3], t[4], t[5], t[6], t[7]) := now();
end M;"""
        shown = check_exit(run_text("show", text), 0).out
        for line in ("Integer n = 3;", 'names[1] = "a";', 'names[2] = "b";', 'names[3] = "c";'):
            contains(shown, line)
        year = int(shown.split("t[7] = ")[1].split(";")[0])
        assert year >= 2024, shown
        assert 0 <= int(shown.split(" q = ")[1].split(";")[0]) < 2**31, shown
        first = shown.split(' f = "')[1].split('"')[0]
        second = shown.split(' g = "')[1].split('"')[0]
        assert first != second and not os.path.exists(first), shown
        wrong = text.replace('list("' + folder + '", n)', 'list("' + folder + '", 4)')
        wrong = wrong.replace("names[n]", "names[4]")
        contains(check_exit(run_text("show", wrong), 3).err, "another number of files")
        contains(check_exit(run_text("show", text.replace(folder, folder + "/no")), 3).err, "error")


def test_what_would_change_the_process_is_refused():
    for call, word in (('system("ls")', "cannot run other programs"),
                       ('ModelicaInternal_chdir("/")', "cannot change the folder"),
                       ('ModelicaInternal_setenv("A", "b", 0)', "the environment"),
                       ("exit(0)", "nor end it")):
        text = f"""impure function f
  output Integer y = 0;
external "C" {call};
end f;
model M
  Integer n; Real x = time;
initial algorithm
  n := f();
equation
  when x > 1 then n = 1; end when;
end M;"""
        contains(check_exit(run_text("simulate", text), 3).err, word)



def test_sizes_of_components_by_a_matrix_in_a_file():
    with scratch() as folder:
        path = os.path.join(folder, "table.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#1\ndouble tab(2,3)\n1 2 3\n4 5 6\n")
        text = f"""package P
  function sizes
    input String file; input String name; output Integer n[2];
  external "C" ModelicaIO_readMatrixSizes(file, name, n);
  end sizes;
  function matrix
    input String file; input String name; input Integer m; input Integer n; output Real A[m, n];
  external "C" ModelicaIO_readRealMatrix(file, name, A, size(A, 1), size(A, 2), true);
  end matrix;
  function full
    input String name; output String path;
  external "C" path = ModelicaInternal_fullPathName(name);
  end full;
  block B
    parameter String file = full("{path}");
    final parameter Integer n[2] = sizes(file, "tab");
    final parameter Real A[:, :] = matrix(file, "tab", n[1], n[2]);
    Real y[size(A, 2)] = A[2, :]*time;
  end B;
  model M B b; end M;
end P;"""
        shown = check_exit(run_text("show", text), 0).out
        contains(shown, "b.A[2,3] = 6")
        contains(shown, "b.y[3]")
        wrong = check_exit(run_text("show", text.replace(path, path + "x")), 3).err
        contains(wrong, "the size of 'b.A' is not known")


def test_calls_of_parameters_print_once():
    """Also where they are tried with symbols first, and done again with the values."""
    text = """function say input String s; external "C" ModelicaInternal_print(s, ""); end say;
    function f input Real p[3]; output Real y; protected Integer m; algorithm
      say("hello"); m := if p[1] > 0.5 then 2 else 3; y := sum(RANGE); end f;
    model M parameter Real p[3] = {1, 2, 3}; parameter Real q = f(p); Real y = q*time; end M;"""
    for part, value in (("p", "6"), ("p[1:m]", "3")):
        result = check_exit(run_text("simulate", text.replace("RANGE", part), "--stop", "1",
                                     "--intervals", "1"), 0)
        equal(result.out.split()[-1], "1," + value)
        equal(result.err.count("note: hello"), 1)


main(globals())
