"""Arrays of records: values of their members, subscripts behind whole arrays, each with a known
answer."""

import csv
import io

from harness import check_exit, contains, equal, main, run_text

MEMBERS = """record N
  parameter Real a = 1;
  parameter Real b = 2*a;
  parameter Real v[2] = {a, b};
  parameter Integer m[3] = {1, 2, 3};
  parameter Real M[2,2] = {{a, 0}, {0, b}};
  parameter Boolean q[2] = {true, false};
  parameter Real d[2] = fill(a, 2);
  parameter Real k = if a > 2 then v[2] else sum(v[i]*a for i in 1:2);
  Real w[2](each start = a) = {a, time};
end N;
"""


def last_of(text):
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1"), 0)
    return {k: float(v) for k, v in list(csv.DictReader(io.StringIO(result.out)))[-1].items()}


def shown(text):
    return check_exit(run_text("show", text), 0).out


def test_a_value_of_other_members_is_another_one_in_each_element():
    out = shown(MEMBERS + "model A N o[2](a = {5, 7}); Real x = time; end A;")
    for line in ("o[1].v[1] = o[1].a;", "o[1].v[2] = o[1].b;", "o[2].v[1] = o[2].a;",
                 "o[2].v[2] = o[2].b;", "o[2].M[1,1] = o[2].a;", "o[2].M[2,1] = 0;",
                 "o[2].M[2,2] = o[2].b;", "o[2].d[2] = o[2].a;",
                 "o[2].w[2](start = o[2].a) = time;"):
        contains(out, line)


def test_values_of_elements():
    row = last_of(MEMBERS + """model A
  N o[2](a = {5, 7});
  N t[2,2](a = {{1, 2}, {3, 4}});
  Real x[6] = {o[2].k, t[2,1].v[2], t[1,2].M[1,1], o[1].w[1], t[1,1].k, t[1,2].k};
end A;""")
    equal([row[f"x[{i}]"] for i in range(1, 7)], [14, 6, 2, 5, 3, 12])


def test_values_of_array_members_are_those_of_every_element():
    row = last_of(MEMBERS + """model A
  N o[3];
  N p[3](each v = {0.5, 0.25}, each m = {4, 5, 6});
  Real x[5] = {o[3].m[3], o[2].m[1], p[3].v[2], p[2].m[3], if o[2].q[1] then 1 else 0};
end A;""")
    equal([row[f"x[{i}]"] for i in range(1, 6)], [3, 1, 0.25, 6, 1])


def test_records_inside_of_arrays_of_records():
    row = last_of("""record In parameter Real k = 3; parameter Real z[2] = {k, 1}; end In;
record Out
  parameter Real g = 2;
  parameter Real f[2] = {1, 2};
  In i[2](k = {10, 20});
  In j(k = g);
  In l[2](k = f);
end Out;
model A
  Out o[3](each f = {4, 5}, g = {7, 8, 9});
  Out p[2](i(each k = 6));
  Real x[6] = {o[3].i[2].z[1], o[2].j.z[1], o[3].f[2], p[2].i[1].k, o[2].l[2].k, o[1].l[1].z[1]};
end A;""")
    equal([row[f"x[{i}]"] for i in range(1, 7)], [20, 8, 5, 6, 5, 4])


def test_arrays_of_no_records():
    out = shown(MEMBERS.replace("Real k =", "Boolean y = a > 1; parameter Real k =") +
                "model A parameter Integer n = 0; N o[n]; N p[2,n]; "
                "Real z[0,3] = {{0, 0, 0} for i in 1:0}; Real x = time; end A;")
    equal(out, "model A\n  parameter Integer n = 0;\n  Real x = time;\nend A;\n")


PAIRS = """operator record P
  Real x, y;
  encapsulated operator function '0'
    import P; output P p; algorithm p := P(5, 6); end '0';
  encapsulated operator function '+'
    import P; input P a; input P b; output P c; algorithm c := P(a.x + b.x, a.y + b.y); end '+';
end P;
"""


def test_a_sum_of_no_records_is_their_zero():
    row = last_of(PAIRS + """model A
  parameter Integer n = 0;
  P a[2] = {P(time, 1), P(2, 3)}, none[n], c, d;
  P s = sum(none), t = sum(a[1:0]), u = sum(a[i] for i in 1:n), v = sum({a[1] for i in 1:n});
  Real r = sum(none).y + size(none, 1);
equation
  c = sum(a[2:n]);
  d = sum(a[2:2]) + sum(none);
end A;""")
    for name in "stuvc":
        equal((row[name + ".x"], row[name + ".y"]), (5, 6))
    equal((row["d.x"], row["d.y"], row["r"]), (7, 9, 6))


