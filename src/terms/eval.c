/* Evaluation in double precision, with domain errors as values.
 *
 * Only the branch that is taken is evaluated; `and` is false as soon as one operand is false,
 * whatever happens in the others (their order is canonical, not the writer's), likewise `or`.
 */
#include <math.h>

#include "terms/routines.h"
#include "terms/terms-priv.h"

#define EVERY_ROUND UINT32_MAX

typedef struct {
  double value; /* Booleans: 0 or 1 */
  DaeEvalStatus status;
  uint32_t round; /* of the point it belongs to; EVERY_ROUND: numbers */
} Value;

typedef struct { /* a term that has been evaluated */
  DaeTerm term;
  DaeKind kind;
  uint32_t first, n; /* places of its operands, in operands */
  bool is_lazy;      /* which operands are evaluated depends on values, here or below */
} Node;

struct DaeEvaluation {
  DaeTerms *terms;
  DaeAtomValue atom;
  void *user;
  DaeMemo index;    /* position + 1 in values and nodes */
  GArray *values;   /* Value; places stay from point to point, operands before their users */
  GArray *nodes;    /* Node; NULL: the evaluation is for one point only */
  GArray *operands; /* uint32_t: places */
  uint32_t *stack;  /* places, of the evaluation under way */
  size_t most;      /* room on it */
  uint32_t round;
};

typedef struct DaeEvaluation Evaluation;

static bool
is_current(const Evaluation *e, const Value *value)
{
  return value->round == e->round || value->round == EVERY_ROUND;
}

/* Of a term that has been evaluated. */
static const Value *
value_of(const Evaluation *e, DaeTerm t)
{
  uint32_t at = dae_memo_get(&e->index, t);
  DAE_ASSERT(at != 0);
  return &g_array_index(e->values, Value, at - 1);
}

static bool
eval_ready(void *self, DaeTerm t)
{
  const Evaluation *e = self;
  uint32_t at = dae_memo_get(&e->index, t);
  return at != 0 && is_current(e, &g_array_index(e->values, Value, at - 1));
}

static bool
is_selection(const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_term_function(terms, t) == DAE_FN_SELECT;
}

/* The index; once that is known, the element. An index outside keeps the index alone. */
static const DaeTerm *
selected_operands(const Evaluation *e, const DaeTerm *u, uint32_t *n)
{
  uint32_t count = *n - 1;
  *n = 1;
  if (!eval_ready((void *)e, u[0]) || value_of(e, u[0])->status != DAE_EVAL_OK) {
    return u;
  }
  double i = value_of(e, u[0])->value;
  return i >= 1.0 && i <= (double)count && i == floor(i) ? u + (uint32_t)i : u;
}

static const DaeTerm *
eval_operands(void *self, DaeTerm t, uint32_t *n)
{
  const Evaluation *e = self;
  const DaeTerm *u = dae_term_operands(e->terms, t, n);
  if (is_selection(e->terms, t)) {
    return selected_operands(e, u, n);
  }
  if (dae_term_kind(e->terms, t) != DAE_KIND_IF) {
    return u;
  }
  *n = 1;
  if (!eval_ready(self, u[0]) || value_of(e, u[0])->status != DAE_EVAL_OK) {
    return u;
  }
  return value_of(e, u[0])->value != 0.0 ? u + 1 : u + 2;
}

static Value
checked(double value)
{
  return (Value){.value = value, .status = isfinite(value) ? DAE_EVAL_OK : DAE_EVAL_DOMAIN};
}

static Value
domain_error(void)
{
  return (Value){.value = NAN, .status = DAE_EVAL_DOMAIN};
}

static Value
evaluate_routine(Evaluation *e, DaeTerm t, const double *arguments)
{
  uint32_t number = 0;
  uint32_t k = 0;
  dae_term_get_routine(e->terms, t, &number, &k);
  const DaeRoutineCode *code = dae_terms_routine_code(e->terms, number);
  g_autofree double *outputs = g_new(double, dae_routine_code_n_outputs(code));
  dae_routine_run(code, arguments, outputs);
  return checked(outputs[k]);
}

static Value
evaluate_call(Evaluation *e, DaeTerm t, const double *x)
{
  DaeFunction function = dae_term_function(e->terms, t);
  if (dae_function_facts(function)->takes_data) {
    uint32_t data = 0;
    uint32_t n = 0;
    const double *values = dae_term_data(e->terms, t, &data, &n);
    return checked(function == DAE_FN_LOOKUP ? dae_data_lookup(values, n, x[1])
                                             : dae_data_interval(values, n, x[1]));
  }
  if (function == DAE_FN_ROUTINE) {
    return evaluate_routine(e, t, x + 2);
  }
  if (function == DAE_FN_SELECT) {
    uint32_t n = 0;
    const DaeTerm *taken = eval_operands(e, t, &n);
    return taken == dae_term_operands(e->terms, t, &n) ? domain_error() : checked(x[0]);
  }
  return checked(dae_function_facts(function)->value(x));
}

