/* Positive verdicts that the point which was found does not bear: undecided, with the reason. */
#include "initcheck/initcheck-priv.h"

typedef struct {
  IcEngine *engine;
  DaeInit *init;
  const bool *is_dropped; /* by premise */
  bool has_surplus;       /* a completion left equations out */
} Doubt;

static bool
is_square(const DaeSig *sig)
{
  return dae_sig_n_rows(sig) == dae_sig_n_columns(sig);
}

/* May the equations be singular somewhere, although they determine the solution elsewhere? */
static bool
may_be_singular(const DaeSig *sig)
{
  DaeSigStatus status = dae_sig_status(sig);
  const DaeCertificate *certificate = dae_sig_certificate(sig);
  return (status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED) && is_square(sig) &&
         (certificate == NULL || certificate->kind != DAE_CERTIFICATE_EVERYWHERE);
}

/* Where the equations are singular at the start, values that satisfy them there may belong to no
 * solution: x*z = x with x = 0 and z = 5, while z is 1 ever after. Of more equations than
 * variables there is no Sigma-Jacobian; those that are not redundant have to be independent: of
 * x^2 + y^2 = 1, x = 1 + time nothing is left as soon as time passes. */
static void
doubt_singular_start(const Doubt *d)
{
  enum { LONGEST = 5000 }; /* premises */

  DaeInit *init = d->init;
  const IcSystem *sys = d->engine->sys;
  if ((init->verdict != DAE_INIT_CONSISTENT && init->verdict != DAE_INIT_WELL_DETERMINED) ||
      sys->premises->len > LONGEST || d->has_surplus ||
      (is_square(sys->sig) && !may_be_singular(sys->sig)) ||
      d->engine->n_unproved > 0) { /* no solution is known: nowhere to look */
    return;
  }
  uint32_t p = is_square(sys->sig) ? ic_dependent_equation(d->engine, init)
                                   : ic_dependent_premise(d->engine, init, d->is_dropped);
  if (p == IC_NONE) {
    return;
  }
  const DaeInitPremise *id = &g_array_index(sys->premises, IcPremise, p).id;
  g_autofree char *text = dae_init_premise_text(sys->model, sys->terms, id);
  init->verdict = DAE_INIT_UNDECIDED;
  init->holds_for_all = false;
  init->is_numeric = false;
  init->why =
      g_strdup_printf("the equations are singular at the start (%s): whether the values "
                      "that satisfy them there belong to a solution is open",
                      text);
}

/* An equation of a model whose structure determines its solution says nothing at the start, as
 * time*y = sin(abs(time)) at 0: the value there is a limit, and nothing that could be chosen. */
static void
doubt_silent_equation(const Doubt *d)
{
  DaeInit *init = d->init;
  if ((init->verdict != DAE_INIT_MIXED && init->verdict != DAE_INIT_UNDER_DETERMINED) ||
      init->conflicts->len > 0 || d->has_surplus || !may_be_singular(d->engine->sys->sig)) {
    return;
  }
  for (guint i = 0; i < init->redundant->len; i++) {
    const DaeInitPremise *id = &g_array_index(init->redundant, DaeInitRedundant, i).what;
    if (!id->is_initial) {
      g_autofree char *text =
          dae_init_premise_text(d->engine->sys->model, d->engine->sys->terms, id);
      init->verdict = DAE_INIT_UNDECIDED;
      init->missing = 0;
      init->holds_for_all = false;
      init->is_numeric = false;
      init->why =
          g_strdup_printf("at the start %s says nothing, although the equations determine "
                          "the solution elsewhere: what it tends to was not found",
                          text);
      return;
    }
  }
}

/* Nor is it known how many values may be chosen where the equations are singular at the start
 * whatever is chosen: the branch that holds there may take a derivative away that the offsets
 * count on. */
static void
doubt_what_is_missing(const Doubt *d)
{
  enum { LONGEST = 5000 }; /* premises */

  DaeInit *init = d->init;
  const IcSystem *sys = d->engine->sys;
  if ((init->verdict != DAE_INIT_MIXED && init->verdict != DAE_INIT_UNDER_DETERMINED) ||
      init->conflicts->len > 0 || sys->premises->len > LONGEST || d->has_surplus ||
      !may_be_singular(sys->sig)) {
    return;
  }
  uint32_t p = ic_always_dependent_equation(d->engine, init);
  if (p == IC_NONE) {
    return;
  }
  const DaeInitPremise *id = &g_array_index(sys->premises, IcPremise, p).id;
  g_autofree char *text = dae_init_premise_text(sys->model, sys->terms, id);
  init->verdict = DAE_INIT_UNDECIDED;
  init->missing = 0;
  init->holds_for_all = false;
  init->is_numeric = false;
  init->why =
      g_strdup_printf("the equations are singular at the start whatever is chosen (%s): "
                      "how many values may be chosen is open",
                      text);
}

/* A branch determines the unknowns, and the point lies on its edge: the next one may not. */
static void
doubt_edges(const Doubt *d)
{
  enum { LONGEST = 120 };

  DaeInit *init = d->init;
  if (init->verdict != DAE_INIT_CONSISTENT && init->verdict != DAE_INIT_WELL_DETERMINED) {
    return;
  }
  DaeTerm edge = ic_loose_edge(d->engine, init, d->is_dropped);
  if (edge == DAE_NO_TERM) {
    return;
  }
  g_autoptr(GString) why = g_string_new("the solution that was found lies on the edge of ");
  dae_term_print_limited(d->engine->sys->terms, edge, why, LONGEST);
  g_string_append(why, ", and the other branch has solutions near it, or is not regular there");
  init->verdict = DAE_INIT_UNDECIDED;
  init->holds_for_all = false;
  init->is_numeric = false;
  init->why = g_string_free(g_steal_pointer(&why), FALSE);
}

/* What time multiplies is gone from the equations at 0, but has to have a value there. */
static void
doubt_missing_values(const Doubt *d)
{
  DaeInit *init = d->init;
  IcSystem *sys = d->engine->sys;
  if (init->verdict != DAE_INIT_CONSISTENT && init->verdict != DAE_INIT_WELL_DETERMINED) {
    return;
  }
  uint32_t p = ic_undefined_as_written(sys, init, true);
  if (p == IC_NONE) {
    return;
  }
  const DaeInitPremise *id = &g_array_index(sys->premises, IcPremise, p).id;
  g_autofree char *text = dae_init_premise_text(sys->model, sys->terms, id);
  init->verdict = DAE_INIT_UNDECIDED;
  init->holds_for_all = false;
  init->is_numeric = false;
  init->why =
      g_strdup_printf("at the values that were found %s has no value at the start", text);
}

void
ic_doubt_verdict(IcEngine *engine, DaeInit *init, const bool *is_dropped, bool has_surplus)
{
  const Doubt doubt = {engine, init, is_dropped, has_surplus};
  doubt_singular_start(&doubt);
  doubt_edges(&doubt);
  doubt_silent_equation(&doubt);
  doubt_what_is_missing(&doubt);
  doubt_missing_values(&doubt);
}
