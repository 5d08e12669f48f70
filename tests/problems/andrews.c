/* Andrews' squeezing mechanism of the IVP test set, index 3, with the accelerations as unknowns
 * so that the hidden constraints need no elimination. Unknowns: 7 angles, 7 velocities, 7
 * accelerations, 6 multipliers. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 27, N_DIFF = 14, N_CON = 25 };

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

#define NUMBER double
#define EQUATIONS real_equations
#define ADD_ARM real_add_arm
#include "andrews.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#undef ADD_ARM
#define NUMBER double complex
#define EQUATIONS complex_equations
#define ADD_ARM complex_add_arm
#include "andrews.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {
    -0.0617138900142764496358948458001,
    0.0,
    0.455279819163070380255912382449,
    0.222668390165885884674473185609,
    0.487364979543842550225598953530,
    -0.222668390165885884674473185609,
    1.23054744454982119249735015568,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
    14222.4439199541138705911625887,
    -10666.8329399655854029433719415,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
    98.5668703962410896057654982170,
    -6.12268834425566265503114393122,
};

/* bench/references/values.txt: an independent run in quadruple precision */
static const double reference[N] = {
    15.810771195153707,  -15.756371058411839, 0.0408222401196458,  -0.5347301163420796,
    0.524409965879954,   0.5347301163420796,  1.048080741041938,   1139.9203022591062,
    -1424.3792951775401, 11.032911910618594,  19.29337410503204,   0.5735699148295025,
    -19.29337410503204,  0.3231791492491309,  -24631.763122874636, 51850.31963646423,
    324102.6007075786,   566749.4220009954,   16743.635418345446,  -566749.4220009954,
    9826.507801544163,   199.17534810453864,  -29.755309974971762, 23.06654361162215,
    31.452725275771137,  22.64249478639438,   11.617392352611256};

const DaeProblem dae_problem_andrews = {.name = "Andrews",
                                        .template = &equations,
                                        .t_stop = 0.03,
                                        .start = start,
                                        .reference = reference};

#else

/* Adds s * length * (cos a, sin a) of an arm with angle a = q[i] + q[j] + offset (j <
 * 0: q[i] alone) to a loop closure in x and y, with its first and second derivative in
 * time and its column entries. */
