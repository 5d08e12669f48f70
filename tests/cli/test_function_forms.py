"""Forms of functions, records, enumerations and texts, each with a known answer."""

import csv
import io
import math
import re

from harness import check_exit, contains, equal, main, run_text


def last_of(text, *options):
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1", *options), 0)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    return {k: float(v) for k, v in rows[-1].items()}


def close(got, wanted, tolerance=1e-9):
    assert abs(got - wanted) <= tolerance*max(1, abs(wanted)), (got, wanted)


def test_members_of_elements_with_literal_subscripts():
    row = last_of("""record In Real v[3]; Integer n; end In;
record Out In a[2]; Real s; end Out;
function f
  input Out o; output Out r; output Real y;
algorithm
  r := o;
  r.a[2].v[1] := o.s;
  r.a[1].v := {1, 2, 3}*o.s;
  r.s := sum(r.a[1].v) + r.a[2].n;
  y := o.a[2].v[3];
end f;
function g
  input In o[2]; output Real y; output In p[2];
algorithm
  y := o[2].v[1] + 10*o[1].n;
  p := o;
  p[1].v[3] := 8;
  p[2].n := 3;
end g;
model M
  Out o(a(v = {{1, 2, 3}, {4, 5, 6}}, n = {1, 7}), s = 5*time);
  Out r; In p[2]; Real y, z;
equation
  (r, y) = f(o);
  (z, p) = g(r.a);
end M;""")
    for name, wanted in (("r.a[2].v[1]", 5), ("r.a[1].v[3]", 15), ("r.s", 37), ("y", 6),
                         ("z", 15), ("p[1].v[3]", 8), ("p[2].n", 3), ("p[2].v[2]", 5)):
        close(row[name], wanted)


def test_an_element_that_is_not_there():
    text = """record R Real v; end R;
function f input R r[2]; output Real y; algorithm y := r[3].v; end f;
model M Real y; equation y = f({R(1), R(time)}); end M;"""
    contains(check_exit(run_text("simulate", text), 3).err, "3")


MESSAGE = """type E = enumeration(red, green);
model M
  Real x(start = 0, fixed = true);
  E mode(start = E.red, fixed = true);
  parameter E p = E.green; parameter Real k = 2/3; parameter Integer n = 42;
equation
  der(x) = 1;
  when time > 0.25 then
    mode = E.green;
  end when;
  assert(x < 0.5, "x = " + String(x) + ", p = " + String(p) + ", k = "
    + String(k, significantDigits = 3) + ", n = " + String(n, minimumLength = 4) + "|"
    + String(n, leftJustified = false, minimumLength = 4) + String(k, format = "8.2f")
    + ", late " + String(time > 0.4) + ", mode " + String(mode));
end M;"""


def test_values_in_messages_are_those_at_the_failure():
    err = check_exit(run_text("simulate", MESSAGE, "--stop", "1"), 5).err
    contains(err, "x = 0.5, p = green, k = 0.667, n = 42  |  42    0.67, late true, mode green")
    plain = "model M Real x(start = 2, fixed = true); equation der(x) = -x; " \
        "assert(x > 1, \"level \" + String(x, 3)); end M;"
    contains(check_exit(run_text("simulate", plain, "--stop", "1"), 5).err, "level 1")


def test_values_in_messages_are_shown_and_read_back():
    shown = check_exit(run_text("show", MESSAGE), 0).out
    contains(shown, '"x = " + String(x) + ", p = green')
    again = check_exit(run_text("show", shown), 0).out
    assert shown == again


def test_values_in_the_last_words_of_a_run():
    text = """model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 2;
  when x > 1 then
    terminate("full at " + String(time) + " with " + String(x));
  end when;
end M;"""
    contains(check_exit(run_text("simulate", text, "--stop", "1"), 0).err, "full at 0.5 with 1")


def test_an_unknown_format_or_option_of_a_text():
    for call, word in (('String(x, format = "8.2s")', "no format"),
                       ("String(x, digits = 3)", "no such argument")):
        text = f'model M Real x = time; equation assert(x < 9, "a" + {call}); end M;'
        contains(check_exit(run_text("show", text), 3).err, word)


def test_widths_and_formats_decide_in_models_with_components():
    calls = {"1/3, significantDigits = 3": "0.333", "5, minimumLength = 4": "5   ",
             "true, minimumLength = 6, leftJustified = false": "  true", "2.5, format = \".2f\"": "2.50"}
    lines = "".join(f"""  parameter Boolean b{k} = String({call}) == "{text}";
  Real y{k} = if b{k} then 1 else 2;
""" for k, (call, text) in enumerate(calls.items()))
    text = f"package P\n  model A\n    Real x = 1;\n  end A;\n  model M\n  A a;\n{lines}  end M;\nend P;"
    for name, value in last_of(text).items():
        assert value == 1 or name == "time", (name, value)


