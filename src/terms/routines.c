/* Routines of a context: their parts, what depends on what, derivatives. */
#include "terms/routines.h"

#include <string.h>

#include "terms/routines-priv.h"

/* ---- the table --------------------------------------------------------------------------- */

DaeRoutineEntry *
dae_routine_entry(const DaeTerms *terms, uint32_t number)
{
  DAE_ASSERT(terms->routines != NULL && number < terms->routines->len);
  return g_ptr_array_index(terms->routines, number);
}

static void
free_entry(gpointer data)
{
  DaeRoutineEntry *entry = data;
  g_free((char *)entry->parts.name);
  g_free((DaeTerm *)entry->parts.inputs);
  g_free((DaeTerm *)entry->parts.initial);
  g_free((DaeTerm *)entry->parts.next);
  g_free((DaeTerm *)entry->parts.outputs);
  g_free(entry->partials);
  g_free(entry->depends);
  g_free(entry->moves);
  g_free(entry->by_total);
  g_free(entry->method);
  g_free(entry);
}

void
dae_routines_free_all(DaeTerms *terms)
{
  if (terms->routines != NULL) {
    g_ptr_array_free(terms->routines, TRUE);
    g_hash_table_destroy(terms->routine_index);
  }
  if (terms->routine_names != NULL) {
    g_hash_table_destroy(terms->routine_names);
  }
  if (terms->formals != NULL) {
    g_array_free(terms->formals, TRUE);
  }
  if (terms->routine_codes != NULL) {
    dae_routine_library_unref(terms->routine_codes);
  }
}

static guint
hash_list(guint hash, const DaeTerm *list, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    hash = hash * 31u + list[i];
  }
  return hash;
}

static guint
hash_entry(gconstpointer key)
{
  const DaeRoutine *r = &((const DaeRoutineEntry *)key)->parts;
  guint hash = r->n_inputs * 7u + r->n_states * 3u + r->condition;
  hash = hash_list(hash, r->initial, r->n_states);
  hash = hash_list(hash, r->next, r->n_states);
  return hash_list(hash, r->outputs, r->n_outputs);
}

static bool
same_list(const DaeTerm *a, const DaeTerm *b, uint32_t n)
{
  return n == 0 || memcmp(a, b, n * sizeof(DaeTerm)) == 0;
}

static gboolean
same_entry(gconstpointer a, gconstpointer b)
{
  const DaeRoutine *x = &((const DaeRoutineEntry *)a)->parts;
  const DaeRoutine *y = &((const DaeRoutineEntry *)b)->parts;
  return x->n_inputs == y->n_inputs && x->n_states == y->n_states &&
         x->n_outputs == y->n_outputs && x->condition == y->condition &&
         same_list(x->initial, y->initial, x->n_states) &&
         same_list(x->next, y->next, x->n_states) &&
         same_list(x->outputs, y->outputs, x->n_outputs);
}

DaeTerm
dae_terms_formal(DaeTerms *terms, uint32_t i)
{
  if (terms->formals == NULL) {
    terms->formals = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  }
  while (terms->formals->len <= i) {
    g_autofree char *name = g_strdup_printf("$%u", terms->formals->len + 1);
    DaeSymbol symbol = dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_VARIABLE, name);
    dae_terms_set_variability(terms, symbol, DAE_VARIABILITY_CONTINUOUS);
    DaeTerm formal = dae_term_variable(terms, symbol, 0);
    g_array_append_val(terms->formals, formal);
  }
  return g_array_index(terms->formals, DaeTerm, i);
}

static uint32_t
add_entry(DaeTerms *terms, DaeRoutineEntry *entry)
{
  if (terms->routines == NULL) {
    terms->routines = g_ptr_array_new_with_free_func(free_entry);
    terms->routine_index = g_hash_table_new(hash_entry, same_entry);
  }
  g_ptr_array_add(terms->routines, entry);
  return terms->routines->len - 1;
}

