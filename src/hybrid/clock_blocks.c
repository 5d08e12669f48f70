/* Equations of clocked partitions in the order in which a tick executes them: a matching
 * tells which equation is solved for which unknown, strong components which of them must
 * be solved together [Tarjan72]. */
#include "hybrid/clocks-priv.h"
#include "structural/graph.h"

/* ---- systems ----------------------------------------------------------------------------- */

DaeClockedSystem *
dae_clocked_system_new(uint32_t sub, DaeTicks ticks)
{
  DaeClockedSystem *system = g_new0(DaeClockedSystem, 1);
  system->sub = sub;
  system->ticks = ticks;
  system->rows = g_array_new(FALSE, TRUE, sizeof(DaeClockedRow));
  system->unknowns = g_array_new(FALSE, TRUE, sizeof(DaeClockedUnknown));
  return system;
}

void
dae_clocked_system_free(DaeClockedSystem *system)
{
  if (system != NULL) {
    g_array_free(system->rows, TRUE);
    g_array_free(system->unknowns, TRUE);
    g_free(system);
  }
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeClockedSystem, dae_clocked_system_free)

void
dae_clocked_system_add_row(DaeClockedSystem *system, DaeTerm lhs, DaeTerm rhs, int32_t weight,
                           DaeSpan span)
{
  DaeClockedRow row = {lhs, rhs, weight, span};
  g_array_append_val(system->rows, row);
}

void
dae_clocked_system_add_unknown(DaeClockedSystem *system, DaeTerm atom, bool is_real)
{
  DaeClockedUnknown unknown = {atom, is_real};
  g_array_append_val(system->unknowns, unknown);
}

/* ---- hidden values ----------------------------------------------------------------------- */

DaeTerm
dae_clocks_add_hidden(DaeHybrid *hybrid, const char *name, DaeType type)
{
  DaeTerms *terms = hybrid->terms;
  g_autofree char *before = g_strdup_printf("pre(%s)", name);
  DaeSymbol symbols[2] = {dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name),
                          dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, before)};
  for (int i = 0; i < 2 && type == DAE_TYPE_BOOLEAN; i++) {
    dae_terms_set_condition(terms, symbols[i]);
  }
  DaeDiscrete hidden = {.variable = DAE_HYBRID_NONE,
                        .now = dae_term_parameter(terms, symbols[0]),
                        .pre = dae_term_parameter(terms, symbols[1]),
                        .type = type};
  hidden.value = hidden.pre;
  g_array_append_val(hybrid->discrete, hidden);
  return hidden.now;
}

DaeTerm
dae_clocks_pre(const DaeHybrid *hybrid, DaeTerm now)
{
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->now == now) {
      return discrete->pre;
    }
  }
  return DAE_NO_TERM;
}

/* ---- terms of the model in atoms --------------------------------------------------------- */

typedef struct {
  DaeClocks *clocks;
  DaeHybrid *hybrid;
  DaeSubst *values; /* clocked operators, the same in all partitions */
  GPtrArray *systems;
} Maker;

static DaeTerm
now_of_variable(const Maker *maker, DaeTerm variable)
{
  return dae_hybrid_translate(maker->hybrid, variable);
}

static void
prepare_variables(const Maker *maker)
{
  DaeClocks *clocks = maker->clocks;
  for (uint32_t j = 0; j < clocks->n_variables; j++) {
    if (dae_clocks_variable_is_clocked(clocks, j)) {
      uint32_t k = g_array_index(maker->hybrid->discrete_of_variable, uint32_t, j);
      DAE_ASSERT(k > 0);
      dae_hybrid_pre_of(maker->hybrid, k - 1);
    }
  }
}

static void
prepare_subs(const Maker *maker)
{
  DaeClocks *clocks = maker->clocks;
  for (uint32_t i = 0; i < clocks->subs->len; i++) {
    DaeSubClock *sub = &g_array_index(clocks->subs, DaeSubClock, i);
    sub->interval = dae_clocks_add_hidden(maker->hybrid, "interval()", DAE_TYPE_REAL);
    sub->first_tick = dae_clocks_add_hidden(maker->hybrid, "firstTick()", DAE_TYPE_BOOLEAN);
  }
}

