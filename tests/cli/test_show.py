"""daetool show: the model as understood, and the reader's messages as a user sees them."""

from pathlib import Path

from harness import EXAMPLES, MODELS, check_exit, contains, equal, main, run, run_text, scratch


def all_models():
    return sorted(EXAMPLES.glob("*.mo")) + sorted(MODELS.glob("*.mo"))


def test_reading_the_output_gives_the_same_bytes():
    for path in all_models():
        for options in [[], ["--evaluate"]]:
            first = run("show", *options, path)
            if first.code != 3:
                check_exit(first, 0)
                equal(check_exit(run_text("show", first.out), 0).out, first.out)


def test_large_terms_are_functions_with_their_parts_named():
    step = "y := sin(y) + cos(y)/3 + (if y > i/10 then y/2 else y/4);"
    model = (f"function f input Real u; output Real y; algorithm y := u; for i in 1:16 loop {step} "
             "end for; annotation(GenerateEvents = true, Inline = true); end f; "
             "model M parameter Real p = 2; Real x(start = 1, fixed = true); "
             "Real z = f(x + p*time); Boolean b = f(time) > 1; equation der(x) = -x; end M;")
    first = check_exit(run_text("show", model), 0).out
    contains(first, "function '$shared1'\n  input Real u1;\n")
    contains(first, "  output Boolean y;\n")
    contains(first, "  Real z = '$shared1'(x, p, time);\n  Boolean b = '$shared2'(time);\n")
    equal(len(first) < 20000, True)
    equal(check_exit(run_text("show", first), 0).out, first)
    stop = ["simulate", "--stop", "1", "--intervals", "4"]
    equal(check_exit(run_text(stop[0], first, *stop[1:]), 0).out,
          check_exit(run_text(stop[0], model, *stop[1:]), 0).out)


def test_parameters_are_folded_on_request():
    model = "model M parameter Real a = 0.1; Real x; equation x = a + 0.2; end M;"
    contains(check_exit(run_text("show", model), 0).out,
             "  parameter Real a = 0.1;\n  Real x;\nequation\n  x = a + 0.2;\n")
    contains(check_exit(run_text("show", model, "--evaluate"), 0).out,
             "model M\n  Real x;\nequation\n  x = 0.3;\n")


def test_set_and_input_are_seen():
    model = "model M parameter Real a = 1; input Real u; Real x; equation der(x) = a*u; end M;"
    contains(check_exit(run_text("show", model, "--set", "a=7", "--input", "u=sin(time)",
                                 "--evaluate"), 0).out, "der(x) = 7*sin(time)")
    result = check_exit(run_text("show", model), 0)
    contains(result.err, "warning: input 'u' is held constant at its start value 0")
    contains(check_exit(run_text("show", model, "--set", "b=7"), 2).err,
             "no parameter or variable 'b'")


def test_json_has_the_model_in_order():
    data = check_exit(run("show", "--format", "json", EXAMPLES / "pendulum.mo"), 0).json()
    equal(list(data), ["model", "parameters", "variables", "equations", "initial_equations"])
    equal([v["name"] for v in data["variables"]], ["x", "y", "u", "v", "lambda"])
    equal([e["text"] for e in data["initial_equations"]], ["y = 0", "v = 0"])
    equal(data["equations"][0], {"index": 0, "text": "der(x) = u", "line": 15})


def test_messages_have_place_line_and_caret():
    with scratch() as folder:
        path = Path(folder) / "bad.mo"
        path.write_text("model Bad\n  Real lambda;\nequation\n  2*lamda = 1;\nend Bad;\n")
        err = check_exit(run("show", path), 3).err
        contains(err, f"{path}:4:5: error: unknown name 'lamda'; did you mean 'lambda'?\n")
        contains(err, "  2*lamda = 1;\n")
        contains(err, "\n      ^~~~~\n")


def test_what_is_not_supported_is_exit_3():
    for part in ["x = getInstanceName();"]:
        result = check_exit(run_text("show", f"model M Real x; equation {part} end M;"), 3)
        contains(result.err, "not supported yet: ")


def test_one_of_several_models_is_chosen():
    text = "model A Real x; equation x = 1; end A; model B Real y; equation y = 2; end B;"
    contains(run_text("show", text).out, "model B\n")
    contains(run_text("show", text, "--model", "A").out, "model A\n")
    contains(check_exit(run_text("show", text, "--model", "C"), 2).err, "no model 'C'")


