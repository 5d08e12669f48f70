"""Large flat models as a front end would flatten them: components with
connectors, most equations trivial.

    large.py ladder N      N sections of resistor, inductor and capacitor with pins: 18 N variables
    large.py chain N       N rigid bodies in space on revolute joints, frames with full
                           rotation matrices: 290 N variables
    large.py connectors N  a state behind N connectors in a row, all of them aliases

Every model is written by rules, no text is taken from a library. The chain moves in a
plane although its equations are those of space, so a plain double pendulum checks its
results (tests/cli/test_large.py).
"""

import sys


class Model:
    def __init__(self, name):
        self.name, self.variables, self.equations, self.initial = name, [], [], []

    def real(self, name, modifiers=""):
        self.variables.append(f"  Real {name}{modifiers};")
        return name

    def vector(self, name, modifiers=""):
        return self.real(f"{name}[3]", modifiers)

    def equal(self, a, b):
        self.equations.append(f"  {a} = {b};")

    def text(self, stop):
        head = [f"model {self.name}"] + self.variables
        initial = ["initial equation"] + self.initial if self.initial else []
        return "\n".join(head + initial + ["equation"] + self.equations
                         + [f"  annotation(experiment(StopTime = {stop}));",
                            f"end {self.name};", ""])


# ---- electrical ladder -----------------------------------------------------------------------


def two_pin(model, name, law):
    """Pins p and n, voltage v, current i and a law of the component."""
    for member in ("p.v", "p.i", "n.v", "n.i", "i"):
        model.real(f"{name}.{member}")
    model.real(f"{name}.v", "(start = 0, fixed = true)" if law == "C" else "")
    model.equal(f"{name}.v", f"{name}.p.v - {name}.n.v")
    model.equal("0", f"{name}.p.i + {name}.n.i")
    model.equal(f"{name}.i", f"{name}.p.i")
    if law == "R":
        model.equal(f"10*{name}.i", f"{name}.v")
    elif law == "L":
        model.equal(f"0.01*der({name}.i)", f"{name}.v")
        model.initial.append(f"  {name}.i = 0;")
    else:
        model.equal(f"{name}.i", f"0.0001*der({name}.v)")


def connect(model, pins):
    for pin in pins[1:]:
        model.equal(f"{pins[0]}.v", f"{pin}.v")
    model.equal(" + ".join(f"{pin}.i" for pin in pins), "0")


def ladder(n):
    model = Model("Ladder")
    for name in ("source.p.v", "source.p.i", "source.n.v", "source.n.i",
                 "ground.p.v", "ground.p.i"):
        model.real(name)
    model.equal("source.p.v - source.n.v", "sin(100*time)")
    model.equal("0", "source.p.i + source.n.i")
    model.equal("ground.p.v", "0")
    grounded = ["source.n", "ground.p"]
    before = "source.p"
    for k in range(1, n + 1):
        two_pin(model, f"r{k}", "R")
        two_pin(model, f"l{k}", "L")
        two_pin(model, f"c{k}", "C")
        connect(model, [before, f"r{k}.p"] if k == 1 else [before, f"c{k - 1}.p", f"r{k}.p"])
        connect(model, [f"r{k}.n", f"l{k}.p"])
        before = f"l{k}.n"
        grounded.append(f"c{k}.n")
    connect(model, [before, f"c{n}.p"])
    connect(model, grounded)
    return model.text(0.1)


# ---- rigid bodies in space -------------------------------------------------------------------


def names(prefix):
    return [f"{prefix}[{i}]" for i in (1, 2, 3)]


def cross(a, b):
    return [f"{a[1]}*{b[2]} - {a[2]}*{b[1]}", f"{a[2]}*{b[0]} - {a[0]}*{b[2]}",
            f"{a[0]}*{b[1]} - {a[1]}*{b[0]}"]


def rotation(prefix):
    return [[f"{prefix}.T[{i},{j}]" for j in (1, 2, 3)] for i in (1, 2, 3)]


def times(matrix, vector):
    return [" + ".join(f"{row[j]}*{vector[j]}" for j in range(3)) for row in matrix]


def transposed(matrix):
    return [[matrix[j][i] for j in range(3)] for i in range(3)]


