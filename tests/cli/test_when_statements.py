"""when in algorithm sections [language specification, 11.2.7]: every rule
with an answer that is known."""

import csv
import io
import json

from harness import check_exit, contains, equal, main, run_text


def rows_of(text, *options):
    result = check_exit(run_text("simulate", f"model A\n{text}\nend A;", "--stop", "1",
                                 "--intervals", "10", *options), 0)
    return list(csv.DictReader(io.StringIO(result.out)))


def last(text, name, *options):
    return float(rows_of(text, *options)[-1][name])


def refused(text, words):
    result = check_exit(run_text("simulate", f"model A\n{text}\nend A;"), 3)
    contains(result.err, words)
    equal(result.err.count(": error: "), 1)


def test_what_is_asked_at_instants_only_may_be_continuous():
    body = ("Real x(start = 0, fixed = true); Boolean b(start = false, fixed = true), c; equation "
            "der(x) = 1; algorithm when sample(0.3, 0.4) then b := noEvent(x > 0.5); end when; "
            "c := {};")
    for value, wanted in (("b and x < 2", [0, 1]), ("not b or x < 0", [1, 0]), ("not b", [1, 0])):
        rows = rows_of(body.format(value))
        seen = [int(rows[0]["c"])]
        seen += [int(row["c"]) for row in rows if int(row["c"]) != seen[-1]]
        equal(seen[:2], wanted)
        equal([float(row["time"]) for row in rows if int(row["c"]) == wanted[1]][0], 0.7)
    refused("Real x = time; Boolean b, c; equation b = noEvent(x > 0.5); c = b and x > 0;",
            "changes without one")


def test_a_counter_keeps_its_value_between_instants():
    rows = rows_of("Integer n(start = 3); "
                   "algorithm when sample(0.05, 0.1) then n := pre(n) + 1; end when;")
    equal([int(row["n"]) for row in rows if float(row["time"]) == 0.5][-1], 8)
    equal(rows[0]["n"], "3")
    equal(rows[-1]["n"], "13")


def test_the_section_begins_with_the_values_before():
    # no pre() in the text: v is pre(v) at the begin, and keeps it where nothing is assigned
    equal(last("Integer n; algorithm when sample(0.05, 0.1) then n := n + 1; end when;", "n"), 10)
    equal(last("Integer n(start = 2); algorithm if time > 0.5 then n := 7; end if;", "n"), 7)
    equal(rows_of("Integer n(start = 2); algorithm if time > 0.5 then n := 7; end if;")[0]["n"],
          "2")


def test_a_continuous_variable_begins_with_its_start_value():
    rows = rows_of("Real y(start = 4); algorithm if time > 0.55 then y := 7; end if;")
    equal((rows[0]["y"], rows[-1]["y"]), ("4", "7"))


def test_later_assignments_win():
    text = """Integer m; algorithm
  when time >= 0.5 then m := 1; end when;
  when time >= 0.5 then m := m + 10; end when;"""
    equal(last(text, "m"), 11)


def test_the_first_branch_that_is_active_counts():
    text = """Integer m; algorithm
  when time >= 0.5 then m := 1; elsewhen time >= 0.5 then m := 2;
  elsewhen time >= 0.75 then m := pre(m) + 4; end when;"""
    equal(last(text, "m"), 5)
    equal(last(text.replace("m := 1; elsewhen", "elsewhen"), "m"), 4)


def test_a_condition_that_holds_from_the_start_does_not_fire():
    equal(last("Integer m; algorithm when time < 2 then m := 1; end when;", "m"), 0)
    equal(last("Integer m; algorithm when {time < 2, time > 0.5} then m := 1; end when;", "m"), 1)


def test_initial_activates_a_branch_during_the_initialization():
    text = ("Integer m, k; algorithm when initial() then m := 5; "
            "elsewhen time > 0.5 then m := 6; end when;\n")
    rows = rows_of(text + "when {initial(), time > 0.5} then k := pre(k) + 1; end when;")
    equal((rows[0]["m"], rows[-1]["m"]), ("5", "6"))
    equal((rows[0]["k"], rows[-1]["k"]), ("1", "2"))


