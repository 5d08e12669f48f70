/* Assignments: whole variables, parts, records, several targets; under a condition the old
 * value stays where it does not hold. */
#include "reader/calls.h"

#include <math.h>
#include <string.h>

/* a and b; DAE_NO_TERM is false. */
static DaeTerm
conjunction(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  if (dae_term_kind(terms, b) == DAE_KIND_BOOLEAN) {
    return dae_term_get_bool(terms, b) ? a : DAE_NO_TERM;
  }
  return dae_term_and(terms, a, b);
}

DaeTerm
dae_statement_merge_flags(DaeTerms *terms, DaeTerm condition, DaeTerm a, DaeTerm b)
{
  if (a == b) {
    return a;
  }
  DaeTerm always = dae_term_bool(terms, true);
  if (a == always || b == always) { /* c or (not c and b) is c or b */
    DaeTerm here = a == always ? condition : dae_term_not(terms, condition);
    DaeTerm other = a == always ? b : a;
    return other == DAE_NO_TERM ? here : dae_term_or(terms, here, other);
  }
  DaeTerm yes = a == DAE_NO_TERM ? DAE_NO_TERM : conjunction(terms, condition, a);
  DaeTerm no =
      b == DAE_NO_TERM ? DAE_NO_TERM : conjunction(terms, dae_term_not(terms, condition), b);
  if (yes == DAE_NO_TERM || no == DAE_NO_TERM) {
    return yes == DAE_NO_TERM ? no : yes;
  }
  return dae_term_or(terms, yes, no);
}

DaeTerm *
dae_statement_own_data(DaeReader *reader, uint32_t index)
{
  DaeLocal *local = dae_local(reader, index);
  if (local->epoch == reader->epoch) {
    return local->data;
  }
  DaeChange change = {.local = index, .value = local->value, .data = local->data};
  change.epoch = local->epoch;
  g_array_append_val(reader->changes, change);
  uint32_t n = MAX(local->value.count * dae_value_width(&local->value), 1u);
  DaeTerm *data = dae_value_new_data(reader, n);
  memcpy(data, local->data, n * sizeof(DaeTerm));
  local->data = data;
  local->value.data = data;
  local->epoch = reader->epoch;
  return data;
}

void
dae_local_note(DaeLocal *local, uint32_t from, uint32_t to)
{
  bool is_first = local->fresh_from >= local->fresh_to;
  local->fresh_from = is_first ? from : MIN(local->fresh_from, from);
  local->fresh_to = is_first ? to : MAX(local->fresh_to, to);
}

uint8_t
dae_statement_scalar_type(const DaeValue *value, uint32_t k)
{
  return value->type == DAE_VALUE_RECORD ? value->layout->types[k % value->layout->width]
                                         : (uint8_t)value->type;
}

DaeTerm
dae_statement_choose(DaeReader *reader, DaeTerm condition, DaeTerm a, DaeTerm b, uint8_t type)
{
  if (a == b) {
    return a;
  }
  a = a != DAE_NO_TERM ? a : dae_unset_of_type(reader, type);
  b = b != DAE_NO_TERM ? b : dae_unset_of_type(reader, type);
  if (a == b) {
    return a;
  }
  if (type == DAE_VALUE_STRING) {
    return dae_text_choose(reader, condition, a, b);
  }
  if (type == DAE_VALUE_BOOLEAN) {
    DaeTerm merged = dae_statement_merge_flags(reader->terms, condition, a, b);
    return merged != DAE_NO_TERM ? merged : dae_term_bool(reader->terms, false);
  }
  return dae_term_if(reader->terms, condition, a, b);
}

/* A constant that is no number and has become long goes on as its nearest double. Numbers are
 * cut at the end of each round of a loop. */
