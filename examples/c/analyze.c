/* Analyzes a model that stands in memory: index, degrees of freedom, offsets.
 *
 *     cc analyze.c $(pkg-config --cflags --libs daetool) -o analyze && ./analyze */
#include <daetool/daetool.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "model Pendulum\n"
                           "  parameter Real g = 9.81, L = 1;\n"
                           "  Real x(start = 1), y, u, v, lambda;\n"
                           "equation\n"
                           "  der(x) = u;\n"
                           "  der(y) = v;\n"
                           "  der(u) = -2*x*lambda;\n"
                           "  der(v) = -2*y*lambda - g;\n"
                           "  x^2 + y^2 = L^2;\n"
                           "end Pendulum;\n";

int
main(void)
{
  GError *error = NULL;
  dae_init();
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(NULL);
  const DaeSig *sig = NULL;
  if (dae_pipeline_read_text(pipeline, "pendulum", text, strlen(text), NULL, &error)) {
    sig = dae_pipeline_analyze(pipeline, NULL, &error);
  }
  if (sig == NULL) {
    fprintf(stderr, "%s\n", error->message);
    g_error_free(error);
    return 1;
  }
  printf("index %d, %d degrees of freedom\n", dae_sig_index(sig), (int)dae_sig_dof(sig));
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    printf("equation %u is differentiated %d times\n", i, dae_sig_c(sig)[i]);
  }
  return 0;
}
