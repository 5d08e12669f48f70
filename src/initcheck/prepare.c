/* Terms at the start of the simulation: parameters, time, wrappers and conditions; and the
 * memo tables that the elimination asks all the time (which unknowns are inside, is it zero at
 * the given parameter values). */
#include <math.h>

#include "initcheck/initcheck-priv.h"

/* ---- parameters -------------------------------------------------------------------------- */

/* Expands parameter k over its dependencies, depth first with an explicit stack.
 * The reader has excluded cycles. */
static void
expand_parameter(IcSystem *sys, uint32_t k, GByteArray *state)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(stack, k);
  while (stack->len > 0) {
    uint32_t top = g_array_index(stack, uint32_t, stack->len - 1);
    const DaeParameter *parameter = dae_model_parameter(sys->model, top);
    if (state->data[top] == 2 || parameter->value == DAE_NO_TERM || parameter->is_free) {
      state->data[top] = 2;
      g_array_set_size(stack, stack->len - 1);
      continue;
    }
    g_array_set_size(atoms, 0);
    dae_term_collect_parameters(sys->terms, parameter->value, atoms);
    if (state->data[top] == 0) {
      state->data[top] = 1;
      for (guint a = 0; a < atoms->len; a++) {
        uint32_t other = 0;
        DaeSymbol symbol = dae_term_get_symbol(sys->terms, g_array_index(atoms, DaeTerm, a));
        if (dae_model_find_parameter(sys->model, symbol, &other) && state->data[other] == 0) {
          g_array_append_val(stack, other);
        }
      }
      continue;
    }
    if (atoms->len > 0 || parameter->is_constant) {
      DaeTerm expanded = dae_subst_apply(sys->dependent, parameter->value);
      if (expanded != DAE_NO_TERM) {
        dae_subst_set(sys->dependent, dae_term_parameter(sys->terms, parameter->symbol),
                      expanded);
      }
    }
    state->data[top] = 2;
    g_array_set_size(stack, stack->len - 1);
  }
}

void
ic_set_up_parameters(IcSystem *sys)
{
  uint32_t n = dae_model_n_parameters(sys->model);
  g_autoptr(GByteArray) state = g_byte_array_new();
  g_byte_array_set_size(state, n + 1);
  memset(state->data, 0, n + 1);
  sys->values = dae_model_parameter_subst(sys->model, sys->terms);
  sys->dependent = dae_subst_new(sys->terms);
  for (uint32_t k = 0; k < n; k++) {
    expand_parameter(sys, k, state);
  }
}

DaeTerm
ic_at_values(IcSystem *sys, DaeTerm t)
{
  gpointer known = g_hash_table_lookup(sys->at_values, GUINT_TO_POINTER(t));
  if (known != NULL) {
    return GPOINTER_TO_UINT(known) - 1;
  }
  DaeTerm value = dae_subst_apply(sys->values, t);
  if (value != DAE_NO_TERM) {
    value = dae_terms_rewrite(sys->terms, value);
  }
  g_hash_table_insert(sys->at_values, GUINT_TO_POINTER(t), GUINT_TO_POINTER(value + 1));
  return value;
}

DaeZero
ic_zero_at_values(IcSystem *sys, DaeTerm t)
{
  if (dae_term_is_number(sys->terms, t)) {
    return dae_term_is_zero(sys->terms, t) ? DAE_ZERO : DAE_NONZERO;
  }
  gpointer known = g_hash_table_lookup(sys->nonzero, GUINT_TO_POINTER(t));
  if (known != NULL) {
    return (DaeZero)(GPOINTER_TO_INT(known) - 1);
  }
  DaeTerm value = ic_at_values(sys, t);
  DaeZero answer =
      value == DAE_NO_TERM ? DAE_UNKNOWN : dae_algebra_is_zero(sys->algebra, value);
  g_hash_table_insert(sys->nonzero, GUINT_TO_POINTER(t), GINT_TO_POINTER((int)answer + 1));
  return answer;
}