static DaeTerm
shortened(DaeReader *reader, DaeTerm t)
{
  enum { MAX_NODES = 100 };

  DaeTerms *terms = reader->terms;
  bool is_long = !dae_term_is_number(terms, t) && dae_term_is_parametric(terms, t) &&
                 !dae_term_has_parameters(terms, t) && dae_term_size(terms, t) > MAX_NODES;
  double value = 0;
  return is_long && dae_term_eval_double(terms, t, NULL, NULL, &value) == DAE_EVAL_OK &&
                 isfinite(value)
             ? dae_term_from_double(terms, value)
             : t;
}

/* An Integer that is known goes on as its number, mod(1103*7 + 1, 16) and what follows from it; a
 * truth value as true or false. */
static DaeTerm
counted(DaeReader *reader, DaeTerm t)
{
  DaeTerms *terms = reader->terms;
  bool is_known = t != DAE_NO_TERM && !dae_term_is_number(terms, t) &&
                  dae_term_is_parametric(terms, t) && !dae_term_has_parameters(terms, t);
  DaeTerm value = is_known ? dae_reader_close(reader, t, false) : DAE_NO_TERM;
  bool is_value = value != DAE_NO_TERM && (dae_term_is_number(terms, value) ||
                                           dae_term_kind(terms, value) == DAE_KIND_BOOLEAN);
  return is_value ? value : t;
}

/* A long sum is closed by a mark that changes neither values nor events: a mean that is
 * subtracted from each of n values would otherwise become a part of n sums with n addends each. */
static DaeTerm
kept_together(DaeTerms *terms, DaeTerm t)
{
  enum { MAX_ADDENDS = 100 };

  uint32_t n = 0;
  if (dae_term_kind(terms, t) == DAE_KIND_SUM) {
    (void)dae_term_operands(terms, t, &n);
  }
  return n > MAX_ADDENDS ? dae_term_call2(terms, DAE_FN_SMOOTH, dae_term_int(terms, 0), t) : t;
}

/* Does the call under way make no events, whatever is compared in it? */
static bool
is_literal(const DaeReader *reader)
{
  const DaeScope *scope = &g_array_index(reader->scopes, DaeScope, 0);
  return !scope->is_section &&
         !dae_call_has_annotation(reader, scope->class, "GenerateEvents", true);
}

/* pi := 7.1 - p/16530000 is a number near 1, and so is its power in the next statement. Canonical
 * terms would take 1/165300000 out of each power, and leave a polynomial of p that no double
 * holds: what a function has scaled stays so behind a mark that changes no value. */
static DaeTerm
scaled_as_written(const DaeReader *reader, DaeTerm t)
{
  DaeTerms *terms = reader->terms;
  bool is_scaled = t != DAE_NO_TERM && dae_term_content_bits(terms, t) > DAE_PLAIN_BITS &&
                   (!dae_term_has_break(terms, t) || is_literal(reader));
  return is_scaled ? dae_term_call1(terms, DAE_FN_NOEVENT, t) : t;
}

/* What stays where a statement does not count. A local that is no result is not asked for after
 * `return`: it is 0 then, not without a value. */
static DaeTerm
kept_value(DaeReader *reader, const DaeLocal *local, DaeTerm gone, DaeTerm old, uint8_t type)
{
  const DaeScope *scope = &g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1);
  bool is_result = local->declaration == 0 ||
                   (dae_syntax_declaration(reader->syntax, local->declaration)->flags &
                    DAE_FLAG_OUTPUT) != 0;
  return old == DAE_NO_TERM && !is_result && gone == scope->left
             ? dae_unset_replace(reader, dae_unset_of_type(reader, type))
             : old;
}

/* Scalars `at` of the local get the values where `here` holds (DAE_NO_TERM: always); at == NULL:
 * all of them. */
