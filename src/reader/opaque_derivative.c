/* annotation(derivative = f_der) of a function that is a routine (opaque.c): the derivatives
 * of the routine are those of f_der [MLS 12.7.1].
 *
 * f_der(x, x') is traced on formals for the arguments and for their derivatives; it is
 * linear in the latter, so that unit vectors there give the partial derivatives. An argument
 * with zeroDerivative has none in f_der: the body is differentiated with respect to it. One
 * with noDerivative is determined by the others: its partial derivative is 0, by the word of
 * the annotation. Derivatives of higher order are those of f_der. */
#include "reader/opaque.h"

#include <string.h>

#include "terms/routines.h"

/* ---- annotations ----------------------------------------------------------------------- */

static bool
is_named(const DaeReader *reader, const DaeModification *m, const char *name)
{
  return strcmp(dae_names_text(reader->names, m->name), name) == 0;
}

bool
dae_derivative_says(const DaeReader *reader, const DaeDerivativeClaim *claim, const char *word,
                    uint32_t input)
{
  for (uint32_t i = 0; i < claim->n; i++) {
    const DaeModification *m = dae_syntax_modifier(reader->syntax, claim->first + i);
    if (m->code != 0 && is_named(reader, m, word) &&
        dae_syntax_code(reader->syntax, m->code)->op == DAE_OP_NAME &&
        dae_syntax_code(reader->syntax, m->code)->arg == input) {
      return true;
    }
  }
  return false;
}

static uint32_t
order_of(const DaeReader *reader, const DaeDerivativeClaim *claim)
{
  for (uint32_t i = 0; i < claim->n; i++) {
    const DaeModification *m = dae_syntax_modifier(reader->syntax, claim->first + i);
    if (m->code != 0 && is_named(reader, m, "order")) {
      const DaeInstruction *code = dae_syntax_code(reader->syntax, m->code);
      const char *text = dae_names_text(reader->names, code->arg);
      return code->op != DAE_OP_NUMBER
                 ? UINT32_MAX
                 : (uint32_t)MIN(g_ascii_strtoull(text, NULL, 10), UINT32_MAX);
    }
  }
  return 1;
}

bool
dae_derivative_next(const DaeReader *reader, uint32_t class, uint32_t order, uint32_t *at,
                    DaeDerivativeClaim *claim)
{
  const DaeClass *c = dae_syntax_class(reader->syntax, class);
  while (*at < c->n_annotations) {
    const DaeModification *m = dae_syntax_modifier(reader->syntax, c->first_annotation + *at);
    *claim = (DaeDerivativeClaim){
        .first = c->first_annotation + *at + 1, .n = m->n_inner, .pos = m->pos};
    *at += 1 + m->n_inner;
    if (m->code == 0 || !is_named(reader, m, "derivative") ||
        dae_syntax_code(reader->syntax, m->code)->op != DAE_OP_NAME) {
      continue;
    }
    claim->class = dae_call_find(reader, dae_syntax_code(reader->syntax, m->code)->arg);
    if (claim->class != 0 && order_of(reader, claim) == order) {
      return true;
    }
  }
  return false;
}

/* OpenModelica's flat text leaves out what the model
 * does not call: there they say nothing. */
void
dae_derivative_check_names(DaeReader *reader)
{
  const DaeSyntax *syntax = reader->syntax;
  bool is_printed =
      syntax->is_base || dae_syntax_class(syntax, reader->model)->kind == DAE_CLASS_CLASS;
  for (uint32_t class = 1; !is_printed && class < syntax->classes->len; class ++) {
    const DaeClass *c = dae_syntax_class(syntax, class);
    for (uint32_t at = 0; c->kind == DAE_CLASS_FUNCTION && at < c->n_annotations;) {
      const DaeModification *m = dae_syntax_modifier(syntax, c->first_annotation + at);
      const DaeInstruction *code = m->code != 0 ? dae_syntax_code(syntax, m->code) : NULL;
      at += 1 + m->n_inner;
      if (code != NULL && code->op == DAE_OP_NAME && is_named(reader, m, "derivative") &&
          dae_call_find(reader, code->arg) == 0) {
        dae_source_error(
            reader->source, code->pos, "unknown function '%s' as the derivative of '%s'",
            dae_names_text(reader->names, code->arg), dae_names_text(reader->names, c->name));
      }
    }
  }
}

