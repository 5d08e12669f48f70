"""Never silently wrong: what hostile users tried on the running program, each with the answer it must give."""

import csv
import io

from harness import check_exit, equal, main, run_text


def table(result):
    """Columns of a CSV result as lists of texts."""
    rows = list(csv.reader(io.StringIO(result.out)))
    return {name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}


def simulate(text, *options):
    return table(check_exit(run_text("simulate", text, *options), 0))


# ---- numbers ---------------------------------------------------------------------------------------


def test_explicit_values_are_exact():
    columns = simulate("""model M
      parameter Real P = 0.7;
      Real r, x(start = 1), y(start = 0, fixed = true), a, b, c, m, n, p, q, w;
    equation
      r = 1; x^2 + y^2 = r^2; der(y) = cos(time);
      a = 0.7; b = 0.1; c = mod(a, b); m = mod(P, 0.1); n = mod(-7.5, 2);
      p + q = 3; p - q = 1;
      w = rem(a, b) + div(a, b) + floor(a/b);
    end M;""", "--stop", "1", "--intervals", "3")
    for name, value in dict(r="1", a="0.7", b="0.1", c="0", m="0", n="0.5", p="2", q="1", w="14").items():
        equal(columns[name], [value]*4)


def test_results_have_the_shortest_digits_and_times_are_rounded_once():
    columns = simulate("model M Real x(start = 0.2, fixed = true); equation der(x) = 0; end M;",
                       "--stop", "1", "--intervals", "10")
    equal(columns["time"], ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"])
    equal(columns["x"], ["0.2"]*11)


if __name__ == "__main__":
    main(globals())