static void
store(DaeReader *reader, uint32_t index, DaeTerm here, const DaeTerm *at, const DaeValue *value,
      uint32_t pos)
{
  DaeTerm gone = dae_statement_gone(reader);
  DaeTerm *data = dae_statement_own_data(reader, index);
  const DaeValue *whole = &dae_local(reader, index)->value;
  uint32_t n = value->count * dae_value_width(value);
  bool in_function =
      !g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section;
  bool is_written =
      in_function && !dae_reader_is_printed(reader); /* not by show, which has marks */
  for (uint32_t k = 0; k < n; k++) {
    uint32_t place = at != NULL ? at[k] : k;
    DaeTerm t = dae_value_scalar_at(value, k);
    uint8_t type = dae_statement_scalar_type(whole, place);
    bool is_number = type == DAE_VALUE_REAL && t != DAE_NO_TERM; /* members may have no value */
    t = is_number ? kept_together(reader->terms, shortened(reader, t)) : t;
    t = is_number && is_written ? scaled_as_written(reader, t) : t;
    t = type == DAE_VALUE_STRING && !in_function
            ? dae_text_store(reader, dae_local(reader, index)->other_binding, place, t, pos)
            : t;
    t = type == DAE_VALUE_INTEGER || type == DAE_VALUE_BOOLEAN ? counted(reader, t) : t;
    if (here != DAE_NO_TERM) {
      t = dae_statement_choose(reader, here, t, data[place], type);
    }
    if (gone != DAE_NO_TERM) {
      DaeTerm kept = kept_value(reader, dae_local(reader, index), gone, data[place], type);
      t = dae_statement_choose(reader, gone, kept, t, type);
    }
    data[place] = t;
    dae_local_note(dae_local(reader, index), place, place + 1);
  }
}

static bool
types_fit(const DaeValue *target, const DaeValue *value)
{
  if (target->type == DAE_VALUE_RECORD || value->type == DAE_VALUE_RECORD) {
    return dae_record_same(target, value);
  }
  return target->type == value->type ||
         (target->type == DAE_VALUE_REAL && value->type == DAE_VALUE_INTEGER);
}

static bool
fail_assignment(DaeReader *reader, const char *name, const DaeValue *target,
                const DaeValue *value, uint32_t pos)
{
  if (!types_fit(target, value)) {
    dae_source_error(reader->source, pos, "'%s' is %s, this value is %s", name,
                     dae_value_type_text(target), dae_value_type_text(value));
    return false;
  }
  g_autofree char *left = dae_value_size_text(target);
  g_autofree char *right = dae_value_size_text(value);
  dae_cases_misfit(reader, pos, "'%s' has size %s, this value has size %s", name, left, right);
  return false;
}

/* In a section every variable that is assigned has a value: what a function leaves open is told. */
static bool
is_whole(DaeReader *reader, const char *name, const DaeValue *value, uint32_t pos)
{
  if (!g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section) {
    return true;
  }
  for (uint32_t k = 0; k < value->count * dae_value_width(value); k++) {
    if (dae_value_scalar_at(value, k) == DAE_NO_TERM) {
      dae_source_error(reader->source, pos, "this gives '%s' no value", name);
      return false;
    }
  }
  return true;
}

/* The local becomes the value, whatever its size was. */
static void
resize(DaeReader *reader, uint32_t index, const DaeValue *value)
{
  DaeLocal *local = dae_local(reader, index);
  DaeChange change = {.local = index, .value = local->value, .data = local->data};
  change.epoch = local->epoch;
  g_array_append_val(reader->changes, change);
  DaeValueType type = local->value.type;
  dae_local_set(reader, index, value);
  dae_local(reader, index)->value.type = type;
}

bool
dae_statement_assign_whole(DaeReader *reader, uint32_t index, const DaeValue *value,
                           uint32_t pos)
{
  DaeLocal *local = dae_local(reader, index);
  const char *name = dae_names_text(reader->names, local->name);
  if (!is_whole(reader, name, value, pos)) {
    return false;
  }
  bool has_type = types_fit(&local->value, value) || dae_record_fits(&local->value, value);
  bool has_size = dae_value_same_size(&local->value, value) ||
                  (local->has_open_size && value->n_dims == local->value.n_dims);
  if (!has_type || !has_size) {
    return fail_assignment(reader, name, &local->value, value, pos);
  }
  if (!dae_value_same_shape(&local->value, value)) {
    resize(reader, index, value);
    return true;
  }
  store(reader, index, DAE_NO_TERM, NULL, value, pos);
  return true;
}