static DaeTerm
unclocked_term(const Maker *maker, DaeTerm t)
{
  DaeClocks *clocks = maker->clocks;
  g_autoptr(DaeSubst) held = dae_subst_new(clocks->terms);
  g_autoptr(GArray) atoms = dae_clocks_atoms_in(clocks, t);
  for (guint i = 0; i < atoms->len; i++) {
    const DaeClockedAtom *atom =
        dae_model_clocked_atom(clocks->model, g_array_index(atoms, uint32_t, i));
    dae_subst_set(held, dae_term_parameter(clocks->terms, atom->symbol), atom->of);
  }
  return dae_hybrid_translate(maker->hybrid, dae_subst_apply(held, t));
}

static void
prepare_atoms(const Maker *maker)
{
  DaeClocks *clocks = maker->clocks;
  for (uint32_t i = 0; i < dae_model_n_clocked_atoms(clocks->model); i++) {
    const DaeClockedAtom *atom = dae_model_clocked_atom(clocks->model, i);
    DaeTerm t = dae_term_parameter(clocks->terms, atom->symbol);
    const char *name = dae_terms_symbol_name(clocks->terms, atom->symbol);
    DaeClockedExtra *extra = dae_clocks_extra(clocks, i);
    if (atom->kind == DAE_CLOCKED_SAMPLE) {
      DaeClockedInput input = {dae_clocks_add_hidden(maker->hybrid, name, atom->type),
                               unclocked_term(maker, atom->of), atom->span};
      g_array_append_val(clocks->inputs, input);
      dae_subst_set(maker->values, t, input.atom);
    } else if (atom->kind == DAE_CLOCKED_PREVIOUS) {
      dae_subst_set(maker->values, t,
                    dae_clocks_pre(maker->hybrid, now_of_variable(maker, atom->of)));
    } else if (extra != NULL) {
      extra->now = dae_clocks_add_hidden(maker->hybrid, name, atom->type);
      dae_subst_set(maker->values, t, extra->now);
    } else if (atom->kind != DAE_CLOCKED_HOLD && atom->kind != DAE_CLOCKED_INTERVAL &&
               atom->kind != DAE_CLOCKED_FIRST_TICK) {
      dae_subst_set(maker->values, t, now_of_variable(maker, atom->of));
    }
  }
}

/* A term of a clocked equation in atoms; interval() and firstTick() are those of its sub-clock. */
static DaeTerm
clocked_term(const Maker *maker, uint32_t s, DaeTerm t)
{
  DaeClocks *clocks = maker->clocks;
  DaeTerms *terms = clocks->terms;
  const DaeSubClock *sub = &g_array_index(clocks->subs, DaeSubClock, s);
  g_autoptr(DaeSubst) own = dae_subst_new(terms);
  g_autoptr(GArray) atoms = dae_clocks_atoms_in(clocks, t);
  bool any = false;
  for (guint i = 0; i < atoms->len; i++) {
    const DaeClockedAtom *atom =
        dae_model_clocked_atom(clocks->model, g_array_index(atoms, uint32_t, i));
    if (atom->kind == DAE_CLOCKED_INTERVAL || atom->kind == DAE_CLOCKED_FIRST_TICK) {
      dae_subst_set(own, dae_term_parameter(terms, atom->symbol),
                    atom->kind == DAE_CLOCKED_INTERVAL ? sub->interval : sub->first_tick);
      any = true;
    }
  }
  t = any ? dae_subst_apply(own, t) : t;
  return dae_hybrid_translate(maker->hybrid, dae_subst_apply(maker->values, t));
}

/* ---- partitions -------------------------------------------------------------------------- */

