"""Flat and Base Modelica as OpenModelica prints it: records by their elements, constructors,
names of its own."""

import csv
import io
import math

from harness import check_exit, contains, equal, main, run_text

COMPLEX = """function Complex "Automatically generated record constructor for Complex"
  input Real re; input Real im; output Complex res;
end Complex;
function Complex.'constructor'.fromReal
  input Real re; input Real im = 0.0; output Complex result = %s;
algorithm
end Complex.'constructor'.fromReal;
function Complex.'+'
  input Complex c1; input Complex c2; output Complex c3;
algorithm
  c3 := Complex.'constructor'.fromReal(c1.re + c2.re, c1.im + c2.im);
end Complex.'+';
"""


def shown(text):
    out = check_exit(run_text("show", text), 0).out
    equal(check_exit(run_text("show", out), 0).out, out)
    return out


def test_arrays_of_records_are_declared_by_members_of_elements():
    text = COMPLEX % "Complex.'constructor'.fromReal(re, im)" + """class A
  Real c[1,1].re; Real c[1,1].im; Real c[1,2].re; Real c[1,2].im;
  Real c[2,1].re; Real c[2,1].im; Real c[2,2].re; Real c[2,2].im;
  Real d.re; Real d.im; Real e.re; Real e.im;
equation
  for i in 1:2 loop
    c[i,1] = Complex(i*time, 1.0);
    c[i,2] = Complex.'constructor'.fromReal(time);
  end for;
  d = sum(c[:,1]);
  e = Complex.'+'(c[2,1], c[2,2]);
end A;
"""
    out = shown(text)
    for line in ("c[2,1].re = 2*time", "c[1,2].im = 0", "d.re = c[1,1].re + c[2,1].re",
                 "e.im = c[2,1].im + c[2,2].im"):
        contains(out, line)
    # an element that is missing is no array
    contains(check_exit(run_text("show", text.replace("Real c[2,2].re; ", "")), 3).err,
             "unknown name 'c'")


def test_constructors_that_are_printed_with_themselves():
    """The record of the inputs is meant, not an endless recursion."""
    for value in ("Complex.'constructor'.fromReal(re, im)", "Complex(re, im)"):
        out = shown(COMPLEX % value + "class A Real c.re; Real c.im; equation "
                    "c = Complex.'constructor'.fromReal(time, 2.0); end A;\n")
        contains(out, "c.re = time")
        contains(out, "c.im = 2")


def test_members_inside_quoted_names():
    out = shown("""//! base 0.1.0
package 'M'
  record 'R' Real 'x'; Real 'z'[2]; end 'R';
  record 'S' 'R' 'r'; Real 'w'; end 'S';
  model 'M'
    'R' 'm.r'; 'R' 'm.a'[2]; 'S' 'm.s';
  equation
    'm.r.x' = 1.0;
    'm.r.z'[1] = time; 'm.r.z'[2] = 2.0;
    'm.a.x' = {1.0, 3.0*time};
    'm.a.z' = fill(4.0, 2, 2);
    'm.s.r.x' = 'm.s.w'; 'm.s.r.z' = {5.0, 6.0}; 'm.s.w' = 7.0*time;
  end 'M';
end 'M';
""")
    for line in ("'m.r'.'z'[1] = time", "'m.a'[2].'x' = 3*time", "'m.s'.'r'.'x' = 'm.s'.'w'"):
        contains(out, line)


def test_functions_of_its_own():
    out = shown("class A Real h; Real f; Integer n; Real x; equation f = time; "
                "h = $OMC$inStreamDiv($OMC$PositiveMax(f, 1e-9)*3.0/$OMC$PositiveMax(f, 1e-9), "
                "h); n = 2; x = Real(n)/4.0; end A;\n")
    contains(out, "h = 3")
    contains(out, "x = 0.25*n")


def test_enumerations_of_functions_and_variables_are_one_type():
    out = shown("""function E "Automatically generated conversion operator for E"
  input Integer index;
  output enumeration(one, two, three) value;
algorithm
  value := {E.one, E.two, E.three}[index];
end E;
class A
  enumeration(one, two, three) e(start = E.one);
  Real x = if e == E.two then 1 else 2;
equation
  when time > 1 then
    e = E(2);
  end when;
end A;
""")
    contains(out, "e = 2")


