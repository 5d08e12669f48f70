/* Inside the qlt room: the working state that transform, matching, elimination and closure share.
 *
 * Columns are unknowns in the order of the result: variables of the model, then introduced
 * ones. A row is sum coefficient * der(column) = rhs with everything else free of derivatives.
 * iota(j) is the column that is identified with der(j) [HoegerSteinbrecher, section 4.3]. */
#ifndef DAE_QLT_QLT_PRIV_H
#define DAE_QLT_QLT_PRIV_H

#include "qlt/qlt.h"

#define QLT_NONE UINT32_MAX

typedef struct {
  DaeSymbol symbol;
  /* introduced: the derivative of a model variable that it stands for; else DAE_NO_TERM */
  DaeTerm meaning;
  uint32_t iota;          /* column identified with the derivative of this one, or QLT_NONE */
  uint32_t iota_equation; /* the model's equation that says so, or QLT_NONE when introduced */
  uint32_t match; /* row that is solved for the derivative of this column, or QLT_NONE */
  GArray *rows;   /* rows (uint32_t) in which the derivative has occurred; may be stale */
} QltColumn;

typedef struct {
  uint32_t n;
  uint32_t *columns; /* increasing */
  DaeTerm *coefficients;
  DaeTerm rhs;
  GArray *from;     /* DaeQltOrigin, by equation */
  uint32_t rank;    /* place in the result: the equation it stands for */
  uint32_t pivot;   /* matched column or QLT_NONE */
  bool is_identity; /* introduced: der(x) = $der_x */
  /* derivative of a constraint: used as a pivot row, not part of the result */
  bool is_auxiliary;
  bool is_alive;
  bool is_selected; /* completes the constraints to rank n, with others */
  bool is_reduced;  /* coefficients that vanish on the constraints were left out */
} QltRow;

typedef struct {
  DaeTerm expression;
  GArray *from;
  int32_t level;
  uint32_t found; /* place in the order of discovery */
  bool is_hidden;
  bool is_invariant;
  bool is_numeric;
  bool is_trusted;
  bool is_reduced; /* was a row, all of whose coefficients vanish on the constraints */
  bool is_differentiated;
} QltConstraint;

typedef struct {
  DaeTerm expression;
  GArray *from;
  char *proof;
  bool is_numeric;
  DaeTerm factor; /* proved where it is not 0 */
} QltDropped;

typedef struct {
  uint32_t *columns;
  uint32_t n;
  uint64_t estimate;
  bool is_eliminated;
} QltBlock;

typedef struct {
  double *x; /* by column */
  uint32_t n;
  double time;
  uint32_t mode; /* number of a choice of discrete values (numeric.c) */
} QltPoint;

typedef struct { /* what was asked for a point of many independent gradients, and the answer */
  GArray *t;     /* DaeTerm */
  uint32_t n_zero, n_columns;
  bool is_found;
  uint32_t *pivot; /* by term */
  QltPoint point;
} QltSearch;

typedef struct { /* points on constraints, by number of the start */
  GArray *t;     /* DaeTerm */
  uint32_t n_columns;
  GArray *points; /* QltPoint; x is NULL where none was found */
} QltTried;

typedef struct {
  DaeSymbol symbol; /* PARAMETER: the value at the start */
  DaeTerm expression;
} QltInvariant;

