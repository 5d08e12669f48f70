/* The memory of explicit steps, and what couples what in the solved form (erk.h). */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solver/erk.h"

static double *
take(double *base, size_t *at, size_t count)
{
  double *block = base == NULL ? NULL : base + *at;
  *at += (count + 7) & ~(size_t)7;
  return block;
}

static size_t
lay_out(DaeErk *e, double *base)
{
  const DaeSolved *form = e->form;
  const size_t ny = form->n_y, nl = form->n_linear, nr = form->n_rest;
  const size_t n_stage =
      (size_t)e->ev->n_diff + nl + form->a.row_start[nl] + form->lift.row_start[e->ev->n_diff];
  size_t at = 0;
  e->k = take(base, &at, DAE_ERK_STAGES * ny);
  e->k_last = take(base, &at, DAE_ERK_STAGES * ny);
  e->linear_at = take(base, &at, DAE_ERK_LOOKS * nl);
  e->x = take(base, &at, e->ev->n);
  e->x_end = take(base, &at, e->ev->n);
  double **vectors[] = {&e->y, &e->y_late, &e->sum, &e->small};
  for (size_t i = 0; i < G_N_ELEMENTS(vectors); i++) {
    *vectors[i] = take(base, &at, ny);
  }
  e->stage = take(base, &at, n_stage);
  e->m = take(base, &at, e->ev->mass.row_start[e->ev->n_diff]);
  e->mass_lu = take(base, &at, ny * ny);
  e->push = take(base, &at, ny * nl);
  e->a_lu = take(base, &at, nl * nl);
  e->a_factors = take(base, &at, 2 * nl * nl);
  e->a_inverse = take(base, &at, nl);
  e->linear = take(base, &at, nl);
  e->direct = take(base, &at, form->n_direct);
  e->rest = take(base, &at, nr);
  e->slope = take(base, &at, form->rest.row_start[nr]);
  e->scale = take(base, &at, nr);
  e->normal = take(base, &at, nr * nr);
  e->shift = take(base, &at, nr);
  return at;
}

/* What is needed to find the blocks of M only. */
typedef struct {
  uint32_t *label;  /* of row i, and of y_j at n_y + j: the smallest row it is coupled with */
  uint32_t *within; /* place in its block, likewise */
  uint32_t *place;  /* by unknown: its place in y */
  uint32_t *row, *column;
} Coupling;

static void
find_components(const DaeErk *e, Coupling *c)
{
  const DaePattern *mass = &e->ev->mass;
  const uint32_t n = e->form->n_y;
  for (uint32_t i = 0; i < 2 * n; i++) {
    c->label[i] = i;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t k = mass->row_start[i]; k < mass->row_start[i + 1]; k++) {
        uint32_t *other = &c->label[n + c->place[mass->column[k]]];
        changed = changed || *other != c->label[i];
        *other = c->label[i] = MIN(*other, c->label[i]);
      }
    }
  }
}

/* Rows and columns with this label, from place `done` on; their number, 0: not as many. */
static uint32_t
list_block(const DaeErk *e, Coupling *c, uint32_t label, uint32_t done)
{
  const uint32_t n = e->form->n_y;
  uint32_t rows = 0;
  uint32_t columns = 0;
  for (uint32_t j = 0; j < n; j++) {
    if (c->label[j] == label) {
      c->within[j] = rows;
      c->row[done + rows++] = j;
    }
    if (c->label[n + j] == label && done + columns < n) {
      c->within[n + j] = columns;
      c->column[done + columns++] = j;
    }
  }
  return rows == columns ? rows : 0;
}

/* Where the entries of M go, once the blocks are in their order. */
static void
place_blocks(DaeErk *e, const Coupling *c)
{
  const DaePattern *mass = &e->ev->mass;
  uint32_t at = 0;
  for (uint32_t b = 0; b < e->n_blocks; b++) {
    DaeErkBlock *block = &e->blocks[b];
    block->mass_at = at;
    for (uint32_t q = 0; q < block->size; q++) {
      const uint32_t i = block->row[q];
      for (uint32_t k = mass->row_start[i]; k < mass->row_start[i + 1]; k++) {
        const uint32_t within = c->within[e->form->n_y + c->place[mass->column[k]]];
        e->entry_at[k] = at + q * block->size + within;
      }
    }
    at += block->size * block->size;
  }
}