uint32_t
dae_terms_routine_count(const DaeTerms *terms)
{
  return terms->routines != NULL ? terms->routines->len : 0;
}

const char *
dae_terms_routine_name(const DaeTerms *terms, uint32_t number)
{
  return dae_routine_entry(terms, number)->parts.name;
}

void
dae_terms_keep_routine_name(DaeTerms *terms, uint32_t number)
{
  DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  if (terms->routine_names == NULL) {
    terms->routine_names = g_hash_table_new(g_str_hash, g_str_equal);
  }
  entry->keeps_name = true;
  g_hash_table_add(terms->routine_names, (gpointer)entry->parts.name);
}

bool
dae_routine_keeps_name(const DaeTerms *terms, uint32_t number)
{
  return dae_routine_entry(terms, number)->keeps_name;
}

bool
dae_routine_is_name(const DaeTerms *terms, const char *text)
{
  return terms->routine_names != NULL && g_hash_table_contains(terms->routine_names, text);
}

/* ---- definition -------------------------------------------------------------------------- */

static DaeTerm *
replaced(DaeSubst *subst, const DaeTerm *list, uint32_t n)
{
  DaeTerm *copy = g_new(DaeTerm, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    copy[i] = dae_subst_apply(subst, list[i]);
    DAE_ASSERT(copy[i] != DAE_NO_TERM); /* variables for variables */
  }
  return copy;
}

/* Formals take the place of inputs and states. */
static void
fill_entry(DaeTerms *terms, DaeRoutineEntry *entry, const DaeRoutine *r)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  uint32_t n = r->n_inputs + r->n_states;
  DaeTerm *formals = g_new(DaeTerm, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    formals[i] = dae_terms_formal(terms, i);
    dae_subst_set(subst, i < r->n_inputs ? r->inputs[i] : r->states[i - r->n_inputs],
                  formals[i]);
  }
  entry->parts = (DaeRoutine){.name = entry->parts.name,
                              .inputs = formals,
                              .states = formals + r->n_inputs,
                              .initial = replaced(subst, r->initial, r->n_states),
                              .next = replaced(subst, r->next, r->n_states),
                              .outputs = replaced(subst, r->outputs, r->n_outputs),
                              .condition = DAE_NO_TERM,
                              .n_inputs = r->n_inputs,
                              .n_states = r->n_states,
                              .n_outputs = r->n_outputs};
  if (r->n_states > 0) {
    entry->parts.condition = dae_subst_apply(subst, r->condition);
    DAE_ASSERT(entry->parts.condition != DAE_NO_TERM);
  }
  entry->is_defined = true;
}

uint32_t
dae_terms_declare_routine(DaeTerms *terms, const char *name, uint32_t n_inputs,
                          uint32_t n_outputs)
{
  DAE_ASSERT(n_inputs > 0);
  DaeRoutineEntry *entry = g_new0(DaeRoutineEntry, 1);
  entry->parts =
      (DaeRoutine){.name = g_strdup(name), .n_inputs = n_inputs, .n_outputs = n_outputs};
  return add_entry(terms, entry);
}

void
dae_terms_define_routine(DaeTerms *terms, uint32_t number, const DaeRoutine *routine)
{
  DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  DAE_ASSERT(!entry->is_defined && routine->n_inputs == entry->parts.n_inputs &&
             routine->n_outputs == entry->parts.n_outputs);
  fill_entry(terms, entry, routine);
  if (entry->depends == NULL) {
    entry->depends = dae_routine_find_dependence(terms, &entry->parts, false);
    entry->moves = dae_routine_find_dependence(terms, &entry->parts, true);
  }
}

uint32_t
dae_terms_add_own_routine(DaeTerms *terms, const DaeRoutine *routine)
{
  uint32_t number =
      dae_terms_declare_routine(terms, routine->name, routine->n_inputs, routine->n_outputs);
  dae_terms_define_routine(terms, number, routine);
  return number;
}