typedef struct {
  DaeAlgebra *algebra;
  DaeTerms *terms;
  const DaeModel *model;
  const DaeSig *sig;
  const DaeReporter *reporter;
  DaeEliminate eliminate;
  bool sig_is_ours; /* offsets and transversal of sig are those of model */
  bool is_checked;  /* candidates and pivots are tested one by one (over-determined models) */
  DaeSubst *values; /* parameters by their values */
  GHashTable *decided; /* terms with parameters that were taken as zero or not: 1 + is_zero */
  GArray *columns;     /* QltColumn */
  GArray *column_of;   /* symbol -> column or QLT_NONE */
  GPtrArray *rows;     /* QltRow */
  GPtrArray *constraints; /* QltConstraint */
  GHashTable *known;      /* expressions of the constraints */
  GPtrArray *dropped;     /* QltDropped */
  bool has_numeric_drops; /* one of them without a proof */
  /* DaeTerm: what rows were multiplied or divided by, as far as it may be zero somewhere: where
   * it is, the rows that are left say less than the equations */
  GArray *divisors;
  GHashTable *divisor_set;
  bool has_hidden_divisors; /* and some that have no term */
  double work_left;         /* of a completion, in operations; INFINITY: as long as it takes */
  GPtrArray *blocks;        /* QltBlock */
  GArray *invariants;       /* QltInvariant */
  bool *is_identity;        /* equation -> used as an identity */
  GArray *waiting;          /* rows (uint32_t) of the equations, for their stages */
  GArray *derivatives;      /* DaeTerm, scratch of qlt_plain_derivatives */
  int32_t first_stage;
  GQueue pending; /* rows (uint32_t) that wait for a match or an elimination */
  /* on the constraints at the last qlt_update_point; x is NULL if there is none */
  QltPoint point;
  QltSearch search; /* the last one; t is NULL if there was none */
  QltTried tried;   /* likewise */
  uint32_t point_constraints;
  uint32_t point_columns;
  uint32_t n_model_identities;
  uint32_t n_model_columns;
  uint32_t stamp; /* of the searches in match.c */
  GArray *seen;   /* column -> stamp */
  GArray *via;    /* column -> row it was reached from */
  /* column -> coefficient of the row under elimination (eliminate.c), else DAE_NO_TERM */
  GArray *sum;
} QltWork;

static inline QltColumn *
qlt_column(const QltWork *work, uint32_t j)
{
  DAE_ASSERT(j < work->columns->len);
  return &g_array_index(work->columns, QltColumn, j);
}

static inline QltRow *
qlt_row(const QltWork *work, uint32_t i)
{
  DAE_ASSERT(i < work->rows->len);
  return g_ptr_array_index(work->rows, i);
}

/* ---- form.c: container ------------------------------------------------------------------- */

QltWork *qlt_work_new(DaeAlgebra *algebra, const DaeModel *model, const DaeSig *sig);
void qlt_work_free(QltWork *work);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QltWork, qlt_work_free)
uint32_t qlt_add_column(QltWork *work, DaeSymbol symbol, DaeTerm meaning);
uint32_t qlt_column_of(const QltWork *work, DaeSymbol symbol);
QltRow *qlt_row_new(void);
void qlt_row_free(QltRow *row);
uint32_t qlt_store_row(QltWork *work, QltRow *row); /* takes row; returns its number */
void qlt_index_row(QltWork *work, uint32_t i);      /* after its columns changed */
/* Origins are sorted by equation; the highest order of each equation is kept. */
void qlt_origin_add(GArray *from, uint32_t equation, int32_t order);
void qlt_origin_merge(GArray *from, const GArray *other);
GArray *qlt_origin_differentiate(const GArray *from); /* every order + 1 */
int32_t qlt_origin_level(const GArray *from);
void qlt_drop(QltWork *work, DaeTerm expression, const GArray *from, const char *proof);
void qlt_drop_numerically(QltWork *work, DaeTerm expression, const GArray *from,
                          const char *proof, DaeTerm factor);
/* The result object; takes everything out of work. */
DaeQlt *qlt_finish(QltWork *work);

/* Counts work that is about to be done. false: there is no more to be had. */
bool qlt_charge(QltWork *work, double operations);

/* ---- identities.c ----------------------------------------------------------------------- */

/* Uses each der(x) = v of the model as an identity; identity_of[i] is the column
 * x of equation i, or QLT_NONE. */
void qlt_find_model_identities(QltWork *work, uint32_t *identity_of);
/* The row der(j) = iota(j), matched. Takes from. */
QltRow *qlt_store_identity_row(QltWork *work, uint32_t j, GArray *from);
/* The column identified with der(column j); creates $der_... and its row when there is none. Rows
 * that contain der(j) are rewritten and, where they lost their pivot, put on the pending queue. */
