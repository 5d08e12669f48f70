/* The structural order.
 *
 * A term is read as a rational coefficient times factors, a factor as
 * base^exponent. Two terms are compared by
 *   1. the key: does it have variables, time, parameters; highest derivative; degree (larger
 *      goes first), so that sums read as people write them: der(v) first, squares before linear
 *      terms, constants last; then, where terms are nested deeper than a person writes them,
 *      the depth (without the coefficient): going down would take that long;
 *   2. the factors that contain variables, in order, then the other
 *      factors; fewer factors go first;
 *   3. the coefficient.
 * Factors are compared by: contains variables (later), kind of the base, the base, the exponent
 * (larger first). Bases of one kind are compared by declaration rank, order of derivative,
 * function, number of operands, and the first operands that differ.
 *
 * Every step is lexicographic and terms are hash-consed, so the first pair of parts with
 * different ids decides: the comparison is a loop that goes down one path, it needs
 * neither recursion nor a stack.
 *
 * The order is total. Each term t has a list of parts that depends on t alone: its key (class,
 * derivative, degree, and the depth, which counts as 0 up to that of people and as the largest
 * kept one beyond), its factors with variables, the others, its coefficient; each factor in
 * turn whether it has variables, the kind of its base, what the kind has, its exponent. Two
 * terms with equal lists are one: lists of operands are kept in this order and nothing else of
 * a term is left out. Parts that are integers, ranks and rationals are totally ordered; those
 * that are terms are so by induction, since a part has fewer nodes than the term it is a part
 * of. (A base that is a product or a power is compared as a term at once, with the same nodes;
 * it has been taken out of a power or a sum, so that its own parts are what is next.) The
 * lexicographic order of lists over totally ordered parts, some of them reversed, is total: of
 * two terms exactly one of a < b, a = b, b < a holds, and a < b < c gives a < c. It was not
 * while the depth saw coefficients, which are no part of the factors: 2*f and f then differed
 * in step 1, and sums changed their order when scaled. tests/terms/test_properties.c tries
 * random triples, also nested deeper than people write. */
#include <string.h>

#include "terms/terms-priv.h"

/* The key: class, highest derivative, degree, and the low bits of the depth of nesting. */
enum { KEY_FIELD = 255, CLASS_AT = 30, HIGHEST_AT = 22, DEGREE_AT = 14 };

enum { HEIGHT_LOW = (1 << DEGREE_AT) - 1, HEIGHT_MAX = (1 << 22) - 1, HEIGHT_OF_PEOPLE = 64 };

static uint32_t
saturated(uint64_t value)
{
  return value > KEY_FIELD ? KEY_FIELD : (uint32_t)value;
}

static uint32_t
key_class(uint8_t flags)
{
  if ((flags & DAE_HAS_VARIABLE) != 0) {
    return 3;
  }
  if ((flags & DAE_HAS_TIME) != 0) {
    return 2;
  }
  return (flags & DAE_HAS_PARAMETER) != 0 ? 1 : 0;
}

static uint32_t
degree_of(uint32_t key)
{
  return key >> DEGREE_AT & KEY_FIELD;
}

static uint32_t
height_of(const DaeNode *node)
{
  return (uint32_t)node->height_high << DEGREE_AT | (node->key & HEIGHT_LOW);
}

static void
set_height(DaeNode *node, uint32_t height)
{
  uint32_t kept = MIN(height, HEIGHT_MAX);
  node->height_high = (uint8_t)(kept >> DEGREE_AT);
  node->key = (node->key & ~(uint32_t)HEIGHT_LOW) | (kept & HEIGHT_LOW);
}

/* A number times one factor is as high as that factor: the order of monomials must not see
 * coefficients, or scaling a sum would change the order of its summands. */
static bool
is_scaled_factor(const DaeTerms *terms, const DaeNode *node)
{
  return node->kind == DAE_KIND_PRODUCT && node->n == 2 &&
         dae_is_kind(terms, dae_node_operands(node)[0], DAE_KIND_NUMBER);
}

bool
dae_term_has_derivatives(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->key >> HIGHEST_AT & KEY_FIELD) > 0;
}

DaeOperandFacts
dae_order_look(const DaeTerms *terms, const DaeTerm *operands, uint32_t n)
{
  DaeOperandFacts facts = {0};
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    const DaeNode *operand = dae_node(terms, operands[i]);
    const uint32_t key = operand->key;
    facts.flags |= operand->flags;
    facts.n_varying += (operand->flags & (DAE_HAS_VARIABLE | DAE_HAS_TIME)) != 0;
    facts.highest = MAX(facts.highest, key >> HIGHEST_AT & KEY_FIELD);
    facts.height = MAX(facts.height, height_of(operand) + 1);
    facts.degree_most = MAX(facts.degree_most, degree_of(key));
    sum += degree_of(key);
  }
  facts.degree_sum = saturated(sum);
  return facts;
}

