#include "odes.h"

#include <math.h>
#include <string.h>

/* S lambda = r for a positive definite S (rows of length n), by Cholesky's method in place. */
static inline void
solve_positive(int n, double *s, double *r)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) {
      double sum = s[i * n + k];
      for (int q = 0; q < k; q++) {
        sum -= s[i * n + q] * s[k * n + q];
      }
      s[i * n + k] = sum * s[k * n + k];
    }
    double sum = s[i * n + i];
    for (int q = 0; q < i; q++) {
      sum -= s[i * n + q] * s[i * n + q];
    }
    s[i * n + i] = 1.0 / sqrt(sum);
    for (int k = 0; k < i; k++) {
      r[i] -= s[i * n + k] * r[k];
    }
    r[i] *= s[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    r[i] *= s[i * n + i];
    for (int k = 0; k < i; k++) {
      r[k] -= s[i * n + k] * r[i];
    }
  }
}

static void
crank(const double *y, double *dydt, double *lambda)
{
  const double l1 = 0.15, l2 = 0.3, m2 = 0.075, m3 = 0.075, j1 = 0.0005, j2 = 0.0005625,
               g = 9.81;
  const double *v = y + 3;
  double s1 = l1 * sin(y[0]), c1 = l1 * cos(y[0]), s2 = l2 * sin(y[1]), c2 = l2 * cos(y[1]);
  double sine = 0.5 * m2 * (s1 * c2 - c1 * s2), cosine = 0.5 * m2 * (c1 * c2 + s1 * s2);
  double m11 = j1 + m2 * l1 * l1, m22 = j2 + 0.25 * m2 * l2 * l2;
  double inverse = 1.0 / (m11 * m22 - cosine * cosine);
  double f1 = -sine * v[1] * v[1] - m2 * g * c1, f2 = sine * v[0] * v[0] - 0.5 * m2 * g * c2;
  /* M^-1 of the forces and of both rows of G^T */
  double a1 = (m22 * f1 - cosine * f2) * inverse, a2 = (m11 * f2 - cosine * f1) * inverse;
  double p1 = (-m22 * s1 + cosine * s2) * inverse, p2 = (-m11 * s2 + cosine * s1) * inverse;
  double q1 = (m22 * c1 - cosine * c2) * inverse, q2 = (m11 * c2 - cosine * c1) * inverse;
  double s11 = -s1 * p1 - s2 * p2 + 1.0 / m3, s12 = c1 * p1 + c2 * p2, s22 = c1 * q1 + c2 * q2;
  double r1 = c1 * v[0] * v[0] + c2 * v[1] * v[1] + s1 * a1 + s2 * a2;
  double r2 = s1 * v[0] * v[0] + s2 * v[1] * v[1] - c1 * a1 - c2 * a2;
  double determinant = 1.0 / (s11 * s22 - s12 * s12);
  lambda[0] = (s22 * r1 - s12 * r2) * determinant;
  lambda[1] = (s11 * r2 - s12 * r1) * determinant;
  memcpy(dydt, v, sizeof(double) * 3);
  dydt[3] = a1 + p1 * lambda[0] + q1 * lambda[1];
  dydt[4] = a2 + p2 * lambda[0] + q2 * lambda[1];
  dydt[5] = -lambda[0] / m3;
}

/* The masses of a pair of angles: [a b; b c]^-1 (x, y). */
static inline void
solve_pair(double a, double b, double c, double *x, double *y)
{
  double inverse = 1.0 / (a * c - b * b), first = (c * *x - b * *y) * inverse;
  *y = (a * *y - b * *x) * inverse;
  *x = first;
}