def test_formats_of_integers():
    calls = {"5d": "   12", "-5d": "12   ", "05d": "00012", "+d": "+12", "%4i": "  12",
             "8.2f": "   12.00", "d": "12", "x": "c", "#06X": "0X000C", "o": "14", "5u": "   12",
             ".4d": "0012", "6.3i": "   012"}
    tests = ", ".join(f'b[{i + 1}] = String(12, format = "{form}") == "{text}"'
                      for i, (form, text) in enumerate(calls.items()))
    text = f"model M Boolean b[{len(calls)}]; equation {tests.replace(', b[', '; b[')}; end M;"
    assert all(value == 1 for value in last_of(text).values() if value is not None), text
    varying = ('model M Integer n = integer(12*time); equation assert(n < 6, "n is [" + '
               'String(n, format = "5d") + "] [" + String(n, format = "03d") + "]"); end M;')
    for shown in (varying, check_exit(run_text("show", varying), 0).out):
        contains(check_exit(run_text("simulate", shown, "--stop", "1"), 5).err,
                 "assertion failed at t = 0.5: n is [    6] [006]")
    deprecated = check_exit(run_text("show", 'model M parameter String s = String(2.6, format = "d"); '
                                     "end M;"), 0)
    contains(deprecated.out, '"3"')
    contains(deprecated.err, "warning: 'd' is a format of an Integer: the Real is rounded")
    for value, form, word in (("12", "5s", "an Integer"), ("3", "*d", "an Integer"),
                              ("2.5", "ld", "a Real"), ("true", "5d", "this value")):
        text = f'model M parameter String s = String({value}, format = "{form}"); end M;'
        contains(check_exit(run_text("show", text), 3).err,
                 f":1:30: error: '{form}' is no format of {word}")


def test_constructors_of_an_operator_record_are_told_apart_by_names():
    text = """model M
  operator record D Real r; Real phi;
    encapsulated operator 'constructor' import M.D;
      function fromDegrees input Real r; input Real phi = 0; output D d(r = r, phi = phi/180);
        algorithm end fromDegrees;
      function fromParts input Real x; input Real scale = 2; output D d(r = scale*x, phi = 7);
        algorithm end fromParts;
    end 'constructor';
  end D;
  D a = D(1, phi = 90), b = D(r = 1, phi = 90), c = D(x = 3), d = D(scale = 5, x = 3), e = D(2, phi = 18);
end M;"""
    shown = check_exit(run_text("show", text), 0).out
    for line in ["a.phi = 0.5", "b.phi = 0.5", "c.r = 6", "c.phi = 7", "d.r = 15", "e.phi = 0.1"]:
        contains(shown, line)


def test_an_operator_record_with_all_its_operators():
    row = last_of("""operator record C
  Real re; Real im;
  encapsulated operator 'constructor'
    function fromReal
      import C; input Real re; input Real im = 0; output C r;
    algorithm r.re := re; r.im := im; end fromReal;
  end 'constructor';
  encapsulated operator function '+'
    import C; input C a; input C b; output C r;
  algorithm r := C(a.re + b.re, a.im + b.im); end '+';
  encapsulated operator '*'
    function product
      import C; input C a; input C b; output C r;
    algorithm r := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end product;
  end '*';
  encapsulated operator function '0'
    import C; output C r;
  algorithm r := C(0, 0); end '0';
  encapsulated operator 'String'
    function text
      import C; input C a; output String t;
    algorithm t := String(a.re) + " + " + String(a.im) + "j"; end text;
  end 'String';
end C;
model M
  C z, w[2], s, none; parameter C p = C(1, 2);
equation
  z = C(time, 1)*p + 2;
  w = {z, z*z};
  s = sum(w);
  none = sum(w[1:0]);
  assert(time < 2, "p is " + String(p) + ", z is " + String(z));
end M;""")
    for name, wanted in (("z.re", 1), ("z.im", 3), ("s.re", -7), ("s.im", 9), ("none.re", 0)):
        close(row[name], wanted)


OVERLOADED = """operator record C
  Real re; Real im;
  encapsulated operator 'constructor'
    import C; import D;
    function fromReal
      input Real re; input Real im = 0; output C c(re = re, im = im);
    algorithm end fromReal;
    function fromD input D d; output C c(re = d.x, im = 0); algorithm end fromD;
  end 'constructor';
  encapsulated operator function '+'
    import C; input C a; input C b; output C c;
  algorithm c := C(a.re + b.re, a.im + b.im); end '+';
  encapsulated operator '*'
    import C; import D;
    function product
      input C a; input C b; output C c;
    algorithm c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end product;
    function scalarProduct "conjugate-linear in a"
      input C a[:]; input C b[size(a, 1)]; output C c;
    algorithm
      c := C(0, 0);
      for i in 1:size(a, 1) loop c := c + C(a[i].re, -a[i].im)*b[i]; end for;
    end scalarProduct;
    function twice input C a; input Integer n; output C c; algorithm c := C(100, n); end twice;
    function scaled input C a; input Real x; output C c; algorithm c := C(200, x); end scaled;
  end '*';
  encapsulated operator function '0' import C; output C c; algorithm c := C(0, 0); end '0';
end C;
operator record D
  Real x;
  encapsulated operator function '-'
    import C; import D; input C a; input D b; output D d;
  algorithm d := D(a.re - 10*b.x); end '-';
end D;
model M
  C u[2] = {C(0, 1), C(2, time)}, uu = u*u, byElement = sum(u .* u);
  D minus = C(1, 2) - D(3);
  C left = D(3) + C(1, 2), right = C(1, 2) + D(3);
  C exact = C(1, 1)*3, widened = C(1, 1)*2.5;
  C empty[2, 2] = fill(C(1, 1), 2, 0)*fill(C(1, 1), 0, 2);
end M;"""


def test_operators_of_two_records_and_of_whole_arrays():
    row = last_of(OVERLOADED)
    for name, wanted in (("uu.re", 6), ("uu.im", 0), ("byElement.re", 2), ("byElement.im", 4),
                         ("minus.x", -29), ("left.re", 4), ("left.im", 2), ("right.re", 4),
                         ("right.im", 2), ("exact.re", 100), ("widened.re", 200),
                         ("widened.im", 2.5), ("empty[2,1].re", 0)):
        close(row[name], wanted)