/* Degree in the variables as far as it can be seen; 1 for functions of variables. */
static uint32_t
degree(const DaeTerms *terms, const DaeNode *node, const DaeOperandFacts *facts)
{
  int64_t exponent = 0;
  if ((node->flags & DAE_HAS_VARIABLE) == 0) {
    return 0;
  }
  switch ((DaeKind)node->kind) {
  case DAE_KIND_PRODUCT:
    return facts->degree_sum;
  case DAE_KIND_SUM:
    return facts->degree_most;
  case DAE_KIND_POWER:
    if (!dae_term_get_int64(terms, node->u.few[1], &exponent)) {
      return 1;
    }
    return exponent < 0 ? 0
                        : saturated((uint64_t)degree_of(dae_node(terms, node->u.few[0])->key) *
                                    (uint64_t)MIN(exponent, KEY_FIELD));
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_CALL:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return 1;
  }
  return 1;
}

void
dae_order_set_key(const DaeTerms *terms, DaeNode *node, const DaeOperandFacts *facts)
{
  bool is_variable = node->kind == DAE_KIND_VARIABLE;
  uint32_t highest = is_variable ? saturated(node->u.atom.order) : facts->highest;
  node->key = key_class(node->flags) << CLASS_AT | highest << HIGHEST_AT |
              degree(terms, node, facts) << DEGREE_AT;
  set_height(node, facts->height - is_scaled_factor(terms, node));
}

/* Class, derivative and degree of a sum are the largest of its operands. */
void
dae_order_extend_key(const DaeTerms *terms, DaeNode *sum, DaeTerm last)
{
  const DaeNode *node = dae_node(terms, last);
  uint32_t a = sum->key;
  uint32_t b = node->key;
  uint32_t height = MAX(height_of(sum), height_of(node) + 1);
  sum->key = MAX(a >> CLASS_AT, b >> CLASS_AT) << CLASS_AT |
             MAX(a >> HIGHEST_AT & KEY_FIELD, b >> HIGHEST_AT & KEY_FIELD) << HIGHEST_AT |
             MAX(degree_of(a), degree_of(b)) << DEGREE_AT;
  set_height(sum, height);
}

/* The factors of a term without its coefficient. single holds the term
 * itself where it is not a product. */
static const DaeTerm *
factors_of(const DaeTerms *terms, DaeTerm t, DaeTerm *single, uint32_t *n)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind == DAE_KIND_NUMBER) {
    *n = 0;
    return single;
  }
  if (node->kind != DAE_KIND_PRODUCT) {
    *single = t;
    *n = 1;
    return single;
  }
  const DaeTerm *operands = dae_node_operands(node);
  bool has_number = dae_is_kind(terms, operands[0], DAE_KIND_NUMBER);
  *n = node->n - has_number;
  return operands + has_number;
}

static bool
has_variable(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & DAE_HAS_VARIABLE) != 0;
}

/* Rank of the kinds as bases of a product: `2*sqrt(2)*pi*m*time*x*sin(x)*(x + y)`. */
static int
kind_rank(const DaeNode *node)
{
  switch ((DaeKind)node->kind) {
  case DAE_KIND_NUMBER:
    return 0;
  case DAE_KIND_CALL:
    return node->op == DAE_FN_PI ? 1 : 7;
  case DAE_KIND_BOOLEAN:
    return 2;
  case DAE_KIND_PARAMETER:
    return 3;
  case DAE_KIND_TIME:
    return 4;
  case DAE_KIND_VARIABLE:
    return 5;
  case DAE_KIND_POWER:
    return 8;
  case DAE_KIND_PRODUCT:
    return 9;
  case DAE_KIND_SUM:
    return 10;
  case DAE_KIND_IF:
    return 11;
  case DAE_KIND_RELATION:
    return 12;
  case DAE_KIND_AND:
    return 13;
  case DAE_KIND_OR:
    return 14;
  case DAE_KIND_NOT:
    return 15;
  }
  return 16;
}

