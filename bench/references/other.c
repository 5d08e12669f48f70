/* Circuits, reactions and the van der Pol oscillator as ordinary differential equations. */
#include <math.h>
#include <stddef.h>

#include "quad.h"

/* Ring modulator with Cs = 0. With the diode currents q1 ... q4 the four algebraic equations read
 *     y10 = q1 - q4,  y11 = q2 - q3,  y12 = q3 - q1,  y13 = q4 - q2,
 * so y10 + y11 + y12 + y13 = 0 (hidden), and by its derivative, with equal
 * inductances and resistances,
 *     y3 - y4 + y5 - y6 = 0.
 * The diode voltages sum to zero: the product of all (1 + q_i / gamma) is 1, one equation for
 * q4 = q, monotone in q. States: y1, y2, y7, y8, y9, y10, y11, y12, y14, y15. */
static const Quad ring_gamma = 40.67286402e-9Q, ring_delta = 17.7493332Q;

/* z = log(1 + (q + least)/gamma): every factor is exp(z) + (offset - least)/gamma; the sum of
 * their logarithms is 0. The first iterations in double precision: they are many, and it is
 * Newton's last ones that count. */
static Quad
solve_diodes(const Quad *offset, Quad least)
{
  double z = 0;
  for (int k = 0; k < 400; k++) {
    double sum = 0, slope = 0, e = exp(z);
    for (int i = 0; i < 4; i++) {
      double factor = e + (double)((offset[i] - least) / ring_gamma);
      sum += log(factor);
      slope += e / factor;
    }
    z -= sum / slope;
    if (fabs(sum / slope) < 1e-12 * (1 + fabs(z))) {
      break;
    }
  }
  Quad fine = z;
  for (int k = 0; k < 100; k++) {
    Quad sum = 0, slope = 0, e = expq(fine);
    for (int i = 0; i < 4; i++) {
      Quad factor = e + (offset[i] - least) / ring_gamma;
      sum += logq(factor);
      slope += e / factor;
    }
    fine -= sum / slope;
    if (fabsq(sum / slope) < 1e13Q * QUAD_EPSILON * (1 + fabsq(fine))) {
      break; /* the next one would change nothing */
    }
  }
  return fine;
}

/* The four voltages y3 ... y6 and the diode currents. */
static void
ring_algebra(Quad t, const Quad *y, Quad *volt, Quad *current)
{
  Quad offset[4];
  /* q4 = q, q1 = q + y10, q3 = q + y10 + y12, q2 = q + y10 + y12 + y11 */
  offset[0] = y[5];
  offset[2] = y[5] + y[7];
  offset[1] = y[5] + y[7] + y[6];
  offset[3] = 0;
  Quad least = offset[0];
  for (int i = 1; i < 4; i++) {
    least = fminq(least, offset[i]);
  }
  Quad z = solve_diodes(offset, least);
  Quad u[4], e = expq(z), input = 2 * sinq(20000 * M_PIq * t);
  for (int i = 0; i < 4; i++) {
    Quad factor = e + (offset[i] - least) / ring_gamma;
    u[i] = logq(factor) / ring_delta;
    current[i] = ring_gamma * (factor - 1);
  }
  /* u1 = y3 - y5 - y7 - input, u2 = -y4 + y6 - y7 - input, u3 = y4 + y5 + y7 +
   * input, and y6 = y3 - y4 + y5 */
  Quad a = u[0] + y[2] + input;  /* y3 - y5 */
  Quad b = u[1] + y[2] + input;  /* y6 - y4 = y3 - 2 y4 + y5 */
  Quad c = u[2] - y[2] - input;  /* y4 + y5 */
  volt[2] = (b + 2 * c - a) / 4; /* b = a + 2 y5 - 2 (c - y5) */
  volt[0] = a + volt[2];
  volt[1] = c - volt[2];
  volt[3] = volt[0] - volt[1] + volt[2];
}

static void
ring_field(Quad t, const Quad *y, Quad *f)
{
  const Quad c = 1.6e-8Q, cp = 1e-8Q, r = 25000, rp = 50, lh = 4.45Q, ls1 = 0.002Q, ls = 5e-4Q,
             rg1 = 36.3Q, rg = 17.3Q, ri = 50, rc = 600;
  Quad volt[4], q[4], y13 = -(y[5] + y[6] + y[7]);
  ring_algebra(t, y, volt, q);
  f[0] = (y[3] - 0.5Q * y[5] + 0.5Q * y[6] + y[8] - y[0] / r) / c;
  f[1] = (y[4] - 0.5Q * y[7] + 0.5Q * y13 + y[9] - y[1] / r) / c;
  f[2] = (-y[2] / rp + q[0] + q[1] - q[2] - q[3]) / cp;
  f[3] = -y[0] / lh;
  f[4] = -y[1] / lh;
  f[5] = (0.5Q * y[0] - volt[0] - rg * y[5]) / ls;
  f[6] = (-0.5Q * y[0] + volt[1] - rg * y[6]) / ls;
  f[7] = (0.5Q * y[1] - volt[2] - rg * y[7]) / ls;
  f[8] = (-y[0] + 0.5Q * sinq(2000 * M_PIq * t) - (ri + rg1) * y[8]) / ls1;
  f[9] = (-y[1] - (rc + rg1) * y[9]) / ls1;
}