def test_values_at_their_place():
    # relations and conditions take the values that the names have at that place
    text = """Real x(start = 0, fixed = true); Real y; Integer n; Boolean b;
algorithm
  y := 2*x;
  b := y > 1;
  when b then n := n + 1; end when;
  y := y - 1;
  when y > 0.5 then n := n + 10; end when;
equation der(x) = 1;"""
    rows = rows_of(text)
    changes = [(round(float(b["time"]), 6), b["n"]) for a,
               b in zip(rows, rows[1:]) if a["n"] != b["n"]]
    equal(changes, [(0.5, "1"), (0.75, "11")])


def test_pre_edge_and_change_in_a_section_are_those_of_the_variable():
    text = """Integer n, up, changes; Boolean b;
algorithm
  b := time > 0.25 and time < 0.75;
  if edge(b) then up := up + 1; end if;
  if change(b) then changes := changes + 1; end if;
  n := 4;
  n := pre(n) + n - 4;"""
    rows = rows_of(text)
    equal([rows[-1][name] for name in ("up", "changes", "n")], ["1", "2", "0"])


def test_one_buffer_for_each_round_of_a_loop():
    text = """Real x(start = 0, fixed = true); Integer n[3], k;
algorithm
  for i in 1:3 loop
    when x > i/4 then n[i] := i; end when;
  end for;
  k := 0;
  for i in 1:3 loop if x > i/4 then k := k + 1; end if; end for;
equation der(x) = 1;"""
    rows = rows_of(text)
    changes = [round(float(b["time"]), 6) for a, b in zip(rows, rows[1:]) if a["k"] != b["k"]]
    equal(changes, [0.25, 0.5, 0.75])
    equal([rows[-1][f"n[{i}]"] for i in (1, 2, 3)], ["1", "2", "3"])


def test_reals_assigned_in_when_are_discrete():
    rows = rows_of("Real x(start = 0, fixed = true), z(start = -1); "
                   "algorithm when x > 0.35 then z := x; end when; equation der(x) = 1;")
    equal(rows[0]["z"], "-1")
    assert abs(float(rows[-1]["z"]) - 0.35) < 1e-9


def test_terminate_and_assert_act_when_the_branch_is_active():
    text = ("Real x(start = 0, fixed = true); algorithm when x > 0.35 then if x > %s then "
            "terminate(\"done\"); end if; end when; equation der(x) = 1;")
    assert abs(float(rows_of(text % "0.1")[-1]["time"]) - 0.35) < 1e-9
    equal(rows_of(text % "0.5")[-1]["time"], "1")
    text = ("Real x(start = 0, fixed = true); algorithm when x > 0.35 then assert(x < %s, "
            "\"too late\"); end when; equation der(x) = 1;")
    rows_of(text % "0.5")
    contains(check_exit(run_text("simulate", f"model A {text % '0.3'} end A;"), 5).err, "too late")


def test_assert_takes_the_values_of_its_instant():
    # after the instant pre(n) is 2, and pre(n) + 1 < 3 would not hold any more
    text = ("Integer n; algorithm when {time > 0.5, time > 0.7} then n := n + 1; "
            "assert(n < %s, \"few\"); end when;")
    equal(last(text % "3", "n"), 2)
    contains(check_exit(run_text("simulate", f"model A {text % '2'} end A;"), 5).err,
             "failed at t = 0.7: few")


def test_the_conditions_are_not_among_the_results():
    assert not any("when" in name for name in rows_of(
        "Integer n; algorithm when time > 0.5 then n := 1; end when;")[0])


def test_initial_algorithm_gives_start_values():
    text = ("Integer n, m; Real x; "
            "initial algorithm n := 2; for i in 1:3 loop n := n*2; end for; x := n; "
            "algorithm when time > 2 then n := 0; end when; equation m = n; der(x) = 0;")
    row = rows_of(text)[-1]
    equal((row["n"], row["m"], row["x"]), ("16", "16", "16"))


