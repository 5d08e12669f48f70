#include "report/report.h"

const char *
dae_style_code(DaeStyle style)
{
  static const char *const codes[] = {
      [DAE_STYLE_GOOD] = "\033[32m", [DAE_STYLE_BAD] = "\033[31m",
      [DAE_STYLE_WARN] = "\033[33m", [DAE_STYLE_DIM] = "\033[2m",
      [DAE_STYLE_BOLD] = "\033[1m",
  };
  return codes[style];
}

void
dae_page_styled(const DaePage *page, GString *out, DaeStyle style, const char *text)
{
  if (page->color) {
    g_string_append_printf(out, "%s%s\033[0m", dae_style_code(style), text);
  } else {
    g_string_append(out, text);
  }
}

DaePrintStyle
dae_page_print_style(const DaePage *page)
{
  return page->unicode ? DAE_PRINT_MATH : DAE_PRINT_MODELICA;
}

void
dae_page_term(const DaePage *page, GString *out, DaeTerms *terms, DaeTerm t)
{
  DaePrinting how = {.style = dae_page_print_style(page)};
  dae_term_print_styled(terms, t, &how, out);
}

void
dae_page_text(const DaePage *page, GString *out, const DaeStyled *text)
{
  g_string_append(out, text->in[dae_page_print_style(page)]);
}

void
dae_report_json_equation(DaeJson *json, DaeTerms *terms, const DaeEquation *equation,
                         uint32_t index)
{
  g_autoptr(GString) text = g_string_new(NULL);
  dae_model_print_equation(terms, equation, text);
  dae_json_key(json, "index");
  dae_json_int(json, index);
  dae_json_key(json, "text");
  dae_json_string(json, text->str);
  dae_json_key(json, "line");
  dae_json_int(json, equation->span.line);
  if (equation->span.file != 0) {
    dae_json_key(json, "file");
    dae_json_string(json, g_quark_to_string(equation->span.file));
  }
}

void
dae_report_place(GString *out, DaeSpan span)
{
  g_autofree char *text = dae_span_text(span);
  g_string_append(out, text);
}

void
dae_report_equation_place(GString *out, const DaeModel *instances, const DaeTerms *terms,
                          const DaeEquation *equation)
{
  dae_report_place(out, equation->span);
  if (equation->is_connection) {
    g_string_append(out, dae_model_is_open_end(terms, equation) ? ", nothing connected"
                                                                : ", connect");
  } else if (instances != NULL && equation->instance > 0 &&
             equation->instance < dae_model_n_instances(instances)) {
    g_string_append_printf(out, ", component %s",
                           dae_model_instance(instances, equation->instance)->name);
  }
}