/* The voltages from the slopes of the currents: where a diode blocks, a current tells
 * next to nothing of its voltage. */
static void
ring_output(Quad t, const Quad *y, const Quad *slope, Quad *values)
{
  const Quad ls = 5e-4Q, rg = 17.3Q;
  const int place[10] = {0, 1, 6, 7, 8, 9, 10, 11, 13, 14};
  (void)t;
  for (int i = 0; i < 10; i++) {
    values[place[i]] = y[i];
  }
  values[12] = -(y[5] + y[6] + y[7]);
  values[2] = 0.5Q * y[0] - rg * y[5] - ls * slope[5];
  values[3] = 0.5Q * y[0] + rg * y[6] + ls * slope[6];
  values[4] = 0.5Q * y[1] - rg * y[7] - ls * slope[7];
  values[5] = values[2] - values[3] + values[4];
}

static void
rest_start(Quad *y)
{
  (void)y;
}

/* Transistor amplifier: states y2 - y1, y3, y5 - y4, y6, y8 - y7; the node voltages y2 and y5
 * each from one monotone equation, the sum of the two rows that share a capacitor. */
static Quad
diode(Quad volts)
{
  return 1e-6Q * (expq(volts / 0.026Q) - 1);
}

/* b x + c (exp((x - a)/U) - 1) = d, b, c > 0, by Newton's method from
 * a point where it is monotone. */
static Quad
solve_node(Quad a, Quad b, Quad c, Quad d)
{
  Quad x = a + 1;
  for (int k = 0; k < 500; k++) {
    Quad e = c * expq((x - a) / 0.026Q);
    Quad change = (b * x + e - c - d) / (b + e / 0.026Q);
    x -= change;
    if (fabsq(change) < 10 * QUAD_EPSILON) {
      break;
    }
  }
  return x;
}

static void
transistor_output(Quad t, const Quad *s, const Quad *slope, Quad *y)
{
  (void)slope;
  const Quad r0 = 1000, r = 9000, ub = 6, alpha = 0.99Q;
  Quad input = 0.1Q * sinq(200 * M_PIq * t);
  y[2] = s[1];
  /* (y2 - s0 - input)/r0 - ub/r + 2 y2/r + (1 - alpha) diode(y2 - y3) = 0 */
  y[1] = solve_node(s[1], 1 / r0 + 2 / r, (1 - alpha) * 1e-6Q, (s[0] + input) / r0 + ub / r);
  y[0] = y[1] - s[0];
  y[5] = s[3];
  /* -2 ub/r + (y5 - s2)/r + 2 y5/r + alpha diode(y2 - y3) + (1 - alpha) diode(y5 - y6) = 0 */
  y[4] = solve_node(s[3], 3 / r, (1 - alpha) * 1e-6Q,
                    2 * ub / r + s[2] / r - alpha * diode(y[1] - y[2]));
  y[3] = y[4] - s[2];
  y[6] = (ub - s[4] - r * alpha * diode(y[4] - y[5])) / 2;
  y[7] = y[6] + s[4];
}

static void
transistor_field(Quad t, const Quad *s, Quad *f)
{
  const Quad r0 = 1000, r = 9000, ub = 6, alpha = 0.99Q;
  Quad y[8];
  transistor_output(t, s, NULL, y);
  f[0] = (y[0] - 0.1Q * sinq(200 * M_PIq * t)) / r0 / 1e-6Q;
  f[1] = (diode(y[1] - y[2]) - y[2] / r) / 2e-6Q;
  f[2] = (-ub / r + y[3] / r + alpha * diode(y[1] - y[2])) / 3e-6Q;
  f[3] = (diode(y[4] - y[5]) - y[5] / r) / 4e-6Q;
  f[4] = (-ub / r + y[6] / r + alpha * diode(y[4] - y[5])) / 5e-6Q;
}

