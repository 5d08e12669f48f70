/* Derivatives of the methods of LAPACK along a direction, as terms of the same methods: so they
 * can be differentiated again, as often as the structure needs.
 *
 * Each is a routine total(x, x') -> outputs' of the inputs and their direction. What is found holds
 * where the method is smooth: eigenvalues and singular values that differ, full ranks. Elsewhere
 * the quotients have no values, which ends a run. Methods without a formula here have differences
 * (terms/routines.h). */
#include "reader/natives.h"

#include <string.h>

typedef struct {
  DaeReader *reader;
  DaeTerms *terms;
  uint32_t number;
  const DaeMethod *method;
  uint32_t n_inputs, n_outputs;
  DaeTerm *x, *dx;  /* formals */
  DaeTerm *outputs; /* to be found; 0 at first */
} Total;

/* A matrix row by row, or a vector as a column. */
typedef struct {
  DaeTerms *terms;
  uint32_t rows, columns;
  DaeTerm *a;
} Matrix;

typedef struct {
  Matrix re, im;
} Complex;

static Matrix
matrix_new(const Total *t, uint32_t rows, uint32_t columns)
{
  Matrix m = {t->terms, rows, columns, NULL};
  m.a = dae_value_new_data(t->reader, MAX(rows * columns, 1u));
  for (uint32_t k = 0; k < rows * columns; k++) {
    m.a[k] = dae_term_int(t->terms, 0);
  }
  return m;
}

static Matrix
matrix_of(const Total *t, uint32_t rows, uint32_t columns, const DaeTerm *a)
{
  Matrix m = {t->terms, rows, columns, NULL};
  m.a = dae_value_new_data(t->reader, MAX(rows * columns, 1u));
  memcpy(m.a, a, (size_t)rows * columns * sizeof(DaeTerm));
  return m;
}

static DaeTerm *
at(const Matrix *m, uint32_t i, uint32_t j)
{
  return &m->a[(size_t)i * m->columns + j];
}

static Matrix
turned(const Total *t, const Matrix *m)
{
  Matrix result = matrix_new(t, m->columns, m->rows);
  for (uint32_t i = 0; i < m->rows; i++) {
    for (uint32_t j = 0; j < m->columns; j++) {
      *at(&result, j, i) = *at(m, i, j);
    }
  }
  return result;
}

/* a + sign*b */
static Matrix
combined(const Total *t, const Matrix *a, int sign, const Matrix *b)
{
  Matrix result = matrix_new(t, a->rows, a->columns);
  for (uint32_t k = 0; k < a->rows * a->columns; k++) {
    result.a[k] = sign > 0 ? dae_term_add(t->terms, a->a[k], b->a[k])
                           : dae_term_sub(t->terms, a->a[k], b->a[k]);
  }
  return result;
}

static Matrix
product(const Total *t, const Matrix *a, const Matrix *b)
{
  Matrix result = matrix_new(t, a->rows, b->columns);
  g_autofree DaeTerm *sum = g_new(DaeTerm, a->columns + 1);
  for (uint32_t i = 0; i < a->rows; i++) {
    for (uint32_t j = 0; j < b->columns; j++) {
      for (uint32_t k = 0; k < a->columns; k++) {
        sum[k] = dae_term_mul(t->terms, *at(a, i, k), *at(b, k, j));
      }
      *at(&result, i, j) = dae_term_sum(t->terms, sum, a->columns);
    }
  }
  return result;
}

static Complex
complex_product(const Total *t, const Complex *a, const Complex *b)
{
  Matrix rr = product(t, &a->re, &b->re);
  Matrix ii = product(t, &a->im, &b->im);
  Matrix ri = product(t, &a->re, &b->im);
  Matrix ir = product(t, &a->im, &b->re);
  return (Complex){combined(t, &rr, -1, &ii), combined(t, &ri, 1, &ir)};
}

/* Outputs from..from + rows*columns of a method of x. */
static Matrix
outputs_of(const Total *t, uint32_t number, const DaeTerm *x, uint32_t from, uint32_t rows,
           uint32_t columns)
{
  Matrix result = matrix_new(t, rows, columns);
  for (uint32_t k = 0; k < rows * columns; k++) {
    result.a[k] = dae_term_routine(t->terms, number, from + k, x);
  }
  return result;
}

