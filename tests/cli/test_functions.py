"""User functions, records, algorithm sections: what becomes of them, and
the messages about mistakes."""

from harness import MODELS, check_exit, contains, equal, main, run, run_text


def equations(text):
    shown = check_exit(run_text("show", text), 0).out
    return [line.strip().rstrip(";") for line in shown.split("equation\n")[1].split(
        "  annotation")[0].split("end ")[0].splitlines()]


def rejected(text, message):
    contains(check_exit(run_text("show", text), 3).err, message)


SQUARE = "function sq input Real x; output Real y; algorithm y := x*x; end sq; "


def test_functions_are_inlined():
    shown = check_exit(run("show", MODELS / "functions.mo"), 0).out
    contains(shown, "der(x) = -x^2;")
    contains(shown, "y = x^3 + 35;")  # loops with known bounds
    # return in a branch
    contains(shown, "z = noEvent(if x > 0.5 then 0.5 else if x < -0.5 then -0.5 else x);")
    contains(shown, "s = p[1]^2 + p[2]^2 + p[3]^2;\n  n = 3;")  # two results
    contains(shown, "v[2] = 9*x^2;")  # a scalar function of an array
    # a function value with a bound argument
    contains(shown, "(if x > 2 then 2 else if x < -2 then -2 else x)")
    contains(shown, "parameter Integer f5 = 120;")  # recursion
    contains(shown, "e = 0.25*x + f5;")  # while, break


def test_functions_are_simulated():
    out = check_exit(run("simulate", MODELS / "functions.mo", "--stop", "1",
                         "--intervals", "1"), 0).out
    last = dict(zip(out.splitlines()[0].replace('"', "").split(","),
                    map(float, out.splitlines()[-1].split(","))))
    equal(abs(last["x"] - 0.5) < 1e-8, True)
    equal(abs(last["y"] - 35.125) < 1e-7, True)


def test_records_are_their_members():
    shown = check_exit(run("show", MODELS / "records.mo"), 0).out
    contains(shown, "Real r.a(start = 1, fixed = true);\n  Real r.p.x = time;\n"
             "  Real r.p.y(unit = \"m\");\n  Real r.b[1];")
    contains(shown, "Real q[2].x = 2*time;")
    contains(shown, "parameter Real d.y(unit = \"m\") = c.y;")
    contains(shown, "s.p.x = r.p.x + 1;\n  s.p.y = r.p.y;\n  s.b[1] = 2*r.b[1];")
    contains(shown, "m = sqrt(q[2].x^2 + q[2].y^2) + d.y;")
    last = check_exit(run("simulate", MODELS / "records.mo", "--stop", "1", "--intervals", "1"),
                      0).out.splitlines()[-1]
    contains(last, "7.23606797749979")


def test_an_operator_record_inside_the_model_is_imported_by_its_operators():
    shown = equations("""model M
  operator record C
    Real re; Real im;
    encapsulated operator '*'
      function multiply
        import M.C;
        input C a; input C b; output C c;
      algorithm
        c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
      end multiply;
    end '*';
  end C;
  C z, w;
equation
  z = C(cos(time), sin(time));
  w = z*z;
end M;""")
    contains(" ".join(shown), "w.re = z.re^2 - z.im^2")


def test_operator_records_and_enumerations():
    shown = check_exit(run("show", MODELS / "operator_record.mo"), 0).out
    contains(shown, "w.re = 2*z.re^2 - 2*z.im^2 - z.re - 1;\n  w.im = 4*z.re*z.im - z.im;")
    contains(shown, "s.re = v[1].re + v[2].re;")
    contains(shown, "u = t[2];\n  sumE = t[1] + t[2] + t[3];")


def test_record_variables_with_a_value():
    text = (
        "record R Real a; Integer n; end R; "
        "function f input Real x; output R r; algorithm r.a := x; r.n := 2; end f; "
        "model M R r = f(time); R s[2] = fill(f(2*time), 2); Real y = sum(s.a); end M;"
    )
    shown = check_exit(run_text("show", text), 0).out
    contains(shown, "Real r.a = time;")
    contains(shown, "Real s[2].a = 2*time;")
    contains(shown, "Real y = s[1].a + s[2].a;")
    rejected("record R Real a; end R; model M R r = R(1); Real y = max(r); end M;",
             "takes one array of numbers")
    equal(equations("record R Real a; Real b; end R; class M R r; equation r = 0; end M;"),
          ["r.a = 0", "r.b = 0"])


