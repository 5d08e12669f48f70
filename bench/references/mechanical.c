/* Multibody problems: accelerations a and multipliers l from
 *
 *     M(q) a + s G(q, t)^T l = F(t, q, v),    G a = gamma(t, q, v),
 *     G = dg/dq,    gamma = -(d/dt G) v - ...,
 *
 * with the sign s of the published model; y = (q, v) is integrated, the
 * constraints g and G v are watched only. */
#include <string.h>

#include "quad.h"

#define MAX_Q 20
#define MAX_L 10

typedef struct {
  int nq, nl;
  Quad sign;
  /* all of it at (t, q, v); arrays are zero on entry; constraint: g, rate: d/dt g */
  void (*terms)(Quad t, const Quad *q, const Quad *v, Quad mass[][MAX_Q], Quad *force,
                Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate);
} Mechanism;

typedef struct {
  Quad acceleration[MAX_Q], multiplier[MAX_L], constraint[MAX_L], rate[MAX_L];
} Answer;

static void
solve_mechanism(const Mechanism *m, Quad t, const Quad *y, Answer *answer)
{
  Quad mass[MAX_Q][MAX_Q] = {{0}}, force[MAX_Q] = {0}, gradient[MAX_L][MAX_Q] = {{0}},
       gamma[MAX_L] = {0};
  memset(answer, 0, sizeof(*answer));
  m->terms(t, y, y + m->nq, mass, force, gradient, gamma, answer->constraint, answer->rate);
  int n = m->nq + m->nl;
  Quad a[(MAX_Q + MAX_L) * (MAX_Q + MAX_L)] = {0}, b[MAX_Q + MAX_L];
  for (int i = 0; i < m->nq; i++) {
    b[i] = force[i];
    for (int j = 0; j < m->nq; j++) {
      a[i * n + j] = mass[i][j];
    }
    for (int k = 0; k < m->nl; k++) {
      a[i * n + m->nq + k] = m->sign * gradient[k][i];
      a[(m->nq + k) * n + i] = gradient[k][i];
    }
  }
  for (int k = 0; k < m->nl; k++) {
    b[m->nq + k] = gamma[k];
  }
  solve_linear(n, a, b);
  memcpy(answer->acceleration, b, sizeof(Quad) * (size_t)m->nq);
  memcpy(answer->multiplier, b + m->nq, sizeof(Quad) * (size_t)m->nl);
}

static void
mechanism_field(const Mechanism *m, Quad t, const Quad *y, Quad *f)
{
  Answer answer;
  solve_mechanism(m, t, y, &answer);
  memcpy(f, y + m->nq, sizeof(Quad) * (size_t)m->nq);
  memcpy(f + m->nq, answer.acceleration, sizeof(Quad) * (size_t)m->nq);
}

static void
mechanism_output(const Mechanism *m, Quad t, const Quad *y, Quad *values)
{
  Answer answer;
  solve_mechanism(m, t, y, &answer);
  memcpy(values, y, sizeof(Quad) * (size_t)(2 * m->nq));
  memcpy(values + 2 * m->nq, answer.acceleration, sizeof(Quad) * (size_t)m->nq);
  memcpy(values + 3 * m->nq, answer.multiplier, sizeof(Quad) * (size_t)m->nl);
}

static Quad
mechanism_residual(const Mechanism *m, Quad t, const Quad *y)
{
  Answer answer;
  solve_mechanism(m, t, y, &answer);
  Quad worst = 0;
  for (int k = 0; k < m->nl; k++) {
    worst = fmaxq(worst, fmaxq(fabsq(answer.constraint[k]), fabsq(answer.rate[k])));
  }
  return worst;
}

