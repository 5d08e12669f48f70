/* The order in which discrete values are computed: strong components of their dependences
 * [Tarjan72]. A component of several, or one that uses itself, is a loop; closed Boolean loops
 * are decided here, by trying all positions, those of numbers by elimination (loop_numbers.c). */
#include "hybrid/hybrid-priv.h"
#include "structural/graph.h"

#define MOST_BITS 20

static DaeCsr *
dependences(const DaeHybrid *hybrid, GArray *places)
{
  DaeTerms *terms = hybrid->terms;
  uint32_t n = hybrid->discrete->len;
  g_autoptr(GHashTable) number = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t k = 0; k < n; k++) {
    g_hash_table_insert(number,
                        GUINT_TO_POINTER(g_array_index(hybrid->discrete, DaeDiscrete, k).now),
                        GUINT_TO_POINTER(k + 1));
  }
  for (uint32_t k = 0; k < n; k++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(GArray) row = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(starts, places->len);
    dae_term_collect_parameters(terms, g_array_index(hybrid->discrete, DaeDiscrete, k).value,
                                atoms);
    for (guint a = 0; a < atoms->len; a++) {
      guint other = GPOINTER_TO_UINT(
          g_hash_table_lookup(number, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, a))));
      if (other > 0) {
        uint32_t column = other - 1;
        guint at = row->len;
        while (at > 0 && g_array_index(row, uint32_t, at - 1) > column) {
          at--;
        }
        g_array_insert_val(row, at, column);
      }
    }
    g_array_append_vals(places, row->data, row->len);
  }
  DaeCsr *csr = dae_csr_new(n, n, places->len, false);
  for (uint32_t k = 0; k < n; k++) {
    csr->start[k] = g_array_index(starts, uint32_t, k);
  }
  csr->start[n] = places->len;
  for (guint e = 0; e < places->len; e++) {
    csr->column[e] = g_array_index(places, uint32_t, e);
  }
  return csr;
}

static bool
uses_itself(const DaeCsr *csr, uint32_t k)
{
  for (size_t e = csr->start[k]; e < csr->start[k + 1]; e++) {
    if (csr->column[e] == k) {
      return true;
    }
  }
  return false;
}

/* ---- closed Boolean loops ---------------------------------------------------------------- */

typedef struct {
  DaeTerms *terms;
  GHashTable *place; /* atom -> place in the loop + 1 */
  uint32_t bits;
} Position;

static DaeTerm
bit_of(void *user, DaeTerm atom)
{
  const Position *position = user;
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(position->place, GUINT_TO_POINTER(atom)));
  return place == 0 ? DAE_NO_TERM
                    : dae_term_int(position->terms, (position->bits >> (place - 1)) & 1u);
}

/* Do all equations of the loop hold at this position? *closed is false
 * when something else decides. */
static bool
holds_at(const DaeHybrid *hybrid, const uint32_t *members, uint32_t n, Position *position,
         bool *closed)
{
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm value = DAE_NO_TERM;
    DaeEvalStatus status = dae_term_eval_exact(
        hybrid->terms, g_array_index(hybrid->discrete, DaeDiscrete, members[i]).value, bit_of,
        position, &value);
    if (status != DAE_EVAL_OK) {
      *closed = false;
      return false;
    }
    int64_t number = 0;
    dae_term_get_int64(hybrid->terms, value, &number);
    if (number != (int64_t)((position->bits >> i) & 1u)) {
      return false;
    }
  }
  return true;
}

/* The right side; of a Boolean the condition, not `if condition then 1 else 0`. */
static DaeTerm
as_written(const DaeHybrid *hybrid, const DaeDiscrete *discrete)
{
  DaeTerms *terms = hybrid->terms;
  DaeTerm value = discrete->value;
  bool is_truth = discrete->type == DAE_TYPE_BOOLEAN &&
                  dae_term_kind(terms, value) == DAE_KIND_IF &&
                  dae_term_operand(terms, value, 1) == dae_term_int(terms, 1) &&
                  dae_term_operand(terms, value, 2) == dae_term_int(terms, 0);
  return is_truth ? dae_term_operand(terms, value, 0) : value;
}