def test_algorithm_sections_give_each_variable_its_equation():
    shown = check_exit(run("show", MODELS / "algorithm.mo"), 0).out
    contains(shown, "v[1] = x;\n  v[2] = if x > 100 then 0 else 2*x;")
    contains(shown, "else 7;")  # z keeps its start value where nothing assigns it
    out = check_exit(run("simulate", MODELS / "algorithm.mo", "--stop", "1",
                         "--intervals", "1"), 0).out
    equal(out.splitlines()[1], "0,1,12,6,1,2,3")


def test_subscripts_that_vary():
    text = (
        "function pick input Real x[:]; input Integer i; output Real y; "
        "algorithm y := x[i]; end pick; "
        "function put input Integer i; output Real y[3]; algorithm y := {1, 2, 3}; "
        "y[i] := 7; end put; "
        "model M Real a[3] = {time, 2, 3}; Integer k = if time > 1 then 2 else 1; "
        "Real y = pick(a, k); Real z[3] = put(k); end M;"
    )
    shown = check_exit(run_text("show", text), 0).out
    contains(shown, "{a[1], a[2], a[3]}[k]")
    contains(shown, "Real z[2] = noEvent(if k == 2 then 7 else 2);")


def test_arguments():
    f = ("function f input Real x; input Real a = 2; input Real b = a + 1; output Real y; "
         "algorithm y := a*x + b; end f; ")
    equal(equations(f + "model M Real y; equation y = f(time); end M;"), ["y = 2*time + 3"])
    equal(equations(f + "model M Real y; equation y = f(time, b = 1, a = 4); end M;"),
          ["y = 4*time + 1"])
    rejected(f + "model M Real y; equation y = f(time, c = 1); end M;", "'f' has no argument 'c'")
    rejected(f + "model M Real y; equation y = f(time, x = 1); end M;",
             "argument 'x' of 'f' is given twice")
    rejected(f + "model M Real y; equation y = f(); end M;", "argument 'x' of 'f' is missing")
    rejected(f + "model M Real y; equation y = f(1, 2, 3, 4); end M;",
             "'f' takes fewer than 4 arguments")
    rejected(f + "model M Real y; equation y = f(true); end M;",
             "'x' is Real, this value is Boolean")


def test_sizes_and_missing_values():
    f = ("function f input Real x[:]; input Real y[size(x, 1)]; output Real s; "
         "algorithm s := x*y; end f; ")
    equal(equations(f + "model M Real y; equation y = f({time, 1}, {2, 3}); end M;"),
          ["y = 2*time + 3"])
    rejected(f + "model M Real y; equation y = f({time, 1}, {2, 3, 4}); end M;",
             "'y' has size [2], this value has size [3]")
    rejected("function f input Real x; output Real y; algorithm if x > 5 and x "
             "< 4 then end if; end f; model M Real y; equation y = f(time); end M;",
             "'f' gives its result 'y' no value")
    rejected("function f input Real x; output Real y; protected Real t; algorithm y := t + x; "
             "end f; model M Real y; equation y = f(time); end M;", "'t' has no value yet")
    rejected("function f input Real x; output Real y; algorithm x := 1; y := x; end f; "
             "model M Real y; equation y = f(time); end M;", "input 'x' cannot be assigned")


