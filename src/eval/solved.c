/* The solved form of a system (evaluator.h): what an explicit method asks for at a stage in one
 * evaluation.
 *
 * Constraints that hold one open unknown and are linear in it are solved for it, those with a
 * number for its coefficient first, and its value is put in everywhere; values are shared terms, so
 * nothing grows. What is left open, multipliers mostly, must be linear on the right-hand sides. It
 * follows from the constraints on velocities, differentiated once more: their gradients and M are
 * small beside the constraints on accelerations that the reduction made of them by elimination.
 * Where there are not as many of them, it follows from those, if they are linear. Both have the
 * same solution, since every solution of the system meets both. Whether a coefficient vanishes
 * shows when it is evaluated. Small models only. */
#include <string.h>

#include "eval/eval-priv.h"

/* Larger models are not looked at: their Jacobians are sparse, those of a stage are not. */
#define MOST_UNKNOWNS 200u

enum { GROUP_STAGE, GROUP_MASS, GROUP_DIRECT, GROUP_REST, GROUP_REST_SLOPE, GROUP_COUNT };

typedef enum { IS_DYNAMIC, IS_OPEN, IS_DIRECT } Role;

struct DaeSolvedTerms {
  DaeSolved form;
  GArray *groups[GROUP_COUNT]; /* DaeTerm */
  GArray *y, *direct, *linear; /* uint32_t */
  GArray *starts[3], *columns[3];
};

typedef struct {
  DaeTerms *terms;
  const DaeSystemParts *parts;
  DaeSolvedTerms *solved;
  uint32_t *column_of; /* by symbol: number of the unknown + 1 */
  Role *role;          /* by unknown */
  uint32_t *place;     /* by unknown: its place among y, or among the linear ones */
  DaeTerm *rows;       /* constraints with the direct values put in */
  bool *is_used;       /* by constraint: it gives a direct value */
  DaeSubst *values;    /* of the direct unknowns */
  DaeTerm *slopes;     /* by unknown: y' as a term without open unknowns, or DAE_NO_TERM */
  GArray *variables, *derivatives;
} Solving;

/* ---- roles ------------------------------------------------------------------------------- */

static bool
is_open(const Solving *s, DaeTerm variable)
{
  const uint32_t j = s->column_of[dae_term_get_symbol(s->terms, variable)];
  return j > 0 && s->role[j - 1] == IS_OPEN;
}

/* How many open unknowns are in t; *last is one of them. */
static uint32_t
count_open(Solving *s, DaeTerm t, DaeTerm *last)
{
  uint32_t count = 0;
  g_array_set_size(s->variables, 0);
  dae_term_collect_variables(s->terms, t, s->variables);
  for (guint i = 0; i < s->variables->len; i++) {
    const DaeTerm variable = g_array_index(s->variables, DaeTerm, i);
    if (is_open(s, variable)) {
      *last = variable;
      count++;
    }
  }
  return count;
}

static bool
has_open(Solving *s, DaeTerm t)
{
  DaeTerm last;
  return dae_term_has_variables(s->terms, t) && count_open(s, t, &last) > 0;
}

/* Solves row i for its only open unknown, if it is linear in it. */
static bool
solve_row(Solving *s, uint32_t i, bool by_numbers)
{
  DaeTerm z = DAE_NO_TERM;
  if (s->is_used[i] || count_open(s, s->rows[i], &z) != 1) {
    return false;
  }
  const DaeTerm factor = dae_term_partial(s->terms, s->rows[i], z);
  if (dae_term_is_zero(s->terms, factor) || dae_term_contains(s->terms, factor, z) ||
      (by_numbers && !dae_term_is_number(s->terms, factor))) {
    return false;
  }
  const DaeTerm rest = dae_term_replace(s->terms, s->rows[i], z, dae_term_int(s->terms, 0));
  const DaeTerm value =
      rest == DAE_NO_TERM ? rest : dae_term_neg(s->terms, dae_term_div(s->terms, rest, factor));
  const uint32_t j = s->column_of[dae_term_get_symbol(s->terms, z)] - 1;
  if (value == DAE_NO_TERM) {
    return false;
  }
  s->is_used[i] = true;
  s->role[j] = IS_DIRECT;
  g_array_append_val(s->solved->direct, j);
  g_array_append_val(s->solved->groups[GROUP_DIRECT], value);
  return true;
}

