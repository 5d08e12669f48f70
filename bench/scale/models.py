"""Models by size, as texts: fields to integrate, over-determined starts on grids, mechanisms
whose analysis is hard. Numbers are exact decimals, so that "agree" is a fact."""


def rod(n):
    """Heat in a rod of n cells, heated at the left end."""
    return (f"model Rod\n  constant Integer N = {n};\n  constant Real D = 100;\n"
            "  Real T[N](each start = 0, each fixed = true);\nequation\n"
            "  der(T[1]) = D*(1 - 2*T[1] + T[2]);\n"
            "  for i in 2:N - 1 loop\n    der(T[i]) = D*(T[i - 1] - 2*T[i] + T[i + 1]);\n"
            "  end for;\n  der(T[N]) = D*(T[N - 1] - T[N]);\n"
            "  annotation(experiment(StopTime = 1));\nend Rod;\n")


def side_of(n):
    """Cells along one side of a square of about n unknowns."""
    return max(2, round(n ** 0.5))


def grid(n):
    """Heat in a square plate of about n cells that radiates; one side is kept hot."""
    m = side_of(n)
    return (f"model Grid\n  constant Integer M = {m};\n  constant Real D = 100;\n"
            "  Real T[M, M](each start = 0, each fixed = true);\n  Real w[M + 2, M + 2];\n"
            "equation\n"
            "  for i in 1:M, j in 1:M loop\n    w[i + 1, j + 1] = T[i, j];\n"
            "    der(T[i, j]) = D*(w[i, j + 1] + w[i + 2, j + 1] + w[i + 1, j] + w[i + 1, j + 2]\n"
            "      - 4*T[i, j]) - T[i, j]^4;\n  end for;\n"
            "  for i in 1:M + 2 loop\n    w[1, i] = 1;\n    w[M + 2, i] = 0;\n  end for;\n"
            "  for i in 2:M + 1 loop\n    w[i, 1] = 0;\n    w[i, M + 2] = 0;\n  end for;\n"
            "  annotation(experiment(StopTime = 1));\nend Grid;\n")


def brusselator(n):
    """Two substances that react and diffuse along n/2 cells [HairerWanner96, I.1]."""
    return (f"model Brusselator\n  constant Integer N = {n // 2};\n"
            "  constant Real D = 0.02*(N + 1)^2/100;\n"
            "  Real u[N](each start = 1.2, each fixed = true);\n"
            "  Real v[N](each start = 3, each fixed = true);\n  Real p[N + 2], q[N + 2];\n"
            "equation\n  p[1] = 1;\n  p[N + 2] = 1;\n  q[1] = 3;\n  q[N + 2] = 3;\n"
            "  for i in 1:N loop\n    p[i + 1] = u[i];\n    q[i + 1] = v[i];\n"
            "    der(u[i]) = 1 + u[i]^2*v[i] - 4*u[i] + D*(p[i] - 2*u[i] + p[i + 2]);\n"
            "    der(v[i]) = 3*u[i] - u[i]^2*v[i] + D*(q[i] - 2*v[i] + q[i + 2]);\n"
            "  end for;\n  annotation(experiment(StopTime = 1));\nend Brusselator;\n")


def capacitor_grid(n):
    """Capacitors along all edges of a square of about n/3 nodes, each with its start voltage:
    one redundant for each mesh. One corner is ground, a source with resistance at the other."""
    m = side_of(n / 3)
    return (f"model CapacitorGrid\n  constant Integer M = {m};\n"
            "  Real v[M, M];\n"
            "  Real a[M, M - 1](each start = 0, each fixed = true), i[M, M - 1];\n"
            "  Real b[M - 1, M](each start = 0, each fixed = true), j[M - 1, M];\n"
            "equation\n  for r in 1:M, s in 1:M loop\n    if r == 1 and s == 1 then\n"
            "      v[r, s] = 0;\n    else\n"
            "      (if s < M then i[r, min(s, M - 1)] else 0)\n"
            "        - (if s > 1 then i[r, max(s - 1, 1)] else 0)\n"
            "        + (if r < M then j[min(r, M - 1), s] else 0)\n"
            "        - (if r > 1 then j[max(r - 1, 1), s] else 0)\n"
            "        + (if r == M and s == M then (v[r, s] - 1)/50 else 0) = 0;\n    end if;\n"
            "  end for;\n"
            "  for r in 1:M, s in 1:M - 1 loop\n    a[r, s] = v[r, s] - v[r, s + 1];\n"
            "    (1 + r/10 + s/7)*der(a[r, s]) = i[r, s];\n  end for;\n"
            "  for r in 1:M - 1, s in 1:M loop\n    b[r, s] = v[r, s] - v[r + 1, s];\n"
            "    (1 + r/9 + s/8)*der(b[r, s]) = j[r, s];\n  end for;\nend CapacitorGrid;\n")