/* The blocks of M, those of one row first; false: one of them is not square. */
static bool
find_blocks(DaeErk *e, Coupling *c)
{
  const uint32_t n = e->form->n_y;
  find_components(e, c);
  for (uint32_t larger = 0; larger < 2; larger++) {
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) {
      if (c->label[i] != i) {
        continue;
      }
      const uint32_t size = list_block(e, c, i, done);
      if (size == 0) {
        return false;
      }
      if ((size > 1) == (larger == 1)) {
        e->blocks[e->n_blocks++] =
            (DaeErkBlock){.size = size, .row = c->row + done, .column = c->column + done};
      }
      done += size;
    }
    if (done != n) {
      return false;
    }
    e->n_single = larger == 0 ? e->n_blocks : e->n_single;
  }
  place_blocks(e, c);
  return true;
}

/* Which linear unknowns each block of M has, and where M^-1 lift is kept. push_of[j] is the begin of
 * the row of y_j there, block_of[j] its block. */
static void
find_lifted(DaeErk *e, uint32_t *lifted, uint32_t *place, uint32_t *push_of, uint32_t *block_of)
{
  const DaePattern *lift = &e->form->lift;
  const uint32_t nl = e->form->n_linear;
  uint32_t at = 0;
  for (uint32_t b = 0; b < e->n_blocks; b++) {
    DaeErkBlock *block = &e->blocks[b];
    memset(place, 0, sizeof *place * nl);
    for (uint32_t q = 0; q < block->size; q++) {
      const uint32_t i = block->row[q];
      for (uint32_t k = lift->row_start[i]; k < lift->row_start[i + 1]; k++) {
        place[lift->column[k]] = 1;
      }
    }
    block->lifted = lifted;
    block->push_at = at;
    for (uint32_t k = 0; k < nl; k++) {
      if (place[k] != 0) {
        place[k] = block->n_lifted;
        lifted[block->n_lifted++] = k;
      }
    }
    lifted += block->n_lifted;
    for (uint32_t q = 0; q < block->size; q++) {
      const uint32_t i = block->row[q];
      push_of[block->column[q]] = at;
      block_of[block->column[q]] = b;
      for (uint32_t k = lift->row_start[i]; k < lift->row_start[i + 1]; k++) {
        e->lift_at[k] = at + place[lift->column[k]];
      }
      at += block->n_lifted;
    }
  }
  e->n_push = at;
}

/* Rows and columns i and k are coupled. */
static void
widen_envelope(DaeErk *e, uint32_t i, uint32_t k)
{
  uint32_t *first = &e->a_first[MAX(i, k)];
  *first = MIN(*first, MIN(i, k));
}

/* The products of row i of a M^-1 lift, those of an entry side by side. place: n_linear, for their
 * numbers. */
static void
find_products(DaeErk *e, uint32_t i, const uint32_t *push_of, const uint32_t *block_of,
              uint32_t *place)
{
  const DaePattern *a = &e->form->a;
  const uint32_t n = e->form->n_linear;
  memset(place, 0, sizeof *place * n);
  for (uint32_t k = a->row_start[i]; k < a->row_start[i + 1]; k++) {
    const DaeErkBlock *block = &e->blocks[block_of[a->column[k]]];
    for (uint32_t q = 0; q < block->n_lifted; q++) {
      place[block->lifted[q]]++;
      widen_envelope(e, i, block->lifted[q]);
    }
  }
  uint32_t at = e->entries[e->n_entries].begin;
  for (uint32_t j = 0; j < n; j++) {
    const uint32_t count = place[j];
    if (count > 0) {
      e->entries[e->n_entries++] = (DaeErkEntry){i * n + j, at};
      place[j] = at;
      at += count;
      e->entries[e->n_entries].begin = at;
    }
  }
  for (uint32_t k = a->row_start[i]; k < a->row_start[i + 1]; k++) {
    const DaeErkBlock *block = &e->blocks[block_of[a->column[k]]];
    for (uint32_t q = 0; q < block->n_lifted; q++) {
      e->products[place[block->lifted[q]]++] = (DaeErkProduct){k, push_of[a->column[k]] + q};
    }
  }
}

