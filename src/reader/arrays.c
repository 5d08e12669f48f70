/* Making arrays and taking them apart. */
#include "reader/calls.h"

#include <string.h>

static DaeValueType
common_type(const DaeValue *values, uint32_t n)
{
  DaeValueType type = n > 0 ? values[0].type : DAE_VALUE_REAL;
  for (uint32_t i = 1; i < n; i++) {
    if (values[i].type != type && dae_value_is_numeric(&values[i]) &&
        (type == DAE_VALUE_REAL || type == DAE_VALUE_INTEGER)) {
      type = DAE_VALUE_REAL;
    }
  }
  return type;
}

static bool
check_elements(DaeReader *reader, const DaeValue *values, uint32_t n, uint32_t pos)
{
  for (uint32_t i = 0; i < n; i++) {
    if (values[i].type == DAE_VALUE_POISON || values[i].opaque) {
      return false;
    }
    bool numeric = dae_value_is_numeric(&values[i]) && dae_value_is_numeric(&values[0]);
    if ((!numeric && values[i].type != values[0].type) || values[i].type >= DAE_VALUE_COLON) {
      dae_source_error(reader->source, pos, "an array of %s and %s",
                       dae_value_type_text(&values[0]), dae_value_type_text(&values[i]));
      return false;
    }
  }
  return true;
}

DaeValue
dae_array_construct(DaeReader *reader, const DaeValue *elements, uint32_t n, uint32_t pos)
{
  uint32_t dims[DAE_MAX_DIMENSIONS] = {n};
  if (!check_elements(reader, elements, n, pos)) {
    return dae_value_poison();
  }
  uint32_t inner = n > 0 ? elements[0].n_dims : 0;
  if (inner + 1 > DAE_MAX_DIMENSIONS) {
    dae_source_error(reader->source, pos, "more than %u dimensions", DAE_MAX_DIMENSIONS);
    return dae_value_poison();
  }
  for (uint32_t i = 1; i < n; i++) {
    if (!dae_value_same_size(&elements[0], &elements[i])) {
      g_autofree char *a = dae_value_size_text(&elements[0]);
      g_autofree char *b = dae_value_size_text(&elements[i]);
      dae_source_error(reader->source, pos, "elements of different size: %s and %s", a, b);
      return dae_value_poison();
    }
  }
  for (uint32_t d = 0; d < inner; d++) {
    dims[d + 1] = elements[0].dims[d];
  }
  uint32_t count = 0;
  if (!dae_dimensions_count(inner + 1, dims, &count)) {
    dae_source_error(reader->source, pos, "an array of more than %u elements",
                     DAE_MAX_ELEMENTS);
    return dae_value_poison();
  }
  uint32_t each = n > 0 ? elements[0].count * dae_value_width(&elements[0]) : 0;
  DaeTerm *data = dae_value_new_data(reader, MAX(n * each, 1u));
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < each; k++) {
      data[i * each + k] = dae_value_scalar_at(&elements[i], k);
    }
  }
  DaeValue like = {.type = common_type(elements, n)};
  if (n > 0) {
    like.layout = elements[0].layout;
    like.enumeration = elements[0].enumeration;
  }
  return dae_value_like(reader, &like, inner + 1, dims, data, count);
}

/* [ , ; ]: scalars and vectors are columns, everything is joined as matrices. */
static DaeValue
as_matrix(DaeReader *reader, const DaeValue *value)
{
  uint32_t dims[2] = {value->n_dims == 0 ? 1 : value->dims[0], 1};
  if (value->n_dims >= 2) {
    return *value;
  }
  const DaeTerm *data = value->data;
  if (value->n_dims == 0 && value->type != DAE_VALUE_RECORD) {
    DaeTerm *one = dae_value_new_data(reader, 1);
    one[0] = value->term;
    data = one;
  }
  return dae_value_like(reader, value, 2, dims, data, value->count);
}

static DaeValue
join_as_matrices(DaeReader *reader, uint32_t dimension, const DaeValue *values, uint32_t n,
                 uint32_t pos)
{
  if (!check_elements(reader, values, n, pos)) {
    return dae_value_poison();
  }
  DaeValue *matrices = dae_arena_alloc(reader->scratch, n * sizeof(DaeValue));
  for (uint32_t i = 0; i < n; i++) {
    matrices[i] = as_matrix(reader, &values[i]);
  }
  return dae_array_cat(reader, dimension, matrices, n, pos);
}

