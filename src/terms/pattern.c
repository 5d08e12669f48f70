#include "terms/pattern.h"

#include <string.h>

/* Recursion in this file follows patterns, which are part of the program, never terms.
 * NOLINTBEGIN(misc-no-recursion) */

static const char wildcard_letters[] = "uvwabcmnpq";

int
dae_pattern_wildcard(char letter)
{
  const char *at = strchr(wildcard_letters, letter);
  DAE_ASSERT(letter != '\0' && at != NULL);
  return (int)(at - wildcard_letters);
}

/* ---- reading ----------------------------------------------------------------------------- */

typedef struct {
  DaeTerms *terms;
  const char *at;
} Reader;

static DaePattern *
new_pattern(DaePatternHead head, int op)
{
  DaePattern *pattern = g_new0(DaePattern, 1);
  pattern->head = head;
  pattern->op = (uint8_t)op;
  return pattern;
}

static void
skip_blanks(Reader *reader)
{
  while (*reader->at == ' ' || *reader->at == '\n') {
    reader->at++;
  }
}

static size_t
word_length(const char *text)
{
  return strcspn(text, " \n()");
}

static bool
is_word(const char *text, size_t length, const char *word)
{
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static DaeTerm
literal_of_word(DaeTerms *terms, const char *text, size_t length)
{
  if (is_word(text, length, "pi")) {
    return dae_term_pi(terms);
  }
  if (is_word(text, length, "time")) {
    return dae_term_time(terms);
  }
  if (is_word(text, length, "true") || is_word(text, length, "false")) {
    return dae_term_bool(terms, *text == 't');
  }
  if (g_ascii_isdigit(*text) || *text == '-') {
    bool negative = *text == '-';
    size_t from = negative ? 1 : 0;
    const char *slash = memchr(text, '/', length);
    size_t end = slash != NULL ? (size_t)(slash - text) : length;
    DaeTerm value = dae_term_decimal(terms, text + from, end - from);
    if (slash != NULL) {
      value = dae_term_div(terms, value, dae_term_decimal(terms, slash + 1, length - end - 1));
    }
    DAE_ASSERT(value != DAE_NO_TERM);
    return negative ? dae_term_neg(terms, value) : value;
  }
  uint32_t order = 0;
  while (length > order + 1 && text[length - 1 - order] == '\'') {
    order++;
  }
  g_autofree char *name = g_strndup(text, length - order);
  DaeSymbol symbol = 0;
  bool found = dae_terms_find_symbol(terms, name, &symbol);
  DAE_ASSERT(found);
  return order == 0 ? dae_term_symbol(terms, symbol) : dae_term_variable(terms, symbol, order);
}

static DaePattern *
read_word(Reader *reader)
{
  size_t length = word_length(reader->at);
  const char *text = reader->at;
  DAE_ASSERT(length > 0);
  reader->at += length;
  if (*text == '?' || *text == '#') {
    DAE_ASSERT(length == 2);
    return new_pattern(*text == '?' ? DAE_PATTERN_ANY : DAE_PATTERN_ANY_NUMBER,
                       dae_pattern_wildcard(text[1]));
  }
  DaePattern *pattern = new_pattern(DAE_PATTERN_LITERAL, 0);
  pattern->literal = literal_of_word(reader->terms, text, length);
  return pattern;
}

static DaePattern *
pattern_of_head(const char *text, size_t length)
{
  static const struct {
    const char *word;
    DaePatternHead head;
    int op;
  } heads[] = {
      {"^", DAE_PATTERN_POWER, 0},
      {"neg", DAE_PATTERN_NEG, 0},
      {"scaled", DAE_PATTERN_SCALED, 0},
      {"cofactor", DAE_PATTERN_COFACTOR, 0},
      {"+", DAE_PATTERN_SUM, 0},
      {"*", DAE_PATTERN_PRODUCT, 0},
      {"and", DAE_PATTERN_AND, 0},
      {"or", DAE_PATTERN_OR, 0},
      {"not", DAE_PATTERN_NOT, 0},
      {"if", DAE_PATTERN_IF, 0},
      {"<", DAE_PATTERN_RELATION, DAE_REL_LT},
      {"<=", DAE_PATTERN_RELATION, DAE_REL_LE},
      {">", DAE_PATTERN_RELATION, DAE_REL_GT},
      {">=", DAE_PATTERN_RELATION, DAE_REL_GE},
      {"==", DAE_PATTERN_RELATION, DAE_REL_EQ},
      {"<>", DAE_PATTERN_RELATION, DAE_REL_NE},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(heads); i++) {
    if (is_word(text, length, heads[i].word)) {
      return new_pattern(heads[i].head, heads[i].op);
    }
  }
  DaeFunction function = DAE_FN_COUNT;
  bool found = dae_function_find(text, length, &function);
  DAE_ASSERT(found);
  return new_pattern(DAE_PATTERN_CALL, (int)function);
}

static DaePattern *
read_pattern(Reader *reader)
{
  skip_blanks(reader);
  if (*reader->at != '(') {
    return read_word(reader);
  }
  reader->at++;
  size_t length = word_length(reader->at);
  DaePattern *pattern = pattern_of_head(reader->at, length);
  reader->at += length;
  skip_blanks(reader);
  while (*reader->at != ')') {
    DAE_ASSERT(*reader->at != '\0' && pattern->n < DAE_PATTERN_MAX_OPERANDS);
    pattern->operands[pattern->n++] = read_pattern(reader);
    skip_blanks(reader);
  }
  reader->at++;
  return pattern;
}

DaePattern *
dae_pattern_parse(DaeTerms *terms, const char *text)
{
  Reader reader = {.terms = terms, .at = text};
  DaePattern *pattern = read_pattern(&reader);
  skip_blanks(&reader);
  DAE_ASSERT(*reader.at == '\0');
  return pattern;
}

void
dae_pattern_free(DaePattern *pattern)
{
  if (pattern == NULL) {
    return;
  }
  for (uint8_t i = 0; i < pattern->n; i++) {
    dae_pattern_free(pattern->operands[i]);
  }
  g_free(pattern);
}

/* ---- matching ---------------------------------------------------------------------------- */

/* What is left to match: a list of (pattern, term) pairs; the end of the list asks accept. */
typedef struct Goal Goal;

struct Goal {
  const DaePattern *pattern;
  DaeTerm term;
  const Goal *next;
};

typedef struct {
  DaeTerms *terms;
  DaeAccept accept;
  void *user;
  DaeMatch match;
  /* For two operands of an n-ary term: what the second must match once
   * the first has; NULL otherwise. */
  const DaePattern *second;
  const DaeTerm *operands;
  uint32_t n_operands;
  uint32_t first_at, second_at;
} Matcher;

static bool match_goal(Matcher *m, const Goal *goal);
static bool match_second(Matcher *m);

static bool
bind_wildcard(Matcher *m, const Goal *goal)
{
  DaeTerm *bound = &m->match.bind[goal->pattern->op];
  if (*bound != DAE_NO_TERM) {
    return *bound == goal->term && match_goal(m, goal->next);
  }
  *bound = goal->term;
  if (match_goal(m, goal->next)) {
    return true;
  }
  *bound = DAE_NO_TERM;
  return false;
}

/* All operands in order. */
static bool
match_operands(Matcher *m, const Goal *goal)
{
  const DaePattern *pattern = goal->pattern;
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(m->terms, goal->term, &n);
  if (n != pattern->n) {
    return false;
  }
  Goal goals[DAE_PATTERN_MAX_OPERANDS];
  const Goal *next = goal->next;
  for (uint32_t i = n; i > 0; i--) {
    goals[i - 1] = (Goal){.pattern = pattern->operands[i - 1], .term = u[i - 1], .next = next};
    next = &goals[i - 1];
  }
  return match_goal(m, next);
}

bool
dae_leading_is_negative(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind == DAE_KIND_SUM) {
    const DaeTerm *u = dae_node_operands(node);
    t = u[dae_is_kind(terms, u[0], DAE_KIND_NUMBER) ? 1 : 0];
  }
  DaeRat c = dae_coefficient_view(terms, t);
  return dae_rat_sign(&c) < 0;
}