/* The values of the direct unknowns without each other, in the order in which they were solved for;
 * then the constraints without them. false: a division by 0. */
static bool
put_values_in(Solving *s)
{
  GArray *values = s->solved->groups[GROUP_DIRECT];
  for (guint k = 0; k < values->len; k++) {
    const uint32_t j = g_array_index(s->solved->direct, uint32_t, k);
    DaeTerm *value = &g_array_index(values, DaeTerm, k);
    *value = dae_subst_apply(s->values, *value);
    if (*value == DAE_NO_TERM) {
      return false;
    }
    dae_subst_set(s->values, s->parts->unknowns[j], *value);
  }
  for (uint32_t i = 0; i < s->parts->n_con; i++) {
    s->rows[i] = s->is_used[i] ? s->rows[i] : dae_subst_apply(s->values, s->rows[i]);
    if (s->rows[i] == DAE_NO_TERM) {
      return false;
    }
  }
  return true;
}

/* Each pass but the last makes an open unknown a direct one. */
static bool
solve_rows(Solving *s)
{
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int by_numbers = 1; by_numbers >= 0 && !goes_on; by_numbers--) {
      for (uint32_t i = 0; i < s->parts->n_con; i++) {
        goes_on = solve_row(s, i, by_numbers == 1) || goes_on;
      }
    }
  }
  return put_values_in(s);
}

static void
set_roles(Solving *s)
{
  const DaeSystemParts *parts = s->parts;
  for (uint32_t j = 0; j < parts->n; j++) {
    s->column_of[dae_term_get_symbol(s->terms, parts->unknowns[j])] = j + 1;
    s->role[j] = IS_OPEN;
  }
  for (uint32_t e = 0; e < parts->row_start[parts->n_diff]; e++) {
    s->role[parts->columns[e]] = IS_DYNAMIC;
  }
  for (uint32_t j = 0; j < parts->n; j++) {
    if (s->role[j] == IS_DYNAMIC) {
      s->place[j] = s->solved->y->len;
      g_array_append_val(s->solved->y, j);
    }
  }
}

/* ---- what is left ------------------------------------------------------------------------ */

enum { PATTERN_A, PATTERN_LIFT, PATTERN_REST };

static void
end_row(GArray *starts, const GArray *columns)
{
  g_array_append_val(starts, columns->len);
}

/* Appends t with the open unknowns at 0 to `to`, and its derivatives by them as a row of a
 * pattern; false: it is not linear. */
static bool
append_linear(Solving *s, DaeTerm t, DaeSubst *zeros, GArray *to, int pattern, GArray *entries)
{
  GArray *columns = s->solved->columns[pattern];
  const DaeTerm at_zero = dae_subst_apply(zeros, t);
  if (at_zero == DAE_NO_TERM) {
    return false;
  }
  g_array_append_val(to, at_zero);
  for (uint32_t k = 0; k < s->solved->linear->len; k++) {
    const uint32_t j = g_array_index(s->solved->linear, uint32_t, k);
    const DaeTerm derivative = dae_term_partial(s->terms, t, s->parts->unknowns[j]);
    if (dae_term_is_zero(s->terms, derivative)) {
      continue;
    }
    if (has_open(s, derivative)) {
      return false;
    }
    g_array_append_val(columns, k);
    g_array_append_val(entries, derivative);
  }
  end_row(s->solved->starts[pattern], columns);
  return true;
}

/* Gradient of a constraint between y into s->variables and s->derivatives; false: there is more
 * in it than y. */