static void
append_equations(const DaeHybrid *hybrid, const uint32_t *members, uint32_t n, GString *text)
{
  for (uint32_t i = 0; i < n; i++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, members[i]);
    g_autofree char *left = dae_term_to_string(hybrid->terms, discrete->now);
    g_autofree char *right = dae_term_to_string(hybrid->terms, as_written(hybrid, discrete));
    g_autofree char *place = dae_span_text(discrete->span);
    g_string_append_printf(text, "\n  %s = %s  (%s)", left, right, place);
  }
}

static void
tell_no_solution(const DaeHybrid *hybrid, const uint32_t *members, uint32_t n, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  append_equations(hybrid, members, n, text);
  g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE,
              "no values of these discrete variables fulfil their equations:%s", text->str);
}

/* false: not all are Booleans, or something else decides. */
static bool
count_positions(const DaeHybrid *hybrid, const uint32_t *members, uint32_t n,
                uint32_t *n_solutions)
{
  g_autoptr(GHashTable) place = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, members[i]);
    if (discrete->type != DAE_TYPE_BOOLEAN || n > MOST_BITS) {
      return false;
    }
    g_hash_table_insert(place, GUINT_TO_POINTER(discrete->now), GUINT_TO_POINTER(i + 1));
  }
  Position position = {hybrid->terms, place, 0};
  bool closed = true;
  *n_solutions = 0;
  for (uint32_t bits = 0; closed && *n_solutions < 2 && bits < (1u << n); bits++) {
    position.bits = bits;
    *n_solutions += holds_at(hybrid, members, n, &position, &closed) ? 1 : 0;
  }
  return closed;
}

/* What is not closed is looked at while it runs. */
static bool
decide_loop(DaeHybrid *hybrid, const uint32_t *members, uint32_t n, GError **error)
{
  uint32_t n_solutions = 1;
  bool closed = count_positions(hybrid, members, n, &n_solutions) ||
                dae_hybrid_count_numbers(hybrid, members, n, &n_solutions);
  if (closed && n_solutions == 0) {
    tell_no_solution(hybrid, members, n, error);
    return false;
  }
  if (closed && n_solutions > 1) {
    hybrid->doubt = hybrid->doubt != NULL ? hybrid->doubt : g_string_new(NULL);
    append_equations(hybrid, members, n, hybrid->doubt);
  }
  return true;
}

bool
dae_hybrid_sort(DaeHybrid *hybrid, GError **error)
{
  uint32_t n = hybrid->discrete->len;
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(DaeCsr) csr = dependences(hybrid, places);
  g_autofree uint32_t *vertices = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *first = g_new0(uint32_t, n + 2);
  uint32_t n_components = dae_graph_components(csr, NULL, vertices, first);
  g_autofree uint32_t *new_place = g_new0(uint32_t, n + 1);
  for (uint32_t c = 0; c < n_components; c++) {
    const uint32_t *members = &vertices[first[c]];
    uint32_t size = first[c + 1] - first[c];
    bool is_loop = size > 1 || uses_itself(csr, members[0]);
    if (is_loop && !decide_loop(hybrid, members, size, error)) {
      return false;
    }
    for (uint32_t i = 0; i < size; i++) {
      g_array_index(hybrid->discrete, DaeDiscrete, members[i]).in_loop = is_loop;
      new_place[members[i]] = first[c] + i;
    }
  }
  GArray *sorted = g_array_new(FALSE, TRUE, sizeof(DaeDiscrete));
  for (uint32_t k = 0; k < n; k++) {
    g_array_append_val(sorted, g_array_index(hybrid->discrete, DaeDiscrete, vertices[k]));
  }
  g_array_free(hybrid->discrete, TRUE);
  hybrid->discrete = sorted;
  for (uint32_t j = 0; j < hybrid->discrete_of_variable->len; j++) {
    uint32_t *k = &g_array_index(hybrid->discrete_of_variable, uint32_t, j);
    *k = *k > 0 ? new_place[*k - 1] + 1 : 0;
  }
  return true;
}