static Value
evaluate_power(double base, double exponent)
{
  if (base == 0.0 && exponent < 0.0) {
    return domain_error();
  }
  if (exponent == 0.5) {
    return checked(sqrt(base));
  }
  return checked(pow(base, exponent)); /* NaN for a negative base with a fraction */
}

static bool
holds(DaeRelation relation, double a, double b)
{
  switch (relation) {
  case DAE_REL_LT:
    return a < b;
  case DAE_REL_LE:
    return a <= b;
  case DAE_REL_GT:
    return a > b;
  case DAE_REL_GE:
    return a >= b;
  case DAE_REL_EQ:
    return a == b;
  case DAE_REL_NE:
    return a != b;
  }
  return false;
}

/* and, or: an operand with the deciding value decides; else the first
 * error; else the other value. */
static Value
evaluate_junction(const Evaluation *e, const DaeTerm *u, uint32_t n, bool is_and)
{
  Value error = {.status = DAE_EVAL_OK};
  for (uint32_t i = 0; i < n; i++) {
    const Value *v = value_of(e, u[i]);
    if (v->status == DAE_EVAL_OK && (v->value == 0.0) == is_and) {
      return *v;
    }
    if (v->status != DAE_EVAL_OK && error.status == DAE_EVAL_OK) {
      error = *v;
    }
  }
  return error.status != DAE_EVAL_OK ? error : checked(is_and ? 1.0 : 0.0);
}

static Value
evaluate_atom(const Evaluation *e, DaeTerm t)
{
  double value = 0.0;
  if (e->atom == NULL || !e->atom(e->user, t, &value)) {
    return (Value){.value = NAN, .status = DAE_EVAL_UNBOUND};
  }
  return checked(value);
}

static Value
fold_operands(const double *x, uint32_t n, bool is_sum)
{
  double result = is_sum ? 0.0 : 1.0;
  for (uint32_t i = 0; i < n; i++) {
    result = is_sum ? result + x[i] : result * x[i];
  }
  return checked(result);
}

/* Kinds whose operands are all defined; x are their values. */
static Value
evaluate_strict(Evaluation *e, DaeTerm t, DaeKind kind, const double *x, uint32_t n)
{
  switch (kind) {
  case DAE_KIND_NUMBER:
    return checked(dae_term_get_double(e->terms, t));
  case DAE_KIND_BOOLEAN:
    return checked(dae_term_get_bool(e->terms, t) ? 1.0 : 0.0);
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    return evaluate_atom(e, t);
  case DAE_KIND_POWER:
    return evaluate_power(x[0], x[1]);
  case DAE_KIND_PRODUCT:
    return fold_operands(x, n, false);
  case DAE_KIND_SUM:
    return fold_operands(x, n, true);
  case DAE_KIND_CALL:
    return evaluate_call(e, t, x);
  case DAE_KIND_IF:
    return checked(x[0]); /* the branch that was taken */
  case DAE_KIND_RELATION:
    return checked(holds(dae_term_relation_op(e->terms, t), x[0], x[1]) ? 1.0 : 0.0);
  case DAE_KIND_NOT:
    return checked(x[0] == 0.0 ? 1.0 : 0.0);
  case DAE_KIND_AND:
  case DAE_KIND_OR:
    break;
  }
  return domain_error();
}

static Value
evaluate(Evaluation *e, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *u = eval_operands(e, t, &n);
  DaeKind kind = dae_term_kind(e->terms, t);
  if (kind == DAE_KIND_AND || kind == DAE_KIND_OR) {
    return evaluate_junction(e, u, n, kind == DAE_KIND_AND);
  }
  double few[8] = {0.0};
  g_autofree double *many = n > G_N_ELEMENTS(few) ? g_new(double, n) : NULL;
  double *x = many != NULL ? many : few;
  for (uint32_t i = 0; i < n; i++) {
    const Value *v = value_of(e, u[i]);
    if (v->status != DAE_EVAL_OK) {
      return *v;
    }
    x[i] = v->value;
  }
  return evaluate_strict(e, t, kind, x, n);
}

/* Keeps where the operands are, so that at the next point nothing is looked up. */
static void
keep_node(Evaluation *e, DaeTerm t)
{
  Node node = {.term = t, .kind = dae_term_kind(e->terms, t), .first = e->operands->len};
  node.is_lazy = node.kind == DAE_KIND_IF || node.kind == DAE_KIND_AND ||
                 node.kind == DAE_KIND_OR || is_selection(e->terms, t);
  const DaeTerm *u = dae_term_operands(e->terms, t, &node.n);
  for (uint32_t i = 0; i < node.n && !node.is_lazy; i++) {
    uint32_t place = dae_memo_get(&e->index, u[i]) - 1;
    node.is_lazy = g_array_index(e->nodes, Node, place).is_lazy;
    g_array_append_val(e->operands, place);
  }
  g_array_append_val(e->nodes, node);
}

