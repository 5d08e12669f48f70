"""String variables that change at events, and what messages tell of an event."""

import os

from harness import check_exit, contains, equal, main, run_text, scratch

SAY = """impure function say
  input String text; input String file = "";
external "C" ModelicaInternal_print(text, file);
end say;
"""


def said(text, stop="3"):
    result = check_exit(run_text("simulate", SAY + text, "--stop", stop), 0)
    return [line.split("note: ", 1)[1] for line in result.err.splitlines() if "note: " in line]


def test_equations_of_a_when_clause_give_a_text():
    text = """model M
  Real x(start = 0, fixed = true); String s(start = "begin");
equation
  der(x) = 1;
  when x > 1 then s = "on " + String(x, significantDigits = 3);
  elsewhen x > 2 then s = "off";
  end when;
  assert(x < %s, "it is " + s);
end M;"""
    for limit, words in (("0.5", "begin"), ("1.5", "on 1"), ("2.5", "off")):
        contains(check_exit(run_text("simulate", text % limit, "--stop", "3"), 5).err,
                 "assertion failed at t = " + limit + ": it is " + words)


def test_the_first_variable_of_a_model_may_be_a_text_that_changes():
    for action, words in (('s = "at " + String(time)', "at 0.25"), ('s = "now"', "now")):
        text = f"""model M
  String s(start = "begin");
equation
  when time > 0.25 then {action}; end when;
  assert(time < 0.5, "<" + s + ">");
end M;"""
        contains(check_exit(run_text("simulate", text, "--stop", "1"), 5).err, f"<{words}>")
        result = check_exit(run_text("simulate", text.replace("0.25", "0.75")), 5)
        contains(result.err, "<begin>")


LATE = """record R String name; Real x; end R;
record S R r; String t; end S;
function f
  input Real t; output Real y; output String s;
algorithm
  y := 2*t; s := "t=" + String(t);
end f;
function r
  input Real t; output R q;
algorithm
  q := R("r" + String(t), t);
end r;
"""

# what declares and defines s, and its text at 0.5
TEXTS_OF_SECTIONS = [
    ("Real y; String s; equation (y, s) = f(time);", "t=0.5"),
    ("Real y; String s; algorithm (y, s) := f(time);", "t=0.5"),
    ("Real y[2]; String u[2]; String s = u[2] + u[1]; equation "
     "for i in 1:2 loop (y[i], u[i]) = f(i*time); end for;", "t=1t=0.5"),
    ("Integer i; String s; algorithm s := \"\"; i := 0; while i < 3 loop i := i + 1; "
     "s := s + String(i*time) + \";\"; end while;", "0.5;1;1.5;"),
    ("String s(start = \"a\"); algorithm for i in 1:4 loop if mod(i, 2) == 0 then "
     "s := s + String(i); end if; end for;", "a24"),
    ("String s; algorithm s := \"a\"; if time > 0.4 then s := s + \"b\"; end if; s := s + \"c\";",
     "abc"),
    ("String v[3]; String s = v[1] + v[2] + v[3]; algorithm for k in {\"x\", \"y\", \"z\"} loop "
     "if k == \"x\" then v[1] := k; elseif k == \"y\" then v[2] := k; else v[3] := k; end if; "
     "end for;", "xyz"),
    ("R a; String s = a.name; equation a = r(2*time);", "r1"),
    ("R a, b; String s = \"<\" + a.name + \">\"; equation a = b; b = r(time);", "<r0.5>"),
    ("R a[2]; String s = a[1].name + a[2].name; equation a = {r(time), R(\"q\", 2)};", "r0.5q"),
    ("R a[2]; String s = a[1].name + a[2].name; equation a.name = {\"u\", \"v\" + String(time)}; "
     "a.x = {1, 2};", "uv0.5"),
    ("S a; String s = a.r.name + a.t; algorithm a := S(r(time), \"w\");", "r0.5w"),
    ("R a; String s = a.name; equation when time > 0.25 then a = r(time); end when;", "r0.25"),
]


def test_texts_that_only_the_sections_tell():
    for body, words in TEXTS_OF_SECTIONS:
        text = f'{LATE}model M\n{body}\nequation\n  assert(time < 0.5, "[" + s + "]");\nend M;'
        result = check_exit(run_text("simulate", text, "--stop", "1"), 5)
        contains(result.err, f"assertion failed at t = 0.5: [{words}]")
        equal("warning" in result.err, False)
        shown = check_exit(run_text("show", text), 0).out
        equal(check_exit(run_text("show", shown), 0).out, shown)


