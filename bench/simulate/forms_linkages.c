/* Linkages with a mass matrix of the angles: unknowns positions q, velocities v, accelerations
 * a, multipliers, mu; the equations of motion are algebraic in a. */
#include <math.h>
#include <string.h>

#include "forms.h"

static void
ones(double *mass, int n)
{
  for (int i = 0; i < n; i++) {
    mass[i] = 1.0;
  }
}

/* examples/slider_crank.mo; level 3: positions, 2: GGL, 1: accelerations */
static inline void
crank(int level, const double *y, double *f)
{
  const double l1 = 0.15, l2 = 0.3, m2 = 0.075, m3 = 0.075, j1 = 0.0005, j2 = 0.0005625,
               g = 9.81;
  const double *v = y + 3, *a = y + 6, *lambda = y + 9, *mu = y + 11;
  double s1 = l1 * sin(y[0]), c1 = l1 * cos(y[0]), s2 = l2 * sin(y[1]), c2 = l2 * cos(y[1]);
  /* half the rod's length: m2 l1 l2 / 2 times sine and cosine of the difference of the angles */
  double sine = 0.5 * m2 * (s1 * c2 - c1 * s2), cosine = 0.5 * m2 * (c1 * c2 + s1 * s2);
  memcpy(f, y + 3, sizeof(double) * 6);
  f[6] = (j1 + m2 * l1 * l1) * a[0] + cosine * a[1] + sine * v[1] * v[1] + m2 * g * c1 +
         s1 * lambda[0] - c1 * lambda[1];
  f[7] = cosine * a[0] + (j2 + 0.25 * m2 * l2 * l2) * a[1] - sine * v[0] * v[0] +
         0.5 * m2 * g * c2 + s2 * lambda[0] - c2 * lambda[1];
  f[8] = m3 * a[2] + lambda[0];
  if (level == 1) {
    f[9] = -s1 * a[0] - s2 * a[1] - c1 * v[0] * v[0] - c2 * v[1] * v[1] - a[2];
    f[10] = c1 * a[0] + c2 * a[1] - s1 * v[0] * v[0] - s2 * v[1] * v[1];
    return;
  }
  f[9] = c1 + c2 - y[2];
  f[10] = s1 + s2;
  if (level == 2) {
    f[0] -= -s1 * mu[0] + c1 * mu[1];
    f[1] -= -s2 * mu[0] + c2 * mu[1];
    f[2] += mu[0];
    f[11] = -s1 * v[0] - s2 * v[1] - v[2];
    f[12] = c1 * v[0] + c2 * v[1];
  }
}

static void
crank_index3(double t, const double *y, double *f)
{
  (void)t;
  crank(3, y, f);
}

static void
crank_ggl(double t, const double *y, double *f)
{
  (void)t;
  crank(2, y, f);
}

static void
crank_index1(double t, const double *y, double *f)
{
  (void)t;
  crank(1, y, f);
}

/* Stretched: a2 = -a1 / 2 and s'' = -(l1 w1^2 + l2 w2^2); the rest follows by hand. */
static void
crank_start(double *y, double *mass)
{
  y[2] = 0.45;
  y[3] = 10.0;
  y[4] = -5.0;
  y[6] = -0.1103625 / 0.002125;
  y[7] = -0.5 * y[6];
  y[8] = -22.5;
  y[9] = 1.6875;
  y[10] = (0.0005625 * y[6] + 0.1103625) / 0.3;
  ones(mass, 6);
}

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

