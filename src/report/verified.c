#include "report/report.h"

void
dae_verified_json(DaeJson *json, const DaeVerified *verified, uint32_t n)
{
  if (n == 0) {
    return;
  }
  dae_json_key(json, "verified");
  dae_json_begin_object(json, true);
  for (uint32_t k = 0; k < n; k++) {
    dae_json_key(json, verified[k].what);
    dae_json_string(json, verified[k].why == NULL ? "holds" : verified[k].why);
  }
  dae_json_end_object(json);
}

void
dae_verified_text(GString *out, const DaeVerified *verified, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++) {
    g_string_append_printf(out, "verified: the %s %s%s\n", verified[k].what,
                           verified[k].why == NULL ? "holds" : "was not confirmed: ",
                           verified[k].why == NULL ? "" : verified[k].why);
  }
}