#define MECHANISM(NAME, NQ, NL, SIGN)                                                          \
  static const Mechanism NAME = {NQ, NL, SIGN, NAME##_terms};                                  \
  static void NAME##_field(Quad t, const Quad *y, Quad *f)                                     \
  {                                                                                            \
    mechanism_field(&NAME, t, y, f);                                                           \
  }                                                                                            \
  static void NAME##_output(Quad t, const Quad *y, const Quad *slope, Quad *values)            \
  {                                                                                            \
    (void)slope;                                                                               \
    mechanism_output(&NAME, t, y, values);                                                     \
  }                                                                                            \
  static Quad NAME##_residual(Quad t, const Quad *y)                                           \
  {                                                                                            \
    return mechanism_residual(&NAME, t, y);                                                    \
  }

/* Masses on rods from a fixed point, positions (x, y) of each; constraint
 * |d|^2 = L^2, scaled by `scale`. */
static void
rod_terms(int n, Quad mass_of_each, Quad length, Quad gravity, Quad scale, const Quad *q,
          const Quad *v, Quad mass[][MAX_Q], Quad *force, Quad gradient[][MAX_Q], Quad *gamma,
          Quad *constraint, Quad *rate)
{
  for (int i = 0; i < n; i++) {
    mass[2 * i][2 * i] = mass[2 * i + 1][2 * i + 1] = mass_of_each;
    force[2 * i + 1] = -mass_of_each * gravity;
    constraint[i] = -scale * length * length;
    for (int c = 0; c < 2; c++) {
      Quad d = q[2 * i + c] - (i > 0 ? q[2 * i - 2 + c] : 0);
      Quad w = v[2 * i + c] - (i > 0 ? v[2 * i - 2 + c] : 0);
      gradient[i][2 * i + c] = 2 * scale * d;
      if (i > 0) {
        gradient[i][2 * i - 2 + c] = -2 * scale * d;
      }
      gamma[i] -= 2 * scale * w * w;
      constraint[i] += scale * d * d;
      rate[i] += 2 * scale * d * w;
    }
  }
}

static void
pendulum_terms(Quad t, const Quad *q, const Quad *v, Quad mass[][MAX_Q], Quad *force,
               Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate)
{
  (void)t;
  rod_terms(1, 1, 1, 13.7503716373294544Q, 1, q, v, mass, force, gradient, gamma, constraint,
            rate);
}
MECHANISM(pendulum, 2, 1, 1)

static void
double_pendulum_terms(Quad t, const Quad *q, const Quad *v, Quad mass[][MAX_Q], Quad *force,
                      Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate)
{
  (void)t;
  rod_terms(2, 1, 1, 9.81Q, 0.5Q, q, v, mass, force, gradient, gamma, constraint, rate);
}
MECHANISM(double_pendulum, 4, 2, 1)

static void
chain_terms(Quad t, const Quad *q, const Quad *v, Quad mass[][MAX_Q], Quad *force,
            Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate)
{
  (void)t;
  rod_terms(10, 0.1Q, 0.1Q, 9.81Q, 0.5Q, q, v, mass, force, gradient, gamma, constraint, rate);
}
MECHANISM(chain, 20, 10, 1)

static void
pendulum_start(Quad *y)
{
  y[0] = 1;
}

static void
double_pendulum_start(Quad *y)
{
  y[0] = 1;
  y[2] = 2;
}

static void
chain_start(Quad *y)
{
  for (int i = 0; i < 10; i++) {
    y[2 * i] = (i + 1) / (Quad)10;
  }
}

/* examples/slider_crank.mo */
static void
slider_crank_terms(Quad t, const Quad *q, const Quad *v, Quad mass[][MAX_Q], Quad *force,
                   Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate)
{
  const Quad l1 = 0.15Q, l2 = 0.3Q, m2 = 0.075Q, m3 = 0.075Q, j1 = 0.0005Q, j2 = 0.0005625Q,
             g = 9.81Q;
  Quad s1 = sinq(q[0]), c1 = cosq(q[0]), s2 = sinq(q[1]), c2 = cosq(q[1]);
  Quad half = m2 * l1 * l2 / 2, sine = sinq(q[0] - q[1]), cosine = cosq(q[0] - q[1]);
  (void)t;
  mass[0][0] = j1 + m2 * l1 * l1;
  mass[0][1] = mass[1][0] = half * cosine;
  mass[1][1] = j2 + m2 * l2 * l2 / 4;
  mass[2][2] = m3;
  force[0] = -half * sine * v[1] * v[1] - m2 * g * l1 * c1;
  force[1] = half * sine * v[0] * v[0] - m2 * g * l2 / 2 * c2;
  gradient[0][0] = -l1 * s1;
  gradient[0][1] = -l2 * s2;
  gradient[0][2] = -1;
  gradient[1][0] = l1 * c1;
  gradient[1][1] = l2 * c2;
  gamma[0] = l1 * c1 * v[0] * v[0] + l2 * c2 * v[1] * v[1];
  gamma[1] = l1 * s1 * v[0] * v[0] + l2 * s2 * v[1] * v[1];
  constraint[0] = l1 * c1 + l2 * c2 - q[2];
  constraint[1] = l1 * s1 + l2 * s2;
  rate[0] = -l1 * s1 * v[0] - l2 * s2 * v[1] - v[2];
  rate[1] = l1 * c1 * v[0] + l2 * c2 * v[1];
}
MECHANISM(slider_crank, 3, 2, -1)

static void
slider_crank_start(Quad *y)
{
  y[2] = 0.45Q;
  y[3] = 10;
  y[4] = -5;
}

/* tests/problems/slider_crank.c: another crank, with a torque of time;
 * a = (a, b, x), F = -(moments) */
static void
driven_crank_terms(Quad t, const Quad *q, const Quad *v, Quad mass[][MAX_Q], Quad *force,
                   Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate)
{
  const Quad l1 = 0.15Q, l2 = 0.3Q;
  Quad s1 = l1 * sinq(q[0]), c1 = l1 * cosq(q[0]), s2 = l2 * sinq(q[1]), c2 = l2 * cosq(q[1]);
  mass[0][0] = 0.005Q;
  mass[1][1] = 0.003Q;
  mass[2][2] = 0.2Q;
  force[0] = -0.36Q * 0.075Q * 9.81Q * cosq(q[0]) + 0.02Q * sinq(3 * t);
  gradient[0][0] = -s1;
  gradient[0][1] = -s2;
  gradient[0][2] = -1;
  gradient[1][0] = c1;
  gradient[1][1] = c2;
  gamma[0] = c1 * v[0] * v[0] + c2 * v[1] * v[1];
  gamma[1] = s1 * v[0] * v[0] + s2 * v[1] * v[1];
  constraint[0] = c1 + c2 - q[2];
  constraint[1] = s1 + s2;
  rate[0] = -s1 * v[0] - s2 * v[1] - v[2];
  rate[1] = c1 * v[0] + c2 * v[1];
}
MECHANISM(driven_crank, 3, 2, 1)

static void
driven_crank_start(Quad *y)
{
  y[0] = 0.5Q;
  y[1] = -asinq(0.5Q * sinq(y[0]));
  y[2] = 0.15Q * cosq(y[0]) + 0.3Q * cosq(y[1]);
}

/* Car axis of the IVP test set. */
static void
car_axis_terms(Quad t, const Quad *q, const Quad *v, Quad mass[][MAX_Q], Quad *force,
               Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate)
{
  const Quad k = 0.0005Q, l0 = 0.5Q, r = 0.1Q, w = 10;
  Quad yb = r * sinq(w * t), yb1 = r * w * cosq(w * t), yb2 = -w * w * yb;
  Quad xb = sqrtq(1 - yb * yb), xb1 = -yb * yb1 / xb,
       xb2 = -(yb1 * yb1 + yb * yb2) / xb - xb1 * xb1 / xb;
  Quad left = sqrtq(q[0] * q[0] + q[1] * q[1]);
  Quad right = sqrtq((q[2] - xb) * (q[2] - xb) + (q[3] - yb) * (q[3] - yb));
  for (int i = 0; i < 4; i++) {
    mass[i][i] = k;
  }
  force[0] = (l0 - left) * q[0] / left;
  force[1] = (l0 - left) * q[1] / left - k;
  force[2] = (l0 - right) * (q[2] - xb) / right;
  force[3] = (l0 - right) * (q[3] - yb) / right - k;
  gradient[0][0] = xb;
  gradient[0][1] = yb;
  gamma[0] = -(q[0] * xb2 + q[1] * yb2 + 2 * (v[0] * xb1 + v[1] * yb1));
  constraint[0] = q[0] * xb + q[1] * yb;
  rate[0] = v[0] * xb + v[1] * yb + q[0] * xb1 + q[1] * yb1;
  constraint[1] = -1;
  for (int c = 0; c < 2; c++) {
    Quad d = q[c] - q[2 + c], u = v[c] - v[2 + c];
    gradient[1][c] = 2 * d;
    gradient[1][2 + c] = -2 * d;
    gamma[1] -= 2 * u * u;
    constraint[1] += d * d;
    rate[1] += 2 * d * u;
  }
}
MECHANISM(car_axis, 4, 2, -1)

static void
car_axis_start(Quad *y)
{
  y[1] = y[3] = 0.5Q;
  y[2] = 1;
  y[4] = y[6] = -0.5Q;
}

/* Andrews' squeezer: the arms of the three closed loops; an arm of length c at the angle sum of
 * two coordinates plus a quarter turn or none adds to both rows of its loop. */
static void
add_arm(int loop, Quad length, int i, int j, int quarter, const Quad *q, const Quad *v,
        Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate)
{
  Quad angle = q[i] + (j < 0 ? 0 : q[j]), speed = v[i] + (j < 0 ? 0 : v[j]);
  Quad x = length * (quarter ? -sinq(angle) : cosq(angle));
  Quad y = length * (quarter ? cosq(angle) : sinq(angle));
  constraint[2 * loop] += x;
  constraint[2 * loop + 1] += y;
  rate[2 * loop] -= y * speed;
  rate[2 * loop + 1] += x * speed;
  gamma[2 * loop] += x * speed * speed;
  gamma[2 * loop + 1] += y * speed * speed;
  gradient[2 * loop][i] -= y;
  gradient[2 * loop + 1][i] += x;
  if (j >= 0) {
    gradient[2 * loop][j] -= y;
    gradient[2 * loop + 1][j] += x;
  }
}

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

static void
andrews_terms(Quad t, const Quad *q, const Quad *v, Quad mass[][MAX_Q], Quad *force,
              Quad gradient[][MAX_Q], Quad *gamma, Quad *constraint, Quad *rate)
{
  const Quad m1 = 0.04325Q, m2 = 0.00365Q, m3 = 0.02373Q, m4 = 0.00706Q, m5 = 0.0705Q,
             m6 = 0.00706Q, m7 = 0.05498Q;
  const Quad i1 = 2.194e-6Q, i2 = 4.41e-7Q, i3 = 5.255e-6Q, i4 = 5.667e-7Q, i5 = 1.169e-5Q,
             i6 = 5.667e-7Q, i7 = 1.912e-5Q;
  const Quad xa = -0.06934Q, ya = -0.00227Q, xb = -0.03635Q, yb = 0.03273Q, xc = 0.014Q,
             yc = 0.072Q;
  const Quad d = 0.028Q, da = 0.0115Q, ra = 0.00092Q, rr = 0.007Q, ss = 0.035Q;
  const Quad sa = 0.01874Q, sb = 0.01043Q, sc = 0.018Q, sd = 0.02Q, ta = 0.02308Q,
             tb = 0.00916Q;
  const Quad u = 0.04Q, ua = 0.01228Q, ub = 0.00449Q, zt = 0.04Q, e = 0.02Q, f = 0.02Q;
  const Quad de = 0.02Q - 0.01421Q, df = 0.02Q - 0.01421Q;
  (void)t;
  for (int loop = 0; loop < 3; loop++) {
    add_arm(loop, rr, BETA, -1, 0, q, v, gradient, gamma, constraint, rate);
    add_arm(loop, -d, BETA, THETA, 0, q, v, gradient, gamma, constraint, rate);
    constraint[2 * loop] -= loop == 0 ? xb : xa;
    constraint[2 * loop + 1] -= loop == 0 ? yb : ya;
  }
  add_arm(0, ss, GAMMA, -1, 1, q, v, gradient, gamma, constraint, rate);
  add_arm(1, e, PHI, DELTA, 1, q, v, gradient, gamma, constraint, rate);
  add_arm(1, -zt, DELTA, -1, 0, q, v, gradient, gamma, constraint, rate);
  add_arm(2, -f, OMEGA, EPSILON, 0, q, v, gradient, gamma, constraint, rate);
  add_arm(2, u, EPSILON, -1, 1, q, v, gradient, gamma, constraint, rate);
  Quad st = sinq(q[THETA]), ct = cosq(q[THETA]), sp = sinq(q[PHI]), cp = cosq(q[PHI]);
  Quad so = sinq(q[OMEGA]), co = cosq(q[OMEGA]), sg = sinq(q[GAMMA]), cg = cosq(q[GAMMA]);
  mass[0][0] = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * ct + da * da) + i1 + i2;
  mass[0][1] = mass[1][0] = m2 * (da * da - da * rr * ct) + i2;
  mass[1][1] = m2 * da * da + i2;
  mass[2][2] = m3 * (sa * sa + sb * sb) + i3;
  mass[3][3] = m4 * de * de + i4;
  mass[3][4] = mass[4][3] = m4 * (de * de + zt * de * sp) + i4;
  mass[4][4] = m4 * (zt * zt + 2 * zt * de * sp + de * de) + m5 * (ta * ta + tb * tb) + i4 + i5;
  mass[5][5] = m6 * df * df + i6;
  mass[5][6] = mass[6][5] = m6 * (df * df - u * df * so) + i6;
  mass[6][6] = m6 * (df * df - 2 * u * df * so + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
  Quad xd = sd * cg + sc * sg + xb - xc, yd = sd * sg - sc * cg + yb - yc;
  Quad long_spring = sqrtq(xd * xd + yd * yd);
  Quad pull = -4530 * (long_spring - 0.07785Q) / long_spring;
  force[0] = 0.033Q - m2 * da * rr * v[THETA] * (v[THETA] + 2 * v[BETA]) * st;
  force[1] = m2 * da * rr * v[BETA] * v[BETA] * st;
  force[2] = pull * xd * (sc * cg - sd * sg) + pull * yd * (sd * cg + sc * sg);
  force[3] = m4 * zt * de * v[DELTA] * v[DELTA] * cp;
  force[4] = -m4 * zt * de * v[PHI] * (v[PHI] + 2 * v[DELTA]) * cp;
  force[5] = -m6 * u * df * v[EPSILON] * v[EPSILON] * co;
  force[6] = m6 * u * df * v[OMEGA] * (v[OMEGA] + 2 * v[EPSILON]) * co;
}
MECHANISM(andrews, 7, 6, 1)

/* The published start, put onto the constraints with theta = 0 kept. */
static void
andrews_start(Quad *y)
{
  y[BETA] = -0.0617138900142764496358948458001Q;
  y[GAMMA] = 0.455279819163070380255912382449Q;
  y[PHI] = 0.222668390165885884674473185609Q;
  y[DELTA] = 0.487364979543842550225598953530Q;
  y[OMEGA] = -0.222668390165885884674473185609Q;
  y[EPSILON] = 1.23054744454982119249735015568Q;
  const int moved[6] = {BETA, GAMMA, PHI, DELTA, OMEGA, EPSILON};
  for (int round = 0; round < 4; round++) {
    Quad mass[MAX_Q][MAX_Q] = {{0}}, force[MAX_Q] = {0}, gradient[MAX_L][MAX_Q] = {{0}},
         gamma[MAX_L] = {0}, constraint[MAX_L] = {0}, rate[MAX_L] = {0}, a[36];
    andrews_terms(0, y, y + 7, mass, force, gradient, gamma, constraint, rate);
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) {
        a[6 * i + j] = gradient[i][moved[j]];
      }
    }
    solve_linear(6, a, constraint);
    for (int j = 0; j < 6; j++) {
      y[moved[j]] -= constraint[j];
    }
  }
}

