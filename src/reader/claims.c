/* What annotations claim of functions, as terms: that two are equal, or that one is smooth.
 *
 * Each function is executed once on fresh variables in place of its Real arguments, always
 * written out, so that the claim is compared with the body itself. Integer, Boolean and enumeration
 * arguments have a few values in turn, open sizes are 2: a counterexample there is one, nothing
 * else is concluded from it. derivative: sum of df/dx x' against f_der(x, x'); inverse: u against g(f(u)). */
#include "reader/claims.h"

#include <string.h>

typedef struct {
  DaeReader *reader;
  uint32_t class;
  DaeValue *inputs; /* in the arena of the reader */
  const uint32_t **members;
  uint32_t *names;
  uint32_t n_inputs;
  GArray *atoms;    /* DaeClaimAtom: the arguments */
  DaeTerm min, max; /* of the argument under way */
  DaeValue outputs;
  DaeSpan span;
  uint32_t first_assertion;
  uint32_t variant;    /* which values arguments that are no Reals have: below N_VARIANTS */
  uint32_t n_discrete; /* such arguments */
} Function;

enum { N_VARIANTS = 4, MAX_RECORD_DEPTH = 5 };

/* ---- arguments --------------------------------------------------------------------------- */

static DaeTerm
new_atom(Function *f, const char *name, const char *suffix)
{
  g_autofree char *text = g_strconcat(name, suffix, NULL);
  DaeSymbol symbol = dae_terms_add_unlisted_symbol(f->reader->terms, DAE_SYMBOL_VARIABLE, text);
  dae_terms_set_variability(f->reader->terms, symbol, DAE_VARIABILITY_CONTINUOUS);
  DaeClaimAtom atom = {.min = f->min, .max = f->max};
  atom.atom = dae_term_variable(f->reader->terms, symbol, 0);
  g_array_append_val(f->atoms, atom);
  return atom.atom;
}

/* Literals of an enumeration; 1 for those of the language. */
static uint32_t
count_literals(const DaeReader *reader, uint32_t enumeration)
{
  return enumeration < reader->syntax->types->len
             ? MAX(dae_syntax_type(reader->syntax, enumeration)->n_literals, 1u)
             : 1;
}

static DaeTerm
sample_of(Function *f, const char *name, const char *suffix, const DaeEntity *type)
{
  static const int64_t integers[N_VARIANTS] = {1, 2, 3, 0};

  DaeTerms *terms = f->reader->terms;
  f->n_discrete += type->type != DAE_VALUE_REAL ? 1 : 0;
  switch ((int)type->type) {
  case DAE_VALUE_REAL:
    return new_atom(f, name, suffix);
  case DAE_VALUE_INTEGER:
    return dae_term_int(terms, integers[f->variant]);
  case DAE_VALUE_ENUMERATION:
    return dae_term_int(terms,
                        1 + MIN(f->variant, count_literals(f->reader, type->enumeration) - 1));
  case DAE_VALUE_BOOLEAN: /* all true, every other one, all false */
    return dae_term_bool(terms, ((f->variant >> (f->n_discrete % 2)) & 1) == 0);
  default:
    return DAE_NO_TERM;
  }
}

/* A bound among modifiers; DAE_NO_TERM: there is none that is a number. */
static DaeTerm
bound_in(DaeReader *reader, uint32_t first, uint32_t n, const char *name)
{
  uint32_t id = dae_names_find(reader->names, name, strlen(name));
  const DaeModification *m =
      id != 0 ? dae_syntax_modification(reader->syntax, first, n, id) : NULL;
  DaeValue value =
      m != NULL && m->code != 0 ? dae_reader_evaluate(reader, m->code) : dae_value_poison();
  bool is_number = value.type <= DAE_VALUE_INTEGER && value.n_dims == 0 && !value.opaque &&
                   dae_term_is_number(reader->terms, value.term);
  return is_number ? value.term : DAE_NO_TERM;
}

