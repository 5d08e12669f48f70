/* Inside of the term store; for the files of src/terms and their tests only. */
#ifndef DAE_TERMS_TERMS_PRIV_H
#define DAE_TERMS_TERMS_PRIV_H

#include "base/base.h"
#include "base/nametable.h"
#include "terms/rational.h"
#include "terms/terms.h"

/* What occurs in a term, itself included. */
enum {
  DAE_HAS_PARAMETER = 1,
  DAE_HAS_TIME = 2,
  DAE_HAS_VARIABLE = 4,
  DAE_HAS_BREAK =
      8, /* if, relation, abs, sign, min, max, floor, ...: the derivative may jump */
  DAE_HAS_CALL = 16, /* a function, pi included, or a power that is not a rational function */
  DAE_HAS_QUOTIENT = 32, /* a negative integer power */
  DAE_HAS_BEND = 64 /* not of degree 1 in what varies: x*y, time*x, x^2, sin(x), if x > 0 ... */
};

/* 32 bytes. Up to four operands are inside the node; nodes never move, so
 * pointers to them stay valid. */
typedef struct {
  uint8_t kind;
  uint8_t op;    /* CALL: function; RELATION: relation; BOOLEAN: value; NUMBER: 1 if in big */
  uint8_t flags; /* DAE_HAS_... */
  uint8_t height_high; /* with the low bits of key: how deep the term is nested (order.c) */
  uint32_t hash;
  uint32_t n;   /* operands */
  uint32_t key; /* first key of the structural order (order.c) */

  union {
    DaeTerm few[4];
    DaeTerm *many;

    struct {
      int64_t num;
      int64_t den;
    } small;

    mpq_t *big;

    struct {
      DaeSymbol symbol;
      uint32_t order;
    } atom;
  } u;
} DaeNode;

enum { DAE_CHUNK_BITS = 14, DAE_CHUNK_SIZE = 1 << DAE_CHUNK_BITS };

typedef struct {
  DaeTerm key;
  uint32_t value;
} DaeMemoEntry;

/* Map from term to a 32-bit word, 0 = absent. Open addressing. */
typedef struct {
  DaeMemoEntry *entries;
  uint32_t capacity; /* power of two, or 0 */
  uint32_t used;
} DaeMemo;

void dae_memo_clear(DaeMemo *memo); /* also frees */
uint32_t dae_memo_get(const DaeMemo *memo, DaeTerm key);
void dae_memo_set(DaeMemo *memo, DaeTerm key, uint32_t value);
bool dae_memo_enter(DaeMemo *memo,
                    DaeTerm key); /* true if it was absent; its value is 1 then */

typedef struct { /* 16 bytes: large models have millions of them */
  const char *name;
  uint32_t hash;
  uint8_t kind;        /* DaeSymbolKind */
  uint8_t variability; /* DaeVariability */
  uint8_t fact;        /* DaeSignFact */
  bool is_condition;   /* 0 or 1; `symbol > 1/2` prints as the name */
} DaeSymbolEntry;

typedef struct {
  DaeTerm minuend, subtrahend, difference;
} DaeDifference;

typedef struct { /* sum = content * primitive */
  DaeTerm sum, primitive;
  DaeRat content;
} DaePrimitive;

enum { DAE_N_PRIMITIVES = 256 };

enum { DAE_SMALL_INTEGER = 16 };