static uint32_t
method_number(const Total *t, const char *name, const int *sizes, uint32_t n_steps)
{
  DaeMethod method;
  bool is_there = dae_matrix_method(name, sizes, &method);
  DAE_ASSERT(is_there);
  method.n_continuous = UINT32_MAX; /* signs cancel in the formulas here */
  g_autofree uint8_t *is_step = g_new0(uint8_t, method.n_outputs + 1);
  memset(is_step + method.n_outputs - n_steps, 1, n_steps); /* the last ones */
  return dae_method_routine(t->reader, &method, is_step);
}

/* A\B by dgesv. */
static Matrix
solved(const Total *t, const Matrix *a, const Matrix *b)
{
  uint32_t n = a->rows;
  const int sizes[DAE_METHOD_SIZES] = {(int)n, (int)b->columns};
  uint32_t n_right = n * b->columns;
  uint32_t number = method_number(t, "dgesv", sizes, 1);
  g_autofree DaeTerm *x = g_new(DaeTerm, n * n + n_right);
  memcpy(x, a->a, (size_t)n * n * sizeof(DaeTerm));
  memcpy(x + (size_t)n * n, b->a, n_right * sizeof(DaeTerm));
  return outputs_of(t, number, x, 0, n, b->columns);
}

static void
give(const Total *t, uint32_t from, const Matrix *m)
{
  memcpy(t->outputs + from, m->a, (size_t)m->rows * m->columns * sizeof(DaeTerm));
}

/* Output k by differences, for what LAPACK chooses freely. */
static DaeTerm
by_differences(const Total *t, uint32_t k, uint32_t *plain)
{
  if (*plain == 0) {
    g_autofree uint8_t *is_step = g_new0(uint8_t, t->n_outputs);
    *plain = dae_terms_add_method_routine(t->terms, t->method->name, t->method, is_step) + 1;
  }
  DaeTerm call = dae_term_routine(t->terms, *plain - 1, k, t->x);
  g_autofree DaeTerm *sum = g_new(DaeTerm, t->n_inputs);
  for (uint32_t i = 0; i < t->n_inputs; i++) {
    sum[i] = dae_term_mul(t->terms, dae_term_routine_partial(t->terms, call, i), t->dx[i]);
  }
  return dae_term_sum(t->terms, sum, t->n_inputs);
}

/* ---- eigenvalues [Giles, Collected matrix derivative results, section 3.1] ------------------ */

typedef struct {
  uint32_t n;
  Matrix wr, wi;
  Complex v, w; /* w v = 1 */
  Matrix largest;
  Complex c; /* w A' v: its diagonal has the derivatives of the eigenvalues */
} Eigen;

static Eigen
eigen_of(const Total *t)
{
  uint32_t n = (uint32_t)t->method->sizes[0];
  uint32_t n2 = n * n;
  const int sizes[DAE_METHOD_SIZES] = {(int)n};
  uint32_t values = method_number(t, "dgeev", sizes, 1);
  uint32_t vectors = method_number(t, "eigen", sizes, n2);
  Complex direction = {matrix_of(t, n, n, t->dx), matrix_new(t, n, n)};
  Eigen e = {
      .n = n,
      .wr = outputs_of(t, values, t->x, 0, n, 1),
      .wi = outputs_of(t, values, t->x, n, n, 1),
      .v = {outputs_of(t, vectors, t->x, 0, n, n), outputs_of(t, vectors, t->x, n2, n, n)},
      .w = {outputs_of(t, vectors, t->x, 2 * n2, n, n),
            outputs_of(t, vectors, t->x, 3 * n2, n, n)},
      .largest = outputs_of(t, vectors, t->x, 4 * n2, n, n)};
  Complex right = complex_product(t, &direction, &e.v);
  e.c = complex_product(t, &e.w, &right);
  return e;
}