/* min and max of the declaration or of its type. */
static void
read_bounds(Function *f, const DaeDeclaration *d)
{
  DaeReader *reader = f->reader;
  uint32_t base = d->type;
  f->min = bound_in(reader, d->first_mod, d->n_mods, "min");
  f->max = bound_in(reader, d->first_mod, d->n_mods, "max");
  for (uint32_t i = 0; i < 100; i++) {
    uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(reader->types, GUINT_TO_POINTER(base)));
    if (at == 0) {
      return;
    }
    const DaeTypeDefinition type = *dae_syntax_type(reader->syntax, at);
    if (f->min == DAE_NO_TERM) {
      f->min = bound_in(reader, type.first_mod, type.n_mods, "min");
    }
    if (f->max == DAE_NO_TERM) {
      f->max = bound_in(reader, type.first_mod, type.n_mods, "max");
    }
    base = type.base;
  }
}

static bool
is_builtin_type(const DaeReader *reader, const DaeDeclaration *d, uint8_t *type)
{
  uint32_t base = d->type;
  for (uint32_t i = 0; i < 100 && base != 0; i++) {
    const char *name = dae_names_text(reader->names, base);

    static const struct {
      const char *name;
      uint8_t type;
    } known[] = {{"Real", DAE_VALUE_REAL},
                 {"Integer", DAE_VALUE_INTEGER},
                 {"Boolean", DAE_VALUE_BOOLEAN}};

    for (size_t k = 0; k < G_N_ELEMENTS(known); k++) {
      if (strcmp(name, known[k].name) == 0) {
        *type = known[k].type;
        return true;
      }
    }
    uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(reader->types, GUINT_TO_POINTER(base)));
    if (at == 0) {
      *type = DAE_VALUE_REAL;
      return g_str_has_prefix(name, "Modelica.Units.SI.") ||
             g_str_has_prefix(name, "Modelica.SIunits.");
    }
    base = dae_syntax_type(reader->syntax, at)->base;
  }
  return false;
}

static bool sample_record(Function *f, uint32_t class, const char *name, uint32_t depth,
                          DaeValue *value);

/* A value for an input or a member of one: scalars, arrays whose dimensions are open or numbers,
 * records. */
static bool
sample_input(Function *f, uint32_t declaration, const char *name, uint32_t depth,
             DaeValue *value)
{
  DaeReader *reader = f->reader;
  const DaeDeclaration d = *dae_syntax_declaration(reader->syntax, declaration);
  DaeEntity type = {.kind = DAE_ENTITY_VARIABLE};
  uint8_t builtin = 0;
  if (is_builtin_type(reader, &d, &builtin)) {
    type.type = (DaeValueType)builtin;
  } else if (!dae_scope_resolve_type(reader, d.type, d.type_pos, &type) ||
             (type.type != DAE_VALUE_ENUMERATION && type.type != DAE_VALUE_RECORD)) {
    return false;
  }
  if (d.n_type_dims > 0 || dae_scope_type_has_dims(reader, d.type)) {
    return false;
  }
  if (type.type == DAE_VALUE_RECORD) {
    return d.n_dims == 0 && sample_record(f, type.record, name, depth, value);
  }
  read_bounds(f, &d);
  if (d.n_dims == 0) {
    *value = dae_value_scalar(type.type, sample_of(f, name, "", &type));
    value->enumeration = type.enumeration;
    return true;
  }
  uint32_t dims[DAE_MAX_DIMENSIONS];
  uint32_t count = 1;
  for (uint32_t k = 0; k < d.n_dims; k++) {
    const DaeInstruction *code = dae_syntax_code(reader->syntax, d.dims_code + k);
    int64_t size = code->op == DAE_OP_COLON ? 2
                   : code->op == DAE_OP_NUMBER
                       ? g_ascii_strtoll(dae_names_text(reader->names, code->arg), NULL, 10)
                       : 0;
    if (size < 1 || size > 10) {
      return false;
    }
    dims[k] = (uint32_t)size;
    count *= dims[k];
  }
  if (count > 100) {
    return false;
  }
  DaeTerm *data = dae_arena_alloc(reader->arena, count * sizeof(DaeTerm));
  for (uint32_t k = 0; k < count; k++) {
    g_autofree char *suffix = g_strdup_printf("[%u]", k + 1);
    data[k] = sample_of(f, name, suffix, &type);
  }
  *value = dae_value_array(reader, type.type, d.n_dims, dims, data, count);
  value->enumeration = type.enumeration;
  return true;
}

