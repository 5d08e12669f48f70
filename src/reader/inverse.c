/* annotation(inverse(x = g(y, p))) of a function y = f(x, p) that is a routine (opaque.c) or has
 * no body [MLS 12.8]: an equation that has to give x is read as x = g(y, p).
 *
 * Which equations these are is found by going through the model once, in the order in which
 * values become known: first from parameters and time alone, then with the variables that are
 * differentiated. An equation with one unknown left gives it. What remains are systems of
 * equations; they keep f. The same holds of initial equations whose only unknown is x.
 *
 * The annotation is an assumption: terms/routines.h remembers it, verdicts name it. Where f has
 * values, f(x, p) = y is asserted as well, so that a wrong inverse ends a run. */
#include "reader/inverse.h"

#include <string.h>

#include "model/flat.h"
#include "terms/routines.h"

typedef struct {
  uint32_t number, at;  /* f: the routine and its output */
  uint32_t input;       /* x: which of its inputs */
  uint32_t n_formals;   /* inputs */
  DaeTerm *formals;     /* in the arena of the reader */
  DaeTerm result;       /* stands for y */
  DaeTerm value;        /* g(y, p) in these */
  const char *function; /* name of f */
  uint32_t pos;
} Inverse;

/* ---- annotations ----------------------------------------------------------------------- */

bool
dae_inverse_is_given(const DaeReader *reader, uint32_t class)
{
  return dae_call_annotation(reader, class, "inverse") != NULL;
}

/* The value of the annotation where the inputs have these values and the output that one. */
static DaeTerm
evaluate_inverse(DaeReader *reader, const DaeInverseOf *f, const DaeModification *m, DaeTerm y)
{
  uint32_t n = 0;
  uint32_t at = 0;
  const uint32_t *members = dae_call_members(reader, f->class, &n);
  const DaeValue **given = dae_arena_alloc(reader->arena, (n + 1) * sizeof *given);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    bool is_input = (d->flags & DAE_FLAG_INPUT) != 0;
    given[i] = is_input ? &f->inputs[at] : NULL;
    at += is_input ? 1 : 0;
  }
  DaeValue value = dae_value_poison();
  if (dae_call_begin_scope(reader, f->class, given, m->pos)) {
    uint32_t first =
        g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).first_local;
    for (uint32_t i = 0; i < n; i++) {
      if ((dae_syntax_declaration(reader->syntax, members[i])->flags & DAE_FLAG_OUTPUT) != 0) {
        DaeValue output = dae_value_scalar(DAE_VALUE_REAL, y);
        dae_local_set(reader, first + i, &output);
      }
    }
    value = dae_reader_evaluate(reader, m->code);
  }
  dae_scope_leave(reader);
  bool is_scalar = value.type == DAE_VALUE_REAL && value.n_dims == 0 && !value.opaque;
  return is_scalar ? value.term : DAE_NO_TERM;
}

/* Silently: an annotation that cannot be used is none. */
static DaeTerm
try_inverse(DaeReader *reader, const DaeInverseOf *f, const DaeModification *m, DaeTerm y)
{
  uint32_t stack = reader->stack->len;
  uint32_t loops = reader->loops->len;
  uint32_t ifs = reader->ifs->len;
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  const char *surrender = reader->surrender;
  uint32_t recursion = reader->recursion;
  dae_source_hush(reader->source);
  DaeTerm value = evaluate_inverse(reader, f, m, y);
  dae_source_speak(reader->source);
  bool is_failed = reader->surrender != surrender || reader->recursion != recursion;
  if (is_failed || value == DAE_NO_TERM) {
    dae_reader_unwind(reader, loops, ifs);
    g_array_set_size(reader->stack, stack);
    reader->surrender = surrender;
    reader->recursion = recursion;
    value = DAE_NO_TERM;
  }
  if (reader->assertions != NULL) {
    g_array_set_size(reader->assertions, assertions);
  }
  return value;
}

