/* All partial derivatives at once: reverse accumulation. Every node of the DAG passes its
 * adjoint (the derivative of the root with respect to it) to its operands once, so the cost
 * does not grow with the number of variables.
 *
 * Where functions are nested, the adjoints on the way down are products of more and more factors:
 * they are kept as one growing list, so that a nest costs its depth and not the square of it.
 *
 * If-terms, selections and noEvent are leaves of this pass and are differentiated forward: an
 * adjoint that is zero outside its branch would multiply terms that are not defined there. They
 * cost their size times their variables. */
#include "terms/terms-priv.h"

/* Contributions to adjoints are kept as linked lists and summed when their node is reached. */
typedef struct {
  DaeTerm part;
  uint32_t next; /* index + 1, 0 ends */
} Contribution;

typedef struct {
  DaeTerms *terms;
  DaeTerm root;
  DaeList order; /* nodes with variables, operands before users */
  GArray *parts; /* Contribution; a buffer of the context */
  DaeList chain; /* factors of the adjoint of chain_at, the node that comes next */
  DaeTerm chain_at;
} Reverse;

static bool
is_opaque(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  return node->kind == DAE_KIND_IF || dae_power_of_choice(terms, t) != DAE_NO_TERM ||
         (node->kind == DAE_KIND_CALL &&
          (node->op == DAE_FN_NOEVENT || node->op == DAE_FN_SELECT));
}

/* The variable of x or number*x; DAE_NO_TERM: t is neither. */
static DaeTerm
linear_atom(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind == DAE_KIND_VARIABLE) {
    return t;
  }
  return node->kind == DAE_KIND_PRODUCT && node->n == 2 &&
                 dae_is_kind(terms, node->u.few[0], DAE_KIND_NUMBER) &&
                 dae_is_kind(terms, node->u.few[1], DAE_KIND_VARIABLE)
             ? node->u.few[1]
             : DAE_NO_TERM;
}

/* slot of a marked node: 0 = no contribution yet, else index + 1 of its newest one */

static void
list_nodes(Reverse *r)
{
  DaeTerms *terms = r->terms;
  DaeList stack;
  dae_list_init(&stack);
  dae_list_push(&stack, r->root);
  while (stack.n > 0) {
    DaeTerm t = stack.data[stack.n - 1];
    const DaeNode *node = dae_node(terms, t);
    if (dae_marked(terms, t)) {
      stack.n--;
      if (terms->slot[t] == 1) { /* its operands are done: second visit */
        terms->slot[t] = 0;
        dae_list_push(&r->order, t);
      }
      continue;
    }
    dae_mark(terms, t, 1);
    const DaeTerm *operands = dae_node_operands(node);
    const bool is_top_sum = t == r->root && node->kind == DAE_KIND_SUM;
    for (uint32_t i = 0; i < node->n && !is_opaque(terms, t); i++) {
      if ((dae_node(terms, operands[i])->flags & DAE_HAS_VARIABLE) != 0 &&
          !dae_marked(terms, operands[i]) &&
          !(is_top_sum && linear_atom(terms, operands[i]) != DAE_NO_TERM)) {
        dae_list_push(&stack, operands[i]);
      }
    }
  }
  dae_list_clear(&stack);
}

static void
contribute(Reverse *r, DaeTerm to, DaeTerm part)
{
  DaeTerms *terms = r->terms;
  if ((dae_node(terms, to)->flags & DAE_HAS_VARIABLE) == 0 || part == terms->zero) {
    return;
  }
  DAE_ASSERT(dae_marked(terms, to));
  Contribution c = {.part = part, .next = terms->slot[to]};
  g_array_append_val(r->parts, c);
  terms->slot[to] = r->parts->len;
}

