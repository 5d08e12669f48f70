/* spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues) [language
 * specification, 3.7.2.2]: what flows through a pipe of the length 1.
 *
 * The results are out0 = if positiveVelocity then in0 else L and out1 = if positiveVelocity then R
 * else in1, where L and R are what the pipe holds at its ends: the operator itself with the
 * literals false and true. These are atoms, like delay(...). The specification says the value of
 * the last step where here stands in0 ("similar to in0 but avoiding algebraic loop"): the solution
 * of its transport equation is in0. */
#include "reader/calls.h"

#include <string.h>

#include "model/flat.h"

typedef struct {
  DaeTerm in0, in1, way;
  DaeTerm forward; /* condition */
  DaeTerm *points, *values;
  uint32_t n;
  uint32_t pos;
} Pipe;

/* "spatialDistribution(in0, in1, x, true, {0, 1}, {0, 0})[2]" */
static void
write_text(DaeReader *reader, const Pipe *pipe, bool is_right)
{
  g_autofree char *in0 = dae_operator_delayed_text(reader, pipe->in0);
  g_autofree char *in1 = dae_operator_delayed_text(reader, pipe->in1);
  g_autofree char *way = dae_operator_delayed_text(reader, pipe->way);
  g_string_printf(reader->text, "spatialDistribution(%s, %s, %s, %s, {", in0, in1, way,
                  is_right ? "true" : "false");
  const DaeTerm *lists[] = {pipe->points, pipe->values};
  for (uint32_t k = 0; k < 2; k++) {
    g_string_append(reader->text, k > 0 ? "}, {" : "");
    for (uint32_t i = 0; i < pipe->n; i++) {
      g_string_append(reader->text, i > 0 ? ", " : "");
      dae_term_print(reader->terms, lists[k][i], reader->text);
    }
  }
  g_string_append(reader->text, is_right ? "})[2]" : "})");
}

/* What the pipe holds at both ends. */
static void
make_ends(DaeReader *reader, const Pipe *given, DaeTerm ends[2])
{
  DaeTerms *terms = reader->terms;
  GArray *profiles = reader->result->profiles;
  Pipe pipe = *given;
  DaeTerm *parts[] = {&pipe.in0, &pipe.in1, &pipe.way};
  for (uint32_t i = 0; i < G_N_ELEMENTS(parts); i++) {
    if (dae_term_has_derivatives(terms, *parts[i])) {
      *parts[i] = dae_operator_delay_variable(reader, *parts[i], "delayed", pipe.pos);
    }
  }
  DaeEventAtom like = {
      .kind = DAE_ATOM_TRANSPORT,
      .interval = pipe.way,
      .profile = profiles->len,
      .n_points = pipe.n,
  };
  g_array_append_vals(profiles, pipe.points, pipe.n);
  g_array_append_vals(profiles, pipe.values, pipe.n);
  DaeTerm atoms[2];
  for (uint32_t k = 0; k < 2; k++) {
    write_text(reader, &pipe, k == 1);
    like.of = k == 1 ? pipe.in1 : pipe.in0;
    like.is_right = k == 1;
    atoms[k] = dae_operator_atom(reader, &like, false, pipe.pos);
  }
  for (uint32_t k = 0; k < 2; k++) {
    ends[k] = dae_operator_delay_variable(reader, atoms[k], "delay", pipe.pos);
  }
}

/* ---- arguments --------------------------------------------------------------------------- */

static bool
fail(DaeReader *reader, uint32_t pos, const char *message)
{
  dae_source_error(reader->source, pos, "%s", message);
  return false;
}

static bool
have_right_types(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  bool good = n >= 4 && n <= 6 && arguments[3].type == DAE_VALUE_BOOLEAN;
  for (uint32_t i = 0; good && i < n; i++) {
    good = i == 3 || dae_value_is_numeric(&arguments[i]);
  }
  if (!good) {
    return fail(reader, pos,
                "'spatialDistribution' takes in0, in1, x, positiveVelocity, initialPoints and "
                "initialValues");
  }
  if (arguments[2].n_dims > 0 || arguments[3].n_dims > 0 || arguments[0].n_dims > 1 ||
      !dae_value_same_size(&arguments[0], &arguments[1])) {
    return fail(reader, pos,
                "in0 and in1 of 'spatialDistribution' must have the same size, and x and "
                "positiveVelocity must be scalars");
  }
  return true;
}

/* One row for all pipes, or one for each of them. */
static bool
has_fitting_rows(const DaeValue *list, const DaeValue *in)
{
  return list->n_dims == 1 ||
         (list->n_dims == 2 && in->n_dims == 1 && list->dims[0] == in->count);
}

static bool
have_right_lists(DaeReader *reader, const DaeValue *in, const DaeValue *points,
                 const DaeValue *values, uint32_t pos)
{
  if (!has_fitting_rows(points, in) || !has_fitting_rows(values, in) ||
      points->dims[points->n_dims - 1] != values->dims[values->n_dims - 1] ||
      points->dims[points->n_dims - 1] < 2) {
    return fail(reader, pos,
                "initialPoints and initialValues of 'spatialDistribution' must be vectors of "
                "the same size, at least 2");
  }
  const DaeValue *lists[] = {points, values};
  for (uint32_t k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < lists[k]->count && !lists[k]->opaque; i++) {
      if (!dae_term_is_parametric(reader->terms, lists[k]->data[i])) {
        return fail(reader, pos,
                    "initialPoints and initialValues of 'spatialDistribution' must not change "
                    "during the simulation");
      }
    }
  }
  return true;
}

