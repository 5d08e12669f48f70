/* Stages and projections of the explicit methods (erk.h). */
#include "solver/erk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solver/split.h"

/* Pivots of the normal matrix below this part of its diagonal: the constraints depend on each
 * other. */
#define DEPENDENT 1e-13

/* ---- memory ------------------------------------------------------------------------------ */

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

/* The blocks of M; false: one of them is not square. */
static bool
find_blocks(DaeErk *e, Coupling *c)
{
  const DaePattern *mass = &e->ev->mass;
  const uint32_t n = e->form->n_y;
  uint32_t done = 0;
  uint32_t at = 0;
  find_components(e, c);
  for (uint32_t i = 0; i < n; i++) {
    if (c->label[i] != i) {
      continue;
    }
    const uint32_t size = list_block(e, c, i, done);
    if (size == 0) {
      return false;
    }
    e->blocks[e->n_blocks++] =
        (DaeErkBlock){.size = size, .row = c->row + done, .column = c->column + done};
    for (uint32_t q = 0; q < size; q++) {
      const uint32_t j = c->row[done + q];
      for (uint32_t k = mass->row_start[j]; k < mass->row_start[j + 1]; k++) {
        e->entry_at[k] = at + q * size + c->within[n + c->place[mass->column[k]]];
      }
    }
    done += size;
    at += size * size;
  }
  return done == n;
}

/* Which linear unknowns each block of M has, and where M^-1 lift is kept. */
static void
find_lifted(DaeErk *e, uint32_t *lifted, uint32_t *place)
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
    for (uint32_t k = 0; k < nl; k++) {
      if (place[k] != 0) {
        place[k] = block->n_lifted;
        lifted[block->n_lifted++] = k;
      }
    }
    lifted += block->n_lifted;
    for (uint32_t q = 0; q < block->size; q++) {
      const uint32_t i = block->row[q];
      e->push_at[block->column[q]] = at;
      e->block_of[block->column[q]] = b;
      for (uint32_t k = lift->row_start[i]; k < lift->row_start[i + 1]; k++) {
        e->lift_at[k] = at + place[lift->column[k]];
      }
      at += block->n_lifted;
    }
  }
  e->n_push = at;
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
  e->indices = dae_aligned_new0(
      (5 * ny + form->n_rest + form->n_linear + n_mass + 2 * n_lift + 1) * sizeof(uint32_t));
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
  e->push_at = take_indices(&at, ny);
  e->block_of = take_indices(&at, ny);
  e->lift_at = take_indices(&at, n_lift);
  find_envelope(e);
  for (uint32_t i = 0; i < form->n_rest; i++) {
    e->scale[i] = 1.0;
  }
  if (!find_blocks(e, &coupling)) {
    return false;
  }
  g_autofree uint32_t *place = g_new0(uint32_t, (size_t)form->n_linear + 1);
  find_lifted(e, take_indices(&at, n_lift), place);
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
    free(e->indices);
    free(e);
  }
}

/* ---- stages ------------------------------------------------------------------------------ */

/* The matrix in e->a_lu and the right side in e->linear; false: it is singular. */
static bool
solve_linear(DaeErk *e)
{
  const uint32_t n = e->form->n_linear;
  if (!dae_split_lu(e->a_lu, n, e->a_pivot)) {
    return false;
  }
  dae_split_lu_solve(e->a_lu, n, e->a_pivot, e->linear);
  return true;
}

/* a l = -b */
static void
fill_algebraic(DaeErk *e, const double *b, const double *a)
{
  const DaePattern *pattern = &e->form->a;
  const uint32_t n = e->form->n_linear;
  memset(e->a_lu, 0, sizeof(double) * n * n);
  for (uint32_t i = 0; i < n; i++) {
    e->linear[i] = -b[i];
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
      e->a_lu[i * n + pattern->column[k]] = a[k];
    }
  }
}

/* (a M^-1 lift) l = -(b + a M^-1 f), with M^-1 f in `slope` */
static void
fill_differentiated(DaeErk *e, const double *b, const double *a, const double *slope)
{
  const DaePattern *pattern = &e->form->a;
  const uint32_t n = e->form->n_linear;
  memset(e->a_lu, 0, sizeof(double) * n * n);
  for (uint32_t i = 0; i < n; i++) {
    double *line = e->a_lu + (size_t)i * n;
    double sum = -b[i];
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
      const uint32_t j = pattern->column[k];
      const DaeErkBlock *block = &e->blocks[e->block_of[j]];
      const double *push = e->push + e->push_at[j];
      sum -= a[k] * slope[j];
      for (uint32_t q = 0; q < block->n_lifted; q++) {
        line[block->lifted[q]] += a[k] * push[q];
      }
    }
    e->linear[i] = sum;
  }
}

