/* The fixed parts of an exported integrator: integrator.c, made into strings at build time. */
#include "export/cgen-priv.h"

#include "integrator-text.inc"

const char *const *
dae_cgen_integrator_text(void)
{
  static const char *const texts[] = {linear_algebra, pieces_of_a_step, corrections, one_step,
                                      NULL};
  return texts;
}

const char *
dae_cgen_start_text(void)
{
  return start_and_step;
}

const char *
dae_cgen_find_start_text(void)
{
  return find_start;
}

const char *
dae_cgen_find_slopes_text(void)
{
  return find_slopes;
}

const char *
dae_cgen_main_text(void)
{
  return main_text;
}