DaeValue
dae_array_row(DaeReader *reader, const DaeValue *elements, uint32_t n, uint32_t pos)
{
  return join_as_matrices(reader, 2, elements, n, pos);
}

DaeValue
dae_array_matrix(DaeReader *reader, const DaeValue *rows, uint32_t n, uint32_t pos)
{
  return join_as_matrices(reader, 1, rows, n, pos);
}

/* The arrays agree in every dimension but one? */
static bool
check_joinable(DaeReader *reader, uint32_t along, const DaeValue *arrays, uint32_t n,
               uint32_t pos)
{
  for (uint32_t i = 0; i < n; i++) {
    bool fits = arrays[i].n_dims == arrays[0].n_dims && along < arrays[i].n_dims;
    for (uint32_t d = 0; fits && d < arrays[i].n_dims; d++) {
      fits = d == along || arrays[i].dims[d] == arrays[0].dims[d];
    }
    if (!fits) {
      g_autofree char *a = dae_value_size_text(&arrays[0]);
      g_autofree char *b = dae_value_size_text(&arrays[i]);
      dae_source_error(reader->source, pos, "sizes do not fit: %s and %s cannot be joined", a,
                       b);
      return false;
    }
  }
  return true;
}

DaeValue
dae_array_cat(DaeReader *reader, uint32_t dimension, const DaeValue *arrays, uint32_t n,
              uint32_t pos)
{
  uint32_t along = dimension - 1;
  uint32_t dims[DAE_MAX_DIMENSIONS];
  if (n == 0 || !check_elements(reader, arrays, n, pos) ||
      !check_joinable(reader, along, arrays, n, pos)) {
    return dae_value_poison();
  }
  uint64_t total = 0;
  for (uint32_t i = 0; i < n; i++) {
    total += arrays[i].dims[along];
  }
  memcpy(dims, arrays[0].dims, arrays[0].n_dims * sizeof(uint32_t));
  dims[along] = total > DAE_MAX_ELEMENTS ? UINT32_MAX : (uint32_t)total;
  uint32_t count = 0;
  if (!dae_dimensions_count(arrays[0].n_dims, dims, &count)) {
    dae_source_error(reader->source, pos, "an array of more than %u elements",
                     DAE_MAX_ELEMENTS);
    return dae_value_poison();
  }
  uint32_t outer = 1;
  for (uint32_t d = 0; d < along; d++) {
    outer *= dims[d];
  }
  uint32_t width = dae_value_width(&arrays[0]);
  DaeTerm *data = dae_value_new_data(reader, MAX(count * width, 1u));
  uint32_t at = 0;
  for (uint32_t o = 0; o < outer && count > 0; o++) {
    for (uint32_t i = 0; i < n; i++) {
      uint32_t block = arrays[i].count / outer * width;
      memcpy(data + at, arrays[i].data + (size_t)o * block, block * sizeof(DaeTerm));
      at += block;
    }
  }
  DaeValue like = arrays[0];
  like.type = common_type(arrays, n);
  return dae_value_like(reader, &like, arrays[0].n_dims, dims, data, count);
}

/* ---- ranges ------------------------------------------------------------------------------ */

static DaeValue
enumerate_range(DaeReader *reader, const DaeValue *parts, int64_t step, uint32_t pos)
{
  int64_t from = 0;
  int64_t to = 0;
  if (!dae_reader_integer(reader, &parts[0], 0, pos, &from) ||
      !dae_reader_integer(reader, &parts[1], 0, pos, &to)) {
    return dae_value_poison();
  }
  if (from < -INT64_MAX / 4 || from > INT64_MAX / 4 || to < -INT64_MAX / 4 ||
      to > INT64_MAX / 4) {
    dae_source_error(reader->source, pos, "the ends of this range are too large");
    return dae_value_poison();
  }
  DAE_ASSERT(step != 0); /* the caller has reported it */
  int64_t n = step > 0 ? (to - from) / step + 1 : (from - to) / -step + 1;
  if ((step > 0 && to < from) || (step < 0 && to > from)) {
    n = 0;
  }
  if (n > (int64_t)DAE_MAX_ELEMENTS) {
    dae_source_error(reader->source, pos, "a range of more than %u elements", DAE_MAX_ELEMENTS);
    return dae_value_poison();
  }
  uint32_t count = (uint32_t)n;
  DaeTerm *data = dae_value_new_data(reader, count);
  for (uint32_t i = 0; i < count; i++) {
    int64_t at = from + step * (int64_t)i;
    data[i] = parts[0].type == DAE_VALUE_BOOLEAN
                  ? dae_term_bool(reader->terms, at == 2) /* counted as a subscript */
                  : dae_term_int(reader->terms, at);
  }
  DaeValue range = dae_value_array(reader, parts[0].type, 1, &count, data, count);
  range.enumeration = parts[0].enumeration;
  return range;
}