static DaeClockedSystem *
collect_partition(const Maker *maker, uint32_t s)
{
  DaeClocks *clocks = maker->clocks;
  uint32_t group = g_array_index(clocks->sub_group, uint32_t, s);
  DaeClockedSystem *system = dae_clocked_system_new(s, DAE_TICKS_ALL);
  for (uint32_t i = 0; i < clocks->n_equations; i++) {
    if (dae_clocks_group(clocks, clocks->n_variables + i) == group) {
      const DaeEquation *equation = dae_model_equation(clocks->model, i);
      dae_clocked_system_add_row(system, clocked_term(maker, s, equation->lhs),
                                 clocked_term(maker, s, equation->rhs), DAE_ROW_MUST,
                                 equation->span);
    }
  }
  for (uint32_t i = 0; i < clocks->initials->len; i++) {
    const DaeClockedInitial *initial = &g_array_index(clocks->initials, DaeClockedInitial, i);
    if (initial->group == group) {
      bool is_start = initial->equation.origin == DAE_FROM_FIXED_START;
      dae_clocked_system_add_row(system, clocked_term(maker, s, initial->equation.lhs),
                                 clocked_term(maker, s, initial->equation.rhs),
                                 is_start ? 200 : 300, initial->equation.span);
    }
  }
  for (uint32_t j = 0; j < clocks->n_variables; j++) {
    if (dae_clocks_group(clocks, j) == group) {
      const DaeVariable *variable = dae_model_variable(clocks->model, j);
      DaeTerm now =
          now_of_variable(maker, dae_term_variable(clocks->terms, variable->symbol, 0));
      dae_clocked_system_add_unknown(system, now, variable->type == DAE_TYPE_REAL);
    }
  }
  for (uint32_t i = 0; i < clocks->extras->len; i++) {
    const DaeClockedExtra *extra = &g_array_index(clocks->extras, DaeClockedExtra, i);
    if (dae_clocks_group_of_source(clocks, extra->atom) == group) {
      const DaeClockedAtom *atom = dae_model_clocked_atom(clocks->model, extra->atom);
      dae_clocked_system_add_row(system, extra->now, clocked_term(maker, s, extra->value),
                                 DAE_ROW_MUST, atom->span);
      dae_clocked_system_add_unknown(system, extra->now, atom->type == DAE_TYPE_REAL);
    }
  }
  return system;
}

/* ---- matching ---------------------------------------------------------------------------- */

typedef struct { /* an unknown and the row it is solved from */
  const DaeClockedSystem *system;
  uint32_t unknown, row;
} Node;

/* How well can the row be solved for the unknown? 0: not at all. */
static int32_t
fitness(DaeTerms *terms, const DaeClockedRow *row, const DaeClockedUnknown *unknown)
{
  if (row->lhs == unknown->atom || row->rhs == unknown->atom) {
    return 3;
  }
  if (!dae_term_contains(terms, row->lhs, unknown->atom) &&
      !dae_term_contains(terms, row->rhs, unknown->atom)) {
    return 0;
  }
  if (unknown->is_real) {
    return 1;
  }
  DaeEquation equation = {.lhs = row->lhs, .rhs = row->rhs};
  return dae_hybrid_solved_for(terms, &equation, unknown->atom) != DAE_NO_TERM ? 2 : 0;
}

static DaeCsr *
pattern_of(DaeTerms *terms, const DaeClockedSystem *system)
{
  uint32_t n = system->unknowns->len;
  uint32_t m = system->rows->len;
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) weights = g_array_new(FALSE, FALSE, sizeof(int32_t));
  g_autofree size_t *start = g_new0(size_t, n + 1);
  g_autoptr(GHashTable) place = g_hash_table_new(NULL, NULL); /* atom -> unknown + 1 */
  GPtrArray *rows_of = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  for (uint32_t j = 0; j < n; j++) {
    DaeTerm atom = g_array_index(system->unknowns, DaeClockedUnknown, j).atom;
    g_hash_table_insert(place, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(j + 1));
    g_ptr_array_add(rows_of, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
  }
  for (uint32_t i = 0; i < m; i++) {
    const DaeClockedRow *row = &g_array_index(system->rows, DaeClockedRow, i);
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_parameters(terms, row->lhs, atoms);
    dae_term_collect_parameters(terms, row->rhs, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      guint j = GPOINTER_TO_UINT(
          g_hash_table_lookup(place, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, a))));
      GArray *list = j > 0 ? g_ptr_array_index(rows_of, j - 1) : NULL;
      if (list != NULL &&
          (list->len == 0 || g_array_index(list, uint32_t, list->len - 1) != i)) {
        g_array_append_val(list, i);
      }
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    const GArray *list = g_ptr_array_index(rows_of, j);
    start[j] = columns->len;
    for (guint e = 0; e < list->len; e++) {
      uint32_t i = g_array_index(list, uint32_t, e);
      const DaeClockedRow *row = &g_array_index(system->rows, DaeClockedRow, i);
      int32_t fit = fitness(terms, row, &g_array_index(system->unknowns, DaeClockedUnknown, j));
      if (fit > 0) {
        int32_t weight = 10 * row->weight + fit;
        g_array_append_val(columns, i);
        g_array_append_val(weights, weight);
      }
    }
  }
  start[n] = columns->len;
  g_ptr_array_unref(rows_of);
  DaeCsr *csr = dae_csr_new(n, m, columns->len, true);
  for (uint32_t j = 0; j <= n; j++) {
    csr->start[j] = start[j];
  }
  for (guint e = 0; e < columns->len; e++) {
    csr->column[e] = g_array_index(columns, uint32_t, e);
    csr->weight[e] = g_array_index(weights, int32_t, e);
  }
  return csr;
}