/* Fekete: 20 particles on the sphere that repel each other; the multiplier of each
 * follows from x . a = -|v|^2. */
#define PARTICLES 20

static void
fekete_forces(const Quad *y, Quad *force, Quad *multiplier)
{
  const Quad *v = y + 3 * PARTICLES;
  for (int i = 0; i < 3 * PARTICLES; i++) {
    force[i] = -0.5Q * v[i];
  }
  for (int i = 0; i < PARTICLES; i++) {
    for (int j = 0; j < i; j++) {
      Quad d[3], square = 0;
      for (int c = 0; c < 3; c++) {
        d[c] = y[3 * i + c] - y[3 * j + c];
        square += d[c] * d[c];
      }
      square = 1 / square;
      for (int c = 0; c < 3; c++) {
        force[3 * i + c] += d[c] * square;
        force[3 * j + c] -= d[c] * square;
      }
    }
  }
  for (int i = 0; i < PARTICLES; i++) {
    Quad along = 0, norm = 0;
    for (int c = 0; c < 3; c++) {
      along += v[3 * i + c] * v[3 * i + c] + y[3 * i + c] * force[3 * i + c];
      norm += y[3 * i + c] * y[3 * i + c];
    }
    multiplier[i] = -along / (2 * norm);
    for (int c = 0; c < 3; c++) {
      force[3 * i + c] += 2 * multiplier[i] * y[3 * i + c];
    }
  }
}