/* Real ranges: from, from + step ... up to `to`, counted exactly. Where only the distance of the
 * ends is known, r:r + 1, they begin at a term. */
static DaeValue
real_range(DaeReader *reader, const DaeValue *parts, const DaeValue *step, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  DaeTerm from = dae_reader_close(reader, parts[0].term, false);
  from = from != DAE_NO_TERM ? from : parts[0].term;
  DaeTerm way =
      dae_reader_close(reader, dae_term_sub(terms, parts[1].term, parts[0].term), false);
  DaeTerm by =
      step != NULL ? dae_reader_close(reader, step->term, false) : dae_term_int(terms, 1);
  if (way == DAE_NO_TERM || by == DAE_NO_TERM || dae_term_is_zero(terms, by)) {
    dae_source_error(reader->source, pos,
                     "a range needs a constant length and a step that is not 0");
    return dae_value_poison();
  }
  double length = dae_term_get_double(terms, dae_term_div(terms, way, by));
  if (!(length < (double)DAE_MAX_ELEMENTS)) {
    dae_source_error(reader->source, pos, "a range of more than %u elements", DAE_MAX_ELEMENTS);
    return dae_value_poison();
  }
  int sign = dae_term_sign(terms, by);
  uint32_t capacity = length < 0 ? 1 : (uint32_t)length + 2;
  DaeTerm *data = dae_value_new_data(reader, capacity);
  uint32_t count = 0;
  DaeTerm next = dae_term_int(terms, 0);
  while (count < capacity && dae_term_sign(terms, dae_term_sub(terms, way, next)) * sign >= 0) {
    data[count++] = dae_term_add(terms, from, next);
    next = dae_term_add(terms, next, by);
  }
  return dae_value_array(reader, DAE_VALUE_REAL, 1, &count, data, count);
}

DaeValue
dae_array_range(DaeReader *reader, const DaeValue *parts, uint32_t n, uint32_t pos)
{
  bool real = false;
  for (uint32_t i = 0; i < n; i++) {
    if (parts[i].type == DAE_VALUE_POISON || parts[i].opaque) {
      return dae_value_poison();
    }
    if (parts[i].n_dims > 0 || parts[i].type == DAE_VALUE_STRING ||
        parts[i].type >= DAE_VALUE_COLON) {
      dae_source_error(reader->source, pos, "a range is made of numbers");
      return dae_value_poison();
    }
    real = real || parts[i].type == DAE_VALUE_REAL;
  }
  if (!dae_rule_range(reader, parts, n, pos)) {
    return dae_value_poison();
  }
  DaeValue ends[2] = {parts[0], parts[n - 1]};
  if (real) {
    return real_range(reader, ends, n == 3 ? &parts[1] : NULL, pos);
  }
  int64_t step = 1;
  if (n == 3 && !dae_reader_integer(reader, &parts[1], 0, pos, &step)) {
    return dae_value_poison();
  }
  if (step == 0 || step > INT32_MAX || step < -INT32_MAX) {
    dae_source_error(reader->source, pos, "the step of a range is not 0 and not huge");
    return dae_value_poison();
  }
  return enumerate_range(reader, ends, step, pos);
}

/* ---- subscripts -------------------------------------------------------------------------- */

typedef struct {
  uint32_t n;
  bool keep;        /* the dimension stays in the result */
  uint32_t *chosen; /* from 0 */
} Choice;

/* A subscript that no element has is wrong where it is reached: under a condition that is not
 * known, an assertion says so. */
static bool
may_be_outside(DaeReader *reader, int64_t k, uint32_t size, const char *name, uint32_t pos)
{
  bool in_function =
      reader->scopes->len > 0 &&
      !g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section;
  g_autofree char *message =
      g_strdup_printf("subscript %" G_GINT64_FORMAT " is outside 1:%u of '%s'", k, size, name);
  if (size == 0 || reader->assertions == NULL || !in_function) {
    dae_source_error(reader->source, pos, "%s", message);
    return false;
  }
  return dae_equations_fail(reader, message, pos);
}