static bool
fail_unmatched(const Maker *maker, const DaeClockedSystem *system, uint32_t j, GError **error)
{
  const DaeSubClock *sub = &g_array_index(maker->clocks->subs, DaeSubClock, system->sub);
  g_autofree char *name = dae_term_to_string(
      maker->clocks->terms, g_array_index(system->unknowns, DaeClockedUnknown, j).atom);
  return dae_clocks_fail(maker->clocks, sub->span, error,
                         "this clocked partition is structurally singular: no equation is left "
                         "for '%s'",
                         name);
}

static bool
match(const Maker *maker, const DaeClockedSystem *system, GArray *nodes, GError **error)
{
  DaeTerms *terms = maker->clocks->terms;
  uint32_t n = system->unknowns->len;
  uint32_t m = system->rows->len;
  g_autoptr(DaeCsr) csr = pattern_of(terms, system);
  g_autofree uint32_t *row_of = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *unknown_of = g_new0(uint32_t, m + 1);
  g_autofree int64_t *c = g_new0(int64_t, n + 1);
  g_autofree int64_t *d = g_new0(int64_t, m + 1);
  if (n <= m) {
    dae_graph_match(csr, row_of, unknown_of, c, d, NULL);
  }
  for (uint32_t j = 0; j < n; j++) {
    if (n > m || row_of[j] == DAE_UNMATCHED) {
      return fail_unmatched(maker, system, n > m ? n - 1 : j, error);
    }
    Node node = {system, j, row_of[j]};
    g_array_append_val(nodes, node);
  }
  for (uint32_t i = 0; i < m; i++) {
    const DaeClockedRow *row = &g_array_index(system->rows, DaeClockedRow, i);
    if (unknown_of[i] == DAE_UNMATCHED && row->weight >= DAE_ROW_MUST) {
      return dae_clocks_fail(maker->clocks, row->span, error,
                             "this clocked equation determines nothing: its partition is "
                             "structurally singular%s",
                             system->ticks == DAE_TICKS_FIRST
                                 ? " in its first tick, or has too many initial equations"
                                 : "");
    }
  }
  return true;
}

/* ---- blocks ------------------------------------------------------------------------------ */

static const DaeClockedRow *
row_of_node(const Node *node)
{
  return &g_array_index(node->system->rows, DaeClockedRow, node->row);
}

static const DaeClockedUnknown *
unknown_of_node(const Node *node)
{
  return &g_array_index(node->system->unknowns, DaeClockedUnknown, node->unknown);
}

/* Ascending columns without repetition: the order of a DaeCsr. */
static int
compare_numbers(const void *a, const void *b)
{
  uint32_t left = *(const uint32_t *)a;
  uint32_t right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

/* node -> nodes whose unknowns its row uses; in another phase of the
 * same sub-clock nothing is used. */
static DaeCsr *
dependences(DaeTerms *terms, const GArray *nodes)
{
  g_autoptr(GHashTable) makers =
      g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree size_t *start = g_new0(size_t, nodes->len + 1);
  for (uint32_t v = 0; v < nodes->len; v++) {
    gpointer key = GUINT_TO_POINTER(unknown_of_node(&g_array_index(nodes, Node, v))->atom);
    GArray *list = g_hash_table_lookup(makers, key);
    if (list == NULL) {
      list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
      g_hash_table_insert(makers, key, list);
    }
    g_array_append_val(list, v);
  }
  for (uint32_t v = 0; v < nodes->len; v++) {
    const Node *node = &g_array_index(nodes, Node, v);
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    dae_term_collect_parameters(terms, row_of_node(node)->lhs, atoms);
    dae_term_collect_parameters(terms, row_of_node(node)->rhs, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      const GArray *list =
          g_hash_table_lookup(makers, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, a)));
      for (guint e = 0; list != NULL && e < list->len; e++) {
        uint32_t w = g_array_index(list, uint32_t, e);
        const Node *other = &g_array_index(nodes, Node, w);
        if (other->system == node->system || other->system->sub != node->system->sub) {
          g_array_append_val(edges, w);
        }
      }
    }
    qsort(edges->data, edges->len, sizeof(uint32_t), compare_numbers);
    start[v] = all->len;
    for (guint e = 0; e < edges->len; e++) {
      if (e == 0 ||
          g_array_index(edges, uint32_t, e) != g_array_index(edges, uint32_t, e - 1)) {
        g_array_append_val(all, g_array_index(edges, uint32_t, e));
      }
    }
  }
  start[nodes->len] = all->len;
  DaeCsr *csr = dae_csr_new(nodes->len, nodes->len, all->len, false);
  for (uint32_t v = 0; v <= nodes->len; v++) {
    csr->start[v] = start[v];
  }
  for (guint e = 0; e < all->len; e++) {
    csr->column[e] = g_array_index(all, uint32_t, e);
  }
  return csr;
}