static void
fekete_field(Quad t, const Quad *y, Quad *f)
{
  Quad multiplier[PARTICLES];
  (void)t;
  memcpy(f, y + 3 * PARTICLES, sizeof(Quad) * 3 * PARTICLES);
  fekete_forces(y, f + 3 * PARTICLES, multiplier);
}

static void
fekete_start(Quad *y)
{
  for (int i = 1; i <= PARTICLES; i++) {
    Quad a, b;
    if (i <= 3) {
      a = 2 * M_PIq * i / 3 + M_PIq / 13;
      b = 3 * M_PIq / 8;
    } else if (i <= 10) {
      a = 2 * M_PIq * (i - 3) / 7 + M_PIq / 29;
      b = M_PIq / 8;
    } else if (i <= 16) {
      a = 2 * M_PIq * (i - 10) / 6 + M_PIq / 7;
      b = -2 * M_PIq / 15;
    } else {
      a = 2 * M_PIq * (i - 17) / 4 + M_PIq / 17;
      b = -3 * M_PIq / 10;
    }
    y[3 * i - 3] = cosq(a) * cosq(b);
    y[3 * i - 2] = sinq(a) * cosq(b);
    y[3 * i - 1] = sinq(b);
  }
}

static void
fekete_output(Quad t, const Quad *y, const Quad *slope, Quad *values)
{
  (void)slope;
  Quad force[3 * PARTICLES];
  (void)t;
  memcpy(values, y, sizeof(Quad) * 6 * PARTICLES);
  fekete_forces(y, force, values + 6 * PARTICLES);
}