/* Products of numbers and integer powers of parameters are canonical as they are built. */
static bool
is_monomial(const DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &t, &n);
  for (uint32_t i = 0; i < n; i++) {
    DaeKind kind = dae_term_kind(terms, factors[i]);
    int64_t exponent = 0;
    if (kind == DAE_KIND_POWER &&
        dae_term_get_int64(terms, dae_term_operand(terms, factors[i], 1), &exponent)) {
      kind = dae_term_kind(terms, dae_term_operand(terms, factors[i], 0));
      kind = kind == DAE_KIND_NUMBER ? DAE_KIND_POWER : kind;
    }
    if (kind != DAE_KIND_NUMBER && kind != DAE_KIND_PARAMETER && kind != DAE_KIND_VARIABLE) {
      return false;
    }
  }
  return true;
}

typedef struct
{ /* about how many monomials a term has over its common denominator, when multiplied out */
  double numerator, denominator;
} Expanded;

static Expanded
expanded_node(const IcSystem *sys, DaeTerm node, GHashTable *memo)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(sys->terms, node, &n);
  DaeKind kind = dae_term_kind(sys->terms, node);
  Expanded result = {kind == DAE_KIND_SUM ? 0.0 : 1.0, 1.0};
  int64_t exponent = 0;
  for (uint32_t i = 0; i < n && (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT); i++) {
    const Expanded *part = g_hash_table_lookup(memo, GUINT_TO_POINTER(operands[i]));
    if (kind == DAE_KIND_SUM) {
      result.numerator =
          result.numerator * part->denominator + part->numerator * result.denominator;
    } else {
      result.numerator *= part->numerator;
    }
    result.denominator *= part->denominator;
  }
  if (kind == DAE_KIND_POWER && dae_term_get_int64(sys->terms, operands[1], &exponent)) {
    const Expanded *part = g_hash_table_lookup(memo, GUINT_TO_POINTER(operands[0]));
    double power = MIN(fabs((double)exponent), 50.0);
    double up = pow(part->numerator, power);
    double down = pow(part->denominator, power);
    result = exponent < 0 ? (Expanded){down, up} : (Expanded){up, down};
  }
  return (Expanded){MIN(result.numerator, 1e9), MIN(result.denominator, 1e9)};
}

typedef struct {
  const IcSystem *sys;
  GHashTable *memo; /* term -> Expanded */
} Lengths;

static bool
length_is_known(void *self, DaeTerm t)
{
  return g_hash_table_contains(((const Lengths *)self)->memo, GUINT_TO_POINTER(t));
}

static void
compute_length(void *self, DaeTerm t)
{
  const Lengths *lengths = self;
  Expanded *expanded = g_new(Expanded, 1);
  *expanded = expanded_node(lengths->sys, t, lengths->memo);
  g_hash_table_insert(lengths->memo, GUINT_TO_POINTER(t), expanded);
}

static double
expanded_length(const IcSystem *sys, DaeTerm t)
{
  g_autoptr(GHashTable) memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  Lengths lengths = {sys, memo};
  const DaeWalk walk = {.ready = length_is_known, .compute = compute_length, .self = &lengths};
  dae_walk(sys->terms, t, &walk);
  const Expanded *whole = g_hash_table_lookup(memo, GUINT_TO_POINTER(t));
  return MAX(whole->numerator, whole->denominator);
}

