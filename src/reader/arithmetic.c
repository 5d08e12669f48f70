/* Operators on values: types and sizes are checked here, terms are made element by element. */
#include "reader/calls.h"

#include <string.h>

static const char *
operator_text(DaeOp op)
{
  static const char *const texts[] = {
      [DAE_OP_NEGATE] = "-", [DAE_OP_PLUS] = "+",  [DAE_OP_NOT] = "not", [DAE_OP_ADD] = "+",
      [DAE_OP_SUB] = "-",    [DAE_OP_MUL] = "*",   [DAE_OP_DIV] = "/",   [DAE_OP_POW] = "^",
      [DAE_OP_EADD] = ".+",  [DAE_OP_ESUB] = ".-", [DAE_OP_EMUL] = ".*", [DAE_OP_EDIV] = "./",
      [DAE_OP_EPOW] = ".^",  [DAE_OP_LT] = "<",    [DAE_OP_LE] = "<=",   [DAE_OP_GT] = ">",
      [DAE_OP_GE] = ">=",    [DAE_OP_EQ] = "==",   [DAE_OP_NE] = "<>",   [DAE_OP_AND] = "and",
      [DAE_OP_OR] = "or",
  };
  return texts[op];
}

static DaeValue
fail_types(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  dae_source_error(reader->source, pos, "'%s' does not take %s and %s", operator_text(op),
                   dae_value_type_text(a), dae_value_type_text(b));
  return dae_value_poison();
}

static DaeValue
fail_sizes(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  g_autofree char *left = dae_value_size_text(a);
  g_autofree char *right = dae_value_size_text(b);
  dae_cases_misfit(reader, pos, "sizes do not fit: %s '%s' %s", left, operator_text(op), right);
  return dae_value_poison();
}

/* Numbers are exact, so that p = p*p*... doubles their digits each time. */
#define LIMIT_BITS ((size_t)1 << 23)
#define LIMIT_STRING ((size_t)1 << 24)

/* 0*y is 0, but y was there: max(...) only holds those together that were. */
static DaeTerm
product(DaeReader *reader, DaeTerm a, DaeTerm b)
{
  DaeTerms *terms = reader->terms;
  const DaeTerm result = dae_term_mul(terms, a, b);
  const DaeTerm other = dae_term_is_zero(terms, a) ? b : a;
  if (dae_term_is_zero(terms, result) &&
      (dae_term_has_variables(terms, other) || dae_term_has_parameters(terms, other))) {
    reader->vanished = reader->vanished == DAE_NO_TERM
                           ? other
                           : dae_term_call2(terms, DAE_FN_MAX, reader->vanished, other);
  }
  return result;
}

DaeTerm
dae_arithmetic_scalar(DaeReader *reader, DaeOp op, DaeTerm a, DaeTerm b, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  if (dae_term_number_bits(terms, a) + dae_term_number_bits(terms, b) > LIMIT_BITS) {
    dae_source_error(reader->source, pos, "numbers of millions of digits in one operation");
    return DAE_NO_TERM;
  }
  DaeTerm result = DAE_NO_TERM;
  switch ((int)op) {
  case DAE_OP_ADD:
  case DAE_OP_EADD:
    return dae_term_add(terms, a, b);
  case DAE_OP_SUB:
  case DAE_OP_ESUB:
    return dae_term_sub(terms, a, b);
  case DAE_OP_MUL:
  case DAE_OP_EMUL:
    return product(reader, a, b);
  case DAE_OP_DIV:
  case DAE_OP_EDIV:
    result = dae_term_div(terms, a, b);
    if (result == DAE_NO_TERM) {
      dae_source_error(reader->source, pos, "division by zero");
    }
    return result;
  default:
    DAE_ASSERT(op == DAE_OP_POW || op == DAE_OP_EPOW);
    result = dae_term_pow(terms, a, b);
    if (result == DAE_NO_TERM) {
      dae_source_error(reader->source, pos, "division by zero (zero to a negative power)");
    }
    return result;
  }
}