uint32_t
dae_terms_add_routine(DaeTerms *terms, const DaeRoutine *routine)
{
  DAE_ASSERT(routine->n_inputs > 0);
  DaeRoutineEntry *entry = g_new0(DaeRoutineEntry, 1);
  entry->parts.name = g_strdup(routine->name);
  fill_entry(terms, entry, routine);
  gpointer known =
      terms->routine_index != NULL ? g_hash_table_lookup(terms->routine_index, entry) : NULL;
  if (known != NULL) {
    free_entry(entry);
    return GPOINTER_TO_UINT(known) - 1;
  }
  uint32_t number = add_entry(terms, entry);
  g_hash_table_insert(terms->routine_index, entry, GUINT_TO_POINTER(number + 1));
  entry->depends = dae_routine_find_dependence(terms, &entry->parts, false);
  entry->moves = dae_routine_find_dependence(terms, &entry->parts, true);
  return number;
}

/* ---- functions without a body ------------------------------------------------------------ */

uint32_t
dae_terms_add_unknown_routine(DaeTerms *terms, const char *name, uint32_t n_inputs,
                              uint32_t n_outputs, const uint8_t *is_step)
{
  uint32_t number = dae_terms_declare_routine(terms, name, n_inputs, n_outputs);
  g_autofree DaeTerm *inputs = g_new(DaeTerm, n_inputs);
  g_autofree DaeTerm *outputs = g_new(DaeTerm, n_outputs + 1);
  for (uint32_t i = 0; i < n_inputs; i++) {
    inputs[i] = dae_terms_formal(terms, i);
  }
  for (uint32_t k = 0; k < n_outputs; k++) {
    outputs[k] = dae_term_routine(terms, number, k, inputs);
  }
  DaeRoutine routine = {
      .inputs = inputs, .outputs = outputs, .n_inputs = n_inputs, .n_outputs = n_outputs};
  dae_terms_define_routine(terms, number, &routine);
  DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  entry->is_unknown = true;
  for (uint32_t k = 0; k < n_outputs; k++) {
    memset(entry->moves + (size_t)k * n_inputs, is_step[k] != 0 ? 0 : 1, n_inputs);
  }
  return number;
}

uint32_t
dae_terms_add_method_routine(DaeTerms *terms, const char *name, const DaeMethod *method,
                             const uint8_t *is_step)
{
  uint32_t number =
      dae_terms_add_unknown_routine(terms, name, method->n_inputs, method->n_outputs, is_step);
  dae_routine_entry(terms, number)->method = g_memdup2(method, sizeof *method);
  return number;
}

bool
dae_terms_routine_is_step(const DaeTerms *terms, uint32_t number, uint32_t k)
{
  bool moves = false;
  for (uint32_t i = 0; i < dae_routine_entry(terms, number)->parts.n_inputs && !moves; i++) {
    moves = dae_routine_depends(terms, number, k, i, true);
  }
  return !moves;
}

const DaeMethod *
dae_terms_routine_method(const DaeTerms *terms, uint32_t number)
{
  return dae_routine_entry(terms, number)->method;
}

bool
dae_terms_routine_has_values(const DaeTerms *terms, uint32_t number)
{
  uint32_t order = 0;
  const DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  if (!dae_terms_routine_is_unknown(terms, number, &order)) {
    return true;
  }
  while (entry->of != 0) {
    entry = dae_routine_entry(terms, entry->of - 1);
  }
  return entry->method != NULL;
}

bool
dae_terms_routine_is_unknown(const DaeTerms *terms, uint32_t number, uint32_t *order)
{
  const DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  bool is_given = false; /* by a derivative that it calls */
  for (*order = 0; entry->of != 0; (*order)++) {
    const DaeRoutineEntry *of = dae_routine_entry(terms, entry->of - 1);
    is_given = is_given || (of->total != 0 && of->by_total[entry->by] != 0);
    entry = of;
  }
  return entry->is_unknown && !is_given;
}

