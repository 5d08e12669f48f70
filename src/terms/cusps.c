#include "terms/cusps.h"

typedef struct {
  DaeTerms *terms;
  GHashTable *visited;
  GHashTable
      *one_sided; /* u of max(u, 0) below a steep root; NULL: these get branches anyway */
  DaeSubst *subst;
} Branching;

typedef struct {
  DaeTerm node;     /* abs(u), max(u, 0), min(u, 0) */
  DaeTerm u;        /* whose sign it is about */
  DaeTerm sides[2]; /* what the node is where u > 0, and where not */
} Break;

/* u^p with 0 < p < 1: at u = 0 it has no finite slope. */
static bool
is_steep_root(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_POWER) {
    return false;
  }
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  return dae_term_is_number(terms, exponent) && dae_term_sign(terms, exponent) > 0 &&
         dae_term_sign(terms, dae_term_sub(terms, exponent, dae_term_int(terms, 1))) < 0;
}

static bool
read_break(DaeTerms *terms, DaeTerm t, Break *found)
{
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  const DaeFunction function = dae_term_function(terms, t);
  const DaeTerm zero = dae_term_int(terms, 0);
  *found = (Break){.node = t, .u = dae_term_operand(terms, t, 0)};
  if (function == DAE_FN_ABS) {
    found->sides[0] = found->u;
    found->sides[1] = dae_term_neg(terms, found->u);
  } else if (function == DAE_FN_MAX || function == DAE_FN_MIN) {
    const DaeTerm other = dae_term_operand(terms, t, 1);
    if (!dae_term_is_zero(terms, other) && !dae_term_is_zero(terms, found->u)) {
      return false;
    }
    found->u = dae_term_is_zero(terms, other) ? found->u : other;
    found->sides[function == DAE_FN_MAX ? 0 : 1] = found->u;
    found->sides[function == DAE_FN_MAX ? 1 : 0] = zero;
  } else {
    return false;
  }
  /* an operand with conditions of its own is not closed at its edge */
  return dae_term_has_variables(terms, found->u) &&
         !dae_term_has_varying_break(terms, found->u);
}

/* Factors of a product, or the term alone. */
static const DaeTerm *
factors_of(const DaeTerms *terms, const DaeTerm *t, uint32_t *n)
{
  if (dae_term_kind(terms, *t) == DAE_KIND_PRODUCT) {
    return dae_term_operands(terms, *t, n);
  }
  *n = 1;
  return t;
}

/* Below the root there is one such function, alone or as a factor. */
static bool
find_break(DaeTerms *terms, DaeTerm root, Break *found)
{
  if (!is_steep_root(terms, root)) {
    return false;
  }
  const DaeTerm base = dae_term_operand(terms, root, 0);
  uint32_t n = 0;
  factors_of(terms, &base, &n);
  uint32_t n_found = 0;
  for (uint32_t i = 0; i < n; i++) { /* making terms may move the factors */
    Break one;
    if (read_break(terms, factors_of(terms, &base, &n)[i], &one)) {
      *found = one;
      n_found++;
    }
  }
  return n_found == 1;
}

/* max(u, 0), and max(-u, 0) as -min(u, 0): u. DAE_NO_TERM: it has two sides. */
static DaeTerm
one_side(DaeTerms *terms, const Break *found)
{
  switch ((int)dae_term_function(terms, found->node)) {
  case DAE_FN_MAX:
    return found->u;
  case DAE_FN_MIN:
    return dae_term_neg(terms, found->u);
  default:
    return DAE_NO_TERM;
  }
}

/* sqrt(max(u, 0)) has an infinite slope on one side of 0 only, and steps that begin there are
 * better controlled without an event; with - sqrt(max(-u, 0)) it has one on either side. */
static bool
has_two_sides(const Branching *b, const Break *found)
{
  const DaeTerm side = one_side(b->terms, found);
  return side == DAE_NO_TERM || b->one_sided == NULL ||
         g_hash_table_contains(b->one_sided, GUINT_TO_POINTER(dae_term_neg(b->terms, side)));
}

static void
collect_one_sided(DaeTerms *terms, DaeTerm t, GHashTable *one_sided)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    Break found;
    const DaeTerm side = find_break(terms, top, &found) ? one_side(terms, &found) : DAE_NO_TERM;
    if (side != DAE_NO_TERM) {
      g_hash_table_add(one_sided, GUINT_TO_POINTER(side));
    }
    if (!dae_term_is_literal(terms, top)) {
      dae_visit_enter(visit, top);
    }
  }
}