uint32_t qlt_identify(QltWork *work, uint32_t j);
/* t with derivatives above order one broken down and identified derivatives replaced; origins
 * of the model's identities that were used are added to from (may be NULL). */
DaeTerm qlt_apply_identities(QltWork *work, DaeTerm t, GArray *from);

/* ---- transform.c: quasi-linear transformation --------------------------------------------- */

/* Is t a sum whose summands have at most one derivative each, of order 1 and as a factor? Then
 * they (DaeTerm), by declaration, each once, until the next call. NULL: not so, or there are
 * many. */
const GArray *qlt_plain_derivatives(QltWork *work, DaeTerm t);
/* Creates the identities that t needs to be linear in the remaining derivatives. */
void qlt_make_linear(QltWork *work, DaeTerm t);
/* Is it der(x) = k with a k without derivatives? Then it is a row as it stands. */
bool qlt_is_solved(const DaeTerms *terms, const DaeEquation *equation);
/* The row of such an equation. Takes from. NULL: der(x) has an identity, and from is not taken. */
QltRow *qlt_solved_row(QltWork *work, const DaeEquation *equation, GArray *from);
/* The row of 0 = t; t must be linear (qlt_make_linear). Takes from. */
QltRow *qlt_extract_row(QltWork *work, DaeTerm t, GArray *from);
/* Is the term zero, for all or for the given parameter values? */
DaeZero qlt_is_zero(QltWork *work, DaeTerm t);
/* Removes entries that are zero. */
void qlt_tidy_row(QltWork *work, QltRow *row);
/* Turns the sign so that a leading number is positive. */
void qlt_turn_row(QltWork *work, QltRow *row);

/* ---- match.c: rows and derivatives --------------------------------------------------------- */

/* Tries to give row i a derivative of its own along an alternating path. If there is none, the
 * rows that can be reached are appended to reached (uint32_t; without i) and false is returned. */
bool qlt_match_row(QltWork *work, uint32_t i, GArray *reached);
int qlt_pivot_quality(QltWork *work, const QltRow *row, uint32_t k);
void qlt_unmatch_row(QltWork *work, uint32_t i);
/* Strongly connected components of the matched rows in `rows`, sources first: ends[k] is the
 * end of component k in the reordered array. */
void qlt_order_blocks(QltWork *work, GArray *rows, GArray *ends);

/* ---- eliminate.c ----------------------------------------------------------------------------- */

/* A row was multiplied or divided by t. */
void qlt_note_divisor(QltWork *work, DaeTerm t);
/* Settles all pending rows: each is matched, turned into a constraint, or found redundant. */
bool qlt_settle(QltWork *work, GError **error);
DaeTerm qlt_coefficient_at(const QltWork *work, const QltRow *row,
                           uint32_t j); /* 0 if there is none */
/* Coefficients of the pivots of n matched rows, by rows or transposed. */
DaeMatrix *qlt_block_matrix(QltWork *work, const uint32_t *rows, uint32_t n,
                            bool is_transposed);
/* Determinant of an n*n matrix, n <= QLT_MAX_BLOCK, by expansion: no divisions. */
DaeTerm qlt_expand_determinant(DaeTerms *terms, const DaeTerm *a, uint32_t n);
/* Replaces one row of a singular block by the combination v of its rows, in which
 * the block's derivatives cancel. */
void qlt_replace_dependent_row(QltWork *work, const uint32_t *rows, uint32_t n,
                               const DaeTerm *v);

/* ---- swell.c ----------------------------------------------------------------------------- */

#define QLT_MAX_BLOCK 3u /* largest coupled block that mode auto eliminates */
/* Introduces what is too big among the blocks that row i reaches. true:
 * something was; row i has changed. */
bool qlt_introduce_big_blocks(QltWork *work, uint32_t i, const GArray *rows,
                              const GArray *ends);