/* r: r.x, r.y ... */
static bool
sample_record(Function *f, uint32_t class, const char *name, uint32_t depth, DaeValue *value)
{
  DaeReader *reader = f->reader;
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  DaeValue *values = dae_arena_alloc(reader->arena, (n + 1) * sizeof(DaeValue));
  uint32_t *names = dae_arena_alloc(reader->arena, (n + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration d = *dae_syntax_declaration(reader->syntax, members[i]);
    g_autofree char *member =
        g_strconcat(name, ".", dae_names_text(reader->names, d.name), NULL);
    names[i] = d.name;
    if ((d.flags & DAE_FLAG_CONSTANT) != 0 || depth >= MAX_RECORD_DEPTH ||
        !sample_input(f, members[i], member, depth + 1, &values[i])) {
      return false;
    }
  }
  *value = dae_record_pack(reader, class, names, values, n);
  return n > 0;
}

static bool
sample_inputs(Function *f)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(f->reader, f->class, &n);
  f->inputs = dae_arena_alloc(f->reader->arena, (n + 1) * sizeof(DaeValue));
  f->names = dae_arena_alloc(f->reader->arena, (n + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(f->reader->syntax, members[i]);
    if ((d->flags & DAE_FLAG_INPUT) == 0) {
      continue;
    }
    if (!sample_input(f, members[i], dae_names_text(f->reader->names, d->name), 0,
                      &f->inputs[f->n_inputs])) {
      return false;
    }
    f->inputs[f->n_inputs].name = 0;
    f->names[f->n_inputs++] = dae_syntax_declaration(f->reader->syntax, members[i])->name;
  }
  return f->n_inputs > 0;
}

/* ---- claims ------------------------------------------------------------------------------ */

/* All assertions met so far. */
static DaeTerm
domain_of(const Function *f)
{
  DaeReader *reader = f->reader;
  DaeTerm domain = dae_term_bool(reader->terms, true);
  for (uint32_t i = f->first_assertion; i < reader->assertions->len; i++) {
    const DaeAssertion *assertion = &g_array_index(reader->assertions, DaeAssertion, i);
    if (!assertion->is_warning) {
      domain = dae_term_and(reader->terms, domain, assertion->condition);
    }
  }
  return domain;
}

static DaeClaim *
add_claim(const Function *f, DaeClaimKind kind, const char *other)
{
  DaeModel *model = f->reader->result;
  DaeClaim claim = {.kind = kind, .span = f->span, .domain = domain_of(f)};
  claim.function = dae_flat_string(
      model,
      dae_names_text(f->reader->names, dae_syntax_class(f->reader->syntax, f->class)->name));
  claim.other = other != NULL ? dae_flat_string(model, other) : NULL;
  claim.first_atom = model->claim_atoms->len;
  claim.n_atoms = f->atoms->len;
  g_array_append_vals(model->claim_atoms, f->atoms->data, f->atoms->len);
  g_array_append_val(model->claims, claim);
  return &g_array_index(model->claims, DaeClaim, model->claims->len - 1);
}

static void
skip_claim(const Function *f, DaeClaimKind kind, const char *why)
{
  add_claim(f, kind, NULL)->why_not = why;
}

static const DaeValue *
output_at(const DaeValue *result, uint32_t i)
{
  return result->n_outputs > 1 ? &result->outputs[i] : result;
}

/* Sum of the partial derivatives times the directions; DAE_NO_TERM: it is not defined. */
static DaeTerm
derivative_along(const Function *f, DaeTerm t, const GArray *along, const GArray *directions)
{
  DaeTerms *terms = f->reader->terms;
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t i = 0; i < along->len && sum != DAE_NO_TERM; i++) {
    DaeTerm partial = dae_term_partial(terms, t, g_array_index(along, DaeTerm, i));
    sum =
        partial != DAE_NO_TERM
            ? dae_term_add(terms, sum,
                           dae_term_mul(terms, partial, g_array_index(directions, DaeTerm, i)))
            : DAE_NO_TERM;
  }
  return sum;
}

