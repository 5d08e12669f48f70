/* What people take from the Modelica Standard Library without having it at hand: units,
 * constants, mathematical functions. It stands in for the package Modelica where no library has
 * one. */
#ifndef DAE_LANG_STAND_IN_H
#define DAE_LANG_STAND_IN_H

#include <glib.h>
#include <stdbool.h>

/* The text of the package; (transfer full). */
char *dae_stand_in_text(void);
/* The name of the file that its places have. */
#define DAE_STAND_IN_FILE "<built-in Modelica>"

#endif
