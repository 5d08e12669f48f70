#include "simplify/simplify-priv.h"

#include <string.h>

/* ---- replacing solved variables ---------------------------------------------------------- */

static DaeTerm
derivative_of(DaeSimplifier *s, DaeTerm value, uint32_t order)
{
  for (uint32_t k = 0; k < order && value != DAE_NO_TERM; k++) {
    value = dae_term_total(s->terms, value);
  }
  return value;
}

/* Leaves the atoms of its result in s->atoms. */
DaeTerm
dae_simplifier_replace(DaeSimplifier *s, DaeTerm t)
{
  for (;;) {
    g_autoptr(DaeSubst) subst = NULL;
    g_array_set_size(s->atoms, 0);
    dae_term_collect_variables(s->terms, t, s->atoms);
    for (guint i = 0; i < s->atoms->len; i++) {
      DaeTerm atom = g_array_index(s->atoms, DaeTerm, i);
      uint32_t j = 0;
      if (!dae_model_find_variable(s->model, dae_term_get_symbol(s->terms, atom), &j) ||
          s->replacement[j] == DAE_NO_TERM) {
        continue;
      }
      DaeTerm value = derivative_of(s, s->replacement[j], dae_term_order(s->terms, atom));
      if (value == DAE_NO_TERM) {
        return DAE_NO_TERM;
      }
      subst = subst != NULL ? subst : dae_subst_new(s->terms);
      dae_subst_set(subst, atom, value);
    }
    if (subst == NULL) {
      return t;
    }
    t = dae_subst_apply(subst, t);
    if (t == DAE_NO_TERM) {
      return DAE_NO_TERM;
    }
  }
}

/* The atoms of a residual, which are in s->atoms. */
static void
note_atoms(DaeSimplifier *s, uint32_t equation)
{
  for (guint i = 0; i < s->atoms->len; i++) {
    DaeTerm atom = g_array_index(s->atoms, DaeTerm, i);
    uint32_t j = 0;
    if (dae_model_find_variable(s->model, dae_term_get_symbol(s->terms, atom), &j)) {
      DaeOccurrence occurrence = {equation, s->first_occurrence[j]};
      s->first_occurrence[j] = s->occurrences->len;
      g_array_append_val(s->occurrences, occurrence);
    }
  }
}

static void
note_occurrences(DaeSimplifier *s, uint32_t equation)
{
  g_array_set_size(s->atoms, 0);
  dae_term_collect_variables(s->terms, s->residual[equation], s->atoms);
  if (s->lead[equation] != DAE_NO_TERM) {
    g_array_append_val(s->atoms, s->lead[equation]);
  }
  note_atoms(s, equation);
}

DaeTerm
dae_simplifier_whole(DaeSimplifier *s, uint32_t equation)
{
  return s->lead[equation] == DAE_NO_TERM
             ? s->residual[equation]
             : dae_term_sub(s->terms, s->lead[equation], s->residual[equation]);
}

bool
dae_simplifier_has_derivatives(const DaeSimplifier *s, uint32_t equation)
{
  return s->lead[equation] != DAE_NO_TERM ||
         dae_term_has_derivatives(s->terms, s->residual[equation]);
}

static bool
lead_is_solved(const DaeSimplifier *s, uint32_t equation)
{
  uint32_t j = 0;
  return s->lead[equation] != DAE_NO_TERM &&
         dae_model_find_variable(s->model, dae_term_get_symbol(s->terms, s->lead[equation]),
                                 &j) &&
         s->replacement[j] != DAE_NO_TERM;
}

bool
dae_simplifier_refresh(DaeSimplifier *s, uint32_t equation)
{
  s->work++;
  if (s->stale[equation] == 0) {
    return true;
  }
  if (lead_is_solved(s, equation)) {
    s->residual[equation] = dae_simplifier_whole(s, equation);
    s->lead[equation] = DAE_NO_TERM;
  }
  DaeTerm t = dae_simplifier_replace(s, s->residual[equation]);
  if (t == DAE_NO_TERM) {
    return false;
  }
  s->stale[equation] = 0;
  if (t != s->residual[equation]) {
    s->residual[equation] = dae_terms_rewrite(s->terms, t);
    s->changed[equation] = 1;
    if (s->residual[equation] == t) {
      note_atoms(s, equation); /* the last thing that was asked there */
    } else {
      note_occurrences(s, equation);
    }
  }
  return true;
}

