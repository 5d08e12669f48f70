/* How a positive status of `daetool analyze` is known, and what
 * holds with parameters as symbols. */
#include <math.h>

#include "report/analyze.h"

enum { SHOWN_VALUES = 6, SHOWN_DIGITS = 6 };

static void
write_point(DaeJson *json, const DaeAnalyzeView *view, const DaeCertificate *certificate)
{
  DaeTerm time = dae_term_time(view->terms);
  for (uint32_t k = 0; k < certificate->n; k++) {
    if (certificate->atoms[k] == time) {
      dae_json_key(json, "time");
      dae_json_number(json, certificate->values[k]);
    }
  }
  dae_json_key(json, "values");
  dae_json_begin_object(json, false);
  for (uint32_t k = 0; k < certificate->n; k++) {
    if (certificate->atoms[k] != time) {
      g_autofree char *name = dae_term_to_string(view->terms, certificate->atoms[k]);
      dae_json_key(json, name);
      dae_json_number(json, certificate->values[k]);
    }
  }
  dae_json_end_object(json);
  g_autofree char *radius = g_strdup_printf("1e%d", certificate->radius);
  dae_json_key(json, "radius");
  dae_json_number(json, radius);
}

void
dae_certificate_json(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  static const char *const kinds[] = {[DAE_CERTIFICATE_EVERYWHERE] = "everywhere",
                                      [DAE_CERTIFICATE_POINT] = "point",
                                      [DAE_CERTIFICATE_ALGEBRAIC] = "algebraic"};
  const DaeCertificate *certificate = dae_sig_certificate(sig);
  if (certificate->kind == DAE_CERTIFICATE_NONE) {
    return;
  }
  dae_json_key(json, "certificate");
  dae_json_begin_object(json, certificate->kind != DAE_CERTIFICATE_POINT);
  dae_json_key(json, "kind");
  dae_json_string(json, kinds[certificate->kind]);
  if (certificate->kind == DAE_CERTIFICATE_POINT) {
    write_point(json, view, certificate);
  } else if (certificate->kind == DAE_CERTIFICATE_ALGEBRAIC) {
    g_autofree char *prime = g_strdup_printf("%" G_GUINT64_FORMAT, certificate->prime);
    dae_json_key(json, "field");
    dae_json_string(json, "integers modulo a prime");
    dae_json_key(json, "prime");
    dae_json_string(json, prime);
    dae_json_key(json, "seed");
    dae_json_int(json, certificate->seed);
  }
  dae_json_end_object(json);
}

void
dae_symbolic_json(DaeJson *json, const DaeSig *sig)
{
  const DaeSig *symbolic = dae_sig_symbolic(sig);
  if (symbolic == NULL) {
    return;
  }
  bool has_numbers = dae_sig_transversal(symbolic) != NULL;
  dae_json_key(json, "symbolic");
  dae_json_begin_object(json, true);
  dae_json_key(json, "status");
  dae_json_string(json, dae_analyze_status_name(dae_sig_status(symbolic)));
  dae_json_key(json, "structural_index");
  if (has_numbers) {
    dae_json_int(json, dae_sig_index(symbolic));
  } else {
    dae_json_null(json);
  }
  dae_json_key(json, "dof");
  if (has_numbers) {
    dae_json_int(json, dae_sig_dof(symbolic));
  } else {
    dae_json_null(json);
  }
  dae_json_end_object(json);
}

static void
append_point(GString *out, const DaeAnalyzeView *view, const DaeCertificate *certificate)
{
  g_string_append(out, "Certificate: a consistent point where the Jacobian is regular, ");
  for (uint32_t k = 0; k < MIN(certificate->n, SHOWN_VALUES); k++) {
    g_autofree char *name = dae_term_to_string(view->terms, certificate->atoms[k]);
    g_string_append_printf(out, "%s%s = %.*g", k == 0 ? "" : ", ", name, SHOWN_DIGITS,
                           g_ascii_strtod(certificate->values[k], NULL));
  }
  g_string_append_printf(out, "%s; it exists within 1e%d of the digits found.\n",
                         certificate->n > SHOWN_VALUES ? ", ..." : "", certificate->radius);
}

void
dae_certificate_text(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const DaeCertificate *certificate = dae_sig_certificate(sig);
  switch (certificate->kind) {
  case DAE_CERTIFICATE_NONE:
    break;
  case DAE_CERTIFICATE_EVERYWHERE:
    g_string_append(out, "Certificate: the determinant of the Jacobian has no zeros.\n");
    break;
  case DAE_CERTIFICATE_POINT:
    append_point(out, view, certificate);
    break;
  case DAE_CERTIFICATE_ALGEBRAIC:
    g_string_append_printf(
        out,
        "Certificate: a consistent point modulo the prime %" G_GUINT64_FORMAT
        " where the Jacobian is regular; it says nothing of real solutions.\n",
        certificate->prime);
    break;
  }
}

void
dae_symbolic_text(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const DaeSig *symbolic = dae_sig_symbolic(sig);
  if (symbolic == NULL) {
    return;
  }
  g_autofree char *violated = dae_sig_zero_factors(sig, view->written);
  g_string_append_printf(
      out, "This holds for the given parameter values. With parameters as symbols: %s",
      dae_analyze_status_name(dae_sig_status(symbolic)));
  if (dae_sig_transversal(symbolic) != NULL) {
    g_string_append_printf(out, ", structural index %d, %" G_GINT64_FORMAT " %s",
                           dae_sig_index(symbolic), dae_sig_dof(symbolic),
                           dae_sig_dof(symbolic) == 1 ? "degree of freedom"
                                                      : "degrees of freedom");
  }
  if (violated != NULL) {
    g_string_append_printf(out, "; here this is 0: %s", violated);
  }
  g_string_append(out, ".\n");
}
