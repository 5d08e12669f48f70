"""Who is to blame: singular component models name the component, the connect and the line."""

import json

from pathlib import Path

from harness import ROOT, check_exit, contains, equal, main, run, run_text, scratch

LIBRARY = str(ROOT / "tests" / "library")
CLASSES = """package P
  connector Pin Real v; flow Real i; end Pin;
  partial model TwoPin
    Pin p, n; Real v; Real i;
  equation
    v = p.v - n.v; 0 = p.i + n.i; i = p.i;
  end TwoPin;
  model Resistor extends TwoPin; equation v = 2*i; end Resistor;
  model Capacitor extends TwoPin; equation der(v) = i; end Capacitor;
  model Forgotten extends TwoPin; end Forgotten;
  model Double extends TwoPin; equation v = 1; i = 2; end Double;
  model Source extends TwoPin; equation v = 1; end Source;
  model Ground Pin p; equation p.v = 0; end Ground;
  connector In = input Real;
  connector Out = output Real;
  block Gain In u; Out y; equation y = 2*u; end Gain;
  block Chain In u; Out y; Gain a, b; equation connect(u, a.u); connect(a.y, b.u); \
connect(b.y, y); end Chain;
"""


def model(body):
    return CLASSES + f"  model M\n    {body}\n  end M;\nend P;\n"


def circuit(kind):
    return model(f"Source s; Resistor r; {kind} b; Ground g;\n"
                 f"  equation connect(s.p, r.p); connect(r.n, b.p);"
                 " connect(b.n, s.n); connect(s.n, g.p);")


def analyze(text, code):
    result = check_exit(run_text("analyze", text, "--model", "P.M"), code)
    data = json.loads(check_exit(run_text("analyze", text, "--model", "P.M",
                                          "--format", "json"), code).out)
    return result.out, data


PARTS = """package Parts
  model Guard
    parameter Real limit = 1;
    Real u(max = 4);

  equation
    assert(u < limit, "too large");
  end Guard;
end Parts;
"""


def test_messages_name_the_file_that_the_user_wrote():
    """Of an assertion, a range and a parameter that stand in a library."""
    with scratch() as folder:
        (Path(folder) / "Parts.mo").write_text(PARTS)

        def errors(body, code):
            text = f"model M\n  {body}\nend M;\n"
            return check_exit(run_text("simulate", text, "--library", folder, "--stop", "9"),
                              code).err

        guard = "Parts.Guard g(limit = {}); equation g.u = time;"
        contains(errors(guard.format(2), 5), f"{folder}/Parts.mo:7:5: assertion failed at t = 2: too large")
        contains(errors(guard.format(20), 0), f"{folder}/Parts.mo:4:10: variable 'g.u' is above its max = 4")
        missing = "parameter Real p; Parts.Guard g(limit = 2*p); equation g.u = time*g.limit;"
        contains(errors(missing, 3), "<stdin>:2:18: error: parameter 'p' has no value")
        open_one = guard.format(2).replace("g(limit = 2)", "g").replace("time", "time*g.limit")
        (Path(folder) / "Parts.mo").write_text(PARTS.replace("limit = 1", "limit"))
        contains(errors(open_one, 3), f"{folder}/Parts.mo:3:20: error: parameter 'g.limit' has no value")


def test_a_class_of_the_command_line_stands_in_no_file():
    result = check_exit(run("show", "Small.Thermall", "--library", LIBRARY), 3)
    equal(result.err, "daetool: error: there is no class 'Thermall' in 'Small'; "
          "did you mean 'Thermal'?\n")


def test_a_component_without_its_law():
    text, data = analyze(circuit("Forgotten"), 1)
    contains(text, "  b (P.Forgotten, line 19): 6 unknowns, "
             "3 equations and 2 from connections: 1 equation too few\n")
    equal(data["unbalanced"],
          [{"name": "b", "class": "P.Forgotten", "line": 19, "unknowns": 6, "equations": 3,
            "from_connections": 2, "missing": 1}])