static bool
choose(DaeReader *reader, const DaeValue *subscript, uint32_t size, const char *name,
       uint32_t pos, Choice *choice)
{
  choice->keep = subscript->type == DAE_VALUE_COLON || subscript->n_dims == 1;
  choice->n = subscript->type == DAE_VALUE_COLON ? size : subscript->count;
  choice->chosen = dae_arena_alloc(reader->scratch, choice->n * sizeof(uint32_t));
  if (subscript->n_dims > 1) {
    dae_source_error(reader->source, pos, "a subscript is a number or a vector of numbers");
    return false;
  }
  for (uint32_t i = 0; i < choice->n; i++) {
    int64_t k = (int64_t)i + 1;
    if (subscript->type != DAE_VALUE_COLON &&
        !dae_reader_integer(reader, subscript, i, pos, &k)) {
      return false;
    }
    if (k < 1 || k > (int64_t)size) {
      if (!may_be_outside(reader, k, size, name, pos)) {
        return false;
      }
      k = 1; /* any element: the branch is not taken */
    }
    choice->chosen[i] = (uint32_t)(k - 1);
  }
  return true;
}

static DaeValue
pick(DaeReader *reader, const DaeValue *array, const Choice *choices, uint32_t n_dims,
     const uint32_t *dims)
{
  uint32_t n = array->n_dims;
  uint32_t count = 1;
  for (uint32_t d = 0; d < n; d++) {
    count *=
        choices[d]
            .n; /* cannot overflow: the dimensions were checked, or the subscripts are few */
  }
  uint32_t width = dae_value_width(array);
  DaeTerm *data = dae_value_new_data(reader, MAX(count * width, 1u));
  uint32_t counter[DAE_MAX_DIMENSIONS] = {0};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t offset = 0;
    for (uint32_t d = 0; d < n; d++) {
      offset = offset * array->dims[d] + choices[d].chosen[counter[d]];
    }
    for (uint32_t w = 0; w < width; w++) {
      data[(size_t)i * width + w] =
          array->opaque ? DAE_NO_TERM : array->data[(size_t)offset * width + w];
    }
    for (uint32_t d = n; d-- > 0;) {
      if (++counter[d] < choices[d].n) {
        break;
      }
      counter[d] = 0;
    }
  }
  DaeValue result = dae_value_like(reader, array, n_dims, dims, data, count);
  result.opaque = array->opaque;
  result.no_value = array->no_value;
  return result;
}

/* ---- subscripts that vary ---------------------------------------------------------------- */

bool
dae_subscript_varies(DaeReader *reader, const DaeValue *subscript)
{
  if (subscript->n_dims > 0 || subscript->opaque ||
      (subscript->type != DAE_VALUE_INTEGER && subscript->type != DAE_VALUE_ENUMERATION &&
       subscript->type != DAE_VALUE_BOOLEAN &&
       (subscript->type != DAE_VALUE_REAL || !dae_reader_is_printed(reader)))) {
    return false;
  }
  return dae_reader_close(reader, subscript->term, false) == DAE_NO_TERM;
}

/* Of Booleans false is the first. */
DaeTerm
dae_subscript_number(DaeReader *reader, const DaeValue *subscript)
{
  if (subscript->type != DAE_VALUE_BOOLEAN) {
    return subscript->term;
  }
  return dae_term_if(reader->terms, subscript->term, dae_term_int(reader->terms, 2),
                     dae_term_int(reader->terms, 1));
}

/* Scalar i of the part that the index says; what some parts do not have is asserted where it is
 * used. DAE_NO_TERM: a text, or nothing has a value. */
static DaeTerm
select_scalar(DaeReader *reader, DaeTerm index, const DaeValue *parts, uint32_t i,
              DaeTerm *choices, uint32_t size)
{
  uint8_t type = dae_statement_scalar_type(&parts[0], i);
  uint32_t n_missing = 0;
  for (uint32_t k = 0; k < size; k++) {
    DaeTerm t = dae_value_scalar_at(&parts[k], i);
    n_missing += t == DAE_NO_TERM ? 1 : 0;
    t = t != DAE_NO_TERM ? t : dae_unset_of_type(reader, type);
    choices[k] = type != DAE_VALUE_STRING ? dae_discrete_unknown(reader, type, t) : t;
  }
  bool in_function = reader->scopes->len > 0;
  if (type == DAE_VALUE_STRING || n_missing == size || (n_missing > 0 && !in_function)) {
    return DAE_NO_TERM;
  }
  DaeTerm chosen = dae_term_select(reader->terms, index, choices, size);
  return type == DAE_VALUE_BOOLEAN ? dae_discrete_condition(reader->terms, chosen) : chosen;
}

