/* The certificate of the analysis, checked again with the arithmetic of proofcheck: from the
 * equations, the offsets and the decimals alone, by the interval Newton operator on the whole
 * system at once instead of Krawczyk's on its stages. */
#include <string.h>

#include "pipeline/pipeline-priv.h"
#include "pipeline/verify.h"
#include "proofcheck/certify.h"

enum {
  MOST_EQUATIONS = 250, /* of a block whose determinant is asked for: its matrix is dense */
  MOST_MODES = 10       /* conditions of one block: 2^10 matrices */
};

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

/* The matrix of a fine block, row by row. False: an entry depends on variables. */
static bool
fill_block(const Verification *v, const DaeSigBlock *block, const size_t *first_of_row,
           GHashTable *place_of_column, DaeTerm *matrix)
{
  size_t n_entries = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(v->sig, &n_entries);
  uint32_t n = block->n_equations;
  DaeTerm zero = dae_term_int(v->terms, 0);
  bool is_parametric = true;
  for (uint32_t k = 0; k < n; k++) {
    g_hash_table_insert(place_of_column, GUINT_TO_POINTER(block->variables[k]),
                        GUINT_TO_POINTER(k + 1));
  }
  for (uint32_t r = 0; r < n; r++) {
    for (uint32_t k = 0; k < n; k++) {
      matrix[r * n + k] = zero;
    }
    uint32_t row = block->equations[r];
    for (size_t e = first_of_row[row]; e < first_of_row[row + 1]; e++) {
      guint k = GPOINTER_TO_UINT(
          g_hash_table_lookup(place_of_column, GUINT_TO_POINTER(entries[e].column)));
      if (k > 0) {
        matrix[r * n + k - 1] = entries[e].value;
        is_parametric = is_parametric && dae_term_is_parametric(v->terms, entries[e].value);
      }
    }
  }
  g_hash_table_remove_all(place_of_column);
  return is_parametric;
}

/* (transfer full) Where each row of the Jacobian begins among its entries. */
static size_t *
rows_of_jacobian(const DaeSig *sig)
{
  size_t n = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(sig, &n);
  size_t *first = g_new0(size_t, (size_t)dae_sig_n_rows(sig) + 2);
  for (size_t e = 0; e < n; e++) {
    first[entries[e].row + 1]++;
  }
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    first[i + 1] += first[i];
  }
  return first;
}

/* Discrete values in the entries of a matrix, each once. False: one is no condition but a
 * factor, or there are too many. */
static bool
collect_conditions(const Verification *v, const DaeTerm *matrix, size_t n, GArray *conditions)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
  for (size_t e = 0; e < n; e++) {
    g_array_set_size(atoms, 0);
    dae_term_collect_parameters(v->terms, matrix[e], atoms);
    for (guint k = 0; k < atoms->len; k++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, k);
      uint32_t at = 0;
      if (dae_model_find_parameter(v->model, dae_term_get_symbol(v->terms, atom), &at)) {
        continue;
      }
      DaeTerm slope = dae_term_partial(v->terms, matrix[e], atom);
      if (slope == DAE_NO_TERM || !dae_term_is_zero(v->terms, slope)) {
        return false;
      }
      if (g_hash_table_add(seen, GUINT_TO_POINTER(atom))) {
        g_array_append_val(conditions, atom);
      }
    }
  }
  return conditions->len <= MOST_MODES;
}

static bool
is_regular_in_all_modes(const Verification *v, const DaeTerm *matrix, uint32_t n)
{
  g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool ok = collect_conditions(v, matrix, (size_t)n * n, conditions);
  for (uint32_t mode = 0; ok && mode < UINT32_C(1) << conditions->len; mode++) {
    for (guint k = 0; k < conditions->len; k++) {
      dae_certifier_bind(v->certifier, g_array_index(conditions, DaeTerm, k),
                         dae_term_int(v->terms, (mode >> k) & 1));
    }
    ok = dae_certifier_is_regular(v->certifier, matrix, n);
  }
  return ok;
}

/* Every fine block whose matrix is one of numbers at the given values: its determinant. The
 * others were proved by the signs of their entries for all values of the variables; that is not
 * repeated here. */
static bool
verify_blocks(Verification *v, char **why)
{
  g_autofree size_t *first_of_row = rows_of_jacobian(v->sig);
  g_autoptr(GHashTable) place_of_column = g_hash_table_new(g_direct_hash, g_direct_equal);
  for (uint32_t b = 0; b < dae_sig_n_fine(v->sig); b++) {
    const DaeSigBlock *block = dae_sig_fine(v->sig, b);
    uint32_t n = block->n_equations;
    if (n > MOST_EQUATIONS) {
      *why = g_strdup_printf("a block has %u equations, too many to check again", n);
      return false;
    }
    g_autofree DaeTerm *matrix = g_new(DaeTerm, (size_t)n * n);
    if (fill_block(v, block, first_of_row, place_of_column, matrix) &&
        !is_regular_in_all_modes(v, matrix, n)) {
      g_autofree char *text = n == 1 ? dae_term_to_string(v->terms, matrix[0]) : NULL;
      *why = n == 1 ? g_strdup_printf("the entry %s of equation %u was not seen to be other "
                                      "than 0",
                                      text, block->equations[0])
                    : g_strdup_printf("the determinant of the block of %u equations with "
                                      "equation %u was not seen to be other than 0",
                                      n, block->equations[0]);
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
    ok = verify_blocks(&v, why);
    break;
  case DAE_CERTIFICATE_POINT:
    ok = verify_point(&v, certificate, why);
    break;
  case DAE_CERTIFICATE_ALGEBRAIC:
    ok = dae_verify_modular(v.terms, sig, why);
    break;
  }
  dae_certifier_free(v.certifier);
  g_hash_table_unref(v.known);
  g_array_unref(v.equations);
  g_array_unref(v.unknowns);
  return ok;
}
