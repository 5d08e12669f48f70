/* Verdicts of small models, by kind. W, C, I, U, X: well-determined, consistent,
 * inconsistent, under-determined, mixed. */
#include <unity.h>

#include "cases.h"

#define W DAE_INIT_WELL_DETERMINED
#define C DAE_INIT_CONSISTENT
#define I DAE_INIT_INCONSISTENT
#define U DAE_INIT_UNDER_DETERMINED
#define X DAE_INIT_MIXED

void
setUp(void)
{
}

void
tearDown(void)
{
}

#define LISTING_1 "Real u = 10; Real u1; Real u2; Real i; parameter Real C = 1;"

#define CAPACITORS "equation i = C*der(u1); i = C*der(u2); u = u1 + u2;"

static void
test_introductory_example_and_variants(void)
{
  static const InitCase cases[] = {
      {"listing 1", C, 1, 0, 0, NULL, LISTING_1 "initial equation u1 = 5; u2 = 5;" CAPACITORS},
      {"listing 1, u2 = 4", I, 0, 0, 4, NULL,
       LISTING_1 "initial equation u1 = 5; u2 = 4;" CAPACITORS},
      {"listing 1, one initial equation", W, 0, 0, 0, NULL,
       LISTING_1 "initial equation u1 = 5;" CAPACITORS},
      {"listing 1, none", U, 0, 1, 0, NULL, LISTING_1 CAPACITORS},
      {"listing 1, steady state", C, 1, 0, 0, NULL,
       LISTING_1 "initial equation der(u1) = 0; u1 = 5;" CAPACITORS},
      {"listing 1, steady state alone", X, 1, 1, 0, NULL,
       LISTING_1 "initial equation der(u1) = 0;" CAPACITORS},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_rigidly_connected_masses(void)
{
  static const InitCase cases[] = {
      {"two masses, full", C, 2, 0, 0, NULL,
       "Real s1; Real s2; Real v1; Real v2; Real a1; Real a2; Real f; parameter Real m1 = 2; "
       "parameter Real m2 = 3;"
       "parameter Real L = 1/2;"
       "initial equation s1 = 0; v1 = 1; s2 = L; v2 = 1;"
       "equation der(s1) = v1; der(v1) = a1; der(s2) = v2; der(v2) = a2; m1*a1 = f; m2*a2 = 7 "
       "- f; s2 = s1 + L;"},
      {"two masses, reduced", W, 0, 0, 0, NULL,
       "Real s1; Real s2; Real v1; Real v2; Real f; parameter Real m1 = 2; parameter Real m2 = "
       "3;"
       "initial equation s1 = 0; v1 = 1;"
       "equation der(s1) = v1; m1*der(v1) = f; der(s2) = v2; m2*der(v2) = 7 - f; s2 = s1 + 1;"},
      {"two masses, positions contradict", I, 1, 0, 3, NULL,
       "Real s1; Real s2; Real v1; Real v2; Real f; parameter Real m1 = 2; parameter Real m2 = "
       "3;"
       "initial equation s1 = 0; v1 = 1; s2 = 2; v2 = 1;"
       "equation der(s1) = v1; m1*der(v1) = f; der(s2) = v2; m2*der(v2) = 7 - f; s2 = s1 + 1;"},
      {"two masses, speeds contradict", I, 1, 0, 5, NULL,
       "Real s1; Real s2; Real v1; Real v2; Real f; parameter Real m1 = 2; parameter Real m2 = "
       "3;"
       "initial equation s1 = 0; v1 = 1; s2 = 1; v2 = -1;"
       "equation der(s1) = v1; m1*der(v1) = f; der(s2) = v2; m2*der(v2) = 7 - f; s2 = s1 + 1;"},
      {"two masses, steady state of a spring", C, 2, 0, 0, NULL,
       "Real s1; Real s2; Real v1; Real v2; Real f; parameter Real m1 = 2; parameter Real m2 = "
       "3; parameter Real k = 10;"
       "initial equation v1 = 0; der(v1) = 0; v2 = 0; der(v2) = 0;"
       "equation der(s1) = v1; m1*der(v1) = f - k*s1; der(s2) = v2; m2*der(v2) = 7 - f; s2 = "
       "s1 + 1;"},
      {"two masses, square count hides one redundant and one missing", X, 1, 1, 0, NULL,
       "Real s1; Real s2; Real v1; Real v2; Real f; parameter Real m1 = 2; parameter Real m2 = "
       "3;"
       "initial equation s1 = 0; s2 = 1;"
       "equation der(s1) = v1; m1*der(v1) = f; der(s2) = v2; m2*der(v2) = 7 - f; s2 = s1 + 1;"},
      {"gear, rational ratio", C, 1, 0, 0, "3*n - 7",
       "Real a; Real b; Real t; parameter Real n = 7/3;"
       "initial equation a = 3/7; b = 1;"
       "equation der(a) = t; der(b) = 5 - t; b = n*a;"},
      {"gear, irrational ratio", C, 1, 0, 0, "sqrt(2)*n - 2",
       "Real a; Real b; Real t; parameter Real n = sqrt(2);"
       "initial equation a = sqrt(2); b = 2;"
       "equation der(a) = t; der(b) = 5 - t; b = n*a;"},
      {"gear, irrational ratio, nearly", I, 0, 0, 3, NULL,
       "Real a; Real b; Real t; constant Real n = sqrt(2);"
       "initial equation a = 1.4142135623730951; b = 2;"
       "equation der(a) = t; der(b) = 5 - t; b = n*a;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

/* Values that satisfy the equations at a singular point need not belong to a solution. */
static void
test_singular_starts_are_open(void)
{
  static const InitCase cases[] = {
      {"z is 1 ever after", DAE_INIT_UNDECIDED, 1, 0, 0, NULL,
       "Real x; Real z; initial equation x = 0; z = 7; equation der(x) = 1; x*z^3 + x*z = "
       "2*x;"},
      {"the same, counted well", DAE_INIT_UNDECIDED, 0, 0, 0, NULL,
       "Real x; Real z; initial equation z = 7; equation der(x) = 1; x*z^3 + x*z = 2*x;"},
      {"on a regular point of it", W, 0, 0, 0, NULL,
       "Real x; Real z; initial equation x = 2; equation der(x) = 1; x*z^3 + x*z = 2*x;"},
      {"a root of order three", DAE_INIT_UNDECIDED, 0, 0, 0, NULL,
       "Real x; equation (x - 1)^3 = time;"},
      {"a circle has no singular point", C, 1, 0, 0, NULL,
       "Real x(start = 1); Real y; Real v; initial equation x = 1; y = 0; v = 0; equation "
       "der(y) = v; "
       "x^2 + y^2 = 1; der(v) = -y;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

/* What is missing is counted by offsets, which do not hold where the equations are singular. */
static void
test_what_is_missing_at_a_singular_start_is_open(void)
{
  static const InitCase cases[] = {
      {"b is given by a", DAE_INIT_UNDECIDED, 0, 0, 0, NULL,
       "Real a; Real b(start = 2); initial equation a = 1; equation der(a) = -a; "
       "0 = if a > 0.5 then b - a - 1 else der(b) + 1;"},
      {"b has a slope", U, 0, 1, 0, NULL,
       "Real a; Real b(start = 2); initial equation a = 0.2; equation der(a) = -a; "
       "0 = if a > 0.5 then b - a - 1 else der(b) + 1;"},
      {"all branches have a slope", U, 0, 1, 0, NULL,
       "Real a; Real b(start = 2); initial equation a = 1; equation der(a) = -a; "
       "0 = if a > 0.5 then 2*der(b) - a - 1 else der(b) + 1;"},
      {"a branch that the search takes", DAE_INIT_UNDECIDED, 1, 0, 0, NULL,
       "Real x; Real y; Real z(start = -3); initial equation y = 1.5; z = -3; equation der(z) "
       "= 1 "
       "- x; der(y) = -y; min(if y > 1/3 then der(x) else y, atan(z)) = atan(time - 3);"},
      {"an accident of the values", DAE_INIT_UNDECIDED, 1, 0, 0, NULL,
       "Real x; Real y; Real z; initial equation x = 3; z = -1; equation der(x) = -x; z + "
       "x*der(z) + der(y) = -7; y + 3*z = -3 - 6*time;"},
      {"a pendulum beside a branch", U, 0, 3, 0, NULL,
       "Real x; Real y; Real u; Real v; Real h; Real b; equation der(x) = u; der(y) = v; "
       "der(u) = -x*h; der(v) = -y*h - 9; x^2 + y^2 = 1; der(b) = max(x, y);"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_electrical_loops_and_cut_sets(void)
{
  static const InitCase cases[] = {
      {"capacitor loop with a source", C, 2, 0, 0, NULL,
       "Real u1; Real u2; Real u3; Real i1; Real i2; Real i3; Real i; parameter Real C1 = 1; "
       "parameter Real C2 = 2; parameter Real C3 = 3;"
       "initial equation u1 = 4; u2 = 3; u3 = 7;"
       "equation C1*der(u1) = i1; C2*der(u2) = i2; C3*der(u3) = i3; u1 + u2 = u3; i1 = i2; i + "
       "i1 + i3 = 0; u3 = 7;"},
      {"inductor cut set", C, 1, 0, 0, NULL,
       "Real i1; Real i2; Real i3; Real u1; Real u2; Real u3; Real v; parameter Real L = 1e-3;"
       "initial equation i1 = 1; i2 = 2; i3 = -3;"
       "equation L*der(i1) = u1; L*der(i2) = u2; L*der(i3) = u3; i1 + i2 + i3 = 0; u1 = v - 1; "
       "u2 = v - 2; u3 = v - 5*i3;"},
      {"inductor cut set, contradiction", I, 0, 0, 4, NULL,
       "Real i1; Real i2; Real i3; Real u1; Real u2; Real u3; Real v; parameter Real L = 1e-3;"
       "initial equation i1 = 1; i2 = 2; i3 = 3;"
       "equation L*der(i1) = u1; L*der(i2) = u2; L*der(i3) = u3; i1 + i2 + i3 = 0; u1 = v - 1; "
       "u2 = v - 2; u3 = v - 5*i3;"},
      {"inductor cut set, steady", C, 1, 0, 0, NULL,
       "Real i1; Real i2; Real i3; Real v; parameter Real L = 1e-3; parameter Real R = 3;"
       "initial equation der(i1) = 0; der(i2) = 0; der(i3) = 0;"
       "equation L*der(i1) = v - R*i1 - 1; L*der(i2) = v - R*i2; L*der(i3) = v - 5*i3; i1 + i2 "
       "+ i3 = 0;"},
      {"linear loop in the start values", C, 1, 0, 0, NULL,
       "Real x; Real y; Real z; initial equation x + y = 3; x - y = 1; x + 3*y = 5;"
       "equation der(x) = -x; der(y) = -y; z = x + y;"},
      {"linear loop in the start values, contradiction", I, 0, 0, 3, NULL,
       "Real x; Real y; Real z; initial equation x + y = 3; x - y = 1; x + 3*y = 6;"
       "equation der(x) = -x; der(y) = -y; z = x + y;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_exact_numbers(void)
{
  static const InitCase cases[] = {
      {"0.1 + 0.2 = 0.3", C, 1, 0, 0, NULL,
       "Real x; Real y; Real z; initial equation x = 0.1; y = 0.2; z = 0.3;"
       "equation der(x) = -x; der(y) = 1; z = x + y;"},
      {"1e-15 is a difference", I, 0, 0, 4, NULL,
       "Real x; Real y; Real z; initial equation x = 0.1; y = 0.2; z = 0.3 + 1e-15;"
       "equation der(x) = -x; der(y) = 1; z = x + y;"},
      {"large units", C, 1, 0, 0, NULL,
       "Real p; Real q; initial equation p = 101325; q = 101325e3;"
       "equation der(p) = 1; q = 1000*p;"},
      {"fixed starts", C, 1, 0, 0, NULL,
       "Real x(start = 1, fixed = true); Real y(start = 2, fixed = true);"
       "equation der(x) = -x; y = 2*x;"},
      {"fixed starts, contradiction", I, 0, 0, 3, NULL,
       "Real x(start = 1, fixed = true); Real y(start = 3, fixed = true);"
       "equation der(x) = -x; y = 2*x;"},
      {"redundant trivial equations", C, 2, 0, 0, NULL,
       "Real x; initial equation x = 1; x = 1; 2*x = 2; equation der(x) = -x;"},
      {"0 = 0", C, 1, 0, 0, NULL,
       "Real x; initial equation x = 1; 0 = 0; equation der(x) = -x;"},
      {"0 = 1", I, 0, 0, 1, NULL,
       "Real x; initial equation x = 1; 0 = 1; equation der(x) = -x;"},
      {"three contradictory values", I, 0, 0, 2, NULL,
       "Real x; initial equation x = 1; x = 2; x = 3; equation der(x) = -x;"},
      {"a long constant", I, 0, 0, 2, NULL,
       "Real x; initial equation x = 1e40 + 1; x = 1e40; equation der(x) = -x;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_parameters(void)
{
  static const InitCase cases[] = {
      {"for all values", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real a = 3; parameter Real b = 4;"
       "initial equation x = a; y = a*b; equation der(x) = -x; y = b*x;"},
      {"for the given values", C, 1, 0, 0, "a + b - 10",
       "Real u = 10; Real u1; Real u2; Real i; parameter Real a = 5; parameter Real b = 5;"
       "initial equation u1 = a; u2 = b; equation i = der(u1); i = der(u2); u = u1 + u2;"},
      {"not for the given values", I, 0, 0, 4, "a + b - 10",
       "Real u = 10; Real u1; Real u2; Real i; parameter Real a = 5; parameter Real b = 4;"
       "initial equation u1 = a; u2 = b; equation i = der(u1); i = der(u2); u = u1 + u2;"},
      {"dependent parameter", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real a = 3; parameter Real b = 2*a;"
       "initial equation x = a; y = b; equation der(x) = -x; y = 2*x;"},
      {"free parameter", W, 0, 0, 0, NULL,
       "Real x; parameter Real k(fixed = false);"
       "initial equation x = 2; der(x) = -6; equation der(x) = -k*x;"},
      {"free parameter, missing", U, 0, 1, 0, NULL,
       "Real x; parameter Real k(fixed = false); initial equation x = 2; equation der(x) = "
       "-k*x;"},
      {"free parameter, over-determined", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real k(fixed = false);"
       "initial equation x = 2; der(x) = -6; y = 9; equation der(x) = -k*x; y = k^2;"},
      {"coefficient zero at the given value", X, 1, 1, 0, NULL,
       "Real x; parameter Real a = 0; initial equation a*x = 0; equation der(x) = -x;"},
      {"coefficient zero at the given value, contradiction", X, 0, 1, 1, "b",
       "Real x; parameter Real a = 0; parameter Real b = 1; initial equation a*x = b; equation "
       "der(x) = -x;"},
      {"nonlinear condition", C, 1, 0, 0, "a^2 - b",
       "Real x; Real y; parameter Real a = 3; parameter Real b = 9;"
       "initial equation x = a; y = b; equation der(x) = 1; y = x^2;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

#define PENDULUM                                                                               \
  "Real x(start = 1); Real y; Real vx; Real vy; Real T; parameter Real g = 9.81; parameter "   \
  "Real L = 1;"
#define PENDULUM_EQUATIONS                                                                     \
  "equation der(x) = vx; der(y) = vy; der(vx) = -T*x; der(vy) = -T*y - g; x^2 + y^2 = L^2;"

static void
test_nonlinear_constraints(void)
{
  static const InitCase cases[] = {
      {"pendulum, irrational start", C, 1, 0, 0, "L^2 - 1",
       PENDULUM "initial equation x = 1/2; y = -sqrt(3)/2; vx = 0;" PENDULUM_EQUATIONS},
      {"pendulum, off the circle", I, 0, 0, 3, "2*L^2 - 1",
       PENDULUM "initial equation x = 1/2; y = -1/2; vx = 0;" PENDULUM_EQUATIONS},
      {"pendulum, angle", W, 0, 0, 0, NULL,
       PENDULUM "initial equation x = 3/5; vx = 0;" PENDULUM_EQUATIONS},
      {"pendulum, all four", C, 2, 0, 0, "L^2 - 1",
       PENDULUM "initial equation x = 3/5; y = -4/5; vx = 4; vy = 3;" PENDULUM_EQUATIONS},
      {"pendulum, hidden constraint violated", I, 1, 0, 7, "L^2 - 1",
       PENDULUM "initial equation x = 3/5; y = -4/5; vx = 4; vy = 4;" PENDULUM_EQUATIONS},
      {"pendulum, nothing", U, 0, 2, 0, NULL, PENDULUM PENDULUM_EQUATIONS},
      {"pendulum, outside", X, 0, 1, 2, NULL,
       PENDULUM "initial equation x = 2;" PENDULUM_EQUATIONS},
      {"product of two", C, 1, 0, 0, NULL,
       "Real x; Real y; Real z; initial equation x = 2; y = 3; z = 6; equation der(x) = 1; "
       "der(y) = 1; z = x*y;"},
      {"square root", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 9; y = 3; equation der(x) = 1; y = sqrt(x);"},
      {"square has two roots", W, 0, 0, 0, NULL,
       "Real x(start = 1); initial equation x^2 = 4; equation der(x) = -x;"},
      {"square has no root", I, 0, 0, 1, NULL,
       "Real x(start = 1); initial equation x^2 = -4; equation der(x) = -x;"},
      {"both roots asked for", I, 0, 0, 2, NULL,
       "Real x; initial equation x = 2; x = -2; equation der(x) = -x;"},
      {"square and its root", C, 1, 0, 0, NULL,
       "Real x(start = 1); Real y; initial equation x^2 = 4; y = 3; equation der(x) = -x; y = "
       "x + 1;"},
      {"circle and line", W, 0, 0, 0, NULL,
       "Real x(start = 3); Real y(start = 4); initial equation x^2 + y^2 = 25; x + y = 7; "
       "equation der(x) = 1; der(y) = 1;"},
      {"circle and hyperbola", W, 0, 0, 0, NULL,
       "Real x(start = 3); Real y(start = 4); initial equation x^2 + y^2 = 25; x*y = 12; "
       "equation der(x) = 1; der(y) = 1;"},
      {"circle, hyperbola and line", C, 1, 0, 0, NULL,
       "Real x(start = 3); Real y(start = 4); initial equation x^2 + y^2 = 25; x*y = 12; x + y "
       "= 7; equation der(x) = 1; der(y) = 1;"},
      {"circle, hyperbola and another line", I, 0, 0, 2, NULL,
       "Real x(start = 3); Real y(start = 4); initial equation x^2 + y^2 = 25; x*y = 12; x + y "
       "= 8; equation der(x) = 1; der(y) = 1;"},
      {"zero coefficient: 0/0 avoided", C, 1, 0, 0, NULL,
       "Real x; Real y; Real z; initial equation x = 0; y = 3; z = 0; equation der(x) = y; "
       "der(y) = 1; z = x*y;"},
      {"implicit, transcendental", W, 0, 0, 0, NULL,
       "Real x(start = 1); initial equation x + exp(x) = 3; equation der(x) = -x;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_functions_and_identities(void)
{
  static const InitCase cases[] = {
      {"sin^2 + cos^2", C, 1, 0, 0, NULL,
       "Real phi; Real s; Real c; initial equation s^2 + c^2 = 1; phi = 0.3;"
       "equation der(phi) = 1; s = sin(phi); c = cos(phi);"},
      {"sin^2 + cos^2 = 2", X, 0, 1, 3, NULL,
       "Real phi; Real s; Real c; initial equation s^2 + c^2 = 2;"
       "equation der(phi) = 1; s = sin(phi); c = cos(phi);"},
      {"sin(pi/6)", C, 1, 0, 0, NULL,
       "Real phi; Real s; constant Real pi = 2*acos(0); initial equation s = 0.5; phi = pi/6;"
       "equation der(phi) = 1; s = sin(phi);"},
      {"exp and log", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = log(2); y = 2; equation der(x) = 1; y = exp(x);"},
      {"exp of a sum", C, 1, 0, 0, NULL,
       "Real a; Real b; Real p; parameter Real q = 3; initial equation a = q; b = 2*q; p = "
       "exp(3*q);"
       "equation der(a) = 1; der(b) = 2; p = exp(a)*exp(b);"},
      {"inverse function, branch by the guess", C, 1, 0, 0, NULL,
       "Real phi(start = 2); Real s; initial equation s = 1/2; cos(phi) = -sqrt(3)/2;"
       "equation der(phi) = 1; s = sin(phi);"},
      {"nearly equal constants", I, 0, 0, 2, NULL,
       "Real x; initial equation x = sqrt(2) + sqrt(3); x = sqrt(5 + 2*sqrt(6) + 1e-40); "
       "equation der(x) = 1;"},
      {"equal roots", C, 1, 0, 0, NULL,
       "Real x; initial equation x = sqrt(2) + sqrt(3); x = sqrt(5 + 2*sqrt(6)); equation "
       "der(x) = 1;"},
      {"double angle", C, 1, 0, 0, NULL,
       "Real phi; Real s; parameter Real a = 0.4; initial equation phi = a; s = "
       "2*sin(a)*cos(a);"
       "equation der(phi) = 1; s = sin(2*phi);"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_start_conditions_and_derivatives(void)
{
  static const InitCase cases[] = {
      {"if decided by time", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; y = 2; equation der(x) = -x; y = if time > 1 "
       "then x else 2*x;"},
      {"if decided by a start value", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; y = 2; equation der(x) = -x; y = if x > 1/2 "
       "then 2*x else x;"},
      {"if, contradiction", I, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = 1; y = 1; equation der(x) = -x; y = if x > 1/2 "
       "then 2*x else x;"},
      {"dead branch undefined", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; y = 1; equation der(x) = -x; y = if time > 0 "
       "then sin(time)/time else x;"},
      {"derivative of an algebraic variable", W, 0, 0, 0, NULL,
       "Real x; Real y; initial equation der(y) = 6; equation der(x) = 1 + x; y = 2*x;"},
      {"derivative of an algebraic variable, redundant", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 2; der(y) = 6; equation der(x) = 1 + x; y = 2*x;"},
      {"second derivative", C, 1, 0, 0, NULL,
       "Real x; Real v; initial equation x = 1; v = 0; der(v) = -4; equation der(x) = v; "
       "der(v) = -4*x;"},
      {"steady state", W, 0, 0, 0, NULL,
       "Real x; initial equation der(x) = 0; equation der(x) = 3 - 2*x;"},
      {"steady state and value", C, 1, 0, 0, NULL,
       "Real x; initial equation der(x) = 0; x = 3/2; equation der(x) = 3 - 2*x;"},
      {"steady state of an integrator", X, 0, 1, 2, NULL,
       "Real x; initial equation der(x) = 0; equation der(x) = 1;"},
      {"time-dependent source", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 0; y = 1; equation der(x) = 1; y = x + "
       "cos(time);"},
      {"two of each missing", U, 0, 2, 0, NULL,
       "Real x; Real y; equation der(x) = y; der(y) = -x;"},
      {"redundant here, missing there", X, 1, 1, 0, NULL,
       "Real x; Real y; initial equation x = 1; 2*x = 2; equation der(x) = -x; der(y) = -y;"},
      {"conflict here, missing there", X, 0, 1, 2, NULL,
       "Real x; Real y; initial equation x = 1; x = 2; equation der(x) = -x; der(y) = -y;"},
      {"nothing to initialize", W, 0, 0, 0, NULL, "Real x; equation x = 3;"},
      {"start time of the experiment", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 0; y = 2; equation der(x) = 1; y = x + time; "
       "annotation(experiment(StartTime = 2));"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_branches_and_ranges(void)
{
  static const InitCase cases[] = {
      {"condition on an unknown", W, 0, 0, 0, NULL,
       "Real x(start = 1); Real y; initial equation y = 2; equation der(x) = 1; y = if x > 0 "
       "then 2*x else x;"},
      {"condition on an unknown, the other way", C, 1, 0, 0, NULL,
       "Real x(start = 1); Real y; initial equation y = -2; x = -2; equation der(x) = 1; y = "
       "if x > 0 then 2*x else x;"},
      {"abs of an unknown", C, 1, 0, 0, NULL,
       "Real x(start = -1); Real y; initial equation y = 2; x = -2; equation der(x) = 1; y = "
       "abs(x);"},
      {"max", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = -2; y = 0; equation der(x) = 1; y = max(x, 0);"},
      {"guess on the wrong branch", C, 1, 0, 0, NULL,
       "Real p(start = 0.5); Real s; Real q; initial equation s = 3/5; q = -4/5; equation "
       "der(p) = 1; s = sin(p); q = cos(p);"},
      {"out of reach", I, 0, 0, 2, NULL,
       "Real a(start = 0.5); Real b(start = 0.2); Real x; Real w; initial equation x = 7/2; w "
       "= 1;"
       "equation sin(a) = 2*sin(b); x = cos(a) + 2*cos(b); der(a) = w; der(w) = 1 - x;"},
      {"exponential is positive", I, 0, 0, 1, NULL,
       "Real x; initial equation exp(x) + exp(-2*x) = 0; equation der(x) = 1;"},
      {"a polynomial without real zeros", I, 0, 0, 1, NULL,
       "Real x; initial equation x^4 - 3*x^2 + 5/2 = 0; equation der(x) = 1;"},
      {"a polynomial with real zeros", W, 0, 0, 0, NULL,
       "Real x(start = 1.2); initial equation x^4 - 3*x^2 + 2 = 0; equation der(x) = 1;"},
      {"sine is at most 1", I, 0, 0, 2, NULL,
       "Real x; Real y; initial equation y = 2; equation der(x) = 1; y = sin(x);"},
      {"equation written twice", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; equation der(x) = 1; y = x; y = 2*x - x;"},
      {"model contradicts itself", X, 0, 1, 2, NULL,
       "Real x; Real y; equation x + y = 1; x + y = 2;"},
      {"polynomial block", C, 1, 0, 0, NULL,
       "Real x(start = 2); Real y(start = 1); Real z; initial equation x^3 + y^3 = 10; x^2*y^2 "
       "+ x = 6; z = 20;"
       "equation der(x) = 1; der(y) = 1; z = 2*x^3 + 2*y^3;"},
      {"transcendental block", C, 1, 0, 0, NULL,
       "Real x(start = 1); Real y(start = 1); Real z; initial equation x + exp(y) = 3; y + "
       "sin(x) = 1; z = 3;"
       "equation der(x) = 1; der(y) = 1; z = (x + exp(y))*(y + sin(x));"},
      {"transcendental block, contradiction", I, 0, 0, 4, NULL,
       "Real x(start = 1); Real y(start = 1); Real z; initial equation x + exp(y) = 3; y + "
       "sin(x) = 1; z = 4;"
       "equation der(x) = 1; der(y) = 1; z = (x + exp(y))*(y + sin(x));"},
      {"ring of flows without a level", X, 1, 1, 0, NULL,
       "Real p1; Real p2; Real p3; Real q12; Real q23; Real q31; parameter Real k = 2;"
       "initial equation der(p1) = 0; der(p2) = 0; der(p3) = 0;"
       "equation der(p1) = q31 - q12; der(p2) = q12 - q23; der(p3) = q23 - q31; q12 = k*(p1 - "
       "p2); q23 = k*(p2 - p3); q31 = k*(p3 - p1);"},
      {"conflict and a free parameter", X, 0, 1, 3, NULL,
       "Real x; parameter Real k(fixed = false, start = 1); initial equation x = 0; der(x) = "
       "3; equation der(x) = k*x;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

/* A grid of resistors with a parameter each: the coefficients outgrow any
 * use, the given values decide. */
static void
test_many_parameters_fall_back_to_their_values(void)
{
  g_autoptr(GString) text = g_string_new(NULL);
  const int n = 12;
  for (int i = 0; i < n * n; i++) {
    g_string_append_printf(text, "Real v%d; parameter Real R%d = %d;\n", i, i, i % 5 + 1);
  }
  g_string_append(text, "initial equation\n");
  for (int i = 0; i < n * n; i++) {
    g_string_append_printf(text, "der(v%d) = 0;\n", i);
  }
  g_string_append(text, "equation\n");
  for (int i = 0; i < n * n; i++) {
    g_string_append_printf(text, "der(v%d) = (%s - v%d)/R%d", i, i == 0 ? "1" : "0", i, i);
    const int near[4] = {i % n > 0 ? i - 1 : -1, i % n < n - 1 ? i + 1 : -1, i - n, i + n};
    for (int k = 0; k < 4; k++) {
      if (near[k] >= 0 && near[k] < n * n) {
        g_string_append_printf(text, " + (v%d - v%d)/R%d", near[k], i, MAX(i, near[k]));
      }
    }
    g_string_append(text, ";\n");
  }
  Checked checked = check_text("grid", text->str, NULL);
  TEST_ASSERT_EQUAL_INT(W, dae_init_verdict(checked.init));
  TEST_ASSERT_FALSE(dae_init_holds_for_all_parameters(checked.init));
  checked_clear(&checked);
}

/* Every budget from nothing up: never a crash, only a verdict or "undecided" with a reason. */
static void
test_every_budget_ends_in_a_verdict(void)
{
  for (uint64_t steps = 1; steps < 60; steps += 3) {
    g_autoptr(DaeBudget) budget = dae_budget_new(0, steps);
    DaeInitOptions options = {.budget = budget};
    Checked checked = check_text(
        "budget",
        PENDULUM "initial equation x = 3/5; y = -4/5; vx = 4; vy = 3;" PENDULUM_EQUATIONS,
        &options);
    DaeInitVerdict verdict = dae_init_verdict(checked.init);
    TEST_ASSERT_TRUE(verdict == C || verdict == DAE_INIT_UNDECIDED);
    TEST_ASSERT_TRUE(verdict == C || dae_init_undecided_why(checked.init) != NULL);
    checked_clear(&checked);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_introductory_example_and_variants);
  RUN_TEST(test_rigidly_connected_masses);
  RUN_TEST(test_singular_starts_are_open);
  RUN_TEST(test_what_is_missing_at_a_singular_start_is_open);
  RUN_TEST(test_electrical_loops_and_cut_sets);
  RUN_TEST(test_exact_numbers);
  RUN_TEST(test_parameters);
  RUN_TEST(test_nonlinear_constraints);
  RUN_TEST(test_functions_and_identities);
  RUN_TEST(test_start_conditions_and_derivatives);
  RUN_TEST(test_branches_and_ranges);
  RUN_TEST(test_many_parameters_fall_back_to_their_values);
  RUN_TEST(test_every_budget_ends_in_a_verdict);
  return UNITY_END();
}
