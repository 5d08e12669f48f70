"""Forms of functions, records, enumerations and texts, each with a known answer."""

import csv
import io

from harness import check_exit, contains, main, run_text


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
    for call, word in (('String(x, format = "8.2d")', "no format"),
                       ("String(x, digits = 3)", "no such argument")):
        text = f'model M Real x = time; equation assert(x < 9, "a" + {call}); end M;'
        contains(check_exit(run_text("show", text), 3).err, word)


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


main(globals())