static bool
take_gradient(Solving *s, DaeTerm t)
{
  g_array_set_size(s->variables, 0);
  g_array_set_size(s->derivatives, 0);
  dae_term_gradient(s->terms, t, s->variables, s->derivatives);
  for (guint i = 0; i < s->variables->len; i++) {
    const DaeTerm variable = g_array_index(s->variables, DaeTerm, i);
    const uint32_t j = s->column_of[dae_term_get_symbol(s->terms, variable)];
    if (j == 0 || dae_term_order(s->terms, variable) > 0) {
      return false;
    }
  }
  return true;
}

static uint32_t
unknown_of(const Solving *s, guint i)
{
  const DaeTerm variable = g_array_index(s->variables, DaeTerm, i);
  return s->column_of[dae_term_get_symbol(s->terms, variable)] - 1;
}

static bool
append_rest(Solving *s, DaeTerm t)
{
  GArray *columns = s->solved->columns[PATTERN_REST];
  g_array_append_val(s->solved->groups[GROUP_REST], t);
  if (!take_gradient(s, t)) {
    return false;
  }
  for (guint i = 0; i < s->variables->len; i++) {
    const DaeTerm derivative = g_array_index(s->derivatives, DaeTerm, i);
    if (!dae_term_is_zero(s->terms, derivative)) {
      g_array_append_val(columns, s->place[unknown_of(s, i)]);
      g_array_append_val(s->solved->groups[GROUP_REST_SLOPE], derivative);
    }
  }
  end_row(s->solved->starts[PATTERN_REST], columns);
  return true;
}

/* The slopes that are terms without open unknowns, y' = f with a number for the mass. */
static void
find_slopes(Solving *s)
{
  const DaeSystemParts *parts = s->parts;
  for (uint32_t i = 0; i < parts->n_diff; i++) {
    const uint32_t e = parts->row_start[i];
    const DaeTerm f = g_array_index(s->solved->groups[GROUP_STAGE], DaeTerm, i);
    const GArray *lift = s->solved->starts[PATTERN_LIFT];
    const bool is_lifted =
        g_array_index(lift, uint32_t, i + 1) > g_array_index(lift, uint32_t, i);
    if (parts->row_start[i + 1] == e + 1 && !is_lifted &&
        dae_term_is_number(s->terms, parts->coefficients[e])) {
      s->slopes[parts->columns[e]] = dae_term_div(s->terms, f, parts->coefficients[e]);
    }
  }
}

/* A constraint between y whose derivative has slopes that are no terms: that derivative, b + a y',
 * as a row of b and a. *is_one: it is such a constraint. */
static bool
append_differentiated(Solving *s, DaeTerm t, GArray *b, GArray *a, bool *is_one)
{
  GArray *columns = s->solved->columns[PATTERN_A];
  g_autoptr(GArray) summands = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  const DaeTerm by_time = dae_term_partial(s->terms, t, dae_term_time(s->terms));
  g_array_append_val(summands, by_time);
  if (!take_gradient(s, t)) {
    return false;
  }
  *is_one = false;
  for (guint i = 0; i < s->variables->len; i++) {
    const DaeTerm derivative = g_array_index(s->derivatives, DaeTerm, i);
    const uint32_t j = unknown_of(s, i);
    if (dae_term_is_zero(s->terms, derivative)) {
      continue;
    }
    if (s->slopes[j] != DAE_NO_TERM) {
      const DaeTerm part = dae_term_mul(s->terms, derivative, s->slopes[j]);
      g_array_append_val(summands, part);
    } else {
      *is_one = true;
      g_array_append_val(columns, s->place[j]);
      g_array_append_val(a, derivative);
    }
  }
  if (*is_one) {
    const DaeTerm sum =
        dae_term_sum(s->terms, (const DaeTerm *)(const void *)summands->data, summands->len);
    g_array_append_val(b, sum);
    end_row(s->solved->starts[PATTERN_A], columns);
  }
  return true;
}