/* Andrews' squeezer: r = M a - F at y; positions, velocities, accelerations in y. */
static void
andrews_dynamics(const double *y, double *r)
{
  const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
               m7 = .05498, i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7,
               i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5, da = 115e-4, rr = 7e-3, ra = 92e-5,
               sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5,
               u = 4e-2, ua = 1228e-5, ub = 449e-5, zt = 4e-2, de = 2e-2 - 1421e-5, df = de;
  const double *v = y + 7, *a = y + 14;
  double st = sin(y[THETA]), ct = cos(y[THETA]), sp = sin(y[PHI]), cp = cos(y[PHI]);
  double so = sin(y[OMEGA]), co = cos(y[OMEGA]), sg = sin(y[GAMMA]), cg = cos(y[GAMMA]);
  double xd = sd * cg + sc * sg - .03635 - .014, yd = sd * sg - sc * cg + .03273 - .072;
  double spring = sqrt(xd * xd + yd * yd), pull = -4530.0 * (spring - 7785e-5) / spring;
  double m01 = m2 * (da * da - da * rr * ct) + i2, m34 = m4 * (de * de + zt * de * sp) + i4;
  double m56 = m6 * (df * df - u * df * so) + i6;
  r[0] = (m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * ct + da * da) + i1 + i2) * a[0] +
         m01 * a[1] - 33e-3 + m2 * da * rr * v[THETA] * (v[THETA] + 2.0 * v[BETA]) * st;
  r[1] = m01 * a[0] + (m2 * da * da + i2) * a[1] - m2 * da * rr * v[BETA] * v[BETA] * st;
  r[2] = (m3 * (sa * sa + sb * sb) + i3) * a[2] -
         pull * (xd * (sc * cg - sd * sg) + yd * (sd * cg + sc * sg));
  r[3] = (m4 * de * de + i4) * a[3] + m34 * a[4] - m4 * zt * de * v[DELTA] * v[DELTA] * cp;
  r[4] = m34 * a[3] +
         (m4 * (zt * zt + 2.0 * zt * de * sp + de * de) + m5 * (ta * ta + tb * tb) + i4 + i5) *
             a[4] +
         m4 * zt * de * v[PHI] * (v[PHI] + 2.0 * v[DELTA]) * cp;
  r[5] = (m6 * df * df + i6) * a[5] + m56 * a[6] + m6 * u * df * v[EPSILON] * v[EPSILON] * co;
  r[6] =
      m56 * a[5] +
      (m6 * (df * df - 2.0 * u * df * so + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7) * a[6] -
      m6 * u * df * v[OMEGA] * (v[OMEGA] + 2.0 * v[EPSILON]) * co;
}

static inline void
andrews(int level, const double *y, double *f)
{
  const double d = 28e-3, rr = 7e-3, ss = 35e-3, e = 2e-2, zf = 2e-2, zt = 4e-2, u = 4e-2;
  const double *v = y + 7, *a = y + 14, *l = y + 21, *mu = y + 27;
  double rc = rr * cos(y[BETA]), rs = rr * sin(y[BETA]);
  double dc = d * cos(y[BETA] + y[THETA]), ds = d * sin(y[BETA] + y[THETA]);
  double gc = ss * cos(y[GAMMA]), gs = ss * sin(y[GAMMA]);
  double ec = e * cos(y[PHI] + y[DELTA]), es = e * sin(y[PHI] + y[DELTA]);
  double tc = zt * cos(y[DELTA]), ts = zt * sin(y[DELTA]);
  double fc = zf * cos(y[OMEGA] + y[EPSILON]), fs = zf * sin(y[OMEGA] + y[EPSILON]);
  double uc = u * cos(y[EPSILON]), us = u * sin(y[EPSILON]);
  memcpy(f, y + 7, sizeof(double) * 14);
  andrews_dynamics(y, f + 14);
  /* plus G^T lambda */
  double lx = l[0] + l[2] + l[4], ly = l[1] + l[3] + l[5];
  f[14] += (ds - rs) * lx + (rc - dc) * ly;
  f[15] += ds * lx - dc * ly;
  f[16] += -gc * l[0] - gs * l[1];
  f[17] += -ec * l[2] - es * l[3];
  f[18] += (ts - ec) * l[2] - (es + tc) * l[3];
  f[19] += fs * l[4] - fc * l[5];
  f[20] += (fs - uc) * l[4] - (fc + us) * l[5];
  if (level == 1) {
    double vb = v[BETA], vd = vb + v[THETA], ve = v[PHI] + v[DELTA], vf = v[OMEGA] + v[EPSILON];
    double ad = a[BETA] + a[THETA], ae = a[PHI] + a[DELTA], af = a[OMEGA] + a[EPSILON];
    double bx = -rs * a[BETA] + ds * ad - rc * vb * vb + dc * vd * vd;
    double by = rc * a[BETA] - dc * ad - rs * vb * vb + ds * vd * vd;
    f[21] = bx - gc * a[GAMMA] + gs * v[GAMMA] * v[GAMMA];
    f[22] = by - gs * a[GAMMA] - gc * v[GAMMA] * v[GAMMA];
    f[23] = bx - ec * ae + es * ve * ve + ts * a[DELTA] + tc * v[DELTA] * v[DELTA];
    f[24] = by - es * ae - ec * ve * ve - tc * a[DELTA] + ts * v[DELTA] * v[DELTA];
    f[25] = bx + fs * af + fc * vf * vf - uc * a[EPSILON] + us * v[EPSILON] * v[EPSILON];
    f[26] = by - fc * af + fs * vf * vf - us * a[EPSILON] - uc * v[EPSILON] * v[EPSILON];
    return;
  }
  f[21] = rc - dc - gs + .03635;
  f[22] = rs - ds + gc - .03273;
  f[23] = rc - dc - es - tc + .06934;
  f[24] = rs - ds + ec - ts + .00227;
  f[25] = rc - dc - fc - us + .06934;
  f[26] = rs - ds - fs + uc + .00227;
  if (level == 2) {
    double mx = mu[0] + mu[2] + mu[4], my = mu[1] + mu[3] + mu[5];
    double bx = (ds - rs) * v[BETA] + ds * v[THETA], by = (rc - dc) * v[BETA] - dc * v[THETA];
    f[0] -= (ds - rs) * mx + (rc - dc) * my;
    f[1] -= ds * mx - dc * my;
    f[2] -= -gc * mu[0] - gs * mu[1];
    f[3] -= -ec * mu[2] - es * mu[3];
    f[4] -= (ts - ec) * mu[2] - (es + tc) * mu[3];
    f[5] -= fs * mu[4] - fc * mu[5];
    f[6] -= (fs - uc) * mu[4] - (fc + us) * mu[5];
    f[27] = bx - gc * v[GAMMA];
    f[28] = by - gs * v[GAMMA];
    f[29] = bx - ec * v[PHI] + (ts - ec) * v[DELTA];
    f[30] = by - es * v[PHI] - (es + tc) * v[DELTA];
    f[31] = bx + fs * v[OMEGA] + (fs - uc) * v[EPSILON];
    f[32] = by - fc * v[OMEGA] - (fc + us) * v[EPSILON];
  }
}