/* ---- element by element ------------------------------------------------------------------ */

static DaeValue
map_pairs(DaeReader *reader, DaeOp op, DaeValueType type, const DaeValue *a, const DaeValue *b,
          uint32_t pos)
{
  const DaeValue *shape = a->n_dims > 0 ? a : b;
  if (a->n_dims == 0 && b->n_dims == 0) {
    DaeTerm term = dae_arithmetic_scalar(reader, op, a->term, b->term, pos);
    return term == DAE_NO_TERM ? dae_value_poison() : dae_value_scalar(type, term);
  }
  DaeTerm *data = dae_value_new_data(reader, shape->count);
  for (uint32_t i = 0; i < shape->count; i++) {
    data[i] = dae_arithmetic_scalar(reader, op, dae_value_element(a, i),
                                    dae_value_element(b, i), pos);
    if (data[i] == DAE_NO_TERM) {
      return dae_value_poison();
    }
  }
  return dae_value_array(reader, type, shape->n_dims, shape->dims, data, shape->count);
}

/* ---- products of matrices ---------------------------------------------------------------- */

static DaeValue
multiply_matrices(DaeReader *reader, DaeValueType type, const DaeValue *a, const DaeValue *b,
                  uint32_t pos)
{
  uint32_t rows = a->n_dims == 2 ? a->dims[0] : 1;
  uint32_t inner = a->dims[a->n_dims - 1];
  uint32_t columns = b->n_dims == 2 ? b->dims[1] : 1;
  uint32_t dims[2] = {0, 0};
  uint32_t n_dims = 0;
  if (a->n_dims == 2) {
    dims[n_dims++] = rows;
  }
  if (b->n_dims == 2) {
    dims[n_dims++] = columns;
  }
  uint32_t count = 0;
  if (!dae_dimensions_count(n_dims, dims, &count) ||
      (uint64_t)count * inner > DAE_MAX_ITERATIONS) {
    dae_source_error(reader->source, pos, "this product has too many elements");
    return dae_value_poison();
  }
  DaeTerm *data = dae_value_new_data(reader, count);
  DaeTerm *products = dae_value_new_data(reader, inner);
  for (uint32_t i = 0; i < rows && count > 0; i++) {
    for (uint32_t j = 0; j < columns; j++) {
      for (uint32_t k = 0; k < inner; k++) {
        products[k] = product(reader, a->data[i * inner + k], b->data[k * columns + j]);
      }
      data[i * columns + j] = dae_term_sum(reader->terms, products, inner);
    }
  }
  return dae_value_array(reader, type, n_dims, dims, data, count);
}

static DaeValue
multiply(DaeReader *reader, DaeValueType type, const DaeValue *a, const DaeValue *b,
         uint32_t pos)
{
  if (a->n_dims == 0 || b->n_dims == 0) {
    return map_pairs(reader, DAE_OP_MUL, type, a, b, pos);
  }
  if (a->n_dims > 2 || b->n_dims > 2 || a->dims[a->n_dims - 1] != b->dims[0]) {
    return fail_sizes(reader, DAE_OP_MUL, a, b, pos);
  }
  return multiply_matrices(reader, type, a, b, pos);
}

/* A square matrix to a natural power. */
static DaeValue
power_matrix(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  int64_t n = 0;
  if (a->n_dims != 2 || a->dims[0] != a->dims[1] || b->n_dims != 0) {
    return fail_sizes(reader, DAE_OP_POW, a, b, pos);
  }
  if (!dae_reader_integer(reader, b, 0, pos, &n)) {
    return dae_value_poison();
  }
  if (n < 0 || n > 1000) {
    dae_source_error(reader->source, pos, "a matrix takes powers from 0 to 1000");
    return dae_value_poison();
  }
  uint32_t size = a->dims[0];
  DaeTerm *data = dae_value_new_data(reader, a->count);
  for (uint32_t i = 0; i < a->count; i++) {
    data[i] = dae_term_int(reader->terms, i % (size + 1) == 0);
  }
  DaeValue result = dae_value_array(reader, DAE_VALUE_REAL, 2, a->dims, data, a->count);
  for (int64_t i = 0; i < n && result.type != DAE_VALUE_POISON; i++) {
    result = multiply_matrices(reader, DAE_VALUE_REAL, &result, a, pos);
  }
  return result;
}

