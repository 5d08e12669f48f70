/* Small initializations with known verdicts: read, analyzed, checked,
 * and every proof checked again. */
#ifndef DAE_TESTS_INITCHECK_CASES_H
#define DAE_TESTS_INITCHECK_CASES_H

#include "initcheck/initcheck.h"
#include "proofcheck/proofcheck.h"

typedef struct {
  const char *name;
  DaeInitVerdict verdict;
  uint32_t redundant, missing;
  uint32_t conflict;     /* size of the smallest conflict set, 0: none */
  const char *condition; /* the first condition, or NULL */
  const char *text;
} InitCase;

/* Runs each case; failures name the case. Returns through Unity. */
void check_cases(const InitCase *cases, size_t n);

typedef struct {
  DaeTerms *terms;
  DaeAlgebra *algebra;
  DaeModel *model;
  DaeSig *sig;
  DaeInit *init;
} Checked;

Checked check_text(const char *name, const char *text, const DaeInitOptions *options);
Checked check_file(const char *path, const DaeInitOptions *options);
/* The proof checker accepts all proofs. */
bool checked_verifies(const Checked *checked, char **why);
void checked_clear(Checked *checked);

#endif