def parallel_capacitors(n):
    """n capacitors in parallel, each with its start voltage: one state."""
    return (f"model Parallel\n  constant Integer N = {n};\n"
            "  parameter Real C[N] = {1 + k/10 for k in 1:N};\n  parameter Real R = 5;\n"
            "  Real u[N](each start = 4, each fixed = true), i[N];\nequation\n"
            "  for k in 1:N loop\n    C[k]*der(u[k]) = i[k];\n  end for;\n"
            "  for k in 1:N - 1 loop\n    u[k] = u[k + 1];\n  end for;\n"
            "  u[1] + R*sum(i) = 10;\nend Parallel;\n")


def navier_stokes(n):
    """Incompressible flow in a closed box of m x m cells on a staggered grid (n about 3 m^2),
    driven by its lid; all velocities given: one redundant for each cell."""
    m = side_of(n / 3)
    return (f"model NavierStokes\n  constant Integer M = {m};\n  parameter Real nu = 1/100;\n"
            "  constant Real h = 1/M;\n"
            "  Real u[M - 1, M](each start = 0, each fixed = true);\n"
            "  Real v[M, M - 1](each start = 0, each fixed = true);\n  Real p[M, M];\n"
            "  Real U[M + 1, M + 2], V[M + 2, M + 1];\nequation\n"
            "  for j in 1:M loop\n    U[1, j + 1] = 0;\n    U[M + 1, j + 1] = 0;\n"
            "    for i in 1:M - 1 loop\n      U[i + 1, j + 1] = u[i, j];\n    end for;\n"
            "    V[j + 1, 1] = 0;\n    V[j + 1, M + 1] = 0;\n"
            "    for i in 1:M - 1 loop\n      V[j + 1, i + 1] = v[j, i];\n    end for;\n"
            "  end for;\n"
            "  for i in 1:M + 1 loop\n    U[i, 1] = -U[i, 2];\n    U[i, M + 2] = 2 - U[i, M + 1];\n"
            "    V[1, i] = -V[2, i];\n    V[M + 2, i] = -V[M + 1, i];\n  end for;\n"
            "  for i in 1:M - 1, j in 1:M loop\n"
            "    der(u[i, j]) = -(p[i + 1, j] - p[i, j])/h\n"
            "      - ((U[i + 1, j + 1] + U[i + 2, j + 1])^2\n"
            "        - (U[i, j + 1] + U[i + 1, j + 1])^2)/(4*h)\n"
            "      - ((U[i + 1, j + 1] + U[i + 1, j + 2])*(V[i + 1, j + 1] + V[i + 2, j + 1])\n"
            "        - (U[i + 1, j] + U[i + 1, j + 1])*(V[i + 1, j] + V[i + 2, j]))/(4*h)\n"
            "      + nu*(U[i, j + 1] + U[i + 2, j + 1] + U[i + 1, j] + U[i + 1, j + 2]\n"
            "        - 4*U[i + 1, j + 1])/h^2;\n"
            "    der(v[j, i]) = -(p[j, i + 1] - p[j, i])/h\n"
            "      - ((V[j + 1, i + 1] + V[j + 1, i + 2])^2\n"
            "        - (V[j + 1, i] + V[j + 1, i + 1])^2)/(4*h)\n"
            "      - ((V[j + 1, i + 1] + V[j + 2, i + 1])*(U[j + 1, i + 1] + U[j + 1, i + 2])\n"
            "        - (V[j, i + 1] + V[j + 1, i + 1])*(U[j, i + 1] + U[j, i + 2]))/(4*h)\n"
            "      + nu*(V[j, i + 1] + V[j + 2, i + 1] + V[j + 1, i] + V[j + 1, i + 2]\n"
            "        - 4*V[j + 1, i + 1])/h^2;\n  end for;\n"
            "  for i in 1:M, j in 1:M loop\n    if i == 1 and j == 1 then\n      p[1, 1] = 0;\n"
            "    else\n      U[i + 1, j + 1] - U[i, j + 1] + V[i + 1, j + 1] - V[i + 1, j] = 0;\n"
            "    end if;\n  end for;\nend NavierStokes;\n")


