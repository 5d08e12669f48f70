/* Diagonal blocks of the Jacobian, checked again: as matrices of balls where their entries are
 * numbers or everything in them is bound. */
#include "pipeline/verify.h"

enum { MOST_DENSE = 60 }; /* equations: more are eliminated row by row */

void
dae_verify_bind_parameters(DaeCertifier *certifier, DaeTerms *terms, const DaeModel *model)
{
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    DaeTerm value = dae_model_parameter_value(model, terms, k);
    if (value != DAE_NO_TERM && dae_term_kind(terms, value) != DAE_KIND_BOOLEAN) {
      DaeSymbol symbol = dae_model_parameter(model, k)->symbol;
      dae_certifier_bind(certifier, dae_term_parameter(terms, symbol), value);
    }
  }
}

/* (transfer full) Where each row of the Jacobian begins among its entries. */
static size_t *
rows_of_jacobian(const DaeSig *sig)
{
  size_t n = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(sig, &n);
  size_t *first = g_new0(size_t, (size_t)dae_sig_n_rows(sig) + 2);
  for (size_t e = 0; e < n; e++) {
    first[entries[e].row + 1]++;
  }
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    first[i + 1] += first[i];
  }
  return first;
}

struct DaeVerifyBlocks {
  const DaeSig *sig;
  size_t *first_of_row;
  uint32_t *place_of_column; /* 1 + place in the block at hand; 0: not in it */
};

DaeVerifyBlocks *
dae_verify_blocks_new(const DaeSig *sig)
{
  DaeVerifyBlocks *blocks = g_new0(DaeVerifyBlocks, 1);
  blocks->sig = sig;
  blocks->first_of_row = rows_of_jacobian(sig);
  blocks->place_of_column = g_new0(uint32_t, (size_t)dae_sig_n_columns(sig) + 1);
  return blocks;
}

void
dae_verify_blocks_free(DaeVerifyBlocks *blocks)
{
  g_free(blocks->first_of_row);
  g_free(blocks->place_of_column);
  g_free(blocks);
}

static gint
compare_entries(gconstpointer a, gconstpointer b)
{
  const DaeCertifierEntry *x = a;
  const DaeCertifierEntry *y = b;
  return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
                          : (x->column > y->column) - (x->column < y->column);
}

GArray *
dae_verify_block_entries(DaeVerifyBlocks *blocks, const DaeSigBlock *block)
{
  GArray *matrix = g_array_new(FALSE, FALSE, sizeof(DaeCertifierEntry));
  size_t n_entries = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(blocks->sig, &n_entries);
  for (uint32_t k = 0; k < block->n_variables; k++) {
    blocks->place_of_column[block->variables[k]] = k + 1;
  }
  for (uint32_t r = 0; r < block->n_equations; r++) {
    uint32_t row = block->equations[r];
    for (size_t e = blocks->first_of_row[row]; e < blocks->first_of_row[row + 1]; e++) {
      uint32_t place = blocks->place_of_column[entries[e].column];
      DaeCertifierEntry entry = {r, place - 1, entries[e].value};
      if (place > 0) {
        g_array_append_val(matrix, entry);
      }
    }
  }
  for (uint32_t k = 0; k < block->n_variables; k++) {
    blocks->place_of_column[block->variables[k]] = 0;
  }
  g_array_sort(matrix, compare_entries);
  return matrix;
}

static bool
is_regular_dense(DaeCertifier *certifier, DaeTerms *terms, const GArray *entries, uint32_t n)
{
  g_autofree DaeTerm *matrix = g_new(DaeTerm, (size_t)n * n);
  for (size_t k = 0; k < (size_t)n * n; k++) {
    matrix[k] = dae_term_int(terms, 0);
  }
  for (guint e = 0; e < entries->len; e++) {
    const DaeCertifierEntry *entry = &g_array_index(entries, DaeCertifierEntry, e);
    matrix[(size_t)entry->row * n + entry->column] = entry->value;
  }
  return dae_certifier_is_regular(certifier, matrix, n);
}

bool
dae_verify_is_regular(DaeCertifier *certifier, DaeTerms *terms, const GArray *entries,
                      uint32_t n)
{
  return n <= MOST_DENSE
             ? is_regular_dense(certifier, terms, entries, n)
             : dae_certifier_is_regular_sparse(certifier,
                                               (const DaeCertifierEntry *)(void *)entries->data,
                                               entries->len, n);
}

char *
dae_verify_say_singular(DaeTerms *terms, const DaeSigBlock *block, const GArray *entries)
{
  if (block->n_equations == 1 && entries->len == 1) {
    g_autoptr(GString) text = g_string_new(NULL);
    dae_term_print_limited(terms, g_array_index(entries, DaeCertifierEntry, 0).value, text,
                           200);
    return g_strdup_printf("the entry %s of equation %u was not seen to be other than 0",
                           text->str, block->equations[0]);
  }
  return g_strdup_printf(
      "the determinant of the block of %u equations with equation %u was not "
      "seen to be other than 0",
      block->n_equations, block->equations[0]);
}

char *
dae_verify_say_open(DaeTerms *terms, const DaeCertifier *certifier)
{
  enum { LONGEST = 160 };

  g_autoptr(GString) text =
      g_string_new("the interval Newton operator does not prove a solution near the values");
  DaeTerm equation = dae_certifier_open_equation(certifier);
  if (equation != DAE_NO_TERM) {
    g_string_append(text, "; no value, or no derivative, is seen there of ");
    dae_term_print_limited(terms, equation, text, LONGEST);
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

bool
dae_verify_blocks_at_box(DaeCertifier *certifier, DaeTerms *terms, const DaeSig *sig,
                         char **why)
{
  DaeVerifyBlocks *blocks = dae_verify_blocks_new(sig);
  bool ok = true;
  for (uint32_t b = 0; b < dae_sig_n_fine(sig) && ok; b++) {
    const DaeSigBlock *block = dae_sig_fine(sig, b);
    g_autoptr(GArray) entries = dae_verify_block_entries(blocks, block);
    ok = dae_verify_is_regular(certifier, terms, entries, block->n_equations);
    if (!ok) {
      *why = dae_verify_say_singular(terms, block, entries);
    }
  }
  dae_verify_blocks_free(blocks);
  return ok;
}