static bool
is_closed(DaeReader *reader, const Inverse *inverse)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(reader->terms, inverse->value, atoms);
  for (uint32_t i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    bool is_formal = atom == inverse->result;
    for (uint32_t k = 0; k < inverse->n_formals && !is_formal; k++) {
      is_formal = inverse->formals[k] == atom && k != inverse->input;
    }
    if (!is_formal) {
      return false;
    }
  }
  return true;
}

static void
take_one(DaeReader *reader, const DaeInverseOf *f, const DaeModification *m)
{
  DaeTerm x = DAE_NO_TERM;
  for (uint32_t i = 0; i < f->n_inputs; i++) {
    if (f->names[i] == m->name && f->inputs[i].n_dims == 0 &&
        f->inputs[i].type == DAE_VALUE_REAL) {
      x = f->inputs[i].term;
    }
  }
  Inverse inverse = {.number = f->number, .at = f->at, .input = UINT32_MAX, .pos = m->pos};
  inverse.n_formals = f->formals->len;
  for (uint32_t k = 0; k < inverse.n_formals && x != DAE_NO_TERM; k++) {
    inverse.input = g_array_index(f->formals, DaeTerm, k) == x ? k : inverse.input;
  }
  if (inverse.input == UINT32_MAX || m->code == 0) {
    return;
  }
  inverse.formals = dae_arena_alloc(reader->arena, inverse.n_formals * sizeof(DaeTerm));
  memcpy(inverse.formals, f->formals->data, inverse.n_formals * sizeof(DaeTerm));
  inverse.result = dae_trace_formal(reader);
  inverse.value = try_inverse(reader, f, m, inverse.result);
  inverse.function =
      dae_names_text(reader->names, dae_syntax_class(reader->syntax, f->class)->name);
  if (inverse.value != DAE_NO_TERM && dae_term_has_break(reader->terms, inverse.value)) {
    inverse.value = dae_term_call1(reader->terms, DAE_FN_NOEVENT, inverse.value);
  }
  if (inverse.value != DAE_NO_TERM && is_closed(reader, &inverse)) {
    if (reader->inverses == NULL) {
      reader->inverses = g_array_new(FALSE, FALSE, sizeof(Inverse));
    }
    g_array_append_val(reader->inverses, inverse);
  }
}

void
dae_inverse_take(DaeReader *reader, const DaeInverseOf *f)
{
  const DaeModification *annotation = dae_call_annotation(reader, f->class, "inverse");
  if (annotation == NULL || reader->writes_out) {
    return;
  }
  const DaeClass *c = dae_syntax_class(reader->syntax, f->class);
  uint32_t first = c->first_annotation;
  while (dae_syntax_modifier(reader->syntax, first) != annotation) {
    first++;
  }
  uint32_t n = annotation->n_inner;
  for (uint32_t k = 0; k < n; k++) {
    const DaeModification m = *dae_syntax_modifier(reader->syntax, first + 1 + k);
    take_one(reader, f, &m);
  }
}

/* ---- equations ------------------------------------------------------------------------- */

/* y = f(..., x, ...) as an equation says it, with that inverse. */
typedef struct {
  const Inverse *inverse;
  DaeTerm call, x, y;
} Use;

/* t = number*call, seen through noEvent. */
static bool
read_call(DaeTerms *terms, DaeTerm t, DaeTerm *number, DaeTerm *call)
{
  uint32_t n = 0;
  *number = dae_term_int(terms, 1);
  if (dae_term_kind(terms, t) == DAE_KIND_PRODUCT) {
    const DaeTerm *operands = dae_term_operands(terms, t, &n);
    if (n != 2 || !dae_term_is_number(terms, operands[0])) {
      return false;
    }
    *number = operands[0];
    t = operands[1];
  }
  while (dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_term_function(terms, t) == DAE_FN_NOEVENT) {
    t = dae_term_operand(terms, t, 0);
  }
  *call = t;
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_term_function(terms, t) == DAE_FN_ROUTINE;
}

