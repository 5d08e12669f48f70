/* The reduced form, checked again at a point of its own: 0 = h has a solution near it (interval
 * Newton for as many unknowns as there are constraints, the others held), so that h_x has full row
 * rank there and n - rank h_x is the number of degrees of freedom; and n rows of [E; h_x] are
 * independent there, so that the derivatives are determined (eqs. 6, 7 of [HoegerSteinbrecher]).
 * The point is looked for in doubles, near that of the certificate and the start values. */
#include <math.h>

#include "numeric/numeric.h"
#include "pipeline/pipeline-priv.h"
#include "pipeline/verify.h"

enum { MOST_UNKNOWNS = 300, N_ATTEMPTS = 40 };

typedef struct {
  DaeTerms *terms;
  const DaeQlt *qlt;
  const DaeSig *sig;
  DaeCertifier *certifier;
  uint32_t n, m;             /* unknowns, constraints */
  DaeTerm *unknowns;         /* VARIABLE of order 0 */
  DaeTerm *h, *slope;        /* m; m*n, DAE_NO_TERM: 0 */
  GHashTable *place;         /* unknown -> column + 1 */
  GHashTable *given;         /* other atoms -> double */
  DaeEvaluation *evaluation; /* at `at`: rows and slopes share most of their terms */
  const double *at;
  double start; /* the time of the certificate's point, or of the start */
} Reduction;

/* ---- in doubles -------------------------------------------------------------------------- */

static bool
atom_value(void *user, DaeTerm atom, double *value)
{
  const Reduction *r = user;
  uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(r->place, GUINT_TO_POINTER(atom)));
  const double *given = g_hash_table_lookup(r->given, GUINT_TO_POINTER(atom));
  if (at > 0) {
    *value = r->at[at - 1];
  } else if (given != NULL) {
    *value = *given;
  }
  return at > 0 || given != NULL;
}

static void
move_to(Reduction *r, const double *x)
{
  r->at = x;
  dae_evaluation_move(r->evaluation);
}

/* At the point of the last move. */
static bool
number_of(const Reduction *r, DaeTerm t, double *value)
{
  return dae_evaluation_value(r->evaluation, t, value) == DAE_EVAL_OK && isfinite(*value);
}

static bool
residual_at(void *user, const double *x, double *out)
{
  Reduction *r = user;
  bool ok = true;
  move_to(r, x);
  for (uint32_t i = 0; i < r->m && ok; i++) {
    ok = number_of(r, r->h[i], &out[i]);
  }
  return ok;
}

static bool
slopes_at(void *user, const double *x, double *out)
{
  Reduction *r = user;
  bool ok = true;
  move_to(r, x);
  for (size_t k = 0; k < (size_t)r->m * r->n && ok; k++) {
    out[k] = 0;
    ok = r->slope[k] == DAE_NO_TERM || number_of(r, r->slope[k], &out[k]);
  }
  return ok;
}

/* ---- setting up -------------------------------------------------------------------------- */

static void
note_given(Reduction *r, DaeTerm atom, double value)
{
  g_hash_table_insert(r->given, GUINT_TO_POINTER(atom), g_memdup2(&value, sizeof value));
}

/* Time and parameters; those without a value are those of the certificate, or 1. */
static void
set_given(Reduction *r)
{
  const DaeModel *model = dae_qlt_model(r->qlt);
  const DaeCertificate *certificate = dae_sig_certificate(r->sig);
  DaeTerm time = dae_term_time(r->terms);
  double start = dae_model_experiment(model)->start;
  note_given(r, time, isfinite(start) ? start : 0);
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    DaeTerm atom = dae_term_parameter(r->terms, dae_model_parameter(model, k)->symbol);
    DaeTerm value = dae_model_parameter_value(model, r->terms, k);
    double number = 1;
    if (value != DAE_NO_TERM && dae_term_kind(r->terms, value) == DAE_KIND_BOOLEAN) {
      continue;
    }
    if (value != DAE_NO_TERM &&
        dae_term_eval_double(r->terms, value, atom_value, r, &number) == DAE_EVAL_OK) {
      dae_certifier_bind(r->certifier, atom, value);
    } else {
      dae_certifier_bind(r->certifier, atom, dae_term_int(r->terms, 1));
    }
    note_given(r, atom, number);
  }
  for (uint32_t k = 0; certificate->kind == DAE_CERTIFICATE_POINT && k < certificate->n; k++) {
    double number = g_ascii_strtod(certificate->values[k], NULL);
    bool is_variable = dae_term_kind(r->terms, certificate->atoms[k]) == DAE_KIND_VARIABLE;
    if (!is_variable) {
      dae_certifier_bind(r->certifier, certificate->atoms[k],
                         dae_term_from_double(r->terms, number));
    }
    note_given(r, certificate->atoms[k], number);
  }
  r->start = *(const double *)g_hash_table_lookup(r->given, GUINT_TO_POINTER(time));
}