def test_a_record_is_not_zero():
    """Only the texts of tools have 0 = a + b for records that are flows."""
    for text, wanted in (("model A P r; equation r = 0; end A;", "a record and Integer"),
                         ("model A P r = 0; end A;", "Integer"),
                         ("model A P r; equation r = sum(i for i in 1:0); end A;",
                          "a record and Integer")):
        result = check_exit(run_text("show", PAIRS + text), 3)
        contains(result.err, wanted)
    text = "record Q Real x; Real y; end Q; class A Q r; equation 0.0 = r; end A;"
    contains(shown(text), "0 = r.x;\n  0 = r.y;")


SLICES = """record N Real c; Real g[2]; Real M[2,3]; end N;
record O N n[2]; Real z; end O;
function f
  input O o[3];
  output Real y;
  output Real w[3];
protected
  O q[3];
  Real k[2];
algorithm
  q := o;
  k := o[2].n.g[2];
  w := o.n[1].g[2];
  y := k[1] + 1000*k[2] + sum(q.z) + sum(q[2:3].n[2].c);
end f;
model A
  N l[2];
  O o[3];
  Real a = sum(l[:].g[2]);
  Real b[2] = l.g[1];
  Real e[2,2] = l.M[2,2:3];
  Real h[3] = o.n[2].c;
  Real i[3] = o[:].n[1].g[2];
  Real k[2] = o[2].n.g[2];
  Real y;
  Real w[3];
equation
  (y, w) = f(o);
  for i in 1:2 loop
    l[i].c = i;
    l[i].g = {10*i + 1, 10*i + 2};
    l[i].M = {{100*i + 10*j + k for k in 1:3} for j in 1:2};
  end for;
  for i in 1:3 loop
    for j in 1:2 loop
      o[i].n[j].c = 10*i + j;
      o[i].n[j].g = {100*i + 10*j + 1, 100*i + 10*j + 2};
      o[i].n[j].M = zeros(2, 3);
    end for;
    o[i].z = i;
  end for;
end A;
"""


def test_subscripts_of_a_member_leave_the_dimensions_of_the_array_before_it():
    row = last_of(SLICES)
    equal(row["a"], 12 + 22)
    equal([row["b[1]"], row["b[2]"]], [11, 21])
    equal([row[f"e[{i},{j}]"] for i in (1, 2) for j in (1, 2)], [122, 123, 222, 223])
    equal([row[f"h[{i}]"] for i in (1, 2, 3)], [12, 22, 32])
    equal([row[f"i[{i}]"] for i in (1, 2, 3)], [112, 212, 312])
    equal([row["k[1]"], row["k[2]"]], [212, 222])
    equal(row["y"], 212 + 222000 + 6 + 22 + 32)
    equal([row[f"w[{i}]"] for i in (1, 2, 3)], [112, 212, 312])


SIZED = """record A
  parameter Integer n = 3;
  Real x[n + 1];
  Real y[size(x, 1), 2];
  Real s = sum(x);
end A;
record B
  A a[2](each n = 1);
end B;
"""


def test_sizes_that_members_give():
    """n of one record is an array in an array of records."""
    row = last_of(SIZED + """model M
  B b[2]; A c[2](n = {1, 1}); Real t = b[2].a[1].s; Real q[2,2] = b.a.s;
  Real f = c[2].y[1,1] + size(c[1].y, 1);
equation
  for i in 1:2 loop
    for j in 1:2 loop
      b[i].a[j].x = {i*time, j}; b[i].a[j].y = fill(i + j, 2, 2);
    end for;
    c[i].x = {7, i}; c[i].y = fill(time, 2, 2);
  end for;
end M;""")
    equal([row["t"], row["q[1,2]"], row["q[2,2]"], row["f"]], [3, 3, 4, 3])
    wrong = check_exit(run_text("show", SIZED + """model M A c[2](n = {1, 2}); end M;"""), 3)
    contains(wrong.err, "'c.x' has size 2 in one record of the array and 3 in another")
    equal(wrong.err.count("error"), 1)


def test_names_from_the_top():
    """`.P.C`, as encapsulated operators of records name their own record."""
    operators = """package P
  operator record C
    Real re; Real im;
    encapsulated operator 'constructor'
      function fromReal
        input Real r; input Real i = 0; output .P.C c;
      algorithm
        c.re := r; c.im := i;
      end fromReal;
    end 'constructor';
    encapsulated operator function '*'
      input .P.C a; input .P.C b; output .P.C c;
    algorithm
      c := .P.C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end '*';
  end C;
  model M
    .P.C a = .P.C(1, 2); P.C b = a*.P.C(3, time); C c = 2*b; type V = .Real(unit = "V");
    .Real x = 2*time; V y = x; .Integer n = 3;
  end M;
end P;"""
    row = last_of(operators)
    equal([row[f"{n}.{part}"] for n in "abc" for part in ("re", "im")], [1, 2, 1, 7, 2, 14])
    equal(row["y"], 2)


