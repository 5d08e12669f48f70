/* The fixed parts of exported C: integrator.c, events.c, instants.c, event_steps.c, clocks.c,
 * delays.c, time_guards.c, jumps.c, open.c, positions.c and matrix/methods.inc, made into
 * strings at build time. */
#include "export/cgen-priv.h"

#include <string.h>

#include "clocks-text.inc"
#include "delays-text.inc"
#include "event_steps-text.inc"
#include "events-text.inc"
#include "instants-text.inc"
#include "integrator-text.inc"
#include "jumps-text.inc"
#include "methods-text.inc"
#include "open-text.inc"
#include "positions-text.inc"
#include "time_guards-text.inc"

const char *const *
dae_cgen_event_text(void)
{
  static const char *const texts[] = {event_pieces,
                                      event_open,
                                      event_settle,
                                      event_reals,
                                      event_positions,
                                      event_path,
                                      event_pieces_of_path,
                                      event_otherwise,
                                      event_turns,
                                      event_restart,
                                      event_alias,
                                      event_jump_rows,
                                      event_take_back,
                                      event_jump,
                                      event_resets,
                                      event_clocks,
                                      event_tick_pieces,
                                      event_ticks,
                                      event_clock_events,
                                      event_instant,
                                      event_sides,
                                      event_right_limits,
                                      event_coincidence,
                                      event_delays,
                                      event_recording,
                                      event_breaks,
                                      event_varying,
                                      event_one,
                                      event_zeros,
                                      event_times,
                                      event_steps,
                                      event_begin,
                                      NULL};
  return texts;
}

const char *const *
dae_cgen_integrator_text(void)
{
  static const char *const texts[] = {
      linear_algebra, derivatives, differences, pieces_of_a_step, corrections, one_step, NULL};
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

const char *const *
dae_cgen_main_text(void)
{
  static const char *const texts[] = {main_text, main_program, NULL};
  return texts;
}

const char *
dae_cgen_method_text(const char *name)
{
  static const struct {
    const char *name;
    const char *text;
  } texts[] = {
      {"dgeev", method_dgeev},   {"eigen", method_eigen},   {"dgesvd", method_dgesvd},
      {"dgeqp3", method_dgeqp3}, {"dgeqrf", method_dgeqrf}, {"dorgqr", method_dorgqr},
      {"dgehrd", method_dgehrd}, {"dorghr", method_dorghr}, {"dhseqr", method_dhseqr},
      {"dgees", method_dgees},   {"dtrsen", method_dtrsen}, {"dtrsyl", method_dtrsyl},
      {"dgglse", method_dgglse}, {"dgecon", method_dgecon}, {"dgels", method_dgels},
      {"dgelsy", method_dgelsy}, {"dgesv", method_dgesv},   {"dpotrf", method_dpotrf},
      {"dlange", method_dlange},
  };

  for (size_t i = 0; name != NULL && i < G_N_ELEMENTS(texts); i++) {
    if (strcmp(texts[i].name, name) == 0) {
      return texts[i].text;
    }
  }
  DAE_ASSERT(name == NULL);
  return method_tools;
}