def add_frame(model, name):
    model.vector(f"{name}.r_0")
    model.real(f"{name}.R.T[3,3]")
    model.vector(f"{name}.R.w")
    model.vector(f"{name}.f")
    model.vector(f"{name}.t")


def equal_vectors(model, a, b):
    for left, right in zip(a, b):
        model.equal(left, right)


def connect_frames(model, a, b):
    equal_vectors(model, names(f"{a}.r_0"), names(f"{b}.r_0"))
    for row_a, row_b in zip(rotation(f"{a}.R"), rotation(f"{b}.R")):
        equal_vectors(model, row_a, row_b)
    equal_vectors(model, names(f"{a}.R.w"), names(f"{b}.R.w"))
    for member in ("f", "t"):
        for left, right in zip(names(f"{a}.{member}"), names(f"{b}.{member}")):
            model.equal(f"{left} + {right}", "0")


def revolute(model, name, phi):
    """About the third axis: T_b = T_rel T_a, w_b = T_rel w_a + e w, forces and torques
    carried over, no driving torque."""
    for member in ("frame_a", "frame_b"):
        add_frame(model, f"{name}.{member}")
    model.real(f"{name}.phi", f"(start = {phi}, fixed = true, stateSelect = StateSelect.prefer)")
    model.real(f"{name}.w", "(start = 0, fixed = true, stateSelect = StateSelect.prefer)")
    model.real(f"{name}.a")
    model.real(f"{name}.tau")
    model.real(f"{name}.R_rel.T[3,3]")
    e = ["0", "0", "1"]
    relative = rotation(f"{name}.R_rel")
    c, s = f"cos({name}.phi)", f"sin({name}.phi)"
    for i, row in enumerate([[c, s, "0"], [f"-{s}", c, "0"], ["0", "0", "1"]]):
        equal_vectors(model, relative[i], row)
    model.equal(f"{name}.w", f"der({name}.phi)")
    model.equal(f"{name}.a", f"der({name}.w)")
    a, b = f"{name}.frame_a", f"{name}.frame_b"
    equal_vectors(model, names(f"{b}.r_0"), names(f"{a}.r_0"))
    upper = rotation(f"{a}.R")
    for i in range(3):
        for j in range(3):
            model.equal(rotation(f"{b}.R")[i][j],
                        " + ".join(f"{relative[i][k]}*{upper[k][j]}" for k in range(3)))
    turned = times(relative, names(f"{a}.R.w"))
    equal_vectors(model, names(f"{b}.R.w"), [f"{turned[i]} + {e[i]}*{name}.w" for i in range(3)])
    for member in ("f", "t"):
        carried = times(transposed(relative), names(f"{b}.{member}"))
        equal_vectors(model, ["0", "0", "0"],
                      [f"{names(f'{a}.{member}')[i]} + {carried[i]}" for i in range(3)])
    model.equal(f"{name}.tau", " + ".join(f"-{e[i]}*{names(f'{b}.t')[i]}" for i in range(3)))
    model.equal(f"{name}.tau", "0")


def translation(model, name, r):
    for member in ("frame_a", "frame_b"):
        add_frame(model, f"{name}.{member}")
    a, b = f"{name}.frame_a", f"{name}.frame_b"
    shifted = times(transposed(rotation(f"{a}.R")), r)
    equal_vectors(model, names(f"{b}.r_0"),
                  [f"{names(f'{a}.r_0')[i]} + {shifted[i]}" for i in range(3)])
    for left, right in zip(rotation(f"{b}.R"), rotation(f"{a}.R")):
        equal_vectors(model, left, right)
    equal_vectors(model, names(f"{b}.R.w"), names(f"{a}.R.w"))
    for i in range(3):
        model.equal("0", f"{names(f'{a}.f')[i]} + {names(f'{b}.f')[i]}")
        model.equal("0", f"{names(f'{a}.t')[i]} + {names(f'{b}.t')[i]} + "
                    f"{cross(r, names(f'{b}.f'))[i]}")