def test_a_component_with_two_laws():
    text, data = analyze(circuit("Double"), 1)
    contains(text, "  b (P.Double, line 19): 6 unknowns, "
             "5 equations and 2 from connections: 1 equation too many\n")
    equal([u["missing"] for u in data["unbalanced"]], [-1])
    contains(text, "(line 11, component b)")
    contains(text, "(line 20, connect)")


def test_balanced_components_are_not_blamed():
    text, data = analyze(
        model("Source s; Source t; Ground g;\n  equation connect(s.p, t.p); connect(s.n, t.n);"
              " connect(s.n, g.p);"), 1)
    equal(data["unbalanced"], [])
    assert "out of balance" not in text


def test_an_input_that_nothing_is_connected_to():
    text, data = analyze(model("Gain a, b;\n  equation connect(a.y, b.u);"), 1)
    equal(data["unconnected_inputs"], ["a.u"])
    contains(text, "Inputs to which nothing is connected:\n  a.u   (component a, line 19)\n")
    equal([(u["name"], u["missing"]) for u in data["unbalanced"]], [("", 1)])


def test_signals_through_levels_are_counted_once():
    _, data = analyze(
        model("Chain c; Gain d; Real z;\n  equation c.u = time; connect(c.y, d.u);"), 1)
    equal(data["unconnected_inputs"], [])
    equal([(u["name"], u["missing"]) for u in data["unbalanced"]], [("", 1)])


ADAPTORS = """
  model Adaptor "signals of its own, connected to what may be left out"
    parameter Boolean use_dv = true; Pin p; Out v; Out dv if use_dv; In i;
  protected
    Out dv_internal; In i_internal;
  equation
    v = p.v; dv_internal = if use_dv then der(v) else 0; connect(dv_internal, dv);
    connect(i, i_internal); p.i = -i_internal;
  end Adaptor;
  record Phasor Real re, im; end Phasor;
  connector Plug Phasor v; flow Phasor i; end Plug;
  model Phase Plug p, n; equation p.v.re - n.v.re = p.i.re; p.v.im - n.v.im = p.i.im;
    p.i.re + n.i.re = 0; p.i.im + n.i.im = 0; end Phase;
  model Earth Plug p; equation p.v.re = 0; p.v.im = 0; end Earth;
  connector Port Real p; flow Real m; stream Real h; end Port;
  model Tank Port a; equation a.p = 1; a.h = 5; end Tank;
  model Pipe Port a, b; equation a.m = a.p - b.p; a.m + b.m = 0; a.h = inStream(b.h);
    b.h = inStream(a.h); end Pipe;
  model Joint "connections only" Port a, b, c; equation connect(a, b); connect(a, c); end Joint;
  block Counter Out y; equation when sample(0, 1) then y = pre(y) + 1; end when; end Counter;
"""


def test_adaptors_records_streams_and_discrete_blocks_are_in_balance():
    _, data = analyze(ADAPTORS.join([CLASSES, """  model M
    Adaptor a, b(use_dv = false); Capacitor c; Ground g; Phase r, s; Earth e; Tank t, u; Pipe x, y;
    Joint j; Counter k; Source odd;
  equation
    connect(a.p, c.p); connect(c.n, g.p); a.i = time; connect(b.p, odd.p); connect(a.dv, b.i);
    connect(odd.n, g.p); connect(odd.p, g.p);
    connect(r.p, s.p); connect(r.n, s.n); connect(r.n, e.p); connect(t.a, x.a); connect(x.b, j.a);
    connect(j.b, y.a); connect(y.b, u.a);
  end M;
end P;
"""]), 1)
    equal(data["unbalanced"], [])


