/* Circuits, reactions, van der Pol. */
#include <math.h>

#include "forms.h"

#define PI 3.14159265358979323846

/* Ring modulator with Cs = 0, as published (index 2) and with the two hidden relations in place
 * of the dependent rows: y10 + y11 + y12 + y13 = 0 gives y13, its derivative y3 - y4 + y5 - y6
 * = 0 closes the diode equations (index 1). */
static void
ring_index2(double t, const double *y, double *f)
{
  const double gamma = 40.67286402e-9, delta = 17.7493332;
  double in1 = 0.5 * sin(2000.0 * PI * t), in2 = 2.0 * sin(20000.0 * PI * t);
  double q1 = gamma * (exp(delta * (y[2] - y[4] - y[6] - in2)) - 1.0);
  double q2 = gamma * (exp(delta * (-y[3] + y[5] - y[6] - in2)) - 1.0);
  double q3 = gamma * (exp(delta * (y[3] + y[4] + y[6] + in2)) - 1.0);
  double q4 = gamma * (exp(delta * (-y[2] - y[5] + y[6] + in2)) - 1.0);
  f[0] = (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / 25000.0) / 1.6e-8;
  f[1] = (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / 25000.0) / 1.6e-8;
  f[2] = y[9] - q1 + q4;
  f[3] = -y[10] + q2 - q3;
  f[4] = y[11] + q1 - q3;
  f[5] = -y[12] - q2 + q4;
  f[6] = (-y[6] / 50.0 + q1 + q2 - q3 - q4) / 1e-8;
  f[7] = -y[0] / 4.45;
  f[8] = -y[1] / 4.45;
  f[9] = (0.5 * y[0] - y[2] - 17.3 * y[9]) / 5e-4;
  f[10] = (-0.5 * y[0] + y[3] - 17.3 * y[10]) / 5e-4;
  f[11] = (0.5 * y[1] - y[4] - 17.3 * y[11]) / 5e-4;
  f[12] = (-0.5 * y[1] + y[5] - 17.3 * y[12]) / 5e-4;
  f[13] = (-y[0] + in1 - 86.3 * y[13]) / 0.002;
  f[14] = (-y[1] - 636.3 * y[14]) / 0.002;
}

static void
ring_index1(double t, const double *y, double *f)
{
  ring_index2(t, y, f);
  f[5] = y[2] - y[3] + y[4] - y[5];
  f[12] = y[9] + y[10] + y[11] + y[12];
}

static void
ring_start(double *y, double *mass)
{
  (void)y;
  for (int i = 0; i < 15; i++) {
    mass[i] = i < 2 || i > 5;
  }
}

static void
ring_start_index1(double *y, double *mass)
{
  ring_start(y, mass);
  mass[12] = 0.0;
}

/* Transistor amplifier. */
static void
transistor_f(double t, const double *y, double *f)
{
  const double r = 9000.0;
  double q23 = 1e-6 * (exp((y[1] - y[2]) / 0.026) - 1.0);
  double q56 = 1e-6 * (exp((y[4] - y[5]) / 0.026) - 1.0);
  f[0] = (y[0] - 0.1 * sin(200.0 * PI * t)) / 1000.0;
  f[1] = (2.0 * y[1] - 6.0) / r + 0.01 * q23;
  f[2] = y[2] / r - q23;
  f[3] = (y[3] - 6.0) / r + 0.99 * q23;
  f[4] = (2.0 * y[4] - 6.0) / r + 0.01 * q56;
  f[5] = y[5] / r - q56;
  f[6] = (y[6] - 6.0) / r + 0.99 * q56;
  f[7] = y[7] / r;
}

static void
transistor_mass(const double *d, double *p)
{
  p[0] = 1e-6 * (d[1] - d[0]);
  p[1] = -p[0];
  p[2] = -2e-6 * d[2];
  p[3] = 3e-6 * (d[4] - d[3]);
  p[4] = -p[3];
  p[5] = -4e-6 * d[5];
  p[6] = 5e-6 * (d[7] - d[6]);
  p[7] = -p[6];
}

