"""Models whose initialization is over-determined on purpose, by size: text of a model from
kind and number of components.

The last argument `wrong` makes one of the initial equations contradict the others (None: all
agree). All numbers are exact decimals, so that "agree" and "contradict" are facts."""


def masses(n, wrong=None):
    """Each mass for itself: a fixed start, the same again as an initial
    equation, and its velocity twice."""
    starts = "".join(f"  Real s{i}(start = {i}/10, fixed = true), "
                     f"v{i}(start = 0, fixed = true);\n" for i in range(n))
    body = "".join(f"  der(s{i}) = v{i};\n  2*der(v{i}) = -s{i} - v{i}/10;\n" for i in range(n))
    again = "".join(f"  10*s{i} = {i}{' + 1/1000' if i == wrong else ''};\n  v{i} = 0;\n"
                    for i in range(n))
    return f"model Masses\n{starts}equation\n{body}initial equation\n{again}end Masses;\n"


def coupled(n, wrong=None):
    """Masses on one rigid rod: two degrees of freedom, and a fixed start for
    every position and velocity."""
    text = [f"  parameter Real m = 3;\n"
            f"  Real s[{n}], v[{n}](each start = 1, each fixed = true), f[{n + 1}];\n"]
    text.append(f"equation\n  f[1] = 1;\n  f[{n + 1}] = 0;\n  for i in 1:{n} loop\n"
                f"    der(s[i]) = v[i];\n    m*der(v[i]) = f[i] - f[i + 1];\n  end for;\n")
    text.append(f"  for i in 1:{n - 1} loop\n    s[i + 1] = s[i] + 1/4;\n  end for;\n")
    at = ((lambda i: f"if i == {wrong + 1} then 7 else {i}/4") if wrong is not None
          else (lambda i: f"{i}/4"))
    text.append(f"initial equation\n  for i in 1:{n} loop\n    s[i] = {at('i')};\n  end for;\n")
    return f"model Coupled\n{''.join(text)}end Coupled;\n"


def gears(n, wrong=None):
    """A train of gears with ratios as parameters: positions are multiples of
    each other; speeds all given."""
    text = [f"  parameter Real r[{n}] = {{1 + 1/(3 + mod(i, 3)) for i in 1:{n}}};\n"
            f"  parameter Real J = 2;\n"]
    text.append(f"  Real phi[{n}](each start = 0, each fixed = true), w[{n}], tau[{n + 1}];\n")
    text.append(f"equation\n  tau[1] = 1;\n  tau[{n + 1}] = 0;\n"
                f"  for i in 1:{n} loop\n    der(phi[i]) = w[i];\n"
                f"    J*der(w[i]) = tau[i] - tau[i + 1]*r[i];\n  end for;\n")
    text.append(f"  for i in 1:{n - 1} loop\n    phi[i] = r[i]*phi[i + 1];\n  end for;\n")
    value = f"if i == {wrong + 1} then 1 else 0" if wrong is not None else "0"
    text.append(f"initial equation\n  for i in 1:{n} loop\n    w[i] = {value};\n  end for;\n")
    return f"model Gears\n{''.join(text)}end Gears;\n"


def capacitors(n, wrong=None):
    """Capacitors in parallel, each with its start voltage: one state."""
    text = [f"  parameter Real C[{n}] = {{1 + i/10 for i in 1:{n}}};\n  parameter Real R = 5;\n"
            f"  Real u[{n}], i[{n}], total;\n"]
    text.append(f"equation\n  for k in 1:{n} loop\n    C[k]*der(u[k]) = i[k];\n  end for;\n")
    text.append(f"  for k in 1:{n - 1} loop\n    u[k] = u[k + 1];\n  end for;\n"
                f"  total = sum(i);\n  u[1] + R*total = 10;\n")
    value = f"if k == {wrong + 1} then 41/10 else 4" if wrong is not None else "4"
    text.append(f"initial equation\n  for k in 1:{n} loop\n    u[k] = {value};\n  end for;\n")
    return f"model Capacitors\n{''.join(text)}end Capacitors;\n"


def ladder(n, wrong=None):
    """RC ladder in steady state (der(u) = 0 everywhere), and the voltages fixed at that
    steady state as well: n redundant."""
    text = [f"  parameter Real R = 2;\n  parameter Real C = 1/5;\n"
            f"  Real u[{n}](each start = 10, each fixed = true), j[{n}];\n"]
    text.append(f"equation\n  10 - u[1] = R*j[1];\n  for k in 2:{n} loop\n"
                f"    u[k - 1] - u[k] = R*j[k];\n  end for;\n")
    text.append(f"  for k in 1:{n - 1} loop\n    C*der(u[k]) = j[k] - j[k + 1];\n  end for;\n"
                f"  C*der(u[{n}]) = j[{n}];\n")
    value = f"if k == {wrong + 1} then 1 else 0" if wrong is not None else "0"
    text.append(f"initial equation\n  for k in 1:{n} loop\n    der(u[k]) = {value};\n  end for;\n")
    return f"model Ladder\n{''.join(text)}end Ladder;\n"