static void
enqueue(DaeSimplifier *s, uint32_t equation)
{
  s->stale[equation] = 1;
  if (s->queued[equation] == 0) {
    s->queued[equation] = 1;
    g_queue_push_tail(s->queue, GUINT_TO_POINTER(equation));
  }
  if (s->row_queued[equation] == 0) {
    s->row_queued[equation] = 1;
    g_queue_push_tail(s->rows, GUINT_TO_POINTER(equation));
  }
}

void
dae_simplifier_eliminate(DaeSimplifier *s, uint32_t equation, uint32_t j, DaeTerm value)
{
  DAE_ASSERT(s->replacement[j] == DAE_NO_TERM && value != DAE_NO_TERM);
  s->replacement[j] = value;
  s->definition[j] = equation;
  s->residual[equation] = DAE_NO_TERM;
  dae_simplify_pass_literal(s, j, value);
  g_array_append_val(s->order, j);
  for (uint32_t at = s->first_occurrence[j]; at != 0; s->work++) {
    const DaeOccurrence *occurrence = &g_array_index(s->occurrences, DaeOccurrence, at);
    if (s->residual[occurrence->equation] != DAE_NO_TERM) {
      enqueue(s, occurrence->equation);
    }
    at = occurrence->next;
  }
}

void
dae_simplifier_restate(DaeSimplifier *s, uint32_t equation, DaeTerm residual)
{
  s->residual[equation] = residual;
  s->lead[equation] = DAE_NO_TERM;
  s->changed[equation] = 1;
  note_occurrences(s, equation);
  enqueue(s, equation);
}

/* ---- the beginning and the end ----------------------------------------------------------- */

/* Only rational values: the others would make every later zero test harder than a symbol does. */
static DaeSubst *
rational_values(const DaeModel *model, DaeTerms *terms)
{
  DaeSubst *subst = dae_subst_new(terms);
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    DaeTerm value = dae_model_parameter_value(model, terms, k);
    if (value != DAE_NO_TERM && dae_term_is_number(terms, value)) {
      dae_subst_set(subst, dae_term_parameter(terms, dae_model_parameter(model, k)->symbol),
                    value);
    }
  }
  return subst;
}

static void
note_derivatives_among_atoms(DaeSimplifier *s)
{
  for (guint i = 0; i < s->atoms->len; i++) {
    DaeTerm atom = g_array_index(s->atoms, DaeTerm, i);
    uint32_t j = 0;
    if (dae_term_order(s->terms, atom) > 0 &&
        dae_model_find_variable(s->model, dae_term_get_symbol(s->terms, atom), &j)) {
      s->is_differentiated[j] = 1;
    }
  }
}

static void
note_derivatives(DaeSimplifier *s, DaeTerm t)
{
  if (dae_term_has_derivatives(s->terms, t)) {
    g_array_set_size(s->atoms, 0);
    dae_term_collect_variables(s->terms, t, s->atoms);
    note_derivatives_among_atoms(s);
  }
}

/* der(x) = k with a k without derivatives needs no difference of its sides. */
static bool
is_led(const DaeTerms *terms, const DaeEquation *equation)
{
  return dae_term_kind(terms, equation->lhs) == DAE_KIND_VARIABLE &&
         dae_term_order(terms, equation->lhs) == 1 &&
         !dae_term_has_derivatives(terms, equation->rhs);
}

/* The equation as written, with numbers for parameters. What divides by
 * zero then keeps its symbols. */
static void
take_equation(DaeSimplifier *s, uint32_t i)
{
  const DaeEquation *equation = dae_model_equation(s->model, i);
  s->lead[i] = is_led(s->terms, equation) ? equation->lhs : DAE_NO_TERM;
  DaeTerm residual = s->lead[i] != DAE_NO_TERM
                         ? equation->rhs
                         : dae_term_sub(s->terms, equation->lhs, equation->rhs);
  DaeTerm closed = s->values != NULL ? dae_subst_apply(s->values, residual) : residual;
  s->changed[i] = closed != DAE_NO_TERM && closed != residual;
  s->residual[i] = s->changed[i] != 0 ? dae_terms_rewrite(s->terms, closed) : residual;
  note_occurrences(s, i);
  note_derivatives_among_atoms(s);
  dae_simplify_note_literal(s, s->residual[i]);
  enqueue(s, i);
  s->stale[i] = 0; /* nothing is solved yet */
}

