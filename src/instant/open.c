/* Unknowns that the present mode leaves open keep their values (instant.h, open_columns). */
#include "instant/instant-priv.h"

/* Once: which one, and that others would do as well. */
static void
tell(DaeInstant *instant, uint32_t column)
{
  g_autofree char *name = dae_term_to_string(instant->terms, instant->parts.unknowns[column]);
  instant->told_open = true;
  dae_report_warning(instant->parts.reporter,
                     "in some modes an equation holds twice and leaves %s open, as where two "
                     "brakes hold one shaft; there it keeps the value that it had before",
                     name);
}

void
dae_open_update(DaeInstant *instant, const double *x)
{
  uint32_t n = instant->parts.n_open;
  if (n == 0) {
    return;
  }
  g_autofree uint8_t *is_open = g_new0(uint8_t, n + 1);
  instant->parts.find_open(instant->parts.user, instant->segment, is_open);
  for (uint32_t i = 0; i < n; i++) {
    double *flag = &instant->segment[instant->at_open + 2 * i];
    if (is_open[i] == 0) {
      flag[0] = flag[1] = 0;
    } else if (flag[0] == 0) {
      flag[0] = 1;
      flag[1] = x[instant->parts.open_columns[i]];
      if (!instant->told_open) {
        tell(instant, instant->parts.open_columns[i]);
      }
    }
  }
}

bool
dae_open_any(const DaeInstant *instant)
{
  for (uint32_t i = 0; i < instant->parts.n_open; i++) {
    if (instant->segment[instant->at_open + 2 * i] != 0) {
      return true;
    }
  }
  return false;
}