struct DaeTerms {
  DaeNode **chunks;
  uint32_t n_chunks;
  uint32_t chunk_capacity;
  uint32_t count; /* ids 1 ... count are in use */
  uint32_t seed;
  /* Unique table, open addressing, at most two thirds full: ids, which need no more bits than
   * there are in table_size - 1, and in the bits above those of the hash; 0: empty */
  uint32_t *table;
  uint32_t *table_memory; /* the block that it lies in */
  uint32_t table_size;
  DaeTerm *pool; /* where long operand lists go; full blocks stay in blocks */
  size_t pool_left;
  GPtrArray *blocks;
  GPtrArray *bigs;    /* mpq_t * of large numbers */
  uint64_t long_work; /* dae_terms_long_work */
  size_t pool_bytes;
  GArray *symbols; /* DaeSymbolEntry */
  GStringChunk *symbol_names;
  DaeNameTable symbol_table; /* of symbol + 1 (symbols.c) */
  DaeTerm zero;
  DaeTerm one;
  DaeTerm minus_one;
  DaeDifference *differences; /* known ones, the last of those that share a place; lossy */
  uint32_t n_differences;     /* places, a power of two */
  /* known ones, by sum; the last of those that share a place; lossy */
  DaePrimitive primitives[DAE_N_PRIMITIVES];
  DaeMemo totals;    /* dae_term_total */
  DaeMemo rewritten; /* dae_terms_rewrite: normal forms */
  DaeMemo signs;     /* dae_term_possible_signs */
  struct DaeRuleSet *rules;
  uint64_t rewrite_cycles;
  /* Marks of one walk at a time, by id: mark[t] == epoch means seen in
   * this walk; slot is its data. */
  uint32_t *mark;
  uint32_t *slot;
  uint32_t mark_size;
  uint32_t epoch;
  GPtrArray *data;           /* DaeData *, by number */
  GHashTable *data_index;    /* the set of them, by content: the value is the number + 1 */
  GPtrArray *routines;       /* DaeRoutineEntry *, by number (routines-priv.h) */
  GHashTable *routine_index; /* those without recursion, by content: number + 1 */
  GHashTable *routine_names; /* of routines that keep theirs; NULL: none */
  GHashTable *branched;      /* term -> DaeBranched (marks.c); NULL: none */
  GArray *formals;           /* DaeTerm: variables of routines */
  struct DaeRoutineLibrary *routine_codes;
  GArray *contributions;                             /* buffer of dae_term_gradient */
  DaeTerm small_integers[2 * DAE_SMALL_INTEGER + 1]; /* ids of -16 ... 16, 0 if not made yet */
};

static inline DaeNode *
dae_node(const DaeTerms *terms, DaeTerm t)
{
  DAE_ASSERT(t != DAE_NO_TERM && t <= terms->count);
  return &terms->chunks[t >> DAE_CHUNK_BITS][t & (DAE_CHUNK_SIZE - 1)];
}

static inline const DaeTerm *
dae_node_operands(const DaeNode *node)
{
  return node->n <= G_N_ELEMENTS(node->u.few) ? node->u.few : node->u.many;
}

static inline bool
dae_is_kind(const DaeTerms *terms, DaeTerm t, DaeKind kind)
{
  return dae_node(terms, t)->kind == kind;
}

/* ---- store.c: unique table; operands must be canonical already --------------------------- */

DaeTerm dae_store_node(DaeTerms *terms, DaeKind kind, uint8_t op, const DaeTerm *operands,
                       uint32_t n);
/* The SUM t of five or more operands with one more at its end. */
DaeTerm dae_store_extended(DaeTerms *terms, DaeTerm t, DaeTerm last);
DaeTerm dae_store_number(DaeTerms *terms, const DaeRat *value); /* copies */
DaeTerm dae_store_atom(DaeTerms *terms, DaeKind kind, DaeSymbol symbol, uint32_t order);
/* Borrowed view of a NUMBER. */
DaeRat dae_number_view(const DaeTerms *terms, DaeTerm number);
/* Of numbers beyond 64 bits (bignum.c): a copy that lives as long as terms; what an operation with
 * such a result counts for in dae_terms_long_work. */
mpq_t *dae_bignum_keep(DaeTerms *terms, const DaeRat *value);
uint64_t dae_bignum_work(const DaeRat *value);
/* The rational factor of a term: 1 unless it is a NUMBER or a PRODUCT
 * that begins with one. Borrowed. */
DaeRat dae_coefficient_view(const DaeTerms *terms, DaeTerm t);

/* ---- difference.c ------------------------------------------------------------------------ */

/* The place where minuend - subtrahend is kept; the caller fills it. */
DaeDifference *dae_difference_place(DaeTerms *terms, DaeTerm minuend, DaeTerm subtrahend);
/* Forgets all; there is room for those of a store of so many slots from now on. */
void dae_differences_forget(DaeTerms *terms, uint32_t n_slots);