def test_a_binding_that_needs_what_has_no_value_gives_none():
    text = """function f
  input Real x; output Real yOUT;
protected
  Real u[2]; Real e = u*{1, 2} - x; Real g[2] = {e, 1};
algorithm
  u := {x, 1}; BODY
end f;
model M Real y = f(time); end M;
"""
    unused = text.replace("OUT", "")
    result = check_exit(run_text("show", unused.replace("BODY", "y := sum(u);")), 0)
    contains(result.out, "Real y = time + 1;")
    contains(result.err, ":4:23: warning: 'u[1]' has no value yet")
    result = check_exit(run_text("show", unused.replace("BODY", "e := 5*x; y := e;")), 0)
    contains(result.out, "Real y = 5*time;")
    for body in ("y := e;", "y := g[1];", "y := 1 + e;", "if e > 1 then y := 1; else y := 2; end if;",
                 "if x > 1 then e := 1; end if; y := 2*e + g[1];"):
        result = check_exit(run_text("show", unused.replace("BODY", body)), 3)
        contains(result.err, "no value")
    for wrong in (unused.replace("u*{1, 2}", "w"), text.replace("OUT", " = u[1]"),
                  unused.replace("g[2]", "g[:]")):
        check_exit(run_text("show", wrong.replace("BODY", "y := x*size(g, 1);")), 3)


def test_conditions_of_constants_that_cancel_are_not_decided_by_rounding():
    """sin(1)^2 + cos(1)^2 - 1 is 2e-16 in double precision."""
    sign = ("function f input Real x; output Real y; algorithm if {0} > 0 then y := 1; "
            "elseif {0} < 0 then y := -1; else y := 0; end if; end f; ")
    for term in ["sin(x)^2 + cos(x)^2 - 1", "1e20*(sin(x)^2 + cos(x)^2 - 1)",
                 "log(2*x) + log(3*x) - log(6*x^2)", "sqrt(5 + x) - sqrt(2)*sqrt(3)*x"]:
        text = sign.format(term) + "model M parameter Real p = f(1); Real y = 2*f(1) + 3; end M;"
        rows = check_exit(run_text("simulate", text, "--stop", "0.1"), 0).out.splitlines()
        equal(rows[1].split(",")[1], "3")
        check_exit(run_text("check-init", text), 0)
    clear = sign.format("log(x + 1) - 0.6931") + "model M parameter Real p = f(1); end M;"
    contains(check_exit(run_text("show", clear), 0).out, "p = 1;")


def test_recursion_and_loops_without_end():
    rejected("function f input Integer n; output Integer y; algorithm y := f(n + 1); end f; "
             "model M parameter Integer p = f(1); end M;", "calls inside each other")
    rejected("function f input Integer n; output Integer y; algorithm y := 0; while true loop "
             "y := y + 1; end while; end f; model M parameter Integer p = f(1); end M;",
             "error: 'f' cannot be executed here: this function takes too many operations at "
             "translation")
    rejected("model M Integer y; algorithm y := 0; while y < 1 loop y := y - 1; end while; end M;",
             "error: this function takes too many operations at translation")


def test_assertions_inside_functions():
    f = ('function f input Real x; output Real y; '
         'algorithm if x > 2 then assert(x < 3, "too large"); end if; y := x; end f; ')
    rejected(f + "model M parameter Real p = f(4); Real y = p; end M;", "too large")
    failed = run_text("simulate", f + "model M Real y = f(4*time); end M;", "--stop", "1")
    equal(failed.code, 5)
    contains(failed.err, "too large")


def test_assertions_of_functions_hold_in_the_branch_that_calls_them():
    root = ('function root input Real x; output Real y; algorithm '
            'assert(x > 0, "x is not positive"); y := sqrt(x); end root; '
            'function part input Real x; output Real y; algorithm '
            'y := if x > LIMIT then root(x - 0.5) else 0; end part; ')
    for value in ("if time > LIMIT then root(time - 0.5) else 1", "part(time)",
                  "if time <= LIMIT then 1 else 2*root(time - 0.5)"):
        model = root + f"model A Real y = {value}; end A;"
        check_exit(run_text("simulate", model.replace("LIMIT", "0.6"), "--stop", "1"), 0)
        failed = check_exit(run_text("simulate", model.replace("LIMIT", "0.4"), "--stop", "1"), 5)
        contains(failed.err, "x is not positive")