typedef struct {
  GArray *along, *directions; /* DaeTerm */
  DaeValue *arguments;
  uint32_t n;
  uint32_t order, n0, q; /* of the derivative; arguments of the function; those of one order */
  bool has_hidden;       /* an argument with noDerivative on which the function depends */
} Directions;

static bool
depends_on(const Function *f, const DaeValue *input)
{
  for (uint32_t i = 0; i < MAX(f->outputs.n_outputs, 1u); i++) {
    const DaeValue *output = output_at(&f->outputs, i);
    for (uint32_t k = 0; k < dae_arguments_count(output); k++) {
      for (uint32_t q = 0; q < dae_arguments_count(input); q++) {
        if (dae_arguments_type(output, k) == DAE_VALUE_REAL &&
            dae_arguments_type(input, q) == DAE_VALUE_REAL &&
            dae_term_contains(f->reader->terms, dae_value_scalar_at(output, k),
                              dae_value_scalar_at(input, q))) {
          return true;
        }
      }
    }
  }
  return false;
}

/* From one order of derivatives to the next: the direction of this input is that one. */
static void
add_given_direction(const Function *f, Directions *d, uint32_t of, uint32_t direction)
{
  uint32_t n =
      MIN(dae_arguments_count(&f->inputs[of]), dae_arguments_count(&f->inputs[direction]));
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm atom = dae_value_scalar_at(&f->inputs[of], k);
    DaeTerm along = dae_value_scalar_at(&f->inputs[direction], k);
    g_array_append_val(d->along, atom);
    g_array_append_val(d->directions, along);
  }
}

static void
add_direction(Function *f, Directions *d, uint32_t i)
{
  const DaeValue *input = &f->inputs[i];
  uint32_t n = dae_arguments_count(input);
  const char *name = dae_names_text(f->reader->names, f->names[i]);
  DaeTerm *data = dae_arena_alloc(f->reader->arena, MAX(n, 1u) * sizeof(DaeTerm));
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm atom = dae_value_scalar_at(input, k);
    const char *own =
        dae_terms_symbol_name(f->reader->terms, dae_term_get_symbol(f->reader->terms, atom));
    bool is_array = n > 1 && input->type != DAE_VALUE_RECORD;
    g_autofree char *suffix = is_array ? g_strdup_printf("'[%u]", k + 1) : g_strdup("'");
    data[k] = new_atom(f, input->type == DAE_VALUE_RECORD ? own : name, suffix);
    g_array_append_val(d->along, atom);
    g_array_append_val(d->directions, data[k]);
  }
  d->arguments[d->n++] = dae_arguments_with(f->reader, input, data);
}

/* Argument i and its derivatives: each moves as the next one says, the last as a new one. */
static void
add_directions(Function *f, Directions *d, uint32_t i)
{
  uint32_t found = d->n - f->n_inputs;
  uint32_t at = i;
  for (uint32_t k = 1; k < d->order; k++) {
    uint32_t next = d->n0 + (k - 1) * d->q + found;
    add_given_direction(f, d, at, next);
    at = next;
  }
  add_direction(f, d, at);
}

/* Reals, or a record of nothing else. */
static bool
is_made_of_reals(const DaeValue *value)
{
  bool is_real = value->type == DAE_VALUE_REAL || value->type == DAE_VALUE_RECORD;
  for (uint32_t k = 0; is_real && k < dae_arguments_count(value); k++) {
    is_real = dae_arguments_type(value, k) == DAE_VALUE_REAL;
  }
  return is_real;
}