static DaeTerm
adjoint_of(Reverse *r, DaeTerm t)
{
  if (r->chain_at == t) {
    r->chain_at = DAE_NO_TERM;
    return dae_term_product(r->terms, r->chain.data, r->chain.n);
  }
  Contribution c = g_array_index(r->parts, Contribution, r->terms->slot[t] - 1);
  if (c.next == 0) {
    return c.part;
  }
  DaeList list;
  dae_list_init(&list);
  dae_list_push(&list, c.part);
  while (c.next != 0) {
    c = g_array_index(r->parts, Contribution, c.next - 1);
    dae_list_push(&list, c.part);
  }
  DaeTerm result = dae_term_sum(r->terms, list.data, list.n);
  dae_list_clear(&list);
  return result;
}

/* adjoint * product of the other factors, for each factor with variables. */
static void
spread_product(Reverse *r, DaeTerm product, DaeTerm adjoint)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(r->terms, product, &n);
  for (uint32_t i = 0; i < n; i++) {
    if ((dae_node(r->terms, operands[i])->flags & DAE_HAS_VARIABLE) != 0) {
      DaeTerm others = dae_build_without(r->terms, product, i);
      contribute(r, operands[i], dae_term_mul(r->terms, adjoint, others));
    }
  }
}

/* The linear summands of the root, which most sums of large models consist of: their factors are
 * derivatives already. (A number times a sum of adjoints is distributed: in whatever else such a
 * summand occurs, the sum of both is the same.) */
static void
spread_linear(Reverse *r)
{
  DaeTerms *terms = r->terms;
  const DaeNode *node = dae_node(terms, r->root);
  const DaeTerm *summands = dae_node_operands(node);
  for (uint32_t i = 0; node->kind == DAE_KIND_SUM && i < node->n; i++) {
    DaeTerm atom = linear_atom(terms, summands[i]);
    if (atom == DAE_NO_TERM) {
      continue;
    }
    if (!dae_marked(terms, atom)) {
      dae_mark(terms, atom, 0);
    }
    contribute(r, atom,
               atom == summands[i] ? terms->one : dae_node(terms, summands[i])->u.few[0]);
  }
}

static void
spread(Reverse *r, DaeTerm t, DaeTerm adjoint)
{
  DaeTerms *terms = r->terms;
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_SUM:
    for (uint32_t i = 0; i < n; i++) {
      if (t != r->root || linear_atom(terms, u[i]) == DAE_NO_TERM) {
        contribute(r, u[i], adjoint);
      }
    }
    return;
  case DAE_KIND_PRODUCT:
    spread_product(r, t, adjoint);
    return;
  case DAE_KIND_POWER:
  case DAE_KIND_CALL:
    for (uint32_t i = 0; i < n; i++) {
      if ((dae_node(terms, u[i])->flags & DAE_HAS_VARIABLE) != 0) {
        DaeTerm outer = dae_derive_outer(terms, t, i);
        if (outer != terms->zero) {
          contribute(r, u[i], dae_term_mul(terms, outer, adjoint));
        }
      }
    }
    return;
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return;
  }
}

/* The only operand with variables, DAE_NO_TERM if there are several; place is its number. */
static DaeTerm
single_operand(const DaeTerms *terms, DaeTerm t, uint32_t *place)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  DaeTerm found = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    if ((dae_node(terms, u[i])->flags & DAE_HAS_VARIABLE) != 0) {
      if (found != DAE_NO_TERM) {
        return DAE_NO_TERM;
      }
      found = u[i];
      *place = i;
    }
  }
  return found;
}

/* Goes on from s to the node below that comes next, if nothing else leads there. */
static bool
extend_chain(Reverse *r, DaeTerm s, DaeTerm next)
{
  DaeTerms *terms = r->terms;
  uint32_t i = 0;
  DaeKind kind = dae_term_kind(terms, s);
  if (next == DAE_NO_TERM || terms->slot[next] != 0 || single_operand(terms, s, &i) != next) {
    return false;
  }
  DaeTerm factor = kind == DAE_KIND_SUM       ? terms->one
                   : kind == DAE_KIND_PRODUCT ? dae_build_without(terms, s, i)
                                              : dae_derive_outer(terms, s, i);
  if (factor == DAE_NO_TERM || factor == terms->zero) {
    return false;
  }
  if (r->chain_at != s) {
    DaeTerm adjoint = adjoint_of(r, s);
    if (adjoint == DAE_NO_TERM) {
      return false;
    }
    r->chain.n = 0;
    dae_list_push(&r->chain, adjoint);
  }
  if (factor != terms->one) {
    dae_list_push(&r->chain, factor);
  }
  r->chain_at = next;
  return true;
}

