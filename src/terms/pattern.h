/* Patterns of the rewriting rules, written as s-expressions.
 *
 *   ?u ?v ?w ?a ?b ?c    any term           #m #n #p #q    a NUMBER
 *   0, 1, 1/2, -1        that number        pi, time, true, false
 *   (sin P) ...          a call of the table of functions
 *   (^ P Q)              POWER; as a replacement also any power
 *   (neg P)              a term whose leading coefficient is negative; P matches its negative
 *   (scaled #c P)        rational coefficient times the rest (the coefficient may be 1); not
 *                        for NUMBER
 *   (cofactor ?a P)      a factor that matches P times the other factors (1 if there are none)
 *   (+ P Q), (* P Q)     only at the top: two operands of a SUM or PRODUCT, the others stay
 *   (and P Q), (or P Q)  only at the top, likewise
 *   (not P), (if P Q R), (< P Q), (<= P Q), (> P Q), (>= P Q), (== P Q), (<> P Q)
 * A wildcard that occurs twice must match the same term. In replacements + and * take any number
 * of operands. Other names are symbols of the context, x' and x'' derivatives (for tests).
 */
#ifndef DAE_TERMS_PATTERN_H
#define DAE_TERMS_PATTERN_H

#include "terms/terms-priv.h"

enum { DAE_PATTERN_MAX_OPERANDS = 4, DAE_PATTERN_WILDCARDS = 10 };

typedef enum {
  DAE_PATTERN_ANY,
  DAE_PATTERN_ANY_NUMBER,
  DAE_PATTERN_LITERAL,
  DAE_PATTERN_CALL,
  DAE_PATTERN_POWER,
  DAE_PATTERN_NEG,
  DAE_PATTERN_SCALED,
  DAE_PATTERN_COFACTOR,
  DAE_PATTERN_SUM,
  DAE_PATTERN_PRODUCT,
  DAE_PATTERN_AND,
  DAE_PATTERN_OR,
  DAE_PATTERN_NOT,
  DAE_PATTERN_IF,
  DAE_PATTERN_RELATION
} DaePatternHead;

typedef struct DaePattern DaePattern;

struct DaePattern {
  DaePatternHead head;
  uint8_t op; /* function, relation, or number of the wildcard */
  uint8_t n;  /* operands */
  DaeTerm literal;
  DaePattern *operands[DAE_PATTERN_MAX_OPERANDS];
};

/* bind[i] is the term of wildcard i, or DAE_NO_TERM. */
typedef struct {
  DaeTerm bind[DAE_PATTERN_WILDCARDS];
} DaeMatch;

/* Number of a wildcard from its letter. */
int dae_pattern_wildcard(char letter);

/* The text must be well formed (DAE_ASSERT): patterns are part of the program. (transfer full) */
DaePattern *dae_pattern_parse(DaeTerms *terms, const char *text);
void dae_pattern_free(DaePattern *pattern);

/* Matches part of t if the head is +, *, and, or; what is left over goes to rest (as a list).
 * The match goes on over all ways until accept(user, match) is true. False: no way. */
typedef bool (*DaeAccept)(void *user, const DaeMatch *match);
bool dae_pattern_match(DaeTerms *terms, const DaePattern *pattern, DaeTerm t, DaeAccept accept,
                       void *user, DaeMatch *match, DaeList *rest);
/* The replacement with its wildcards filled in. DAE_NO_TERM if it
 * does not exist (division by 0). */
DaeTerm dae_pattern_build(DaeTerms *terms, const DaePattern *pattern, const DaeMatch *match);

#endif
