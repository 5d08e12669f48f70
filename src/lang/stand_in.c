#include "lang/stand_in.h"

#include "lang/si_units.h"

/* Values of the SI of 2019, and what follows from them. Names are those that models use. */
static const char constants[] =
    "package Constants\n"
    "final constant Real pi = 2*asin(1);\n"
    "final constant Real e = exp(1);\n"
    "final constant Real D2R = pi/180;\n"
    "final constant Real R2D = 180/pi;\n"
    "final constant Real gamma = 0.57721566490153286061;\n"
    "final constant Real eps = 2.220446049250313e-16;\n"
    "final constant Real small = 2.2250738585072014e-308;\n"
    "final constant Real inf = 1.7976931348623157e308;\n"
    "final constant Integer Integer_inf = 2147483647;\n"
    "final constant Real c(unit = \"m/s\") = 299792458;\n"
    "final constant Real g_n(unit = \"m/s2\") = 9.80665;\n"
    "final constant Real G(unit = \"m3/(kg.s2)\") = 6.67430e-11;\n"
    "final constant Real q(unit = \"C\") = 1.602176634e-19;\n"
    "final constant Real h(unit = \"J.s\") = 6.62607015e-34;\n"
    "final constant Real k(unit = \"J/K\") = 1.380649e-23;\n"
    "final constant Real N_A(unit = \"1/mol\") = 6.02214076e23;\n"
    "final constant Real R(unit = \"J/(mol.K)\") = k*N_A;\n"
    "final constant Real F(unit = \"C/mol\") = q*N_A;\n"
    "final constant Real sigma(unit = \"W/(m2.K4)\") = 2*pi^5*k^4/(15*h^3*c^2);\n"
    "final constant Real mu_0(unit = \"N/A2\") = 4.00000000220e-7*pi;\n"
    "final constant Real mue_0(unit = \"N/A2\") = mu_0;\n"
    "final constant Real epsilon_0(unit = \"F/m\") = 1/(mu_0*c*c);\n"
    "final constant Real T_zero(unit = \"degC\") = -273.15;\n"
    "end Constants;\n";

/* Functions of one argument that the language has under the same name. */
static const char *const functions[] = {"sin",  "cos",  "tan",  "asin", "acos", "atan",
                                        "sinh", "cosh", "tanh", "exp",  "log",  "log10"};

static void
write_functions(GString *text)
{
  g_string_append(text, "package Math\n");
  for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
    g_string_append_printf(text,
                           "function %s\ninput Real u;\noutput Real y;\n"
                           "external \"builtin\" y = %s(u);\nend %s;\n",
                           functions[i], functions[i], functions[i]);
  }
  g_string_append(text, "function atan2\ninput Real u1;\ninput Real u2;\noutput Real y;\n"
                        "external \"builtin\" y = atan2(u1, u2);\nend atan2;\nend Math;\n");
}

char *
dae_stand_in_text(void)
{
  GString *text = g_string_new("package Modelica\npackage Units\npackage SI\n");
  dae_si_write_types(text);
  g_string_append(text, "end SI;\nend Units;\npackage SIunits\n");
  dae_si_write_types(text);
  g_string_append(text, "end SIunits;\n");
  g_string_append(text, constants);
  write_functions(text);
  g_string_append(text, "end Modelica;\n");
  return g_string_free(text, FALSE);
}