/* ---- derivatives ------------------------------------------------------------------------- */

/* Its outputs depend on what the derivative depends on, since that is called with the same
 * arguments; its derivatives only on inputs whose derivative counts there. */
static void
take_dependence(DaeTerms *terms, DaeRoutineEntry *entry, uint32_t total)
{
  uint32_t n = entry->parts.n_inputs;
  for (uint32_t k = 0; k < entry->parts.n_outputs; k++) {
    for (uint32_t i = 0; i < n; i++) {
      bool moves = dae_routine_depends(terms, total, k, n + i, false);
      size_t at = (size_t)k * n + i;
      entry->depends[at] |= moves || dae_routine_depends(terms, total, k, i, false) ? 1 : 0;
      if (entry->by_total[i] != 0) {
        entry->moves[at] = moves ? 1 : 0;
      }
    }
  }
}

void
dae_terms_set_routine_derivative(DaeTerms *terms, uint32_t number, uint32_t total,
                                 const uint8_t *by_total)
{
  DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  const DaeRoutine *t = &dae_routine_entry(terms, total)->parts;
  DAE_ASSERT(t->n_inputs == 2 * entry->parts.n_inputs &&
             t->n_outputs == entry->parts.n_outputs && entry->depends != NULL);
  entry->total = total + 1;
  entry->by_total = g_memdup2(by_total, entry->parts.n_inputs);
  take_dependence(terms, entry, total);
}

bool
dae_terms_routine_is_annotated(const DaeTerms *terms, uint32_t number)
{
  const DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  return entry->total != 0 && entry->method == NULL;
}

void
dae_terms_use_routine_inverse(DaeTerms *terms, uint32_t number)
{
  dae_routine_entry(terms, number)->is_inverted = true;
}

bool
dae_terms_routine_is_inverted(const DaeTerms *terms, uint32_t number)
{
  return dae_routine_entry(terms, number)->is_inverted;
}

/* A derivative that divides by the number 0 is not defined anywhere. */
static DaeTerm
defined(DaeTerms *terms, DaeTerm t)
{
  return t != DAE_NO_TERM ? t : dae_term_undefined(terms);
}

/* The derivative of a loop is the loop with the derivatives of its states as further states. */
static void
define_partial_of_loop(DaeTerms *terms, uint32_t number, const DaeRoutine *r, uint32_t i)
{
  uint32_t n = r->n_states;
  g_autofree DaeTerm *states = g_new(DaeTerm, 2 * (size_t)n + 1);
  g_autofree DaeTerm *initial = g_new(DaeTerm, 2 * (size_t)n + 1);
  g_autofree DaeTerm *next = g_new(DaeTerm, 2 * (size_t)n + 1);
  g_autofree DaeTerm *outputs = g_new(DaeTerm, r->n_outputs + 1);
  for (uint32_t s = 0; s < n; s++) {
    states[s] = r->states[s];
    states[n + s] = dae_terms_formal(terms, r->n_inputs + n + s);
    initial[s] = r->initial[s];
    initial[n + s] = defined(terms, dae_term_partial(terms, r->initial[s], r->inputs[i]));
    next[s] = r->next[s];
  }
  DaeMemo directions = {.entries = NULL};
  DaeMemo memo = {.entries = NULL};
  dae_memo_set(&directions, r->inputs[i], terms->one);
  for (uint32_t s = 0; s < n; s++) {
    dae_memo_set(&directions, r->states[s], states[n + s]);
  }
  for (uint32_t s = 0; s < n; s++) {
    next[n + s] = defined(terms, dae_diff_along(terms, r->next[s], &directions, &memo));
  }
  for (uint32_t k = 0; k < r->n_outputs; k++) {
    outputs[k] = defined(terms, dae_diff_along(terms, r->outputs[k], &directions, &memo));
  }
  dae_memo_clear(&directions);
  dae_memo_clear(&memo);
  DaeRoutine partial = {.inputs = r->inputs,
                        .states = states,
                        .initial = initial,
                        .next = next,
                        .outputs = outputs,
                        .condition = r->condition,
                        .n_inputs = r->n_inputs,
                        .n_states = 2 * n,
                        .n_outputs = r->n_outputs};
  dae_terms_define_routine(terms, number, &partial);
}