static bool
is_real(const DaeReader *reader, const DaeDeclaration *input)
{
  DaeEntity type = {.kind = DAE_ENTITY_VARIABLE};
  return !dae_scope_resolve_type((DaeReader *)reader, input->type, input->type_pos, &type) ||
         type.type == DAE_VALUE_REAL || type.type == DAE_VALUE_RECORD;
}

/* Has it noDerivative of a Real? Of a function that has no body it is all that is known. */
static bool
has_hidden(const DaeReader *reader, uint32_t class, const DaeDerivativeClaim *claim)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  bool is_hidden = false;
  for (uint32_t i = 0; i < n && !is_hidden; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    is_hidden = (d->flags & DAE_FLAG_INPUT) != 0 &&
                dae_derivative_says(reader, claim, "noDerivative", d->name) &&
                is_real(reader, d);
  }
  return is_hidden && !dae_foreign_is_unknown(reader, class);
}

bool
dae_derivative_is_usable(const DaeReader *reader, uint32_t class)
{
  DaeDerivativeClaim claim;
  for (uint32_t order = 1; order <= DAE_MOST_DERIVATIVES; order++) {
    uint32_t at = 0;
    while (dae_derivative_next(reader, class, order, &at, &claim)) {
      if (!has_hidden(reader, class, &claim)) {
        return true;
      }
    }
  }
  return false;
}

/* ---- the call of f_der ----------------------------------------------------------------- */

bool
dae_opaque_has_reals(const DaeValue *value)
{
  for (uint32_t k = 0; k < dae_arguments_count(value); k++) {
    if (dae_arguments_type(value, k) == DAE_VALUE_REAL) {
      return value->type != DAE_VALUE_FUNCTION;
    }
  }
  return false;
}

static uint32_t
formal_index(const DaeOpaqueTotal *total, DaeTerm t)
{
  for (uint32_t i = 0; i < total->f->formals->len; i++) {
    if (g_array_index(total->f->formals, DaeTerm, i) == t) {
      return i;
    }
  }
  return UINT32_MAX;
}

DaeValue
dae_opaque_derivative_of(const DaeOpaqueTotal *total, const DaeValue *value)
{
  DaeReader *reader = total->reader;
  uint32_t n = dae_arguments_count(value);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    data[k] = dae_value_scalar_at(value, k);
    uint32_t at = formal_index(total, data[k]);
    if (dae_arguments_type(value, k) == DAE_VALUE_REAL && data[k] != DAE_NO_TERM) {
      data[k] = at != UINT32_MAX ? g_array_index(total->primes, DaeTerm, at)
                                 : dae_term_int(reader->terms, 0);
    }
  }
  return dae_arguments_with(reader, value, data);
}

void
dae_opaque_mark_total(const DaeOpaqueTotal *total, const DaeValue *value)
{
  for (uint32_t k = 0; k < dae_arguments_count(value); k++) {
    uint32_t at = formal_index(total, dae_value_scalar_at(value, k));
    if (dae_arguments_type(value, k) == DAE_VALUE_REAL && at != UINT32_MAX) {
      total->by_total[at] = 1;
    }
  }
}

static DaeValue
call_derivative(const DaeOpaqueTotal *total, const DaeDerivativeClaim *claim, uint32_t pos)
{
  const DaeOpaqueRoutine *f = total->f;
  DaeReader *reader = total->reader;
  DaeValue *arguments =
      dae_arena_alloc(reader->scratch, (2 * f->n_inputs + 1) * sizeof(DaeValue));
  uint32_t n = f->n_inputs;
  for (uint32_t i = 0; i < f->n_inputs; i++) {
    arguments[i] = f->inputs[i];
    arguments[i].name = 0;
    if (!dae_opaque_has_reals(&f->inputs[i]) ||
        dae_derivative_says(reader, claim, "zeroDerivative", f->names[i])) {
      continue;
    }
    dae_opaque_mark_total(total, &f->inputs[i]);
    if (dae_derivative_says(reader, claim, "noDerivative", f->names[i])) {
      continue; /* determined by the others: only they count */
    }
    arguments[n++] = dae_opaque_derivative_of(total, &f->inputs[i]);
  }
  return dae_call_apply(reader, claim->class, arguments, n, pos);
}

/* ---- the routine ----------------------------------------------------------------------- */

