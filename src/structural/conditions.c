/* Variables that only conditions depend on: off in off = s < 0; v = if off then ... else ....
 * Sigma has no entry where a condition stands, so the row of v and that of off are blocks of
 * their own although each needs the other: v a branch, off the sign of s. With the definition of
 * off in its place the row of v says itself which branch holds (v = if s < 0 then ... else ...),
 * and off comes after it. */
#include "base/base.h"
#include "structural/sig-priv.h"

struct DaeSigConditions {
  DaeSubst *all;     /* each variable that only conditions depend on: what it is */
  DaeTerm *residual; /* by row: of those that define one; DAE_NO_TERM: another row */
};

typedef struct {
  DaeSig *sig;
  DaeTerm *definition; /* by column: what the variable is; DAE_NO_TERM: not such a one */
  uint32_t *row;       /* by column: which row says so */
  uint32_t *n_waiting; /* by column: definitions in its own that are not resolved yet */
  GPtrArray *users;    /* by column: GArray of columns, or NULL */
  DaeSigConditions *result;
} Definitions;

/* The other side where one side of the row is the variable itself. */
static DaeTerm
defined_as(const DaeSig *sig, uint32_t i, uint32_t j)
{
  const DaeEquation *equation = dae_model_equation(sig->model, i);
  DaeTerm x = dae_term_variable(sig->terms, dae_model_variable(sig->model, j)->symbol, 0);
  return equation->lhs == x ? equation->rhs : equation->rhs == x ? equation->lhs : DAE_NO_TERM;
}

/* Columns with one entry, in a row that defines the variable by conditions. */
static bool
find_definitions(Definitions *d)
{
  const DaeCsr *csr = d->sig->sigma.csr;
  g_autofree uint32_t *n_entries = g_new0(uint32_t, (size_t)csr->n_columns + 1);
  bool any = false;
  for (size_t e = 0; e < dae_csr_nnz(csr); e++) {
    n_entries[csr->column[e]]++;
  }
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      DaeTerm other =
          n_entries[j] == 1 && csr->weight[e] == 0 ? defined_as(d->sig, i, j) : DAE_NO_TERM;
      if (other != DAE_NO_TERM && dae_term_has_break(d->sig->terms, other)) {
        d->definition[j] = other;
        d->row[j] = i;
        any = true;
      }
    }
  }
  return any;
}

/* Columns with definitions that occur in the definition of column j. */
static void
collect_used(const Definitions *d, uint32_t j, GArray *used)
{
  const DaeSig *sig = d->sig;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_set_size(used, 0);
  dae_term_collect_variables(sig->terms, d->definition[j], atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    uint32_t other = 0;
    if (dae_term_order(sig->terms, atom) == 0 &&
        dae_model_find_variable(sig->model, dae_term_get_symbol(sig->terms, atom), &other) &&
        d->definition[other] != DAE_NO_TERM) {
      g_array_append_val(used, other);
    }
  }
}

static DaeTerm
variable_of(const DaeSig *sig, uint32_t j)
{
  return dae_term_variable(sig->terms, dae_model_variable(sig->model, j)->symbol, 0);
}

/* With the definitions that it uses in their places. */
static void
resolve(Definitions *d, uint32_t j, GArray *used)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(d->sig->terms);
  collect_used(d, j, used);
  for (guint k = 0; k < used->len; k++) {
    uint32_t other = g_array_index(used, uint32_t, k);
    dae_subst_set(subst, variable_of(d->sig, other), d->definition[other]);
  }
  DaeTerm resolved = dae_subst_apply(subst, d->definition[j]);
  if (resolved != DAE_NO_TERM) {
    DaeTerm x = variable_of(d->sig, j);
    d->definition[j] = resolved;
    d->result->residual[d->row[j]] = dae_term_sub(d->sig->terms, x, resolved);
    dae_subst_set(d->result->all, x, resolved);
  }
}

/* Each after those it uses; what uses itself stays a variable. */
static void
resolve_all(Definitions *d)
{
  const uint32_t n = d->sig->sigma.csr->n_columns;
  g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) ready = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t j = 0; j < n; j++) {
    if (d->definition[j] == DAE_NO_TERM) {
      continue;
    }
    collect_used(d, j, used);
    d->n_waiting[j] = used->len;
    for (guint k = 0; k < used->len; k++) {
      GArray **users =
          (GArray **)&g_ptr_array_index(d->users, g_array_index(used, uint32_t, k));
      *users = *users == NULL ? g_array_new(FALSE, FALSE, sizeof(uint32_t)) : *users;
      g_array_append_val(*users, j);
    }
    if (used->len == 0) {
      g_array_append_val(ready, j);
    }
  }
  for (guint k = 0; k < ready->len; k++) {
    uint32_t j = g_array_index(ready, uint32_t, k);
    const GArray *users = g_ptr_array_index(d->users, j);
    resolve(d, j, used);
    for (guint u = 0; users != NULL && u < users->len; u++) {
      uint32_t user = g_array_index(users, uint32_t, u);
      if (--d->n_waiting[user] == 0) {
        g_array_append_val(ready, user);
      }
    }
  }
}

static void
free_users(gpointer data)
{
  if (data != NULL) {
    g_array_unref(data);
  }
}

static DaeSigConditions *
new_conditions(DaeSig *sig)
{
  const size_t n = sig->sigma.csr->n_columns;
  g_autofree DaeTerm *definition = g_new0(DaeTerm, n + 1);
  g_autofree uint32_t *row = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *n_waiting = g_new0(uint32_t, n + 1);
  g_autoptr(GPtrArray) users = g_ptr_array_new_with_free_func(free_users);
  DaeSigConditions *result = g_new0(DaeSigConditions, 1);
  result->all = dae_subst_new(sig->terms);
  result->residual = g_new0(DaeTerm, (size_t)sig->sigma.csr->n_rows + 1);
  g_ptr_array_set_size(users, (gint)n);
  Definitions d = {sig, definition, row, n_waiting, users, result};
  if (find_definitions(&d)) {
    resolve_all(&d);
  }
  return result;
}

void
dae_sig_conditions_free(DaeSigConditions *conditions)
{
  if (conditions != NULL) {
    dae_subst_free(conditions->all);
    g_free(conditions->residual);
    g_free(conditions);
  }
}

DaeTerm
dae_sig_settled_residual(DaeSig *sig, uint32_t i)
{
  DaeTerm residual = dae_sigma_residual(&sig->sigma, sig->terms, sig->model, i);
  if (residual == DAE_NO_TERM || !dae_term_has_break(sig->terms, residual)) {
    return residual;
  }
  if (sig->conditions == NULL) {
    sig->conditions = new_conditions(sig);
  }
  DaeTerm own = sig->conditions->residual[i];
  DaeTerm settled = own != DAE_NO_TERM ? own : dae_subst_apply(sig->conditions->all, residual);
  return settled != DAE_NO_TERM ? settled : residual;
}

bool
dae_sig_only_defines(const DaeSig *sig, uint32_t i)
{
  return sig->conditions != NULL && sig->conditions->residual[i] != DAE_NO_TERM;
}
