/* A positive verdict about the initialization, checked again with the arithmetic of proofcheck.
 * The conditions and the derivative array without what is proved redundant are as many
 * equations as unknowns; they have one solution near the values that were found
 * (verify_order.c), and at that solution the Jacobian of the structure is regular, block by
 * block. By [Pryce01, theorem 4.2] one solution of the model begins there. */
#include "pipeline/pipeline-priv.h"
#include "pipeline/verify.h"
#include "proofcheck/certify.h"

typedef struct {
  DaeTerms *terms;
  const DaeInit *init;
  DaeCertifier *certifier;
  DaeSubst *late;               /* parameters that follow free ones -> what they are */
  GArray *equations, *unknowns; /* DaeTerm */
  GArray *values;               /* double */
} StartCheck;

static bool
is_redundant(const DaeInit *init, const DaeInitialEquation *equation)
{
  for (uint32_t i = 0; i < dae_init_n_redundant(init); i++) {
    const DaeInitPremise *what = &dae_init_redundant(init, i)->what;
    if (what->is_initial == equation->is_condition && what->index == equation->index &&
        what->order == equation->order) {
      return true;
    }
  }
  return false;
}

static bool
take_equation(void *user, const DaeInitialEquation *equation)
{
  const StartCheck *s = user;
  if (!is_redundant(s->init, equation)) {
    DaeTerm residual = dae_term_sub(s->terms, equation->lhs, equation->rhs);
    residual = residual != DAE_NO_TERM ? dae_subst_apply(s->late, residual) : residual;
    g_array_append_val(s->equations, residual);
    return residual != DAE_NO_TERM;
  }
  return true;
}

static bool
take_unknowns(StartCheck *s, const DaeInitialProblem *problem, char **why)
{
  for (uint32_t k = 0; k < dae_initial_n_unknowns(problem); k++) {
    const DaeInitialUnknown *unknown = dae_initial_unknown(problem, k);
    double value = 0;
    if (!dae_init_value(s->init, unknown->atom, &value)) {
      g_autofree char *text = dae_term_to_string(s->terms, unknown->atom);
      *why = g_strdup_printf("no value was found for %s", text);
      return false;
    }
    g_array_append_val(s->unknowns, unknown->atom);
    g_array_append_val(s->values, value);
  }
  return true;
}

static bool
has_start(StartCheck *s, const DaeInitialProblem *problem, char **why)
{
  if (!take_unknowns(s, problem, why)) {
    return false;
  }
  if (!dae_initial_visit(problem, take_equation, s)) {
    *why = g_strdup("an equation has no value");
    return false;
  }
  if (s->equations->len != s->unknowns->len) {
    *why = g_strdup_printf("%u equations for %u unknowns", s->equations->len, s->unknowns->len);
    return false;
  }
  const DaeSolutionNear near = {.equations = (const DaeTerm *)(void *)s->equations->data,
                                .atoms = (const DaeTerm *)(void *)s->unknowns->data,
                                .values = (const double *)(void *)s->values->data,
                                .n = s->unknowns->len};
  return dae_verify_solution(s->certifier, s->terms, &near, why);
}

/* parameter d = 2*a where the initialization determines a: an equation for d is one for a. */
static DaeSubst *
late_parameters(DaeTerms *terms, const DaeModel *model)
{
  DaeSubst *late = dae_subst_new(terms);
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    DaeTerm value = dae_model_parameter_value(model, terms, k);
    if (value != DAE_NO_TERM && dae_term_has_parameters(terms, value)) {
      DaeSymbol symbol = dae_model_parameter(model, k)->symbol;
      dae_subst_set(late, dae_term_parameter(terms, symbol), value);
    }
  }
  return late;
}

bool
dae_pipeline_verify_start(DaePipeline *pipeline, const DaeInit *init, char **why)
{
  const DaeSig *sig = pipeline->initial_sig;
  DaeInitVerdict verdict = dae_init_verdict(init);
  *why = NULL;
  if (verdict != DAE_INIT_WELL_DETERMINED && verdict != DAE_INIT_CONSISTENT) {
    return true;
  }
  const DaeInitialProblem *problem =
      dae_pipeline_initial(pipeline, pipeline->checked_start)->whole;
  StartCheck s = {.terms = dae_pipeline_terms(pipeline), .init = init};
  g_autoptr(DaeCertifier) certifier = dae_certifier_new(s.terms);
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
  s.certifier = certifier;
  s.late = late_parameters(s.terms, dae_initial_model(problem));
  s.equations = equations;
  s.unknowns = unknowns;
  s.values = values;
  dae_verify_bind_parameters(certifier, s.terms, dae_initial_model(problem));
  dae_certifier_bind(certifier, dae_term_time(s.terms), dae_initial_time(problem));
  bool ok = has_start(&s, problem, why);
  if (ok && dae_sig_n_rows(sig) == dae_sig_n_columns(sig)) {
    ok = dae_verify_blocks_at_box(certifier, s.terms, sig, why);
  }
  dae_subst_free(s.late);
  return ok;
}