DaeTerm
ic_tidy(IcSystem *sys, DaeTerm t)
{
  if (sys->too_long) {
    return t;
  }
  if (is_monomial(sys->terms, t)) {
    uint32_t n = 0;
    dae_term_operands(sys->terms, t, &n);
    sys->factors += n;
    sys->too_long = sys->factors > IC_FACTOR_LIMIT && !sys->at_given_values;
    return t;
  }
  gpointer known = g_hash_table_lookup(sys->tidy, GUINT_TO_POINTER(t));
  if (known != NULL) {
    return GPOINTER_TO_UINT(known);
  }
  size_t size = dae_term_size(sys->terms, t);
  sys->work += size > 24 ? size : 0; /* many small ones are no trouble */
  if (sys->work > IC_WORK_LIMIT && !sys->at_given_values) {
    sys->too_long = true;
    return t;
  }
  /* expanding a long expression makes it longer: only whether it is zero matters then */
  bool is_long = size > 300 || expanded_length(sys, t) > 2000.0;
  DaeTerm tidy = is_long ? t : dae_algebra_simplify(sys->algebra, t);
  if (!dae_term_is_number(sys->terms, tidy) &&
      dae_algebra_is_zero(sys->algebra, tidy) == DAE_ZERO) {
    tidy = dae_term_int(sys->terms, 0);
  }
  g_hash_table_insert(sys->tidy, GUINT_TO_POINTER(t), GUINT_TO_POINTER(tidy));
  return tidy;
}

gint
ic_compare_numbers(gconstpointer a, gconstpointer b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* By digits of eleven bits, the last one first. */
static void
sort_long(uint32_t *data, size_t n, uint32_t largest)
{
  enum { BITS = 11, N_DIGITS = 1 << BITS };

  g_autofree uint32_t *other = g_new(uint32_t, n);
  uint32_t *from = data;
  uint32_t *to = other;
  for (uint32_t shift = 0; shift < 32 && largest >> shift != 0; shift += BITS) {
    uint32_t at[N_DIGITS + 1] = {0};
    for (size_t i = 0; i < n; i++) {
      at[(from[i] >> shift) % N_DIGITS + 1]++;
    }
    for (uint32_t digit = 0; digit < N_DIGITS; digit++) {
      at[digit + 1] += at[digit];
    }
    for (size_t i = 0; i < n; i++) {
      to[at[(from[i] >> shift) % N_DIGITS]++] = from[i];
    }
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != data) {
    memcpy(data, from, n * sizeof *data);
  }
}

static void
sort_short(uint32_t *data, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    uint32_t number = data[i];
    size_t k = i;
    for (; k > 0 && data[k - 1] > number; k--) {
      data[k] = data[k - 1];
    }
    data[k] = number;
  }
}

void
ic_sort_numbers(GArray *numbers)
{
  enum { FEW = 64 };

  uint32_t *data = (uint32_t *)(void *)numbers->data;
  uint32_t largest = 0;
  bool is_sorted = true;
  for (guint i = 0; i < numbers->len; i++) {
    is_sorted &= largest <= data[i];
    largest = MAX(largest, data[i]);
  }
  if (!is_sorted && numbers->len <= FEW) {
    sort_short(data, numbers->len);
  } else if (!is_sorted) {
    sort_long(data, numbers->len, largest);
  }
}

void
ic_sort_unique(GArray *numbers)
{
  guint kept = 0;
  ic_sort_numbers(numbers);
  for (guint i = 0; i < numbers->len; i++) {
    uint32_t number = g_array_index(numbers, uint32_t, i);
    if (kept == 0 || g_array_index(numbers, uint32_t, kept - 1) != number) {
      g_array_index(numbers, uint32_t, kept++) = number;
    }
  }
  g_array_set_size(numbers, kept);
}

/* ---- unknowns inside --------------------------------------------------------------------- */

static guint8 *
has_slot(IcSystem *sys, DaeTerm t)
{
  if (t >= sys->has->len) {
    guint old = sys->has->len;
    g_byte_array_set_size(sys->has, MAX(t + 1024, old + old / 2));
    memset(sys->has->data + old, 0, sys->has->len - old);
  }
  return &sys->has->data[t];
}

static bool
has_is_known(void *self, DaeTerm t)
{
  return *has_slot(self, t) != 0;
}

static void
compute_has(void *self, DaeTerm t)
{
  IcSystem *sys = self;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(sys->terms, t, &n);
  bool found = g_hash_table_contains(sys->index, GUINT_TO_POINTER(t));
  for (uint32_t i = 0; i < n && !found; i++) {
    found = *has_slot(sys, operands[i]) == 2;
  }
  *has_slot(sys, t) = found ? 2 : 1;
}