static void
transistor_start(double *y, double *mass)
{
  const double start[8] = {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0};
  for (int i = 0; i < 8; i++) {
    y[i] = start[i];
    mass[i] = 1.0; /* the two of a capacitor's ends are dynamic together */
  }
}

static void
akzo_f(double t, const double *y, double *f)
{
  (void)t;
  double root = sqrt(y[1]), y12 = y[0] * y[0];
  double r1 = 18.7 * y12 * y12 * root, r2 = 0.58 * y[2] * y[3], r3 = 0.58 / 34.4 * y[0] * y[4],
         r4 = 0.09 * y[0] * y[3] * y[3], r5 = 0.42 * y[5] * y[5] * root;
  f[0] = -2.0 * r1 + r2 - r3 - r4;
  f[1] = -0.5 * r1 - r4 - 0.5 * r5 + 3.3 * (0.9 / 737.0 - y[1]);
  f[2] = r1 - r2 + r3;
  f[3] = -r2 + r3 - 2.0 * r4;
  f[4] = r2 - r3 + r5;
  f[5] = 115.83 * y[0] * y[3] - y[5];
}

static void
akzo_start(double *y, double *mass)
{
  y[0] = 0.444;
  y[1] = 0.00123;
  y[3] = 0.007;
  y[5] = 115.83 * y[0] * y[3];
  for (int i = 0; i < 5; i++) {
    mass[i] = 1.0;
  }
}

static void
van_der_pol_f(double t, const double *y, double *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
}

static void
van_der_pol_start(double *y, double *mass)
{
  y[0] = 2.0;
  mass[0] = mass[1] = 1.0;
}

static void
robertson_f(double t, const double *y, double *f)
{
  (void)t;
  f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  f[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1];
  f[2] = y[0] + y[1] + y[2] - 1.0;
}

static void
robertson_start(double *y, double *mass)
{
  y[0] = 1.0;
  mass[0] = mass[1] = 1.0;
}

static const double transistor_ydot[8] = {51.338775,    51.338775,   -166.66666666666666,
                                          -24.9757667,  -24.9757667, -83.33333333333333,
                                          -10.00564453, -10.00564453};
static const double robertson_nominal[3] = {1.0, 1e-5, 1.0};

enum { ALL = DAE_PEER_RADAU | DAE_PEER_IDA | DAE_PEER_DASPK };

#define RING_NAMES "y1 y2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 y14 y15"
#define FORM(PROBLEM, FORM_NAME, TOOLS, N, I1, I2, STOP, NAMES, F, START)                      \
  .problem = PROBLEM, .form = FORM_NAME, .tools = TOOLS, .n = N, .indices = {I1, I2, 0},       \
  .t_stop = STOP, .names = NAMES, .f = F, .start = START

const DaePeerForm dae_peer_others[] = {
    {FORM("ring_modulator", "index2", DAE_PEER_RADAU | DAE_PEER_IDA, 15, 15, 0, 1e-3,
          RING_NAMES, ring_index2, ring_start)},
    {FORM("ring_modulator", "index1", ALL, 15, 15, 0, 1e-3, RING_NAMES, ring_index1,
          ring_start_index1)},
    {FORM("transistor_amplifier", "index1", ALL, 8, 8, 0, 0.2, "y1 y2 y3 y4 y5 y6 y7 y8",
          transistor_f, transistor_start),
     .mass_times = transistor_mass, .ydot = transistor_ydot},
    {FORM("akzo_nobel", "index1", ALL, 6, 6, 0, 180.0, "y1 y2 y3 y4 y5 y6", akzo_f,
          akzo_start)},
    {FORM("van_der_pol", "ode", ALL, 2, 2, 0, 2000.0, "y1 y2", van_der_pol_f,
          van_der_pol_start)},
    {FORM("robertson", "index1", ALL, 3, 3, 0, 1e5, "y1 y2 y3", robertson_f, robertson_start),
     .nominal = robertson_nominal},
};
const int dae_peer_others_count = sizeof(dae_peer_others) / sizeof(dae_peer_others[0]);
