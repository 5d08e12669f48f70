/* The certificate of the analysis, checked again with the arithmetic of proofcheck: from the
 * equations, the offsets and the decimals alone, by the interval Newton operator on the whole
 * system at once instead of Krawczyk's on its stages. */
#include <string.h>

#include "pipeline/pipeline-priv.h"
#include "pipeline/verify.h"
#include "proofcheck/certify.h"
#include "proofcheck/regular.h"

typedef struct {
  const DaeSig *sig;
  DaeTerms *terms;
  const DaeModel *model;
  DaeCertifier *certifier;
  GHashTable *bound; /* parameters -> their values */
  bool has_point;
  const bool *is_part;          /* by column: of a point modulo a prime; NULL: there is none */
  GHashTable *known;            /* atoms of the certificate ... */
  GHashTable *found;            /* ... that were not chosen */
  GArray *equations, *unknowns; /* DaeTerm */
  GArray *values;               /* double, of the unknowns */
} Verification;

static void
bind_parameters(Verification *v)
{
  dae_verify_bind_parameters(v->certifier, v->terms, v->model);
  for (uint32_t k = 0; k < dae_model_n_parameters(v->model); k++) {
    DaeTerm value = dae_model_parameter_value(v->model, v->terms, k);
    if (value != DAE_NO_TERM && dae_term_kind(v->terms, value) != DAE_KIND_BOOLEAN) {
      DaeTerm atom = dae_term_parameter(v->terms, dae_model_parameter(v->model, k)->symbol);
      g_hash_table_insert(v->bound, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(value));
    }
  }
}

/* Only parameters that have values in it? Discrete values are parameters without one. */
static bool
is_number_at_values(const Verification *v, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!dae_term_is_parametric(v->terms, t)) {
    return false;
  }
  dae_term_collect_parameters(v->terms, t, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    if (!g_hash_table_contains(v->bound, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, k)))) {
      return false;
    }
  }
  return true;
}

/* A decimal with a sign, exactly. */
static DaeTerm
exact_decimal(DaeTerms *terms, const char *text)
{
  bool is_negative = *text == '-';
  DaeTerm size = dae_term_decimal(terms, text + is_negative, strlen(text) - is_negative);
  return is_negative ? dae_term_neg(terms, size) : size;
}

static bool
bind_point(Verification *v, const DaeCertificate *certificate)
{
  for (uint32_t k = 0; k < certificate->n; k++) {
    DaeTerm atom = certificate->atoms[k];
    g_hash_table_add(v->known, GUINT_TO_POINTER(atom));
    if (certificate->is_exact[k]) {
      DaeTerm value = exact_decimal(v->terms, certificate->values[k]);
      if (value == DAE_NO_TERM) {
        return false;
      }
      dae_certifier_bind(v->certifier, atom, value);
    } else {
      if (!dae_certifier_bind_ball(v->certifier, atom, certificate->values[k],
                                   certificate->radius)) {
        return false;
      }
      double value = g_ascii_strtod(certificate->values[k], NULL);
      g_array_append_val(v->unknowns, atom);
      g_array_append_val(v->values, value);
      g_hash_table_add(v->found, GUINT_TO_POINTER(atom));
    }
  }
  return true;
}

/* Are all derivatives that the block solves for in the point, the highest among what was found and
 * not among what was chosen? Then its Jacobian is part of that of the point's equations: at the
 * last stage, where all others are known. */
static bool
is_part_of_point(const Verification *v, const DaeSigBlock *block)
{
  for (uint32_t k = 0; k < block->n_variables; k++) {
    uint32_t j = block->variables[k];
    DaeSymbol symbol = dae_model_variable(v->model, j)->symbol;
    for (int32_t order = 0; order <= dae_sig_d(v->sig)[j]; order++) {
      DaeTerm atom = dae_term_variable(v->terms, symbol, (uint32_t)order);
      GHashTable *among = order == dae_sig_d(v->sig)[j] ? v->found : v->known;
      if (!g_hash_table_contains(among, GUINT_TO_POINTER(atom))) {
        return false;
      }
    }
  }
  return true;
}

/* f_i^(k), 0 <= k <= c_i, of the equations of a block. */
static void
collect_equations(const Verification *v, const DaeSigBlock *block)
{
  for (uint32_t r = 0; r < block->n_equations; r++) {
    uint32_t i = block->equations[r];
    const DaeEquation *equation = dae_model_equation(v->model, i);
    DaeTerm t = dae_term_sub(v->terms, equation->lhs, equation->rhs);
    for (int32_t k = 0; k <= dae_sig_c(v->sig)[i]; k++) {
      g_array_append_val(v->equations, t);
      t = dae_term_total(v->terms, t);
    }
  }
}

static bool
point_is_solution(Verification *v, char **why)
{
  if (v->equations->len != v->unknowns->len) {
    *why = g_strdup_printf("%u equations for %u values that were not chosen", v->equations->len,
                           v->unknowns->len);
    return false;
  }
  DaeSolutionNear near = {.equations = (const DaeTerm *)(void *)v->equations->data,
                          .atoms = (const DaeTerm *)(void *)v->unknowns->data,
                          .n = v->unknowns->len,
                          .is_strict = true};
  if (dae_certifier_has_solution(v->certifier, near.equations, near.atoms, near.n)) {
    return true;
  }
  near.values = (const double *)(void *)v->values->data; /* some are exact, others in balls */
  return dae_verify_solution(v->certifier, v->terms, &near, why);
}

