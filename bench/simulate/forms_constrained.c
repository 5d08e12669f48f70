/* Points with position constraints: pendula, chain, car axis, Fekete. Unknowns: positions,
 * velocities, multipliers, mu. */
#include <math.h>
#include <string.h>

#include "forms.h"

#define GRAVITY 13.7503716373294544

static void
ones(double *mass, int n)
{
  for (int i = 0; i < n; i++) {
    mass[i] = 1.0;
  }
}

static void
pendulum_index3(double t, const double *y, double *f)
{
  (void)t;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -2.0 * y[0] * y[4];
  f[3] = -2.0 * y[1] * y[4] - GRAVITY;
  f[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
}

static void
pendulum_index1(double t, const double *y, double *f)
{
  pendulum_index3(t, y, f);
  f[4] = y[2] * y[2] + y[3] * y[3] - 2.0 * y[4] * (y[0] * y[0] + y[1] * y[1]) - GRAVITY * y[1];
}

static void
pendulum_ggl(double t, const double *y, double *f)
{
  pendulum_index3(t, y, f);
  f[0] -= y[0] * y[5];
  f[1] -= y[1] * y[5];
  f[5] = y[0] * y[2] + y[1] * y[3];
}

static void
pendulum_start(double *y, double *mass)
{
  y[0] = 1.0;
  ones(mass, 4);
}

/* n masses on rods; level 3: positions, 2: GGL, 1: accelerations.
 * Inlined with constant n and level. */
static inline void
rods(int n, double mass, double length, int level, const double *y, double *f)
{
  const double *q = y, *v = y + 2 * n, *lambda = y + 4 * n, *mu = y + 5 * n;
  memcpy(f, v, sizeof(double) * 2 * (size_t)n);
  double dx = q[0], dy = q[1]; /* rod above */
  for (int i = 0; i < n; i++) {
    double ex = 0.0, ey = 0.0, pull = 0.0, correct = 0.0; /* rod below */
    if (i + 1 < n) {
      ex = q[2 * i + 2] - q[2 * i];
      ey = q[2 * i + 3] - q[2 * i + 1];
      pull = lambda[i + 1];
      correct = level == 2 ? mu[i + 1] : 0.0;
    }
    f[2 * n + 2 * i] = (ex * pull - dx * lambda[i]) / mass;
    f[2 * n + 2 * i + 1] = (ey * pull - dy * lambda[i]) / mass - 9.81;
    double wx = v[2 * i] - (i > 0 ? v[2 * i - 2] : 0.0);
    double wy = v[2 * i + 1] - (i > 0 ? v[2 * i - 1] : 0.0);
    if (level == 1) {
      double ax = f[2 * n + 2 * i] - (i > 0 ? f[2 * n + 2 * i - 2] : 0.0);
      double ay = f[2 * n + 2 * i + 1] - (i > 0 ? f[2 * n + 2 * i - 1] : 0.0);
      f[4 * n + i] = wx * wx + wy * wy + dx * ax + dy * ay;
    } else {
      f[4 * n + i] = dx * dx + dy * dy - length * length;
    }
    if (level == 2) {
      f[2 * i] += ex * correct - dx * mu[i];
      f[2 * i + 1] += ey * correct - dy * mu[i];
      f[5 * n + i] = dx * wx + dy * wy;
    }
    dx = ex;
    dy = ey;
  }
}

#define RODS(NAME, N, MASS, LENGTH)                                                            \
  static void NAME##_index3(double t, const double *y, double *f)                              \
  {                                                                                            \
    (void)t;                                                                                   \
    rods(N, MASS, LENGTH, 3, y, f);                                                            \
  }                                                                                            \
  static void NAME##_ggl(double t, const double *y, double *f)                                 \
  {                                                                                            \
    (void)t;                                                                                   \
    rods(N, MASS, LENGTH, 2, y, f);                                                            \
  }                                                                                            \
  static void NAME##_index1(double t, const double *y, double *f)                              \
  {                                                                                            \
    (void)t;                                                                                   \
    rods(N, MASS, LENGTH, 1, y, f);                                                            \
  }                                                                                            \
  static void NAME##_start(double *y, double *mass)                                            \
  {                                                                                            \
    for (int i = 0; i < N; i++) {                                                              \
      y[2 * i] = (i + 1) * LENGTH;                                                             \
    }                                                                                          \
    ones(mass, 4 * N);                                                                         \
  }

RODS(double_pendulum, 2, 1.0, 1.0)
RODS(chain, 10, 0.1, 0.1)

/* Car axis; the foot (xb, yb) moves. */
static void
car_index3(double t, const double *y, double *f)
{
  const double k = 5e-4;
  double yb = 0.1 * sin(10.0 * t), xb = sqrt(1.0 - yb * yb);
  double left = sqrt(y[0] * y[0] + y[1] * y[1]), left_pull = (0.5 - left) / left;
  double dx = y[2] - xb, dy = y[3] - yb;
  double right = sqrt(dx * dx + dy * dy), right_pull = (0.5 - right) / right;
  double ex = y[0] - y[2], ey = y[1] - y[3];
  memcpy(f, y + 4, sizeof(double) * 4);
  f[4] = (left_pull * y[0] + y[8] * xb + 2.0 * y[9] * ex) / k;
  f[5] = (left_pull * y[1] + y[8] * yb + 2.0 * y[9] * ey) / k - 1.0;
  f[6] = (right_pull * dx - 2.0 * y[9] * ex) / k;
  f[7] = (right_pull * dy - 2.0 * y[9] * ey) / k - 1.0;
  f[8] = y[0] * xb + y[1] * yb;
  f[9] = ex * ex + ey * ey - 1.0;
}

static void
car_foot(double t, double *x, double *y)
{
  y[0] = 0.1 * sin(10.0 * t);
  y[1] = cos(10.0 * t);
  y[2] = -100.0 * y[0];
  x[0] = sqrt(1.0 - y[0] * y[0]);
  x[1] = -y[0] * y[1] / x[0];
  x[2] = -(y[1] * y[1] + y[0] * y[2] + x[1] * x[1]) / x[0];
}

static void
car_index1(double t, const double *y, double *f)
{
  double xb[3], yb[3];
  car_index3(t, y, f);
  car_foot(t, xb, yb);
  f[8] = f[4] * xb[0] + f[5] * yb[0] + 2.0 * (y[4] * xb[1] + y[5] * yb[1]) + y[0] * xb[2] +
         y[1] * yb[2];
  double ux = y[4] - y[6], uy = y[5] - y[7];
  f[9] = ux * ux + uy * uy + (y[0] - y[2]) * (f[4] - f[6]) + (y[1] - y[3]) * (f[5] - f[7]);
}

static void
car_ggl(double t, const double *y, double *f)
{
  double xb[3], yb[3], ex = y[0] - y[2], ey = y[1] - y[3];
  car_index3(t, y, f);
  car_foot(t, xb, yb);
  f[0] -= xb[0] * y[10] + ex * y[11];
  f[1] -= yb[0] * y[10] + ey * y[11];
  f[2] += ex * y[11];
  f[3] += ey * y[11];
  f[10] = y[4] * xb[0] + y[5] * yb[0] + y[0] * xb[1] + y[1] * yb[1];
  f[11] = ex * (y[4] - y[6]) + ey * (y[5] - y[7]);
}

static void
car_start(double *y, double *mass)
{
  y[1] = y[3] = 0.5;
  y[2] = 1.0;
  y[4] = y[6] = -0.5;
  ones(mass, 8);
}

#define PARTICLES 20

/* Forces without the multipliers. */
static void
fekete_repulsion(const double *y, double *a)
{
  for (int i = 0; i < 3 * PARTICLES; i++) {
    a[i] = -0.5 * y[3 * PARTICLES + i];
  }
  for (int i = 0; i < PARTICLES; i++) {
    for (int j = 0; j < i; j++) {
      const double *p = y + 3 * i, *q = y + 3 * j;
      double dx = p[0] - q[0], dy = p[1] - q[1], dz = p[2] - q[2];
      double r = 1.0 / (dx * dx + dy * dy + dz * dz);
      a[3 * i] += r * dx;
      a[3 * i + 1] += r * dy;
      a[3 * i + 2] += r * dz;
      a[3 * j] -= r * dx;
      a[3 * j + 1] -= r * dy;
      a[3 * j + 2] -= r * dz;
    }
  }
}

static inline void
fekete(int is_ggl, const double *y, double *f)
{
  const double *v = y + 3 * PARTICLES, *lambda = y + 6 * PARTICLES, *mu = y + 7 * PARTICLES;
  double *a = f + 3 * PARTICLES, *g = f + 6 * PARTICLES, *h = f + 7 * PARTICLES;
  memcpy(f, v, sizeof(double) * 3 * PARTICLES);
  fekete_repulsion(y, a);
  for (int i = 0; i < PARTICLES; i++) {
    const double *p = y + 3 * i, *w = v + 3 * i;
    for (int c = 0; c < 3; c++) {
      a[3 * i + c] += 2.0 * lambda[i] * p[c];
    }
    if (is_ggl) {
      for (int c = 0; c < 3; c++) {
        f[3 * i + c] += 2.0 * mu[i] * p[c];
      }
      g[i] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - 1.0;
      h[i] = p[0] * w[0] + p[1] * w[1] + p[2] * w[2];
    } else {
      g[i] = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + p[0] * a[3 * i] + p[1] * a[3 * i + 1] +
             p[2] * a[3 * i + 2];
    }
  }
}

static void
fekete_ggl(double t, const double *y, double *f)
{
  (void)t;
  fekete(1, y, f);
}

static void
fekete_index1(double t, const double *y, double *f)
{
  (void)t;
  fekete(0, y, f);
}

static void
fekete_start(double *y, double *mass)
{
  const double pi = 3.14159265358979323846;
  for (int i = 1; i <= PARTICLES; i++) {
    double a = i <= 3    ? 2.0 * pi * i / 3.0 + pi / 13.0
               : i <= 10 ? 2.0 * pi * (i - 3) / 7.0 + pi / 29.0
               : i <= 16 ? 2.0 * pi * (i - 10) / 6.0 + pi / 7.0
                         : 2.0 * pi * (i - 17) / 4.0 + pi / 17.0;
    double b = i <= 3    ? 0.375 * pi
               : i <= 10 ? pi / 8.0
               : i <= 16 ? -2.0 * pi / 15.0
                         : -0.3 * pi;
    y[3 * i - 3] = cos(a) * cos(b);
    y[3 * i - 2] = sin(a) * cos(b);
    y[3 * i - 1] = sin(b);
  }
  double force[3 * PARTICLES];
  fekete_repulsion(y, force);
  for (int i = 0; i < PARTICLES; i++) {
    for (int c = 0; c < 3; c++) {
      y[6 * PARTICLES + i] -= 0.5 * y[3 * i + c] * force[3 * i + c];
    }
  }
  ones(mass, 6 * PARTICLES);
}

#define P2(A, B, I) A "[" I "] " B "[" I "] "
/* clang-format never comes to rest on these lists. */
/* clang-format off */
#define PAIRS(A, B)                                                                            \
  P2(A, B, "1")                                                                                \
  P2(A, B, "2")                                                                                \
  P2(A, B, "3")                                                                                \
  P2(A, B, "4")                                                                                \
  P2(A, B, "5") P2(A, B, "6") P2(A, B, "7") P2(A, B, "8") P2(A, B, "9") P2(A, B, "10")
#define P3(A, B, C, I) A "[" I "] " B "[" I "] " C "[" I "] "
#define TRIPLES(A, B, C)                                                                       \
  P3(A, B, C, "1")                                                                             \
  P3(A, B, C, "2")                                                                             \
  P3(A, B, C, "3")                                                                             \
  P3(A, B, C, "4")                                                                             \
  P3(A, B, C, "5")                                                                             \
  P3(A, B, C, "6")                                                                             \
  P3(A, B, C, "7") P3(A, B, C, "8") P3(A, B, C, "9") P3(A, B, C, "10") P3(A, B, C, "11")       \
      P3(A, B, C, "12") P3(A, B, C, "13") P3(A, B, C, "14") P3(A, B, C, "15")                  \
          P3(A, B, C, "16") P3(A, B, C, "17") P3(A, B, C, "18") P3(A, B, C, "19")              \
              P3(A, B, C, "20")
/* clang-format on */
#define LIST(A)                                                                                \
  A "[1] " A "[2] " A "[3] " A "[4] " A "[5] " A "[6] " A "[7] " A "[8] " A "[9] " A "[10] "
#define MORE(A)                                                                                \
  A "[11] " A "[12] " A "[13] " A "[14] " A "[15] " A "[16] " A "[17] " A "[18] " A "[19] " A  \
    "[20] "

#define CHAIN_NAMES PAIRS("x", "y") PAIRS("u", "v") LIST("lambda")
#define FEKETE_NAMES TRIPLES("x", "y", "z") TRIPLES("u", "v", "w") LIST("lambda") MORE("lambda")
#define CAR_NAMES "xl yl xr yr vxl vyl vxr vyr lam1 lam2"
#define DOUBLE_NAMES "x1 y1 x2 y2 u1 v1 u2 v2 lambda1 lambda2"

#define FORM(PROBLEM, FORM_NAME, TOOLS, N, I1, I2, I3, STOP, NAMES, F, START)                  \
  {                                                                                            \
    .problem = PROBLEM, .form = FORM_NAME, .tools = TOOLS, .n = N, .indices = {I1, I2, I3},    \
    .t_stop = STOP, .names = NAMES, .f = F, .start = START                                     \
  }

enum { BOTH = DAE_PEER_IDA | DAE_PEER_DASPK };

const DaePeerForm dae_peer_constrained[] = {
    FORM("pendulum", "index3", DAE_PEER_RADAU, 5, 2, 2, 1, 100.0, "x y u v lambda",
         pendulum_index3, pendulum_start),
    FORM("pendulum", "ggl", DAE_PEER_IDA, 6, 4, 2, 0, 100.0, "x y u v lambda", pendulum_ggl,
         pendulum_start),
    FORM("pendulum", "index1", BOTH, 5, 5, 0, 0, 100.0, "x y u v lambda", pendulum_index1,
         pendulum_start),
    FORM("double_pendulum", "index3", DAE_PEER_RADAU, 10, 4, 4, 2, 3.0, DOUBLE_NAMES,
         double_pendulum_index3, double_pendulum_start),
    FORM("double_pendulum", "ggl", DAE_PEER_IDA, 12, 8, 4, 0, 3.0, DOUBLE_NAMES,
         double_pendulum_ggl, double_pendulum_start),
    FORM("double_pendulum", "index1", BOTH, 10, 10, 0, 0, 3.0, DOUBLE_NAMES,
         double_pendulum_index1, double_pendulum_start),
    FORM("chain", "index3", DAE_PEER_RADAU, 50, 20, 20, 10, 2.0, CHAIN_NAMES, chain_index3,
         chain_start),
    FORM("chain", "ggl", DAE_PEER_IDA, 60, 40, 20, 0, 2.0, CHAIN_NAMES, chain_ggl, chain_start),
    FORM("chain", "index1", BOTH, 50, 50, 0, 0, 2.0, CHAIN_NAMES, chain_index1, chain_start),
    FORM("car_axis", "index3", DAE_PEER_RADAU, 10, 4, 4, 2, 3.0, CAR_NAMES, car_index3,
         car_start),
    FORM("car_axis", "ggl", DAE_PEER_IDA, 12, 8, 4, 0, 3.0, CAR_NAMES, car_ggl, car_start),
    FORM("car_axis", "index1", BOTH, 10, 10, 0, 0, 3.0, CAR_NAMES, car_index1, car_start),
    FORM("fekete", "index2", DAE_PEER_RADAU | DAE_PEER_IDA, 160, 120, 40, 0, 1000.0,
         FEKETE_NAMES, fekete_ggl, fekete_start),
    FORM("fekete", "index1", BOTH, 140, 140, 0, 0, 1000.0, FEKETE_NAMES, fekete_index1,
         fekete_start),
};
const int dae_peer_constrained_count =
    sizeof(dae_peer_constrained) / sizeof(dae_peer_constrained[0]);
