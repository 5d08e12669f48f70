/* More digits for the blocks of the start that double precision leaves in doubt: is there a
 * solution near? Together with the blocks that their unknowns depend on, as far as that stays
 * small, else alone with the numbers that were found for the others. */
#include "algebra/enclose.h"
#include "start/start-priv.h"

/* Unknowns of a system in many digits, and counted work on it. */
#define MOST_TOGETHER 60
#define MOST_STEPS UINT64_C(2000000)
/* Unknowns up to which independent rows are chosen by their numbers. */
#define MOST_CHOSEN 2000

typedef struct {
  const DaeStartAssembly *assembly;
  const DaeStartNumbers *numbers;
  const DaeStartBlocks *blocks;
  const double *units;
  uint32_t *block_of; /* n: of each unknown */
  DaeAlgebra *algebra;
} Judge;

typedef struct {
  GArray *equations, *unknowns; /* DaeTerm */
  GArray *columns;              /* uint32_t */
  GArray *near, *units;         /* double */
} Square;

static Square
square_new(void)
{
  return (Square){
      g_array_new(FALSE, FALSE, sizeof(DaeTerm)), g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
      g_array_new(FALSE, FALSE, sizeof(uint32_t)), g_array_new(FALSE, FALSE, sizeof(double)),
      g_array_new(FALSE, FALSE, sizeof(double))};
}

static void
square_clear(Square *square)
{
  g_array_unref(square->equations);
  g_array_unref(square->unknowns);
  g_array_unref(square->columns);
  g_array_unref(square->near);
  g_array_unref(square->units);
}

static void
add_block(const Judge *judge, uint32_t b, const double *x, Square *square)
{
  const uint32_t *rows = NULL;
  const uint32_t *columns = NULL;
  uint32_t n = dae_start_block(judge->blocks, b, &rows, &columns);
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm equation = g_array_index(judge->assembly->equations, DaeTerm, rows[k]);
    equation = dae_start_actual(judge->assembly, equation);
    g_array_append_val(square->equations, equation);
    g_array_append_val(square->unknowns,
                       g_array_index(judge->assembly->unknowns, DaeTerm, columns[k]));
    g_array_append_val(square->columns, columns[k]);
    g_array_append_val(square->near, x[columns[k]]);
    g_array_append_val(square->units, judge->units[columns[k]]);
  }
}

/* The block and those before it that it depends on. false: too many. */
static bool
collect_before(const Judge *judge, uint32_t b, const double *x, Square *square)
{
  const DaePattern pattern = dae_start_pattern(judge->numbers);
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(open, b);
  g_hash_table_add(seen, GUINT_TO_POINTER(b + 1));
  for (guint at = 0; at < open->len; at++) {
    const uint32_t *rows = NULL;
    const uint32_t *columns = NULL;
    uint32_t next = g_array_index(open, uint32_t, at);
    uint32_t n = dae_start_block(judge->blocks, next, &rows, &columns);
    if (square->columns->len + n > MOST_TOGETHER) {
      return false;
    }
    add_block(judge, next, x, square);
    for (uint32_t k = 0; k < n; k++) {
      for (uint32_t e = pattern.row_start[rows[k]]; e < pattern.row_start[rows[k] + 1]; e++) {
        uint32_t other = judge->block_of[pattern.column[e]];
        if (g_hash_table_add(seen, GUINT_TO_POINTER(other + 1))) {
          g_array_append_val(open, other);
        }
      }
    }
  }
  return true;
}

/* The unknowns of other blocks at the numbers that were found. */
static void
take_numbers(const Judge *judge, const double *x, Square *square)
{
  DaeTerms *terms = judge->assembly->terms;
  g_autoptr(GHashTable) own = g_hash_table_new(NULL, NULL);
  DaeSubst *values = dae_subst_new(terms);
  for (guint k = 0; k < square->unknowns->len; k++) {
    g_hash_table_add(own, GUINT_TO_POINTER(g_array_index(square->unknowns, DaeTerm, k)));
  }
  for (uint32_t j = 0; j < judge->numbers->n; j++) {
    DaeTerm atom = g_array_index(judge->assembly->unknowns, DaeTerm, j);
    if (!g_hash_table_contains(own, GUINT_TO_POINTER(atom))) {
      dae_subst_set(values, atom, dae_term_from_double(terms, x[j]));
    }
  }
  for (guint k = 0; k < square->equations->len; k++) {
    DaeTerm *equation = &g_array_index(square->equations, DaeTerm, k);
    DaeTerm at = dae_subst_apply(values, *equation);
    *equation = at != DAE_NO_TERM ? at : *equation;
  }
  dae_subst_free(values);
}

