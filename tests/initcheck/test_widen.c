/* The kinds of initialization that issue 5 asks to widen to, two variants or more of each,
 * with every proof checked again. W, C, I, U, X: well-determined, consistent,
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

#define TRAIN "Real p; Real q; Real w; Real wp; Real wq; Real t1; Real t2; Real t3;"
#define TRAIN_EQUATIONS(n1, n2)                                                                \
  "equation der(p) = wp; der(q) = wq; p = " n1 "*q; 3*der(wp) = t1 - 2; 5*der(wq) = t2; t3 = " \
  "t1 + t2/" n1 "; w = " n2 "*wq; t3 = 0;"

static void
test_gear_ratios_rational_and_irrational(void)
{
  static const InitCase cases[] = {
      {"ratio pi, angles and speeds given", C, 2, 0, 0, NULL,
       TRAIN "initial equation q = 1/3; p = Modelica.Constants.pi/3; wq = 2; wp = "
             "2*Modelica.Constants.pi;" TRAIN_EQUATIONS("Modelica.Constants.pi", "4")},
      {"ratio pi, angle off by 1e-15", I, 1, 0, 3, NULL,
       TRAIN "initial equation q = 1/3; p = Modelica.Constants.pi/3 + 1e-15; wq = 2; wp = "
             "2*Modelica.Constants.pi;" TRAIN_EQUATIONS("Modelica.Constants.pi", "4")},
      {"ratio sqrt(2), algebraic speed given too", C, 2, 0, 0, NULL,
       TRAIN "initial equation q = sqrt(2); p = 2; w = 6; wp = 2*sqrt(2);" TRAIN_EQUATIONS(
           "sqrt(2)", "3")},
      {"ratio 355/113 is not pi", I, 0, 0, 3, NULL,
       TRAIN "initial equation q = 1; p = Modelica.Constants.pi; wq = 0;" TRAIN_EQUATIONS(
           "(355/113)", "3")},
      {"ratio 22/7", C, 1, 0, 0, NULL,
       TRAIN "initial equation q = 7/11; p = 2; wq = 0;" TRAIN_EQUATIONS("(22/7)", "3")},
      {"two gears in a ring: ratios multiply to 1", C, 2, 0, 0, NULL,
       "Real a; Real b; Real c; Real s; Real u; Real v;"
       "initial equation a = 1; b = sqrt(6); c = sqrt(3);"
       "equation der(a) = s + u - a; 2*der(b) = v - s/sqrt(6); 3*der(c) = -v - u; b = "
       "sqrt(6)*a; c = b/sqrt(2); s = 3*u - v;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

#define MASSES                                                                                 \
  "Real s1; Real s2; Real v1; Real v2; Real f; parameter Real m1 = 4; parameter Real m2 = 5; " \
  "parameter Real L = 3/4;"
#define MASSES_1                                                                               \
  "equation der(s1) = v1; der(s2) = v2; m1*der(v1) = 11 + f; m2*der(v2) = -f; s1 - s2 = L;"
/* the same, second order and coupled by speeds as well */
#define MASSES_2                                                                               \
  "equation v1 = der(s1); v2 - der(s2) = 0; der(v1)*m1 - f = 11; (der(v2)*m2 + f)/2 = 0; "     \
  "2*s1 = 2*s2 + 2*L;"
#define MASSES_3                                                                               \
  "equation der(s1) = v1; der(s2) = v2; m1*der(v1) + m2*der(v2) = 11; f = -m2*der(v2); "       \
  "(s1 - s2)/L = 1;"

