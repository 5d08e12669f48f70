/* Equations and unknowns by component: who is to blame when a model has too many
 * or too few [MLS, section 4.8]. */
#include "model/flat.h"

#include <string.h>

uint32_t
dae_model_n_instances(const DaeModel *model)
{
  return model->instances->len;
}

const DaeModelInstance *
dae_model_instance(const DaeModel *model, uint32_t k)
{
  DAE_ASSERT(k < model->instances->len);
  return &g_array_index(model->instances, DaeModelInstance, k);
}

/* ---- who owns a name --------------------------------------------------------------------- */

typedef struct {
  const DaeModel *model;
  GHashTable *instances; /* name -> number + 1 */
  GHashTable *faces;     /* name -> number + 1 */
  GString *name;         /* scratch */
} Owners;

static void
owners_init(Owners *owners, const DaeModel *model)
{
  *owners = (Owners){model, g_hash_table_new(g_str_hash, g_str_equal),
                     g_hash_table_new(g_str_hash, g_str_equal), g_string_new(NULL)};
  for (guint i = 1; i < model->instances->len; i++) {
    g_hash_table_insert(owners->instances, (gpointer)dae_model_instance(model, i)->name,
                        GUINT_TO_POINTER(i + 1));
  }
  for (guint i = 0; i < model->faces->len; i++) {
    g_hash_table_insert(owners->faces,
                        (gpointer)g_array_index(model->faces, DaeModelFace, i).name,
                        GUINT_TO_POINTER(i + 1));
  }
}

static void
owners_clear(Owners *owners)
{
  g_hash_table_destroy(owners->instances);
  g_hash_table_destroy(owners->faces);
  g_string_free(owners->name, TRUE);
}

/* Cuts the name before its last dot; false: there is none. */
static bool
cut_last(GString *name)
{
  const char *dot = strrchr(name->str, '.');
  if (dot == NULL) {
    return false;
  }
  g_string_truncate(name, (gsize)(dot - name->str));
  return true;
}

/* The innermost component that the name lies in. */
static uint32_t
owner_of(Owners *owners, const char *name)
{
  g_string_assign(owners->name, name);
  while (cut_last(owners->name)) {
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(owners->instances, owners->name->str));
    if (found != 0) {
      return found - 1;
    }
  }
  return 0;
}

/* Of the variable, of the array it is an element of, or of the record
 * it is a member of. NULL: none. */
static const DaeModelFace *
face_of(Owners *owners, const char *name)
{
  g_string_assign(owners->name, name);
  for (;;) {
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(owners->faces, owners->name->str));
    if (found != 0) {
      return &g_array_index(owners->model->faces, DaeModelFace, found - 1);
    }
    const char *bracket = strrchr(owners->name->str, '[');
    if (g_str_has_suffix(owners->name->str, "]") && bracket != NULL) {
      g_string_truncate(owners->name, (gsize)(bracket - owners->name->str));
    } else if (!cut_last(owners->name)) {
      return NULL;
    }
  }
}

/* ---- the count --------------------------------------------------------------------------- */

typedef struct {
  uint32_t n_unknowns, n_equations, n_given;
  uint32_t n_potentials, n_flows;
} Count;

/* Variables whose declarations give them values, as terms. */
static GHashTable *
bound_variables(const DaeModel *model)
{
  GHashTable *bound = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    if (equation->origin == DAE_FROM_DECLARATION) {
      g_hash_table_add(bound, GUINT_TO_POINTER(equation->lhs));
    }
  }
  return bound;
}

/* Variables that a when-clause gives their value need no other equation. */
static GHashTable *
assigned_in_whens(const DaeModel *model, const DaeTerms *terms)
{
  GHashTable *assigned = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < dae_model_n_whens(model); i++) {
    const DaeWhen *when = dae_model_when(model, i);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      for (uint32_t a = 0; a < when->branches[b].n_actions; a++) {
        const DaeAction *action = &when->branches[b].actions[a];
        if (action->kind == DAE_ACTION_ASSIGN &&
            dae_term_kind(terms, action->target) == DAE_KIND_VARIABLE) {
          g_hash_table_add(assigned,
                           GUINT_TO_POINTER(dae_term_get_symbol(terms, action->target) + 1));
        }
      }
    }
  }
  return assigned;
}

/* 'inStream(h)' beside the stream variable h: connections give it its value. */
static bool
is_stream_inside(const char *name)
{
  const char *dot = strrchr(name, '.');
  return g_str_has_prefix(dot != NULL ? dot + 1 : name, "'inStream(");
}