static bool
match_neg(Matcher *m, const Goal *goal)
{
  if (!dae_leading_is_negative(m->terms, goal->term)) {
    return false;
  }
  Goal inner = {.pattern = goal->pattern->operands[0],
                .term = dae_term_neg(m->terms, goal->term),
                .next = goal->next};
  return match_goal(m, &inner);
}

static bool
match_scaled(Matcher *m, const Goal *goal)
{
  if (dae_is_kind(m->terms, goal->term, DAE_KIND_NUMBER)) {
    return false;
  }
  DaeRat c = dae_coefficient_view(m->terms, goal->term);
  DaeRat inverse;
  dae_rat_init_copy(&inverse, &c);
  dae_rat_invert(&inverse);
  DaeTerm rest = dae_build_scale(m->terms, goal->term, &inverse);
  dae_rat_clear(&inverse);
  Goal second = {.pattern = goal->pattern->operands[1], .term = rest, .next = goal->next};
  Goal first = {.pattern = goal->pattern->operands[0],
                .term = dae_store_number(m->terms, &c),
                .next = &second};
  return match_goal(m, &first);
}

/* Cheap refusal before the cofactor is built. */
static bool
may_match(const DaeTerms *terms, const DaePattern *pattern, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  if (pattern->head == DAE_PATTERN_CALL) {
    return node->kind == DAE_KIND_CALL && node->op == pattern->op;
  }
  if (pattern->head == DAE_PATTERN_POWER) {
    return node->kind == DAE_KIND_POWER &&
           may_match(terms, pattern->operands[0], node->u.few[0]);
  }
  return true;
}