/* The call has x in one place only, and y does not have it. */
static bool
fits(DaeTerms *terms, const Inverse *inverse, Use *use)
{
  uint32_t number = 0;
  uint32_t k = 0;
  uint32_t n = 0;
  dae_term_get_routine(terms, use->call, &number, &k);
  if (number != inverse->number || k != inverse->at) {
    return false;
  }
  const DaeTerm *operands = dae_term_operands(terms, use->call, &n);
  use->x = operands[2 + inverse->input];
  DaeKind kind = dae_term_kind(terms, use->x);
  if ((kind != DAE_KIND_VARIABLE && kind != DAE_KIND_PARAMETER) ||
      dae_terms_variability(terms, dae_term_get_symbol(terms, use->x)) ==
          DAE_VARIABILITY_DISCRETE) {
    return false;
  }
  for (uint32_t i = 2; i < n; i++) {
    if (i != 2 + inverse->input && dae_term_contains(terms, operands[i], use->x)) {
      return false;
    }
  }
  use->inverse = inverse;
  return !dae_term_contains(terms, use->y, use->x);
}

static bool
find_use_in(DaeReader *reader, DaeTerm residual, DaeTerm member, Use *use)
{
  DaeTerms *terms = reader->terms;
  DaeTerm number = DAE_NO_TERM;
  if (!read_call(terms, member, &number, &use->call)) {
    return false;
  }
  DaeTerm rest = dae_term_sub(terms, residual, member);
  use->y = dae_term_neg(terms, dae_term_div(terms, rest, number));
  for (uint32_t i = 0; i < reader->inverses->len; i++) {
    if (fits(terms, &g_array_index(reader->inverses, Inverse, i), use)) {
      return true;
    }
  }
  return false;
}

/* The first call in the sum lhs - rhs that can be solved for `wanted`. */
static bool
find_use(DaeReader *reader, const DaeEquation *equation, DaeTerm wanted, Use *use)
{
  DaeTerms *terms = reader->terms;
  DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  bool is_sum = dae_term_kind(terms, residual) == DAE_KIND_SUM;
  uint32_t n = 0;
  dae_term_operands(terms, residual, &n);
  n = is_sum ? n : 1;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm member = is_sum ? dae_term_operand(terms, residual, i) : residual;
    if (find_use_in(reader, residual, member, use) &&
        (wanted == DAE_NO_TERM || use->x == wanted)) {
      return true;
    }
  }
  return false;
}

static DaeTerm
fraction(DaeTerms *terms, int64_t denominator)
{
  return dae_term_div(terms, dae_term_int(terms, 1), dae_term_int(terms, denominator));
}

static bool
has_values(DaeTerms *terms, DaeTerm call)
{
  bool has_all = true;
  g_autoptr(GArray) routines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  dae_term_collect_routines(terms, call, routines);
  for (uint32_t i = 0; i < routines->len && has_all; i++) {
    has_all = dae_terms_routine_has_values(terms, g_array_index(routines, uint32_t, i));
  }
  return has_all;
}

/* |f - y| <= 1e-6*(|f| + |y|) + 1e-10: numbers in annotated functions are rounded. */
static void
assert_solution(DaeReader *reader, const Use *use, const DaeEquation *equation, bool is_initial)
{
  DaeTerms *terms = reader->terms;
  if (!has_values(terms, use->call) &&
      dae_terms_routine_is_inverted(terms, use->inverse->number)) {
    return; /* told before */
  }
  if (!has_values(terms, use->call)) {
    dae_source_warning(reader->source, use->inverse->pos,
                       "an equation is solved by the inverse in the annotation of '%s', which "
                       "has no values to check it with",
                       use->inverse->function);
    return;
  }
  DaeTerm f = dae_term_call1(terms, DAE_FN_NOEVENT, use->call);
  DaeTerm size = dae_term_add(terms, dae_term_call1(terms, DAE_FN_ABS, f),
                              dae_term_call1(terms, DAE_FN_ABS, use->y));
  DaeTerm most = dae_term_add(
      terms, dae_term_mul(terms, dae_term_from_double(terms, DAE_INVERSE_RELATIVE), size),
      fraction(terms, 10000000000));
  DaeTerm error = dae_term_call1(terms, DAE_FN_ABS, dae_term_sub(terms, f, use->y));
  g_autofree char *message =
      g_strdup_printf("the inverse in the annotation of '%s' does not solve this equation",
                      use->inverse->function);
  DaeTerm excess = dae_term_call1(terms, DAE_FN_NOEVENT, dae_term_sub(terms, error, most));
  DaeAssertion assertion = {
      .condition = dae_term_relation(terms, DAE_REL_LE, excess, dae_term_int(terms, 0)),
      .message = g_string_chunk_insert_const(reader->strings, message),
      .is_initial = is_initial,
      .span = equation->span};
  g_array_append_val(reader->assertions, assertion);
}