static void
andrews(const double *y, double *dydt, double *l)
{
  enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

  const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
               m7 = .05498, i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7,
               i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5, da = 115e-4, rr = 7e-3, ra = 92e-5,
               sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5,
               u = 4e-2, ua = 1228e-5, ub = 449e-5, zt = 4e-2, de = 2e-2 - 1421e-5, df = de,
               d = 28e-3, ss = 35e-3, e = 2e-2, zf = 2e-2;
  const double *v = y + 7;
  double st = sin(y[THETA]), ct = cos(y[THETA]), sp = sin(y[PHI]), cp = cos(y[PHI]);
  double so = sin(y[OMEGA]), co = cos(y[OMEGA]), sg = sin(y[GAMMA]), cg = cos(y[GAMMA]);
  double xd = sd * cg + sc * sg - .03635 - .014, yd = sd * sg - sc * cg + .03273 - .072;
  double spring = sqrt(xd * xd + yd * yd), pull = -4530.0 * (spring - 7785e-5) / spring;
  double m01 = m2 * (da * da - da * rr * ct) + i2, m34 = m4 * (de * de + zt * de * sp) + i4;
  double m56 = m6 * (df * df - u * df * so) + i6;
  double m00 = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * ct + da * da) + i1 + i2;
  double m44 =
      m4 * (zt * zt + 2.0 * zt * de * sp + de * de) + m5 * (ta * ta + tb * tb) + i4 + i5;
  double m66 = m6 * (df * df - 2.0 * u * df * so + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
  const double m11 = m2 * da * da + i2, m22 = m3 * (sa * sa + sb * sb) + i3,
               m33 = m4 * de * de + i4, m55 = m6 * df * df + i6;
  double rc = rr * cos(y[BETA]), rs = rr * sin(y[BETA]);
  double dc = d * cos(y[BETA] + y[THETA]), ds = d * sin(y[BETA] + y[THETA]);
  double gc = ss * cg, gs = ss * sg;
  double ec = e * cos(y[PHI] + y[DELTA]), es = e * sin(y[PHI] + y[DELTA]);
  double tc = zt * cos(y[DELTA]), ts = zt * sin(y[DELTA]);
  double fc = zf * cos(y[OMEGA] + y[EPSILON]), fs = zf * sin(y[OMEGA] + y[EPSILON]);
  double uc = u * cos(y[EPSILON]), us = u * sin(y[EPSILON]);
  /* forces, then M^-1 of them */
  double a[7] = {33e-3 - m2 * da * rr * v[THETA] * (v[THETA] + 2.0 * v[BETA]) * st,
                 m2 * da * rr * v[BETA] * v[BETA] * st,
                 pull * (xd * (sc * cg - sd * sg) + yd * (sd * cg + sc * sg)) / m22,
                 m4 * zt * de * v[DELTA] * v[DELTA] * cp,
                 -m4 * zt * de * v[PHI] * (v[PHI] + 2.0 * v[DELTA]) * cp,
                 -m6 * u * df * v[EPSILON] * v[EPSILON] * co,
                 m6 * u * df * v[OMEGA] * (v[OMEGA] + 2.0 * v[EPSILON]) * co};
  solve_pair(m00, m01, m11, &a[0], &a[1]);
  solve_pair(m33, m34, m44, &a[3], &a[4]);
  solve_pair(m55, m56, m66, &a[5], &a[6]);
  /* rows of G: x and y of the common pair, and of each of the three loops */
  double bx[2] = {ds - rs, ds}, by[2] = {rc - dc, -dc}, px[2] = {bx[0], bx[1]},
         py[2] = {by[0], by[1]};
  double ex[2] = {-ec, ts - ec}, ey[2] = {-es, -es - tc}, qx[2] = {ex[0], ex[1]},
         qy[2] = {ey[0], ey[1]};
  double fx[2] = {fs, fs - uc}, fy[2] = {-fc, -fc - us}, wx[2] = {fx[0], fx[1]},
         wy[2] = {fy[0], fy[1]};
  solve_pair(m00, m01, m11, &px[0], &px[1]);
  solve_pair(m00, m01, m11, &py[0], &py[1]);
  solve_pair(m33, m34, m44, &qx[0], &qx[1]);
  solve_pair(m33, m34, m44, &qy[0], &qy[1]);
  solve_pair(m55, m56, m66, &wx[0], &wx[1]);
  solve_pair(m55, m56, m66, &wy[0], &wy[1]);
  double xx = bx[0] * px[0] + bx[1] * px[1], xy = bx[0] * py[0] + bx[1] * py[1],
         yy = by[0] * py[0] + by[1] * py[1];
  double s[36];
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k <= i; k++) {
      s[6 * i + k] = i % 2 != k % 2 ? xy : i % 2 == 0 ? xx : yy;
    }
  }
  s[0] += gc * gc / m22;
  s[6] += gc * gs / m22;
  s[7] += gs * gs / m22;
  s[14] += ex[0] * qx[0] + ex[1] * qx[1];
  s[20] += ex[0] * qy[0] + ex[1] * qy[1];
  s[21] += ey[0] * qy[0] + ey[1] * qy[1];
  s[28] += fx[0] * wx[0] + fx[1] * wx[1];
  s[34] += fx[0] * wy[0] + fx[1] * wy[1];
  s[35] += fy[0] * wy[0] + fy[1] * wy[1];
  double vb = v[BETA], vd = vb + v[THETA], ve = v[PHI] + v[DELTA], vf = v[OMEGA] + v[EPSILON];
  double cx = bx[0] * a[0] + bx[1] * a[1] - rc * vb * vb + dc * vd * vd;
  double cy = by[0] * a[0] + by[1] * a[1] - rs * vb * vb + ds * vd * vd;
  l[0] = cx - gc * a[2] + gs * v[GAMMA] * v[GAMMA];
  l[1] = cy - gs * a[2] - gc * v[GAMMA] * v[GAMMA];
  l[2] = cx + ex[0] * a[3] + ex[1] * a[4] + es * ve * ve + tc * v[DELTA] * v[DELTA];
  l[3] = cy + ey[0] * a[3] + ey[1] * a[4] - ec * ve * ve + ts * v[DELTA] * v[DELTA];
  l[4] = cx + fx[0] * a[5] + fx[1] * a[6] + fc * vf * vf + us * v[EPSILON] * v[EPSILON];
  l[5] = cy + fy[0] * a[5] + fy[1] * a[6] + fs * vf * vf - uc * v[EPSILON] * v[EPSILON];
  solve_positive(6, s, l);
  double lx = l[0] + l[2] + l[4], ly = l[1] + l[3] + l[5];
  memcpy(dydt, v, sizeof(double) * 7);
  dydt[7] = a[0] - px[0] * lx - py[0] * ly;
  dydt[8] = a[1] - px[1] * lx - py[1] * ly;
  dydt[9] = a[2] + (gc * l[0] + gs * l[1]) / m22;
  dydt[10] = a[3] - qx[0] * l[2] - qy[0] * l[3];
  dydt[11] = a[4] - qx[1] * l[2] - qy[1] * l[3];
  dydt[12] = a[5] - wx[0] * l[4] - wy[0] * l[5];
  dydt[13] = a[6] - wx[1] * l[4] - wy[1] * l[5];
}