/* b and a from the constraints between y; false: not as many as there are open unknowns. */
static bool
differentiate_rest(Solving *s, GArray *b, GArray *a)
{
  bool good = true;
  find_slopes(s);
  for (guint i = 0; i < s->solved->groups[GROUP_REST]->len && good; i++) {
    bool is_one = false;
    good = append_differentiated(s, g_array_index(s->solved->groups[GROUP_REST], DaeTerm, i), b,
                                 a, &is_one);
  }
  s->solved->form.is_differentiated = good && b->len == s->solved->linear->len;
  return s->solved->form.is_differentiated;
}

/* b and a from the constraints that open unknowns are in. */
static bool
append_algebraic(Solving *s, DaeSubst *zeros, GArray *b, GArray *a)
{
  g_array_set_size(b, 0);
  g_array_set_size(a, 0);
  g_array_set_size(s->solved->starts[PATTERN_A], 1);
  g_array_set_size(s->solved->columns[PATTERN_A], 0);
  for (uint32_t i = 0; i < s->parts->n_con; i++) {
    if (!s->is_used[i] && has_open(s, s->rows[i]) &&
        !append_linear(s, s->rows[i], zeros, b, PATTERN_A, a)) {
      return false;
    }
  }
  return b->len == s->solved->linear->len;
}

/* f and lift, b and a; the constraints without open unknowns are the rest. */
static bool
append_stage(Solving *s)
{
  DaeSolvedTerms *solved = s->solved;
  const DaeSystemParts *parts = s->parts;
  GArray *stage = solved->groups[GROUP_STAGE];
  g_autoptr(DaeSubst) zeros = dae_subst_new(s->terms);
  g_autoptr(GArray) a = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) b = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) lift = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t k = 0; k < solved->linear->len; k++) {
    dae_subst_set(zeros, parts->unknowns[g_array_index(solved->linear, uint32_t, k)],
                  dae_term_int(s->terms, 0));
  }
  for (uint32_t i = 0; i < parts->n_diff; i++) {
    const DaeTerm f = dae_subst_apply(s->values, parts->rhs[i]);
    if (f == DAE_NO_TERM || !append_linear(s, f, zeros, stage, PATTERN_LIFT, lift)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < parts->n_con; i++) {
    if (!s->is_used[i] && !has_open(s, s->rows[i]) && !append_rest(s, s->rows[i])) {
      return false;
    }
  }
  if (solved->linear->len > 0 && !differentiate_rest(s, b, a) &&
      !append_algebraic(s, zeros, b, a)) {
    return false;
  }
  g_array_append_vals(stage, b->data, b->len);
  g_array_append_vals(stage, a->data, a->len);
  g_array_append_vals(stage, lift->data, lift->len);
  return true;
}

static bool
append_masses(Solving *s)
{
  const DaeSystemParts *parts = s->parts;
  for (uint32_t i = 0; i < parts->n_diff; i++) {
    const uint32_t first = parts->row_start[i];
    for (uint32_t e = first; e < parts->row_start[i + 1]; e++) {
      const DaeTerm m = dae_subst_apply(s->values, parts->coefficients[e]);
      if (m == DAE_NO_TERM || has_open(s, m) ||
          (e > first && parts->columns[e] <= parts->columns[e - 1])) {
        return false;
      }
      g_array_append_val(s->solved->groups[GROUP_MASS], m);
    }
  }
  return true;
}

/* ---- making ------------------------------------------------------------------------------ */

static void
set_form(DaeSolvedTerms *solved, uint32_t n_diff)
{
  DaeSolved *form = &solved->form;
  DaePattern *const patterns[3] = {&form->a, &form->lift, &form->rest};
  const uint32_t n_columns[3] = {form->is_differentiated ? solved->y->len : solved->linear->len,
                                 solved->linear->len, solved->y->len};
  for (int p = 0; p < 3; p++) {
    *patterns[p] = (DaePattern){solved->starts[p]->len - 1, n_columns[p],
                                (const uint32_t *)(void *)solved->starts[p]->data,
                                (const uint32_t *)(void *)solved->columns[p]->data};
  }
  DAE_ASSERT(form->lift.n_rows == n_diff);
  form->n_y = solved->y->len;
  form->n_direct = solved->direct->len;
  form->n_linear = solved->linear->len;
  form->n_rest = solved->groups[GROUP_REST]->len;
  form->y = (const uint32_t *)(void *)solved->y->data;
  form->direct = (const uint32_t *)(void *)solved->direct->data;
  form->linear = (const uint32_t *)(void *)solved->linear->data;
}

