/* Zeros of a system of terms in double precision, with exact Jacobians from the
 * terms: an independent check. */
#ifndef TESTS_QLT_POINTS_H
#define TESTS_QLT_POINTS_H

#include <math.h>
#include <string.h>

#include "terms/terms.h"

typedef struct {
  DaeTerms *terms;
  GArray *rows;     /* DaeTerm: 0 = row */
  GPtrArray *atoms; /* per row: GArray of DaeTerm */
  GPtrArray *partials;
  GArray *unknowns;  /* DaeTerm, all atoms that occur */
  GHashTable *place; /* atom -> 1 + place in unknowns */
  double *x;
  bool *is_fixed;
  double time;
  /* largest |row| relative to the sizes of its terms, at the last evaluation */
  double residual;
  uint32_t state;
} System;

static inline System *
system_new(DaeTerms *terms, const GArray *rows)
{
  System *s = g_new0(System, 1);
  s->terms = terms;
  s->rows = g_array_copy((GArray *)rows);
  s->atoms = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  s->partials = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  s->unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  s->place = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < rows->len; i++) {
    GArray *atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    GArray *partials = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_gradient(terms, g_array_index(rows, DaeTerm, i), atoms, partials);
    g_ptr_array_add(s->atoms, atoms);
    g_ptr_array_add(s->partials, partials);
    for (uint32_t k = 0; k < atoms->len; k++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, k);
      if (!g_hash_table_contains(s->place, GUINT_TO_POINTER(atom))) {
        g_array_append_val(s->unknowns, atom);
        g_hash_table_insert(s->place, GUINT_TO_POINTER(atom),
                            GUINT_TO_POINTER(s->unknowns->len));
      }
    }
  }
  s->x = g_new0(double, s->unknowns->len + 1);
  s->is_fixed = g_new0(bool, s->unknowns->len + 1);
  return s;
}

static inline void
system_free(System *s)
{
  g_array_unref(s->rows);
  g_ptr_array_unref(s->atoms);
  g_ptr_array_unref(s->partials);
  g_array_unref(s->unknowns);
  g_hash_table_unref(s->place);
  g_free(s->x);
  g_free(s->is_fixed);
  g_free(s);
}

/* Place of an atom, or -1. */
static inline int
system_find(const System *s, DaeTerm atom)
{
  return (int)GPOINTER_TO_UINT(g_hash_table_lookup(s->place, GUINT_TO_POINTER(atom))) - 1;
}

static inline bool
system_atom(void *user, DaeTerm atom, double *value)
{
  const System *s = user;
  if (dae_term_kind(s->terms, atom) == DAE_KIND_TIME) {
    *value = s->time;
    return true;
  }
  int place = system_find(s, atom);
  *value = place >= 0 ? s->x[place] : 0;
  return place >= 0;
}

static inline bool
system_value(System *s, DaeTerm t, double *value)
{
  return dae_term_eval_double(s->terms, t, system_atom, s, value) == DAE_EVAL_OK &&
         isfinite(*value);
}

static inline double
system_random(System *s)
{
  s->state = s->state * 1664525u + 1013904223u;
  return (double)(s->state >> 8) / 8388608.0 - 1.0;
}

/* Jacobian of the free unknowns and residual in the last column, rows
 * scaled to largest free partial 1. */
static inline bool
system_evaluate(System *s, double *a)
{
  uint32_t n = s->unknowns->len;
  s->residual = 0;
  for (uint32_t i = 0; i < s->rows->len; i++) {
    double size = 0;
    double *row = a + (size_t)i * (n + 1);
    const GArray *atoms = g_ptr_array_index(s->atoms, i);
    const GArray *partials = g_ptr_array_index(s->partials, i);
    double largest = 0;
    double largest_free = 0;
    memset(row, 0, (n + 1) * sizeof(double));
    if (!system_value(s, g_array_index(s->rows, DaeTerm, i), &row[n])) {
      return false;
    }
    for (uint32_t k = 0; k < atoms->len; k++) {
      int j = system_find(s, g_array_index(atoms, DaeTerm, k));
      double value = 0;
      if (!system_value(s, g_array_index(partials, DaeTerm, k), &value)) {
        return false;
      }
      largest = fmax(largest, fabs(value));
      size += fabs(value * s->x[j]);
      row[j] = s->is_fixed[j] ? 0 : value;
      largest_free = fmax(largest_free, fabs(row[j]));
    }
    s->residual = fmax(s->residual, fabs(row[n]) / (largest + size + 1e-12));
    for (uint32_t j = 0; largest_free > 0 && j <= n; j++) {
      row[j] /= largest_free;
    }
  }
  return true;
}