static DaePointAnswer
ask(const Judge *judge, const Square *square, double *x)
{
  uint32_t n = square->columns->len;
  g_autofree double *found = g_new0(double, n + 1);
  const DaeSquareSystem system = {(const DaeTerm *)(void *)square->equations->data,
                                  (const DaeTerm *)(void *)square->unknowns->data,
                                  (const double *)(void *)square->near->data, n};
  const double *units = (const double *)(void *)square->units->data;
  DaePointAnswer answer = dae_algebra_judge_point(judge->algebra, &system, units, found);
  bool is_found = answer == DAE_POINT_PROVED || answer == DAE_POINT_MULTIPLE;
  for (uint32_t k = 0; is_found && k < n; k++) {
    x[g_array_index(square->columns, uint32_t, k)] = found[k];
  }
  return answer;
}

static DaePointAnswer
judge_block(const Judge *judge, uint32_t b, double *x)
{
  DaePointAnswer answer = DAE_POINT_OPEN;
  Square square = square_new();
  if (collect_before(judge, b, x, &square)) {
    answer = ask(judge, &square, x);
  }
  square_clear(&square);
  if (answer == DAE_POINT_OPEN) {
    square = square_new();
    add_block(judge, b, x, &square);
    take_numbers(judge, x, &square);
    answer = ask(judge, &square, x);
    square_clear(&square);
  }
  return answer;
}

static void
number_unknowns(const DaeStartBlocks *blocks, uint32_t *block_of)
{
  for (uint32_t b = 0; b < dae_start_blocks_count(blocks); b++) {
    const uint32_t *rows = NULL;
    const uint32_t *columns = NULL;
    uint32_t n = dae_start_block(blocks, b, &rows, &columns);
    for (uint32_t k = 0; k < n; k++) {
      block_of[columns[k]] = b;
    }
  }
}

/* Of more equations than unknowns those that are independent at x. */
static DaeStartBlocks *
choose_blocks(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers, const double *x)
{
  g_autofree bool *is_kept = dae_start_independent_rows(numbers, x);
  return is_kept != NULL ? dae_start_blocks_new(assembly, numbers, is_kept) : NULL;
}

DaeStartJudgement
dae_start_judge(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                const DaeStartBlocks *blocks, const double *units, double *x)
{
  g_autoptr(DaeStartBlocks) chosen = NULL;
  if (numbers->m > numbers->n && numbers->n <= MOST_CHOSEN) {
    chosen = choose_blocks(assembly, numbers, x);
    blocks = chosen;
  }
  if (blocks == NULL) {
    return DAE_START_OPEN;
  }
  g_autoptr(GArray) doubtful = dae_start_doubtful_blocks(assembly, numbers, blocks, units, x);
  if (doubtful->len == 0) {
    return DAE_START_CLEAR;
  }
  g_autofree uint32_t *block_of = g_new0(uint32_t, numbers->n + 1);
  number_unknowns(blocks, block_of);
  g_autoptr(DaeBudget) budget = dae_budget_new(0, MOST_STEPS);
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(assembly->terms, budget);
  const Judge judge = {assembly, numbers, blocks, units, block_of, algebra};
  bool is_open = false;
  for (guint k = 0; k < doubtful->len; k++) {
    DaePointAnswer answer = judge_block(&judge, g_array_index(doubtful, uint32_t, k), x);
    if (answer == DAE_POINT_NONE) {
      return DAE_START_NOWHERE;
    }
    is_open = is_open || answer != DAE_POINT_PROVED;
  }
  return is_open ? DAE_START_OPEN : DAE_START_PROVED;
}
