"""--check-units: equations whose sides or terms have different units,
exactly and with their places."""

from harness import ROOT, check_exit, contains, equal, has_report, main, run, run_text

HEAD = """model M
  Real v(unit = "m/s", start = 1, fixed = true);
  Real x(unit = "m", start = 0, fixed = true);
  parameter Real m(unit = "kg") = 1;
  parameter Real k(unit = "N/m") = 1;
  parameter Real g(unit = "m/s2") = 9.81;
  Real e(unit = "kJ");
  Real w(unit = "rad/s");
  Real plain;
  Real n(unit = "1");
equation
"""
GOOD = ["der(x) = v;", "m*der(v) = -k*x + m*g;", "e = m*v^2/2 + k*x^2/2;", "w = 2*sqrt(k/m);",
        "plain = x*v*n;", "n = if x > 2 and v < 3 then sin(w*time) else exp(-x/(v*time));"]


def warnings(lines):
    result = check_exit(run_text("show", HEAD + "".join(f"  {line}\n" for line in lines) +
                                 "end M;\n", "--check-units"), 0)
    return [line for line in result.err.splitlines() if "units do not fit" in line]


def test_what_fits_is_silent():
    equal(warnings(GOOD), [])


def test_each_mistake_has_its_place_and_both_units():
    for i, line, message in [
        (0, "der(x) = x;", "der(x) has the unit m.s-1, x has m"),
        (2, "e = m*v^2/2 + k*x;", "0.5*m*v^2 has the unit m2.kg.s-2, k*x has m.kg.s-2"),
        (3, "w = sqrt(k)/m;", "w has the unit s-1, sqrt(k)/m has kg^(-1/2).s-1"),
        (5, "n = sin(x);", "x has the unit m, a number without unit is needed"),
        (5, "n = if x > v then 1 else 2;", "units do not fit"),
    ]:
        lines = [*GOOD]
        lines[i] = line
        found = warnings(lines)
        equal(len(found), 1)
        contains(found[0], f":{12 + i}:3: warning: ")
        contains(found[0], message)


def test_values_of_parameters_are_checked():
    text = ('model A parameter Real t(unit = "s") = 1; parameter Real l(unit = "m") = 2*t;\n'
            'parameter Real q(unit = "m") = 3*l; Real x = l; end A;')
    result = check_exit(run_text("show", text, "--check-units"), 0)
    equal(result.err.count("units do not fit"), 1)
    contains(result.err, ":1:58: warning: units do not fit: l has the unit m, 2*t has s")


def test_every_command_that_reads_a_model_has_the_option():
    text = ('model A Real x(unit = "m", start = 1, fixed = true); Real v(unit = "m/s");\n'
            'equation der(x) = v; v = -x; end A;')
    commands = ["show", "analyze", "reduce", "check-init", "simulate", "export"]
    for command in commands + (["report"] if has_report() else []):
        result = check_exit(run_text(command, text, "--check-units"), 0)
        contains(result.err, ":2:22: warning: units do not fit: v has the unit m.s-1, -x has m")


def test_a_mistake_in_a_library_points_there():
    library = str(ROOT / "tests" / "library")
    result = check_exit(run("analyze", "Small.Mistakes.Charge", "--library", library,
                            "--check-units"), 0)
    contains(result.err, "Mistakes.mo:8:5: warning: units do not fit: v has the unit ")
    contains(result.err, "    v = Q;\n")


def test_without_the_option_units_are_not_judged():
    result = check_exit(run_text("show", HEAD + "der(x) = x; der(v) = 0; e = 1; w = 1; "
                                 "plain = 1; n = 1; end M;"), 0)
    assert "units" not in result.err, result.err


def test_constants_with_units_are_put_in_as_numbers_and_not_judged():
    text = ('model A constant Real one(unit = "A") = 1; Real i(unit = "A"); '
            'Real s(unit = "1"); equation s = time/2; i = s*one; end A;')
    result = check_exit(run_text("show", text, "--check-units"), 0)
    equal(result.err.count("units do not fit"), 1)  # s = time/2
    contains(result.err, "s has the unit 1, 0.5*time has s")


UNIT_FUNCTIONS = """type V = Real(unit = "V");
function to_unit1 input Real r; output Real result(unit = "1"); algorithm result := r; end to_unit1;
function voltage input Real r; output V u; algorithm u := r; end voltage;
function scaled input Real r; output Real s; protected constant Real l(unit = "m") = 2;
algorithm s := r/l; end scaled;
function twice input Real r; output Real s; algorithm s := 2*r; end twice;
function outer_call input Real r; output Real s; algorithm s := to_unit1(r); end outer_call;
"""


def test_what_functions_say_of_units_counts_as_said():
    for shape in ["model A {} end A;", "model B {} end B; model A B b; end A;"]:
        for function in ["to_unit1", "scaled", "outer_call", "twice", "voltage"]:
            text = UNIT_FUNCTIONS + shape.format(
                f'Real x(unit = "m") = if time > 2 then 2 else 1; Real n(unit = "1") = '
                f'{function}(x); Real z(unit = "s") = x;')
            result = check_exit(run_text("show", text, "--check-units"), 0)
            equal(result.err.count("units do not fit"), 2 if function == "twice" else 1)


def test_branches_of_an_if_equation_have_units_of_their_own():
    text = ('model A Real x(unit = "m"); Real v(unit = "m/s"); equation if time > 1 then x = 1; '
            'v = 0; else v = {}; x = 2; end if; end A;')
    assert "units" not in check_exit(run_text("show", text.format("3"), "--check-units"), 0).err
    result = check_exit(run_text("show", text.format("x"), "--check-units"), 0)
    equal(result.err.count("units do not fit"), 1)


SWITCH = """model Switch
  constant Real mu0(unit = "N/A2") = 2;
  function polynomial input Real p[:]; input Real u; output Real y;
  algorithm y := p[1]; for j in 2:size(p, 1) loop y := p[j] + u*y; end for; end polynomial;
  Real x(unit = "m") = time*k; parameter Real k(unit = "m/s") = 1; Real w(unit = "kg") = 2;
  Real a(unit = "m"), s, mur(unit = "1"), mu(unit = "N/A2"), c(unit = "J");
equation
  if time > 1 then
    if time > 2 then a = x; else mu = 3*mu0; end if;
  else
    mu = mu0;
  end if;
  s = 2*w;
  if time > 1 then c = 1; else mur = mu/mu0; end if;
  if time > 1 then mu = 1; else c = 2; end if;
  c = polynomial({1, 2, 3}, x);
  s + mur = 1;
  {}
end Switch;
"""


def test_nested_branches_hidden_constants_and_coefficients_are_no_mistakes():
    def found(line):
        result = check_exit(run_text("show", SWITCH.replace("{}", line, 1), "--check-units",
                                     "--model", "Switch"), 0)
        return result.err.count("units do not fit")

    equal(found(""), 0)
    equal(found("if time > 1 then s = x; elseif time > 0.5 then s = w; else s = 2; end if;"), 0)
    equal(found("if time > 1 then a = w; elseif time > 0.5 then a = x; else a = 2; end if;"), 1)
    equal(found("if time > 1 then if time > 2 then a = w; else c = 2; end if; else c = 3; "
                "end if;"), 1)


main(globals())