def test_two_operators_that_fit_alike_are_told():
    second = OVERLOADED.replace("function scaled", "function again input C a; input Integer k; "
                                "output C c; algorithm c := a; end again;\n    function scaled")
    error = check_exit(run_text("show", second), 3).err
    contains(error, ":40:20: error: two operators '*' fit these operands: "
             "C.'*'.twice and C.'*'.again")
    assert error.count("error:") == 1, error
    both = OVERLOADED.replace("operator record D\n  Real x;", "operator record D\n  Real x;\n"
                              "  encapsulated operator 'constructor' import C; import D;\n"
                              "    function fromC input C c; output D d(x = c.re); algorithm end "
                              "fromC;\n  end 'constructor';\n  encapsulated operator function "
                              "'+' import D; input D a; input D b; output D d; algorithm "
                              "d := a; end '+';")
    contains(check_exit(run_text("show", both), 3).err, "two operators '+' fit these operands")
    missing = "\n".join(line for line in OVERLOADED.splitlines() if "'0'" not in line)
    contains(check_exit(run_text("show", missing), 3).err,
             "a sum of no elements needs an operator '0'")


ELEMENTS = """record R Real x; Real y; Real z[2]; constant Integer n = 3; end R;
record Q R r; R ra[2]; Real w; end Q;
model M
  R a[2]; Q q[2]; R b;
equation
  a[1].y = time;
  a[1].x = a[2].n;
  a[1].z = {2, 2};
  a[2] = R(1, 2, {3, 4});
  q.r = fill(R(0, 0, {0, time}), 2);
  q[1].ra = fill(R(1, 1, {1, 1}), 2);
  q[2].ra[1].x = 7;
  q[2].ra[1].y = der(a[1].y);
  q[2].ra[1].z[1] = 5;
  q[2].ra[1].z[2] = 6;
  q[2].ra[2] = a[1];
  q.w = {1, 2};
  b = R(4, time, {8, 9}, 3);
end M;"""


def test_elements_of_arrays_of_records_in_equations():
    quoted = ELEMENTS
    for name in ("a", "b", "q", "r", "ra", "x", "y", "z", "w", "n"):
        quoted = re.sub(rf"\b{name}\b", f"'{name}'", quoted)
    for text, mark in ((ELEMENTS, ""), (quoted, "'")):
        row = {k.replace("'", ""): v for k, v in last_of(text).items()}
        for name, wanted in (("a[1].y", 1), ("a[1].x", 3), ("q[1].r.z[2]", 1),
                             ("q[2].ra[1].x", 7), ("q[2].ra[1].y", 1), ("q[2].ra[1].z[2]", 6),
                             ("q[2].ra[2].z[1]", 2), ("q[1].ra[2].y", 1), ("b.x", 4),
                             ("b.z[2]", 9)):
            close(row[name], wanted)
    wrong = ELEMENTS.replace("q[2].ra[1].x = 7", "q[2].ra[3].x = 7")
    contains(check_exit(run_text("show", wrong), 3).err, "3")


def test_constants_of_records_are_no_part_of_their_values():
    row = last_of("""record R Real x; Real y; constant Integer n = 3; end R;
model M R b; R c; equation b = R(b.n, time); c = b; end M;""")
    close(row["c.x"], 3)
    close(row["c.y"], 1)


def test_arrays_that_grow_in_functions():
    row = last_of("""function grow
  input Integer n; input Real u; output Real y;
protected
  Real x[:];
algorithm
  x := {u};
  for i in 2:n loop
    x := cat(1, x, {u^i});
  end for;
  y := sum(x);
end grow;
function positive
  input Real x[:]; output Real y[:];
algorithm
  y := fill(0.0, 0);
  for i in 1:size(x, 1) loop
    if x[i] > 0 then
      y := cat(1, y, {x[i]});
    end if;
  end for;
end positive;
function half
  input Real x[:]; output Real y[div(size(x, 1), 2)];
algorithm
  for i in 1:size(y, 1) loop
    y[i] := x[2*i];
  end for;
end half;
model M
  Real y = grow(4, 2*time);
  parameter Real p[:] = positive({1, -2, 3});
  Real z[size(p, 1)] = p*time;
  Real w[:] = half({time, 2*time, 3, 4*time});
end M;""")
    for name, wanted in (("y", 30), ("z[2]", 3), ("w[1]", 2), ("w[2]", 4)):
        close(row[name], wanted)


def test_defaults_names_and_results_left_out():
    row = last_of("""function f
  input Real x; input Real a = 2*x; input Real b = a + 1;
  output Real p; output Real q; output Real r;
algorithm
  p := x;
  q := a;
  r := b;
end f;
model M
  Real a, c, d, e;
equation
  (a, , c) = f(time);
  d = f(b = 3, x = time, a = 1);
  (, e) = f(3, b = 1);
end M;""")
    for name, wanted in (("a", 1), ("c", 3), ("d", 1), ("e", 6)):
        close(row[name], wanted)