static bool
has_reals(const DaeValue *value)
{
  bool has = false;
  for (uint32_t k = 0; value->type <= DAE_VALUE_RECORD && k < dae_arguments_count(value); k++) {
    has = has || dae_arguments_type(value, k) == DAE_VALUE_REAL;
  }
  return has;
}

/* False: the annotation is none of this order of the function. */
static bool
begin_directions(Function *f, const DaeDerivativeClaim *claim, uint32_t order, Directions *d)
{
  f->min = DAE_NO_TERM;
  f->max = DAE_NO_TERM;
  uint32_t all = dae_call_count_inputs(f->reader, claim->class);
  uint32_t q = all > f->n_inputs ? all - f->n_inputs : 0;
  if (order > 1 && (q == 0 || order * q > f->n_inputs)) {
    return false;
  }
  *d = (Directions){
      .n = f->n_inputs, .order = order, .n0 = f->n_inputs - (order - 1) * q, .q = q};
  d->along = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  d->directions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  d->arguments = dae_arena_alloc(f->reader->arena, (2 * f->n_inputs + 1) * sizeof(DaeValue));
  for (uint32_t i = 0; i < f->n_inputs; i++) {
    d->arguments[i] = f->inputs[i];
  }
  for (uint32_t i = 0; i < d->n0; i++) {
    const DaeValue *input = &f->inputs[i];
    if (!has_reals(input) ||
        dae_derivative_says(f->reader, claim, "zeroDerivative", f->names[i])) {
      continue;
    }
    if (!is_made_of_reals(input) ||
        dae_derivative_says(f->reader, claim, "noDerivative", f->names[i])) {
      d->has_hidden = d->has_hidden || depends_on(f, input);
    } else if (order == 1 || d->n < all) {
      add_directions(f, d, i);
    }
  }
  return true;
}

static void
claim_outputs(Function *f, const Directions *d, const DaeValue *result, const char *other)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < MAX(f->outputs.n_outputs, 1u); i++) {
    const DaeValue *output = output_at(&f->outputs, i);
    if (!is_made_of_reals(output)) {
      continue;
    }
    uint32_t n = dae_arguments_count(output);
    if (next >= MAX(result->n_outputs, 1u) ||
        dae_arguments_count(output_at(result, next)) != n) {
      skip_claim(f, DAE_CLAIM_DERIVATIVE, "its results do not fit");
      return;
    }
    for (uint32_t k = 0; k < n; k++) {
      DaeTerm actual =
          derivative_along(f, dae_value_scalar_at(output, k), d->along, d->directions);
      if (actual != DAE_NO_TERM) {
        DaeClaim *claim = add_claim(f, DAE_CLAIM_DERIVATIVE, other);
        claim->actual = actual;
        claim->claimed = dae_value_scalar_at(output_at(result, next), k);
      }
    }
    next++;
  }
}

static void
claim_derivative(Function *f, const DaeDerivativeClaim *claim, uint32_t order)
{
  Directions d;
  if (!begin_directions(f, claim, order, &d)) {
    skip_claim(f, DAE_CLAIM_DERIVATIVE, "the derivative has other arguments");
    return;
  }
  DaeValue result = d.has_hidden
                        ? dae_value_poison()
                        : dae_call_apply(f->reader, claim->class, d.arguments, d.n, claim->pos);
  if (d.has_hidden) {
    skip_claim(f, DAE_CLAIM_DERIVATIVE, "it depends on an argument with noDerivative");
  } else if (result.type == DAE_VALUE_POISON) {
    skip_claim(f, DAE_CLAIM_DERIVATIVE, "the derivative cannot be called");
  } else {
    claim_outputs(f, &d, &result,
                  dae_names_text(f->reader->names,
                                 dae_syntax_class(f->reader->syntax, claim->class)->name));
  }
  g_array_free(d.along, TRUE);
  g_array_free(d.directions, TRUE);
}

