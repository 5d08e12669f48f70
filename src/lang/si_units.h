/* Units of the types that people take from Modelica.Units.SI without having the library at hand. */
#ifndef DAE_LANG_SI_UNITS_H
#define DAE_LANG_SI_UNITS_H

#include <glib.h>
#include <stdbool.h>

/* Modelica.Units.SI.Voltage, and the older Modelica.SIunits.Voltage. */
bool dae_si_is_type(const char *name);
/* "V"; NULL: no unit is known for it (or it has none, as an efficiency). */
const char *dae_si_unit(const char *name);
/* All of them as declarations of Modelica, one in a line. */
void dae_si_write_types(GString *text);

#endif