/* Positions as terms: the same subscripts and members that read a
 * value find where one is written. */
static DaeValue
positions_of(DaeReader *reader, const DaeValue *whole)
{
  uint32_t n = MAX(whole->count * dae_value_width(whole), 1u);
  if (n > reader->n_places) {
    reader->n_places = MAX(n, 2 * reader->n_places);
    reader->places = g_renew(DaeTerm, reader->places, reader->n_places);
    for (uint32_t k = 0; k < reader->n_places; k++) {
      reader->places[k] = k;
    }
  }
  DaeValue value =
      dae_value_like(reader, whole, whole->n_dims, whole->dims, reader->places, whole->count);
  value.term = 0;
  value.data = reader->places;
  return value;
}

/* r.x := {1, 2} with Real x[:] in the record: the record gets another shape. */
static bool
resize_member(DaeReader *reader, uint32_t index, const DaeReference *reference,
              const DaeValue *place, const DaeValue *value)
{
  uint32_t path[DAE_MAX_STEPS];
  bool fits = types_fit(place, value) || dae_record_fits(place, value);
  if (!fits || place->n_dims != value->n_dims || dae_value_same_shape(place, value)) {
    return false;
  }
  for (uint32_t i = 0; i < reference->n_steps; i++) {
    path[i] = reference->steps[i].member;
    if (path[i] == 0 || reference->steps[i].n > 0 || reference->steps[i].literals != 0) {
      return false;
    }
  }
  DaeValue record = dae_record_resized(reader, &dae_local(reader, index)->value, path,
                                       reference->n_steps, value);
  if (record.type == DAE_VALUE_POISON) {
    return false;
  }
  resize(reader, index, &record);
  return true;
}

/* Stores the value at the place of the local, where `here` holds (DAE_NO_TERM: always). */
static bool
assign_place(DaeReader *reader, uint32_t index, const DaeReference *reference, DaeTerm here,
             const DaeValue *value, uint32_t pos)
{
  DaeLocal *local = dae_local(reader, index);
  const char *name = dae_names_text(reader->names, local->name);
  DaeValue positions = positions_of(reader, &local->value);
  positions = dae_reference_follow(reader, &positions, reference, pos);
  if (positions.type == DAE_VALUE_POISON || !is_whole(reader, name, value, pos)) {
    return false;
  }
  if (here == DAE_NO_TERM && resize_member(reader, index, reference, &positions, value)) {
    return true;
  }
  if (!types_fit(&positions, value) || !dae_value_same_size(&positions, value)) {
    return fail_assignment(reader, name, &positions, value, pos);
  }
  DaeTerm one = positions.term;
  bool is_scalar = positions.n_dims == 0 && positions.type != DAE_VALUE_RECORD;
  store(reader, index, here, is_scalar ? &one : positions.data, value, pos);
  return true;
}

/* Does this subscript select position k, counted from 0? *known becomes that position. */
static DaeTerm
selects(DaeReader *reader, const DaeValue *subscript, uint32_t k, DaeValue *known)
{
  DaeTerms *terms = reader->terms;
  bool is_truth = subscript->type == DAE_VALUE_BOOLEAN;
  DaeTerm position = dae_term_int(terms, (int64_t)k + 1);
  *known = *subscript;
  known->term = is_truth ? dae_term_bool(terms, k == 1) : position;
  if (is_truth) {
    return k == 1 ? subscript->term : dae_term_not(terms, subscript->term);
  }
  return dae_term_relation(terms, DAE_REL_EQ, subscript->term, position);
}

/* A subscript of a reference that is known only at run time, or a vector with such elements. */
typedef struct {
  uint32_t at;        /* number of it in the list of all */
  uint32_t size;      /* of the dimension that it is for */
  uint32_t dimension; /* of the value, that a vector makes */
} Varying;