/* The derivatives of the block become unknowns; its rows go back to the pending queue. */
void qlt_introduce_block(QltWork *work, const uint32_t *rows, uint32_t n);
void qlt_note_block(QltWork *work, const uint32_t *rows, uint32_t n, bool is_eliminated);

/* ---- singular.c ------------------------------------------------------------------------------ */

/* Is the square matrix of these matched rows proved to be regular, generically? */
bool qlt_is_regular_block(QltWork *work, const uint32_t *rows, uint32_t n);
/* true: the block is singular (with a point: also if only on the constraints) and
 * one of its rows was replaced. */
bool qlt_resolve_singular_block(QltWork *work, const uint32_t *rows, uint32_t n,
                                const QltPoint *point);
/* A numerical point on the constraints that are there; rows whose pivot is proved to
 * vanish on them become pending. */
void qlt_update_point(QltWork *work);
/* Is t nearly zero at the point (if there is one)? Not a proof. */
bool qlt_seems_to_vanish(QltWork *work, DaeTerm t);
/* Removes coefficients that are proved to vanish on the constraints. */
void qlt_drop_vanishing_entries(QltWork *work, QltRow *row);
/* Looks at all blocks of the matched rows; *changed if one was singular:
 * then there are pending rows. */
void qlt_check_blocks(QltWork *work, bool *changed);

/* ---- measure.c ----------------------------------------------------------------------------- */

typedef struct {
  double written;  /* nodes of the tree: the length of the text */
  double expanded; /* bound on the addends after multiplying out */
} QltSize;

QltSize qlt_measure(QltWork *work, DaeTerm t);
/* Bound on the addends of the common denominator of t. */
double qlt_common_denominator(QltWork *work, DaeTerm t);
/* Has t no zeros: a constant other than 0, or something of one sign such as
 * 2 + cos(x)? false: not known. */
bool qlt_is_never_zero(QltWork *work, DaeTerm t);
/* t rewritten by the rules of terms, unless it is too large for that to help. */
DaeTerm qlt_rewrite(QltWork *work, DaeTerm t);

/* ---- constraints.c ----------------------------------------------------------------------- */

/* As a person would write it: the shorter of the derived and the
 * expanded form, no numeric content. */
DaeTerm qlt_normal_constraint(QltWork *work, DaeTerm t);
/* Takes 0 = t as a constraint, drops it as redundant, or fails with NEGATIVE when it is
 * a contradiction. Takes from. */
bool qlt_add_constraint(QltWork *work, DaeTerm t, GArray *from, GError **error);
/* What t = 0 says over the reals, in simple factors and without sums of squares; false: it
 * is so already. */
bool qlt_radical_parts(QltWork *work, DaeTerm t, GArray *parts);
/* The error that says which equations contradict each other; returns false. */
bool qlt_fail_contradiction(QltWork *work, DaeTerm t, const GArray *from, GError **error);

/* ---- modulo.c ---------------------------------------------------------------------------- */

/* Is t zero wherever all constraints but number `except` (or QLT_NONE) vanish?
 * *reduced is what is left of t. */
DaeZero qlt_zero_on_constraints(QltWork *work, DaeTerm t, uint32_t except, DaeTerm *reduced);
/* Is t proved to be zero wherever all constraints vanish? */
bool qlt_vanishes_on_constraints(QltWork *work, DaeTerm t);
/* equivalent.c: constraint i says the same as another one, with a proof: that of the two which
 * follows from the other is put at place i. */
bool qlt_find_equivalent(QltWork *work, uint32_t i);
/* t with the definitions among the constraints put in. */
DaeTerm qlt_reduce_modulo_definitions(QltWork *work, DaeTerm t);
GArray *qlt_all_constraints(const QltWork *work); /* DaeTerm (transfer full) */
/* Over-determined models: which of the constraints from number `first` on are new? The
 * others are dropped with a proof. */
bool qlt_judge_constraints(QltWork *work, uint32_t first, GError **error);
/* Constraints that have multiple factors or are sums of squares where the others hold say more
 * than their gradients: what they say takes the place of one of them. */