static void
andrews_index3(double t, const double *y, double *f)
{
  (void)t;
  andrews(3, y, f);
}

static void
andrews_ggl(double t, const double *y, double *f)
{
  (void)t;
  andrews(2, y, f);
}

static void
andrews_index1(double t, const double *y, double *f)
{
  (void)t;
  andrews(1, y, f);
}

static void
andrews_start(double *y, double *mass)
{
  y[BETA] = -0.0617138900142764496358948458001;
  y[GAMMA] = 0.455279819163070380255912382449;
  y[PHI] = 0.222668390165885884674473185609;
  y[DELTA] = 0.487364979543842550225598953530;
  y[OMEGA] = -0.222668390165885884674473185609;
  y[EPSILON] = 1.23054744454982119249735015568;
  y[14] = 14222.4439199541138705911625887;
  y[15] = -10666.8329399655854029433719415;
  y[21] = 98.5668703962410896057654982170;
  y[22] = -6.12268834425566265503114393122;
  ones(mass, 14);
}

#define CRANK_NAMES "phi1 phi2 s w1 w2 v - - - lambda1 lambda2"
#define ANDREWS_NAMES                                                                          \
  "beta theta gamma phi delta omega epsilon vbeta vtheta vgamma vphi vdelta vomega vepsilon "  \
  "- - - - - - - lam1 lam2 lam3 lam4 lam5 lam6"
#define FORM(PROBLEM, FORM_NAME, TOOLS, N, I1, I2, I3, STOP, NAMES, F, START)                  \
  {                                                                                            \
    .problem = PROBLEM, .form = FORM_NAME, .tools = TOOLS, .n = N, .indices = {I1, I2, I3},    \
    .t_stop = STOP, .names = NAMES, .f = F, .start = START                                     \
  }

enum { BOTH = DAE_PEER_IDA | DAE_PEER_DASPK };

const DaePeerForm dae_peer_linkages[] = {
    FORM("slider_crank", "index3", DAE_PEER_RADAU, 11, 3, 3, 5, 1.0, CRANK_NAMES, crank_index3,
         crank_start),
    FORM("slider_crank", "ggl", DAE_PEER_IDA, 13, 6, 7, 0, 1.0, CRANK_NAMES, crank_ggl,
         crank_start),
    FORM("slider_crank", "index1", BOTH, 11, 11, 0, 0, 1.0, CRANK_NAMES, crank_index1,
         crank_start),
    FORM("andrews", "index3", DAE_PEER_RADAU, 27, 7, 7, 13, 0.03, ANDREWS_NAMES, andrews_index3,
         andrews_start),
    FORM("andrews", "ggl", DAE_PEER_IDA, 33, 14, 19, 0, 0.03, ANDREWS_NAMES, andrews_ggl,
         andrews_start),
    FORM("andrews", "index1", BOTH, 27, 27, 0, 0, 0.03, ANDREWS_NAMES, andrews_index1,
         andrews_start),
};
const int dae_peer_linkages_count = sizeof(dae_peer_linkages) / sizeof(dae_peer_linkages[0]);