/* inverse(u = g(y, p)): g is evaluated where the names of the function have their values. */
static void
claim_inverse(Function *f, const DaeModification *m)
{
  DaeReader *reader = f->reader;
  uint32_t n = 0;
  uint32_t at = 0;
  const uint32_t *members = dae_call_members(reader, f->class, &n);
  const DaeValue **given = dae_arena_alloc(reader->arena, (n + 1) * sizeof *given);
  DaeTerm wanted = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    given[i] = (d->flags & DAE_FLAG_INPUT) != 0 ? &f->inputs[at] : NULL;
    if (given[i] != NULL && f->names[at] == m->name && given[i]->n_dims == 0) {
      wanted = given[i]->term;
    }
    at += given[i] != NULL ? 1 : 0;
  }
  bool good = wanted != DAE_NO_TERM && m->code != 0 &&
              dae_call_begin_scope(reader, f->class, given, m->pos);
  DaeValue value = dae_value_poison();
  if (good) {
    uint32_t first =
        g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).first_local;
    for (uint32_t i = 0, k = 0; i < n; i++) {
      if ((dae_syntax_declaration(reader->syntax, members[i])->flags & DAE_FLAG_OUTPUT) != 0) {
        dae_local_set(reader, first + i, output_at(&f->outputs, k++));
      }
    }
    value = dae_reader_evaluate(reader, m->code);
    dae_scope_leave(reader);
  }
  if (value.type == DAE_VALUE_POISON || value.n_dims > 0 || value.term == DAE_NO_TERM) {
    skip_claim(f, DAE_CLAIM_INVERSE, "the inverse cannot be called");
    return;
  }
  DaeClaim *claim = add_claim(f, DAE_CLAIM_INVERSE, dae_names_text(reader->names, m->name));
  claim->actual = wanted;
  claim->claimed = value.term;
}

/* smoothOrder(normallyConstant = p) = n: nothing is said of p. */
static void
mark_constants(const Function *f, DaeClaim *claim, const DaeModification *inner,
               uint32_t n_inner)
{
  DaeReader *reader = f->reader;
  for (uint32_t k = 0; k < n_inner; k++) {
    const DaeInstruction *code =
        inner[k].code != 0 ? dae_syntax_code(reader->syntax, inner[k].code) : NULL;
    bool is_named =
        code != NULL && code->op == DAE_OP_NAME &&
        strcmp(dae_names_text(reader->names, inner[k].name), "normallyConstant") == 0;
    for (uint32_t i = 0; is_named && i < f->n_inputs; i++) {
      for (uint32_t q = 0; f->names[i] == code->arg && q < dae_arguments_count(&f->inputs[i]);
           q++) {
        for (uint32_t a = claim->first_atom; a < claim->first_atom + claim->n_atoms; a++) {
          DaeClaimAtom *atom = &g_array_index(reader->result->claim_atoms, DaeClaimAtom, a);
          atom->is_constant =
              atom->is_constant || atom->atom == dae_value_scalar_at(&f->inputs[i], q);
        }
      }
    }
  }
}

static void
claim_smoothness(Function *f, uint32_t order, const DaeModification *inner, uint32_t n_inner)
{
  for (uint32_t i = 0; i < MAX(f->outputs.n_outputs, 1u); i++) {
    const DaeValue *output = output_at(&f->outputs, i);
    for (uint32_t k = 0; is_made_of_reals(output) && k < dae_arguments_count(output); k++) {
      DaeClaim *claim = add_claim(f, DAE_CLAIM_SMOOTH, NULL);
      claim->actual = dae_value_scalar_at(output, k);
      claim->order = order;
      mark_constants(f, claim, inner, n_inner);
    }
  }
}

/* ---- all functions ----------------------------------------------------------------------- */