static DaeValue
arithmetic(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  bool integers = a->type == DAE_VALUE_INTEGER && b->type == DAE_VALUE_INTEGER;
  DaeValueType type = integers ? DAE_VALUE_INTEGER : DAE_VALUE_REAL;
  switch ((int)op) {
  case DAE_OP_ADD:
  case DAE_OP_SUB:
    if (!dae_value_same_size(a, b)) {
      return fail_sizes(reader, op, a, b, pos);
    }
    return map_pairs(reader, op, type, a, b, pos);
  case DAE_OP_MUL:
    return multiply(reader, type, a, b, pos);
  case DAE_OP_DIV:
    if (b->n_dims > 0) {
      return fail_sizes(reader, op, a, b, pos);
    }
    return map_pairs(reader, op, DAE_VALUE_REAL, a, b, pos);
  case DAE_OP_POW:
    if (a->n_dims > 0 || b->n_dims > 0) {
      return power_matrix(reader, a, b, pos);
    }
    return map_pairs(reader, op, DAE_VALUE_REAL, a, b, pos);
  default:
    if (a->n_dims > 0 && b->n_dims > 0 && !dae_value_same_size(a, b)) {
      return fail_sizes(reader, op, a, b, pos);
    }
    if (op == DAE_OP_EDIV || op == DAE_OP_EPOW) {
      type = DAE_VALUE_REAL;
    }
    return map_pairs(reader, op, type, a, b, pos);
  }
}

/* ---- relations and logic ----------------------------------------------------------------- */

/* The operators of the parser stand in the order of DaeRelation. */
static DaeRelation
relation_of(DaeOp op)
{
  return (DaeRelation)((int)op - DAE_OP_LT);
}

static DaeValue
compare_numbers(DaeReader *reader, DaeOp op, DaeTerm a, DaeTerm b)
{
  DaeTerm t = dae_term_relation(reader->terms, relation_of(op), a, b);
  if (reader->scopes->len > 0 && dae_term_is_number(reader->terms, a) &&
      dae_term_is_number(reader->terms, b)) {
    t = dae_reader_close(reader, t, false);
  }
  return dae_value_scalar(DAE_VALUE_BOOLEAN, dae_when_statement_literal(reader, t));
}

static DaeValue
relate(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  if (a->n_dims > 0 || b->n_dims > 0) {
    return fail_sizes(reader, op, a, b, pos);
  }
  if (dae_value_is_numeric(a) && dae_value_is_numeric(b)) {
    return compare_numbers(reader, op, a->term, b->term);
  }
  if (a->type != b->type || a->enumeration != b->enumeration) {
    return fail_types(reader, op, a, b, pos);
  }
  int sign = 0;
  DaeTerm numbers[2];
  if (a->type == DAE_VALUE_STRING && (op == DAE_OP_EQ || op == DAE_OP_NE) &&
      dae_text_compare_numbered(reader, a->term, b->term, numbers, pos)) {
    return compare_numbers(reader, op, numbers[0], numbers[1]);
  }
  if (a->type == DAE_VALUE_STRING) {
    if (!dae_string_is_known(reader, a->term) || !dae_string_is_known(reader, b->term)) {
      DaeTerm chosen = dae_text_compare(reader, relation_of(op), a->term, b->term);
      if (chosen == DAE_NO_TERM) {
        dae_source_unsupported(reader->source, pos,
                               "comparing texts with values that are known only at run time");
        return dae_value_poison();
      }
      return dae_value_scalar(DAE_VALUE_BOOLEAN, chosen);
    }
    uint32_t left = dae_string_known(reader, a->term);
    sign = g_strcmp0(dae_names_text(reader->names, left),
                     dae_names_text(reader->names, dae_string_known(reader, b->term)));
  } else if (a->type == DAE_VALUE_ENUMERATION || a->type == DAE_VALUE_BOOLEAN) {
    return compare_numbers(reader, op, dae_discrete_unknown(reader, a->type, a->term),
                           dae_discrete_unknown(reader, b->type, b->term));
  } else {
    return fail_types(reader, op, a, b, pos);
  }
  return dae_value_scalar(DAE_VALUE_BOOLEAN,
                          dae_term_bool(terms, dae_relation_holds(relation_of(op), sign)));
}