/* The blocks of M, factored; false: one is singular. */
static bool
factor_masses(DaeErk *e)
{
  double *lu = e->mass_lu;
  uint32_t *pivot = e->mass_pivot;
  const uint32_t n_mass = e->ev->mass.row_start[e->ev->n_diff];
  size_t size = 0;
  for (uint32_t b = 0; b < e->n_blocks; b++) {
    size += (size_t)e->blocks[b].size * e->blocks[b].size;
  }
  memset(lu, 0, sizeof(double) * size);
  for (uint32_t k = 0; k < n_mass; k++) {
    lu[e->entry_at[k]] = e->m[k];
  }
  for (uint32_t b = 0; b < e->n_blocks; b++) {
    const uint32_t n = e->blocks[b].size;
    if (n == 1 ? lu[0] == 0.0 : !dae_split_lu(lu, n, pivot)) {
      return false;
    }
    lu += (size_t)n * n;
    pivot += n;
  }
  e->masses_are_known = e->ev->mass_is_constant;
  return true;
}

/* M v = f for one block, in e->small */
static void
solve_block(DaeErk *e, uint32_t n, const double *lu, const uint32_t *pivot)
{
  if (n == 1) {
    e->small[0] /= lu[0];
  } else {
    dae_split_lu_solve(lu, n, pivot, e->small);
  }
}

/* slope = M^-1 f and push = M^-1 lift */
static void
solve_masses(DaeErk *e, const double *f, const double *lift, double *slope)
{
  const double *lu = e->mass_lu;
  const uint32_t *pivot = e->mass_pivot;
  double *push = e->push;
  const uint32_t n_lift = e->form->lift.row_start[e->ev->n_diff];
  if (n_lift > 0) {
    memset(push, 0, sizeof(double) * e->n_push);
  }
  for (uint32_t k = 0; k < n_lift; k++) {
    push[e->lift_at[k]] = lift[k];
  }
  for (uint32_t b = 0; b < e->n_blocks; b++) {
    const DaeErkBlock *block = &e->blocks[b];
    const uint32_t n = block->size;
    const bool is_one = n == 1 && lu[0] == 1.0;
    for (uint32_t q = 0; q < n; q++) {
      e->small[q] = f[block->row[q]];
    }
    solve_block(e, n, lu, pivot);
    for (uint32_t q = 0; q < n; q++) {
      slope[block->column[q]] = e->small[q];
    }
    for (uint32_t k = 0; k < block->n_lifted && !is_one; k++) {
      for (uint32_t q = 0; q < n; q++) {
        e->small[q] = push[q * block->n_lifted + k];
      }
      solve_block(e, n, lu, pivot);
      for (uint32_t q = 0; q < n; q++) {
        push[q * block->n_lifted + k] = e->small[q];
      }
    }
    push += (size_t)n * block->n_lifted;
    lu += (size_t)n * n;
    pivot += n;
  }
}

/* slope += M^-1 lift l */
static void
add_push(const DaeErk *e, double *slope)
{
  const double *push = e->push;
  for (uint32_t b = 0; b < e->n_blocks; b++) {
    const DaeErkBlock *block = &e->blocks[b];
    for (uint32_t q = 0; q < block->size; q++, push += block->n_lifted) {
      double sum = 0.0;
      for (uint32_t k = 0; k < block->n_lifted; k++) {
        sum += push[k] * e->linear[block->lifted[k]];
      }
      slope[block->column[q]] += sum;
    }
  }
}

/* NaN where a value is not finite. */
static double
check_of(const double *v, uint32_t n)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    sum += v[i] - v[i];
  }
  return sum;
}

int
dae_erk_slope(DaeErk *e, double t, bool all, double *slope)
{
  const DaeSolved *form = e->form;
  const uint32_t n_diff = e->ev->n_diff;
  const double *f = e->stage;
  const double *b = f + n_diff;
  const double *a = b + form->n_linear;
  const double *lift = a + form->a.row_start[form->n_linear];
  const DaeSolvedOut out = {.stage = e->stage,
                            .m = e->masses_are_known ? NULL : e->m,
                            .direct = all ? e->direct : NULL,
                            .rest = all && form->n_rest > 0 ? e->rest : NULL};
  e->evaluations++;
  const int code = e->ev->eval_solved(e->ev->self, e->scratch, t, e->x, &out);
  if (code != 0) {
    return code;
  }
  if (!e->masses_are_known && !factor_masses(e)) {
    return 1;
  }
  solve_masses(e, f, lift, slope);
  if (form->n_linear > 0) {
    if (form->is_differentiated) {
      fill_differentiated(e, b, a, slope);
    } else {
      fill_algebraic(e, b, a);
    }
    if (!solve_linear(e)) {
      return 1;
    }
    add_push(e, slope);
  }
  const double check = check_of(slope, form->n_y) + check_of(e->linear, form->n_linear);
  return check == 0.0 ? 0 : 1;
}