static int
three_way(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* A comparison in progress: what decides next is the order of a and b, times sign. */
typedef struct {
  DaeTerm a;
  DaeTerm b;
  int sign;
} Pending;

/* Compares the bases a != b. Decided: returns nonzero. Else next is the pair that decides. */
static int
compare_bases(const DaeTerms *terms, DaeTerm a, DaeTerm b, Pending *next)
{
  const DaeNode *x = dae_node(terms, a);
  const DaeNode *y = dae_node(terms, b);
  int result = kind_rank(x) - kind_rank(y);
  if (result != 0) {
    return result;
  }
  if (x->kind == DAE_KIND_NUMBER || x->kind == DAE_KIND_PRODUCT || x->kind == DAE_KIND_POWER) {
    next->a = a;
    next->b = b;
    return 0;
  }
  if (x->kind == DAE_KIND_VARIABLE || x->kind == DAE_KIND_PARAMETER) {
    result = three_way(x->u.atom.symbol, y->u.atom.symbol);
    return result != 0 ? result : three_way(x->u.atom.order, y->u.atom.order);
  }
  result = three_way(x->op, y->op);
  if (result == 0) {
    result = three_way(x->n, y->n);
  }
  if (result != 0) {
    return result;
  }
  const DaeTerm *p = dae_node_operands(x);
  const DaeTerm *q = dae_node_operands(y);
  uint32_t i = 0;
  while (i < x->n && p[i] == q[i]) {
    i++;
  }
  DAE_ASSERT(i < x->n); /* equal heads and operands would be one term */
  next->a = p[i];
  next->b = q[i];
  return 0;
}

static DaeTerm
base_of(const DaeTerms *terms, DaeTerm factor, DaeTerm *exponent)
{
  const DaeNode *node = dae_node(terms, factor);
  if (node->kind == DAE_KIND_POWER) {
    *exponent = node->u.few[1];
    return node->u.few[0];
  }
  *exponent = terms->one;
  return factor;
}

static int
compare_factors(const DaeTerms *terms, DaeTerm a, DaeTerm b, Pending *next)
{
  int result = has_variable(terms, a) - has_variable(terms, b);
  if (result != 0) {
    return result;
  }
  DaeTerm e = DAE_NO_TERM;
  DaeTerm f = DAE_NO_TERM;
  DaeTerm base_a = base_of(terms, a, &e);
  DaeTerm base_b = base_of(terms, b, &f);
  if (base_a != base_b) {
    return compare_bases(terms, base_a, base_b, next);
  }
  next->a = e;
  next->b = f;
  next->sign = -next->sign;
  return 0;
}

static uint32_t
first_variable_factor(const DaeTerms *terms, const DaeTerm *factors, uint32_t n)
{
  uint32_t i = 0;
  while (i < n && !has_variable(terms, factors[i])) {
    i++;
  }
  return i;
}

/* First place where the lists differ; n of the shorter one if there is none. */
static uint32_t
first_difference(const DaeTerm *p, uint32_t n_p, const DaeTerm *q, uint32_t n_q)
{
  uint32_t n = MIN(n_p, n_q);
  uint32_t i = 0;
  while (i < n && p[i] == q[i]) {
    i++;
  }
  return i;
}

static uint32_t
height_beyond_people(const DaeNode *node)
{
  uint32_t height = height_of(node);
  return height > HEIGHT_OF_PEOPLE ? height : 0;
}

static int
compare_keys(const DaeNode *a, const DaeNode *b)
{
  int result = three_way(b->key >> DEGREE_AT, a->key >> DEGREE_AT);
  return result != 0 ? result : three_way(height_beyond_people(a), height_beyond_people(b));
}

/* One level of the comparison of a != b. Returns nonzero if decided; *open tells that next is
 * to be compared; 0 and not open: equal up to the coefficient. */
static int
compare_monomials(const DaeTerms *terms, DaeTerm a, DaeTerm b, Pending *next, bool *open)
{
  *open = false;
  int result = compare_keys(dae_node(terms, a), dae_node(terms, b));
  if (result != 0) {
    return result;
  }
  DaeTerm one_a = DAE_NO_TERM;
  DaeTerm one_b = DAE_NO_TERM;
  uint32_t n_a = 0;
  uint32_t n_b = 0;
  const DaeTerm *p = factors_of(terms, a, &one_a, &n_a);
  const DaeTerm *q = factors_of(terms, b, &one_b, &n_b);
  uint32_t v = first_variable_factor(terms, p, n_a);
  uint32_t w = first_variable_factor(terms, q, n_b);
  for (int part = 0; part < 2; part++) {
    const DaeTerm *x = part == 0 ? p + v : p;
    const DaeTerm *y = part == 0 ? q + w : q;
    uint32_t n_x = part == 0 ? n_a - v : v;
    uint32_t n_y = part == 0 ? n_b - w : w;
    uint32_t i = first_difference(x, n_x, y, n_y);
    if (i < n_x && i < n_y) {
      result = compare_factors(terms, x[i], y[i], next);
      *open = result == 0;
      return result;
    }
    if (n_x != n_y) {
      return three_way(n_x, n_y);
    }
  }
  return 0;
}

static int
compare_coefficients(const DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  DaeRat p = dae_coefficient_view(terms, a);
  DaeRat q = dae_coefficient_view(terms, b);
  return dae_rat_compare(&p, &q);
}

static int
compare_pending(const DaeTerms *terms, Pending state)
{
  while (state.a != state.b) {
    bool open = false;
    DaeTerm a = state.a;
    DaeTerm b = state.b;
    int result = compare_monomials(terms, a, b, &state, &open);
    if (result != 0) {
      return result * state.sign;
    }
    if (!open) {
      return compare_coefficients(terms, a, b) * state.sign;
    }
  }
  return 0;
}

int
dae_term_compare(const DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return compare_pending(terms, (Pending){.a = a, .b = b, .sign = 1});
}

int
dae_order_monomials(const DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  if (a == b) {
    return 0;
  }
  Pending state = {.a = a, .b = b, .sign = 1};
  bool open = false;
  int result = compare_monomials(terms, a, b, &state, &open);
  return result != 0 || !open ? result : compare_pending(terms, state);
}

int
dae_order_bases(const DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  if (a == b) {
    return 0;
  }
  int result = has_variable(terms, a) - has_variable(terms, b);
  if (result != 0) {
    return result;
  }
  Pending state = {.a = a, .b = b, .sign = 1};
  result = compare_bases(terms, a, b, &state);
  return result != 0 ? result : compare_pending(terms, state);
}

/* An element goes behind the first one, seen from the end, that is not larger: an equal one shows
 * itself there. */
static bool
insertion_sort(const DaeTerms *terms, DaeTerm *list, size_t n, DaeOrder order)
{
  bool are_different = true;
  for (size_t i = 1; i < n; i++) {
    DaeTerm t = list[i];
    size_t j = i;
    int sign = 1;
    for (; j > 0 && (sign = order(terms, list[j - 1], t)) > 0; j--) {
      list[j] = list[j - 1];
    }
    list[j] = t;
    are_different = are_different && sign != 0;
  }
  return are_different;
}

static size_t
end_of_run(const DaeTerms *terms, const DaeTerm *list, size_t from, size_t n, DaeOrder order)
{
  size_t i = from + 1;
  while (i < n && order(terms, list[i - 1], list[i]) <= 0) {
    i++;
  }
  return MIN(i, n);
}

/* Merges [from, middle) and [middle, end) through the buffer. */
static void
merge_runs(const DaeTerms *terms, DaeTerm *list, DaeTerm *buffer, const size_t bounds[3],
           DaeOrder order)
{
  size_t i = bounds[0];
  size_t j = bounds[1];
  size_t k = bounds[0];
  while (i < bounds[1] && j < bounds[2]) {
    buffer[k++] = order(terms, list[j], list[i]) < 0 ? list[j++] : list[i++];
  }
  while (i < bounds[1]) {
    buffer[k++] = list[i++];
  }
  while (j < bounds[2]) {
    buffer[k++] = list[j++];
  }
  memcpy(list + bounds[0], buffer + bounds[0], (bounds[2] - bounds[0]) * sizeof *list);
}

bool
dae_order_sort(const DaeTerms *terms, DaeTerm *list, size_t n, DaeOrder order)
{
  if (n <= 12) {
    return insertion_sort(terms, list, n, order);
  }
  if (end_of_run(terms, list, 0, n, order) == n) {
    return false;
  }
  g_autofree DaeTerm *buffer = g_new(DaeTerm, n);
  /* Short runs are first made longer; then neighbouring runs are merged until one is left. */
  for (size_t from = 0; from < n;) {
    size_t end = end_of_run(terms, list, from, n, order);
    if (end - from < 8) {
      end = MIN(from + 8, n);
      insertion_sort(terms, list + from, end - from, order);
    }
    from = end;
  }
  bool sorted = false;
  while (!sorted) {
    sorted = true;
    for (size_t from = 0; from < n;) {
      size_t middle = end_of_run(terms, list, from, n, order);
      if (middle == n) {
        break;
      }
      size_t end = end_of_run(terms, list, middle, n, order);
      merge_runs(terms, list, buffer, (size_t[]){from, middle, end}, order);
      sorted = sorted && from == 0 && end == n;
      from = end;
    }
  }
  return false;
}