def steady(n, wrong=None):
    """RC ladder with n steady-state equations only: well determined, a
    tridiagonal loop with parameters in it."""
    del wrong
    text = [f"  parameter Real R = 2;\n  parameter Real C = 1/5;\n  Real u[{n}], j[{n}];\n"]
    text.append(f"equation\n  10 - u[1] = R*j[1];\n  for k in 2:{n} loop\n"
                f"    u[k - 1] - u[k] = R*j[k];\n  end for;\n")
    text.append(f"  for k in 1:{n - 1} loop\n    C*der(u[k]) = j[k] - j[k + 1];\n  end for;\n"
                f"  C*der(u[{n}]) = j[{n}];\n")
    text.append(f"initial equation\n  for k in 1:{n} loop\n    der(u[k]) = 0;\n  end for;\n")
    return f"model Steady\n{''.join(text)}end Steady;\n"


def pendula(n, wrong=None):
    """n pendula hanging from each other by rods (index 3, nonlinear), the positions and
    velocities given twice over."""
    text = ["  parameter Real m = 1;\n  parameter Real L = 1;\n  parameter Real g = 9.81;\n"]
    text.append(f"  Real x[{n}](start = {{3*i/5 for i in 1:{n}}}), y[{n}](start = {{-4*i/5 for "
                f"i in 1:{n}}});\n  Real u[{n}], v[{n}], h[{n + 1}];\n")
    text.append("equation\n  x[1]^2 + y[1]^2 = L^2;\n")
    text.append(f"  for i in 2:{n} loop\n    (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = L^2;\n"
                f"  end for;\n  h[{n + 1}] = 0;\n")
    text.append(f"  for i in 1:{n} loop\n    der(x[i]) = u[i];\n"
                f"    der(y[i]) = v[i];\n  end for;\n")
    above = lambda s: f"({s}[i] - (if i > 1 then {s}[max(i - 1, 1)] else 0))"
    below = lambda s: f"({s}[min(i + 1, {n})] - {s}[i])"
    text.append(f"  for i in 1:{n} loop\n"
                f"    m*der(u[i]) = -{above('x')}*h[i] + {below('x')}*h[i + 1];\n")
    text.append(f"    m*der(v[i]) = -{above('y')}*h[i] + {below('y')}*h[i + 1] "
                f"- m*g;\n  end for;\n")
    value = f"(if i == {wrong + 1} then 1/2 else 3*i/5)" if wrong is not None else "3*i/5"
    text.append(f"initial equation\n  for i in 1:{n} loop\n    x[i] = {value};\n"
                f"    y[i] = -4*i/5;\n    u[i] = 0;\n    v[i] = 0;\n  end for;\n")
    return f"model Pendula\n{''.join(text)}end Pendula;\n"


def leaky(n, wrong=None):
    """RC ladder with a conductance at every node, in steady state: one linear loop through
    all nodes, symbols R, G and U in it, and the source current given as well where `wrong`
    asks for it (it contradicts)."""
    text = [f"  parameter Real R = 2;\n  parameter Real G = 1/3;\n  parameter Real C = 1/5;\n"
            f"  parameter Real U = 10;\n  Real u[{n}], j[{n}];\n"]
    text.append(f"equation\n  U - u[1] = R*j[1];\n  for k in 2:{n} loop\n"
                f"    u[k - 1] - u[k] = R*j[k];\n  end for;\n")
    text.append(f"  for k in 1:{n - 1} loop\n    C*der(u[k]) = j[k] - j[k + 1] - G*u[k];\n"
                f"  end for;\n  C*der(u[{n}]) = j[{n}] - G*u[{n}];\n")
    extra = "" if wrong is None else "  j[1] = 0;\n"
    text.append(f"initial equation\n  for k in 1:{n} loop\n    der(u[k]) = 0;\n  end for;\n{extra}")
    return f"model Leaky\n{''.join(text)}end Leaky;\n"


def free(n, wrong=None):
    """Coupled masses without any initial condition: two are missing."""
    del wrong
    text = [f"  parameter Real m = 3;\n  Real s[{n}], v[{n}], f[{n + 1}];\n"]
    text.append(f"equation\n  f[1] = 1;\n  f[{n + 1}] = 0;\n  for i in 1:{n} loop\n"
                f"    der(s[i]) = v[i];\n    m*der(v[i]) = f[i] - f[i + 1];\n  end for;\n")
    text.append(f"  for i in 1:{n - 1} loop\n    s[i + 1] = s[i] + 1/4;\n  end for;\n")
    return f"model Free\n{''.join(text)}end Free;\n"


def loose(n, wrong=None):
    """Masses on springs without any initial condition: 2n are missing."""
    del wrong
    text = [f"  parameter Real m = 3;\n  parameter Real c = 2;\n"
            f"  Real s[{n}](each start = 1), v[{n}], f[{n + 1}];\n"]
    text.append(f"equation\n  f[1] = 0;\n  f[{n + 1}] = 0;\n  for i in 1:{n} loop\n"
                f"    der(s[i]) = v[i];\n    m*der(v[i]) = f[i + 1] - f[i];\n  end for;\n")
    text.append(f"  for i in 1:{n - 1} loop\n    f[i + 1] = c*(s[i + 1] - s[i]);\n  end for;\n")
    return f"model Loose\n{''.join(text)}end Loose;\n"


KINDS = {f.__name__: f for f in (masses, coupled, gears, capacitors, ladder, steady, leaky,
                                 pendula, free, loose)}