def test_functions_as_arguments_of_functions_that_pass_them_on():
    row = last_of("""partial function Fn input Real x; output Real y; end Fn;
function compose
  input Fn f; input Fn g; input Real x; output Real y;
algorithm
  y := f(g(x));
end compose;
function line
  input Real x; input Real a = 1; input Real b = 0; output Real y;
algorithm
  y := a*x + b;
end line;
function map
  input Fn f; input Real x[:]; output Real y[size(x, 1)];
algorithm
  for i in 1:size(x, 1) loop
    y[i] := compose(f, function line(b = i), x[i]);
  end for;
end map;
model M
  Real y, z[3]; parameter Real k = 3;
equation
  y = compose(function line(a = 2), function line(b = k), time);
  z = map(f = function line(a = time), x = {1, 2, 3});
end M;""")
    for name, wanted in (("y", 8), ("z[1]", 2), ("z[3]", 6)):
        close(row[name], wanted)


def test_recursion_on_integers_at_translation_and_at_run_time():
    row = last_of("""function ack
  input Integer m; input Integer n; output Integer r;
algorithm
  if m == 0 then
    r := n + 1;
  elseif n == 0 then
    r := ack(m - 1, 1);
  else
    r := ack(m - 1, ack(m, n - 1));
  end if;
end ack;
function fib
  input Integer n; output Integer r;
algorithm
  r := if n < 2 then n else fib(n - 1) + fib(n - 2);
end fib;
model M
  Real a[ack(2, 3)] = fill(time, ack(2, 3)); Integer k; Real y;
equation
  k = integer(8*time + 0.5);
  y = fib(k);
end M;""")
    close(row["a[9]"], 1)
    close(row["y"], 21)


def test_break_and_return_in_nested_loops():
    row = last_of("""function nested
  input Integer n; output Integer c;
algorithm
  c := 0;
  for i in 1:n loop
    for j in 1:n loop
      if j > i then
        break;
      end if;
      c := c + (if mod(j, 2) == 0 then 1 else 0);
      if c > 7 then
        return;
      end if;
    end for;
  end for;
end nested;
model M parameter Integer n = 4; Real x[nested(n)] = {i*time for i in 1:nested(n)};
  Real y = time*nested(10); end M;""")
    close(row["x[4]"], 4)
    close(row["y"], 8)


def test_algorithm_sections_with_loops_whens_and_open_paths():
    row = last_of("""model M
  Real x(start = 1, fixed = true); Real a, b, c(start = 4);
  discrete Real d(start = 0, fixed = true);
algorithm
  a := 1;
  for i in 1:3 loop
    a := a*x;
    if i == 2 then
      break;
    end if;
  end for;
  b := 0;
  while b < 5 loop
    b := b + 1;
  end while;
  when sample(0, 0.25) then
    d := pre(d) + 1;
  end when;
  if time > 2 then
    c := 1;
  end if;
equation
  der(x) = -x;
end M;""")
    close(row["a"], row["x"]**2)
    for name, wanted in (("b", 5), ("c", 4), ("d", 5)):
        close(row[name], wanted)


def test_initial_algorithms_give_parameters_and_states():
    row = last_of("""model M
  Real x, y(start = 3); parameter Real p(fixed = false);
initial algorithm
  p := 2;
  for i in 1:3 loop
    p := p*2;
  end for;
  y := p + 1;
equation
  x = p*time;
  der(y) = -1;
end M;""")
    close(row["x"], 16)
    close(row["y"], 16)


def test_enumerations_in_loops_ranges_and_subscripts():
    row = last_of("""type E = enumeration(red, green, blue);
function f
  input Real x[E]; input E k; output Real y;
algorithm
  y := 0;
  for e in E loop
    y := y + Integer(e)*x[e];
  end for;
  y := y + x[k];
  for e in E.red:E.green loop
    y := y + 100*x[e];
  end for;
end f;
model M
  Real x[E]; Real y; E m(start = E.red, fixed = true); parameter E p = E.blue;
equation
  x[E.red] = 1;
  x[E.green] = 2;
  x[p] = time;
  y = f(x, p);
  when time > 0.5 then
    m = E.green;
  end when;
end M;""")
    close(row["y"], 1 + 4 + 3 + 1 + 300)
    close(row["m"], 2)


def test_mistakes_in_calls_are_placed():
    functions = """function f input Real x; output Real y; algorithm y := x; end f;
function g input Real x[3]; output Real y; algorithm y := x[1]; end g;
function h input Real x; output Real y; algorithm end h;
function r input Real x; output Real y; algorithm y := r(x) + 1; end r;
function w
  input Real x; output Real y;
protected
  Integer i = 0;
algorithm
  y := x;
  while i < 1 loop
    y := y + 1;
  end while;
end w;
model M
  Real y;
equation
  y = %s;
end M;"""
    for call, place, word in (("f(time, q = 2)", ":18:7:", "has no argument 'q'"),
                              ("g({1, time})", ":18:7:", "has size [3], this value has size [2]"),
                              ("h(time)", ":18:7:", "gives its result 'y' no value"),
                              ("r(time)", ":4:", "more than 200 calls inside each other"),
                              ("w(time)", ":18:7:", "is there a loop without end?"),
                              ("f()", ":18:7:", "'x'")):
        err = check_exit(run_text("show", functions % call), 3).err
        contains(err, word)
        contains(err, place)