def test_a_subscript_outside_is_wrong_where_it_is_reached():
    pick = ("function pick input Real x; input Real v[:]; output Real y; algorithm "
            "if x > 0.5 then y := v[2]; else y := v[1]; end if; end pick; "
            "function choose input Real x; input Real v[:]; output Real y; algorithm "
            "y := if x > 0.5 then v[2] else v[1]; end choose; ")
    for name in ("pick", "choose"):
        model = pick + f"model A Real y = {name}(time, {{3}}); end A;"
        check_exit(run_text("simulate", model, "--stop", "0.4"), 0)
        failed = check_exit(run_text("simulate", model, "--stop", "1"), 5)
        contains(failed.err, "subscript 2 is outside 1:1 of 'v'")
    rejected("function f input Real v[:]; output Real y; algorithm y := v[2]; end f; "
             "model A Real y = f({3}); end A;", "subscript 2 is outside 1:1 of 'v'")
    rejected("model A Real x, v[1]; algorithm v[1] := time; "
             "if time > 0.5 then x := v[2]; else x := 0; end if; end A;",
             "subscript 2 is outside 1:1 of 'v'")


def test_a_record_of_parameters_may_lack_what_nothing_uses():
    record = ("record R Real a; Real b; end R; function f input Real x; output R r; algorithm "
              "r.a := 2*x; if x > 1 then r.b := 3; end if; end f; ")
    model = record + ("model A parameter Real p = 0.5; parameter R r = f(p); "
                      "Real y = if p > 1 then r.b else r.a; end A;")
    out = check_exit(run_text("simulate", model, "--stop", "1", "--intervals", "1"), 0).out
    equal(out.splitlines()[-1], "1,1")
    # a variable is asserted to have its value
    failed = check_exit(run_text("simulate", record + "model A R r = f(time + 0.5); end A;",
                                 "--stop", "1"), 5)
    contains(failed.err, "is used without a value")


def test_names_inside_a_function_are_its_own():
    text = ("function f input Real x; output Real y; protected Real k = 3; "
            "algorithm y := k*x; end f; model M Real k = 5; Real y = f(time); end M;")
    contains(check_exit(run_text("show", text), 0).out, "Real y = 3*time;")


def test_what_a_function_scales_stays_scaled():
    # taken apart, 1/165300000 to the power 64 would be less than any double
    result = check_exit(run_text("simulate", """function power
  input Real p;
  output Real y;
protected
  Real s;
algorithm
  s := 7.1 - p/16530000;
  for k in 1:5 loop
    s := s*s;
  end for;
  y := s*s*1e-54;
end power;
model Scaled
  Real p = 1e5 + time;
  Real y = power(p);
end Scaled;""", "--stop", "1", "--intervals", "1"), 0)
    value = float(result.out.splitlines()[1].split(",")[2])
    expected = (7.1 - 1e5/16530000)**64*1e-54
    assert abs(value - expected) < 1e-12*expected, (value, expected)


def test_assertions_of_functions_make_no_events():
    result = check_exit(run_text("simulate", """function square
  input Real x;
  output Real y;
algorithm
  assert(x < 0.5, "x is large", AssertionLevel.warning);
  y := x^2;
end square;
model Told
  Real x(start = 0, fixed = true);
  Real y = square(x);
equation
  der(x) = 1;
end Told;""", "--stop", "1", "--intervals", "1"), 0)
    contains(result.err, "assertion failed at t = 0.5: x is large")
    equal(len(result.out.splitlines()), 3)


def test_a_function_with_assertions_is_called_in_a_when_equation():
    text = """function level
  input Real x;
  output Integer y;
algorithm
  if x > 0.1 then
    assert(x < LIMIT, "x is too large");
  end if;
  y := if x > 1.2 then 1 else 0;
end level;
model Called
  Real x = 1 + time;
  Integer r(start = 0, fixed = true);
equation
  when time > 0.5 then
    r = level(x);
  end when;
end Called;"""
    good = check_exit(run_text("simulate", text.replace("LIMIT", "1.6"), "--stop", "1",
                               "--intervals", "1"), 0)
    equal(good.out.splitlines()[-1], "1,2,1")  # the condition counts at the event only
    failed = check_exit(run_text("simulate", text.replace("LIMIT", "1.4"), "--stop", "1"), 5)
    contains(failed.err, "assertion failed at t = 0.5: x is too large")


if __name__ == "__main__":
    main(globals())
