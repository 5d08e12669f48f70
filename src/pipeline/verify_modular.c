/* A certificate modulo a prime, checked again: all equations up to their orders vanish at the
 * residues it names, and the Jacobian of each of its blocks is regular there. */
#include "pipeline/verify.h"

#include "proofcheck/residues.h"

enum { MOST_DENSE = 600 };

typedef struct {
  const DaeSig *sig;
  DaeTerms *terms;
  const DaeModel *model;
  const DaeCertificate *certificate;
  DaeResidues *residues;
} Check;

static DaeTerm
atom_of(const Check *c, uint32_t j, int32_t order)
{
  return dae_term_variable(c->terms, dae_model_variable(c->model, j)->symbol, (uint32_t)order);
}

/* x^(m) is m! times the coefficient of the series. */
static void
bind_atoms(Check *c)
{
  dae_residues_bind(c->residues, dae_term_time(c->terms), c->certificate->time_residue);
  for (uint32_t j = 0; j < dae_sig_n_columns(c->sig); j++) {
    uint64_t factorial = 1;
    for (int32_t m = 0; m <= dae_sig_d(c->sig)[j] && c->certificate->is_part[j]; m++) {
      factorial = m > 1 ? dae_residues_product(c->residues, factorial, (uint64_t)m) : 1;
      uint64_t coefficient = c->certificate->residues[c->certificate->first[j] + (size_t)m];
      dae_residues_bind(c->residues, atom_of(c, j, m),
                        dae_residues_product(c->residues, coefficient, factorial));
    }
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(c->model); k++) {
    DaeTerm value = dae_model_parameter_value(c->model, c->terms, k);
    if (value != DAE_NO_TERM) {
      DaeSymbol symbol = dae_model_parameter(c->model, k)->symbol;
      dae_residues_bind_term(c->residues, dae_term_parameter(c->terms, symbol), value);
    }
  }
}

static bool
equation_vanishes(const Check *c, uint32_t i, char **why)
{
  const DaeEquation *equation = dae_model_equation(c->model, i);
  DaeTerm t = dae_term_sub(c->terms, equation->lhs, equation->rhs);
  for (int32_t k = 0; k <= dae_sig_c(c->sig)[i]; k++) {
    uint64_t value = 0;
    if (t == DAE_NO_TERM || !dae_residues_value(c->residues, t, &value) || value != 0) {
      *why = g_strdup_printf("equation %u, differentiated %d times, was not seen to vanish "
                             "modulo the prime",
                             i, k);
      return false;
    }
    t = dae_term_total(c->terms, t);
  }
  return true;
}

/* The derivatives of the equations of a block by its highest derivatives. */
static bool
block_is_regular(const Check *c, const DaeSigBlock *block, char **why)
{
  uint32_t n = block->n_equations;
  if (n > MOST_DENSE) {
    *why = g_strdup_printf("a block has %u equations, too many to check again", n);
    return false;
  }
  g_autofree uint64_t *matrix = g_new0(uint64_t, (size_t)n * n + 1);
  bool ok = true;
  for (uint32_t r = 0; r < n && ok; r++) {
    const DaeEquation *equation = dae_model_equation(c->model, block->equations[r]);
    DaeTerm f = dae_term_sub(c->terms, equation->lhs, equation->rhs);
    for (uint32_t k = 0; k < n && ok; k++) {
      int32_t order =
          dae_sig_d(c->sig)[block->variables[k]] - dae_sig_c(c->sig)[block->equations[r]];
      DaeTerm slope =
          order < 0 ? dae_term_int(c->terms, 0)
                    : dae_term_partial(c->terms, f, atom_of(c, block->variables[k], order));
      ok = slope != DAE_NO_TERM && dae_residues_value(c->residues, slope, &matrix[r * n + k]);
    }
  }
  ok = ok && dae_residues_is_regular(c->residues, matrix, n);
  if (!ok) {
    *why = g_strdup_printf("the block with equation %u was not seen to be regular modulo the "
                           "prime",
                           block->equations[0]);
  }
  return ok;
}

static bool
steps_hold(const Check *c, char **why)
{
  for (uint32_t s = 0; s < dae_sig_n_repair_steps(c->sig); s++) {
    const DaeRepairStep *step = dae_sig_repair_step(c->sig, s);
    for (uint32_t k = 0; k < step->n_nonzero; k++) {
      uint64_t value = 0;
      if (!dae_residues_value(c->residues, step->nonzero[k], &value) || value == 0) {
        *why = g_strdup("a factor of the repair was not seen to be other than 0");
        return false;
      }
    }
  }
  return true;
}

bool
dae_verify_modular(DaeTerms *terms, const DaeSig *sig, char **why)
{
  const DaeCertificate *certificate = dae_sig_certificate(sig);
  Check c = {
      .sig = sig, .terms = terms, .model = dae_sig_model(sig), .certificate = certificate};
  c.residues = dae_residues_new(terms, certificate->prime);
  if (c.residues == NULL) {
    *why = g_strdup_printf("%" G_GUINT64_FORMAT " is no prime", certificate->prime);
    return false;
  }
  bind_atoms(&c);
  bool ok = true;
  for (uint32_t b = 0; b < dae_sig_n_fine(sig) && ok; b++) {
    const DaeSigBlock *block = dae_sig_fine(sig, b);
    if (!certificate->is_part[block->variables[0]]) {
      continue;
    }
    ok = block_is_regular(&c, block, why);
    for (uint32_t k = 0; k < block->n_equations && ok; k++) {
      ok = equation_vanishes(&c, block->equations[k], why);
    }
  }
  ok = ok && steps_hold(&c, why);
  dae_residues_free(c.residues);
  return ok;
}