static void
test_rigid_couplings_in_equivalent_forms(void)
{
  static const InitCase cases[] = {
      {"masses 1, full", C, 2, 0, 0, NULL,
       MASSES "initial equation s1 = L; s2 = 0; v1 = 2; v2 = 2;" MASSES_1},
      {"masses 2, full", C, 2, 0, 0, NULL,
       MASSES "initial equation s1 = L; s2 = 0; v1 = 2; v2 = 2;" MASSES_2},
      {"masses 3, full", C, 2, 0, 0, NULL,
       MASSES "initial equation s1 = L; s2 = 0; v1 = 2; v2 = 2;" MASSES_3},
      {"masses 1, reduced", W, 0, 0, 0, NULL,
       MASSES "initial equation s2 = 0; v1 = 2;" MASSES_1},
      {"masses 2, reduced", W, 0, 0, 0, NULL,
       MASSES "initial equation s2 = 0; v1 = 2;" MASSES_2},
      {"masses 3, reduced", W, 0, 0, 0, NULL,
       MASSES "initial equation s2 = 0; v1 = 2;" MASSES_3},
      {"masses 1, inconsistent", I, 1, 0, 3, "L",
       MASSES "initial equation s1 = 1/2; s2 = 1/2; v1 = 2; v2 = 2;" MASSES_1},
      {"masses 2, inconsistent", I, 1, 0, 3, "L",
       MASSES "initial equation s1 = 1/2; s2 = 1/2; v1 = 2; v2 = 2;" MASSES_2},
      {"masses 3, inconsistent", I, 1, 0, 3, NULL,
       MASSES "initial equation s1 = 1/2; s2 = 1/2; v1 = 2; v2 = 2;" MASSES_3},
      {"masses 1, mean position and difference", C, 1, 0, 0, NULL,
       MASSES "initial equation (s1 + s2)/2 = 7; s1 - s2 = L; v2 = 1;" MASSES_1},
      {"masses 2, both accelerations", C, 1, 0, 0, "m1 + m2 - 9",
       MASSES "initial equation s1 = 0; der(v1) = 11/9; v1 = 1;" MASSES_2},
      {"masses 3, steady state impossible under a force", X, 1, 2, 3, NULL,
       MASSES "initial equation der(v1) = 0; der(v2) = 0;" MASSES_3},
      {"three masses in a row, one position twice", X, 1, 1, 0, NULL,
       "Real s1; Real s2; Real s3; Real f; Real g;"
       "initial equation s1 = 0; s3 = 5;"
       "equation der(der(s1)) = f; der(der(s2)) = g - f; der(der(s3)) = -g; s2 = s1 + 2; s3 = "
       "s2 + 3;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_capacitor_loops_and_inductor_cut_sets(void)
{
  static const InitCase cases[] = {
      {"three capacitors around a loop, all voltages", C, 1, 0, 0, NULL,
       "Real u[3]; Real i[3]; Real j; parameter Real K[3] = {1, 2, 5};"
       "initial equation u[1] = 1; u[2] = 2; u[3] = -3;"
       "equation for k in 1:3 loop K[k]*der(u[k]) = i[k] + j; end for; u[1] + u[2] + u[3] = 0; "
       "i[1] = 1 - u[1]; i[2] = -u[2]; i[3] = 2 - u[3];"},
      {"two capacitors in parallel, charges", I, 0, 0, 5, "7*C1 - 2*C2",
       "Real u1; Real u2; Real q1; Real q2; Real i; parameter Real C1 = 2; parameter Real C2 = "
       "6;"
       "initial equation q1 = 2; q2 = 7;"
       "equation q1 = C1*u1; q2 = C2*u2; der(q1) = i; der(q2) = -i - u2; u1 = u2;"},
      {"series inductors carry one current", C, 1, 0, 0, NULL,
       "Real i1; Real i2; Real u1; Real u2; parameter Real L1 = 1/100; parameter Real L2 = "
       "1/50;"
       "initial equation i1 = 3; i2 = 3;"
       "equation L1*der(i1) = u1; L2*der(i2) = u2; i1 = i2; u1 + u2 = 10 - 2*i1;"},
      {"series inductors, steady and numbers", C, 2, 0, 0, NULL,
       "Real i1; Real i2; Real u1; Real u2; parameter Real L1 = 1/100; parameter Real L2 = "
       "1/50;"
       "initial equation der(i1) = 0; der(i2) = 0; i2 = 5;"
       "equation L1*der(i1) = u1; L2*der(i2) = u2; i1 = i2; u1 + u2 = 10 - 2*i1;"},
      {"star of inductors, fluxes", I, 0, 0, 4, NULL,
       "Real i1; Real i2; Real i3; Real v;"
       "initial equation i1 = 0.1; i2 = 0.2; i3 = -0.3 + 1e-15;"
       "equation der(i1) = v - 1; 2*der(i2) = v - i2; 3*der(i3) = v; i1 + i2 + i3 = 0;"},
      {"star of inductors, decimals are exact", C, 1, 0, 0, NULL,
       "Real i1; Real i2; Real i3; Real v;"
       "initial equation i1 = 0.1; i2 = 0.2; i3 = -0.3;"
       "equation der(i1) = v - 1; 2*der(i2) = v - i2; 3*der(i3) = v; i1 + i2 + i3 = 0;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

#define SPHERE "Real x; Real y; Real z; Real a; Real b; Real c; Real l;"
#define SPHERE_EQUATIONS                                                                       \
  "equation der(x) = a; der(y) = b; der(z) = c; der(a) = -l*x; der(b) = -l*y; der(c) = -l*z "  \
  "- "                                                                                         \
  "1; x^2 + y^2 + z^2 = 1;"

static void
test_nonlinear_constraints_with_irrational_starts(void)
{
  static const InitCase cases[] = {
      {"pendulum, x = 1/2, y = -sqrt(3)/2", C, 1, 0, 0, NULL,
       "Real x; Real y(start = -1); Real u; Real v; Real l;"
       "initial equation x = 1/2; y = -sqrt(3)/2; u = 0;"
       "equation der(x) = u; der(y) = v; der(u) = -l*x; der(v) = -l*y - 9.81; x^2 + y^2 = 1;"},
      {"pendulum, y = -0.8660254037844386", I, 0, 0, 3, NULL,
       "Real x; Real y(start = -1); Real u; Real v; Real l;"
       "initial equation x = 1/2; y = -0.8660254037844386; u = 0;"
       "equation der(x) = u; der(y) = v; der(u) = -l*x; der(v) = -l*y - 9.81; x^2 + y^2 = 1;"},
      {"pendulum, multiplier given as well", C, 1, 0, 0, NULL,
       "Real x; Real y(start = -1); Real u; Real v; Real l;"
       "initial equation x = 1/2; u = sqrt(3); l = 4 - 9.81*sqrt(3)/2 + 0*x;"
       "equation der(x) = u; der(y) = v; der(u) = -l*x; der(v) = -l*y - 9.81; x^2 + y^2 = 1;"},
      {"sphere, point with roots", C, 1, 0, 0, NULL,
       SPHERE "initial equation x = 1/sqrt(3); y = sqrt(2)/sqrt(3)*sqrt(2)/2; z = -1/sqrt(3); "
              "a = 0; b = 0;" SPHERE_EQUATIONS},
      {"sphere, latitude of 45 degrees", C, 1, 0, 0, NULL,
       SPHERE
       "initial equation x = sqrt(2)/2; y = 1/2; z = 1/2; a = 1; b = 0;" SPHERE_EQUATIONS},
      {"sphere, nearly", I, 0, 0, 4, NULL,
       SPHERE "initial equation x = sqrt(2)/2; y = 1/2; z = 1/2 + 1e-15; a = 1; b = "
              "0;" SPHERE_EQUATIONS},
      {"sphere, velocity out of the tangent plane", I, 0, 0, 6, NULL,
       SPHERE "initial equation x = 1; y = 0; a = 1; b = 0; c = 0;" SPHERE_EQUATIONS},
      {"cube root", C, 1, 0, 0, NULL,
       "Real x(start = 1); Real y; initial equation x^3 = 2; y = 2^(1/3)*2; equation der(x) = "
       "-x; y = 2*x;"},
      {"golden ratio", C, 1, 0, 0, NULL,
       "Real x(start = 1.6); Real y; initial equation x^2 = x + 1; y = (3 + sqrt(5))/2; "
       "equation der(x) = -x; y = x^2;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_identities_of_sin_cos_exp_log(void)
{
  static const InitCase cases[] = {
      {"double angle", C, 1, 0, 0, NULL,
       "Real p; Real a; Real b; parameter Real w = 3;"
       "initial equation p = w; b = cos(w)^2 - sin(w)^2; equation der(p) = 1; a = sin(p); b = "
       "cos(2*p);"},
      {"angle sum", C, 2, 0, 0, NULL,
       "Real p; Real q; Real a; parameter Real u = 1/3; parameter Real v = 5;"
       "initial equation p = u; q = v; a = sin(u)*cos(v) + cos(u)*sin(v); a = sin(u + v); "
       "equation der(p) = 1; der(q) = 2; a = sin(p + q);"},
      {"angle sum, wrong sign", I, 0, 0, 4, "-sin(u)*cos(v) + sin(v)*cos(u) + sin(u + v)",
       "Real p; Real q; Real a; parameter Real u = 1/3; parameter Real v = 5;"
       "initial equation p = u; q = v; a = sin(u)*cos(v) - cos(u)*sin(v); equation der(p) = 1; "
       "der(q) = 2; a = sin(p + q);"},
      {"exponential of a sum", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real a = 2; parameter Real b = 3;"
       "initial equation x = a + b; y = exp(a)*exp(b); equation der(x) = -x; y = exp(x);"},
      {"logarithm of a product of numbers", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 6; y = log(2) + log(3); equation der(x) = -x; y = "
       "log(x);"},
      {"logarithm undoes the exponential", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real a = -2; initial equation x = exp(a); y = a; equation "
       "der(x) = -x; y = log(x);"},
      {"log10", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1000; y = 3; equation der(x) = -x; y = log10(x);"},
      {"tan is sin over cos", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real a = 1; initial equation x = a; y = sin(a)/cos(a); "
       "equation der(x) = -x; y = tan(x);"},
      {"hyperbolic identity", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real a = 1; initial equation x = a; y = 1; equation der(x) = "
       "-x; y = cosh(x)^2 - sinh(x)^2;"},
      {"sine of 15 degrees", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = Modelica.Constants.pi/12; y = (sqrt(6) - "
       "sqrt(2))/4; equation der(x) = 1; y = sin(x);"},
      {"arc sine of a half", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1/2; y = Modelica.Constants.pi/6; equation der(x) "
       "= 1; y = asin(x);"},
      {"arc tangent, addition", C, 1, 0, 0, NULL,
       "Real x; Real y; Real z; initial equation x = 1/2; y = 1/3; z = "
       "Modelica.Constants.pi/4; equation der(x) = 1; der(y) = 1; z = atan(x) + atan(y);"},
      {"square root of the exponential", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real a = 3; initial equation x = a; y = exp(a/2); equation "
       "der(x) = 1; y = sqrt(exp(x));"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_conditions_at_the_start(void)
{
  static const InitCase cases[] = {
      {"condition on time", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; y = 3; equation der(x) = -x; y = if time < 1 "
       "then 3*x else 5*x;"},
      {"condition on a value", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = -2; y = 4; equation der(x) = -x; y = if x > 0 "
       "then x else x^2;"},
      {"condition on a value, conflict", I, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = -2; y = -2; equation der(x) = -x; y = if x > 0 "
       "then x else x^2;"},
      {"diode that blocks", C, 1, 0, 0, NULL,
       "Real u; Real i; Real s; initial equation u = -3; i = 0; equation der(u) = -u - i; u = "
       "if s > 0 then 0 else s; i = if s > 0 then s else 0;"},
      {"absolute value", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = -5; y = 5; equation der(x) = 1; y = abs(x);"},
      {"minimum", I, 0, 0, 3, NULL,
       "Real x; Real y; initial equation x = -5; y = 2; equation der(x) = 1; y = min(x, 2);"},
      {"condition on a parameter", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Boolean b = false; initial equation x = 1; y = 2; equation "
       "der(x) = 1; y = if b then x else 2*x;"},
      {"initial equation with a condition", C, 1, 0, 0, NULL,
       "Real x; Real y; parameter Real p = 4; initial equation x = if p > 3 then 1 else 2; y = "
       "if p > 5 then 2 else 1; equation der(x) = 1; y = x;"},
      {"limiter", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 7; y = 1; equation der(x) = -x; y = if x > 1 then "
       "1 elseif x < -1 then -1 else x;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_initial_equations_on_algebraic_variables_and_derivatives(void)
{
  static const InitCase cases[] = {
      {"algebraic variable instead of the state", W, 0, 0, 0, NULL,
       "Real x; Real y; initial equation y = 5; equation der(x) = -x; y = 3*x + 2;"},
      {"algebraic variable and the state", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation y = 5; x = 1; equation der(x) = -x; y = 3*x + 2;"},
      {"derivative of the state", W, 0, 0, 0, NULL,
       "Real x; initial equation der(x) = 5; equation der(x) = -x + 2;"},
      {"derivative and value", I, 0, 0, 3, NULL,
       "Real x; initial equation der(x) = 5; x = 3; equation der(x) = -x + 2;"},
      {"derivative of an algebraic variable", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation der(y) = -6; x = 2; equation der(x) = -x; y = 3*x;"},
      {"derivative of an algebraic variable, conflict", I, 0, 0, 4, NULL,
       "Real x; Real y; initial equation der(y) = 6; x = 2; equation der(x) = -x; y = 3*x;"},
      {"second derivative", C, 1, 0, 0, NULL,
       "Real x; Real v; initial equation der(v) = -4; x = 1; v = 0; equation der(x) = v; "
       "der(v) = -4*x;"},
      {"fixed start and initial equation", C, 1, 0, 0, NULL,
       "Real x(start = 0.3, fixed = true); initial equation x = 0.1 + 0.2; equation der(x) = "
       "-x;"},
      {"fixed start and initial equation, conflict", I, 0, 0, 2, NULL,
       "Real x(start = 0.3, fixed = true); initial equation x = 0.1 + 0.2 + 1e-15; equation "
       "der(x) = -x;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_redundancy_inside_the_dynamic_equations(void)
{
  static const InitCase cases[] = {
      {"a conserved sum that is written down too", C, 1, 0, 0, NULL,
       "Real a; Real b; initial equation a = 1; equation der(a) = b - a; der(b) = a - b; a + b "
       "= 3;"},
      {"a derivative that is written down too", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; equation der(x) = -x; y = 2*x; der(y) = -y;"},
      {"a derivative that contradicts", I, 0, 0, 5, NULL,
       "Real x; Real y; initial equation x = 1; equation der(x) = -x; y = 2*x; der(y) = -2*y;"},
      {"an equation twice", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; equation der(x) = -x; y = 2*x; 3*y - 6*x = 0;"},
      {"an equation twice, with another constant", I, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = 1; equation der(x) = -x; y = 2*x; 3*y - 6*x = 1;"},
      {"an identity among the equations", C, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; equation der(x) = -x; y = sin(x); sin(x)^2 + "
       "cos(x)^2 = 1;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_free_parameters_and_conditions_on_parameters(void)
{
  static const InitCase cases[] = {
      {"free parameter found from a steady state", W, 0, 0, 0, NULL,
       "Real x; parameter Real k(fixed = false); initial equation x = 2; der(x) = 0; equation "
       "der(x) = 6 - k*x;"},
      {"free parameter, condition too many", C, 1, 0, 0, NULL,
       "Real x; parameter Real k(fixed = false); initial equation x = 2; der(x) = 0; k = 3; "
       "equation der(x) = 6 - k*x;"},
      {"free parameter, wrong value", I, 0, 0, 4, NULL,
       "Real x; parameter Real k(fixed = false); initial equation x = 2; der(x) = 0; k = 4; "
       "equation der(x) = 6 - k*x;"},
      {"free parameter without equation", U, 0, 1, 0, NULL,
       "Real x; parameter Real k(fixed = false); initial equation x = 2; equation der(x) = 6 - "
       "k*x;"},
      {"condition a + b - 10", C, 1, 0, 0, "a + b - 10",
       "Real u = 10; Real v; Real w; Real i; parameter Real a = 7; parameter Real b = 3;"
       "initial equation v = a; w = b; equation i = der(v); i = der(w); u = v + w;"},
      {"condition a + b - 10, violated", I, 0, 0, 4, "a + b - 10",
       "Real u = 10; Real v; Real w; Real i; parameter Real a = 7; parameter Real b = 4;"
       "initial equation v = a; w = b; equation i = der(v); i = der(w); u = v + w;"},
      {"condition a^2 - b", C, 1, 0, 0, "a^2 - b",
       "Real x; Real y; parameter Real a = -3; parameter Real b = 9;"
       "initial equation x = a; y = b; equation der(x) = 1; y = x^2;"},
      {"condition with a root", I, 0, 0, 2, "-a + sqrt(b)",
       "Real x; Real y; parameter Real a = -3; parameter Real b = 9;"
       "initial equation x = b; y = a; equation der(x) = 1; y = sqrt(x);"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_mixed_and_singular_models(void)
{
  static const InitCase cases[] = {
      {"square count: one twice, one missing", X, 1, 1, 0, NULL,
       "Real x; Real y; initial equation x = 1; 2*x = 2; equation der(x) = -x; der(y) = -y;"},
      {"square count: one contradicts, one missing", X, 0, 1, 2, NULL,
       "Real x; Real y; initial equation x = 1; x = 2; equation der(x) = -x; der(y) = -y;"},
      {"two conflicts, three missing", X, 0, 1, 2, NULL,
       "Real x; Real y; Real z; initial equation x = 1; x = 2; y = 1; 2*y = 3; equation der(x) "
       "= 1; der(y) = 1; der(z) = 1;"},
      {"nonlinear square count", X, 1, 1, 0, NULL,
       "Real x; Real y; initial equation x*y = 6; 3*x*y = 18; equation der(x) = -x; der(y) = "
       "-y;"},
      {"structurally singular: an unknown nowhere, an equation twice", X, 1, 1, 0, NULL,
       "Real x; Real y; Real z; initial equation x = 1; equation der(x) = -x; y = 2*x; y = x + "
       "x;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_gear_ratios_rational_and_irrational);
  RUN_TEST(test_rigid_couplings_in_equivalent_forms);
  RUN_TEST(test_capacitor_loops_and_inductor_cut_sets);
  RUN_TEST(test_nonlinear_constraints_with_irrational_starts);
  RUN_TEST(test_identities_of_sin_cos_exp_log);
  RUN_TEST(test_conditions_at_the_start);
  RUN_TEST(test_initial_equations_on_algebraic_variables_and_derivatives);
  RUN_TEST(test_redundancy_inside_the_dynamic_equations);
  RUN_TEST(test_free_parameters_and_conditions_on_parameters);
  RUN_TEST(test_mixed_and_singular_models);
  return UNITY_END();
}