def test_flat_text_of_openmodelica():
    row = last_of("""function f
  input Real x; output Real a = x*2.0; output Real b = x*3.0;
algorithm
end f;
class C
  enumeration(one, two, three) e = P.E.two;
  parameter enumeration(never, avoid, default, prefer, always) s = StateSelect.avoid;
  parameter enumeration(warning, error) l = AssertionLevel.warning;
  Real x[1] = time;
  parameter Real k[1] = 3.0;
  Real y, z;
  Real w[3];
equation
  y = f(time)[2] + k[1] + (if e == P.E.two then 10 else 0);
  (z, _) = f(2.0);
  w = array(k[1]*i for i in 1:3);
end C;""")
    assert row["x[1]"] == 1 and row["y"] == 16 and row["z"] == 4 and row["w[3]"] == 9, row
    text = "class C enumeration(a, b) e = E.c; end C;"
    contains(check_exit(run_text("show", text), 3).err, "unknown name 'E.c'")
    text = "model C Real x[1] = 3.0; end C;"
    contains(check_exit(run_text("show", text), 3).err, "has size [1], its value has size scalar")


def test_elements_named_by_enumerations_and_truth_values():
    """As OpenModelica prints arrays; the enumeration may be defined nowhere, or in a type."""
    text = """class A
  Real x[P.Color.green], x[P.Color.blue], x[P.Color.red], m[Side.l, false], m[Side.l, true];
  Real s, b[false], b[true], m[Side.r, false], m[Side.r, true];
  %s
equation
  x[P.Color.green] = time; x[P.Color.blue] = 2.0; x[P.Color.red] = x[P.Color.blue] + 3.0;
  b = {4.0, 5.0};
  m = [1.0, 2.0; 3.0, 4.0];
  s = sum(x) + b[true]*m[Side.r, false];
end A;"""
    for more in ("", "type Side = enumeration(l, r);"):
        last = last_of(text % more, "--stop", "1")
        close(last["s"], 1 + 2 + 5 + 5*3)
        close(last["x[3]"], 5)
        close(last["b[1]"], 4)
        shown = check_exit(run_text("show", text % more), 0).out
        equal(check_exit(run_text("show", shown), 0).out, shown)
    wrong = (text % "").replace("m[Side.r, true];", "m[Side.r];", 1)
    contains(check_exit(run_text("show", wrong), 3).err, "'m' is declared twice")


def test_records_that_are_only_constructors_and_members():
    """As OpenModelica prints them: a function without a body, variables for the members."""
    text = """function R "Automatically generated record constructor for R"
  input Real x; input Real y; output R res;
end R;
function S "Automatically generated record constructor for S"
  input R r; input Real[2] z; output S res;
end S;
function f
  input R r; output S s;
algorithm
  s := S(R(r.y, r.x), {r.x, 2.0});
end f;
class M
  Real r.x = 2.0; Real r.y; Real s.r.x; Real s.r.y; Real s.z[1]; Real s.z[2]; Real u;
equation
  r.y = 3.0*time;
  s = f(r);
  u = f(s.r).r.y;
end M;"""
    last = last_of(text, "--stop", "1")
    for name, wanted in (("s.r.x", 3), ("s.r.y", 2), ("s.z[1]", 2), ("u", 3)):
        close(last[name], wanted)
    contains(check_exit(run_text("show", text.replace("f(r)", "f(q)")), 3).err,
             "unknown name 'q'")


def test_functions_that_are_partial_derivatives():
    text = """package P
  function f input Real x; input Real y; input Integer n = 2; output Real z[2];
  algorithm z := {x^n*y, sin(x*y)}; end f;
  function fxy = der(f, x, y);
  function halve input Real x; output Real y;
  algorithm y := x; while y > 1 loop y := y/2; end while; end halve;
  function slope = der(halve, x);
  model M
    Real z[2] = fxy(time, 2, n = 3), w[2] = fxy(y = 3, x = time), l = slope(3 + time);
    %s
  end M;
end P;"""
    for more in ("", "M2 m; model M2 Real v = 1; end M2;"):  # with and without components
        last = last_of(text % more, "--stop", "0.5")
        for name, wanted in (("z[1]", 0.75), ("z[2]", math.cos(1) - math.sin(1)), ("w[1]", 1),
                             ("w[2]", math.cos(1.5) - 1.5*math.sin(1.5)), ("l", 0.25)):
            close(last[name], wanted)
    wrong = (text % "").replace("der(f, x, y)", "der(f, x, n)")
    contains(check_exit(run_text("show", wrong), 3).err, "the derivative by 'n' does not exist")


def test_quoted_elements_are_an_array():
    """'a.x' where 'a.x[1]' and 'a.x[2]' are declared, in exported Base Modelica."""
    text = """//! base 0.1.0
package 'Q'
  function 'f'
    input Real 'x'[2]; output Real 'y'[2];
  algorithm
    'y' := 2.0 * 'x';
    'y'[1] := 'y'[1] + 'x'[2];
  end 'f';
  model 'Q'
    Real 'a.x[1]'; Real 'a.x[2]'; Real 'y'[2];
    parameter Real 'p[1]' = 3; parameter Real 'p[2]' = 4;
  equation
    'a.x[1]' = time; 'a.x[2]' = 2*time; 'y' = 'f'('a.x') + 'f'('p');
  end 'Q';
end 'Q';"""
    last = last_of(text, "--stop", "1")
    close(last["'y'[1]"], 14)
    close(last["'y'[2]"], 12)
    contains(check_exit(run_text("show", text.replace("'f'('p')", "'f'('q')")), 3).err,
             "unknown name ''q''")