def resistor_grid(n):
    """m x m nodes with resistors between them and a capacitor at every second one; n equations
    in all."""
    m = side_of(n / 3)
    return (f"model ResistorGrid\n  constant Integer M = {m};\n"
            "  Real v[M, M], i[M, M - 1], j[M - 1, M];\nequation\n"
            "  for r in 1:M, s in 1:M loop\n"
            "    (if s < M then i[r, min(s, M - 1)] else 0)\n"
            "      - (if s > 1 then i[r, max(s - 1, 1)] else 0)\n"
            "      + (if r < M then j[min(r, M - 1), s] else 0)\n"
            "      - (if r > 1 then j[max(r - 1, 1), s] else 0)\n"
            "      + (if mod(r + s, 2) == 0 then der(v[r, s]) else v[r, s]) = 0;\n  end for;\n"
            "  for r in 1:M, s in 1:M - 1 loop\n    v[r, s] - v[r, s + 1] = 2*i[r, s];\n"
            "  end for;\n"
            "  for r in 1:M - 1, s in 1:M loop\n    v[r, s] - v[r + 1, s] = 3*j[r, s];\n"
            "  end for;\nend ResistorGrid;\n")


def flat_ladder(n):
    """n/2 sections of an RC ladder as a flattening tool writes them (bench/reader)."""
    head = ["class Ladder \"RC ladder\"\n  parameter Real V(unit = \"V\") = 10.0;\n"]
    tail = ["equation\n"]
    for k in range(1, n // 2 + 1):
        s = f"section{k}"
        head.append(f"  parameter Real {s}.resistor.R(quantity = \"Resistance\", unit = \"Ohm\") = "
                    f"100.0;\n  parameter Real {s}.capacitor.C(unit = \"F\", min = 0.0) = 1e-6;\n"
                    f"  Real {s}.resistor.i(unit = \"A\");\n"
                    f"  Real {s}.capacitor.v(unit = \"V\", start = 0.0, fixed = true);\n")
        left = "V*sin(314.0*time)" if k == 1 else f"section{k - 1}.capacitor.v"
        right = "" if k == n // 2 else f" - section{k + 1}.resistor.i"
        tail.append(f"  {s}.resistor.R*{s}.resistor.i = {left} - {s}.capacitor.v;\n"
                    f"  {s}.capacitor.C*der({s}.capacitor.v) = {s}.resistor.i{right};\n")
    return "".join(head + tail) + "end Ladder;\n"


COMPONENTS = """model Ladder
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model TwoPin
    Pin p, n;
    Real v = p.v - n.v;
  equation
    p.i + n.i = 0;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real R = 1;
  equation
    v = R*p.i;
  end Resistor;
  model Capacitor
    extends TwoPin(v(start = 1, fixed = true));
    parameter Real C = 1;
  equation
    C*der(v) = p.i;
  end Capacitor;
  model Cell
    Pin a, b;
    Resistor r(R = 2);
    Capacitor c(C = 3);
    Ground g;
  equation
    connect(a, r.p);
    connect(r.n, b);
    connect(b, c.p);
    connect(c.n, g.p);
  end Cell;
  Cell cell[{n}];
  Ground ground;
equation
  connect(ground.p, cell[1].a);
  for k in 1:{before} loop
    connect(cell[k].b, cell[k + 1].a);
  end for;
end Ladder;
"""


def component_ladder(n):
    """n cells of a resistor, a capacitor and a ground, connected in a loop over the cells."""
    return COMPONENTS.format(n=n, before=n - 1)


def pendula(n):
    """n/5 pendula, each hanging from the one before (index 3)."""
    return chain(n // 5)


def random_sparse(n):
    """n linear equations with five entries each, der(x) or x, one on a hidden permutation."""
    state = 42

    def draw(bound):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % bound

    hidden = list(range(n))
    for k in range(n - 1, 0, -1):
        at = draw(k + 1)
        hidden[k], hidden[at] = hidden[at], hidden[k]
    lines = [f"model RandomSparse\n  Real x[{n}];\nequation\n"]
    for i in range(n):
        columns = dict.fromkeys([hidden[i]] + [draw(n) for _ in range(4)])
        entries = (f"{1 + draw(9)}*" + (f"der(x[{j + 1}])" if draw(2) else f"x[{j + 1}]")
                   for j in columns)
        lines.append(f"  0 = {' + '.join(entries)};\n")
    return "".join(lines) + "end RandomSparse;\n"


def relative(n):
    """n rods in relative coordinates with the end held at a height: index 3, a full mass
    matrix."""
    k = range(1, n + 1)
    text = ["model Relative\n  Real mu;\n"]
    text += [f"  Real p{i}(start = {i}/10), w{i};\n" for i in k]
    text += ["equation\n"] + [f"  der(p{i}) = w{i};\n" for i in k]
    for i in k:
        below = {j: n + 1 - max(i, j) for j in k}
        text.append("  " + " + ".join(f"{below[j]}*cos(p{i} - p{j})*der(w{j})" for j in k) +
                    "".join(f" + {below[j]}*sin(p{i} - p{j})*w{j}^2" for j in k) +
                    f" + {n + 1 - i}*9.81*sin(p{i}) + mu*cos(p{i}) = 0;\n")
    text.append("  0 = " + " + ".join(f"sin(p{i})" for i in k) + f" - {n}*2/5;\nend Relative;\n")
    return "".join(text)


def chain(n, is_loop=False):
    """n masses on rods that hang from the ceiling; a loop hangs from it at both ends."""
    rods = n + 1 if is_loop else n
    text = [f"model Chain\n  constant Integer N = {n};\n  Real l[{rods}];\n"
            "  Real x[N](start = {k/2 for k in 1:N});\n"
            "  Real y[N](start = {(if mod(k, 2) == 1 then -0.866 else 0) for k in 1:N});\n"
            "  Real u[N], v[N];\nequation\n"]

    def rod(name, i):
        before = f" - {name}[{i - 1}]" if i > 1 else ""
        end = "(N + 1)/2" if name == "x" else "(if mod(N, 2) == 0 then -0.866 else 0)"
        here = f"{name}[{i}]" if i <= n else end
        return f"({here}{before})"

    for i in range(1, n + 1):
        text.append(f"  der(x[{i}]) = u[{i}];\n  der(y[{i}]) = v[{i}];\n")
        for name, speed, weight in (("x", "u", ""), ("y", "v", " - 9.81")):
            below = f" + {rod(name, i + 1)}*l[{i + 1}]" if i < rods else ""
            text.append(f"  der({speed}[{i}]) = -{rod(name, i)}*l[{i}]{below}{weight};\n")
    text += [f"  {rod('x', i)}^2 + {rod('y', i)}^2 = 1;\n" for i in range(1, rods + 1)]
    return "".join(text) + "end Chain;\n"


def loop(n):
    return chain(n, is_loop=True)


def straight_chain(n):
    """The chain body by body: only x has starts, so that a point on the constraints has to be
    found in the order of the bodies."""
    text = ["model Chain\n  parameter Real m = 1, L = 1, g = 9.81;\n"]
    text += [f"  Real x{i}(start = {i}), y{i}, u{i}, v{i}, l{i};\n" for i in range(1, n + 1)]
    text.append("equation\n")
    for i in range(1, n + 1):
        text.append(f"  der(x{i}) = u{i};\n  der(y{i}) = v{i};\n")
        for name, speed, weight in (("x", "u", ""), ("y", "v", " - m*g")):
            above = f" - {name}{i - 1}" if i > 1 else ""
            below = f" + ({name}{i + 1} - {name}{i})*l{i + 1}" if i < n else ""
            text.append(f"  m*der({speed}{i}) = -({name}{i}{above})*l{i}{below}{weight};\n")
        text.append(f"  (x{i}{f' - x{i - 1}' if i > 1 else ''})^2"
                    f" + (y{i}{f' - y{i - 1}' if i > 1 else ''})^2 = L^2;\n")
    return "".join(text) + "end Chain;\n"


def car_axis(text, is_wrong):
    """The over-determined car axis, with a wrong term in its second derivative."""
    if not is_wrong:
        return text
    head, tail = text.split("xbPP = ", 1)
    at = tail.index("/sqrt(L^2 - yb^2)")
    return head + "xbPP = " + tail[:at] + "/sqrt(L*2)" + tail[at + len("/sqrt(L^2 - yb^2)"):]