static void
ADD_ARM(const NUMBER *x, double length, int i, int j, double offset, NUMBER *c,
        NUMBER *gradient_x, NUMBER *gradient_y)
{
  NUMBER a = x[i] + (j < 0 ? 0.0 : x[j]) + offset;
  NUMBER w = x[7 + i] + (j < 0 ? 0.0 : x[7 + j]);
  NUMBER b = x[14 + i] + (j < 0 ? 0.0 : x[14 + j]);
  NUMBER co = length * cos(a), si = length * sin(a);
  c[0] += co;
  c[1] += si;
  c[2] -= si * w;
  c[3] += co * w;
  c[4] -= si * b + co * w * w;
  c[5] += co * b - si * w * w;
  gradient_x[i] -= si;
  gradient_y[i] += co;
  if (j >= 0) {
    gradient_x[j] -= si;
    gradient_y[j] += co;
  }
}

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
               m7 = .05498;
  const double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5,
               i6 = 5.667e-7, i7 = 1.912e-5;
  const double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
  const double d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, rr = 7e-3, ra = 92e-5,
               ss = 35e-3;
  const double sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5,
               u = 4e-2;
  const double ua = 1228e-5, ub = 449e-5, zf = 2e-2, zt = 4e-2, fa = 1421e-5, mom = 33e-3,
               c0 = 4530.0;
  const double lo = 7785e-5, half_pi = 1.57079632679489661923;
  const NUMBER *v = x + 7, *w = x + 14, *l = x + 21;
  (void)t;
  for (int i = 0; i < 14; i++) {
    m[i * N + i] = 1.0;
    f[i] = x[7 + i];
  }
  /* loop closures; sin a = cos(a - pi/2) */
  NUMBER c[3][6], grad[6][7];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 7; i++) {
      grad[2 * k][i] = grad[2 * k + 1][i] = 0.0;
    }
    for (int i = 0; i < 6; i++) {
      c[k][i] = 0.0;
    }
    ADD_ARM(x, rr, BETA, -1, 0.0, c[k], grad[2 * k], grad[2 * k + 1]);
    ADD_ARM(x, -d, BETA, THETA, 0.0, c[k], grad[2 * k], grad[2 * k + 1]);
    c[k][0] -= k == 0 ? xb : xa;
    c[k][1] -= k == 0 ? yb : ya;
  }
  ADD_ARM(x, ss, GAMMA, -1, half_pi, c[0], grad[0], grad[1]);
  ADD_ARM(x, e, PHI, DELTA, half_pi, c[1], grad[2], grad[3]);
  ADD_ARM(x, -zt, DELTA, -1, 0.0, c[1], grad[2], grad[3]);
  ADD_ARM(x, -zf, OMEGA, EPSILON, 0.0, c[2], grad[4], grad[5]);
  ADD_ARM(x, u, EPSILON, -1, half_pi, c[2], grad[4], grad[5]);
  for (int k = 0; k < 3; k++) {
    for (int level = 0; level < 3; level++) {
      g[6 * level + 2 * k] = c[k][2 * level];
      g[6 * level + 2 * k + 1] = c[k][2 * level + 1];
    }
  }
  NUMBER cth = cos(x[THETA]), sth = sin(x[THETA]), cph = cos(x[PHI]), sph = sin(x[PHI]);
  NUMBER com = cos(x[OMEGA]), som = sin(x[OMEGA]), cga = cos(x[GAMMA]), sga = sin(x[GAMMA]);
  NUMBER xd = sd * cga + sc * sga + xb, yd = sd * sga - sc * cga + yb;
  NUMBER lang = sqrt((xd - xc) * (xd - xc) + (yd - yc) * (yd - yc));
  NUMBER force = -c0 * (lang - lo) / lang, fx = force * (xd - xc), fy = force * (yd - yc);
  NUMBER r[7];
  r[0] = mom - m2 * da * rr * v[THETA] * (v[THETA] + 2.0 * v[BETA]) * sth;
  r[1] = m2 * da * rr * v[BETA] * v[BETA] * sth;
  r[2] = fx * (sc * cga - sd * sga) + fy * (sd * cga + sc * sga);
  r[3] = m4 * zt * (e - ea) * v[DELTA] * v[DELTA] * cph;
  r[4] = -m4 * zt * (e - ea) * v[PHI] * (v[PHI] + 2.0 * v[DELTA]) * cph;
  r[5] = -m6 * u * (zf - fa) * v[EPSILON] * v[EPSILON] * com;
  r[6] = m6 * u * (zf - fa) * v[OMEGA] * (v[OMEGA] + 2.0 * v[EPSILON]) * com;
  NUMBER m11 = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * cth + da * da) + i1 + i2;
  NUMBER m21 = m2 * (da * da - da * rr * cth) + i2;
  NUMBER m54 = m4 * ((e - ea) * (e - ea) + zt * (e - ea) * sph) + i4;
  NUMBER m55 = m4 * (zt * zt + 2.0 * zt * (e - ea) * sph + (e - ea) * (e - ea)) +
               m5 * (ta * ta + tb * tb) + i4 + i5;
  NUMBER m76 = m6 * ((zf - fa) * (zf - fa) - u * (zf - fa) * som) + i6;
  NUMBER m77 = m6 * ((zf - fa) * (zf - fa) - 2.0 * u * (zf - fa) * som + u * u) +
               m7 * (ua * ua + ub * ub) + i6 + i7;
  NUMBER mw[7];
  mw[0] = m11 * w[0] + m21 * w[1];
  mw[1] = m21 * w[0] + (m2 * da * da + i2) * w[1];
  mw[2] = (m3 * (sa * sa + sb * sb) + i3) * w[2];
  mw[3] = (m4 * (e - ea) * (e - ea) + i4) * w[3] + m54 * w[4];
  mw[4] = m54 * w[3] + m55 * w[4];
  mw[5] = (m6 * (zf - fa) * (zf - fa) + i6) * w[5] + m76 * w[6];
  mw[6] = m76 * w[5] + m77 * w[6];
  for (int i = 0; i < 7; i++) {
    NUMBER sum = mw[i] - r[i];
    for (int k = 0; k < 6; k++) {
      sum += grad[k][i] * l[k];
    }
    g[18 + i] = sum;
  }
}

#endif