static DaeValue
combine_booleans(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b,
                 uint32_t pos)
{
  if (a->type != DAE_VALUE_BOOLEAN || b->type != DAE_VALUE_BOOLEAN) {
    return fail_types(reader, op, a, b, pos);
  }
  if (!dae_value_same_size(a, b)) {
    return fail_sizes(reader, op, a, b, pos);
  }
  DaeTerm *data = dae_value_new_data(reader, a->count);
  for (uint32_t i = 0; i < a->count; i++) {
    DaeTerm x = dae_value_element(a, i);
    DaeTerm y = dae_value_element(b, i);
    data[i] =
        op == DAE_OP_AND ? dae_term_and(reader->terms, x, y) : dae_term_or(reader->terms, x, y);
  }
  return dae_value_array(reader, DAE_VALUE_BOOLEAN, a->n_dims, a->dims, data, a->count);
}

static DaeValue
join_strings(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  const char *left = dae_names_text(reader->names, a->term);
  const char *right = dae_names_text(reader->names, b->term);
  if (strlen(left) + strlen(right) > LIMIT_STRING) {
    dae_source_error(reader->source, pos, "a string of more than %zu bytes", LIMIT_STRING);
    return dae_value_poison();
  }
  g_autofree char *text = g_strconcat(left, right, NULL);
  return dae_value_scalar(DAE_VALUE_STRING,
                          dae_names_intern(reader->names, text, strlen(text)));
}

static bool
is_unusable(DaeReader *reader, const DaeValue *value, uint32_t pos)
{
  if (value->type >= DAE_VALUE_FUNCTION && value->type != DAE_VALUE_POISON) {
    dae_source_error(reader->source, pos, "%s is not a value", dae_value_type_text(value));
    return true;
  }
  if (value->opaque && !value->no_value) {
    dae_source_error(reader->source, pos,
                     "a variable is used where only parameters and constants are known");
  }
  return value->type == DAE_VALUE_POISON || value->opaque;
}

DaeValue
dae_arithmetic_binary(DaeReader *reader, DaeOp op, DaeValue a, DaeValue b, uint32_t pos)
{
  if (is_unusable(reader, &a, pos) || is_unusable(reader, &b, pos)) {
    return dae_value_poison();
  }
  if (a.type == DAE_VALUE_RECORD || b.type == DAE_VALUE_RECORD) {
    return dae_overload_binary(reader, op, &a, &b, pos);
  }
  if (op == DAE_OP_AND || op == DAE_OP_OR) {
    return combine_booleans(reader, op, &a, &b, pos);
  }
  if (op >= DAE_OP_LT && op <= DAE_OP_NE) {
    return relate(reader, op, &a, &b, pos);
  }
  if (op == DAE_OP_ADD && a.type == DAE_VALUE_STRING && b.type == DAE_VALUE_STRING &&
      a.n_dims == 0 && b.n_dims == 0) {
    return join_strings(reader, &a, &b, pos);
  }
  if (!dae_value_is_numeric(&a) || !dae_value_is_numeric(&b)) {
    return fail_types(reader, op, &a, &b, pos);
  }
  return arithmetic(reader, op, &a, &b, pos);
}