static void
claim_annotations(Function *f)
{
  DaeReader *reader = f->reader;
  const DaeClass c = *dae_syntax_class(reader->syntax, f->class);
  DaeDerivativeClaim derivative;
  for (uint32_t order = 1; order <= DAE_MOST_DERIVATIVES; order++) {
    uint32_t at = 0;
    while (dae_derivative_next(reader, f->class, order, &at, &derivative)) {
      claim_derivative(f, &derivative, order);
    }
  }
  for (uint32_t i = 0; i < c.n_annotations; i++) {
    const DaeModification m = *dae_syntax_modifier(reader->syntax, c.first_annotation + i);
    const char *name = dae_names_text(reader->names, m.name);
    if (strcmp(name, "inverse") == 0) {
      for (uint32_t k = 0; k < m.n_inner; k++) {
        const DaeModification inner =
            *dae_syntax_modifier(reader->syntax, c.first_annotation + i + 1 + k);
        claim_inverse(f, &inner);
      }
    } else if (strcmp(name, "smoothOrder") == 0 && m.code != 0 &&
               dae_syntax_code(reader->syntax, m.code)->op == DAE_OP_NUMBER) {
      const char *text =
          dae_names_text(reader->names, dae_syntax_code(reader->syntax, m.code)->arg);
      claim_smoothness(f, (uint32_t)MIN(g_ascii_strtoull(text, NULL, 10), DAE_MOST_SMOOTH),
                       dae_syntax_modifier(reader->syntax, c.first_annotation + i + 1),
                       m.n_inner);
    }
    i += m.n_inner;
  }
}

/* With one choice of the arguments that are no Reals. What cannot be tried is told of the first. */
static void
claim_variant(Function *f)
{
  DaeReader *reader = f->reader;
  uint32_t pos = dae_syntax_class(reader->syntax, f->class)->pos;
  bool is_first = f->variant == 0;
  bool has_inputs = sample_inputs(f);
  if (has_inputs) {
    f->outputs = dae_call_apply(reader, f->class, f->inputs, f->n_inputs, pos);
  }
  if (!has_inputs && is_first) {
    skip_claim(f, DAE_CLAIM_DERIVATIVE, "arguments other than numbers and records of them");
  } else if (has_inputs && f->outputs.type != DAE_VALUE_POISON &&
             f->outputs.type <= DAE_VALUE_RECORD) {
    claim_annotations(f);
  } else if (has_inputs && is_first) {
    skip_claim(f, DAE_CLAIM_DERIVATIVE, "it cannot be executed on any arguments");
  }
}

static void
claim_function(DaeReader *reader, uint32_t class)
{
  uint32_t n_discrete = 1;
  for (uint32_t variant = 0; variant < N_VARIANTS && n_discrete > 0; variant++) {
    Function f = {.reader = reader, .class = class, .variant = variant};
    f.atoms = g_array_new(FALSE, FALSE, sizeof(DaeClaimAtom));
    f.first_assertion = reader->assertions->len;
    f.span = dae_source_span(reader->source, dae_syntax_class(reader->syntax, class)->pos);
    claim_variant(&f);
    n_discrete = f.n_discrete;
    reader->surrender = NULL;
    g_array_free(f.atoms, TRUE);
  }
}

void
dae_claims_collect(DaeReader *reader)
{
  uint32_t assertions = reader->assertions->len;
  dae_source_hush(reader->source);
  reader->writes_out = true;
  for (uint32_t i = 1; i < reader->syntax->classes->len; i++) {
    const DaeClass *c = dae_syntax_class(reader->syntax, i);
    bool has_claims = dae_call_annotation(reader, i, "derivative") != NULL ||
                      dae_call_annotation(reader, i, "inverse") != NULL ||
                      dae_call_annotation(reader, i, "smoothOrder") != NULL;
    if (c->kind == DAE_CLASS_FUNCTION && has_claims) {
      claim_function(reader, i);
      g_array_set_size(reader->assertions, assertions);
      reader->surrender = NULL;
    }
  }
  reader->writes_out = false;
  dae_source_speak(reader->source);
}