/* Subscript d is known only at run time: a selection among what all its values give. */
static DaeValue
select_elements(DaeReader *reader, const DaeValue *array, const DaeValue *subscripts,
                uint32_t n, uint32_t d, const char *name, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  uint32_t size = array->dims[d];
  DaeValue *fixed = dae_arena_alloc(reader->scratch, n * sizeof(DaeValue));
  DaeValue *parts = dae_arena_alloc(reader->scratch, MAX(size, 1u) * sizeof(DaeValue));
  DaeTerm *choices = dae_value_new_data(reader, MAX(size, 1u));
  memcpy(fixed, subscripts, n * sizeof(DaeValue));
  for (uint32_t k = 0; k < size; k++) {
    fixed[d] = dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(terms, (int64_t)k + 1));
    parts[k] = dae_array_subscript(reader, array, fixed, n, name, pos);
    if (parts[k].type == DAE_VALUE_POISON || parts[k].opaque) {
      return parts[k];
    }
  }
  DaeTerm index = dae_subscript_number(reader, &subscripts[d]);
  uint32_t count = size > 0 ? parts[0].count * dae_value_width(&parts[0]) : 0;
  DaeTerm *data = dae_value_new_data(reader, MAX(count, 1u));
  for (uint32_t i = 0; i < count; i++) {
    data[i] = select_scalar(reader, index, parts, i, choices, size);
  }
  if (size == 0 || (count > 0 && data[count - 1] == DAE_NO_TERM)) {
    dae_source_error(reader->source, pos, "'%s' cannot have a subscript that varies", name);
    return dae_value_poison();
  }
  return dae_value_like(reader, &parts[0], parts[0].n_dims, parts[0].dims, data,
                        parts[0].count);
}

bool
dae_subscripts_vary(DaeReader *reader, const DaeValue *subscript)
{
  bool varies = false;
  for (uint32_t i = 0; subscript->n_dims == 1 && !subscript->opaque &&
                       subscript->type != DAE_VALUE_COLON && i < subscript->count && !varies;
       i++) {
    DaeValue one = dae_value_scalar(subscript->type, dae_value_scalar_at(subscript, i));
    varies = one.term != DAE_NO_TERM && dae_subscript_varies(reader, &one);
  }
  return varies;
}

/* A[:, p]: for each element of subscript d what it gives, side by side in that dimension. */
static DaeValue
select_vector(DaeReader *reader, const DaeValue *array, const DaeValue *subscripts, uint32_t n,
              uint32_t d, const char *name, uint32_t pos)
{
  uint32_t m = subscripts[d].count;
  DaeValue *fixed = dae_arena_alloc(reader->scratch, n * sizeof(DaeValue));
  DaeValue *parts = dae_arena_alloc(reader->scratch, m * sizeof(DaeValue));
  memcpy(fixed, subscripts, n * sizeof(DaeValue));
  for (uint32_t k = 0; k < m; k++) {
    fixed[d] = dae_value_scalar(subscripts[d].type, dae_value_scalar_at(&subscripts[d], k));
    fixed[d].enumeration = subscripts[d].enumeration;
    parts[k] = dae_array_subscript(reader, array, fixed, n, name, pos);
    if (parts[k].type == DAE_VALUE_POISON || parts[k].opaque) {
      return parts[k];
    }
  }
  uint32_t dims[DAE_MAX_DIMENSIONS];
  uint32_t n_dims = 0;
  uint32_t outer = 1; /* elements of the dimensions before d */
  for (uint32_t e = 0; e < d; e++) {
    if (subscripts[e].type == DAE_VALUE_COLON || subscripts[e].n_dims == 1) {
      dims[n_dims] = parts[0].dims[n_dims];
      outer *= dims[n_dims++];
    }
  }
  uint32_t before = n_dims;
  dims[n_dims++] = m;
  for (uint32_t e = before; e < parts[0].n_dims; e++) {
    dims[n_dims++] = parts[0].dims[e];
  }
  uint32_t width = dae_value_width(&parts[0]);
  uint32_t inner = outer > 0 ? parts[0].count / outer * width : 0;
  uint32_t count = 0;
  if (!dae_dimensions_count(n_dims, dims, &count)) {
    dae_source_error(reader->source, pos, "an array of more than %u elements",
                     DAE_MAX_ELEMENTS);
    return dae_value_poison();
  }
  DaeTerm *data = dae_value_new_data(reader, MAX(count * width, 1u));
  for (uint32_t i = 0; i < outer * m * inner; i++) {
    uint32_t o = i / (m * inner);
    uint32_t k = i / inner % m;
    data[i] = dae_value_scalar_at(&parts[k], o * inner + i % inner);
  }
  return dae_value_like(reader, &parts[0], n_dims, dims, data, count);
}