bool
ic_has_unknown(IcSystem *sys, DaeTerm t)
{
  if (*has_slot(sys, t) == 0) {
    const DaeWalk walk = {.ready = has_is_known, .compute = compute_has, .self = sys};
    dae_walk(sys->terms, t, &walk);
  }
  return *has_slot(sys, t) == 2;
}

const GArray *
ic_unknowns_inside(IcSystem *sys, DaeTerm t)
{
  GArray *known = g_hash_table_lookup(sys->inside, GUINT_TO_POINTER(t));
  if (known != NULL) {
    return known;
  }
  GArray *inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(sys->terms, t, atoms);
  dae_term_collect_parameters(sys->terms, t, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    gpointer z =
        g_hash_table_lookup(sys->index, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, a)));
    if (z != NULL) {
      uint32_t number = GPOINTER_TO_UINT(z) - 1;
      g_array_append_val(inside, number);
    }
  }
  ic_sort_numbers(inside);
  g_hash_table_insert(sys->inside, GUINT_TO_POINTER(t), inside);
  return inside;
}

bool
ic_is_constant_in_parameters(IcSystem *sys, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(sys->terms, t, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    if (!g_hash_table_contains(sys->index,
                               GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, a)))) {
      return true;
    }
  }
  return false;
}

/* ---- conditions -------------------------------------------------------------------------- */

static bool
is_relation(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  return dae_term_kind(terms, t) == DAE_KIND_RELATION;
}

static bool
is_switching(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  if (dae_term_kind(terms, t) == DAE_KIND_IF) {
    return true;
  }
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction function = dae_term_function(terms, t);
  uint8_t kind = dae_function_facts(function)->kind;
  return kind == DAE_CLASS_MARK || kind == DAE_CLASS_CHOICE || function == DAE_FN_SIGN ||
         function == DAE_FN_LOG10;
}

/* Sign of a term without unknowns, first for all parameter values, then for the given ones. */
bool
ic_sign_of(IcSystem *sys, DaeTerm t, int *sign, bool *used_values)
{
  if (t == DAE_NO_TERM || ic_has_unknown(sys, t)) {
    return false;
  }
  if (dae_algebra_sign(sys->algebra, t, sign)) {
    return true;
  }
  DaeTerm value = ic_at_values(sys, t);
  if (value != DAE_NO_TERM && value != t && dae_algebra_sign(sys->algebra, value, sign)) {
    *used_values = true;
    return true;
  }
  return false;
}

/* cond with every decidable relation replaced by its truth value. */
DaeTerm
ic_decide_condition(IcSystem *sys, DaeTerm cond, bool *used_values)
{
  g_autoptr(GArray) relations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeSubst) subst = dae_subst_new(sys->terms);
  dae_term_collect_nodes(sys->terms, cond, is_relation, NULL, relations);
  for (guint i = 0; i < relations->len; i++) {
    DaeTerm relation = g_array_index(relations, DaeTerm, i);
    DaeTerm difference = dae_term_sub(sys->terms, dae_term_operand(sys->terms, relation, 0),
                                      dae_term_operand(sys->terms, relation, 1));
    int sign = 0;
    if (ic_sign_of(sys, difference, &sign, used_values)) {
      bool holds = dae_relation_holds(dae_term_relation_op(sys->terms, relation), sign);
      dae_subst_set(subst, relation, dae_term_bool(sys->terms, holds));
    }
  }
  DaeTerm decided = dae_subst_apply(subst, cond);
  decided = decided == DAE_NO_TERM ? cond : dae_terms_rewrite(sys->terms, decided);
  if (dae_term_kind(sys->terms, decided) != DAE_KIND_BOOLEAN && !ic_has_unknown(sys, decided)) {
    DaeTerm value = ic_at_values(sys, decided); /* a Boolean parameter */
    if (value != DAE_NO_TERM && dae_term_kind(sys->terms, value) == DAE_KIND_BOOLEAN) {
      *used_values = true;
      return value;
    }
  }
  return decided;
}