/* Discrete values that the rows hold: parameters that the model does not have. */
static void
set_discrete(Reduction *r, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(r->terms, t, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    if (!g_hash_table_contains(r->given, GUINT_TO_POINTER(atom))) {
      note_given(r, atom, 0);
      dae_certifier_bind(r->certifier, atom, dae_term_int(r->terms, 0));
    }
  }
}

static void
set_constraints(Reduction *r)
{
  for (uint32_t i = 0; i < r->m; i++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(GArray) slopes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    r->h[i] = dae_qlt_constraint(r->qlt, i)->expression;
    set_discrete(r, r->h[i]);
    dae_term_gradient(r->terms, r->h[i], atoms, slopes);
    for (guint k = 0; k < atoms->len; k++) {
      gpointer key = GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, k));
      uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(r->place, key));
      if (at > 0) {
        r->slope[(size_t)i * r->n + at - 1] = g_array_index(slopes, DaeTerm, k);
      }
    }
  }
}

/* Where to look for unknown j: at the certificate's point, at its start, near it, anywhere. */
static double
guess_at(Reduction *r, uint32_t j, uint32_t attempt)
{
  const DaeModel *model = dae_qlt_model(r->qlt);
  DaeSymbol symbol = dae_qlt_unknown(r->qlt, j);
  DaeTerm means = r->unknowns[j];
  double value = 0;
  uint32_t k = 0;
  for (uint32_t i = 0; i < dae_qlt_n_introduced(r->qlt); i++) {
    const DaeQltIntroduced *introduced = dae_qlt_introduced(r->qlt, i);
    means = introduced->symbol == symbol ? introduced->meaning : means;
  }
  const double *known = g_hash_table_lookup(r->given, GUINT_TO_POINTER(means));
  if (attempt % 2 == 0 && known != NULL) {
    value = *known;
  } else if (dae_model_find_variable(model, symbol, &k) &&
             dae_model_variable(model, k)->start != DAE_NO_TERM) {
    (void)dae_term_eval_double(r->terms, dae_model_variable(model, k)->start, atom_value, r,
                               &value);
  }
  static const double RANGES[][2] = {{0.25, 1.25}, {0.5, 4.0}, {-3.0, 3.0}, {-0.2, 0.2}};
  const double *range = RANGES[attempt / 2 % G_N_ELEMENTS(RANGES)];
  double share = 0.5 + 0.5 * sin(1.7 * (double)(j + 1) * attempt + attempt);
  if (attempt >= 12) {
    return range[0] + share * (range[1] - range[0]);
  }
  return value + (attempt < 2 ? 0 : 0.1 * attempt * fmax(1, fabs(value)) * (2 * share - 1));
}

/* ---- in balls ---------------------------------------------------------------------------- */

/* The constraints have a solution near x; unknowns that no constraint is solved for are held. */
static bool
constraints_hold(Reduction *r, const double *x)
{
  g_autofree double *a = g_new0(double, (size_t)r->m * r->n + 1);
  g_autofree uint32_t *pivot = g_new0(uint32_t, (size_t)r->m + 1);
  g_autofree DaeTerm *solved = g_new0(DaeTerm, (size_t)r->m + 1);
  g_autofree double *values = g_new0(double, (size_t)r->m + 1);
  g_autofree bool *is_solved = g_new0(bool, (size_t)r->n + 1);
  if (!slopes_at(r, x, a) || dae_numeric_echelon(a, r->m, r->n, r->n, 1e-9, pivot) != r->m) {
    return false;
  }
  for (uint32_t i = 0; i < r->m; i++) {
    is_solved[pivot[i]] = true;
    solved[i] = r->unknowns[pivot[i]];
    values[i] = x[pivot[i]];
  }
  for (uint32_t j = 0; j < r->n; j++) {
    if (!is_solved[j]) {
      dae_certifier_bind(r->certifier, r->unknowns[j], dae_term_from_double(r->terms, x[j]));
    }
  }
  return r->m == 0 || dae_certifier_has_solution_near(r->certifier, r->h, solved, values, r->m);
}