/* The unknown as a term in which it does not occur; DAE_NO_TERM: only Newton's method helps. */
static DaeTerm
explicit_value(DaeTerms *terms, const Node *node)
{
  const DaeClockedRow *row = row_of_node(node);
  const DaeClockedUnknown *unknown = unknown_of_node(node);
  DaeEquation equation = {.lhs = row->lhs, .rhs = row->rhs};
  DaeTerm value = dae_hybrid_solved_for(terms, &equation, unknown->atom);
  if (value != DAE_NO_TERM && !dae_term_contains(terms, value, unknown->atom)) {
    return value;
  }
  if (!unknown->is_real) {
    return DAE_NO_TERM;
  }
  DaeTerm residual = dae_term_sub(terms, row->lhs, row->rhs);
  DaeTerm slope = dae_term_partial(terms, residual, unknown->atom);
  if (slope == DAE_NO_TERM || dae_term_is_zero(terms, slope) ||
      dae_term_contains(terms, slope, unknown->atom)) {
    return DAE_NO_TERM;
  }
  DaeTerm rest = dae_term_replace(terms, residual, unknown->atom, dae_term_int(terms, 0));
  DaeTerm linear = rest == DAE_NO_TERM
                       ? DAE_NO_TERM
                       : dae_term_add(terms, rest, dae_term_mul(terms, slope, unknown->atom));
  /* an if that asks for the unknown has a slope without it: only what
   * is linear to the letter counts */
  bool is_linear =
      linear != DAE_NO_TERM &&
      (linear == residual ||
       dae_term_is_zero(terms,
                        dae_terms_rewrite(terms, dae_term_sub(terms, residual, linear))));
  return is_linear ? dae_term_neg(terms, dae_term_div(terms, rest, slope)) : DAE_NO_TERM;
}

static bool
fail_loop(const Maker *maker, const GArray *nodes, const uint32_t *members, uint32_t n,
          const char *why, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (uint32_t i = 0; i < n && i < 20; i++) {
    const Node *node = &g_array_index(nodes, Node, members[i]);
    g_autofree char *name =
        dae_term_to_string(maker->clocks->terms, unknown_of_node(node)->atom);
    g_autofree char *place = dae_span_text(row_of_node(node)->span);
    g_string_append_printf(text, "\n  %s  (%s)", name, place);
  }
  return dae_clocks_fail(maker->clocks,
                         row_of_node(&g_array_index(nodes, Node, members[0]))->span, error,
                         "%s:%s", why, text->str);
}

static bool
add_block(const Maker *maker, const GArray *nodes, const uint32_t *members, uint32_t n,
          bool is_loop, GError **error)
{
  DaeTerms *terms = maker->clocks->terms;
  const Node *first = &g_array_index(nodes, Node, members[0]);
  DaeTerm value = n == 1 ? explicit_value(terms, first) : DAE_NO_TERM;
  bool all_real = true;
  for (uint32_t i = 0; i < n; i++) {
    const Node *node = &g_array_index(nodes, Node, members[i]);
    all_real = all_real && unknown_of_node(node)->is_real;
    if (node->system != first->system) {
      return fail_loop(maker, nodes, members, n,
                       "these depend on each other and are on different clocks", error);
    }
  }
  (void)is_loop;
  if (value == DAE_NO_TERM && !all_real) {
    return fail_loop(maker, nodes, members, n,
                     "a loop with variables that are no Reals, in a clocked partition", error);
  }
  DaeTerm *unknowns = g_new0(DaeTerm, n + 1);
  DaeTerm *equations = g_new0(DaeTerm, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const Node *node = &g_array_index(nodes, Node, members[i]);
    unknowns[i] = unknown_of_node(node)->atom;
    equations[i] = value != DAE_NO_TERM
                       ? value
                       : dae_term_sub(terms, row_of_node(node)->lhs, row_of_node(node)->rhs);
  }
  DaeClockedBlock block = {.sub = first->system->sub,
                           .ticks = first->system->ticks,
                           .unknowns = unknowns,
                           .equations = equations,
                           .n = n,
                           .is_explicit = value != DAE_NO_TERM,
                           .span = row_of_node(first)->span};
  g_array_append_val(maker->clocks->blocks, block);
  return true;
}

