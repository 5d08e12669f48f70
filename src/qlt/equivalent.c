/* Two constraints that say the same in functions of the unknowns. */
#include "qlt/qlt-priv.h"

/* Functions of the unknowns are in no ideal of polynomials: log(x) + log(y) = log(6) follows from
 * x*y = 6 with x = 6/y put in. Does constraint i vanish where constraint k is solved for an unknown
 * that it is linear in? The coefficient is a divisor. */
static bool
follows_from_solved(QltWork *work, uint32_t i, uint32_t k)
{
  DaeTerm t = ((QltConstraint *)g_ptr_array_index(work->constraints, i))->expression;
  DaeTerm other = ((QltConstraint *)g_ptr_array_index(work->constraints, k))->expression;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(work->terms, other, atoms);
  for (guint v = 0; v < atoms->len; v++) {
    DaeTerm x = g_array_index(atoms, DaeTerm, v), a = DAE_NO_TERM, b = DAE_NO_TERM;
    if (!dae_term_contains(work->terms, t, x) ||
        !dae_algebra_linear_in(work->algebra, other, x, &a, &b) ||
        dae_algebra_is_zero(work->algebra, a) != DAE_NONZERO) {
      continue;
    }
    g_autoptr(DaeSubst) solved = dae_subst_new(work->terms);
    dae_subst_set(solved, x, dae_term_neg(work->terms, dae_term_div(work->terms, b, a)));
    DaeTerm reduced = dae_subst_apply(solved, t);
    if (reduced != DAE_NO_TERM && dae_algebra_is_zero(work->algebra, reduced) == DAE_ZERO) {
      qlt_note_divisor(work, a);
      return true;
    }
  }
  return false;
}

bool
qlt_find_equivalent(QltWork *work, uint32_t i)
{
  enum { MOST_TRIED = 20 };

  uint32_t n = MIN(work->constraints->len, MOST_TRIED);
  for (uint32_t k = 0; k < n; k++) {
    if (k != i && follows_from_solved(work, i, k)) {
      return true;
    }
    if (k != i && follows_from_solved(work, k, i)) {
      gpointer follows = g_ptr_array_index(work->constraints, k);
      g_ptr_array_index(work->constraints, k) = g_ptr_array_index(work->constraints, i);
      g_ptr_array_index(work->constraints, i) = follows;
      return true;
    }
  }
  return false;
}