/* Row i of [E; h_x], in doubles; entries as terms behind it. */
static void
fill_row(Reduction *r, uint32_t i, double *a, DaeTerm *entries)
{
  uint32_t n_rows = dae_qlt_n_rows(r->qlt);
  for (uint32_t j = 0; j < r->n; j++) {
    a[j] = 0;
    entries[j] = i < n_rows ? DAE_NO_TERM : r->slope[(size_t)(i - n_rows) * r->n + j];
  }
  if (i < n_rows) {
    const DaeQltRow *row = dae_qlt_row(r->qlt, i);
    for (uint32_t k = 0; k < row->n; k++) {
      set_discrete(r, row->coefficients[k]);
      entries[row->columns[k]] = row->coefficients[k];
    }
  }
  for (uint32_t j = 0; j < r->n; j++) {
    if (entries[j] != DAE_NO_TERM && !number_of(r, entries[j], &a[j])) {
      a[j] = 0;
    }
  }
}

static bool
derivatives_are_determined(Reduction *r, const double *x)
{
  uint32_t m = dae_qlt_n_rows(r->qlt) + r->m;
  g_autofree double *a = g_new0(double, (size_t)m * r->n + 1);
  g_autofree DaeTerm *terms = g_new0(DaeTerm, (size_t)m * r->n + 1);
  g_autofree uint32_t *pivot = g_new0(uint32_t, (size_t)m + 1);
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(DaeCertifierEntry));
  move_to(r, x);
  for (uint32_t i = 0; i < m; i++) {
    fill_row(r, i, a + (size_t)i * r->n, terms + (size_t)i * r->n);
  }
  if (dae_numeric_echelon(a, m, r->n, r->n, 1e-9, pivot) != r->n) {
    return false;
  }
  uint32_t row = 0;
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t j = 0; j < r->n && pivot[i] != DAE_NUMERIC_NONE; j++) {
      DaeCertifierEntry entry = {row, j, terms[(size_t)i * r->n + j]};
      if (entry.value != DAE_NO_TERM) {
        g_array_append_val(entries, entry);
      }
    }
    row += pivot[i] != DAE_NUMERIC_NONE;
  }
  return dae_verify_is_regular(r->certifier, r->terms, entries, r->n);
}

/* The second half of the attempts leaves the start, where a factor may vanish: of
 * time*z = time*cos(time) nothing is left at 0. */
static void
set_time(Reduction *r, uint32_t attempt)
{
  DaeTerm time = dae_term_time(r->terms);
  double now = r->start + 7.0 / 64 * (attempt < N_ATTEMPTS / 2 ? 0 : attempt);
  note_given(r, time, now);
  dae_certifier_bind(r->certifier, time, dae_term_from_double(r->terms, now));
}

/* Newton's method, or where it does not converge, from the least squares near the guess. Where
 * the squares hardly fall there is mostly no solution near, and the next guess shows more than
 * the end of the valley would. */
static bool
solve_constraints(Reduction *r, uint32_t attempt, double *x)
{
  DaeDenseProblem problem = {.m = r->m,
                             .n = r->n,
                             .residual = residual_at,
                             .jacobian = slopes_at,
                             .patience = 10,
                             .user = r};
  DaeNewtonLimits limits = {.most_steps = 60, .patience = 12, .pivot = 1e-9, .residual = 1e-11};
  bool is_found = false;
  for (int round = 0; round < 2 && !is_found; round++) {
    for (uint32_t j = 0; j < r->n; j++) {
      x[j] = guess_at(r, j, attempt);
    }
    is_found = r->m == 0 ||
               ((round == 0 || dae_numeric_minimize(&problem, 200, x) == DAE_MINIMIZE_DONE) &&
                dae_numeric_newton(&problem, &limits, x));
  }
  return is_found;
}