/* The first one; false: there is none. */
static bool
find_varying(DaeReader *reader, const DaeValue *whole, const DaeReference *reference,
             uint32_t pos, Varying *found)
{
  uint32_t first = 0; /* of the subscripts of a step */
  for (uint32_t i = 0; i < reference->n_steps; first += reference->steps[i++].n) {
    uint32_t n_kept = 0;
    for (uint32_t d = 0; d < reference->steps[i].n; d++) {
      const DaeValue *subscript = &reference->subscripts[first + d];
      if (dae_subscript_varies(reader, subscript) || dae_subscripts_vary(reader, subscript)) {
        DaeReference before = *reference; /* what is subscripted, and what is before that */
        before.n_steps = i;
        DaeValue outer = dae_reference_follow(reader, whole, &before, pos);
        before.n_steps = i + 1;
        before.steps[i].n = 0;
        DaeValue array = dae_reference_follow(reader, whole, &before, pos);
        uint32_t n = reference->steps[i].member != 0 ? outer.n_dims : reference->n_before;
        bool is_there = array.type != DAE_VALUE_POISON && n + d < array.n_dims;
        *found = (Varying){first + d, is_there ? array.dims[n + d] : 0, n + n_kept};
        return true;
      }
      bool is_kept = subscript->type == DAE_VALUE_COLON || subscript->n_dims == 1 ||
                     dae_cases_is_range(subscript);
      n_kept += is_kept ? 1 : 0;
    }
  }
  return false;
}

static bool assign_part(DaeReader *reader, uint32_t index, const DaeReference *reference,
                        DaeTerm here, const DaeValue *value, uint32_t pos);

/* Every place that may be meant, each under the condition that it is. */
static bool
assign_selected(DaeReader *reader, uint32_t index, const DaeReference *place,
                DaeValue *subscript, uint32_t size, DaeTerm here, const DaeValue *value,
                uint32_t pos)
{
  const DaeValue chosen = *subscript;
  for (uint32_t k = 0; k < size; k++) {
    DaeTerm same = selects(reader, &chosen, k, subscript);
    same = here == DAE_NO_TERM ? same : dae_term_and(reader->terms, here, same);
    if (!assign_part(reader, index, place, same, value, pos)) {
      return false;
    }
  }
  return true;
}

/* x[p] := value with a vector of subscripts: one after the other. */
static bool
assign_in_turn(DaeReader *reader, uint32_t index, const DaeReference *place,
               DaeValue *subscript, uint32_t dimension, DaeTerm here, const DaeValue *value,
               uint32_t pos)
{
  const DaeValue vector = *subscript;
  const char *name = dae_names_text(reader->names, dae_local(reader, index)->name);
  if (value->n_dims <= dimension || value->dims[dimension] != vector.count) {
    g_autofree char *size = dae_value_size_text(value);
    dae_cases_misfit(reader, pos, "%u elements of '%s' get a value of size %s", vector.count,
                     name, size);
    return false;
  }
  DaeValue part[DAE_MAX_DIMENSIONS];
  for (uint32_t k = 0; k < vector.count; k++) {
    for (uint32_t e = 0; e < dimension; e++) {
      part[e] = (DaeValue){.type = DAE_VALUE_COLON, .count = 1};
    }
    part[dimension] =
        dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, (int64_t)k + 1));
    *subscript = dae_value_scalar(vector.type, dae_value_scalar_at(&vector, k));
    subscript->enumeration = vector.enumeration;
    DaeValue one = dae_array_subscript(reader, value, part, dimension + 1, name, pos);
    if (one.type == DAE_VALUE_POISON || !assign_part(reader, index, place, here, &one, pos)) {
      return false;
    }
  }
  return true;
}