/* One element by known numbers within the sizes, as most names in equations are. */
static bool
single_place(const DaeReader *reader, const DaeValue *array, const DaeValue *subscripts,
             uint32_t n, size_t *place)
{
  bool is_single =
      n == array->n_dims && n > 0 && !array->opaque && array->type != DAE_VALUE_RECORD;
  *place = 0;
  for (uint32_t d = 0; d < n && is_single; d++) {
    int64_t k = 0;
    is_single = subscripts[d].type == DAE_VALUE_INTEGER && subscripts[d].n_dims == 0 &&
                !subscripts[d].opaque && subscripts[d].term != DAE_NO_TERM &&
                dae_term_get_int64(reader->terms, subscripts[d].term, &k) && k >= 1 &&
                k <= (int64_t)array->dims[d];
    *place = is_single ? *place * array->dims[d] + (size_t)(k - 1) : 0;
  }
  return is_single;
}

DaeValue
dae_array_subscript(DaeReader *reader, const DaeValue *array, const DaeValue *subscripts,
                    uint32_t n, const char *name, uint32_t pos)
{
  if (array->type == DAE_VALUE_POISON) {
    return dae_value_poison();
  }
  int64_t k = 0;
  if (n == 1 && array->n_dims == 0 && array->n_outputs > 1 &&
      array->type != DAE_VALUE_FUNCTION && array->type != DAE_VALUE_TUPLE &&
      dae_reader_integer(reader, &subscripts[0], 0, pos, &k) && k >= 1 &&
      k <= array->n_outputs) {
    return array->outputs[k - 1]; /* f(x)[2]: OpenModelica's text for the second result */
  }
  if (n > array->n_dims) {
    g_autofree char *size = dae_value_size_text(array);
    dae_source_error(reader->source, pos, "%u subscript%s for '%s', which is %s%s", n,
                     n == 1 ? "" : "s", name, array->n_dims == 0 ? "a " : "of size ", size);
    return dae_value_poison();
  }
  DaeValue settled[DAE_MAX_DIMENSIONS];
  for (uint32_t d = 0; d < n && !array->opaque; d++) {
    if (dae_cases_is_range(&subscripts[d])) {
      memmove(settled, subscripts, n * sizeof(DaeValue));
      subscripts = settled;
      if (!dae_cases_settle_range(reader, &settled[d], array->dims[d], pos)) {
        return dae_value_poison();
      }
    }
  }
  size_t place = 0;
  if (single_place(reader, array, subscripts, n, &place)) {
    DaeValue element = dae_value_like(reader, array, 0, NULL, array->data + place, 1);
    element.no_value = array->no_value;
    return element;
  }
  for (uint32_t d = 0; d < n && !array->opaque; d++) {
    if (dae_subscript_varies(reader, &subscripts[d])) {
      return select_elements(reader, array, subscripts, n, d, name, pos);
    }
    if (dae_subscripts_vary(reader, &subscripts[d])) {
      return select_vector(reader, array, subscripts, n, d, name, pos);
    }
  }
  static const DaeValue all = {.type = DAE_VALUE_COLON};
  Choice choices[DAE_MAX_DIMENSIONS];
  uint32_t dims[DAE_MAX_DIMENSIONS];
  uint32_t n_dims = 0;
  for (uint32_t d = 0; d < array->n_dims; d++) {
    const DaeValue *subscript = d < n ? &subscripts[d] : &all;
    if (subscript->type == DAE_VALUE_POISON || subscript->opaque ||
        !choose(reader, subscript, array->dims[d], name, pos, &choices[d])) {
      return dae_value_poison();
    }
    if (choices[d].keep) {
      dims[n_dims++] = choices[d].n;
    }
  }
  uint32_t count = 0;
  if (!dae_dimensions_count(n_dims, dims, &count)) {
    dae_source_error(reader->source, pos, "an array of more than %u elements",
                     DAE_MAX_ELEMENTS);
    return dae_value_poison();
  }
  return pick(reader, array, choices, n_dims, dims);
}