/* From 0 to 1, none smaller than the one before. */
static bool
is_right_order(DaeReader *reader, const Pipe *pipe)
{
  DaeTerms *terms = reader->terms;
  DaeTerm before = dae_term_int(terms, 0);
  for (uint32_t i = 0; i < pipe->n; i++) {
    DaeTerm at = dae_reader_close(reader, pipe->points[i], false);
    if (at == DAE_NO_TERM || !dae_term_is_number(terms, at)) {
      return true; /* looked at when a run begins */
    }
    DaeTerm end = dae_term_int(terms, i == 0 ? 0 : 1);
    bool is_end = i == 0 || i + 1 == pipe->n;
    if (dae_term_sign(terms, dae_term_sub(terms, at, before)) < 0 || (is_end && at != end)) {
      return fail(
          reader, pipe->pos,
          "initialPoints of 'spatialDistribution' must begin with 0, end with 1 and not "
          "decrease");
    }
    before = at;
  }
  return true;
}

static void
take_row(const DaeValue *list, uint32_t row, DaeTerm *out)
{
  uint32_t n = list->dims[list->n_dims - 1];
  for (uint32_t i = 0; i < n; i++) {
    out[i] = dae_value_element(list, (list->n_dims == 2 ? row * n : 0) + i);
  }
}

static DaeValue
default_list(DaeReader *reader, int last)
{
  DaeTerm *data = dae_value_new_data(reader, 2);
  data[0] = dae_term_int(reader->terms, 0);
  data[1] = dae_term_int(reader->terms, last);
  const uint32_t dims[1] = {2};
  return dae_value_array(reader, DAE_VALUE_REAL, 1, dims, data, 2);
}

/* Of a literal condition: a text that `show` has printed stays as it is. */
static DaeTerm
chosen(DaeTerms *terms, DaeTerm condition, DaeTerm yes, DaeTerm no)
{
  if (dae_term_kind(terms, condition) == DAE_KIND_BOOLEAN) {
    return condition == dae_term_bool(terms, true) ? yes : no;
  }
  return dae_term_if(terms, condition, yes, no);
}

/* Both results, of each pipe. False: reported. */
static bool
make_results(DaeReader *reader, const DaeValue *arguments, const DaeValue *points,
             const DaeValue *values, uint32_t pos, DaeTerm *out[2])
{
  DaeTerms *terms = reader->terms;
  uint32_t n = points->dims[points->n_dims - 1];
  Pipe pipe = {.way = arguments[2].term,
               .forward = arguments[3].term,
               .points = dae_value_new_data(reader, n),
               .values = dae_value_new_data(reader, n),
               .n = n,
               .pos = pos};
  for (uint32_t i = 0; i < arguments[0].count; i++) {
    DaeTerm ends[2];
    pipe.in0 = dae_value_element(&arguments[0], i);
    pipe.in1 = dae_value_element(&arguments[1], i);
    take_row(points, i, pipe.points);
    take_row(values, i, pipe.values);
    if (!is_right_order(reader, &pipe)) {
      return false;
    }
    make_ends(reader, &pipe, ends);
    out[0][i] = chosen(terms, pipe.forward, pipe.in0, ends[0]);
    out[1][i] = chosen(terms, pipe.forward, ends[1], pipe.in1);
  }
  return true;
}

DaeValue
dae_transport_apply(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  if (!have_right_types(reader, arguments, n, pos)) {
    return dae_value_poison();
  }
  const DaeValue *in = &arguments[0];
  const DaeValue points = n > 4 ? arguments[4] : default_list(reader, 1);
  const DaeValue values = n > 5 ? arguments[5] : default_list(reader, 0);
  if (!have_right_lists(reader, in, &points, &values, pos)) {
    return dae_value_poison();
  }
  DaeValue *results = dae_arena_alloc(reader->scratch, 2 * sizeof(DaeValue));
  bool is_open = reader->is_structural || reader->result == NULL;
  DaeTerm *out[2] = {dae_value_new_data(reader, MAX(in->count, 1u)),
                     dae_value_new_data(reader, MAX(in->count, 1u))};
  if (!is_open && !make_results(reader, arguments, &points, &values, pos, out)) {
    return dae_value_poison();
  }
  for (uint32_t k = 0; k < 2; k++) {
    results[k] = arguments[k];
    results[k].type = DAE_VALUE_REAL;
    results[k].opaque = is_open;
    if (!is_open) {
      results[k] =
          dae_value_array(reader, DAE_VALUE_REAL, in->n_dims, in->dims, out[k], in->count);
    }
  }
  DaeValue value = results[0];
  value.outputs = results;
  value.n_outputs = 2;
  return value;
}