static bool
assign_part(DaeReader *reader, uint32_t index, const DaeReference *reference, DaeTerm here,
            const DaeValue *value, uint32_t pos)
{
  const DaeValue whole = dae_local(reader, index)->value;
  Varying found;
  if (!find_varying(reader, &whole, reference, pos, &found)) {
    return assign_place(reader, index, reference, here, value, pos);
  }
  uint32_t n_all = 0;
  for (uint32_t k = 0; k < reference->n_steps; k++) {
    n_all += reference->steps[k].n;
  }
  g_autofree DaeValue *subscripts = g_memdup2(reference->subscripts, n_all * sizeof(DaeValue));
  DaeReference place = *reference;
  place.subscripts = subscripts;
  DaeValue *subscript = &subscripts[found.at];
  return subscript->n_dims == 1
             ? assign_in_turn(reader, index, &place, subscript, found.dimension, here, value,
                              pos)
             : assign_selected(reader, index, &place, subscript, found.size, here, value, pos);
}

static bool
assign_local(DaeReader *reader, const DaeReference *reference, const DaeValue *value,
             uint32_t pos)
{
  uint32_t local = reference->local;
  if (!dae_local_begin(reader, local, NULL, pos)) {
    return false;
  }
  if (dae_local(reader, local)->is_fixed) {
    dae_source_error(reader->source, pos, "input '%s' cannot be assigned",
                     dae_names_text(reader->names, dae_local(reader, local)->name));
    return false;
  }
  return reference->n_steps == 0
             ? dae_statement_assign_whole(reader, local, value, pos)
             : assign_part(reader, local, reference, DAE_NO_TERM, value, pos);
}

/* A record variable of the model, or elements of an array of them: its members are locals of the
 * section, with the dimensions of the records around them in front. False: it is none, or
 * reported. */
static bool
assign_record(DaeReader *reader, uint32_t whole, const DaeReference *reference,
              const DaeValue *value, uint32_t pos)
{
  const DaeEntity entity = *dae_reader_entity(reader, whole);
  if (entity.kind != DAE_ENTITY_RECORD) {
    DaeReference part = *reference;
    uint32_t binding = dae_names_binding(reader->names, entity.name);
    part.local = binding & ~DAE_LOCAL_BIT;
    return (binding & DAE_LOCAL_BIT) != 0 && (binding & DAE_ITERATOR_BIT) == 0
               ? assign_local(reader, &part, value, pos)
               : entity.kind == DAE_ENTITY_CONSTANT;
  }
  bool good = value->type == DAE_VALUE_RECORD;
  for (uint32_t i = whole + 1; i <= whole + entity.n_members && good; i++) {
    const DaeEntity member = *dae_reader_entity(reader, i);
    if (member.whole == whole) {
      DaeValue part = dae_record_member(reader, value, member.member, pos);
      good = part.type != DAE_VALUE_POISON && assign_record(reader, i, reference, &part, pos);
    }
  }
  return good;
}

/* The subscripts of one step; what has fewer than its dimensions is meant whole. */
static bool
add_subscripts(DaeReader *reader, const DaeEntity *entity, const DaeStep *step,
               const DaeValue **subscripts, GArray *all)
{
  DaeValue literals[DAE_MAX_DIMENSIONS];
  uint32_t n = 0;
  if (step->literals != 0) {
    if (!dae_reference_literals(reader, step->literals, literals, &n)) {
      return false;
    }
    g_array_append_vals(all, literals, n);
  }
  if (step->n > 0) {
    g_array_append_vals(all, *subscripts, step->n);
    *subscripts += step->n;
  }
  DaeValue colon = {.type = DAE_VALUE_COLON};
  while (all->len < entity->n_dims && entity->kind == DAE_ENTITY_RECORD) {
    g_array_append_val(all, colon);
  }
  return all->len <= entity->n_dims;
}

/* a[2].x, a[i].b[j].y: the subscripts of all steps become those of the local a.x. */
static bool
assign_member(DaeReader *reader, uint32_t whole, const DaeReference *reference,
              const DaeValue *value, uint32_t pos)
{
  const DaeValue *subscripts = reference->subscripts;
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(DaeValue));
  for (uint32_t i = 0; i < reference->n_steps; i++) {
    const DaeStep *step = &reference->steps[i];
    uint32_t at =
        step->member != 0 ? dae_record_find_member(reader, whole, step->member) : whole;
    if (at == 0 && dae_reader_entity(reader, whole)->kind == DAE_ENTITY_RECORD) {
      dae_source_error(reader->source, pos, "the record has no member '%s'",
                       dae_names_text(reader->names, step->member));
    }
    whole = at;
    if (at == 0 ||
        !add_subscripts(reader, dae_reader_entity(reader, at), step, &subscripts, all)) {
      return false;
    }
  }
  DaeReference place = {.subscripts = (const DaeValue *)(const void *)all->data};
  place.n_steps = all->len > 0 ? 1 : 0;
  place.steps[0].n = all->len;
  return assign_record(reader, whole, &place, value, pos);
}