static bool
match_cofactor(Matcher *m, const Goal *goal)
{
  const DaePattern *cofactor = goal->pattern->operands[0];
  const DaePattern *factor = goal->pattern->operands[1];
  if (!dae_is_kind(m->terms, goal->term, DAE_KIND_PRODUCT)) {
    Goal first = {.pattern = cofactor, .term = m->terms->one, .next = goal->next};
    Goal second = {.pattern = factor, .term = goal->term, .next = &first};
    return may_match(m->terms, factor, goal->term) && match_goal(m, &second);
  }
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(m->terms, goal->term, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (!may_match(m->terms, factor, u[i])) {
      continue;
    }
    DaeList rest;
    dae_list_init(&rest);
    dae_list_append(&rest, u, i);
    dae_list_append(&rest, u + i + 1, n - i - 1);
    DaeTerm others = dae_term_product(m->terms, rest.data, rest.n);
    dae_list_clear(&rest);
    Goal first = {.pattern = cofactor, .term = others, .next = goal->next};
    Goal second = {.pattern = factor, .term = u[i], .next = &first};
    if (match_goal(m, &second)) {
      return true;
    }
  }
  return false;
}

static bool
match_kind(Matcher *m, const Goal *goal, DaeKind kind)
{
  const DaeNode *node = dae_node(m->terms, goal->term);
  bool has_op = kind == DAE_KIND_CALL || kind == DAE_KIND_RELATION;
  return node->kind == kind && (!has_op || node->op == goal->pattern->op) &&
         match_operands(m, goal);
}

/* True if every wildcard of the pattern is bound: then it stands for one term. Patterns are
 * part of the program and shallow. */
static bool
is_determined(const DaeMatch *match,
              const DaePattern *pattern) // NOLINT(misc-no-recursion): depth of a rule's text
{
  if (pattern->head == DAE_PATTERN_ANY || pattern->head == DAE_PATTERN_ANY_NUMBER) {
    return match->bind[pattern->op] != DAE_NO_TERM;
  }
  for (uint8_t i = 0; i < pattern->n; i++) {
    if (!is_determined(match, pattern->operands[i])) {
      return false;
    }
  }
  return true;
}