def test_string_variables_are_the_text_of_their_declarations():
    text = """model M
  Real x = time;
  String s = "x is " + String(x, significantDigits = 3);
  String t = s + "!";
  String u = "const";
  Real y = if u == "const" then 1 else 2;
equation
  assert(x < 0.5, t);
end M;"""
    contains(check_exit(run_text("simulate", text), 5).err,
             ":8:3: assertion failed at t = 0.5: x is 0.5!")
    shown = check_exit(run_text("show", text), 0).out
    assert "Real y = 1;" in shown and check_exit(run_text("show", shown), 0).out == shown, shown
    for new, word in (("t + s", "'t' depends on itself"), ("3", "is String, its value is Integer"),
                      ("if s == \"a\" then s else s", "known only at run time")):
        err = check_exit(run_text("show", text.replace('s + "!"', new)), 3).err
        contains(err, word)
        contains(err, ":4:")


def test_string_variables_that_equations_define():
    text = """package P
  block B Real x = time; String s; equation s = "x is " + String(x, significantDigits = 3); end B;
  model M
    B b; String t; String u = t + "?";
  equation
    b.s + (if 1 < 2 then "!" else "") = t;
    assert(b.x < 0.5, u);
  end M;
end P;"""
    contains(check_exit(run_text("simulate", text), 5).err,
             ":7:5: assertion failed at t = 0.5: x is 0.5!?")
    defined = "    b.s + (if 1 < 2 then \"!\" else \"\") = t;"
    for wrong, word in (("    u = t;", "depends on itself"),
                        (defined + " t = \"a\";", "the texts of this equation are not the same"),
                        ("    if time > 1 then t = \"\"; end if;",
                         "under a condition known only at run time")):
        result = check_exit(run_text("show", text.replace(defined, wrong)), 3)
        contains(result.err, word)
        equal(result.err.count("error:") + result.err.count("warning:"), 1)


def test_string_variables_that_statements_define_or_nothing():
    text = """model M
  String s, t(start = "ab"), u; Real x;
algorithm
  s := "x is " + String(x);
equation
  x = time;
  assert(x < 0.5, s + t + u + "!");
end M;"""
    result = check_exit(run_text("simulate", text), 5)
    contains(result.err, "assertion failed at t = 0.5: x is 0.5ab!")
    contains(result.err, ":2:13: warning: nothing gives the String variable 't' a value: it is its "
                         "start value")
    for other, words in (("if x > 0 then s := \"a\"; end if;", "aab!"),
                         ("if x > 2 then s := \"a\"; end if;", "ab!"),
                         ("for i in 1:2 loop s := String(i); end for;", "2ab!")):
        changed = text.replace("s := \"x is \" + String(x);", other)
        contains(check_exit(run_text("simulate", changed), 5).err, f"failed at t = 0.5: {words}\n")
    twice = text.replace("s := \"x is \" + String(x);", "s := \"a\"; s := \"b\";")
    contains(check_exit(run_text("simulate", twice), 5).err, "failed at t = 0.5: bab!")


def test_a_missing_value_on_a_path_ends_the_run_that_comes_to_it():
    text = """function f
  input Real x; output Real y;
algorithm
  if x < 0.5 then y := 1; end if;
end f;
function g
  input Real x; output Real y; protected Real t[2]; Real s;
algorithm
  if x < 0.5 then t := {x, 1}; else t[1] := x; end if;
  if x < 0.5 then s := 2; end if;
  if x < 0.5 then y := 1; return; end if;
  y := if x < 0.5 then s else t[1];
end g;
model M
  Real y = %s(time);
end M;"""
    result = check_exit(run_text("simulate", text % "f", "--intervals", "10"), 5)
    contains(result.err, ":15:12: assertion failed at t = 0.5: 'y' of 'f' is used without a value")
    assert last_of(text % "g")["y"] == 1  # every path has the value it uses
    shown = check_exit(run_text("show", text % "g"), 0).out
    assert "$unset" not in shown, shown


MISSING = """function g
  input Real v[:]; output Real y;
algorithm
  y := v[1];
end g;
function f
  input Real u; output Real y;
protected
  Real v[3], w[3], A[2,2];
  Integer k = 0;
algorithm
  %s
end f;
model M
  Real y = f(time + 1);
end M;"""


def test_elements_without_a_value_are_told_where_they_are_used():
    half = "v[1] := u; v[3] := 2*u; "
    for body, name in ((half + "y := sum(v);", "v[2]"), (half + "w := 2*v; y := w[1];", "v[2]"),
                       (half + "w := v; y := max(w);", "w[2]"), (half + "y := v[2];", "v"),
                       (half + "y := 0; for x in v loop y := y + x; end for;", "v[2]"),
                       (half + "y := {x for x in v}*{1, 1, 1};", "v[2]"),
                       ("A[1,:] := {u, 1}; y := sum(A*{1, 2});", "A[2,1]"),
                       ("A[1,:] := {u, 1}; y := sum(A[:,1]);", "A")):
        err = check_exit(run_text("show", MISSING % body), 3).err
        contains(err, f"<stdin>:12:{3 + body.rindex(name[0], 0, body.rindex(';'))}: error: ")
        contains(err, f"'{name}' has no value yet")
    for body, value in (("y := g(v);", 2), ("w := v; y := w[1] + w[3];", 6),
                        ("y := size(v, 1)*u;", 6), ("y := sum(v[{1, 3}]);", 6)):
        assert last_of(MISSING % (half + body))["y"] == value, body


