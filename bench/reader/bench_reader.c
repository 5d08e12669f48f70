/* Reading and building a flat RC ladder: 2 equations, 2 unknowns and 2 parameters per section,
 * names as a flattening tool writes them (section17.capacitor.v). Prints one line per size: CPU
 * seconds, MB/s, terms/s, peak memory.
 *
 *   bench_reader [largest number of equations]        default 1000000; each size runs in
 *                                                     a process of its own, so that the
 *                                                     peak memory is that of the size */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reader/reader.h"

static GString *
write_ladder(uint32_t n)
{
  GString *out = g_string_sized_new((size_t)n * 260 + 1000);
  g_string_append(out,
                  "class Ladder \"RC ladder\"\n  parameter Real V(unit = \"V\") = 10.0;\n");
  for (uint32_t k = 1; k <= n; k++) {
    g_string_append_printf(
        out,
        "  parameter Real section%u.resistor.R(quantity = \"Resistance\", unit = \"Ohm\") = "
        "100.0;\n"
        "  parameter Real section%u.capacitor.C(unit = \"F\", min = 0.0) = 1e-6;\n"
        "  Real section%u.resistor.i(unit = \"A\");\n"
        "  Real section%u.capacitor.v(unit = \"V\", start = 0.0, fixed = true);\n",
        k, k, k, k);
  }
  g_string_append(out, "equation\n");
  for (uint32_t k = 1; k <= n; k++) {
    g_string_append_printf(out, "  section%u.resistor.R * section%u.resistor.i = ", k, k);
    if (k == 1) {
      g_string_append(out, "V * sin(314.0 * time)");
    } else {
      g_string_append_printf(out, "section%u.capacitor.v", k - 1);
    }
    g_string_append_printf(out, " - section%u.capacitor.v;\n", k);
    g_string_append_printf(
        out, "  section%u.capacitor.C * der(section%u.capacitor.v) = section%u.resistor.i", k,
        k, k);
    if (k < n) {
      g_string_append_printf(out, " - section%u.resistor.i", k + 1);
    }
    g_string_append(out, ";\n");
  }
  g_string_append(out, "end Ladder;\n");
  return out;
}

static double
peak_memory_mib(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024.0;
}

/* CPU time: the machine may be busy with other things. The reader has one thread. */
static double
cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int
run_size(uint32_t equations)
{
  g_autoptr(GString) text = write_ladder(equations / 2);
  DaeTerms *terms = dae_terms_new();
  GError *error = NULL;
  double begin = cpu_seconds();
  DaeModel *model =
      dae_model_read(terms, "ladder.mo", text->str, text->len, NULL, NULL, &error);
  double seconds = cpu_seconds() - begin;
  if (model == NULL) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  double megabytes = (double)text->len / 1e6;
  uint32_t n_terms = dae_terms_count(terms);
  printf("%9u %8.1f %9.3f %9.1f %11.2e %10u %9.1f %9.1f\n", dae_model_n_equations(model),
         megabytes, seconds, megabytes / seconds, n_terms / seconds, n_terms,
         (double)dae_terms_bytes(terms) / 1048576.0, peak_memory_mib());
  dae_model_free(model);
  dae_terms_free(terms);
  return 0;
}

int
main(int argc, char **argv)
{
  uint32_t largest = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
  printf("equations       MB   seconds      MB/s     terms/s      terms terms MiB  peak MiB\n");
  for (uint32_t n = 1000; n <= largest; n *= 10) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      int code = run_size(n);
      fflush(stdout);
      _exit(code);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
      return 1;
    }
  }
  return 0;
}
