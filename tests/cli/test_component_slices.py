"""Slices through arrays of components: their sizes, `end` in them, and values of parameters that
only a start value gives."""

from harness import check_exit, contains, main, run_text

PARTS = """package P
record R parameter Integer n = 1; Real v[3] = {1, 2, 3}; end R;
record Q R r[2](n = {4, 5}); end Q;
model A Real x[3] = {1, 2, 3}; Q q; R r[2](n = {1, 2}); end A;
model B A b[2]; end B;
model N parameter Integer n = 2; Real x[n] = 1:n; end N;
"""


def shows(model, *lines):
    result = check_exit(run_text("show", PARTS + f"model M {model} end M; end P;", "--model", "P.M"), 0)
    for line in lines:
        contains(result.out, line)


def test_end_behind_a_subscripted_component_is_of_the_last_part():
    shows("A a[2]; Real x[2] = a[end].x[2:end]; Real z = a[end].x[end]; Real w = a[1].x[end];",
          "x[2] = a[2].x[3]", "z = a[2].x[3]", "w = a[1].x[3]")
    shows("B b[4]; Real x[:,:] = b[2:end].b[end].x;", "x[3,1] = b[4].b[2].x[1]")
    shows("A a[3]; Real p[:] = a[2].q.r.v[end];", "p[2] = a[2].q.r[2].v[3]")


def test_open_sizes_are_those_of_slices():
    shows("A a[2]; Real x[:,:] = a.x;", "x[2,3] = a[2].x[3]")
    shows("A a[2]; Real x[:] = a.x[1];", "x[2] = a[2].x[1]")
    shows("A a[3]; Real x[:] = a[:].x[2]; Real y[:] = a[{3, 1}].x[1]; Real z[:,:] = a[2:2].x;",
          "x[3] = a[3].x[2]", "y[1] = a[3].x[1]", "z[1,3] = a[2].x[3]")
    shows("B b[4]; Real x[:] = b[1].b.x[2]; Real y[:] = b.b[1].x[1]; Real z[:,:,:] = b.b.x;",
          "x[2] = b[1].b[2].x[2]", "y[4] = b[4].b[1].x[1]", "z[4,2,3] = b[4].b[2].x[3]")
    shows("A a[3,2]; Real x[:,:] = a[2].x; Real y[:] = a[3,:].x[1];",
          "x[2,3] = a[2,2].x[3]", "y[2] = a[3,2].x[1]")


def test_open_sizes_are_those_of_slices_through_records():
    shows("A a[3]; Real x[:] = a[3].r.v[2]; Real y[:,:] = a.r[1].v; Real t[:,:] = a.q.r.v[3];",
          "x[2] = a[3].r[2].v[2]", "y[3,2] = a[3].r[1].v[2]", "t[3,2] = a[3].q.r[2].v[3]")


def test_parameters_of_some_of_the_components():
    shows("N a[3](n = {1, 2, 3}); Real w[sum(a[{1, 3}].n)] = ones(4); Real b[:] = a[end].x;",
          "w[4] = 1", "b[3] = a[3].x[3]")
    shows("N a[2,2](n = {{1, 2}, {3, 4}}); parameter Integer t[:] = a[:,2].n; Real y[a[end,1].n] = "
          "ones(3); Real z[t[2]] = ones(4);", "y[3] = 1", "z[4] = 1", "t[2] = a[2,2].n")


def test_slices_of_no_components():
    shows("N a[0]; Real b[:] = a.x[1]; parameter Integer s = sum(a.n);", "s = 0")


def test_start_values_of_parameters_decide_the_structure():
    result = check_exit(run_text("show", PARTS + """model C parameter Integer n(start = 3);
parameter Boolean b(start = true); Real x[n] = ones(n); Real y = 1 if b; end C;
model M C c; C d(n = 1, b = false); end M; end P;""", "--model", "P.M"), 0)
    for line in ("c.x[3] = 1", "c.y = 1", "d.x[1] = 1"):
        contains(result.out, line)
    assert "d.y" not in result.out and "d.x[2]" not in result.out
    contains(result.err, "parameter 'c.n' has no value; its start value is taken")
    result = check_exit(run_text("show", "model B parameter Integer n(start = 3, fixed = false); "
                                 "Real x[n]; end B; model A B b; end A;"), 3)
    contains(result.err, "the size of 'b.x' is not known")


def test_one_start_value_is_that_of_all_elements():
    for text, value in (("parameter Real z[2](each start = 4);", "z[2] = 4"),
                        ("type T = Real(start = 1); parameter T z[2];", "z[2] = 1"),
                        ("type T = Real[3](start = {1, 2, 5}); parameter T z[2];",
                         "z[2,3] = 5"),
                        ("parameter Real z[2](start = {4, 5});", "z[2] = 5")):
        for model in (f"model A {text} end A;", f"model B {text} end B; model A B b; end A;"):
            result = check_exit(run_text("show", model), 0)
            contains(result.out, value)
            contains(result.err, "its start value is taken")


main(globals())