/* The first of two operands has matched: looks for the second. A pattern without free wildcards
 * is built and looked up by its id. */
static bool
match_second(Matcher *m)
{
  const DaePattern *second = m->second;
  bool determined = is_determined(&m->match, second);
  DaeTerm wanted = determined ? dae_pattern_build(m->terms, second, &m->match) : DAE_NO_TERM;
  m->second = NULL; /* what follows is the end of the search */
  bool found = false;
  for (uint32_t j = 0; j < m->n_operands && !found; j++) {
    Goal goal = {.pattern = second, .term = m->operands[j], .next = NULL};
    m->second_at = j;
    found = j != m->first_at && (determined ? m->operands[j] == wanted && match_goal(m, NULL)
                                            : match_goal(m, &goal));
  }
  m->second = second;
  return found;
}

static bool
match_goal(Matcher *m, const Goal *goal)
{
  if (goal == NULL) {
    return m->second != NULL ? match_second(m)
                             : m->accept == NULL || m->accept(m->user, &m->match);
  }
  switch (goal->pattern->head) {
  case DAE_PATTERN_ANY:
    return bind_wildcard(m, goal);
  case DAE_PATTERN_ANY_NUMBER:
    return dae_is_kind(m->terms, goal->term, DAE_KIND_NUMBER) && bind_wildcard(m, goal);
  case DAE_PATTERN_LITERAL:
    return goal->term == goal->pattern->literal && match_goal(m, goal->next);
  case DAE_PATTERN_CALL:
    return match_kind(m, goal, DAE_KIND_CALL);
  case DAE_PATTERN_POWER:
    return match_kind(m, goal, DAE_KIND_POWER);
  case DAE_PATTERN_NEG:
    return match_neg(m, goal);
  case DAE_PATTERN_SCALED:
    return match_scaled(m, goal);
  case DAE_PATTERN_COFACTOR:
    return match_cofactor(m, goal);
  case DAE_PATTERN_NOT:
    return match_kind(m, goal, DAE_KIND_NOT);
  case DAE_PATTERN_IF:
    return match_kind(m, goal, DAE_KIND_IF);
  case DAE_PATTERN_RELATION:
    return match_kind(m, goal, DAE_KIND_RELATION);
  case DAE_PATTERN_SUM:
  case DAE_PATTERN_PRODUCT:
  case DAE_PATTERN_AND:
  case DAE_PATTERN_OR:
    break; /* at the top only */
  }
  return false;
}

/* Refuses most operands of a long sum before anything is built. */
static bool
may_match_operand(const DaeTerms *terms, const DaePattern *pattern, DaeTerm t)
{
  if (pattern->head != DAE_PATTERN_COFACTOR) {
    return may_match(terms, pattern, t);
  }
  const DaePattern *factor = pattern->operands[1];
  if (!dae_is_kind(terms, t, DAE_KIND_PRODUCT)) {
    return may_match(terms, factor, t);
  }
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (may_match(terms, factor, u[i])) {
      return true;
    }
  }
  return false;
}

/* Two operands of an n-ary term, the first pattern being the more special one. O(n)
 * for each operand that the first pattern matches, since then the second operand is
 * known in all rules for sums. */
static bool
match_pair(Matcher *m, const DaePattern *pattern, DaeTerm t, DaeList *rest)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(m->terms, t, &n);
  DAE_ASSERT(pattern->n == 2);
  m->operands = u;
  m->n_operands = n;
  for (uint32_t i = 0; i < n; i++) {
    if (!may_match_operand(m->terms, pattern->operands[0], u[i])) {
      continue;
    }
    m->second = pattern->operands[1];
    m->first_at = i;
    Goal first = {.pattern = pattern->operands[0], .term = u[i], .next = NULL};
    if (match_goal(m, &first)) {
      for (uint32_t k = 0; k < n; k++) {
        if (k != i && k != m->second_at) {
          dae_list_push(rest, u[k]);
        }
      }
      return true;
    }
  }
  return false;
}