def test_elements_without_a_value_at_run_time_end_the_run():
    for body in ("if u > 1.5 then v := {u, u, u}; else v[1] := u; end if; y := sum(v);",
                 "while k < u loop k := k + 1; v[k] := u; end while; y := v*v;",
                 "v[1] := u; while k < u loop k := k + 1; v := 2*v; end while; y := v[2];"):
        result = check_exit(run_text("simulate", MISSING % body), 5)
        contains(result.err, "assertion failed at t = 0: 'v' of 'f' is used without a value")


def test_ranges_that_follow_from_subscripts():
    for text, values in (
            ("model C Real x; Real y = 2*x; end C; model M C c[3]; Real z[3]; equation "
             "for i loop c[i].x = i*time; z[i] = c[i].y; end for; end M;", {"z[3]": 6}),
            ("connector P Real v; flow Real i; end P; model R P p; equation p.v = 2*p.i; end R; "
             "model S P p; equation p.v = 1; end S; model M R r[3]; S s[3]; equation "
             "for k loop connect(r[k].p, s[k].p); end for; end M;", {"s[3].p.i": -0.5}),
            ("record R Real v[2]; end R; model M R r[2]; Real s; equation "
             "for i, j loop r[i].v[j] = 10*i + j; end for; s = sum(r[i].v[j] for j, i); end M;",
             {"r[2].v[1]": 21, "s": 66}),
            ("model M Real a[3], b[2]; algorithm for i loop a[i] := i; end for; for i loop "
             "b[i] := a[i + 1]; end for; end M;", {"b[2]": 3}),
            ("function f input Real A[:,:]; output Real s; protected Real v[size(A, 1)]; algorithm "
             "for i loop v[i] := sum(A[i,j] for j); if i == 2 then break; end if; end for; "
             "s := product(v[i] for i); end f; model M Real s = f([1, 2, 3; 4, 5, time]); end M;",
             {"s": 60})):
        got = last_of(text)
        for name, value in values.items():
            assert abs(got[name] - value) < 1e-12, (text, name, got[name])
    err = check_exit(run_text("show", "model M Real a[3]; Real b[4]; equation for i loop "
                              "a[i] = i; b[i] = 2; end for; end M;"), 3).err
    contains(err, "subscript 4 is outside 1:3 of 'a'")


SUBSCRIPTS = """record R Real x[3]; Real y; end R;
record S R r[2]; end S;
function columns
  input Integer p[:]; input Real A[:, :];
  output Real B[size(A, 1), size(p, 1)]; output Real c[size(p, 1)];
algorithm
  B := A[:, p];
  c := A[2, p];
end columns;
function places
  input Integer i; input Integer p[2]; input Integer n;
  output R r; output Real z[3]; output Real w[2];
protected
  R q[2]; S s; Integer k;
algorithm
  r.x := {1, 2, 3}; r.y := 0; r.x[i] := 10; q := {r, r}; s.r := q; k := 0;
  while k < n loop s.r[i].x[p[2]] := s.r[i].x[p[2]] + 1; k := k + 1; end while;
  q[i].y := 4; q[p].y := {5, 6}; q.x[i] := {50, 60}; r.x[p] := {20, 30};
  z := s.r[1].x*100 + s.r[2].x + q[2].x*1000; w := q.y;
end places;
model M
  Integer i = if time < 0.5 then 1 else 2; Integer p[2] = if time < 0.5 then {2, 1} else {1, 2};
  Integer n = if time < 0.5 then 2 else 3; R r; Real z[3], w[2], B[2, 2], c[2], d[2];
  parameter Real A[2, 3] = [1, 2, 3; 4, 5, 6];
equation
  (r, z, w) = places(i, p, n);
  (B, c) = columns(p, A*(1 + time));
  d = A[1, p];
end M;"""


def test_subscripts_that_vary_behind_members_and_as_vectors():
    """Values by hand; places behind a member were not found before, without a word."""
    early = last_of(SUBSCRIPTS, "--stop", "0.25")
    late = last_of(SUBSCRIPTS, "--stop", "1")
    for row, wanted in ((early, {"r.x": (30, 20, 3), "z": (61210, 2202, 3303), "w": (6, 5),
                                 "B[1": (2.5, 1.25), "B[2": (6.25, 5), "c": (6.25, 5),
                                 "d": (2, 1)}),
                        (late, {"r.x": (20, 30, 3), "z": (1101, 61013, 3303), "w": (5, 6),
                                "B[1": (2, 4), "B[2": (8, 10), "c": (8, 10), "d": (1, 2)})):
        for name, values in wanted.items():
            for k, value in enumerate(values):
                key = f"{name},{k + 1}]" if "[" in name else f"{name}[{k + 1}]"
                close(row[key], value)
    wrong = SUBSCRIPTS.replace("r.x[p] := {20, 30}", "r.x[p] := {20, 30, 40}")
    result = check_exit(run_text("show", wrong), 3)
    contains(result.err, "2 elements of 'r' get a value of size [3]")


def test_the_end_of_a_constant_around_a_function():
    row = last_of("""package P
  partial package Base
    replaceable partial function f input Real t; output Real y; end f;
  end Base;
  package K
    extends Base;
    constant Real x[:] = linspace(0, 0.5, 3);
    redeclare function extends f
    protected
      Real z[2] = {7, 8};
    algorithm
      y := if t >= x[end] then 10*x[end] + z[end] else x[end - 1];
    end f;
  end K;
  model A replaceable package L = Base; Real y = L.f(time); end A;
  model M
    A a(redeclare package L = K), b(redeclare package L = K(x = {1, 2, 3, 4}));
  end M;
end P;""", "--model", "P.M")
    close(row["a.y"], 13)
    close(row["b.y"], 3)