static Quad
fekete_residual(Quad t, const Quad *y)
{
  Quad worst = 0;
  (void)t;
  for (int i = 0; i < PARTICLES; i++) {
    Quad norm = -1, rate = 0;
    for (int c = 0; c < 3; c++) {
      norm += y[3 * i + c] * y[3 * i + c];
      rate += y[3 * i + c] * y[3 * (PARTICLES + i) + c];
    }
    worst = fmaxq(worst, fmaxq(fabsq(norm), fabsq(rate)));
  }
  return worst;
}

#define PAIR(A, B, I, END) A "[" I "]" END " " B "[" I "]" END " "
#define PAIRS10(A, B, END)                                                                     \
  PAIR(A, B, "1", END)                                                                         \
  PAIR(A, B, "2", END)                                                                         \
  PAIR(A, B, "3", END)                                                                         \
  PAIR(A, B, "4", END)                                                                         \
  PAIR(A, B, "5", END)                                                                         \
  PAIR(A, B, "6", END)                                                                         \
  PAIR(A, B, "7", END) PAIR(A, B, "8", END) PAIR(A, B, "9", END) PAIR(A, B, "10", END)
#define TRIPLE(A, B, C, I) A "[" I "] " B "[" I "] " C "[" I "] "
/* clang-format never comes to rest on this list. */
/* clang-format off */
#define TRIPLES20(A, B, C)                                                                     \
  TRIPLE(A, B, C, "1")                                                                         \
  TRIPLE(A, B, C, "2")                                                                         \
  TRIPLE(A, B, C, "3")                                                                         \
  TRIPLE(A, B, C, "4")                                                                         \
  TRIPLE(A, B, C, "5")                                                                         \
  TRIPLE(A, B, C, "6")                                                                         \
  TRIPLE(A, B, C, "7")                                                                         \
  TRIPLE(A, B, C, "8")                                                                         \
  TRIPLE(A, B, C, "9")                                                                         \
  TRIPLE(A, B, C, "10")                                                                        \
  TRIPLE(A, B, C, "11")                                                                        \
  TRIPLE(A, B, C, "12") TRIPLE(A, B, C, "13") TRIPLE(A, B, C, "14") TRIPLE(A, B, C, "15")      \
      TRIPLE(A, B, C, "16") TRIPLE(A, B, C, "17") TRIPLE(A, B, C, "18") TRIPLE(A, B, C, "19")  \
          TRIPLE(A, B, C, "20")