/* How a M^-1 lift is made of a and push, and the envelope of the matrix of the linear unknowns. */
static void
find_entries(DaeErk *e, const uint32_t *push_of, const uint32_t *block_of, uint32_t *place)
{
  const DaePattern *a = &e->form->a;
  const uint32_t n = e->form->n_linear;
  size_t most = 0;
  for (uint32_t k = 0; e->form->is_differentiated && k < a->row_start[n]; k++) {
    most += e->blocks[block_of[a->column[k]]].n_lifted;
  }
  e->entries = dae_aligned_new0((MIN(most, (size_t)n * n) + 1) * sizeof *e->entries);
  e->products = dae_aligned_new0((most + 1) * sizeof *e->products);
  for (uint32_t i = 0; i < n; i++) {
    e->a_first[i] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (e->form->is_differentiated) {
      find_products(e, i, push_of, block_of, place);
      continue;
    }
    for (uint32_t k = a->row_start[i]; k < a->row_start[i + 1]; k++) {
      widen_envelope(e, i, a->column[k]);
    }
  }
}

/* First column of each row of the normal matrix with an entry. */
static void
find_envelope(DaeErk *e)
{
  const DaePattern *rest = &e->form->rest;
  for (uint32_t i = 0; i < e->form->n_rest; i++) {
    e->first[i] = i;
    for (uint32_t k = i; k-- > 0;) {
      for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
        for (uint32_t q = rest->row_start[k]; q < rest->row_start[k + 1]; q++) {
          e->first[i] = rest->column[p] == rest->column[q] ? k : e->first[i];
        }
      }
    }
  }
}

static uint32_t *
take_indices(uint32_t **at, size_t count)
{
  uint32_t *block = *at;
  *at += count;
  return block;
}

static bool
set_up(DaeErk *e)
{
  const DaeSolved *form = e->form;
  const size_t n_mass = e->ev->mass.row_start[e->ev->n_diff];
  const size_t ny = form->n_y;
  e->arena = dae_aligned_new0((lay_out(e, NULL) + 8) * sizeof(double));
  lay_out(e, e->arena);
  e->blocks = dae_aligned_new0((ny + 1) * sizeof *e->blocks);
  const size_t n_lift = form->lift.row_start[e->ev->n_diff];
  const size_t n_linear = form->n_linear;
  e->indices = dae_aligned_new0(
      (3 * ny + form->n_rest + 2 * n_linear + n_mass + 2 * n_lift + 1) * sizeof(uint32_t));
  uint32_t *at = e->indices;
  e->first = take_indices(&at, form->n_rest);
  e->mass_pivot = take_indices(&at, ny);
  e->a_pivot = take_indices(&at, form->n_linear);
  e->entry_at = take_indices(&at, n_mass);
  g_autofree uint32_t *temporary = g_new0(uint32_t, 4 * ny + e->ev->n + 1);
  Coupling coupling = {.label = temporary,
                       .within = temporary + 2 * ny,
                       .place = temporary + 4 * ny,
                       .row = take_indices(&at, ny),
                       .column = take_indices(&at, ny)};
  for (uint32_t j = 0; j < form->n_y; j++) {
    coupling.place[form->y[j]] = j;
  }
  e->a_first = take_indices(&at, form->n_linear);
  e->lift_at = take_indices(&at, n_lift);
  find_envelope(e);
  for (uint32_t i = 0; i < form->n_rest; i++) {
    e->scale[i] = 1.0;
  }
  if (!find_blocks(e, &coupling)) {
    return false;
  }
  g_autofree uint32_t *place = g_new0(uint32_t, (size_t)form->n_linear + 1);
  uint32_t *push_of = temporary;
  uint32_t *block_of = temporary + ny;
  find_lifted(e, take_indices(&at, n_lift), place, push_of, block_of);
  find_entries(e, push_of, block_of, place);
  return true;
}

DaeErk *
dae_erk_new(const DaeEvaluator *ev, void *scratch)
{
  if (ev->solved == NULL || ev->eval_solved == NULL || ev->solved->n_y != ev->n_diff) {
    return NULL;
  }
  DaeErk *e = dae_aligned_new0(sizeof *e);
  e->ev = ev;
  e->form = ev->solved;
  e->scratch = scratch;
  if (!set_up(e)) {
    dae_erk_free(e);
    return NULL;
  }
  return e;
}

void
dae_erk_free(DaeErk *e)
{
  if (e != NULL) {
    free(e->arena);
    free(e->blocks);
    free(e->entries);
    free(e->products);
    free(e->indices);
    free(e);
  }
}