def test_a_circuit_without_ground_is_told_so():
    floating = ("Source s; Resistor r; Capacitor c; Ground g; Resistor q;\n  equation "
                "connect(g.p, q.p); connect(s.p, r.p); connect(r.n, c.p); connect(c.n, s.n);")
    hint = ("othing sets the level of the potentials of the connectors s.p, s.n, r.p, r.n, c.p "
            "and c.n: a reference such as a ground is missing")
    text, data = analyze(model(floating), 1)
    contains(text, hint)
    contains(data["ill_posed"]["hint"], hint)
    contains(check_exit(run_text("simulate", model(floating), "--model", "P.M", "--stop", "1"),
                        1).err, hint)
    # equal gains in a circle depend on each other too, and have no potentials
    text, data = analyze(model("block One In u; Out y; equation y = u; end One;\n    One a, b;\n"
                               "  equation connect(a.y, b.u); connect(b.y, a.u);"), 1)
    assert "hint" not in data["ill_posed"], data
    assert "level of the potentials" not in text, text


def test_a_parameter_without_a_value_that_is_a_number_is_named():
    """Where a run meets it: in a derivative, and in what was solved for."""
    for body in ("der(x) = b", "x = b*time"):
        text = ("model M\n  parameter Real a = -1;\n  parameter Real b = sqrt(a);\n"
                f"  Real x(start = 0, fixed = {'true' if 'der' in body else 'false'});\n"
                f"equation\n  {body};\nend M;\n")
        contains(check_exit(run_text("simulate", text, "--stop", "1"), 5).err,
                 "parameter b (line 3) has no finite value: sqrt(a)")


def test_a_loop_of_gain_one_names_its_components():
    text = model("Gain a; block Half In u; Out y; equation y = u/2; end Half;\n    Half b; Real x;\n"
                 "  equation connect(a.y, b.u); a.u = b.y + 1; der(x) = a.y;")
    contains(check_exit(run_text("simulate", text, "--model", "P.M", "--stop", "1"), 1).err,
             "4 equations of the components a and b contradict each other")


LEVEL = ": their potentials are set more than once and nothing sets their flows"
FLOWS = ": their flows are set more than once and nothing sets their potentials"


def test_what_is_set_twice_while_its_counterpart_is_open_is_told():
    """Sources in parallel, and flow sources in series; a signal set twice is neither."""
    parallel = model("Source s, t; Resistor r; Ground g;\n  equation connect(s.p, t.p); connect(s.n, "
                     "t.n); connect(s.n, g.p); connect(r.p, s.p); connect(r.n, s.n);")
    series = model("model Pump extends TwoPin; equation i = 1; end Pump;\n    Pump a, b; Ground g;\n"
                   "  equation connect(a.n, b.p); connect(b.n, a.p); connect(a.p, g.p);")
    for text, named, hint in ((parallel, "s, t and g", LEVEL), (series, "a and b", FLOWS)):
        out, data = analyze(text, 1)
        contains(out, f"\nLook at {named}{hint}")
        contains(data["hint"], f"{named}{hint}")
        contains(check_exit(run_text("simulate", text, "--model", "P.M", "--stop", "1"), 1).err,
                 f"; look at {named}{hint}")
    twice = model("block Twice Out y; equation y = 1; y = time; end Twice;\n    Twice a; Real z;\n"
                  "  equation der(z) = 1; z = 1;")
    out, data = analyze(twice, 1)
    assert "hint" not in data and "Look at" not in out, out


def test_contradicting_starts_point_at_their_modifiers():
    text = model("Source s; Resistor r; Ground g;\n    Capacitor c1(v(start = 1, fixed = true));\n"
                 "    Capacitor c2(v(start = 2, fixed = true));\n"
                 "  equation connect(s.p, r.p); connect(r.n, c1.p);"
                 " connect(c1.p, c2.p); connect(c1.n, c2.n); "
                 "connect(c1.n, s.n); connect(s.n, g.p);")
    result = check_exit(run_text("check-init", text, "--model", "P.M"), 1)
    contains(result.out, "c1.v = 1  (initial 0, line 20")
    contains(result.out, "c2.v = 2  (initial 1, line 21")
    contains(result.out, "line 22, connect)")