/* An input without a value of its own has it from an equation around its component. */
static void
count_variable(Owners *owners, Count *counts, const char *name, bool is_bound)
{
  uint32_t owner = owner_of(owners, name);
  const DaeModelFace *face = face_of(owners, name);
  if (face != NULL && face->is_input && face->n_given == 0 && !face->is_internal && !is_bound &&
      owner != 0) {
    owner = owner_of(owners, dae_model_instance(owners->model, owner)->name);
  }
  counts[owner].n_flows += face != NULL && face->is_flow;
  counts[owner].n_potentials += face != NULL && face->is_potential;
  counts[owner].n_unknowns++;
}

/* Of a variable that the reader introduced: neither is counted. */
static bool
defines_auxiliary(const DaeModel *model, const DaeTerms *terms, const DaeEquation *equation)
{
  uint32_t j = 0;
  return dae_term_kind(terms, equation->lhs) == DAE_KIND_VARIABLE &&
         dae_model_find_variable(model, dae_term_get_symbol(terms, equation->lhs), &j) &&
         dae_model_variable(model, j)->is_auxiliary;
}

static void
count_all(Owners *owners, Count *counts, DaeTerms *terms)
{
  const DaeModel *model = owners->model;
  g_autoptr(GHashTable) assigned = assigned_in_whens(model, terms);
  g_autoptr(GHashTable) bound = bound_variables(model);
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    DaeSymbol symbol = dae_model_variable(model, j)->symbol;
    if (!g_hash_table_contains(assigned, GUINT_TO_POINTER(symbol + 1)) &&
        !dae_model_variable(model, j)->is_auxiliary &&
        !is_stream_inside(dae_terms_symbol_name(terms, symbol))) {
      DaeTerm x = dae_term_variable(terms, symbol, 0);
      count_variable(owners, counts, dae_terms_symbol_name(terms, symbol),
                     g_hash_table_contains(bound, GUINT_TO_POINTER(x)));
    }
  }
  for (guint i = 0; i < model->faces->len; i++) {
    const DaeModelFace *face = &g_array_index(model->faces, DaeModelFace, i);
    counts[owner_of(owners, face->name)].n_given += face->n_given;
  }
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    uint32_t owner = equation->instance;
    if (defines_auxiliary(model, terms, equation)) {
      continue;
    }
    if (equation->origin == DAE_FROM_DECLARATION &&
        dae_term_kind(terms, equation->lhs) == DAE_KIND_VARIABLE) {
      owner = owner_of(owners,
                       dae_terms_symbol_name(terms, dae_term_get_symbol(terms, equation->lhs)));
    }
    counts[owner].n_equations += !equation->is_connection;
  }
}

GArray *
dae_model_balance(const DaeModel *model, DaeTerms *terms)
{
  GArray *result = g_array_new(FALSE, FALSE, sizeof(DaeBalance));
  if (model->instances->len == 0) {
    return result;
  }
  Owners owners;
  owners_init(&owners, model);
  g_autofree Count *counts = g_new0(Count, model->instances->len);
  count_all(&owners, counts, terms);
  owners_clear(&owners);
  for (guint k = 0; k < model->instances->len; k++) {
    const Count *count = &counts[k];
    DaeBalance balance = {k, count->n_unknowns, count->n_equations, count->n_given,
                          (int64_t)count->n_unknowns - count->n_equations - count->n_given};
    if (balance.missing != 0 && count->n_potentials == count->n_flows) {
      g_array_append_val(result, balance);
    }
  }
  return result;
}

GArray *
dae_model_unconnected_inputs(const DaeModel *model, DaeTerms *terms)
{
  GArray *result = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Owners owners;
  owners_init(&owners, model);
  g_autoptr(GHashTable) declared = bound_variables(model);
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    DaeSymbol symbol = dae_model_variable(model, j)->symbol;
    const char *name = dae_terms_symbol_name(terms, symbol);
    const DaeModelFace *face = face_of(&owners, name);
    DaeTerm x = dae_term_variable(terms, symbol, 0);
    if (face != NULL && face->is_input && face->n_given == 0 && !face->is_internal &&
        owner_of(&owners, name) != 0 && !g_hash_table_contains(declared, GUINT_TO_POINTER(x))) {
      g_array_append_val(result, j);
    }
  }
  owners_clear(&owners);
  return result;
}

/* ---- without a reference ----------------------------------------------------------------- */

enum { MOST_CONNECTORS = 6 }; /* named in a hint */

/* Adds the connectors of the variables of t to names (char *, in order, once each); false: one
 * of them is no flow. */