/* g with v' = v g: off the diagonal c[j,k]/(w[k] - w[j]). */
static Complex
mixing(const Total *t, const Eigen *e)
{
  DaeTerms *terms = t->terms;
  Complex g = {matrix_new(t, e->n, e->n), matrix_new(t, e->n, e->n)};
  for (uint32_t j = 0; j < e->n; j++) {
    for (uint32_t k = 0; k < e->n; k++) {
      if (j == k) {
        continue;
      }
      DaeTerm re = dae_term_sub(terms, e->wr.a[k], e->wr.a[j]);
      DaeTerm im = dae_term_sub(terms, e->wi.a[k], e->wi.a[j]);
      DaeTerm size =
          dae_term_add(terms, dae_term_mul(terms, re, re), dae_term_mul(terms, im, im));
      DaeTerm a = *at(&e->c.re, j, k);
      DaeTerm b = *at(&e->c.im, j, k);
      *at(&g.re, j, k) = dae_term_div(
          terms, dae_term_add(terms, dae_term_mul(terms, a, re), dae_term_mul(terms, b, im)),
          size);
      *at(&g.im, j, k) = dae_term_div(
          terms, dae_term_sub(terms, dae_term_mul(terms, b, re), dae_term_mul(terms, a, im)),
          size);
    }
  }
  return g;
}

/* The diagonal of g: vectors keep the length 1, and their largest elements stay real. */
static void
normalize(const Total *t, const Eigen *e, Complex *g)
{
  DaeTerms *terms = t->terms;
  Complex u = complex_product(t, &e->v, g);
  for (uint32_t k = 0; k < e->n; k++) {
    DaeTerm along = dae_term_int(terms, 0);
    DaeTerm turn = dae_term_int(terms, 0);
    DaeTerm size = dae_term_int(terms, 0);
    for (uint32_t i = 0; i < e->n; i++) {
      DaeTerm mark = *at(&e->largest, i, k);
      along = dae_term_add(
          terms, along,
          dae_term_add(terms, dae_term_mul(terms, *at(&e->v.re, i, k), *at(&u.re, i, k)),
                       dae_term_mul(terms, *at(&e->v.im, i, k), *at(&u.im, i, k))));
      turn = dae_term_add(terms, turn, dae_term_mul(terms, mark, *at(&u.im, i, k)));
      size = dae_term_add(terms, size, dae_term_mul(terms, mark, *at(&e->v.re, i, k)));
    }
    *at(&g->re, k, k) = dae_term_neg(terms, along);
    *at(&g->im, k, k) = dae_term_neg(terms, dae_term_div(terms, turn, size));
  }
}

static void
derive_eigen(const Total *t)
{
  Eigen e = eigen_of(t);
  Complex g = mixing(t, &e);
  normalize(t, &e, &g);
  Complex dv = complex_product(t, &e.v, &g);
  Complex gw = complex_product(t, &g, &e.w);
  Matrix none = matrix_new(t, e.n, e.n);
  Matrix dwr = combined(t, &none, -1, &gw.re);
  Matrix dwi = combined(t, &none, -1, &gw.im);
  uint32_t n2 = e.n * e.n;
  give(t, 0, &dv.re);
  give(t, n2, &dv.im);
  give(t, 2 * n2, &dwr);
  give(t, 3 * n2, &dwi);
}

static void
derive_eigenvalues(const Total *t)
{
  Eigen e = eigen_of(t);
  uint32_t n = e.n;
  for (uint32_t k = 0; k < n; k++) {
    t->outputs[k] = *at(&e.c.re, k, k);
    t->outputs[n + k] = *at(&e.c.im, k, k);
  }
  if (t->method->sizes[1] == 0) {
    return;
  }
  Complex g = mixing(t, &e);
  normalize(t, &e, &g);
  Complex dv = complex_product(t, &e.v, &g);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) { /* of a pair the first column is real, then imaginary */
      DaeTerm is_second =
          dae_term_relation(t->terms, DAE_REL_LT, e.wi.a[k], dae_term_int(t->terms, 0));
      t->outputs[2 * n + i * n + k] = dae_term_if(
          t->terms, is_second, dae_term_neg(t->terms, *at(&dv.im, i, k)), *at(&dv.re, i, k));
    }
  }
}