static void
simplifier_init(DaeSimplifier *s, DaeTerms *terms, const DaeModel *model,
                const DaeSimplifyOptions *options)
{
  memset(s, 0, sizeof *s);
  s->terms = terms;
  s->model = model;
  s->n = dae_model_n_variables(model);
  s->m = dae_model_n_equations(model);
  s->values = options->keep_parameters ? NULL : rational_values(model, terms);
  s->residual = g_new0(DaeTerm, s->m + 1);
  s->lead = g_new0(DaeTerm, s->m + 1);
  s->changed = g_new0(uint8_t, s->m + 1);
  s->stale = g_new0(uint8_t, s->m + 1);
  s->queued = g_new0(uint8_t, s->m + 1);
  s->row_queued = g_new0(uint8_t, s->m + 1);
  s->queue = g_queue_new();
  s->later = g_queue_new();
  s->rows = g_queue_new();
  s->replacement = g_new0(DaeTerm, s->n + 1);
  s->definition = g_new(uint32_t, s->n + 1);
  s->is_differentiated = g_new0(uint8_t, s->n + 1);
  s->is_literal = g_new0(uint8_t, s->n + 1);
  s->first_occurrence = g_new0(uint32_t, s->n + 1);
  s->occurrences = g_array_new(FALSE, FALSE, sizeof(DaeOccurrence));
  s->load = g_new(uint32_t, s->n + 1);
  s->order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  s->variables = g_new(DaeVariable, s->n + 1);
  s->atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  s->is_sound = true;
  g_array_set_size(s->occurrences, 1);
  for (uint32_t j = 0; j < s->n; j++) {
    s->variables[j] = *dae_model_variable(model, j);
    s->definition[j] = UINT32_MAX;
    s->load[j] = 1;
  }
}

static void
simplifier_clear(DaeSimplifier *s)
{
  dae_subst_free(s->values);
  dae_subst_free(s->learned);
  g_free(s->residual);
  g_free(s->lead);
  g_free(s->changed);
  g_free(s->stale);
  g_free(s->queued);
  g_free(s->row_queued);
  g_queue_free(s->queue);
  g_queue_free(s->later);
  g_queue_free(s->rows);
  g_free(s->replacement);
  g_free(s->definition);
  g_free(s->is_differentiated);
  g_free(s->is_literal);
  g_free(s->first_occurrence);
  g_array_free(s->occurrences, TRUE);
  g_free(s->load);
  g_array_free(s->order, TRUE);
  g_free(s->variables);
  g_array_free(s->atoms, TRUE);
}

DaeSimplified *
dae_simplify(DaeTerms *terms, const DaeModel *model, const DaeSimplifyOptions *options)
{
  static const DaeSimplifyOptions defaults = {.keep_parameters = false};
  DaeSimplifier s;
  options = options != NULL ? options : &defaults;
  simplifier_init(&s, terms, model, options);
  for (uint32_t i = 0; i < dae_model_n_initial_equations(model); i++) {
    const DaeEquation *equation = dae_model_initial_equation(model, i);
    note_derivatives(&s, equation->lhs);
    note_derivatives(&s, equation->rhs);
  }
  for (uint32_t i = 0; i < s.m; i++) {
    take_equation(&s, i);
  }
  dae_simplify_aliases(&s);
  dae_simplify_initial(&s);
  dae_simplify_flows(&s);
  if (!options->keep_explicit) {
    dae_simplify_explicit(&s);
    dae_simplify_observed(&s);
  }
  /* what was put off by the queue of rows is up to date: each change went through it */
  for (uint32_t i = 0; i < s.m && s.is_sound; i++) {
    s.is_sound = s.residual[i] == DAE_NO_TERM || dae_simplifier_refresh(&s, i);
  }
  DaeSimplified *result = dae_simplified_new(&s);
  simplifier_clear(&s);
  return result;
}