def test_functions_that_only_rearrange_take_records():
    row = last_of("""record P Real x; Integer n; end P;
model A
  type E = enumeration(a, b);
  P m[2,3] = {{P(10*i + j + time, i) for j in 1:3} for i in 1:2};
  P t[3,2] = transpose(m);
  P v[3] = vector({m[1,:]});
  P c[2,1] = matrix(m[:,2]);
  P s = scalar(m[2:2,{3}]);
  Real b[2,3,2] = {{{100*i + 10*j + k for k in 1:2} for j in 1:3} for i in 1:2};
  Real bt[3,2,2] = transpose(b);
  E e[2,1] = transpose({{E.b, E.a}});
end A;""")
    equal([row[f"t[{i},{j}].x"] for i in (1, 2, 3) for j in (1, 2)], [12, 22, 13, 23, 14, 24])
    equal([row[f"t[{i},2].n"] for i in (1, 2, 3)], [2, 2, 2])
    equal([row["v[3].x"], row["c[2,1].x"], row["s.x"], row["s.n"]], [14, 23, 24, 2])
    equal([row[f"bt[{i},{j},{k}]"] for i in (1, 2, 3) for j in (1, 2) for k in (1, 2)],
          [111, 112, 211, 212, 121, 122, 221, 222, 131, 132, 231, 232])
    equal([row["e[1,1]"], row["e[2,1]"]], [2, 1])


GENERIC = """package P
  record G Real x = 1; Real k = 1; Real R = x*k; end G;
  record H Real x = 4; G m(x = x, k = 3); G n[2](k = {3, 4}); G e[2](each k = 5); end H;
  package P1
    constant Real c = 2;
    replaceable record S = G(k = c);
    function f input Real u; output S s(x = u); algorithm end f;
  end P1;
  package P2 extends P1(c = 3, redeclare record S = G(k = c*c)); end P2;
  package P3 extends P1(c = 5); end P3;
  record S7 = P1.S(k = 7, x = 8);
  function g
    input Real u;
    output Real y;
  protected
    S7 s(k = u);
    G v[2](k = {3, u});
  algorithm
    y := s.R + v[2].k;
  end g;
"""


def test_values_that_a_short_class_or_a_declaration_gives_to_the_members_of_a_record():
    row = last_of(GENERIC + """model A
  Real y[12] = {P1.f(time).R, P2.f(time).R, P3.f(time).R, P1.S().R, P2.S().R, P3.S().R, S7().R,
                S7(k = 4).R, H().n[2].k, H(x = 7).m.R, H().e[2].k, g(time)};
  G a = S7(x = time), b[2] = {S7(), G(2, 3, 4)};
end A; end P;""")
    equal([row[f"y[{i}]"] for i in range(1, 13)], [2, 9, 5, 2, 9, 5, 56, 32, 4, 21, 5, 9])
    equal([row["a.k"], row["a.R"], row["b[1].R"], row["b[2].R"]], [7, 7, 56, 4])


def test_a_record_of_a_short_class_in_a_text_without_components():
    row = last_of("""record G Real x = 1; Real k = 1; end G;
record C = G(k = 3);
function f input Real u; output Real y; protected C c; algorithm y := c.k*u; end f;
model A Real y = f(time); C c = C(x = 2); end A;""")
    equal([row["y"], row["c.x"], row["c.k"]], [3, 2, 3])


def test_a_value_inside_of_a_member_of_a_local_record_is_refused():
    failed = check_exit(run_text("show", """record G Real x(start = 1) = 1; end G;
record H G m(x(start = 2)); end H;
function f input Real u; output Real y; protected H h(m(x = u)); algorithm y := h.m.x; end f;
model A Real y = f(time); end A;"""), 3)
    contains(failed.err, "3:55: error: not supported yet: a value inside a member")


def test_sizes_of_members_of_arrays_in_arrays_of_records():
    row = last_of("""package K
  record G parameter Real x = 3; parameter Real tau[:]; end G;
  record S parameter G g[:]; end S;
  record P parameter S s; parameter Real a; end P;
  model W
    parameter Real tau[:,:];
    parameter Real x[:];
    parameter Real rho[size(x, 1),size(tau, 2)] = 2*tau;
    Real y = sum(tau) + 100*sum(rho) + 10000*sum(x);
  end W;
  model A
    parameter S s(g = {G(tau = {7, 8}), G(x = 2, tau = {1, 3})});
    parameter P d[2](each s = s, a = {1, 2});
    parameter G m[2,3](x = {{1, 2, 3}, {4, 5, 6}}, each tau = {9});
    W w[2](tau = d.s.g.tau, x = d.s.g.x);
    W v[2](tau = m.tau, x = m.x);
    Real y[4] = {w[1].y, w[2].y, v[1].y, v[2].y};
  end A; end K;""")
    equal([row[f"y[{i}]"] for i in range(1, 5)], [53819, 53819, 65427, 155427])


main(globals())