bool
dae_assign(DaeReader *reader, const DaeValue *target, const DaeValue *value, uint32_t pos)
{
  if (target->type == DAE_VALUE_HOLE) {
    return true;
  }
  if (target->type != DAE_VALUE_TARGET || value->type == DAE_VALUE_POISON) {
    return false;
  }
  DaeReference reference;
  if (!dae_reference_local(reader, target, &reference)) {
    uint32_t errors = reader->source->n_errors;
    uint32_t whole = 0;
    const uint32_t *path = &g_array_index(reader->syntax->paths, uint32_t, target->term);
    bool is_known = dae_reference_resolve(reader, path, target->outputs, &reference, &whole);
    if (is_known ? dae_binding_is_entity(whole) &&
                       assign_member(reader, whole, &reference, value, pos)
                 : dae_record_parts_assign(reader, path[1], value, pos)) {
      return true;
    }
    if (reader->source->n_errors == errors) {
      uint32_t name = g_array_index(reader->syntax->paths, uint32_t, target->term + 1);
      dae_source_error(reader->source, pos, "'%s' cannot be assigned here",
                       dae_names_text(reader->names, name));
    }
    return false;
  }
  return assign_local(reader, &reference, value, pos);
}

/* y[1:m] := ...: the ends of the range are asked for before the value is computed. */
bool
dae_assign_settle(DaeReader *reader, const DaeValue *target, uint32_t pos)
{
  DaeReference reference;
  bool has_range = false;
  for (uint32_t i = 0; i < target->n_outputs; i++) {
    has_range = has_range || dae_cases_is_range(&target->outputs[i]);
  }
  if (!has_range || !dae_reference_local(reader, target, &reference)) {
    return true;
  }
  if (!dae_local_begin(reader, reference.local, NULL, pos)) {
    return false;
  }
  DaeValue positions = positions_of(reader, &dae_local(reader, reference.local)->value);
  return dae_reference_follow(reader, &positions, &reference, pos).type != DAE_VALUE_POISON;
}

bool
dae_statement_assign(DaeReader *reader, uint32_t pos)
{
  uint32_t top = reader->stack->len;
  DAE_ASSERT(top >= 2);
  dae_chain_finish(reader, &g_array_index(reader->stack, DaeValue, top - 1));
  DaeValue target = g_array_index(reader->stack, DaeValue, top - 2);
  DaeValue value = g_array_index(reader->stack, DaeValue, top - 1);
  g_array_set_size(reader->stack, top - 2);
  if (value.type == DAE_VALUE_POISON || value.opaque) {
    return false;
  }
  if (g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section) {
    dae_unset_settle(reader, &value, NULL, true, pos);
  }
  if (target.type != DAE_VALUE_TUPLE) {
    return dae_assign(reader, &target, &value, pos);
  }
  const DaeValue *values = value.n_outputs > 0 ? value.outputs : &value;
  uint32_t n = MAX(value.n_outputs, 1u);
  if (value.type == DAE_VALUE_TUPLE || target.n_outputs > n) {
    dae_source_error(reader->source, pos, "%u results for %u variables",
                     value.type == DAE_VALUE_TUPLE ? 0 : n, target.n_outputs);
    return false;
  }
  for (uint32_t i = 0; i < target.n_outputs; i++) {
    if (!dae_assign(reader, &target.outputs[i], &values[i], pos)) {
      return false;
    }
  }
  return true;
}