static void
transistor_start(Quad *s)
{
  s[0] = 3;
  s[1] = 3;
  s[2] = -3;
  s[3] = 3;
  s[4] = -6;
}

/* Chemical Akzo Nobel; y6 = Ks y1 y4. */
static void
akzo_field(Quad t, const Quad *y, Quad *f)
{
  (void)t;
  Quad y6 = 115.83Q * y[0] * y[3], root = sqrtq(y[1]);
  Quad r1 = 18.7Q * y[0] * y[0] * y[0] * y[0] * root, r2 = 0.58Q * y[2] * y[3],
       r3 = 0.58Q / 34.4Q * y[0] * y[4], r4 = 0.09Q * y[0] * y[3] * y[3],
       r5 = 0.42Q * y6 * y6 * root;
  f[0] = -2 * r1 + r2 - r3 - r4;
  f[1] = -0.5Q * r1 - r4 - 0.5Q * r5 + 3.3Q * (0.9Q / 737 - y[1]);
  f[2] = r1 - r2 + r3;
  f[3] = -r2 + r3 - 2 * r4;
  f[4] = r2 - r3 + r5;
}

static void
akzo_start(Quad *y)
{
  y[0] = 0.444Q;
  y[1] = 0.00123Q;
  y[3] = 0.007Q;
}

static void
akzo_output(Quad t, const Quad *y, const Quad *slope, Quad *values)
{
  (void)slope;
  (void)t;
  for (int i = 0; i < 5; i++) {
    values[i] = y[i];
  }
  values[5] = 115.83Q * y[0] * y[3];
}

/* Van der Pol, both scalings in use: y1'' = 1000 (1 - y1^2) y1' - y1, and time divided by 1000. */
static void
van_der_pol_field(Quad t, const Quad *y, Quad *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = 1000 * (1 - y[0] * y[0]) * y[1] - y[0];
}

static void
van_der_pol_start(Quad *y)
{
  y[0] = 2;
}

static void
van_der_pol_output(Quad t, const Quad *y, const Quad *slope, Quad *values)
{
  (void)slope;
  (void)t;
  values[0] = y[0];
  values[1] = y[1];
}

static void
van_der_pol_scaled_output(Quad t, const Quad *y, const Quad *slope, Quad *values)
{
  (void)slope;
  (void)t;
  values[0] = y[0];
  values[1] = 1000 * y[1];
}

/* Robertson: y3 = 1 - y1 - y2. */
static void
robertson_field(Quad t, const Quad *y, Quad *f)
{
  (void)t;
  f[0] = -0.04Q * y[0] + 1e4Q * y[1] * (1 - y[0] - y[1]);
  f[1] = -f[0] - 3e7Q * y[1] * y[1];
}

static void
robertson_start(Quad *y)
{
  y[0] = 1;
}

static void
robertson_output(Quad t, const Quad *y, const Quad *slope, Quad *values)
{
  (void)slope;
  (void)t;
  values[0] = y[0];
  values[1] = y[1];
  values[2] = 1 - y[0] - y[1];
}

#define ENTRY(NAME, N, STOP, START, FIELD, NAMES, OUTPUT)                                      \
  {                                                                                            \
    .name = NAME, .n = N, .is_stiff = 1, .t_stop = STOP, .start = START, .field = FIELD,       \
    .names = NAMES, .output = OUTPUT                                                           \
  }

const QuadProblem other_problems[] = {
    {.name = "ring_modulator",
     .n = 10,
     .is_stiff = 1,
     .tolerance = 1e-10Q,
     .stages = 8,
     .t_stop = 0.001Q,
     .start = rest_start,
     .field = ring_field,
     .names = "y1 y2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 y14 y15",
     .output = ring_output},
    ENTRY("transistor_amplifier", 5, 0.2Q, transistor_start, transistor_field,
          "y1 y2 y3 y4 y5 y6 y7 y8", transistor_output),
    ENTRY("akzo_nobel", 5, 180, akzo_start, akzo_field, "y1 y2 y3 y4 y5 y6", akzo_output),
    ENTRY("van_der_pol", 2, 2000, van_der_pol_start, van_der_pol_field, "y1 y2",
          van_der_pol_output),
    ENTRY("van_der_pol_scaled", 2, 2000, van_der_pol_start, van_der_pol_field, "y1 y2",
          van_der_pol_scaled_output),
    ENTRY("robertson", 2, 1e5Q, robertson_start, robertson_field, "y1 y2 y3", robertson_output),
    ENTRY("robertson_40", 2, 40, robertson_start, robertson_field, "y1 y2 y3",
          robertson_output),
};
const int other_count = sizeof(other_problems) / sizeof(other_problems[0]);
