/* Elimination for small polynomial blocks: the resultant of two rows with respect to a shared
 * unknown vanishes wherever both rows do, and does not contain that unknown. It is added as a
 * further row; solutions of it that do not belong to a common zero show up as conflicts that
 * depend on a branch, and the search goes back (decide.c). */
#include <string.h>

#include "initcheck/initcheck-priv.h"

#define MAX_DEGREE 6
#define MAX_ROWS 4

typedef struct {
  DaeTerm c[MAX_DEGREE + 1];
  int degree;
} Polynomial;

static bool
as_polynomial(IcSystem *sys, DaeTerm t, DaeTerm x, Polynomial *p)
{
  DaeTerm c[IC_MAX_DEGREE + 1];
  p->degree = ic_polynomial_coefficients(sys, t, x, c);
  if (p->degree < 0 || p->degree > MAX_DEGREE) {
    return false;
  }
  memcpy(p->c, c, ((size_t)p->degree + 1) * sizeof *c);
  return true;
}

static DaeTerm
resultant(IcSystem *sys, const Polynomial *p, const Polynomial *q)
{
  uint32_t n = (uint32_t)(p->degree + q->degree);
  g_autoptr(DaeMatrix) sylvester = dae_matrix_new(sys->terms, n, n);
  for (int i = 0; i < q->degree; i++) {
    for (int k = 0; k <= p->degree; k++) {
      sylvester->entries[(uint32_t)i * n + (uint32_t)(i + p->degree - k)] = p->c[k];
    }
  }
  for (int i = 0; i < p->degree; i++) {
    for (int k = 0; k <= q->degree; k++) {
      sylvester->entries[(uint32_t)(q->degree + i) * n + (uint32_t)(i + q->degree - k)] =
          q->c[k];
    }
  }
  return dae_algebra_determinant(sys->algebra, sylvester);
}

/* Is the resultant new, i.e. not one of the rows that were made before? */
static bool
is_new(const IcEngine *engine, DaeTerm t)
{
  for (guint i = 0; i < engine->resultants->len; i++) {
    if (g_array_index(engine->resultants, DaeTerm, i) == t) {
      return false;
    }
  }
  return true;
}

static bool
try_pair(IcEngine *engine, uint32_t r1, uint32_t r2)
{
  IcSystem *sys = engine->sys;
  DaeTerm t1 = ic_form_term(sys, &ic_engine_row(engine, r1)->form);
  DaeTerm t2 = ic_form_term(sys, &ic_engine_row(engine, r2)->form);
  const GArray *inside = ic_unknowns_inside(sys, t1);
  for (guint i = 0; i < inside->len; i++) {
    uint32_t z = g_array_index(inside, uint32_t, i);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    Polynomial p;
    Polynomial q;
    if (!dae_term_contains(sys->terms, t2, atom) || !as_polynomial(sys, t1, atom, &p) ||
        !as_polynomial(sys, t2, atom, &q) || p.degree < 1 || q.degree < 1) {
      continue;
    }
    DaeTerm result = resultant(sys, &p, &q);
    if (result == DAE_NO_TERM || dae_algebra_is_zero(sys->algebra, result) == DAE_ZERO) {
      continue;
    }
    result = ic_tidy(sys, result);
    if (!is_new(engine, result)) {
      continue;
    }
    g_array_append_val(engine->resultants, result);
    g_autoptr(GArray) other = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(other, r2);
    ic_engine_add_consequence(engine, r1, other, result);
    return true;
  }
  return false;
}

bool
ic_resultant_step(IcEngine *engine, const GArray *rows)
{
  if (rows->len < 2 || rows->len > MAX_ROWS || engine->resultants->len > 8) {
    return false;
  }
  for (guint i = 0; i < rows->len; i++) {
    for (guint k = i + 1; k < rows->len; k++) {
      if (try_pair(engine, g_array_index(rows, uint32_t, i),
                   g_array_index(rows, uint32_t, k))) {
        return true;
      }
    }
  }
  return false;
}

/* ---- existence ---------------------------------------------------------------------------- */

/* The terms of highest degree in x and y together: out->c[k] belongs to x^k*y^(degree - k). */
static bool
leading_form(IcSystem *sys, DaeTerm t, DaeTerm x, DaeTerm y, Polynomial *out)
{
  Polynomial in_x;
  Polynomial in_y[MAX_DEGREE + 1];
  if (!as_polynomial(sys, t, x, &in_x)) {
    return false;
  }
  out->degree = 0;
  for (int k = 0; k <= in_x.degree; k++) {
    if (!as_polynomial(sys, in_x.c[k], y, &in_y[k])) {
      return false;
    }
    for (int m = 0; m <= in_y[k].degree; m++) {
      bool is_zero = dae_term_is_zero(sys->terms, in_y[k].c[m]);
      out->degree = is_zero ? out->degree : MAX(out->degree, k + m);
    }
  }
  for (int k = 0; k <= out->degree && out->degree <= MAX_DEGREE; k++) {
    int m = out->degree - k;
    bool is_there = k <= in_x.degree && m <= in_y[k].degree;
    out->c[k] = is_there ? in_y[k].c[m] : dae_term_int(sys->terms, 0);
  }
  return out->degree <= MAX_DEGREE;
}

bool
ic_odd_forms_meet(IcSystem *sys, const DaeTerm *f, const DaeTerm *x)
{
  Polynomial p;
  Polynomial q;
  if (!leading_form(sys, f[0], x[0], x[1], &p) || !leading_form(sys, f[1], x[0], x[1], &q) ||
      p.degree % 2 == 0 || q.degree % 2 == 0) {
    return false;
  }
  bool strict = false;
  DaeTerm common = resultant(sys, &p, &q);
  return common != DAE_NO_TERM &&
         dae_algebra_definite(sys->algebra, ic_tidy(sys, common), &strict) != 0 && strict;
}

DaeTerm
ic_eliminated(IcSystem *sys, const DaeTerm *f, DaeTerm y)
{
  Polynomial p;
  Polynomial q;
  if (!as_polynomial(sys, f[0], y, &p) || !as_polynomial(sys, f[1], y, &q) || p.degree < 1 ||
      q.degree < 1) {
    return DAE_NO_TERM;
  }
  DaeTerm leading[] = {p.c[p.degree], q.c[q.degree]};
  for (uint32_t k = 0; k < 2; k++) {
    bool strict = false;
    if (!ic_has_unknown(sys, leading[k]) &&
        dae_algebra_definite(sys->algebra, leading[k], &strict) != 0 && strict) {
      DaeTerm result = resultant(sys, &p, &q);
      return result == DAE_NO_TERM ? result : ic_tidy(sys, result);
    }
  }
  return DAE_NO_TERM;
}