def test_texts_that_conditions_choose():
    text = """function f
  input Real u; output Real y; output String s;
protected String m; Integer k = 0;
algorithm
  if u > 0.8 then m := "high"; elseif u > 0.4 then m := "mid, " + String(u, 2); else m := "low"; end if;
  s := if u > 0.4 then "on" else "off";
  y := if s == "off" then 1 elseif s <> "on" then 2 else 3;
  assert(u < 0.9, "now " + m + "!");
  annotation(%s);
end f;
model M
  Real x = time, y; String s;
equation
  (y, s) = f(x);
  assert(x < %s, s);
end M;"""
    for inline in ("Inline = true", "Inline = false"):
        result = check_exit(run_text("simulate", text.replace(", s) =", ", ) =").replace(
            "String s;\nequation", "String s = \"x\";\nequation") % (inline, "2"), "--stop",
            "1", "--intervals", "4"), 5)
        contains(result.err, ": now high!")
        rows = [[float(v) for v in line.split(",")] for line in result.out.split()[1:]]
        assert all(y == (1 if x <= 0.4 else 3) for t, x, y in rows if abs(t - 0.4) > 1e-6), rows
    model = """model M Real x = time; String s = if x > 2 then "a" elseif x > 0.3 then "b " + String(x)
  else "c"; Boolean b = t == "late"; String t = if x > 0.5 then "late" else "early";
equation assert(x < 0.9, s + t); end M;"""
    shown = check_exit(run_text("show", model), 0).out
    contains(shown, 'b = x > 0.5')
    equal(check_exit(run_text("show", shown), 0).out, shown)
    contains(check_exit(run_text("simulate", model), 5).err, "at t = 0.9: b 0.9late")
    loop = text.replace("  s := if", "  while k < u loop k := k + 1; m := m + \"x\"; end while;\n"
                        "  s := if") % ("Inline = true", "2")
    err = check_exit(run_text("show", loop), 3).err
    contains(err, "a text that changes in a loop whose end is known only at run time ('m')")


TEXTS = """model M
  Real x(start = 0, fixed = true);
  parameter Integer n = 2;
  String s;
  String t;
  String u[2];
  String v[3];
  String w;
equation
  der(x) = 1;
  if x > 0.5 then
    if n > 1 then
      s = "a";
    else
      s = "b";
    end if;
  elseif x > 0.25 then
    s = "c" + String(n);
  else
    s = "d";
  end if;
  u[1] = "p";
  "q" + String(n) = u[2];
  for i in 1:3 loop
    if i > n then
      v[i] = "big" + String(i);
    else
      v[i] = "small";
    end if;
  end for;
  assert(x < 0.1, "1 " + s + u[2] + v[1] + v[3] + t + w, AssertionLevel.warning);
  assert(x < 0.3, "2 " + s, AssertionLevel.warning);
  assert(x < 0.6, "3 " + s + t + w, AssertionLevel.warning);
algorithm
  t := "k";
  if x > 0.4 then
    t := "l";
  end if;
  if n > 5 then
    w := "m";
  else
    w := "o";
  end if;
end M;"""


def test_texts_in_branches_and_loops_of_a_model():
    result = check_exit(run_text("simulate", TEXTS, "--stop", "1"), 0)
    for said in (": 1 dq2smallbig3ko", ": 2 c2", ": 3 alo"):
        contains(result.err, said)
    result = check_exit(run_text("simulate", TEXTS, "--stop", "1", "--set", "n=1"), 0)
    for said in (": 1 dq1smallbig3ko", ": 2 c1", ": 3 blo"):
        contains(result.err, said)


def test_texts_that_change_otherwise_are_refused():
    for body in ('if x > 1 then s = "a"; end if;',
                 's = "a"; if x > 1 then s = "a"; else s = "b"; end if;'):
        model = f'model M Real x = time; String s; equation {body} end M;'
        contains(check_exit(run_text("show", model), 3).err,
                 "not supported yet: String variables that equations under a condition known "
                 "only at run time give their text")


def test_texts_of_elements_that_are_declared_alone():
    result = check_exit(run_text("show", '''class M
  String s[1];
  String s[2];
equation
  s[1] = "a";
  s[2] = "b";
end M;'''), 0)
    contains(result.out, 's[2] = "b"')


MEASURED = """model M
  function f
    input Real v[:]; output Real r[size(v, 1)];
  protected
    Real e;
  algorithm
    assert(v[1] < 5, "large");
    e := v[1];
    while e > 0.1 loop
      e := e/2;
    end while;
    for i in 1:size(v, 1) loop
      r[i] := v[i] + e;
    end for;
  end f;
  Real s[3] = {1.0, 2.0, time};
  Real m[%s] = f(v = s);
  Real n[%s] = 2*m/(s[1] - s[2]);
  Real w[%s] = transpose([s, m]);
  %s
end M;
"""


def test_sizes_of_variables_by_their_values():
    """Real m[:] = f(s): what is known of s is its size."""
    with_sizes = check_exit(run_text("show", MEASURED % ("3", "3", "2, 3", "")), 0).out
    equal(check_exit(run_text("show", MEASURED % (":", ":", ":, :", "")), 0).out, with_sizes)
    contains(check_exit(run_text("show", MEASURED % (
        "3", "3", "2, 3", "Integer k = integer(time); Real z[:] = s[1:k];")), 3).err,
             "the size of 'z' is not known")


main(globals())