/* ---- singular values ------------------------------------------------------------------------ */

/* (p*a + q*b)/(s[j]^2 - s[i]^2) */
static DaeTerm
rotation(const Total *t, const Matrix *s, uint32_t i, uint32_t j, DaeTerm ij, DaeTerm ji,
         bool is_left)
{
  DaeTerms *terms = t->terms;
  DaeTerm above = dae_term_add(terms, dae_term_mul(terms, s->a[is_left ? j : i], ij),
                               dae_term_mul(terms, s->a[is_left ? i : j], ji));
  DaeTerm below = dae_term_sub(terms, dae_term_mul(terms, s->a[j], s->a[j]),
                               dae_term_mul(terms, s->a[i], s->a[i]));
  return dae_term_div(terms, above, below);
}

/* U = U Omega, V' = V Psi with skew-symmetric ones: U'A'V = Omega S + S' - S Psi. The bases of null
 * spaces of two and more dimensions are LAPACK's choice. */
static void
derive_singular_values(const Total *t)
{
  DaeTerms *terms = t->terms;
  uint32_t m = (uint32_t)t->method->sizes[0];
  uint32_t n = (uint32_t)t->method->sizes[1];
  uint32_t least = MIN(m, n);
  const int sizes[DAE_METHOD_SIZES] = {(int)m, (int)n, 1};
  uint32_t number = method_number(t, "dgesvd", sizes, 1);
  Matrix s = outputs_of(t, number, t->x, 0, least, 1);
  Matrix u = outputs_of(t, number, t->x, least, m, m);
  Matrix vt = outputs_of(t, number, t->x, least + m * m, n, n);
  Matrix ut = turned(t, &u);
  Matrix v = turned(t, &vt);
  Matrix direction = matrix_of(t, m, n, t->dx);
  Matrix right = product(t, &direction, &v);
  Matrix p = product(t, &ut, &right);
  for (uint32_t k = 0; k < least; k++) {
    t->outputs[k] = *at(&p, k, k);
  }
  if (t->method->sizes[2] == 0) {
    return;
  }
  Matrix omega = matrix_new(t, m, m);
  Matrix psi = matrix_new(t, n, n);
  for (uint32_t i = 0; i < least; i++) {
    for (uint32_t j = 0; j < least; j++) {
      if (i != j) {
        *at(&omega, i, j) = rotation(t, &s, i, j, *at(&p, i, j), *at(&p, j, i), true);
        *at(&psi, i, j) = rotation(t, &s, i, j, *at(&p, i, j), *at(&p, j, i), false);
      }
    }
    for (uint32_t q = least; q < m; q++) {
      *at(&omega, q, i) = dae_term_div(terms, *at(&p, q, i), s.a[i]);
      *at(&omega, i, q) = dae_term_neg(terms, *at(&omega, q, i));
    }
    for (uint32_t q = least; q < n; q++) {
      *at(&psi, i, q) = dae_term_neg(terms, dae_term_div(terms, *at(&p, i, q), s.a[i]));
      *at(&psi, q, i) = dae_term_neg(terms, *at(&psi, i, q));
    }
  }
  Matrix du = product(t, &u, &omega);
  Matrix dv = product(t, &v, &psi);
  Matrix dvt = turned(t, &dv);
  give(t, least, &du);
  give(t, least + m * m, &dvt);
  uint32_t plain = 0;
  for (uint32_t i = 0; i < m && m > n + 1; i++) {
    for (uint32_t q = least; q < m; q++) {
      t->outputs[least + i * m + q] = by_differences(t, least + i * m + q, &plain);
    }
  }
  for (uint32_t q = least; q < n && n > m + 1; q++) {
    for (uint32_t j = 0; j < n; j++) {
      uint32_t k = least + m * m + q * n + j;
      t->outputs[k] = by_differences(t, k, &plain);
    }
  }
}

/* ---- orthogonal factors: the method step by step, the columns in LAPACK's order ------------- */