/* Ten masses on rods: the forces from a tridiagonal system. */
static void
chain(const double *y, double *dydt, double *lambda)
{
  enum { N = 10 };

  const double mass = 0.1;
  const double *v = y + 2 * N;
  double dx[N], dy[N], diagonal[N], off[N], r[N];
  for (int i = 0; i < N; i++) {
    dx[i] = y[2 * i] - (i > 0 ? y[2 * i - 2] : 0.0);
    dy[i] = y[2 * i + 1] - (i > 0 ? y[2 * i - 1] : 0.0);
    double wx = v[2 * i] - (i > 0 ? v[2 * i - 2] : 0.0);
    double wy = v[2 * i + 1] - (i > 0 ? v[2 * i - 1] : 0.0);
    diagonal[i] = (i > 0 ? 2.0 : 1.0) * (dx[i] * dx[i] + dy[i] * dy[i]);
    off[i] = i > 0 ? -(dx[i] * dx[i - 1] + dy[i] * dy[i - 1]) : 0.0;
    r[i] = mass * (wx * wx + wy * wy - (i > 0 ? 0.0 : 9.81 * dy[0]));
  }
  for (int i = 1; i < N; i++) {
    double factor = off[i] / diagonal[i - 1];
    diagonal[i] -= factor * off[i];
    r[i] -= factor * r[i - 1];
  }
  for (int i = N - 1; i >= 0; i--) {
    lambda[i] = (r[i] - (i + 1 < N ? off[i + 1] * lambda[i + 1] : 0.0)) / diagonal[i];
  }
  memcpy(dydt, v, sizeof(double) * 2 * N);
  for (int i = 0; i < N; i++) {
    double px = i + 1 < N ? dx[i + 1] * lambda[i + 1] : 0.0;
    double py = i + 1 < N ? dy[i + 1] * lambda[i + 1] : 0.0;
    dydt[2 * N + 2 * i] = (px - dx[i] * lambda[i]) / mass;
    dydt[2 * N + 2 * i + 1] = (py - dy[i] * lambda[i]) / mass - 9.81;
  }
}

const DaePeerOde dae_peer_odes[] = {
    {"slider_crank", 6, 2, 9, crank},
    {"andrews", 14, 6, 21, andrews},
    {"chain", 40, 10, 40, chain},
};
const int dae_peer_odes_count = sizeof dae_peer_odes / sizeof dae_peer_odes[0];