/* ---- data.c ------------------------------------------------------------------------------ */

void dae_data_free_all(DaeTerms *terms);

/* ---- routines.c -------------------------------------------------------------------------- */

void dae_routines_free_all(DaeTerms *terms);

/* ---- order.c ------------------------------------------------------------------------------- */

/* What a node has from its operands, by one look at each. */
typedef struct {
  uint8_t flags;            /* DAE_HAS_... of all of them */
  uint32_t n_varying;       /* how many have variables or time */
  uint32_t highest, height; /* order of derivative; depth of nesting, the node counted */
  uint32_t degree_sum, degree_most;
} DaeOperandFacts;

DaeOperandFacts dae_order_look(const DaeTerms *terms, const DaeTerm *operands, uint32_t n);
/* The flags of the node are set. */
void dae_order_set_key(const DaeTerms *terms, DaeNode *node, const DaeOperandFacts *facts);
/* The same for a sum that got one more operand. */
void dae_order_extend_key(const DaeTerms *terms, DaeNode *sum, DaeTerm last);
/* As dae_term_compare, but 0 also for terms that differ by a rational factor only. */
int dae_order_monomials(const DaeTerms *terms, DaeTerm a, DaeTerm b);
/* Order of bases in a product. */
int dae_order_bases(const DaeTerms *terms, DaeTerm a, DaeTerm b);
typedef int (*DaeOrder)(const DaeTerms *terms, DaeTerm a, DaeTerm b);
/* Stable, O(n log(runs)): sums of sorted sums merge in linear time. True: no two are equal in this
 * order; false: some may be. */
bool dae_order_sort(const DaeTerms *terms, DaeTerm *list, size_t n, DaeOrder order);

/* ---- build.c, power.c -------------------------------------------------------------------- */

/* Growing list of terms that lives on the C stack while it is short. */
typedef struct {
  DaeTerm *data;
  size_t n;
  size_t capacity;
  DaeTerm local[24];
} DaeList;

void dae_list_grow(DaeList *list, size_t more); /* room for more elements than there is */
void dae_list_append(DaeList *list, const DaeTerm *data, size_t n);

static inline void
dae_list_init(DaeList *list)
{
  list->data = list->local;
  list->n = 0;
  list->capacity = G_N_ELEMENTS(list->local);
}

static inline void
dae_list_push(DaeList *list, DaeTerm t)
{
  if (list->n == list->capacity) {
    dae_list_grow(list, 1);
  }
  list->data[list->n++] = t;
}

static inline void
dae_list_clear(DaeList *list)
{
  if (list->data != list->local) {
    g_free(list->data);
  }
  dae_list_init(list);
}

/* t times a rational, t not a NUMBER times ... any canonical term. */
DaeTerm dae_build_scale(DaeTerms *terms, DaeTerm t, const DaeRat *factor);
/* t = content * primitive part; for a SUM the content makes all coefficients coprime integers,
 * the first positive, or, where these would be very long, the first coefficient 1. content is
 * set (owned by the caller). */
DaeTerm dae_build_primitive(DaeTerms *terms, DaeTerm sum, DaeRat *content);
/* The same without a look at what is known. */
DaeTerm dae_primitive_compute(DaeTerms *terms, DaeTerm sum, DaeRat *content);
void dae_primitives_clear(DaeTerms *terms);
/* A product without its operand i. */
DaeTerm dae_build_without(DaeTerms *terms, DaeTerm product, uint32_t i);

/* Integer powers beyond it stay whole (power.c). */
enum { DAE_POWER_MOST_SPLIT = 32 };

bool dae_power_base_is_negative(const DaeTerms *terms, DaeTerm base);
/* base^exponent for numbers; may be a NUMBER, POWER or PRODUCT. */
DaeTerm dae_power_of_numbers(DaeTerms *terms, DaeTerm base, DaeTerm exponent);

/* ---- walk.c ------------------------------------------------------------------------------ */

/* Starts a walk: no term is marked. */
void dae_marks_begin(DaeTerms *terms);