EVENTS = [
    # declarations and equations, what is printed
    ("Boolean b(start = true); Real x(start = 1, fixed = true); "
     "equation der(x) = if b then -1 else 1; b = x > 0.5 or pre(b) and x > 0.2;", "pre(b)"),
    ("Boolean a, b; equation a = time > 1; not b = a;", " = a"),
    ("Boolean a = time > 1, b = false or a; Integer n = if a then 2 else 3;", " a = "),
    ("type E = enumeration(u, v); E e, f(start = E.v); "
     "equation e = if time > 1 then E.u else E.v; f = pre(e);", "Integer f(start = 2);"),
    ("discrete Real z; Real x(start = 0, fixed = true); equation der(x) = 1; "
     "when x > 0.5 then z = x; reinit(x, 0); end when;",
     "  when x > 0.5 then\n    reinit(x, 0);\n    z = x;\n  end when;\n"),
    ("Integer n; Boolean b; equation when {initial(), sample(0, 0.1)} then n = pre(n) + 1; "
     "elsewhen time > 0.55 then n = 0; end when; when edge(b) then terminate(\"a\\n\"); "
     "assert(n > 1, \"m\", AssertionLevel.warning); end when; b = time > 0.7;",
     "  elsewhen time > 0.55 then\n    n = 0;\n"),
    ("Boolean b(start = false); Real x(start = 0, fixed = true); equation der(x) = 1; when x > "
     "0.5 then if x > 0.1 then b = true; else b = not pre(b); reinit(x, 1); end if; end when;",
     "reinit(x, 1);\n    end if;"),
    ("Integer n; Real z; algorithm when time > 0.5 then n := pre(n) + 1; z := n; "
     "elsewhen initial() then z := 2; end when; if n > 2 then n := 0; end if;", "'$when1'"),
    ("Integer n; algorithm when {time > 0.5, time > 0.7} then n := n + 1; "
     "assert(n < 3, \"few\"); if n > 1 then terminate(\"t\"); end if; end when;", "time > 0.7"),
    ("parameter Real T = 0.1; Integer n; equation when sample(0, T) then n = pre(n) + 1; end "
     "when; initial equation pre(n) = 3;", "initial equation\n  pre(n) = 3;"),
    ("Real x(start = 1, fixed = true); "
     "equation der(x) = -delay(x, 0.5) + (if noEvent(x > 0) then 1 else 0);", "delay(x, 0.5)"),
]


def test_models_with_events_read_back_to_themselves():
    for text, printed in EVENTS:
        once = check_exit(run_text("show", f"model M {text} end M;"), 0).out
        contains(once, printed)
        equal(check_exit(run_text("show", once), 0).out, once)


def test_what_is_printed_simulates_to_the_same_numbers():
    for text, _ in EVENTS:
        model = f"model M {text} end M;"
        once = check_exit(run_text("show", model), 0).out
        run = lambda source: check_exit(run_text("simulate", source, "--stop", "0.9",
                                                 "--intervals", "3"), 0).out
        equal(run(once), run(model))


def test_conditions_without_events_are_printed_as_conditions():
    model = """model M Real x, y; equation
      x = if noEvent(time > 0.5 and time < 2) then 1 else 0;
      y = noEvent(if x > 0.5 then 1 else 0); end M;"""
    out = check_exit(run_text("show", model), 0).out
    contains(out, "if noEvent(time < 2 and time > 0.5) then 1 else 0;")
    contains(out, "y = noEvent(if x > 0.5 then 1 else 0);")
    equal(check_exit(run_text("show", out), 0).out, out)


def test_booleans_are_printed_as_booleans():
    model = """model M
      parameter Boolean q(fixed = false, start = true);
      Boolean b(start = true, fixed = true), c, d = b and not c; Real x(start = 0, fixed = true);
    initial equation
      q = not c;
    equation
      der(x) = if d or q then 1 else 2; not c = x > 0.5;
      when x > 0.3 then b = if pre(b) then c else x < 1; end when;
    end M;"""
    out = check_exit(run_text("show", model), 0).out
    for text in ["parameter Boolean q(start = true, fixed = false);",
                 "Boolean b(start = true, fixed = true);", "Boolean d = b and not c;",
                 "q = not c;", "der(x) = if d or q then 1 else 2;", "= x > 0.5;"]:
        contains(out, text)
    equal("Integer" in out, False)
    equal(check_exit(run_text("show", out), 0).out, out)


def test_relations_of_conditions_are_relations_of_conditions():
    """if c then 1 else 0 and 1 are numbers, of which Boolean variables are not compared."""
    model = """model M
      parameter Boolean q(fixed = false); Boolean a = time > 0.3, b = time > 0.6;
      Boolean c = a == b, d = a <> true, e = (time > 0.5) == a, f = a < (time > 0.9);
      Boolean g = true <= a, h = a == (not b), i = (time > 0.5) <> (time < 0.6);
      Real x = if q == true then 1 else 2;
    initial equation q = true;
    equation assert(a == (time > 0.3), "x");
    end M;"""
    out = check_exit(run_text("show", model), 0).out
    for text in ["Boolean c = a == b;", "Boolean d = a <> true;", "Boolean e = (time > 0.5) == a;",
                 "Boolean f = a < (time > 0.9);", "Boolean g = true <= a;",
                 "Boolean h = a == (not b);", "Boolean i = (time > 0.5) <> (time < 0.6);",
                 "x = if q == true then", "assert(a == (time > 0.3), \"x\");"]:
        contains(out, text)
    equal(check_exit(run_text("show", out), 0).out, out)
    rows = [check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "10"), 0).out
            for text in (model, out)]
    equal(rows[0], rows[1])
    number = ("model M Real y; equation y = if (if time > 1 then 1 else 0) == time then 1 "
              "else 2; end M;")
    contains(check_exit(run_text("show", number), 0).out, "(if time > 1 then 1 else 0) == time")