bool qlt_add_radicals(QltWork *work, bool *is_growing, GError **error);
/* Full row rank of h_x, at the end: drops what follows from the
 * others, labels what is not proved. */
bool qlt_check_constraints(QltWork *work, GError **error);
/* "equations 0, 1 and 4 (differentiated twice)" (transfer full) */
char *qlt_describe_origins(const GArray *from);

/* ---- closure.c --------------------------------------------------------------------------- */

/* The stage of the Sigma-method to which something made of these equations and
 * orders belongs (INT32_MIN: none). */
int32_t qlt_stage(const QltWork *work, const GArray *from);
bool qlt_close(QltWork *work, GError **error);

/* ---- refute.c ---------------------------------------------------------------------------- */

/* Some derivatives have no row after the closure: is it proved that the model does not
 * determine its solution? */
bool qlt_is_proved_free(QltWork *work);

/* Whatever the analysis says: closed under differentiation, each step tested; with the
 * differential rows selected that complete the constraints to rank n. *is_complete: there is a
 * point where they do (reduce.c). The result has the solutions of the model where none of the
 * divisors (DaeTerm; appended) is zero. */
DaeQlt *qlt_reduce_checked(DaeAlgebra *algebra, const DaeSig *sig, const DaeReporter *reporter,
                           bool *is_complete, GArray *divisors, GError **error);

/* ---- invariant.c ------------------------------------------------------------------------- */

bool qlt_add_invariants(QltWork *work, const DaeQltOptions *options, GError **error);

/* ---- tried.c ----------------------------------------------------------------------------- */

void qlt_search_clear(QltSearch *search);
/* Is it the one that is asked for? */
bool qlt_search_is(const QltSearch *search, const DaeTerm *t, uint32_t n, uint32_t n_zero,
                   uint32_t n_columns);
void qlt_tried_clear(QltTried *tried);
/* The points of these constraints, to be added to: those of the last question if it is the same. */
GArray *qlt_tried_points(QltTried *tried, const DaeTerm *t, uint32_t n, uint32_t n_columns);

/* ---- numeric.c --------------------------------------------------------------------------- */

/* A point where t[0..n-1] vanish; point->x is to be freed. false: none was found. */
bool qlt_numeric_point(QltWork *work, const DaeTerm *t, uint32_t n, QltPoint *point);
/* The same from start number k, below QLT_STARTS, only. */
#define QLT_STARTS 12u
bool qlt_numeric_point_from(QltWork *work, const DaeTerm *t, uint32_t n, uint32_t k,
                            QltPoint *point);
/* What a discrete value or a parameter without a value is taken for at the point. */
double qlt_numeric_symbol(QltWork *work, const QltPoint *point, DaeTerm atom);
bool qlt_numeric_value(QltWork *work, const QltPoint *point, DaeTerm t, double *value);

/* Is [E; h_x] below rank n at all points on the constraints that were tried? */
bool qlt_numeric_is_singular(QltWork *work);
/* Has the term symbols that are no parameters of the model: discrete values, constant for now? */
bool qlt_holds_discrete(const QltWork *work, DaeTerm t);
/* Selects the differential rows that complete the constraints to rank n at a point. false:
 * none was found where they do. */
bool qlt_numeric_select_rows(QltWork *work);
/* At points where the first n_zero of t[0..n-1] vanish: which gradients depend on those
 * before them? false: no point. */
bool qlt_numeric_dependents(QltWork *work, const DaeTerm *t, uint32_t n, uint32_t n_zero,
                            bool *is_dependent);
/* At points where all of them vanish: which gradients are part of a dependency? false: no
 * point. */
bool qlt_numeric_involved(QltWork *work, const DaeTerm *t, uint32_t n, bool *is_involved);
/* At points where t[0..n-1] vanish: is |candidate| negligible at all of them? */
DaeZero qlt_numeric_zero_modulo(QltWork *work, DaeTerm candidate, const DaeTerm *t, uint32_t n);

#endif