static DaeTerm
root_on_side(DaeTerms *terms, DaeTerm root, const Break *found, uint32_t side)
{
  const DaeTerm base = dae_term_replace(terms, dae_term_operand(terms, root, 0), found->node,
                                        found->sides[side]);
  return base == DAE_NO_TERM ? base
                             : dae_term_pow(terms, base, dae_term_operand(terms, root, 1));
}

/* rest*(if u > 0 then the root on this side else sign*the root on that side) */
static void
branch(Branching *b, DaeTerm t, DaeTerm rest, DaeTerm root, const Break *found, bool is_odd)
{
  DaeTerms *terms = b->terms;
  const DaeTerm above = root_on_side(terms, root, found, 0);
  DaeTerm below = root_on_side(terms, root, found, 1);
  if (above == DAE_NO_TERM || below == DAE_NO_TERM) {
    return;
  }
  below = is_odd ? dae_term_neg(terms, below) : below;
  const DaeTerm is_above =
      dae_term_relation(terms, DAE_REL_GT, found->u, dae_term_int(terms, 0));
  const DaeTerm choice = dae_term_if(terms, is_above, above, below);
  const DaeTerm to = dae_term_mul(terms, dae_subst_apply(b->subst, rest), choice);
  if (to != DAE_NO_TERM) {
    dae_subst_set(b->subst, t, to);
  }
}

/* sign(u)*root: at u = 0 it is 0 whatever the branch says, since the root is. */
static void
branch_product(Branching *b, DaeTerm t)
{
  DaeTerms *terms = b->terms;
  uint32_t n = 0;
  const DaeTerm *given = dae_term_operands(terms, t, &n);
  g_autofree DaeTerm *factors = g_memdup2(given, n * sizeof *given);
  for (uint32_t i = 0; i < n; i++) {
    Break found;
    if (!find_break(terms, factors[i], &found)) {
      continue;
    }
    const DaeTerm sign = dae_term_call1(terms, DAE_FN_SIGN, found.u);
    uint32_t at = 0;
    while (at < n && factors[at] != sign) {
      at++;
    }
    if (at == n) {
      continue;
    }
    DaeTerm rest = dae_term_int(terms, 1);
    for (uint32_t k = 0; k < n; k++) {
      rest = k == i || k == at ? rest : dae_term_mul(terms, rest, factors[k]);
    }
    branch(b, t, rest, factors[i], &found, true);
    return;
  }
}

static bool
is_branched(void *self, DaeTerm t)
{
  Branching *b = self;
  return g_hash_table_contains(b->visited, GUINT_TO_POINTER(t)) ||
         dae_term_is_literal(b->terms, t);
}

static void
branch_node(void *self, DaeTerm t)
{
  Branching *b = self;
  g_hash_table_add(b->visited, GUINT_TO_POINTER(t));
  Break found;
  if (dae_term_kind(b->terms, t) == DAE_KIND_PRODUCT) {
    branch_product(b, t);
  } else if (find_break(b->terms, t, &found) && has_two_sides(b, &found)) {
    branch(b, t, dae_term_int(b->terms, 1), t, &found, false);
  }
}

static DaeTerm
branched(DaeTerms *terms, DaeTerm t, GHashTable *one_sided)
{
  g_autoptr(GHashTable) visited = g_hash_table_new(NULL, NULL);
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  Branching branching = {terms, visited, one_sided, subst};
  const DaeWalk walk = {.ready = is_branched, .compute = branch_node, .self = &branching};
  dae_walk(terms, t, &walk);
  const DaeTerm result = dae_subst_apply(subst, t);
  return result != DAE_NO_TERM ? result : t;
}

static bool
may_have_cusps(DaeTerms *terms, DaeTerm t)
{
  return t != DAE_NO_TERM && dae_term_has_call(terms, t) &&
         dae_term_has_varying_break(terms, t);
}

DaeTerm
dae_cusps_branch(DaeTerms *terms, DaeTerm t)
{
  if (!may_have_cusps(terms, t)) {
    return t;
  }
  g_autoptr(GHashTable) one_sided = g_hash_table_new(NULL, NULL);
  collect_one_sided(terms, t, one_sided);
  return branched(terms, t, one_sided);
}

DaeTerm
dae_cusps_branch_all(DaeTerms *terms, DaeTerm t)
{
  return may_have_cusps(terms, t) ? branched(terms, t, NULL) : t;
}