static bool
may_have_form(DaeTerms *terms, const DaeSystemParts *parts)
{
  bool good = parts->n <= MOST_UNKNOWNS && parts->n_held == 0 && parts->n_diff > 0;
  for (uint32_t i = 0; i < parts->n_con && good; i++) {
    good = !dae_term_has_varying_break(terms, parts->constraints[i]);
  }
  for (uint32_t i = 0; i < parts->n_diff && good; i++) {
    good = !dae_term_has_varying_break(terms, parts->rhs[i]);
  }
  return good;
}

static bool
find_form(Solving *s)
{
  set_roles(s);
  if (s->solved->y->len != s->parts->n_diff || !solve_rows(s)) {
    return false;
  }
  for (uint32_t j = 0; j < s->parts->n; j++) {
    if (s->role[j] == IS_OPEN) {
      s->place[j] = s->solved->linear->len;
      g_array_append_val(s->solved->linear, j);
    }
  }
  return append_masses(s) && append_stage(s);
}

DaeSolvedTerms *
dae_solved_new(DaeTerms *terms, const DaeSystemParts *parts)
{
  if (!may_have_form(terms, parts)) {
    return NULL;
  }
  DaeSolvedTerms *solved = g_new0(DaeSolvedTerms, 1);
  for (int g = 0; g < GROUP_COUNT; g++) {
    solved->groups[g] = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  }
  GArray **const indices[] = {&solved->y, &solved->direct, &solved->linear};
  for (int p = 0; p < 3; p++) {
    const uint32_t zero = 0;
    *indices[p] = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    solved->starts[p] = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    solved->columns[p] = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    g_array_append_val(solved->starts[p], zero);
  }
  g_autofree uint32_t *column_of = g_new0(uint32_t, (size_t)dae_terms_symbol_count(terms) + 1);
  g_autofree uint32_t *place = g_new0(uint32_t, (size_t)parts->n + 1);
  g_autofree Role *role = g_new0(Role, (size_t)parts->n + 1);
  g_autofree DaeTerm *rows = g_new0(DaeTerm, (size_t)parts->n_con + 1);
  g_autofree bool *is_used = g_new0(bool, (size_t)parts->n_con + 1);
  g_autoptr(DaeSubst) values = dae_subst_new(terms);
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (parts->n_con > 0) {
    memcpy(rows, parts->constraints, parts->n_con * sizeof *rows);
  }
  g_autofree DaeTerm *slopes = g_new0(DaeTerm, (size_t)parts->n + 1);
  Solving s = {.terms = terms,
               .parts = parts,
               .solved = solved,
               .column_of = column_of,
               .role = role,
               .place = place,
               .rows = rows,
               .is_used = is_used,
               .values = values,
               .slopes = slopes,
               .variables = variables,
               .derivatives = derivatives};
  if (!find_form(&s)) {
    dae_solved_free(solved);
    return NULL;
  }
  set_form(solved, parts->n_diff);
  return solved;
}

void
dae_solved_free(DaeSolvedTerms *solved)
{
  if (solved == NULL) {
    return;
  }
  for (int g = 0; g < GROUP_COUNT; g++) {
    g_array_unref(solved->groups[g]);
  }
  for (int p = 0; p < 3; p++) {
    g_array_unref(solved->starts[p]);
    g_array_unref(solved->columns[p]);
  }
  g_array_unref(solved->y);
  g_array_unref(solved->direct);
  g_array_unref(solved->linear);
  g_free(solved);
}

GArray *const *
dae_solved_groups(const DaeSolvedTerms *solved)
{
  return solved->groups;
}

const DaeSolved *
dae_solved_form(const DaeSolvedTerms *solved)
{
  return &solved->form;
}