static DaeTerm
decide_if(IcSystem *sys, DaeSubst *at_start, DaeTerm node, bool *used_values)
{
  DaeTerm cond = dae_subst_apply(at_start, dae_term_operand(sys->terms, node, 0));
  if (cond == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  cond = ic_decide_condition(sys, cond, used_values);
  if (dae_term_kind(sys->terms, cond) != DAE_KIND_BOOLEAN) {
    return DAE_NO_TERM;
  }
  uint32_t branch = dae_term_get_bool(sys->terms, cond) ? 1 : 2;
  return dae_subst_apply(at_start, dae_term_operand(sys->terms, node, branch));
}

/* abs, sign, min, max, semiLinear of terms whose signs are known. */
static DaeTerm
decide_piecewise(IcSystem *sys, DaeSubst *at_start, DaeTerm node, bool *used_values)
{
  DaeTerms *terms = sys->terms;
  DaeTerm a = dae_subst_apply(at_start, dae_term_operand(terms, node, 0));
  int sign = 0;
  DaeFunction function = dae_term_function(terms, node);
  if (dae_function_facts(function)->picks) {
    DaeTerm b = dae_subst_apply(at_start, dae_term_operand(terms, node, 1));
    if (a == DAE_NO_TERM || b == DAE_NO_TERM ||
        !ic_sign_of(sys, dae_term_sub(terms, a, b), &sign, used_values)) {
      return DAE_NO_TERM;
    }
    return (function == DAE_FN_MIN) == (sign <= 0) ? a : b;
  }
  if (!ic_sign_of(sys, a, &sign, used_values)) {
    return DAE_NO_TERM;
  }
  if (function == DAE_FN_SIGN) {
    return dae_term_int(terms, sign);
  }
  if (function == DAE_FN_ABS) {
    return sign < 0 ? dae_term_neg(terms, a) : a;
  }
  DaeTerm slope = dae_subst_apply(at_start, dae_term_operand(terms, node, sign >= 0 ? 1 : 2));
  return slope == DAE_NO_TERM ? DAE_NO_TERM : dae_term_mul(terms, slope, a);
}

static DaeTerm
decide_node(IcSystem *sys, DaeSubst *at_start, DaeTerm node, bool *used_values)
{
  DaeTerms *terms = sys->terms;
  if (dae_term_kind(terms, node) == DAE_KIND_IF) {
    return decide_if(sys, at_start, node, used_values);
  }
  DaeFunction function = dae_term_function(terms, node);
  if (function == DAE_FN_HOMOTOPY || function == DAE_FN_NOEVENT) {
    DaeTerm inner = dae_subst_apply(at_start, dae_term_operand(terms, node, 0));
    /* a long number stays closed, else its digits double from term to term (terms/subst.c) */
    bool is_long = inner != DAE_NO_TERM && dae_term_is_number(terms, inner) &&
                   dae_term_number_bits(terms, inner) > DAE_LONGEST_NUMBER;
    return is_long ? dae_term_call1(terms, DAE_FN_NOEVENT, inner) : inner;
  }
  if (function == DAE_FN_SMOOTH) {
    return dae_subst_apply(at_start, dae_term_operand(terms, node, 1));
  }
  if (function == DAE_FN_LOG10) { /* logarithms of one kind combine */
    DaeTerm inner = dae_subst_apply(at_start, dae_term_operand(terms, node, 0));
    DaeTerm ten = dae_term_call1(terms, DAE_FN_LOG, dae_term_int(terms, 10));
    return inner == DAE_NO_TERM
               ? inner
               : dae_term_div(terms, dae_term_call1(terms, DAE_FN_LOG, inner), ten);
  }
  return decide_piecewise(sys, at_start, node, used_values);
}

/* Those below t, operands first; NULL: none, as in all that contains no call. (transfer full) */
static GArray *
switching_nodes(const IcSystem *sys, DaeTerm t)
{
  if (!dae_term_has_call(sys->terms, t)) {
    return NULL;
  }
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_nodes(sys->terms, t, is_switching, NULL, nodes);
  return nodes->len > 0 ? g_steal_pointer(&nodes) : NULL;
}

DaeTerm
ic_decide_conditions(IcSystem *sys, DaeTerm t, bool *used_values)
{
  g_autoptr(GArray) nodes = switching_nodes(sys, t);
  if (nodes == NULL) {
    return t;
  }
  g_autoptr(DaeSubst) subst = dae_subst_new(sys->terms);
  for (guint i = 0; i < nodes->len; i++) {
    DaeTerm node = g_array_index(nodes, DaeTerm, i);
    DaeTerm decided = decide_node(sys, subst, node, used_values);
    if (decided != DAE_NO_TERM) {
      dae_subst_set(subst, node, decided);
    }
  }
  DaeTerm result = dae_subst_apply(subst, t);
  return result == DAE_NO_TERM ? t : result;
}

DaeTerm
ic_prepare(IcSystem *sys, DaeTerm t, bool *used_values)
{
  DaeTerm result = dae_subst_apply(sys->dependent, t);
  if (result == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  g_autoptr(GArray) nodes = switching_nodes(sys, result);
  if (nodes == NULL) {
    if (ic_undefined_at_start(sys, sys->at_start, result, used_values)) {
      return DAE_NO_TERM;
    }
    result = dae_subst_apply(sys->at_start, result);
    return result == DAE_NO_TERM ? DAE_NO_TERM : dae_terms_rewrite(sys->terms, result);
  }
  g_autoptr(DaeSubst) subst = dae_subst_new(sys->terms);
  dae_subst_set(subst, dae_term_time(sys->terms), sys->start_time);
  for (guint i = 0; i < nodes->len; i++) {
    /* conditions first: a dead branch may be undefined at the start */
    DaeTerm node = g_array_index(nodes, DaeTerm, i);
    DaeTerm decided = decide_node(sys, subst, node, used_values);
    if (decided != DAE_NO_TERM) {
      dae_subst_set(subst, node, decided);
    }
  }
  if (ic_undefined_at_start(sys, subst, result, used_values)) {
    return DAE_NO_TERM;
  }
  result = dae_subst_apply(subst, result);
  return result == DAE_NO_TERM ? DAE_NO_TERM : dae_terms_rewrite(sys->terms, result);
}

/* ---- numbers, only to choose between solutions ------------------------------------------- */

static bool
atom_guess(void *user, DaeTerm atom, double *value)
{
  IcSystem *sys = user;
  gpointer z = g_hash_table_lookup(sys->index, GUINT_TO_POINTER(atom));
  if (z != NULL) {
    *value = ic_guess(sys, GPOINTER_TO_UINT(z) - 1);
    return true;
  }
  if (dae_term_kind(sys->terms, atom) == DAE_KIND_PARAMETER) {
    DaeTerm known = ic_at_values(sys, atom);
    if (known == DAE_NO_TERM || known == atom) {
      return false;
    }
    return dae_term_eval_double(sys->terms, known, atom_guess, sys, value) == DAE_EVAL_OK;
  }
  if (atom == dae_term_time(sys->terms)) {
    *value = dae_term_get_double(sys->terms, sys->start_time);
    return true;
  }
  return false;
}

bool
ic_numeric_value(IcSystem *sys, DaeTerm t, double *value)
{
  DaeTerm closed = ic_at_values(sys, t);
  return closed != DAE_NO_TERM &&
         dae_term_eval_double(sys->terms, closed, atom_guess, sys, value) == DAE_EVAL_OK;
}

double
ic_guess(IcSystem *sys, uint32_t z)
{
  const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, z);
  double value = 0.0;
  if (unknown->start != DAE_NO_TERM && !ic_has_unknown(sys, unknown->start) &&
      ic_numeric_value(sys, unknown->start, &value) && isfinite(value)) {
    return value;
  }
  return 0.0;
}