static void
eval_compute(void *self, DaeTerm t)
{
  Evaluation *e = self;
  Value value = evaluate(e, t);
  uint32_t at = dae_memo_get(&e->index, t);
  value.round = dae_is_kind(e->terms, t, DAE_KIND_NUMBER) ? EVERY_ROUND : e->round;
  if (at != 0) {
    g_array_index(e->values, Value, at - 1) = value;
    return;
  }
  g_array_append_val(e->values, value);
  if (e->nodes != NULL) {
    keep_node(e, t);
  }
  dae_memo_set(&e->index, t, e->values->len);
}

/* The same for a term that is kept and not lazy: operands by their places. */
static Value
evaluate_kept(Evaluation *e, const Node *node, const uint32_t *operands)
{
  double few[8] = {0.0};
  g_autofree double *many = node->n > G_N_ELEMENTS(few) ? g_new(double, node->n) : NULL;
  double *x = many != NULL ? many : few;
  for (uint32_t i = 0; i < node->n; i++) {
    const Value *v = &g_array_index(e->values, Value, operands[i]);
    if (v->status != DAE_EVAL_OK) {
      return *v;
    }
    x[i] = v->value;
  }
  return evaluate_strict(e, node->term, node->kind, x, node->n);
}

static uint32_t *
stack_with_room(Evaluation *e, size_t n)
{
  if (n > e->most) {
    e->most = 2 * n;
    e->stack = g_renew(uint32_t, e->stack, e->most);
  }
  return e->stack;
}

/* Puts the operands of a node that are not current on the stack, the first one last. */
static size_t
push_operands(Evaluation *e, const Node *node, const uint32_t *operands, size_t depth)
{
  const Value *values = (const Value *)(void *)e->values->data;
  uint32_t *stack = stack_with_room(e, depth + node->n);
  for (uint32_t i = node->n; i > 0; i--) {
    if (!is_current(e, &values[operands[i - 1]])) {
      stack[depth++] = operands[i - 1];
    }
  }
  return depth;
}

static void
evaluate_again(Evaluation *e, uint32_t root)
{
  const Node *nodes = (const Node *)(void *)e->nodes->data;
  const uint32_t *places = (const uint32_t *)(void *)e->operands->data;
  Value *values = (Value *)(void *)e->values->data;
  size_t depth = 1;
  stack_with_room(e, depth)[0] = root;
  while (depth > 0) {
    uint32_t place = e->stack[depth - 1];
    const Node *node = &nodes[place];
    const uint32_t *operands = node->n > 0 ? places + node->first : NULL;
    bool is_known = is_current(e, &values[place]);
    size_t after = is_known ? depth : push_operands(e, node, operands, depth);
    if (after > depth) {
      depth = after;
      continue;
    }
    if (!is_known) {
      values[place] = evaluate_kept(e, node, operands);
      values[place].round = e->round;
    }
    depth--;
  }
}

DaeEvaluation *
dae_evaluation_new(DaeTerms *terms, DaeAtomValue atom, void *user)
{
  DaeEvaluation *e = g_new0(DaeEvaluation, 1);
  *e = (DaeEvaluation){.terms = terms, .atom = atom, .user = user};
  e->values = g_array_new(FALSE, FALSE, sizeof(Value));
  e->nodes = g_array_new(FALSE, FALSE, sizeof(Node));
  e->operands = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  return e;
}

void
dae_evaluation_free(DaeEvaluation *e)
{
  if (e != NULL) {
    g_array_free(e->values, TRUE);
    g_array_free(e->nodes, TRUE);
    g_array_free(e->operands, TRUE);
    g_free(e->stack);
    dae_memo_clear(&e->index);
    g_free(e);
  }
}

void
dae_evaluation_move(DaeEvaluation *e)
{
  e->round++;
  if (e->round == EVERY_ROUND) { /* all marks have been used: forget everything */
    e->round = 0;
    g_array_set_size(e->values, 0);
    g_array_set_size(e->nodes, 0);
    g_array_set_size(e->operands, 0);
    dae_memo_clear(&e->index);
  }
}

DaeEvalStatus
dae_evaluation_value(DaeEvaluation *e, DaeTerm t, double *value)
{
  uint32_t at = dae_memo_get(&e->index, t);
  if (at != 0 && !g_array_index(e->nodes, Node, at - 1).is_lazy) {
    evaluate_again(e, at - 1);
  } else {
    DaeWalk walk = {
        .ready = eval_ready, .operands = eval_operands, .compute = eval_compute, .self = e};
    dae_walk(e->terms, t, &walk);
  }
  const Value *result = value_of(e, t);
  *value = result->value;
  return result->status;
}

DaeEvalStatus
dae_term_eval_double(DaeTerms *terms, DaeTerm t, DaeAtomValue atom, void *user, double *value)
{
  if (dae_is_kind(terms, t, DAE_KIND_NUMBER)) {
    Value number = checked(dae_term_get_double(terms, t));
    *value = number.value;
    return number.status;
  }
  DaeEvaluation e = {.terms = terms,
                     .atom = atom,
                     .user = user,
                     .values = g_array_new(FALSE, FALSE, sizeof(Value))};
  DaeEvalStatus status = dae_evaluation_value(&e, t, value);
  g_array_free(e.values, TRUE);
  dae_memo_clear(&e.index);
  return status;
}