/* Is it regular whatever the variables, and discrete values, are? */
static bool
block_is_regular(const Verification *v, const GArray *entries, uint32_t n)
{
  bool is_parametric = true;
  for (guint e = 0; e < entries->len && is_parametric; e++) {
    is_parametric = is_number_at_values(v, g_array_index(entries, DaeCertifierEntry, e).value);
  }
  return is_parametric
             ? dae_verify_is_regular(v->certifier, v->terms, entries, n)
             : dae_regular_everywhere(v->terms, v->bound,
                                      (const DaeCertifierEntry *)(void *)entries->data,
                                      entries->len, n);
}

static bool
is_linear_in_tops(const Verification *v, const GArray *entries)
{
  for (guint e = 0; e < entries->len; e++) {
    if (!dae_term_is_parametric(v->terms, g_array_index(entries, DaeCertifierEntry, e).value)) {
      return false;
    }
  }
  return true;
}

/* Block by block: one that is not part of the point has to be regular everywhere; beside a point
 * it also has to be linear in what it solves for, so that it has a solution whatever the others
 * are. */
static bool
verify_blocks(Verification *v, char **why)
{
  DaeVerifyBlocks *blocks = dae_verify_blocks_new(v->sig);
  bool ok = true;
  for (uint32_t b = 0; b < dae_sig_n_fine(v->sig) && ok; b++) {
    const DaeSigBlock *block = dae_sig_fine(v->sig, b);
    if (v->has_point && is_part_of_point(v, block)) {
      collect_equations(v, block);
      continue;
    }
    if (v->is_part != NULL && v->is_part[block->variables[0]]) {
      continue; /* verify_modular.c */
    }
    g_autoptr(GArray) entries = dae_verify_block_entries(blocks, block);
    bool is_beside = v->has_point || v->is_part != NULL;
    ok = (!is_beside || is_linear_in_tops(v, entries)) &&
         block_is_regular(v, entries, block->n_equations);
    if (!ok) {
      *why = dae_verify_say_singular(v->terms, block, entries);
    }
  }
  dae_verify_blocks_free(blocks);
  return ok && (!v->has_point || point_is_solution(v, why));
}

/* The factors of a repair: nowhere zero, or not at the point. */
static bool
verify_factors(Verification *v, char **why)
{
  for (uint32_t s = 0; s < dae_sig_n_repair_steps(v->sig); s++) {
    const DaeRepairStep *step = dae_sig_repair_step(v->sig, s);
    for (uint32_t k = 0; k < step->n_nonzero; k++) {
      int sign = 0;
      if (!dae_certifier_sign(v->certifier, step->nonzero[k], &sign) &&
          !dae_never_zero(v->terms, v->bound, step->nonzero[k])) {
        g_autoptr(GString) text = g_string_new(NULL);
        dae_term_print_limited(v->terms, step->nonzero[k], text, 200);
        *why = g_strdup_printf("the factor %s of the repair was not seen to be other than 0",
                               text->str);
        return false;
      }
    }
  }
  return true;
}

bool
dae_pipeline_verify_structure(DaePipeline *pipeline, const DaeSig *sig, char **why)
{
  const DaeCertificate *certificate = dae_sig_certificate(sig);
  Verification v = {
      .sig = sig, .terms = dae_pipeline_terms(pipeline), .model = dae_sig_model(sig)};
  bool ok = false;
  *why = NULL;
  v.certifier = dae_certifier_new(v.terms);
  v.bound = g_hash_table_new(NULL, NULL);
  v.known = g_hash_table_new(NULL, NULL);
  v.found = g_hash_table_new(NULL, NULL);
  v.equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  v.unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  v.values = g_array_new(FALSE, FALSE, sizeof(double));
  bind_parameters(&v);
  switch (certificate->kind) {
  case DAE_CERTIFICATE_NONE:
    *why = g_strdup("there is no certificate");
    break;
  case DAE_CERTIFICATE_EVERYWHERE:
    ok = verify_blocks(&v, why) && verify_factors(&v, why);
    break;
  case DAE_CERTIFICATE_POINT:
    v.has_point = true;
    if (!bind_point(&v, certificate)) {
      *why = g_strdup("a value of the point cannot be read");
      break;
    }
    ok = verify_blocks(&v, why) && verify_factors(&v, why);
    break;
  case DAE_CERTIFICATE_ALGEBRAIC:
    v.is_part = certificate->is_part;
    ok = dae_verify_modular(v.terms, sig, why) && verify_blocks(&v, why);
    break;
  }
  dae_certifier_free(v.certifier);
  g_hash_table_unref(v.bound);
  g_hash_table_unref(v.known);
  g_hash_table_unref(v.found);
  g_array_unref(v.equations);
  g_array_unref(v.unknowns);
  g_array_unref(v.values);
  return ok;
}