/* An opaque node and its adjoint. */
typedef struct {
  DaeTerm node;
  DaeTerm adjoint;
} Opaque;

static void
sweep(Reverse *r, GArray **opaque)
{
  DaeTerms *terms = r->terms;
  dae_marks_begin(terms);
  list_nodes(r);
  contribute(r, r->root, terms->one);
  for (size_t i = r->order.n; i > 0; i--) {
    DaeTerm s = r->order.data[i - 1];
    if (dae_is_kind(terms, s, DAE_KIND_VARIABLE)) {
      if (r->chain_at == s) {
        contribute(r, s, adjoint_of(r, s));
      }
      continue;
    }
    if (terms->slot[s] == 0 && r->chain_at != s) {
      continue;
    }
    DaeTerm next = i > 1 ? r->order.data[i - 2] : DAE_NO_TERM;
    if (!is_opaque(terms, s) && extend_chain(r, s, next)) {
      continue;
    }
    DaeTerm adjoint = adjoint_of(r, s);
    if (is_opaque(terms, s)) {
      Opaque entry = {.node = s, .adjoint = adjoint};
      if (*opaque == NULL) {
        *opaque = g_array_new(FALSE, FALSE, sizeof(Opaque));
      }
      g_array_append_val(*opaque, entry);
    } else {
      spread(r, s, adjoint);
    }
  }
}

/* Adds adjoint * d(node)/dx for the variables x of an opaque node; place[x]
 * is index + 1 into the results. */
static void
add_forward(DaeTerms *terms, const Opaque *opaque, const DaeMemo *place, DaeTerm *derivatives)
{
  g_autoptr(GArray) inner = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, opaque->node, inner);
  for (guint i = 0; i < inner->len; i++) {
    DaeTerm x = g_array_index(inner, DaeTerm, i);
    DaeTerm part =
        dae_term_mul(terms, opaque->adjoint, dae_term_partial(terms, opaque->node, x));
    DaeTerm *slot = &derivatives[dae_memo_get(place, x) - 1];
    *slot = dae_term_add(terms, *slot, part);
  }
}

void
dae_term_gradient(DaeTerms *terms, DaeTerm t, GArray *variables, GArray *derivatives)
{
  guint first = variables->len;
  guint first_result = derivatives->len;
  dae_term_collect_variables(terms, t, variables);
  if (variables->len == first) {
    return;
  }
  if (terms->contributions == NULL) {
    terms->contributions = g_array_new(FALSE, FALSE, sizeof(Contribution));
  }
  g_array_set_size(terms->contributions, 0);
  Reverse r = {.terms = terms, .root = t, .parts = terms->contributions};
  dae_list_init(&r.order);
  dae_list_init(&r.chain);
  g_autoptr(GArray) opaque = NULL;
  sweep(&r, &opaque);
  spread_linear(&r);
  for (guint i = first; i < variables->len; i++) {
    DaeTerm x = g_array_index(variables, DaeTerm, i);
    bool reached = dae_marked(terms, x) && terms->slot[x] != 0;
    DaeTerm derivative = reached ? adjoint_of(&r, x) : terms->zero;
    g_array_append_val(derivatives, derivative);
  }
  if (opaque != NULL) {
    DaeMemo place = {.capacity = 0};
    for (guint i = first; i < variables->len; i++) {
      dae_memo_set(&place, g_array_index(variables, DaeTerm, i), i - first + 1);
    }
    for (guint i = 0; i < opaque->len; i++) {
      add_forward(terms, &g_array_index(opaque, Opaque, i), &place,
                  &g_array_index(derivatives, DaeTerm, first_result));
    }
    dae_memo_clear(&place);
  }
  dae_list_clear(&r.order);
  dae_list_clear(&r.chain);
}
