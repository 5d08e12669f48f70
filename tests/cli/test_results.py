"""What results hold beside variables: parameters, der(x), aliases as aliases in .mat."""

import csv
import json
import os
import subprocess

from harness import check_exit, contains, equal, main, run_text, scratch

TEXT = """model RC
  constant Real two = 2 "a constant";
  parameter Real R(unit = "Ohm") = 2 "resistance";
  parameter Integer n = 3;
  parameter Boolean b = true;
  parameter Real k[2] = {1, R*2};
  parameter String label = "x";
  Real v(start = 1, fixed = true, unit = "V");
  Real w, minus;
  Real other = 3*v;
equation
  R*two*der(v) = -v*k[1];
  w = v;
  minus = -v;
end RC;
"""
RUN = ("--stop", "1", "--intervals", "2")
SCRIPT = """import scipy.io, sys, json
m = scipy.io.loadmat(sys.argv[1], chars_as_strings=False)
text = lambda a: [''.join(c).rstrip('\\0 ') for c in a.T]
print(json.dumps([text(m['name']), text(m['description']), m['dataInfo'].T.tolist(),
                  m['data_1'].tolist(), m['data_2'].tolist()]))
"""


def rows(*options):
    result = check_exit(run_text("simulate", TEXT, *RUN, *options), 0)
    return list(csv.DictReader(result.out.splitlines()))


def mat(*options, text=TEXT):
    with scratch() as folder:
        path = os.path.join(folder, "r.mat")
        check_exit(run_text("simulate", text, *RUN, "-o", path, *options), 0)
        done = subprocess.run(["/usr/bin/python3", "-c", SCRIPT, path], capture_output=True,
                              text=True, check=True)
    names, descriptions, info, constants, values = json.loads(done.stdout)
    columns = {}
    for name, (matrix, row, _, _) in zip(names, info):
        table = constants if matrix == 1 else values
        columns[name] = [(1 if row > 0 else -1)*x for x in table[abs(row) - 1]]
    return columns, dict(zip(names, info)), dict(zip(names, descriptions)), constants, values


def test_variables_that_cannot_change_are_results_too():
    text = ("model C type E = enumeration(a, b); Integer n = 3; Boolean b = n > 2; E e = E.b; "
            "Integer k[2] = {n, 2*n}; parameter Integer m = 4; Real x = time; end C;")
    result = check_exit(run_text("simulate", text, *RUN), 0)
    for row in csv.DictReader(result.out.splitlines()):
        del row["x"], row["time"]
        equal(row, {"n": "3", "b": "1", "e": "2", "k[1]": "3", "k[2]": "6"})


def test_parameters_only_where_they_are_asked_for():
    equal(list(rows()[0]), ["time", "v", "w", "minus", "other"])
    table = rows("--variables", "R,two,n,b,k[2],v,der(v)", "--set", "R=4")
    equal(list(table[0]), ["time", "R", "two", "n", "b", "k[2]", "v", "der(v)"])
    for row in table:
        equal([float(row[p]) for p in ("R", "two", "n", "b", "k[2]")], [4, 2, 3, 1, 8])
        assert abs(float(row["der(v)"]) + float(row["v"])/8) < 1e-9, row


def test_a_pattern_takes_variables_first():
    equal(list(rows("--variables", "*")[0]), ["time", "v", "w", "minus", "other"])
    equal(list(rows("--variables", "k*")[0]), ["time", "k[1]", "k[2]"])


def test_names_that_are_nothing_are_told_with_the_nearest():
    result = check_exit(run_text("simulate", TEXT, *RUN, "--variables", "rr"), 2)
    contains(result.err, "the model has no variable 'rr'")
    result = check_exit(run_text("simulate", TEXT, *RUN, "--variables", "twoo"), 2)
    contains(result.err, "did you mean 'two'?")
    result = check_exit(run_text("simulate", TEXT, *RUN, "--variables", "R", "--plot", "p.svg"), 2)
    contains(result.err, "--plot: none of 'R' is a variable of the model")


def test_mat_files_have_parameters_derivatives_and_aliases():
    columns, info, descriptions, constants, values = mat()
    equal(list(columns), ["time", "v", "w", "minus", "other", "two", "R", "n", "b", "k[1]", "k[2]",
                          "der(v)"])
    equal(constants[0], [0.0, 1.0])
    equal(columns["R"], [2.0, 2.0])
    equal(columns["k[2]"], [4.0, 4.0])
    equal(info["w"][:2], info["v"][:2])
    equal(info["minus"][1], -info["v"][1])
    equal(len(values), 4)  # time, v, other, der(v)
    equal(columns["minus"], [-x for x in columns["v"]])
    equal(descriptions["R"], "resistance [Ohm]")
    equal(descriptions["der(v)"], "[V/s]")
    assert abs(columns["der(v)"][-1] + columns["v"][-1]/4) < 1e-9


def test_solved_variables_of_connected_components_are_aliases():
    """Currents in series are one curve, with their signs, though no unknown is one of them."""
    text = ("connector P Real v; flow Real i; end P; partial model T P p; P n; Real v; Real i; "
            "equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end T; model R extends T; equation v "
            "= 2*i; end R; model C extends T; equation der(v) = i; end C; model S extends T; "
            "equation v = 5; end S; model G P p; equation p.v = 0; end G; model N R r[2]; C c(v("
            "start = 1, fixed = true)); S s; G g; equation connect(s.p, r[1].p); connect(r[1].n, "
            "r[2].p); connect(r[2].n, c.p); connect(c.n, s.n); connect(s.n, g.p); end N;")
    columns, info, _, _, _ = mat(text=text)
    row = info["r[1].i"][1]
    for name, sign in (("r[1].p.i", 1), ("r[1].n.i", -1), ("r[2].i", 1), ("c.p.i", 1),
                       ("s.p.i", -1), ("s.i", -1), ("c.n.i", -1)):
        equal(info[name][:2], [2, sign*row])
    equal(info["r[1].n.v"][1], info["r[2].p.v"][1])
    assert info["r[1].v"][1] != info["c.v"][1]
    assert info["s.v"][1] != info["g.p.v"][1]
    assert abs(columns["c.i"][-1] - (5 - columns["c.v"][-1])/4) < 1e-12


def test_mat_files_of_chosen_variables_have_only_these():
    columns, info, _, _, values = mat("--variables", "minus,w,R")
    equal(list(columns), ["time", "minus", "w", "R"])
    equal(info["w"][1], -info["minus"][1])
    equal(len(values), 2)


main(globals())