static bool
collect_flow_connectors(Owners *owners, DaeTerms *terms, DaeTerm t, GPtrArray *names)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    const char *name = dae_terms_symbol_name(terms, dae_term_get_symbol(terms, atom));
    const DaeModelFace *face = face_of(owners, name);
    const char *dot = strrchr(name, '.');
    if (face == NULL || !face->is_flow || dot == NULL) {
      return false;
    }
    g_autofree char *connector = g_strndup(name, (gsize)(dot - name));
    if (!g_ptr_array_find_with_equal_func(names, connector, g_str_equal, NULL)) {
      g_ptr_array_add(names, g_steal_pointer(&connector));
    }
  }
  return true;
}

static char *
say_floating(const GPtrArray *names)
{
  g_autoptr(GString) text =
      g_string_new("nothing sets the level of the potentials of the connectors ");
  guint shown = MIN(names->len, MOST_CONNECTORS);
  for (guint k = 0; k < shown; k++) {
    const char *between = k == 0 ? "" : k + 1 < names->len ? ", " : " and ";
    g_string_append_printf(text, "%s%s", between, (const char *)g_ptr_array_index(names, k));
  }
  if (names->len > shown) {
    g_string_append_printf(text, " and %u more", names->len - shown);
  }
  g_string_append(text, ": a reference such as a ground is missing");
  return g_string_free(g_steal_pointer(&text), FALSE);
}

char *
dae_model_floating_hint(const DaeModel *model, DaeTerms *terms, const uint32_t *equations,
                        uint32_t n)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  bool is_floating = model->instances->len > 0;
  bool has_connection = false;
  Owners owners;
  owners_init(&owners, model);
  for (uint32_t i = 0; i < n && is_floating; i++) {
    if (equations[i] >= dae_model_n_equations(model)) {
      is_floating = false; /* numbers of another form of the model */
      break;
    }
    const DaeEquation *equation = dae_model_equation(model, equations[i]);
    has_connection = has_connection || equation->is_connection;
    is_floating = collect_flow_connectors(&owners, terms, equation->lhs, names) &&
                  collect_flow_connectors(&owners, terms, equation->rhs, names);
  }
  owners_clear(&owners);
  return is_floating && has_connection ? say_floating(names) : NULL;
}

/* ---- potentials and flows that change places ---------------------------------------------- */

enum { MOST_COMPONENTS = 5 }; /* named in a hint */

typedef struct {
  uint32_t n_potentials, n_flows;
  GPtrArray *components; /* const char *, in order, once each; NULL: not asked for */
} Part;

static void
count_part(Owners *owners, const DaeModel *model, const DaeTerms *terms,
           const uint32_t *variables, uint32_t n, Part *part)
{
  for (uint32_t k = 0; k < n; k++) {
    const char *name =
        dae_terms_symbol_name(terms, dae_model_variable(model, variables[k])->symbol);
    const DaeModelFace *face = face_of(owners, name);
    if (face == NULL || !(face->is_potential || face->is_flow)) {
      continue;
    }
    part->n_potentials += face->is_potential;
    part->n_flows += face->is_flow;
    const char *owner = dae_model_instance(owners->model, owner_of(owners, name))->name;
    if (part->components != NULL && owner[0] != '\0' &&
        !g_ptr_array_find(part->components, owner, NULL)) {
      g_ptr_array_add(part->components, (gpointer)owner);
    }
  }
}

/* "a, b and c" */
static void
append_names(GString *text, const GPtrArray *names)
{
  guint shown = MIN(names->len, MOST_COMPONENTS);
  for (guint k = 0; k < shown; k++) {
    const char *between = k == 0 ? "" : k + 1 < names->len ? ", " : " and ";
    g_string_append_printf(text, "%s%s", between, (const char *)g_ptr_array_index(names, k));
  }
  if (names->len > shown) {
    g_string_append_printf(text, " and %u more", names->len - shown);
  }
}

static char *
say_exchanged(const GPtrArray *names, bool has_open_flows)
{
  g_autoptr(GString) text = g_string_new(NULL);
  append_names(text, names);
  g_string_append(
      text,
      has_open_flows
          ? ": their potentials are set more than once and nothing sets their flows, as of "
            "ideal sources in parallel, closed switches in parallel, a short circuit or a "
            "closed loop of rigid parts"
          : ": their flows are set more than once and nothing sets their potentials, as of "
            "ideal flow sources in series, open switches in series or a flow that nothing "
            "takes up");
  return g_string_free(g_steal_pointer(&text), FALSE);
}