static bool
holds_at_a_point(Reduction *r, char **why)
{
  g_autofree double *x = g_new0(double, (size_t)r->n + 1);
  *why = g_strdup("no consistent point of the reduced form was found");
  for (uint32_t attempt = 0; attempt < N_ATTEMPTS; attempt++) {
    set_time(r, attempt);
    if (!solve_constraints(r, attempt, x) || !constraints_hold(r, x)) {
      continue;
    }
    if (derivatives_are_determined(r, x)) {
      g_clear_pointer(why, g_free);
      return true;
    }
    g_free(*why);
    *why = g_strdup("[E; h_x] was not seen to have full rank at a consistent point");
  }
  return false;
}

static bool
verify_form(DaePipeline *pipeline, const DaeQlt *qlt, char **why)
{
  Reduction r = {.terms = dae_pipeline_terms(pipeline), .qlt = qlt, .sig = pipeline->sig};
  r.n = dae_qlt_n_unknowns(qlt);
  r.m = dae_qlt_n_constraints(qlt);
  if (r.n > MOST_UNKNOWNS) {
    *why = g_strdup_printf("%u unknowns are too many to check the reduced form again", r.n);
    return false;
  }
  if (dae_qlt_n_invariants(qlt) == 0 && (int64_t)r.n - r.m != dae_qlt_dof(qlt)) {
    *why = g_strdup("the constraints do not leave the degrees of freedom that are told");
    return false;
  }
  r.certifier = dae_certifier_new(r.terms);
  r.unknowns = g_new0(DaeTerm, (size_t)r.n + 1);
  r.h = g_new0(DaeTerm, (size_t)r.m + 1);
  r.slope = g_new0(DaeTerm, (size_t)r.m * r.n + 1);
  r.place = g_hash_table_new(NULL, NULL);
  r.given = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  for (uint32_t j = 0; j < r.n; j++) {
    r.unknowns[j] = dae_term_variable(r.terms, dae_qlt_unknown(qlt, j), 0);
  }
  set_given(&r);
  for (uint32_t j = 0; j < r.n; j++) {
    g_hash_table_insert(r.place, GUINT_TO_POINTER(r.unknowns[j]), GUINT_TO_POINTER(j + 1));
  }
  set_constraints(&r);
  r.evaluation = dae_evaluation_new(r.terms, atom_value, &r);
  bool ok = holds_at_a_point(&r, why);
  g_hash_table_unref(r.place);
  g_hash_table_unref(r.given);
  g_free(r.unknowns);
  g_free(r.h);
  g_free(r.slope);
  dae_evaluation_free(r.evaluation);
  dae_certifier_free(r.certifier);
  return ok;
}

bool
dae_pipeline_has_surplus(const DaePipeline *pipeline)
{
  const DaeSig *sig = pipeline->sig;
  return sig != NULL && dae_sig_n_rows(sig) > dae_sig_n_columns(sig);
}

char *
dae_pipeline_doubt_surplus(DaePipeline *pipeline)
{
  const DaeModel *model = dae_pipeline_model(pipeline);
  g_autoptr(GError) error = NULL;
  g_autofree char *why = NULL;
  if (dae_model_n_equations(model) <= dae_model_n_variables(model)) {
    return NULL;
  }
  const DaeQlt *qlt = dae_pipeline_reduce(pipeline, NULL, &error);
  if (qlt != NULL && dae_pipeline_verify_reduction(pipeline, qlt, &why)) {
    return NULL;
  }
  return g_strdup_printf("there are more equations than variables, and which constraints they "
                         "hide is open: %s",
                         why != NULL     ? why
                         : error != NULL ? error->message
                                         : "not reduced");
}

bool
dae_pipeline_verify_reduction(DaePipeline *pipeline, const DaeQlt *qlt, char **why)
{
  const DaeSig *sig = pipeline->sig;
  bool has_certificate = dae_sig_n_rows(sig) == dae_sig_n_columns(sig);
  return (!has_certificate || dae_pipeline_verify_structure(pipeline, sig, why)) &&
         verify_form(pipeline, qlt, why);
}
