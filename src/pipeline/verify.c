/* The certificate of the analysis, checked again with the arithmetic of proofcheck: from the
 * equations, the offsets and the decimals alone, by the interval Newton operator on the whole
 * system at once instead of Krawczyk's on its stages. */
#include <string.h>

#include "pipeline/pipeline-priv.h"
#include "proofcheck/certify.h"

enum { MOST_EQUATIONS = 250 /* the matrices are dense */ };

typedef struct {
  const DaeSig *sig;
  DaeTerms *terms;
  const DaeModel *model;
  DaeCertifier *certifier;
  GHashTable *known;            /* atoms of the certificate */
  GArray *equations, *unknowns; /* DaeTerm */
} Verification;

static void
bind_parameters(Verification *v)
{
  for (uint32_t k = 0; k < dae_model_n_parameters(v->model); k++) {
    DaeTerm value = dae_model_parameter_value(v->model, v->terms, k);
    if (value != DAE_NO_TERM && dae_term_kind(v->terms, value) != DAE_KIND_BOOLEAN) {
      DaeSymbol symbol = dae_model_parameter(v->model, k)->symbol;
      dae_certifier_bind(v->certifier, dae_term_parameter(v->terms, symbol), value);
    }
  }
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
      g_array_append_val(v->unknowns, atom);
    }
  }
  return true;
}

static bool
has_known_variables(const Verification *v, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(v->terms, t, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    if (!g_hash_table_contains(v->known, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, k)))) {
      return false;
    }
  }
  return atoms->len > 0;
}

/* f_i^(k), 0 <= k <= c_i, of the equations that the point is about. */
static void
collect_equations(Verification *v)
{
  for (uint32_t i = 0; i < dae_model_n_equations(v->model); i++) {
    const DaeEquation *equation = dae_model_equation(v->model, i);
    DaeTerm t = dae_term_sub(v->terms, equation->lhs, equation->rhs);
    guint first = v->equations->len;
    bool is_part = true;
    for (int32_t k = 0; k <= dae_sig_c(v->sig)[i] && is_part; k++) {
      is_part = has_known_variables(v, t);
      g_array_append_val(v->equations, t);
      t = dae_term_total(v->terms, t);
    }
    if (!is_part) {
      g_array_set_size(v->equations, first);
    }
  }
}

static bool
verify_point(Verification *v, const DaeCertificate *certificate, char **why)
{
  if (!bind_point(v, certificate)) {
    *why = g_strdup("a value of the point cannot be read");
    return false;
  }
  collect_equations(v);
  if (v->equations->len > MOST_EQUATIONS) {
    *why = g_strdup_printf("the point has %u equations, too many to check again",
                           v->equations->len);
    return false;
  }
  if (v->equations->len != v->unknowns->len) {
    *why = g_strdup_printf("%u equations for %u values that were not chosen", v->equations->len,
                           v->unknowns->len);
    return false;
  }
  bool ok =
      dae_certifier_has_solution(v->certifier, (const DaeTerm *)(void *)v->equations->data,
                                 (const DaeTerm *)(void *)v->unknowns->data, v->unknowns->len);
  if (!ok) {
    *why = g_strdup("the interval Newton operator does not prove a solution near the point");
  }
  return ok;
}

/* Blocks of one equation whose entry is a number at the given values: its sign. */
static bool
verify_entries(Verification *v, char **why)
{
  size_t n = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(v->sig, &n);
  g_autofree bool *is_single = g_new0(bool, (size_t)dae_sig_n_rows(v->sig) + 1);
  for (uint32_t b = 0; b < dae_sig_n_fine(v->sig); b++) {
    const DaeSigBlock *block = dae_sig_fine(v->sig, b);
    if (block->n_equations == 1) {
      is_single[block->equations[0]] = true;
    }
  }
  for (size_t e = 0; e < n; e++) {
    int sign = 0;
    bool is_tested = is_single[entries[e].row] &&
                     dae_sig_transversal(v->sig)[entries[e].row] == entries[e].column &&
                     dae_term_is_parametric(v->terms, entries[e].value);
    if (is_tested && !dae_certifier_sign(v->certifier, entries[e].value, &sign)) {
      g_autofree char *text = dae_term_to_string(v->terms, entries[e].value);
      *why = g_strdup_printf("the entry %s of equation %u was not seen to be other than 0",
                             text, entries[e].row);
      return false;
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
  v.known = g_hash_table_new(g_direct_hash, g_direct_equal);
  v.equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  v.unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bind_parameters(&v);
  switch (certificate->kind) {
  case DAE_CERTIFICATE_NONE:
    *why = g_strdup("there is no certificate");
    break;
  case DAE_CERTIFICATE_EVERYWHERE:
    ok = verify_entries(&v, why);
    break;
  case DAE_CERTIFICATE_POINT:
    ok = verify_point(&v, certificate, why);
    break;
  case DAE_CERTIFICATE_ALGEBRAIC:
    *why = g_strdup("a point modulo a prime is not checked again");
    break;
  }
  dae_certifier_free(v.certifier);
  g_hash_table_unref(v.known);
  g_array_unref(v.equations);
  g_array_unref(v.unknowns);
  return ok;
}