bool
dae_pattern_match(DaeTerms *terms, const DaePattern *pattern, DaeTerm t, DaeAccept accept,
                  void *user, DaeMatch *match, DaeList *rest)
{
  Matcher m = {.terms = terms, .accept = accept, .user = user};
  memset(&m.match, 0, sizeof m.match);
  Goal goal = {.pattern = pattern, .term = t, .next = NULL};
  DaeKind kind = dae_term_kind(terms, t);
  bool found = false;
  switch (pattern->head) {
  case DAE_PATTERN_SUM:
    found = kind == DAE_KIND_SUM && match_pair(&m, pattern, t, rest);
    break;
  case DAE_PATTERN_PRODUCT:
    found = kind == DAE_KIND_PRODUCT && match_pair(&m, pattern, t, rest);
    break;
  case DAE_PATTERN_AND:
    found = kind == DAE_KIND_AND && match_pair(&m, pattern, t, rest);
    break;
  case DAE_PATTERN_OR:
    found = kind == DAE_KIND_OR && match_pair(&m, pattern, t, rest);
    break;
  case DAE_PATTERN_ANY:
  case DAE_PATTERN_ANY_NUMBER:
  case DAE_PATTERN_LITERAL:
  case DAE_PATTERN_CALL:
  case DAE_PATTERN_POWER:
  case DAE_PATTERN_NEG:
  case DAE_PATTERN_SCALED:
  case DAE_PATTERN_COFACTOR:
  case DAE_PATTERN_NOT:
  case DAE_PATTERN_IF:
  case DAE_PATTERN_RELATION:
    found = match_goal(&m, &goal);
    break;
  }
  *match = m.match;
  return found;
}

/* ---- building ---------------------------------------------------------------------------- */

static DaeTerm
build_of(DaeTerms *terms, const DaePattern *pattern, const DaeTerm *u)
{
  switch (pattern->head) {
  case DAE_PATTERN_CALL:
    return dae_term_call(terms, (DaeFunction)pattern->op, u, pattern->n);
  case DAE_PATTERN_POWER:
    return dae_term_pow(terms, u[0], u[1]);
  case DAE_PATTERN_NEG:
    return dae_term_neg(terms, u[0]);
  case DAE_PATTERN_SUM:
    return dae_term_sum(terms, u, pattern->n);
  case DAE_PATTERN_PRODUCT:
  case DAE_PATTERN_SCALED:
  case DAE_PATTERN_COFACTOR:
    return dae_term_product(terms, u, pattern->n);
  case DAE_PATTERN_AND:
    return dae_term_and(terms, u[0], u[1]);
  case DAE_PATTERN_OR:
    return dae_term_or(terms, u[0], u[1]);
  case DAE_PATTERN_NOT:
    return dae_term_not(terms, u[0]);
  case DAE_PATTERN_IF:
    return dae_term_if(terms, u[0], u[1], u[2]);
  case DAE_PATTERN_RELATION:
    return dae_term_relation(terms, (DaeRelation)pattern->op, u[0], u[1]);
  case DAE_PATTERN_ANY:
  case DAE_PATTERN_ANY_NUMBER:
  case DAE_PATTERN_LITERAL:
    break;
  }
  return pattern->literal;
}

DaeTerm
dae_pattern_build(DaeTerms *terms, const DaePattern *pattern, const DaeMatch *match)
{
  if (pattern->head == DAE_PATTERN_ANY || pattern->head == DAE_PATTERN_ANY_NUMBER) {
    DAE_ASSERT(match->bind[pattern->op] != DAE_NO_TERM);
    return match->bind[pattern->op];
  }
  DaeTerm u[DAE_PATTERN_MAX_OPERANDS] = {DAE_NO_TERM};
  for (uint8_t i = 0; i < pattern->n; i++) {
    u[i] = dae_pattern_build(terms, pattern->operands[i], match);
    if (u[i] == DAE_NO_TERM) {
      return DAE_NO_TERM;
    }
  }
  return build_of(terms, pattern, u);
}

/* NOLINTEND(misc-no-recursion) */