/* a[i..m, j] of the columns from `first` on: reflected by 1 - tau v v'. */
static void
reflect(const Total *t, Matrix *a, uint32_t k, DaeTerm tau, const DaeTerm *v, uint32_t first)
{
  DaeTerms *terms = t->terms;
  for (uint32_t j = first; j < a->columns; j++) {
    DaeTerm sum = *at(a, k, j);
    for (uint32_t i = k + 1; i < a->rows; i++) {
      sum = dae_term_add(terms, sum, dae_term_mul(terms, v[i], *at(a, i, j)));
    }
    sum = dae_term_mul(terms, tau, sum);
    *at(a, k, j) = dae_term_sub(terms, *at(a, k, j), sum);
    for (uint32_t i = k + 1; i < a->rows; i++) {
      *at(a, i, j) = dae_term_sub(terms, *at(a, i, j), dae_term_mul(terms, sum, v[i]));
    }
  }
}

/* Terms in x to their derivatives along dx. */
static void
derive_along(const Total *t, const DaeTerm *values, uint32_t from, uint32_t n)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(t->terms);
  for (uint32_t i = 0; i < t->n_inputs; i++) {
    dae_subst_set(subst, dae_term_total(t->terms, t->x[i]), t->dx[i]);
  }
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm slope = dae_term_total(t->terms, values[k]);
    t->outputs[from + k] =
        slope != DAE_NO_TERM ? dae_subst_apply(subst, slope) : dae_term_undefined(t->terms);
  }
}

static void
derive_qr(const Total *t)
{
  DaeTerms *terms = t->terms;
  uint32_t m = (uint32_t)t->method->sizes[0];
  uint32_t n = (uint32_t)t->method->sizes[1];
  uint32_t least = MIN(m, n);
  Matrix a = matrix_new(t, m, n);
  Matrix tau = matrix_new(t, least, 1);
  g_autofree DaeTerm *choice = g_new(DaeTerm, n + 1);
  g_autofree DaeTerm *v = g_new0(DaeTerm, m + 1);
  for (uint32_t j = 0; j < n; j++) {
    choice[0] = dae_term_routine(terms, t->number, m * n + j, t->x);
    for (uint32_t i = 0; i < m; i++) {
      memcpy(choice + 1, t->x + (size_t)i * n, n * sizeof(DaeTerm));
      *at(&a, i, j) = n > 1 ? dae_term_call(terms, DAE_FN_SELECT, choice, n + 1) : t->x[i];
    }
  }
  for (uint32_t k = 0; k < least && k + 1 < m; k++) {
    DaeTerm square = dae_term_int(terms, 0);
    for (uint32_t i = k; i < m; i++) {
      square = dae_term_add(terms, square, dae_term_mul(terms, *at(&a, i, k), *at(&a, i, k)));
    }
    DaeTerm alpha = *at(&a, k, k);
    DaeTerm norm = dae_term_pow(terms, square, dae_term_ratio(terms, 1, 2));
    DaeTerm beta =
        dae_term_if(terms, dae_term_relation(terms, DAE_REL_LT, alpha, dae_term_int(terms, 0)),
                    norm, dae_term_neg(terms, norm));
    tau.a[k] = dae_term_div(terms, dae_term_sub(terms, beta, alpha), beta);
    for (uint32_t i = k + 1; i < m; i++) {
      v[i] = dae_term_div(terms, *at(&a, i, k), dae_term_sub(terms, alpha, beta));
    }
    reflect(t, &a, k, tau.a[k], v, k + 1);
    *at(&a, k, k) = beta;
    for (uint32_t i = k + 1; i < m; i++) {
      *at(&a, i, k) = v[i];
    }
  }
  derive_along(t, a.a, 0, m * n);
  derive_along(t, tau.a, m * n + n, least);
}

static void
derive_q(const Total *t)
{
  uint32_t m = (uint32_t)t->method->sizes[0];
  uint32_t n = (uint32_t)t->method->sizes[1];
  Matrix q = matrix_new(t, m, n);
  g_autofree DaeTerm *v = g_new0(DaeTerm, m + 1);
  for (uint32_t j = 0; j < n; j++) {
    *at(&q, j, j) = dae_term_int(t->terms, 1);
  }
  for (uint32_t k = (uint32_t)t->method->sizes[2]; k-- > 0;) {
    for (uint32_t i = k + 1; i < m; i++) {
      v[i] = t->x[(size_t)i * n + k];
    }
    reflect(t, &q, k, t->x[(size_t)m * n + k], v, k);
  }
  derive_along(t, q.a, 0, m * n);
}