static inline bool
dae_marked(const DaeTerms *terms, DaeTerm t)
{
  return terms->mark[t] == terms->epoch;
}

static inline void
dae_mark(DaeTerms *terms, DaeTerm t, uint32_t slot)
{
  terms->mark[t] = terms->epoch;
  terms->slot[t] = slot;
}

/* Same kind and head with other operands, through the constructors. */
DaeTerm dae_rebuild(DaeTerms *terms, DaeTerm t, const DaeTerm *operands, uint32_t n);

/* ---- derive.c ---------------------------------------------------------------------------- */

/* Derivative of t with respect to its operand i (not for PRODUCT). */
DaeTerm dae_derive_outer(DaeTerms *terms, DaeTerm t, uint32_t i);
/* (if c then a else b)^p, perhaps with noEvent(...) around the base, with numbers as p and as one
 * of a and b: the if-term, else DAE_NO_TERM. */
DaeTerm dae_power_of_choice(const DaeTerms *terms, DaeTerm t);

/* ---- diff.c ------------------------------------------------------------------------------ */

/* Sum over VARIABLE atoms of the partial derivative times the atom's
 * direction. memo: for these directions. */
DaeTerm dae_diff_along(DaeTerms *terms, DaeTerm t, const DaeMemo *directions, DaeMemo *memo);

/* ---- exact.c ----------------------------------------------------------------------------- */

/* f(u...) where all operands are numbers and the value is one; else DAE_NO_TERM. */
DaeTerm dae_exact_function(DaeTerms *terms, DaeFunction function, const DaeTerm *u);

typedef struct { /* of the routines that are run for one value */
  uint32_t rounds, depth;
} DaeExactBudget;

/* dae_term_eval_exact that runs routines, too. */
DaeEvalStatus dae_term_eval_within(DaeTerms *terms, DaeTerm t, DaeAtomNumber atom, void *user,
                                   DaeExactBudget *budget, DaeTerm *value);
/* The value of a call of DAE_FN_ROUTINE with these operands; DAE_NO_TERM: it is not rational, or
 * the budget is spent (routine_exact.c). */
DaeTerm dae_routine_value(DaeTerms *terms, const DaeTerm *operands, uint32_t n,
                          DaeExactBudget *budget);

/* ---- pattern.c --------------------------------------------------------------------------- */

/* The first coefficient, not counting the number of a sum, is negative. */
bool dae_leading_is_negative(const DaeTerms *terms, DaeTerm t);

/* ---- literal.c --------------------------------------------------------------------------- */

/* Text of |value|: an unsigned literal if it has a finite decimal of at most 40 digits, else
 * p/q (or a plain integer). *is_fraction tells that a '/' was written. */
void dae_literal_append(GString *out, const DaeRat *value, bool *is_fraction);
void dae_literal_append_size(GString *out, int64_t number); /* without its sign */
bool dae_literal_is_decimal(const DaeRat *value);

/* ---- precedence.c: forms of the text ------------------------------------------------------ */

bool dae_print_is_negative(const DaeTerms *terms, DaeTerm t); /* begins with a minus */
/* The factor b^e, e < 0 a number: it stands in the denominator. */
bool dae_print_goes_below(const DaeTerms *terms, DaeTerm factor);
/* A rational that prints as a quotient p/q rather than as one literal. */
bool dae_print_is_quotient(const DaeTerms *terms, DaeTerm number);
bool dae_print_is_half(const DaeTerms *terms, DaeTerm exponent); /* 1/2 or -1/2 */
/* b > 1/2 or 1/2 < b, the condition of a term that is 0 or 1 by its making, or the opposite:
 * *symbol is b. */
bool dae_print_selects_truths(const DaeTerms *terms, const DaeNode *node);
bool dae_print_is_condition(const DaeTerms *terms, const DaeNode *node, DaeTerm *symbol,
                            bool *negated);
/* Both sides are 0 or 1 by their making, and not both numbers: printed as conditions. */
bool dae_print_compares_truths(const DaeTerms *terms, const DaeNode *relation);

#endif