bool
dae_model_is_open_end(const DaeTerms *terms, const DaeEquation *equation)
{
  return equation->is_connection && dae_term_kind(terms, equation->lhs) == DAE_KIND_VARIABLE &&
         dae_term_is_zero(terms, equation->rhs);
}

/* The connectors of the part to which nothing is connected, with places (char *). */
static GPtrArray *
open_ends(const DaeModel *model, const DaeTerms *terms, const DaeModelPart *part)
{
  GPtrArray *ends = g_ptr_array_new_with_free_func(g_free);
  for (uint32_t k = 0; k < part->n_equations; k++) {
    if (part->equations[k] >= dae_model_n_equations(model)) {
      break; /* numbers of another form of the model */
    }
    const DaeEquation *equation = dae_model_equation(model, part->equations[k]);
    if (dae_model_is_open_end(terms, equation)) {
      const char *name =
          dae_terms_symbol_name(terms, dae_term_get_symbol(terms, equation->lhs));
      const char *dot = strrchr(name, '.');
      g_autofree char *place = dae_span_text(equation->span);
      g_ptr_array_add(ends, g_strdup_printf("%.*s (%s)",
                                            dot != NULL ? (int)(dot - name) : (int)strlen(name),
                                            name, place));
    }
  }
  return ends;
}

/* Flows of several connectors, to some of which nothing is connected. */
static char *
say_open_ends(const GPtrArray *ends, const GPtrArray *names)
{
  g_autoptr(GString) text = g_string_new(NULL);
  append_names(text, ends);
  g_string_append(text,
                  ": nothing is connected there, so that the flow is 0, while the flows of ");
  append_names(text, names);
  g_string_append(text, " are set otherwise, too, and nothing sets their potentials");
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* The connect that closes a loop of an overconstrained graph: what is neither an equality nor a
 * balance of flows. NULL: none is in the part. */
static const DaeEquation *
closing_connect(Owners *owners, const DaeModel *model, DaeTerms *terms,
                const DaeModelPart *part)
{
  for (uint32_t k = 0; k < part->n_equations; k++) {
    if (part->equations[k] >= dae_model_n_equations(model)) {
      return NULL;
    }
    const DaeEquation *equation = dae_model_equation(model, part->equations[k]);
    bool is_equality = dae_term_kind(terms, equation->lhs) == DAE_KIND_VARIABLE &&
                       dae_term_kind(terms, equation->rhs) == DAE_KIND_VARIABLE;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    if (equation->is_connection && !is_equality &&
        !(collect_flow_connectors(owners, terms, equation->lhs, names) &&
          collect_flow_connectors(owners, terms, equation->rhs, names))) {
      return equation;
    }
  }
  return NULL;
}

static char *
say_loop(const GPtrArray *names, const DaeEquation *closing)
{
  g_autofree char *place = dae_span_text(closing->span);
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append_printf(text, "the loop of parts that the connect of %s closes, through ",
                         place);
  append_names(text, names);
  g_string_append(text, ": its joints set some directions more than once and leave the forces "
                        "there open, as of a planar loop of joints with parallel axes, where "
                        "one of them has to leave these directions free "
                        "(RevolutePlanarLoopConstraint)");
  return g_string_free(g_steal_pointer(&text), FALSE);
}

char *
dae_model_exchange_hint(const DaeModel *written, const DaeModel *model, DaeTerms *terms,
                        const DaeModelPart *over, const DaeModelPart *under)
{
  Owners owners;
  owners_init(&owners, written);
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  Part many = {0};
  Part few = {.components = names};
  count_part(&owners, model, terms, over->variables, over->n, &many);
  count_part(&owners, model, terms, under->variables, under->n, &few);
  bool has_open_flows =
      many.n_potentials > 0 && many.n_flows == 0 && few.n_flows > 0 && few.n_potentials == 0;
  bool has_open_levels =
      many.n_flows > 0 && many.n_potentials == 0 && few.n_potentials > 0 && few.n_flows == 0;
  g_autoptr(GPtrArray) ends = open_ends(model, terms, over);
  const DaeEquation *closing =
      has_open_flows ? closing_connect(&owners, model, terms, over) : NULL;
  owners_clear(&owners);
  if (names->len == 0 || !(has_open_flows || has_open_levels)) {
    return NULL;
  }
  if (closing != NULL) {
    return say_loop(names, closing);
  }
  return has_open_levels && ends->len > 0 ? say_open_ends(ends, names)
                                          : say_exchanged(names, has_open_flows);
}
