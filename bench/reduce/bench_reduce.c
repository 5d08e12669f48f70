/* How long does reduction take, and how big does it get? One line per model:
 *   name  equations  unknowns  constraints  introduced  terms-in  terms-out
 *   read  analyze  reduce   (CPU seconds)
 * Usage: bench_reduce [chain N ...] [ladder N ...] [relative N ...] [file PATH ...];
 * without arguments a standard set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kinds.h"
#include "qlt/qlt.h"
#include "reader/reader.h"

static double
seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
measure(const char *name, const char *text)
{
  GError *error = NULL;
  double t0 = seconds();
  g_autoptr(DaeTerms) terms = dae_terms_new();
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(terms, NULL);
  g_autoptr(DaeModel) model =
      dae_model_read(terms, name, text, strlen(text), NULL, NULL, &error);
  double t1 = seconds();
  DaeSigOptions options = dae_sig_default_options;
  options.overdetermined_ok = true;
  g_autoptr(DaeSig) sig =
      model != NULL ? dae_sig_analyze(algebra, model, &options, NULL, &error) : NULL;
  double t2 = seconds();
  g_autoptr(DaeQlt) qlt = sig != NULL ? dae_qlt_reduce(algebra, sig, NULL, NULL, &error) : NULL;
  double t3 = seconds();
  if (qlt == NULL) {
    printf("%-24s %s\n", name, error != NULL ? error->message : "no result");
    g_clear_error(&error);
    return;
  }
  printf("%-24s %8u %8u %8u %6u %9zu %9zu %9.3f %9.3f %9.3f\n", name,
         dae_model_n_equations(model), dae_qlt_n_unknowns(qlt), dae_qlt_n_constraints(qlt),
         dae_qlt_n_introduced(qlt), dae_qlt_terms_in(qlt), dae_qlt_terms_out(qlt), t1 - t0,
         t2 - t1, t3 - t2);
  fflush(stdout);
}

static void
measure_kind(const char *kind, const char *argument)
{
  g_autofree char *name = g_strdup_printf("%s %s", kind, argument);
  g_autofree char *text = NULL;
  uint32_t n = (uint32_t)strtoul(argument, NULL, 10);
  if (strcmp(kind, "file") == 0) {
    GError *error = NULL;
    g_autofree char *base = g_path_get_basename(argument);
    if (!g_file_get_contents(argument, &text, NULL, &error)) {
      printf("%s\n", error->message);
      g_clear_error(&error);
      return;
    }
    measure(base, text);
    return;
  }
  text = strcmp(kind, "chain") == 0    ? bench_chain(n)
         : strcmp(kind, "ladder") == 0 ? bench_ladder(n)
                                       : bench_relative(n);
  measure(name, text);
}

static const char *const standard[] = {
    "chain",  "1",  "2",   "5",   "10",   "100",  "200",      "500", "1000",
    "ladder", "20", "200", "500", "1000", "2000", "relative", "2",   "3",
};

int
main(int argc, char **argv)
{
  dae_base_init();
  dae_algebra_init();
  printf("%-24s %8s %8s %8s %6s %9s %9s %9s %9s %9s\n", "model", "eqs", "unknowns", "constr.",
         "intro", "terms in", "terms out", "read s", "analyze s", "reduce s");
  const char *kind = "file";
  bool is_standard = argc < 2;
  int n = is_standard ? (int)G_N_ELEMENTS(standard) : argc - 1;
  for (int i = 0; i < n; i++) {
    const char *argument = is_standard ? standard[i] : argv[i + 1];
    if (strcmp(argument, "chain") == 0 || strcmp(argument, "ladder") == 0 ||
        strcmp(argument, "relative") == 0 || strcmp(argument, "file") == 0) {
      kind = argument;
    } else {
      measure_kind(kind, argument);
    }
  }
  return 0;
}