/* (f(x + h) - f(x - h))/(2 h) with h = 2^-17 (1 + |x[i]|): errors of rounding and of cutting
 * off are alike there [Dennis, Schnabel, Numerical Methods, section 5.6]. */
static void
define_partial_by_differences(DaeTerms *terms, uint32_t number, uint32_t of,
                              const DaeRoutine *r, uint32_t i)
{
  g_autofree DaeTerm *before = g_memdup2(r->inputs, r->n_inputs * sizeof(DaeTerm));
  g_autofree DaeTerm *after = g_memdup2(r->inputs, r->n_inputs * sizeof(DaeTerm));
  g_autofree DaeTerm *outputs = g_new(DaeTerm, r->n_outputs + 1);
  DaeTerm h = dae_term_mul(
      terms, dae_term_ratio(terms, 1, 1 << 17),
      dae_term_add(terms, terms->one, dae_term_call1(terms, DAE_FN_ABS, r->inputs[i])));
  before[i] = dae_term_sub(terms, r->inputs[i], h);
  after[i] = dae_term_add(terms, r->inputs[i], h);
  for (uint32_t k = 0; k < r->n_outputs; k++) {
    DaeTerm change = dae_term_sub(terms, dae_term_routine(terms, of, k, after),
                                  dae_term_routine(terms, of, k, before));
    outputs[k] = dae_term_div(terms, change, dae_term_mul(terms, dae_term_int(terms, 2), h));
  }
  DaeRoutine partial = {.inputs = r->inputs,
                        .outputs = outputs,
                        .n_inputs = r->n_inputs,
                        .n_outputs = r->n_outputs};
  dae_terms_define_routine(terms, number, &partial);
}

/* By the annotation: total(x, unit vector i). */
static void
define_partial_by_total(DaeTerms *terms, uint32_t number, const DaeRoutine *r, uint32_t total,
                        uint32_t i)
{
  g_autofree DaeTerm *arguments = g_new(DaeTerm, 2 * (size_t)r->n_inputs);
  g_autofree DaeTerm *outputs = g_new(DaeTerm, r->n_outputs + 1);
  for (uint32_t q = 0; q < r->n_inputs; q++) {
    arguments[q] = r->inputs[q];
    arguments[r->n_inputs + q] = q == i ? terms->one : terms->zero;
  }
  for (uint32_t k = 0; k < r->n_outputs; k++) {
    outputs[k] = dae_term_routine(terms, total, k, arguments);
  }
  DaeRoutine partial = {.inputs = r->inputs,
                        .outputs = outputs,
                        .n_inputs = r->n_inputs,
                        .n_outputs = r->n_outputs};
  dae_terms_define_routine(terms, number, &partial);
}

const DaeRoutine *
dae_terms_routine(DaeTerms *terms, uint32_t number)
{
  DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  if (!entry->is_defined && entry->of != 0) {
    const DaeRoutine base = *dae_terms_routine(terms, entry->of - 1);
    const DaeRoutineEntry *of = dae_routine_entry(terms, entry->of - 1);
    uint32_t total = of->total;
    if (total != 0 && of->by_total[entry->by] != 0) {
      define_partial_by_total(terms, number, &base, total - 1, entry->by);
    } else if (of->method != NULL) {
      define_partial_by_differences(terms, number, entry->of - 1, &base, entry->by);
    } else {
      define_partial_of_loop(terms, number, &base, entry->by);
    }
  }
  DAE_ASSERT(entry->is_defined);
  return &entry->parts;
}