/* g(y, p) with the arguments of the call and that y. */
static DaeTerm
inverse_at(DaeReader *reader, const Use *use, DaeTerm y)
{
  const Inverse *inverse = use->inverse;
  g_autoptr(DaeSubst) subst = dae_subst_new(reader->terms);
  for (uint32_t k = 0; k < inverse->n_formals; k++) {
    dae_subst_set(subst, inverse->formals[k],
                  dae_term_operand(reader->terms, use->call, 2 + k));
  }
  dae_subst_set(subst, inverse->result, y);
  return dae_subst_apply(subst, inverse->value);
}

/* The equation means f; an inverse that is seen not to be one is not used. */
static bool
is_refuted(DaeReader *reader, const Use *use)
{
  DaeTerm x = inverse_at(reader, use, use->inverse->result);
  g_autoptr(DaeSubst) subst = dae_subst_new(reader->terms);
  dae_subst_set(subst, use->x, x);
  DaeTerm f = x != DAE_NO_TERM ? dae_subst_apply(subst, use->call) : DAE_NO_TERM;
  if (f == DAE_NO_TERM || !dae_inverse_is_refuted(reader, f, use->inverse->result)) {
    return false;
  }
  dae_source_warning(reader->source, use->inverse->pos,
                     "the inverse in the annotation of '%s' is not one: it is not used",
                     use->inverse->function);
  return true;
}

static void
restate(DaeReader *reader, DaeEquation *equation, const Use *use, bool is_initial)
{
  const Inverse *inverse = use->inverse;
  DaeTerm value = inverse_at(reader, use, use->y);
  if (value == DAE_NO_TERM || is_refuted(reader, use)) {
    return;
  }
  assert_solution(reader, use, equation, is_initial);
  equation->lhs = use->x;
  equation->rhs = value;
  dae_terms_use_routine_inverse(reader->terms, inverse->number);
}

/* ---- what is known when ---------------------------------------------------------------- */

typedef struct {
  DaeReader *reader;
  GArray *equations;   /* DaeEquation */
  GArray **atoms;      /* by equation: DaeTerm, variables and derivatives */
  uint32_t *n_unknown; /* by equation */
  GHashTable *places;  /* atom -> GArray of equations; it has it until the atom is known */
  GArray *queue;       /* DaeTerm: known, not told yet */
} Order;

static void
learn(Order *order, DaeTerm atom)
{
  g_array_append_val(order->queue, atom);
}

static bool
is_known(const Order *order, DaeTerm atom)
{
  return g_hash_table_lookup(order->places, GUINT_TO_POINTER(atom)) == NULL;
}

/* The one atom of the equation that is not known. */
static DaeTerm
last_unknown(const Order *order, uint32_t equation)
{
  for (uint32_t i = 0; i < order->atoms[equation]->len; i++) {
    DaeTerm atom = g_array_index(order->atoms[equation], DaeTerm, i);
    if (!is_known(order, atom)) {
      return atom;
    }
  }
  return DAE_NO_TERM;
}

static void
solve_equation(Order *order, uint32_t i)
{
  DaeTerm unknown = last_unknown(order, i);
  Use use;
  if (unknown == DAE_NO_TERM) {
    return;
  }
  DaeEquation *equation = &g_array_index(order->equations, DaeEquation, i);
  if (dae_term_order(order->reader->terms, unknown) == 0 &&
      find_use(order->reader, equation, unknown, &use)) {
    restate(order->reader, equation, &use, false);
  }
  learn(order, unknown);
}