static bool
sort_blocks(const Maker *maker, const GArray *nodes, GError **error)
{
  g_autoptr(DaeCsr) csr = dependences(maker->clocks->terms, nodes);
  g_autofree uint32_t *vertices = g_new0(uint32_t, nodes->len + 1);
  g_autofree uint32_t *first = g_new0(uint32_t, nodes->len + 2);
  uint32_t n = dae_graph_components(csr, NULL, vertices, first);
  for (uint32_t b = 0; b < n; b++) {
    uint32_t size = first[b + 1] - first[b];
    if (!add_block(maker, nodes, &vertices[first[b]], size, size > 1, error)) {
      return false;
    }
  }
  return true;
}

/* ---- all together ------------------------------------------------------------------------ */

static void
prepare_bases(const Maker *maker)
{
  DaeClocks *clocks = maker->clocks;
  DaeTerms *terms = clocks->terms;
  for (uint32_t i = 0; i < clocks->bases->len; i++) {
    DaeBaseClock *base = &g_array_index(clocks->bases, DaeBaseClock, i);
    if (base->kind == DAE_BASE_EVENT) {
      uint32_t k = dae_hybrid_add_hidden(
          maker->hybrid, dae_terms_symbol_name(terms, dae_term_get_symbol(terms, base->clock)),
          unclocked_term(maker, base->condition), base->span);
      base->condition = g_array_index(maker->hybrid->discrete, DaeDiscrete, k).now;
    } else if (base->kind == DAE_BASE_VARYING) {
      g_autoptr(DaeSubst) before = dae_subst_new(terms);
      g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
      dae_term_collect_variables(terms, base->interval, variables);
      for (guint v = 0; v < variables->len; v++) {
        DaeTerm variable = g_array_index(variables, DaeTerm, v);
        dae_subst_set(before, variable,
                      dae_clocks_pre(maker->hybrid, now_of_variable(maker, variable)));
      }
      base->first = dae_subst_apply(before, base->interval);
      base->interval = dae_hybrid_translate(maker->hybrid, base->interval);
    }
  }
}

static bool
make(const Maker *maker, GError **error)
{
  DaeClocks *clocks = maker->clocks;
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(Node));
  prepare_variables(maker);
  prepare_subs(maker);
  prepare_atoms(maker);
  prepare_bases(maker);
  for (uint32_t s = 0; s < clocks->subs->len; s++) {
    g_autoptr(DaeClockedSystem) partition = collect_partition(maker, s);
    if (!dae_clocks_discretize(clocks, maker->hybrid,
                               g_array_index(clocks->sub_group, uint32_t, s), partition,
                               maker->systems, error)) {
      return false;
    }
  }
  for (guint i = 0; i < maker->systems->len; i++) {
    if (!match(maker, g_ptr_array_index(maker->systems, i), nodes, error)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < clocks->assertions->len; i++) {
    DaeClockedAssertion *clocked = &g_array_index(clocks->assertions, DaeClockedAssertion, i);
    clocked->assertion.condition =
        clocked_term(maker, clocked->sub, clocked->assertion.condition);
  }
  return sort_blocks(maker, nodes, error);
}

bool
dae_clocks_make_blocks(DaeClocks *clocks, DaeHybrid *hybrid, GError **error)
{
  Maker maker = {clocks, hybrid, dae_subst_new(clocks->terms),
                 g_ptr_array_new_with_free_func((GDestroyNotify)dae_clocked_system_free)};
  bool good = make(&maker, error);
  dae_subst_free(maker.values);
  g_ptr_array_unref(maker.systems);
  return good;
}