/* ---- projection -------------------------------------------------------------------------- */

/* The lower triangle of C W^2 C^T within its envelope, factored by Cholesky in place; false: it is
 * not positive beyond rounding. */
static bool
factor_normal(DaeErk *e, const double *weight)
{
  const DaePattern *rest = &e->form->rest;
  const uint32_t n = e->form->n_rest;
  for (uint32_t i = 0; i < n; i++) {
    double *line = e->normal + (size_t)i * n;
    for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
      const double w = weight[e->form->y[rest->column[p]]];
      e->small[rest->column[p]] = e->slope[p] * w * w;
    }
    for (uint32_t k = e->first[i]; k <= i; k++) {
      double sum = 0.0;
      for (uint32_t q = rest->row_start[k]; q < rest->row_start[k + 1]; q++) {
        sum += e->small[rest->column[q]] * e->slope[q];
      }
      line[k] = sum;
    }
    for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
      e->small[rest->column[p]] = 0.0;
    }
    const double diagonal = line[i];
    for (uint32_t k = e->first[i]; k <= i; k++) {
      const double *other = e->normal + (size_t)k * n;
      double sum = line[k];
      for (uint32_t q = MAX(e->first[i], e->first[k]); q < k; q++) {
        sum -= line[q] * other[q];
      }
      line[k] = k < i ? sum * other[k] : sum;
    }
    if (!(line[i] > DEPENDENT * diagonal)) {
      return false;
    }
    line[i] = 1.0 / sqrt(line[i]);
  }
  return true;
}

/* shift = (C W^2 C^T)^-1 c */
static void
solve_normal(DaeErk *e)
{
  const uint32_t n = e->form->n_rest;
  for (uint32_t i = 0; i < n; i++) {
    const double *line = e->normal + (size_t)i * n;
    double sum = e->rest[i];
    for (uint32_t k = e->first[i]; k < i; k++) {
      sum -= line[k] * e->shift[k];
    }
    e->shift[i] = sum * line[i];
  }
  for (uint32_t i = n; i-- > 0;) {
    const double *line = e->normal + (size_t)i * n;
    e->shift[i] *= line[i];
    for (uint32_t k = e->first[i]; k < i; k++) {
      e->shift[k] -= line[k] * e->shift[i];
    }
  }
}

double
dae_erk_residual(const DaeErk *e)
{
  double worst = 0.0;
  for (uint32_t i = 0; i < e->form->n_rest; i++) {
    worst = fmax(worst, fabs(e->rest[i]) / e->scale[i]);
  }
  return worst;
}

int
dae_erk_project(DaeErk *e, double t, const double *weight, const double *nominal,
                double *residual)
{
  const DaePattern *rest = &e->form->rest;
  *residual = 0.0;
  if (e->form->n_rest == 0) {
    return 0;
  }
  const DaeSolvedOut out = {.rest = e->rest, .rest_slope = e->slope};
  const int code = e->ev->eval_solved(e->ev->self, e->scratch, t, e->x, &out);
  if (code != 0) {
    return code;
  }
  for (uint32_t i = 0; i < e->form->n_rest; i++) {
    e->scale[i] = 1.0;
    for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
      e->scale[i] = fmax(e->scale[i], fabs(e->slope[p]) * nominal[e->form->y[rest->column[p]]]);
    }
  }
  *residual = dae_erk_residual(e);
  memset(e->small, 0, sizeof(double) * e->form->n_y);
  if (!factor_normal(e, weight)) {
    return 1;
  }
  solve_normal(e);
  for (uint32_t i = 0; i < e->form->n_rest; i++) {
    for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
      const uint32_t j = e->form->y[rest->column[p]];
      e->x[j] -= weight[j] * weight[j] * e->slope[p] * e->shift[i];
    }
  }
  return 0;
}

void
dae_erk_put_algebraic(const DaeErk *e, double *x)
{
  for (uint32_t k = 0; k < e->form->n_direct; k++) {
    x[e->form->direct[k]] = e->direct[k];
  }
  for (uint32_t k = 0; k < e->form->n_linear; k++) {
    x[e->form->linear[k]] = e->linear[k];
  }
}