static void
spread(Order *order)
{
  for (uint32_t at = 0; at < order->queue->len; at++) {
    gpointer atom = GUINT_TO_POINTER(g_array_index(order->queue, DaeTerm, at));
    g_autoptr(GArray) places = g_hash_table_lookup(order->places, atom);
    if (places == NULL) {
      continue;
    }
    g_hash_table_steal(order->places, atom);
    for (uint32_t k = 0; k < places->len; k++) {
      uint32_t equation = g_array_index(places, uint32_t, k);
      if (--order->n_unknown[equation] == 1) {
        solve_equation(order, equation);
      }
    }
  }
  g_array_set_size(order->queue, 0);
}

static void
begin_order(Order *order)
{
  DaeTerms *terms = order->reader->terms;
  for (uint32_t i = 0; i < order->equations->len; i++) {
    const DaeEquation *equation = &g_array_index(order->equations, DaeEquation, i);
    order->atoms[i] = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(terms, dae_term_sub(terms, equation->lhs, equation->rhs),
                               order->atoms[i]);
    order->n_unknown[i] = order->atoms[i]->len;
    for (uint32_t k = 0; k < order->atoms[i]->len; k++) {
      gpointer atom = GUINT_TO_POINTER(g_array_index(order->atoms[i], DaeTerm, k));
      GArray *places = g_hash_table_lookup(order->places, atom);
      if (places == NULL) {
        places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        g_hash_table_insert(order->places, atom, places);
      }
      g_array_append_val(places, i);
    }
  }
}

/* Variables that are differentiated are known from then on. */
static void
learn_states(Order *order)
{
  DaeTerms *terms = order->reader->terms;
  for (uint32_t i = 0; i < order->equations->len; i++) {
    for (uint32_t k = 0; k < order->atoms[i]->len; k++) {
      DaeTerm atom = g_array_index(order->atoms[i], DaeTerm, k);
      for (uint32_t d = 0; d < dae_term_order(terms, atom); d++) {
        learn(order, dae_term_variable(terms, dae_term_get_symbol(terms, atom), d));
      }
    }
  }
}

static void
order_equations(DaeReader *reader, GArray *equations)
{
  Order order = {.reader = reader, .equations = equations};
  order.atoms = g_new0(GArray *, equations->len + 1);
  order.n_unknown = g_new0(uint32_t, equations->len + 1);
  order.places = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  order.queue = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  begin_order(&order);
  for (uint32_t i = 0; i < equations->len; i++) {
    if (order.n_unknown[i] == 1) {
      solve_equation(&order, i);
    }
  }
  spread(&order);
  learn_states(&order);
  spread(&order);
  for (uint32_t i = 0; i < equations->len; i++) {
    g_array_free(order.atoms[i], TRUE);
  }
  g_free(order.atoms);
  g_free(order.n_unknown);
  g_hash_table_destroy(order.places);
  g_array_free(order.queue, TRUE);
}

static bool
is_free_parameter(const DaeReader *reader, DaeTerm x)
{
  const GArray *parameters = reader->result->parameters;
  for (uint32_t k = 0; k < parameters->len; k++) {
    const DaeParameter *parameter = &g_array_index(parameters, DaeParameter, k);
    if (parameter->symbol == dae_term_get_symbol(reader->terms, x)) {
      return parameter->is_free;
    }
  }
  return false;
}

/* f(x, p) = y for a start value or a free parameter x, where nothing else is unknown. */
static void
solve_initial(DaeReader *reader, DaeEquation *equation)
{
  Use use;
  if (!find_use(reader, equation, DAE_NO_TERM, &use)) {
    return;
  }
  bool is_parameter = dae_term_kind(reader->terms, use.x) == DAE_KIND_PARAMETER;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(reader->terms,
                             dae_term_sub(reader->terms, equation->lhs, equation->rhs), atoms);
  if (is_parameter ? is_free_parameter(reader, use.x) : atoms->len == 1) {
    restate(reader, equation, &use, true);
  }
}

void
dae_inverse_apply(DaeReader *reader)
{
  if (reader->inverses == NULL) {
    return;
  }
  order_equations(reader, reader->result->equations);
  for (uint32_t i = 0; i < reader->result->initial_equations->len; i++) {
    solve_initial(reader, &g_array_index(reader->result->initial_equations, DaeEquation, i));
  }
}