SPREAD = """class A
  parameter Real[3] m.k = {2.0, 3.0, 5.0};
  parameter Real q = m[2].k + m[3].k;
  Real[3] m.port.v(start = {1.0, 2.0, 3.0}, fixed = {true, true, true});
  Real[3, 2] m.a.x;
  Real[3] m.s;
  Real[2, 2] b.a.y;
  Real[3] 'c.d'.e;
  Real u; Real w[2]; Real t;
equation
  for $i0 in 1:3 loop
    der(m[$i0].port.v) = -m[$i0].k*m[$i0].port.v;
    for $i1 in 1:2 loop
      m[$i0].a[$i1].x = $i0*time + $i1;
    end for;
    'c.d'[$i0].e = $i0;
  end for;
  m[1].s = 1.0;
  m[2:3].s = {time, 4.0};
  u = sum(m[:].s) + m[3].a[2].x + 'c.d'[3].e;
  w = m[2].a.x;
  t = q*m[2].port.v;
algorithm
  for $i3 in 1:2 loop
    for $i4 in 1:2 loop
      b[$i3].a[$i4].y := 10*$i3 + $i4 + time;
    end for;
  end for;
end A;
"""


def test_arrays_of_components_that_are_not_taken_apart():
    out = shown(SPREAD)
    for line in ("der(m.port.v[3]) = -m.k[3]*m.port.v[3]", "m.a.x[3,2] = 3*time + 2",
                 "m.s[1] = 1", "m.s[2] = time", "b.a.y[2,1] = time + 21", "w[2] = m.a.x[2,2]",
                 "'c.d'.e[2] = 2"):
        contains(out, line)
    result = check_exit(run_text("simulate", SPREAD, "--stop", "1", "--intervals", "1"), 0)
    row = list(csv.DictReader(io.StringIO(result.out)))[-1]
    equal(float(row["u"]), 1 + 1 + 4 + 5 + 3)
    assert abs(float(row["t"]) - 8*2*math.exp(-3)) < 1e-3, row["t"]


def test_subscripts_of_such_names_that_could_mean_two_dimensions_are_refused():
    """a.b[2].c of an array of two dimensions: those of a and b, or of b and c."""
    text = "class A Real[3, 2] a.b.c; equation a.b.c = fill(1.0, 3, 2); %s = 2.0; end A;"
    contains(check_exit(run_text("show", text % "a.b[2].c[1]"), 0).out, "a.b.c[2,1] = 2")
    contains(check_exit(run_text("show", text % "a.b[2].c"), 3).err, "unknown name 'a.b[2].c'")
    contains(check_exit(run_text("show", text % "a[4].b[1].c"), 3).err,
             "subscript 4 is outside 1:3")


def test_literals_that_several_enumerations_have():
    """M.E has e1 and e2, so it is not (e1, e3); N.E is the type of the variable that it is the
    value of."""
    out = shown("""class A
  parameter enumeration(e1, e2, e3) em = M.E.e2;
  parameter enumeration(e3, e2, e1) en = N.E.e3;
  parameter enumeration(e1, e3) eo = O.E.e1;
  Real x; Real y; Real z;
equation
  x = if em == M.E.e1 then 1 else 2;
  y = if en == N.E.e3 then 3 else 4;
  z = Integer(N.E.e1) + 10*Integer(M.E.e1);
end A;
""")
    for line in ("x = 2", "y = 3", "z = 13"):
        contains(out, line)
    contains(check_exit(run_text("show", """class A
  parameter enumeration(a, b) e = P.E.a; parameter enumeration(b, a) f = P.E.a;
  Real x = Integer(P.E.a);
end A;
"""), 3).err, "unknown name 'P.E.a'")


def test_statements_on_records_that_are_declared_by_their_members():
    out = shown("""function R "Automatically generated record constructor for R"
  input Real x; input Real[2] z; protected Real k = 4.0; output R res;
end R;
function Q "Automatically generated record constructor for Q"
  input R r; input Real w; output Q res;
end Q;
class A
  Real r.x; Real r.z[1]; Real r.z[2]; constant Real r.k = 4.0;
  Real q.r.x; Real q.r.z[1]; Real q.r.z[2]; constant Real q.r.k = 4.0; Real q.w;
  Real a[1].x; Real a[1].z[1]; Real a[1].z[2]; constant Real a[1].k = 4.0;
  Real a[2].x; Real a[2].z[1]; Real a[2].z[2]; constant Real a[2].k = 4.0;
algorithm
  r := R(time, {1.0, 2.0*time}, 4.0);
  r.z[1] := r.x + 5.0;
  q := Q(r, 7.0);
  a := {R(i*time, {3.0, 4.0}, 4.0) for i in 1:2};
end A;
""")
    for line in ("r.x = time", "r.z[1] = time + 5", "q.r.z[1] = time + 5", "q.w = 7",
                 "q.r.z[2] = 2*time", "a[2].x = 2*time", "a[1].z[2] = 4"):
        contains(out, line)