def test_selections_of_conditions_are_conditions():
    model = """model M
      Boolean e[2] = {time > 0.1, time > 0.9}; Boolean f[3] = {true, e[1], time > 0.2};
      Integer i = if time > 0.5 then 2 else 1; Boolean y = e[i], n = not e[i], w = e[i] == f[i];
      Boolean A[2,2] = {e, f[2:3]}; Boolean u = A[i, 3 - i]; Boolean t[Boolean] = {e[1], y};
      Real x[Boolean] = {1, 2}; Real z = if e[i] and time > 0.2 then x[e[1]] else x[not y];
      Boolean b = t[y];
    end M;"""
    out = check_exit(run_text("show", model), 0).out
    for text in ["Boolean y = {e[1], e[2]}[i];", "Boolean n = not {e[1], e[2]}[i];",
                 "Boolean w = {e[1], e[2]}[i] == {f[1], f[2], f[3]}[i];", "if {e[1], e[2]}[i] and time",
                 "then {x[1], x[2]}[if e[1] then 2 else 1] else"]:
        contains(out, text)
    equal(check_exit(run_text("show", out), 0).out, out)
    rows = [check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "10"), 0).out
            for text in (model, out)]
    equal(rows[0], rows[1])


def test_values_of_integers_are_printed_as_products():
    """i^2, which i*i is inside, is Real."""
    model = """model M
      type E = enumeration(a, b, c); constant E e = max(E.a, E.b);
      parameter Integer k = 3; parameter Integer m = (k + 1)*(k + 1)*k - k*k*k;
      parameter Boolean q = k*k > 5;
      Integer n(start = k*k, fixed = true, min = -k*k), z = n*n - (n*n + 1)*(n*n + 1);
    equation when time > 0.5 then n = pre(n)*pre(n)*k; end when;
    end M;"""
    out = check_exit(run_text("show", model), 0).out
    for text in ["constant Integer e = 2;", "k*(k + 1)*(k + 1)", "n(min = -k*k, start = k*k",
                 "z = -(n*n + 1)*(n*n + 1) + n*n;", "Boolean q = true;"]:
        contains(out, text)
    equal(check_exit(run_text("show", out), 0).out, out)
    last = run_text("simulate", out, "--stop", "1", "--intervals", "1").out.split()[-1]
    equal(last, "1,243," + str(243**2 - (243**2 + 1)**2))


def test_integers_of_irrational_constants_are_known():
    """As subscripts, sizes and in conditions, of functions too."""
    model = """function f input Real u; output Real y; protected Real v[3]; algorithm
      v := {u, 2*u, 3*u}; v[mod(integer(3*sin(1.5)), 3) + 1] := sin(u);
      y := v[1] + v[2]*v[mod(integer(3*sin(1.5)), 3) + 1]; end f;
    model M
      parameter Integer k = 2*integer(7*sin(1)) - 8; Real x[k] = {time, 2*time};
      Real z = {5, 6, 7}[mod(integer(10*sin(0.3)), 3) + 1]*time, y = f(time);
    end M;"""
    out = check_exit(run_text("show", model), 0).out
    contains(out, "Real z = 7*time;")
    contains(out, "Real y = time + 2*time*sin(time);")
    equal(check_exit(run_text("show", out), 0).out, out)
    near = "model M Real x[integer(sqrt(2)^2 + 1e-15*sin(1))] = {time, time}; end M;"
    contains(check_exit(run_text("show", near), 3).err, "Integer constant")


def test_values_put_in_reach_samples():
    text = ("model M parameter Real T = 0.1; Integer n; "
            "equation when sample(0, T) then n = pre(n) + 1; end when; end M;")
    contains(check_exit(run_text("show", text, "--evaluate"), 0).out, "when sample(0, 0.1) then")


def test_shared_functions_keep_scaled_values_as_they_are():
    """A factor of more than 20 bits in a text of show has no mark that it did not have there."""
    text = """function draw
  input Integer s[2]; output Real r; output Integer t[2];
  external "C" ModelicaRandom_xorshift64star(s, t, r);
end draw;
model M
  Real r(start = 0, fixed = true);
  Integer s[2](start = {614657, 30020}, each fixed = true);
equation
  when sample(0, 0.25) then (r, s) = draw(pre(s)); end when;
end M;
"""
    shown = check_exit(run_text("show", text), 0).out
    contains(shown, "/18446744073709551616")
    equal(check_exit(run_text("show", shown), 0).out, shown)


main(globals())