def test_mistakes_are_placed():
    refused("Integer n; algorithm when time > 1 then when time > 2 then n := "
            "1; end when; end when;", "when-statements cannot be nested")
    refused("Integer n; initial algorithm when time > 1 then n := 1; end when; equation n = 2;",
            "initial algorithm cannot have when")
    refused("Integer n; algorithm if time > 1 then when time > 2 then n := "
            "1; end when; end if;", "inside an if-statement")
    refused("Integer n; algorithm when 3 then n := 1; end when;", "needs a condition")
    refused("Real x; algorithm when time > 1 then reinit(x, 1); end when; equation der(x) = 1;",
            "when-equations only")
    refused("function f input Real u; output Real y; algorithm when u > 1 then y := 1; end "
            "when; end f; Real y = f(time);", "a function cannot have when")

LITERAL = """model M
  Real x(start = 0, fixed = true);
  discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true);
  discrete Integer k(start = 0, fixed = true);
  Boolean y;
  Integer m(start = 0, fixed = true);
algorithm
  y := x > 0.5;
  when sample(0, 0.5) then
    a := 10*x;
    k := integer(a) + (if y then 0 else 100);
    b := if a > 3.3 then 1 else 0;
  elsewhen x > 0.7 then
    b := if x > 0.6 then 5 else 6;
  end when;
  m := integer(2*x);
equation
  der(x) = cos(time);
end M;"""


def test_relations_in_a_when_statement_make_no_events():
    """Only y, the second condition and m do, twice each at most: not a > 3.3, integer(a)."""
    result = check_exit(run_text("simulate", LITERAL, "--stop", "1.2", "--stats", "--format",
                                 "json", "--intervals", "1"), 0)
    events = json.loads(result.err)["events"]
    equal((events["time"], events["state"]), (2, 2))
    last = result.out.splitlines()[-1].split(",")
    equal([float(v) for v in last[3:5]], [1, 8])


RANGES = """type E = enumeration(a, b, c);
function next
  input E e;
  output E n;
algorithm
  n := if e == E.c then E.a else E(Integer(e) + 1);
end next;
function less
  input Integer k;
  output Integer m;
algorithm
  assert(k <= 2, "too large");
  m := k + 1;
end less;
model M
  E c(start = E.a, fixed = true);
  E d(start = E.a, fixed = true);
  Integer k(start = 1, fixed = true);
  Integer l(start = 1, fixed = true);
equation
  when sample(0.3, 0.3) then
    c = next(pre(c));
    k = if pre(k) > LAST then 1 else less(pre(k));
  end when;
algorithm
  when sample(0.3, 0.3) then
    if d == E.c then
      d := E.a;
    else
      d := E(Integer(d) + 1);
    end if;
    l := if l > 2 then 1 else less(l);
  end when;
end M;"""


def test_assertions_of_functions_in_a_branch_are_looked_at_in_that_branch_only():
    result = check_exit(run_text("simulate", RANGES.replace("LAST", "2"), "--stop", "1"), 0)
    equal(result.out.splitlines()[-1].split(",")[1:], ["1", "1", "1", "1"])


def test_assertions_of_functions_in_the_branch_that_is_taken_fail():
    result = check_exit(run_text("simulate", RANGES.replace("LAST", "5"), "--stop", "1"), 5)
    contains(result.err, "assertion failed at t = 0.9: too large")


def test_values_of_an_enumeration_are_asserted_in_when_statements():
    text = """type E = enumeration(a, b, c);
model M
  E c(start = E.a, fixed = true);
algorithm
  when sample(0.3, 0.3) then
    c := E(Integer(c) + 1);
  end when;
end M;"""
    result = check_exit(run_text("simulate", text, "--stop", "1"), 5)
    contains(result.err, "'E' has values 1 to 3 only")


main(globals())
