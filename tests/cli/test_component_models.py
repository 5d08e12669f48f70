"""Models of the kinds that component libraries make: what they need beyond single equations."""

from harness import check_exit, main, run_text


def last_row(text, *options):
    """The values of the last row by name."""
    lines = check_exit(run_text("simulate", text, *options), 0).out.splitlines()
    names = [name.strip('"') for name in lines[0].split(",")]
    return dict(zip(names, map(float, lines[-1].split(","))))


# both brakes locked: two equations for a, none that tells t1 and t2 apart
TWO_BRAKES = """model TwoBrakes
  Real w(start = 1, fixed = true), a, t1, t2;
  Boolean l1 = time > 2, l2 = time > 3;
equation
  der(w) = a;
  2*a = 0.3 - t1 - t2;
  0 = if l1 then a else t1 - 0.1*w;
  0 = if l2 then a else t2 - 0.2*w;
end TwoBrakes;
"""


def test_a_model_that_is_singular_in_one_of_its_modes_runs_in_the_others():
    last = last_row(TWO_BRAKES, "--stop", "1")
    assert abs(last["w"] - 1) < 1e-6
    last = last_row(TWO_BRAKES.replace("w(start = 1", "w(start = 2"), "--stop", "1")
    assert abs(last["w"] - 1 - 2.718281828459045**-0.15) < 1e-5
    assert abs(last["t2"] - 2*last["t1"]) < 1e-9


main(globals())