def body(model, name, mass, inertia):
    """Centre of mass in frame_a."""
    add_frame(model, f"{name}.frame_a")
    frame_a = f"{name}.frame_a"
    for member in ("r_0", "v_0", "a_0", "w_a", "z_a", "g_0"):
        model.vector(f"{name}.{member}")
    equal_vectors(model, names(f"{name}.r_0"), names(f"{frame_a}.r_0"))
    equal_vectors(model, names(f"{name}.g_0"), ["0", "-9.81", "0"])
    equal_vectors(model, names(f"{name}.v_0"), [f"der({x})" for x in names(f"{name}.r_0")])
    equal_vectors(model, names(f"{name}.a_0"), [f"der({x})" for x in names(f"{name}.v_0")])
    equal_vectors(model, names(f"{name}.w_a"), names(f"{frame_a}.R.w"))
    equal_vectors(model, names(f"{name}.z_a"), [f"der({x})" for x in names(f"{name}.w_a")])
    pull = [f"({names(f'{name}.a_0')[i]} - {names(f'{name}.g_0')[i]})" for i in range(3)]
    force = times(rotation(f"{frame_a}.R"), pull)
    equal_vectors(model, names(f"{frame_a}.f"), [f"{mass}*({f})" for f in force])
    momentum = [f"{inertia}*{w}" for w in names(f"{name}.w_a")]
    gyro = cross(names(f"{name}.w_a"), momentum)
    equal_vectors(model, names(f"{frame_a}.t"),
                  [f"{inertia}*{names(f'{name}.z_a')[i]} + {gyro[i]}" for i in range(3)])


def chain(n):
    model = Model("Chain")
    add_frame(model, "world.frame_b")
    equal_vectors(model, names("world.frame_b.r_0"), ["0", "0", "0"])
    for i, row in enumerate(rotation("world.frame_b.R")):
        equal_vectors(model, row, ["1" if i == j else "0" for j in range(3)])
    equal_vectors(model, names("world.frame_b.R.w"), ["0", "0", "0"])
    before = "world.frame_b"
    for k in range(1, n + 1):
        revolute(model, f"joint{k}", 0.5 if k == 1 else 0.25)
        translation(model, f"rod{k}", ["1", "0", "0"])
        body(model, f"body{k}", 1, 0.125)
        connect_frames(model, before, f"joint{k}.frame_a")
        connect_frames(model, f"joint{k}.frame_b", f"rod{k}.frame_a")
        before = f"rod{k}.frame_b"
        if k < n:  # three frames meet: forces of all of them
            equal_vectors(model, names(f"{before}.r_0"), names(f"body{k}.frame_a.r_0"))
            for left, right in zip(rotation(f"{before}.R"), rotation(f"body{k}.frame_a.R")):
                equal_vectors(model, left, right)
            equal_vectors(model, names(f"{before}.R.w"), names(f"body{k}.frame_a.R.w"))
            add_frame(model, f"node{k}")
            equal_vectors(model, names(f"node{k}.r_0"), names(f"{before}.r_0"))
            for left, right in zip(rotation(f"node{k}.R"), rotation(f"{before}.R")):
                equal_vectors(model, left, right)
            equal_vectors(model, names(f"node{k}.R.w"), names(f"{before}.R.w"))
            for member in ("f", "t"):
                for i in range(3):
                    model.equal(f"{names(f'{before}.{member}')[i]} + "
                                f"{names(f'body{k}.frame_a.{member}')[i]}"
                                f" - {names(f'node{k}.{member}')[i]}", "0")
            before = f"node{k}"
        else:
            connect_frames(model, before, f"body{k}.frame_a")
    return model.text(1)


# ---- connectors ------------------------------------------------------------------------------


def connectors(n):
    model = Model("Connectors")
    model.real("x", "(start = 1, fixed = true)")
    model.equal("der(x)", f"-c{n}.v")
    model.real("c1.v")
    model.equal("c1.v", "x")
    for k in range(2, n + 1):
        model.real(f"c{k}.v")
        model.equal(f"c{k}.v", f"c{k - 1}.v" if k % 2 else f"-(-c{k - 1}.v)")
    return model.text(1)


KINDS = {"ladder": ladder, "chain": chain, "connectors": connectors}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    sys.stdout.write(KINDS[sys.argv[1]](int(sys.argv[2])))