/* A derivative by the annotation is total(x, unit vector): it depends on what that does. */
static void
take_dependence_of_total(const DaeTerms *terms, const DaeRoutineEntry *entry,
                         DaeRoutineEntry *made, uint32_t by)
{
  uint32_t n = entry->parts.n_inputs;
  if (entry->total == 0 || entry->by_total[by] == 0) {
    return;
  }
  for (uint32_t k = 0; k < entry->parts.n_outputs; k++) {
    for (uint32_t i = 0; i < n; i++) {
      size_t at = (size_t)k * n + i;
      made->depends[at] = dae_routine_depends(terms, entry->total - 1, k, i, false) ? 1 : 0;
      made->moves[at] = dae_routine_depends(terms, entry->total - 1, k, i, true) ? 1 : 0;
    }
  }
}

/* Declared only: a walk through terms is under way, and the parts need one of their own. */
static uint32_t
partial_number(DaeTerms *terms, uint32_t number, uint32_t i)
{
  DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  if (entry->partials == NULL) {
    entry->partials = g_new0(uint32_t, entry->parts.n_inputs);
  }
  if (entry->partials[i] == 0) {
    g_autofree char *name = g_strdup_printf("%s.der%u", entry->parts.name, i + 1);
    uint32_t partial =
        dae_terms_declare_routine(terms, name, entry->parts.n_inputs, entry->parts.n_outputs);
    DaeRoutineEntry *made = dae_routine_entry(terms, partial);
    made->of = number + 1;
    made->by = i;
    entry = dae_routine_entry(terms, number);
    size_t n = (size_t)entry->parts.n_inputs * entry->parts.n_outputs;
    made->depends = entry->depends != NULL ? g_memdup2(entry->depends, n) : NULL;
    made->moves = entry->moves != NULL ? g_memdup2(entry->moves, n) : NULL;
    take_dependence_of_total(terms, entry, made, i);
    entry->partials[i] = partial + 1;
  }
  return entry->partials[i] - 1;
}

DaeTerm
dae_term_routine_partial(DaeTerms *terms, DaeTerm call, uint32_t i)
{
  uint32_t number = 0;
  uint32_t k = 0;
  uint32_t n = 0;
  dae_term_get_routine(terms, call, &number, &k);
  const DaeTerm *operands = dae_term_operands(terms, call, &n);
  if (!dae_routine_depends(terms, number, k, i, true)) {
    return terms->zero;
  }
  return dae_term_routine(terms, partial_number(terms, number, i), k, operands + 2);
}

/* ---- terms ------------------------------------------------------------------------------- */

DaeTerm
dae_term_routine(DaeTerms *terms, uint32_t number, uint32_t k, const DaeTerm *arguments)
{
  const DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  DaeList operands;
  bool good = true;
  DAE_ASSERT(k < entry->parts.n_outputs);
  dae_list_init(&operands);
  dae_list_push(&operands, dae_term_int(terms, number));
  dae_list_push(&operands, dae_term_int(terms, k));
  for (uint32_t i = 0; i < entry->parts.n_inputs; i++) {
    good = good && arguments[i] != DAE_NO_TERM;
    bool counts = dae_routine_depends(terms, number, k, i, false);
    dae_list_push(&operands, counts ? arguments[i] : terms->zero);
  }
  DaeTerm result =
      good ? dae_term_call(terms, DAE_FN_ROUTINE, operands.data, operands.n) : DAE_NO_TERM;
  dae_list_clear(&operands);
  return result;
}

void
dae_term_get_routine(const DaeTerms *terms, DaeTerm t, uint32_t *number, uint32_t *k)
{
  int64_t value = 0;
  DAE_ASSERT(dae_term_function(terms, t) == DAE_FN_ROUTINE);
  bool good = dae_term_get_int64(terms, dae_term_operand(terms, t, 0), &value);
  *number = (uint32_t)value;
  good = good && dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &value);
  *k = (uint32_t)value;
  DAE_ASSERT(good);
}