def test_a_run_that_cannot_begin_says_why_in_terms_of_components():
    for text, wanted in (
            (model("Gain a, b; equation connect(a.y, b.u);"),
             "structurally singular: nothing is connected to a.u (component a, line 19)"),
            (circuit("Forgotten"), "component b (P.Forgotten, line 19) has 1 equation too few"),
            (circuit("Double"), "component b (P.Double, line 19) has 1 equation too many; "),
            (model("Source s, t; Ground g; equation connect(s.p, t.p); connect(s.n, t.n); "
                   "connect(s.n, g.p);"),
             "8 equations for only 7 variables in the components s, t and g")):
        for command in ("simulate", "reduce"):
            message = check_exit(run_text(command, text, "--model", "P.M"), 1).err
            contains(message, wanted)
            equal(message.count("daetool: "), 1)


ROTOR = """package P
  connector Flange Real phi; flow Real tau; end Flange;
  model Rotor Flange a, b; parameter Real J = 1; Real w;
  equation a.phi = b.phi; w = der(a.phi); J*der(w) = a.tau + b.tau; end Rotor;
  model Torque Flange b; equation b.tau = -1; end Torque;
  model M
    Torque t;
    Rotor r(J = 0);
  equation
    connect(t.b, r.a);
  end M;
end P;
"""


def test_a_parameter_that_is_zero_is_named_with_its_component():
    zero = "r.J (component r, line 8)"
    result = check_exit(run_text("analyze", ROTOR, "--model", "P.M"), 1)
    contains(result.out, "With parameters as symbols: success, structural index 1, 2 degrees of "
                         f"freedom; here this is 0: {zero}.")
    assert "Look at" not in result.out
    result = check_exit(run_text("analyze", ROTOR, "--model", "P.M", "--format", "json"), 1)
    equal(json.loads(result.out)["hint"], f"{zero}: it is 0")
    result = check_exit(run_text("simulate", ROTOR, "--model", "P.M"), 1)
    contains(result.err, f"this is 0: {zero}, and with other values the model is not singular")


def test_a_connector_that_nothing_is_connected_to_is_named_where_that_matters():
    text = model("Flow s;\n    Resistor r;\n    Ground g;\n"
                 "  equation connect(s.p, r.n); connect(s.n, g.p);")
    text = text.replace("model M", "model Flow extends TwoPin; equation i = 1; end Flow; model M", 1)
    result = check_exit(run_text("analyze", text, "--model", "P.M"), 1)
    contains(result.out, "Look at r.p (line 20): nothing is connected there, so that the flow is 0, "
                         "while the flows of s and r are set otherwise, too")
    contains(result.out, "r.p.i = 0   (line 20, nothing connected)")


LOOP = """package P
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a; input Angle b; output Real residue[1];
    algorithm residue[1] := a - b;
    end equalityConstraint;
  end Angle;
  connector Frame Real x; flow Real f; Angle phi; flow Real t; end Frame;
  model Bar Frame a, b;
  equation
    Connections.branch(a.phi, b.phi);
    b.x = a.x + 1; b.phi = a.phi; a.f + b.f = 0; a.t + b.t + b.f = 0;
  end Bar;
  model World Frame a; equation Connections.root(a.phi); a.x = 0; a.phi = 0; end World;
  model M
    World w;
    Bar c, d;
  equation
    connect(w.a, c.a);
    connect(w.a, d.a);
    connect(c.b, d.b);
  end M;
end P;
"""


def test_a_loop_of_rigid_parts_names_the_connect_that_closes_it():
    result = check_exit(run_text("analyze", LOOP, "--model", "P.M"), 1)
    contains(result.out, "Look at the loop of parts that the connect of line 22 closes, through w, c and d")


main(globals())