DaeValue
dae_arithmetic_unary(DaeReader *reader, DaeOp op, DaeValue a, uint32_t pos)
{
  if (is_unusable(reader, &a, pos)) {
    return dae_value_poison();
  }
  if (a.type == DAE_VALUE_RECORD) {
    return dae_overload_unary(reader, op, &a, pos);
  }
  bool fits = op == DAE_OP_NOT ? a.type == DAE_VALUE_BOOLEAN : dae_value_is_numeric(&a);
  if (!fits) {
    dae_source_error(reader->source, pos, "'%s' does not take %s", operator_text(op),
                     dae_value_type_text(&a));
    return dae_value_poison();
  }
  if (op == DAE_OP_PLUS) {
    return a;
  }
  if (a.n_dims == 0) {
    DaeTerm term = op == DAE_OP_NOT ? dae_term_not(reader->terms, a.term)
                                    : dae_term_neg(reader->terms, a.term);
    return dae_value_scalar(a.type, term);
  }
  DaeTerm *data = dae_value_new_data(reader, a.count);
  for (uint32_t i = 0; i < a.count; i++) {
    data[i] = op == DAE_OP_NOT ? dae_term_not(reader->terms, a.data[i])
                               : dae_term_neg(reader->terms, a.data[i]);
  }
  return dae_value_array(reader, a.type, a.n_dims, a.dims, data, a.count);
}

DaeValue
dae_arithmetic_choose(DaeReader *reader, DaeTerm condition, DaeValue a, DaeValue b,
                      uint32_t pos)
{
  if (is_unusable(reader, &a, pos) || is_unusable(reader, &b, pos)) {
    return dae_value_poison();
  }
  bool numeric = dae_value_is_numeric(&a) && dae_value_is_numeric(&b);
  if (!numeric && (a.type != b.type || a.enumeration != b.enumeration)) {
    dae_source_error(reader->source, pos, "the branches of this 'if' are %s and %s",
                     dae_value_type_text(&a), dae_value_type_text(&b));
    return dae_value_poison();
  }
  if (a.type == DAE_VALUE_RECORD && !dae_record_same(&a, &b)) {
    dae_source_error(reader->source, pos, "the branches of this 'if' are different records");
    return dae_value_poison();
  }
  if (!numeric && a.type != DAE_VALUE_BOOLEAN && a.type != DAE_VALUE_ENUMERATION &&
      a.type != DAE_VALUE_RECORD && a.type != DAE_VALUE_STRING) {
    dae_source_unsupported(reader->source, pos,
                           "choosing between values of type %s at run time",
                           dae_value_type_text(&a));
    return dae_value_poison();
  }
  if (!dae_value_same_size(&a, &b)) {
    g_autofree char *left = dae_value_size_text(&a);
    g_autofree char *right = dae_value_size_text(&b);
    dae_cases_misfit(reader, pos, "the branches of this 'if' have the sizes %s and %s", left,
                     right);
    return dae_value_poison();
  }
  DaeValueType type = a.type == b.type ? a.type : DAE_VALUE_REAL;
  uint32_t n = a.count * dae_value_width(&a);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm x = dae_value_scalar_at(&a, i);
    DaeTerm y = dae_value_scalar_at(&b, i);
    bool is_text = dae_statement_scalar_type(&a, i) == DAE_VALUE_STRING;
    data[i] = x == y && (is_text || a.type == DAE_VALUE_RECORD) ? x
              : is_text ? dae_text_choose(reader, condition, x, y)
                        : dae_term_if(reader->terms, condition, x, y);
  }
  a.type = type;
  return dae_value_like(reader, &a, a.n_dims, a.dims, data, a.count);
}