/* ---- equations ------------------------------------------------------------------------------ */

/* A X' = B' - A' X */
static void
derive_solution(const Total *t)
{
  uint32_t n = (uint32_t)t->method->sizes[0];
  uint32_t n_right = (uint32_t)t->method->sizes[1];
  Matrix a = matrix_of(t, n, n, t->x);
  Matrix da = matrix_of(t, n, n, t->dx);
  Matrix db = matrix_of(t, n, n_right, t->dx + (size_t)n * n);
  Matrix x = outputs_of(t, t->number, t->x, 0, n, n_right);
  Matrix known = product(t, &da, &x);
  Matrix right = combined(t, &db, -1, &known);
  Matrix dx = solved(t, &a, &right);
  give(t, 0, &dx);
}

/* op(A) X' + sign X' op(B) = C' - op(A') X - sign X op(B'), where C is not scaled */
static void
derive_sylvester(const Total *t)
{
  uint32_t m = (uint32_t)t->method->sizes[0];
  uint32_t n = (uint32_t)t->method->sizes[1];
  Matrix da = matrix_of(t, m, m, t->dx);
  Matrix db = matrix_of(t, n, n, t->dx + (size_t)m * m);
  Matrix dc = matrix_of(t, m, n, t->dx + (size_t)m * m + (size_t)n * n);
  da = t->method->sizes[2] != 0 ? turned(t, &da) : da;
  db = t->method->sizes[3] != 0 ? turned(t, &db) : db;
  Matrix x = outputs_of(t, t->number, t->x, 0, m, n);
  DaeTerm scale = dae_term_routine(t->terms, t->number, m * n, t->x);
  Matrix left = product(t, &da, &x);
  Matrix back = product(t, &x, &db);
  Matrix known = combined(t, &left, t->method->sizes[4], &back);
  for (uint32_t k = 0; k < m * n; k++) {
    dc.a[k] = dae_term_mul(t->terms, scale, dc.a[k]);
  }
  Matrix right = combined(t, &dc, -1, &known);
  g_autofree DaeTerm *again = g_memdup2(t->x, t->n_inputs * sizeof(DaeTerm));
  memcpy(again + (size_t)m * m + (size_t)n * n, right.a, (size_t)m * n * sizeof(DaeTerm));
  Matrix dx = outputs_of(t, t->number, again, 0, m, n);
  DaeTerm own_scale = dae_term_routine(t->terms, t->number, m * n, again);
  for (uint32_t k = 0; k < m * n; k++) {
    dx.a[k] = dae_term_div(t->terms, dx.a[k], own_scale);
  }
  give(t, 0, &dx);
}