/* clang-format on */
#define LIST10(A)                                                                              \
  A "[1] " A "[2] " A "[3] " A "[4] " A "[5] " A "[6] " A "[7] " A "[8] " A "[9] " A "[10] "
#define LIST20(A)                                                                              \
  LIST10(A)                                                                                    \
  A "[11] " A "[12] " A "[13] " A "[14] " A "[15] " A "[16] " A "[17] " A "[18] " A "[19] " A  \
    "[20] "

#define ENTRY(NAME, N, STOP, NAMES)                                                            \
  {                                                                                            \
    .name = #NAME, .n = N, .t_stop = STOP, .start = NAME##_start, .field = NAME##_field,       \
    .names = NAMES, .output = NAME##_output, .residual = NAME##_residual                       \
  }

const QuadProblem mechanical_problems[] = {
    ENTRY(pendulum, 4, 100, "x y u v der(u) der(v) lambda"),
    ENTRY(double_pendulum, 8, 3,
          "x1 y1 x2 y2 u1 v1 u2 v2 der(u1) der(v1) der(u2) der(v2) lambda1 lambda2"),
    ENTRY(slider_crank, 6, 1, "phi1 phi2 s w1 w2 v der(w1) der(w2) der(v) lambda1 lambda2"),
    ENTRY(driven_crank, 6, 2, "a b x va vb vx der(va) der(vb) der(vx) lambda1 lambda2"),
    ENTRY(car_axis, 8, 3,
          "xl yl xr yr vxl vyl vxr vyr der(vxl) der(vyl) der(vxr) der(vyr) lam1 lam2"),
    ENTRY(andrews, 14, 0.03Q,
          "beta theta gamma phi delta omega epsilon vbeta vtheta vgamma vphi vdelta vomega "
          "vepsilon der(vbeta) der(vtheta) der(vgamma) der(vphi) der(vdelta) der(vomega) "
          "der(vepsilon) lam1 lam2 lam3 lam4 lam5 lam6"),
    ENTRY(chain, 40, 2,
          PAIRS10("x", "y", "") PAIRS10("u", "v", "") PAIRS10("der(u", "der(v", ")")
              LIST10("lambda")),
    ENTRY(fekete, 120, 1000,
          TRIPLES20("x", "y", "z") TRIPLES20("u", "v", "w") LIST20("lambda")),
};
const int mechanical_count = sizeof(mechanical_problems) / sizeof(mechanical_problems[0]);
