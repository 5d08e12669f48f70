/* Functions with branches that are differentiated more often than their smoothOrder says. The terms
 * are differentiated branch by branch: what is found holds between the points at which a function
 * goes from one branch to another, and at these only if it is as smooth as that. */
#include "report/smooth.h"

typedef struct {
  const char *name;
  int order;  /* smoothOrder; -1: not given */
  int needed; /* derivatives */
} Branched;

static void
note(GArray *found, const Branched *one)
{
  for (uint32_t i = 0; i < found->len; i++) {
    Branched *known = &g_array_index(found, Branched, i);
    if (g_str_equal(known->name, one->name)) {
      known->needed = MAX(known->needed, one->needed);
      return;
    }
  }
  g_array_append_val(found, *one);
}

static void
look_at(DaeTerms *terms, DaeTerm side, int times, GArray *found)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, side);
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    Branched one = {.needed = times};
    one.name = dae_terms_branches_of(terms, t, &one.order);
    if (one.name != NULL && times > one.order) {
      note(found, &one);
    }
    dae_visit_enter(visit, t);
  }
}

static GArray *
branched_of(DaeTerms *terms, const DaeSig *sig)
{
  GArray *found = g_array_new(FALSE, FALSE, sizeof(Branched));
  if (sig == NULL ||
      (dae_sig_status(sig) != DAE_SIG_SUCCESS && dae_sig_status(sig) != DAE_SIG_REPAIRED)) {
    return found;
  }
  const DaeModel *model = dae_sig_model(sig);
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    if (dae_sig_c(sig)[i] > 0) {
      look_at(terms, equation->lhs, dae_sig_c(sig)[i], found);
      look_at(terms, equation->rhs, dae_sig_c(sig)[i], found);
    }
  }
  return found;
}

void
dae_smooth_text(GString *out, const char *indent, DaeTerms *terms, const DaeSig *sig)
{
  g_autoptr(GArray) found = branched_of(terms, sig);
  for (uint32_t i = 0; i < found->len; i++) {
    const Branched *one = &g_array_index(found, Branched, i);
    g_string_append_printf(
        out, "%sassumed: '%s', which has branches, can be differentiated %d time%s", indent,
        one->name, one->needed, one->needed == 1 ? "" : "s");
    if (one->order >= 0) {
      g_string_append_printf(out, " (its smoothOrder is %d)\n", one->order);
    } else {
      g_string_append(out, " (it has no smoothOrder)\n");
    }
  }
}

void
dae_smooth_json(DaeJson *json, DaeTerms *terms, const DaeSig *sig)
{
  g_autoptr(GArray) found = branched_of(terms, sig);
  if (found->len == 0) {
    return;
  }
  dae_json_key(json, "assumed_smooth");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < found->len; i++) {
    const Branched *one = &g_array_index(found, Branched, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "function");
    dae_json_string(json, one->name);
    dae_json_key(json, "differentiated");
    dae_json_int(json, one->needed);
    if (one->order >= 0) {
      dae_json_key(json, "smooth_order");
      dae_json_int(json, one->order);
    }
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}