/* A'(c - A x) = B' mu, B x = d differentiated: the system with A'A, B', B and 0. */
static void
derive_constrained(const Total *t)
{
  uint32_t m = (uint32_t)t->method->sizes[0];
  uint32_t n = (uint32_t)t->method->sizes[1];
  uint32_t p = (uint32_t)t->method->sizes[2];
  size_t from_b = (size_t)m * n;
  size_t from_c = from_b + (size_t)p * n;
  Matrix a = matrix_of(t, m, n, t->x);
  Matrix b = matrix_of(t, p, n, t->x + from_b);
  Matrix c = matrix_of(t, m, 1, t->x + from_c);
  Matrix da = matrix_of(t, m, n, t->dx);
  Matrix db = matrix_of(t, p, n, t->dx + from_b);
  Matrix dc = matrix_of(t, m, 1, t->dx + from_c);
  Matrix dd = matrix_of(t, p, 1, t->dx + from_c + m);
  Matrix at_ = turned(t, &a);
  Matrix bt = turned(t, &b);
  Matrix dat = turned(t, &da);
  Matrix dbt = turned(t, &db);
  Matrix x = outputs_of(t, t->number, t->x, 0, n, 1);
  Matrix ax = product(t, &a, &x);
  Matrix rest = combined(t, &c, -1, &ax);
  Matrix pull = product(t, &at_, &rest);
  Matrix bbt = product(t, &b, &bt);
  Matrix bpull = product(t, &b, &pull);
  Matrix mu = solved(t, &bbt, &bpull);
  Matrix dax = product(t, &da, &x);
  Matrix moved = combined(t, &dc, -1, &dax);
  Matrix first = product(t, &dat, &rest);
  Matrix second = product(t, &at_, &moved);
  Matrix third = product(t, &dbt, &mu);
  Matrix sum = combined(t, &first, 1, &second);
  Matrix above = combined(t, &sum, -1, &third);
  Matrix dbx = product(t, &db, &x);
  Matrix below = combined(t, &dd, -1, &dbx);
  Matrix ata = product(t, &at_, &a);
  Matrix all = matrix_new(t, n + p, n + p);
  Matrix right = matrix_new(t, n + p, 1);
  for (uint32_t i = 0; i < n; i++) {
    right.a[i] = above.a[i];
    memcpy(at(&all, i, 0), at(&ata, i, 0), n * sizeof(DaeTerm));
    for (uint32_t j = 0; j < p; j++) {
      *at(&all, i, n + j) = *at(&b, j, i);
      *at(&all, n + j, i) = *at(&b, j, i);
      right.a[n + j] = below.a[j];
    }
  }
  Matrix solution = solved(t, &all, &right);
  memcpy(t->outputs, solution.a, n * sizeof(DaeTerm));
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct {
  const char *name;
  void (*derive)(const Total *);
} formulas[] = {
    {"dgeev", derive_eigenvalues},
    {"eigen", derive_eigen},
    {"dgesvd", derive_singular_values},
    {"dgeqp3", derive_qr},
    {"dorgqr", derive_q},
    {"dgesv", derive_solution},
    {"dtrsyl", derive_sylvester},
    {"dgglse", derive_constrained},
};

/* An output without a derivative stays 0: LAPACK's info, places, scales. */
static void
add_total(const Total *t, void (*derive)(const Total *), uint32_t total)
{
  derive(t);
  const DaeRoutine routine = {.inputs = t->x,
                              .outputs = t->outputs,
                              .n_inputs = 2 * t->n_inputs,
                              .n_outputs = t->n_outputs};
  dae_terms_define_routine(t->terms, total, &routine);
}

void
dae_method_derive(DaeReader *reader, uint32_t number)
{
  DaeTerms *terms = reader->terms;
  const DaeMethod *method = dae_terms_routine_method(terms, number);
  const DaeRoutine parts = *dae_terms_routine(terms, number);
  void (*derive)(const Total *) = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS(formulas); i++) {
    derive = strcmp(formulas[i].name, method->name) == 0 ? formulas[i].derive : derive;
  }
  if (derive == NULL) {
    return;
  }
  uint32_t n = parts.n_inputs;
  g_autofree char *name = g_strdup_printf("%s.slope", method->name);
  g_autofree DaeTerm *formals = g_new(DaeTerm, 2 * (size_t)n);
  g_autofree DaeTerm *outputs = g_new(DaeTerm, parts.n_outputs);
  g_autofree uint8_t *by_total = g_new(uint8_t, n);
  memset(by_total, 1, n);
  for (uint32_t i = 0; i < 2 * n; i++) {
    formals[i] = dae_terms_formal(terms, i);
  }
  for (uint32_t k = 0; k < parts.n_outputs; k++) {
    outputs[k] = dae_term_int(terms, 0);
  }
  uint32_t total = dae_terms_declare_routine(terms, name, 2 * n, parts.n_outputs);
  const Total t = {.reader = reader,
                   .terms = terms,
                   .number = number,
                   .method = method,
                   .n_inputs = n,
                   .n_outputs = parts.n_outputs,
                   .x = formals,
                   .dx = formals + n,
                   .outputs = outputs};
  add_total(&t, derive, total);
  dae_terms_set_routine_derivative(terms, number, total, by_total);
}