def test_texts_of_sections_that_cannot_be():
    for body, words in (
            ('R a; equation a = R(a.name + "x", 2); assert(time < 5, a.name);',
             "'a.name' depends on itself"),
            ('R a, b; equation a = b; b.name = a.name; b.x = 1; assert(time < 5, a.name);',
             "depends on itself"),
            ('R a; Boolean b = a.name == "u"; equation a = R("u", 2);', "comparing texts"),
            ('Real y; String s; equation if time < 0.2 then (y, s) = f(time); '
             'else y = 2; s = "later"; end if; assert(time < 5, s);', "under a condition known only at run time"),
            ('Real y; String s, t; equation (y, s) = f(time); when time > 0.3 then t = s; end when; '
             'assert(time < 5, t);', "one of several results")):
        contains(check_exit(run_text("simulate", f"{LATE}model M {body} end M;"), 3).err, words)
    result = run_text("simulate", LATE + 'model M R a(name(start = "new")); R b; equation a = b; '
                      'b.x = 1; assert(time < 0.5, "[" + a.name + "]"); end M;', "--stop", "1")
    contains(check_exit(result, 5).err, "[]")
    contains(result.err, "warning: nothing gives the String variable 'b.name' a value")


EVENTS = """model M
  Real x(start = 0, fixed = true); discrete Real y(start = 0, fixed = true);
  String s(start = "a"), t(start = "b"), q, u[2](each start = "-"); R r;
  parameter String names[3] = {"one", "two", "three"};
equation
  der(x) = 1; r.v = x;
  when sample(0.5, 0.5) then
    (s, y) = label(x);
    t = "x" + String(x) + pre(q);
    say("now " + t + ", before " + pre(t));
  end when;
  when change(s) then
    u[1] = s; u[2] = if x > 1 then "B" else "A";
    say("from " + pre(s) + " to " + s + u[1] + u[2]);
  end when;
initial equation
  q = names[2];
algorithm
  when x > 1.7 then q := names[3]; r.name := "rn"; elsewhen x > 2.2 then q := s; end when;
  when terminal() then say("end " + s + " " + t + " " + q + " " + r.name); end when;
end M;
"""
PARTS = """record R String name; Real v; end R;
function label
  input Real x; output String s; output Real y;
algorithm
  y := 2*x; s := if x > 1.2 then "high" else "low";
end label;
"""


def test_functions_arrays_records_pre_and_change():
    got = said(PARTS + EVENTS)
    equal(got, ["now x0.5two, before b", "from a to lowlowA", "now x1two, before x0.5two",
                "now x1.5two, before x1two", "from low to highhighB",
                "now x2three, before x1.5two", "now x2.5high, before x2three",
                "now x3high, before x2.5high", "end high x3high high rn"])


def test_what_show_prints_of_them_reads_back():
    shown = check_exit(run_text("show", SAY + PARTS + EVENTS), 0).out
    equal(check_exit(run_text("show", shown), 0).out, shown)
    contains(shown, "Integer '$text s'(start = ")


def test_statements_branches_and_comparisons():
    text = """model M
  Real x(start = 0, fixed = true); String s(start = "begin"); Boolean b = s == "large";
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when b then n = pre(n) + 1; end when;
  when s <> "begin" and x > 0 then say("left begin"); end when;
algorithm
  when sample(0.5, 0.5) then
    if x < 1.2 then s := "x is " + String(x); elseif x < 2.2 then s := "large"; end if;
    say(s);
  end when;
end M;"""
    contains(check_exit(run_text("simulate", SAY + text), 3).err, "comparing texts with values")
    plain = text.replace('"x is " + String(x)', '"small"')
    equal(said(plain, "2.7"), ["left begin", "small", "small", "large", "large", "large"])
    without = text.replace(" Boolean b = s == \"large\";", " Boolean b = x > 1.4;").replace(
        "  when s <> \"begin\" and x > 0 then say(\"left begin\"); end when;\n", "")
    equal(said(without, "2.7"), ["x is 0.5", "x is 1", "large", "large", "large"])


def test_texts_that_grow_or_are_taken_over_with_values_are_refused():
    head = "model M Real x = time; String s, t; equation when sample(0.5, 0.5) then "
    for body, word in (('s = pre(s) + "x"; end when; assert(x < 1, s);', "as a value of another"),
                       ("s = String(x); end when; when x > 1 then t = s; end when;",
                        "as a value of another"),
                       ("s = String(x); end when; assert(s < \"a\", \"\");",
                        "comparing texts with values")):
        contains(check_exit(run_text("simulate", head + body + " end M;"), 3).err, word)
    contains(check_exit(run_text("simulate", """model M Real x = time; String s;
algorithm
  when sample(0.5, 0.5) then s := String(x); if x > 1 then s := pre(s); end if; end when;
end M;"""), 3).err, "pre, in an algorithm section, of a String variable")


def test_pre_in_a_message_is_the_value_before_the_event():
    equal(said("""model M
  Integer n(start = 0, fixed = true);
equation
  when sample(0.5, 0.5) then
    n = pre(n) + 1;
    say(String(pre(n)) + " to " + String(n));
  end when;
end M;""", "1.2"), ["0 to 1", "1 to 2"])


def test_the_same_line_is_appended_as_often_as_statements_say():
    with scratch() as folder:
        path = os.path.join(str(folder), "lines.txt")
        text = SAY + f"""model M
  Real x = time;
initial algorithm
  for i in 1:2 loop say("again", "{path}"); end for;
  say("again", "{path}");
end M;"""
        check_exit(run_text("simulate", text), 0)
        with open(path, encoding="utf-8") as file:
            equal(file.read(), "again\n"*3)


main(globals())