def test_results_by_their_numbers():
    """OpenModelica writes f(x)[2] for the second result; (f(x))[2] is an element of the first."""
    text = """function f
  input Real x; output Real[3] a = {x, 2.0*x, 3.0*x}; output Real b = 100.0;
end f;
%s A
  Real y; Real z; Real[3] w;
equation
  y = f(time)[2]; z = (f(time))[2]; w = f(time)%s;
end A;
"""
    out = shown(text % ("class", "[1]"))
    for line in ("y = 100", "z = 2*time", "w[3] = 3*time"):
        contains(out, line)
    contains(shown(text % ("model", "")), "y = 2*time")


def test_lists_of_results_that_were_computed():
    text = ("class M Real b[1]; Real b[2]; Real z; Integer n; discrete Real c, d; "
            "initial equation (c, d) = (1.0, 2.0); "
            "equation ({b[1], b[2]}, z, n) = ({0.5, time}, 2.0*time, 3); "
            "when time > 1.0 then (c, d) = (3.0, 4.0); end when; end M;")
    out = shown(text)
    for line in ("b[1] = 0.5;", "b[2] = time;", "z = 2*time;", "n = 3;", "c = 1;", "d = 4;"):
        contains(out, "  " + line + "\n")
    for left, right, message in (
            ("(a, b)", "(1.0, 2.0, 3.0)", "3 results for 2 variables"),
            ("(a, b)", "(1.0, )", "on the left of a call only"),
            ("a", "(1.0, 2.0)", "on the left of a call only"),
            ("(1.0, 2.0)", "(a, b)", "results of a call are given to variables"),
            ("(a, b)", "(1.0, 2.0) + (1.0, 2.0)", "results of a call are given to variables")):
        wrong = f"class M Real a, b; equation {left} = {right}; end M;"
        contains(check_exit(run_text("show", wrong), 3).err, message)


def test_digits_of_string_stand_last_in_older_texts():
    text = ('%s A Real x = time/3; equation assert(time < 1, "<" + String(x, 0, true, 4) + ">"); '
            "end A;")
    result = check_exit(run_text("simulate", text % "class", "--stop", "2"), 5)
    contains(result.err, "assertion failed at t = 1: <0.3333>")
    contains(check_exit(run_text("show", text % "model"), 3).err, "leftJustified is no Boolean")


QUADRATURE = """function quad
  input integrand<function>(#Real u) => #Real f;
  input Real a; input Real b; output Real s;
algorithm
  s := (b - a)*(unbox(f(#(a))) + 4.0*unbox(f(#((a + b)/2.0))) + unbox(f(#(b))))/6.0;
end quad;
function poly
  input Real u; input Real[:] c; input Integer n; output Real y;
algorithm
  y := 0.0;
  for i in 1:n loop y := y*u + c[i]; end for;
end poly;
function line
  input Real k; input Real u; output Real y = k*u;
end line;
function two
  input g<function>(#Real a, #Real[2] v) => (#Real, #Real) g;
  input Real x; output Real y;
protected Real p; Real q;
algorithm
  (p, q) := g(#(x), #({x, 2.0*x}));
  y := unbox(p) + 100.0*unbox(q);
end two;
function h
  input Real a; input Real[2] v; output Real r = a + v[1]; output Real s = v[2];
end h;
"""


def test_functions_that_are_arguments_have_a_signature():
    """What is bound has no names: it is the inputs that the signature has not."""
    text = QUADRATURE + """class A
  Real x = quad(function poly(#({1.0, 2.0, time}), #(3)), 0.0, 3.0);
  Real y = quad(function line(#(time)), 0.0, 2.0);
  Real z = two(h, time);
end A;
"""
    out = shown(text)
    for line in ("Real x = 3*time + 18;", "Real y = 2*time;", "Real z = 202*time;"):
        contains(out, line)
    names = text.replace("class A", "model A")
    contains(check_exit(run_text("show", names), 3).err, "what is bound to a function has a name")
    for old, new, message in (("#Real u) =>", "#Real) =>", "the name of an input"),
                              ("#(a)", "# (a)", "unexpected character '#'"),
                              ("=> #Real f;", "= #Real f;", "expected '=>'")):
        contains(check_exit(run_text("show", text.replace(old, new, 1)), 3).err, message)


main(globals())