/* Rows and columns scaled in turn, so that ranks do not depend on units:
 * columns are divided by scale. */
static inline void
system_equilibrate(double *a, uint32_t m, uint32_t n, double *scale)
{
  for (uint32_t j = 0; j < n; j++) {
    scale[j] = 1;
  }
  for (int round = 0; round < 6; round++) {
    for (uint32_t j = 0; j < n; j++) {
      double largest = 0;
      for (uint32_t i = 0; i < m; i++) {
        largest = fmax(largest, fabs(a[(size_t)i * (n + 1) + j]));
      }
      for (uint32_t i = 0; i < m && largest > 0; i++) {
        a[(size_t)i * (n + 1) + j] /= largest;
      }
      scale[j] *= largest > 0 ? largest : 1;
    }
    for (uint32_t i = 0; i < m; i++) {
      double largest = 0;
      for (uint32_t j = 0; j < n; j++) {
        largest = fmax(largest, fabs(a[(size_t)i * (n + 1) + j]));
      }
      for (uint32_t j = 0; j <= n && largest > 0; j++) {
        a[(size_t)i * (n + 1) + j] /= largest;
      }
    }
  }
}

/* Gauss-Jordan with full pivoting; returns the rank. */
static inline uint32_t
system_eliminate(double *a, uint32_t m, uint32_t n, uint32_t *pivot)
{
  uint32_t rank = 0;
  for (; rank < MIN(m, n); rank++) {
    uint32_t p = rank;
    uint32_t q = 0;
    double best = 0;
    for (uint32_t i = rank; i < m; i++) {
      for (uint32_t j = 0; j < n; j++) {
        if (fabs(a[(size_t)i * (n + 1) + j]) > best) {
          best = fabs(a[(size_t)i * (n + 1) + j]);
          p = i;
          q = j;
        }
      }
    }
    if (best < 1e-9) {
      break;
    }
    for (uint32_t j = 0; j <= n && p != rank; j++) {
      double swap = a[(size_t)p * (n + 1) + j];
      a[(size_t)p * (n + 1) + j] = a[(size_t)rank * (n + 1) + j];
      a[(size_t)rank * (n + 1) + j] = swap;
    }
    pivot[rank] = q;
    for (uint32_t i = 0; i < m; i++) {
      double factor = a[(size_t)i * (n + 1) + q] / a[(size_t)rank * (n + 1) + q];
      for (uint32_t j = 0; i != rank && factor != 0 && j <= n; j++) {
        a[(size_t)i * (n + 1) + j] -= factor * a[(size_t)rank * (n + 1) + j];
      }
    }
  }
  return rank;
}

/* Newton on the free unknowns. Returns the largest relative residual reached
 * (HUGE_VAL outside the domain). */
static inline double
system_solve(System *s, uint32_t *rank)
{
  uint32_t n = s->unknowns->len;
  uint32_t m = s->rows->len;
  g_autofree double *a = g_new(double, (size_t)(m + 1) * (n + 1));
  g_autofree uint32_t *pivot = g_new(uint32_t, MIN(m, n) + 1);
  g_autofree double *scale = g_new(double, n + 1);
  double residual = HUGE_VAL;
  for (int step = 0; step < 60; step++) {
    if (!system_evaluate(s, a)) {
      return HUGE_VAL;
    }
    residual = s->residual;
    system_equilibrate(a, m, n, scale);
    *rank = system_eliminate(a, m, n, pivot);
    if (residual < 1e-11) {
      break;
    }
    for (uint32_t r = 0; r < *rank; r++) {
      const double *row = a + (size_t)r * (n + 1);
      s->x[pivot[r]] -= row[n] / row[pivot[r]] / scale[pivot[r]];
    }
  }
  return residual;
}

#endif
