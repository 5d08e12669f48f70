/* Which fine blocks are linear in what they solve for (the quasi-linearity of DAESA)?
 *
 * A block solves f_i^(c_i) = 0 for x_j^(d_j). Differentiated equations are linear in their
 * highest derivatives, so only equations with c_i = 0 can be nonlinear: those whose Jacobian
 * entries in the block contain some x_k^(d_k) of the block. */
#include "base/base.h"
#include "structural/sig-priv.h"

/* of an entry whose derivative is looked at: the derivative of a product is longer by the
 * number of factors */
#define LIMIT_SIZE 4000

typedef struct {
  DaeSig *sig;
  DaeAlgebra *algebra;
  uint32_t *block_of_column;
  GArray *variables; /* scratch */
} Linearity;

/* Does an entry depend on a highest derivative that block b solves for? */
static bool
depends_on_unknown(Linearity *l, DaeTerm entry, uint32_t b)
{
  DaeTerms *terms = l->sig->terms;
  if (dae_term_is_number(terms, entry) || dae_term_kind(terms, entry) == DAE_KIND_PARAMETER) {
    return false;
  }
  g_array_set_size(l->variables, 0);
  dae_term_collect_variables(terms, entry, l->variables);
  for (guint k = 0; k < l->variables->len; k++) {
    DaeTerm x = g_array_index(l->variables, DaeTerm, k);
    uint32_t j = 0;
    if (!dae_model_find_variable(l->sig->model, dae_term_get_symbol(terms, x), &j) ||
        l->block_of_column[j] != b || (int64_t)dae_term_order(terms, x) != l->sig->d[j]) {
      continue;
    }
    if (dae_term_size(terms, entry) > LIMIT_SIZE) {
      return true; /* not proved linear, likewise */
    }
    DaeTerm second = dae_term_partial(terms, entry, x);
    if (dae_algebra_is_zero(l->algebra, second) != DAE_ZERO) {
      return true; /* UNKNOWN: not proved linear */
    }
  }
  return false;
}

static bool
is_linear_block(Linearity *l, uint32_t b)
{
  const DaeSig *sig = l->sig;
  const DaeSigBlock *block = &sig->fine[b];
  for (uint32_t r = 0; r < block->n_equations; r++) {
    uint32_t i = block->equations[r];
    for (size_t e = sig->jacobian_start[i]; sig->c[i] == 0 && e < sig->jacobian_start[i + 1];
         e++) {
      const DaeSigJacobianEntry *entry = &g_array_index(sig->jacobian, DaeSigJacobianEntry, e);
      if (l->block_of_column[entry->column] == b && depends_on_unknown(l, entry->value, b)) {
        return false;
      }
    }
  }
  return true;
}

void
dae_sig_mark_linear_blocks(DaeSig *sig, DaeAlgebra *algebra)
{
  Linearity l = {.sig = sig, .algebra = algebra};
  l.block_of_column = g_new(uint32_t, (size_t)sig->sigma.csr->n_columns + 1);
  l.variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    for (uint32_t k = 0; k < sig->fine[b].n_variables; k++) {
      l.block_of_column[sig->fine[b].variables[k]] = b;
    }
  }
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    sig->fine[b].is_linear = is_linear_block(&l, b);
  }
  g_free(l.block_of_column);
  g_array_unref(l.variables);
}