bool
dae_opaque_place_results(const DaeOpaqueTotal *total, const DaeValue *result, DaeTerm *outputs)
{
  const DaeOpaqueRoutine *f = total->f;
  uint32_t n_results = MAX(result->n_outputs, 1u);
  const DaeValue *values = result->n_outputs > 1 ? result->outputs : result;
  uint32_t next = 0;
  uint32_t scalar = 0;
  for (uint32_t i = 0; i < f->n_outputs; i++) {
    uint32_t n = dae_arguments_count(&f->outputs[i]);
    if (!dae_opaque_has_reals(&f->outputs[i])) {
      scalar += n;
      continue;
    }
    if (next == n_results || dae_arguments_count(&values[next]) != n) {
      return false;
    }
    for (uint32_t k = 0; k < n; k++, scalar++) {
      DaeTerm t = dae_value_scalar_at(&values[next], k);
      bool counts = f->places[scalar] != UINT32_MAX &&
                    dae_arguments_type(&f->outputs[i], k) == DAE_VALUE_REAL;
      if (counts && t == DAE_NO_TERM) {
        return false;
      }
      if (counts) {
        outputs[f->places[scalar]] = t;
      }
    }
    next++;
  }
  return true;
}

static bool
is_closed(DaeReader *reader, const DaeTerm *outputs, uint32_t n, const GArray *inputs)
{
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < inputs->len; i++) {
    g_hash_table_add(known, GUINT_TO_POINTER(g_array_index(inputs, DaeTerm, i)));
  }
  for (uint32_t k = 0; k < n; k++) {
    if (dae_term_contains(reader->terms, outputs[k], dae_term_time(reader->terms))) {
      return false;
    }
    dae_term_collect_variables(reader->terms, outputs[k], atoms);
    dae_term_collect_parameters(reader->terms, outputs[k], atoms);
  }
  for (uint32_t i = 0; i < atoms->len; i++) {
    if (!g_hash_table_contains(known, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, i)))) {
      return false;
    }
  }
  return true;
}

static bool
first_order(const DaeOpaqueTotal *total, const DaeDerivativeClaim *claim, DaeTerm *outputs,
            uint32_t pos)
{
  DaeValue result = call_derivative(total, claim, pos);
  return result.type != DAE_VALUE_POISON && result.type <= DAE_VALUE_RECORD &&
         dae_opaque_place_results(total, &result, outputs);
}

static bool
take_claim(const DaeOpaqueTotal *total, const DaeDerivativeClaim *claim, uint32_t order,
           uint32_t pos)
{
  const DaeOpaqueRoutine *f = total->f;
  DaeReader *reader = total->reader;
  g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) inputs = g_array_copy((GArray *)f->formals);
  g_array_append_vals(inputs, total->primes->data, total->primes->len);
  g_array_set_size(outputs, f->n_results);
  DaeTerm *list = (DaeTerm *)(void *)outputs->data;
  for (uint32_t k = 0; k < f->n_results; k++) {
    list[k] = dae_term_int(reader->terms, 0);
  }
  bool fits = order == 1 ? first_order(total, claim, list, pos)
                         : dae_opaque_higher_order(total, claim, order, list, pos);
  if (!fits || !is_closed(reader, list, f->n_results, inputs)) {
    return false;
  }
  const char *name =
      dae_names_text(reader->names, dae_syntax_class(reader->syntax, claim->class)->name);
  uint32_t number = dae_opaque_add_routine(reader, name, f->is_guarded, inputs, outputs);
  dae_terms_set_routine_derivative(reader->terms, f->number, number, total->by_total);
  return true;
}

void
dae_opaque_take_derivative(DaeReader *reader, const DaeOpaqueRoutine *f, uint32_t pos)
{
  DaeDerivativeClaim claim;
  uint32_t at = 0;
  bool is_done = false;
  DaeOpaqueTotal total = {.reader = reader,
                          .f = f,
                          .primes = g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
                          .by_total = g_new0(uint8_t, f->formals->len + 1)};
  for (uint32_t i = 0; i < f->formals->len; i++) {
    DaeTerm prime = dae_trace_formal(reader);
    g_array_append_val(total.primes, prime);
  }
  for (uint32_t order = 1; order <= DAE_MOST_DERIVATIVES && !is_done; order++) {
    at = 0;
    while (!is_done && dae_derivative_next(reader, f->class, order, &at, &claim)) {
      memset(total.by_total, 0, f->formals->len);
      is_done = !has_hidden(reader, f->class, &claim) && take_claim(&total, &claim, order, pos);
    }
  }
  g_array_free(total.primes, TRUE);
  g_free(total.by_total);
}