/* The next call of a routine among the terms to visit; DAE_NO_TERM: there are no more. */
static DaeTerm
next_call_of_routine(const DaeTerms *terms, DaeVisit *visit)
{
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    if ((dae_node(terms, t)->flags & DAE_HAS_CALL) == 0) {
      continue;
    }
    dae_visit_enter(visit, t);
    if (dae_term_kind(terms, t) == DAE_KIND_CALL &&
        dae_term_function(terms, t) == DAE_FN_ROUTINE) {
      return t;
    }
  }
  return DAE_NO_TERM;
}

static void
collect_in_term(DaeTerms *terms, DaeTerm root, GArray *numbers, DaeVisit *visit)
{
  dae_visit_add(visit, root);
  for (DaeTerm t = next_call_of_routine(terms, visit); t != DAE_NO_TERM;
       t = next_call_of_routine(terms, visit)) {
    uint32_t number = 0;
    uint32_t k = 0;
    bool is_new = true;
    dae_term_get_routine(terms, t, &number, &k);
    for (uint32_t i = 0; i < numbers->len && is_new; i++) {
      is_new = g_array_index(numbers, uint32_t, i) != number;
    }
    if (is_new) {
      g_array_append_val(numbers, number);
    }
  }
}

void
dae_term_collect_routines(DaeTerms *terms, DaeTerm t, GArray *numbers)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  uint32_t next = numbers->len;
  collect_in_term(terms, t, numbers, visit);
  for (; next < numbers->len; next++) {
    const DaeRoutine r = *dae_terms_routine(terms, g_array_index(numbers, uint32_t, next));
    for (uint32_t s = 0; s < r.n_states; s++) {
      collect_in_term(terms, r.initial[s], numbers, visit);
      collect_in_term(terms, r.next[s], numbers, visit);
    }
    if (r.n_states > 0) {
      collect_in_term(terms, r.condition, numbers, visit);
    }
    for (uint32_t k = 0; k < r.n_outputs; k++) {
      collect_in_term(terms, r.outputs[k], numbers, visit);
    }
  }
}

/* Is the call one of the derivative of an output that is not continuous? */
static bool
is_free_derivative(const DaeTerms *terms, DaeTerm t)
{
  uint32_t number = 0;
  uint32_t k = 0;
  dae_term_get_routine(terms, t, &number, &k);
  const DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  bool is_derivative = entry->of != 0;
  while (entry->of != 0) {
    entry = dae_routine_entry(terms, entry->of - 1);
  }
  return is_derivative && entry->method != NULL && k >= entry->method->n_continuous;
}

static uint32_t
find_free_in_term(DaeTerms *terms, DaeTerm root, DaeVisit *visit)
{
  dae_visit_add(visit, root);
  for (DaeTerm t = next_call_of_routine(terms, visit); t != DAE_NO_TERM;
       t = next_call_of_routine(terms, visit)) {
    if (is_free_derivative(terms, t)) {
      uint32_t number = 0;
      uint32_t k = 0;
      dae_term_get_routine(terms, t, &number, &k);
      return number + 1;
    }
  }
  return 0;
}

uint32_t
dae_term_find_free_derivative(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  dae_term_collect_routines(terms, t, numbers);
  uint32_t found = numbers->len > 0 ? find_free_in_term(terms, t, visit) : 0;
  for (uint32_t i = 0; i < numbers->len && found == 0; i++) {
    const DaeRoutine r = *dae_terms_routine(terms, g_array_index(numbers, uint32_t, i));
    for (uint32_t s = 0; s < r.n_states && found == 0; s++) {
      found = find_free_in_term(terms, r.initial[s], visit);
      found = found == 0 ? find_free_in_term(terms, r.next[s], visit) : found;
    }
    for (uint32_t k = 0; k < r.n_outputs && found == 0; k++) {
      found = find_free_in_term(terms, r.outputs[k], visit);
    }
  }
  return found;
}
