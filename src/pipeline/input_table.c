#include "pipeline/input_table.h"

#include <string.h>

#include "pipeline/pipeline-priv.h"

/* The initial problem may differentiate further than the reduction. */
enum { BEYOND_ORDER = 8 };

struct DaeInputTable {
  char *file;
  GPtrArray *names; /* char *, NULL-terminated: without the time */
  GPtrArray *cells; /* char *: numbers as text, row by row, the time first */
  GArray *lines;    /* uint32_t, by row */
  uint32_t n_rows;
};

/* ---- reading ----------------------------------------------------------------------------- */

typedef struct {
  const char *at, *end;
  uint32_t line;
} Reading;

static char
separator_of(const char *text)
{
  const char *end = text + strcspn(text, "\r\n");
  const char *semicolon = memchr(text, ';', (size_t)(end - text));
  const char *comma = memchr(text, ',', (size_t)(end - text));
  const char *tab = memchr(text, '\t', (size_t)(end - text));
  return comma != NULL ? ',' : semicolon != NULL ? ';' : tab != NULL ? '\t' : ',';
}

/* One cell, quotes removed; *is_last: the line ends behind it. */
static char *
take_cell(Reading *r, char separator, bool *is_last)
{
  GString *cell = g_string_new(NULL);
  bool is_quoted = false;
  while (r->at < r->end) {
    char c = *r->at;
    if (c == '"' && is_quoted && r->at + 1 < r->end && r->at[1] == '"') {
      g_string_append_c(cell, '"');
      r->at++;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && (c == separator || c == '\n' || c == '\r')) {
      break;
    } else {
      g_string_append_c(cell, c);
    }
    r->at++;
  }
  *is_last = r->at >= r->end || *r->at != separator;
  if (!*is_last) {
    r->at++;
  } else {
    r->at += r->at < r->end && *r->at == '\r' ? 1 : 0;
    r->at += r->at < r->end && *r->at == '\n' ? 1 : 0;
  }
  return g_strstrip(g_string_free(cell, FALSE));
}

static GPtrArray *
take_line(Reading *r, char separator)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
  bool is_last = false;
  r->line++;
  while (!is_last) {
    g_ptr_array_add(cells, take_cell(r, separator, &is_last));
  }
  return cells;
}

static bool
is_number(const char *text)
{
  char *end = NULL;
  if (*text == '\0') {
    return false;
  }
  double value = g_ascii_strtod(text, &end);
  return *end == '\0' && value - value == 0.0;
}

static bool
fail_at(const DaeInputTable *table, uint32_t line, uint32_t column, GError **error,
        const char *message)
{
  g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL, "%s:%u: error: column %u: %s", table->file,
              line, column + 1, message);
  return false;
}

static bool
take_header(DaeInputTable *table, Reading *r, char separator, GError **error)
{
  g_autoptr(GPtrArray) header = take_line(r, separator);
  for (guint k = 0; k < header->len; k++) {
    const char *name = g_ptr_array_index(header, k);
    if (is_number(name)) {
      return fail_at(table, 1, k, error, "the first line must have the names of the columns");
    }
    for (guint i = 1; i < k; i++) {
      if (strcmp(g_ptr_array_index(header, i), name) == 0) {
        return fail_at(table, 1, k, error, "this name is there twice");
      }
    }
    if (k > 0) {
      g_ptr_array_add(table->names, g_strdup(name));
    }
  }
  g_ptr_array_add(table->names, NULL);
  return header->len >= 2 || fail_at(table, 1, 0, error, "there is no column besides the time");
}

static bool
take_rows(DaeInputTable *table, Reading *r, char separator, GError **error)
{
  const guint n = table->names->len; /* columns: the NULL at the end stands for the time */
  double before = 0;
  while (r->at < r->end) {
    g_autoptr(GPtrArray) cells = take_line(r, separator);
    if (cells->len == 1 && *(const char *)g_ptr_array_index(cells, 0) == '\0') {
      continue; /* an empty line */
    }
    if (cells->len != n) {
      return fail_at(table, r->line, MIN(cells->len, n), error,
                     cells->len < n ? "there are fewer cells than names"
                                    : "there are more cells than names");
    }
    for (guint k = 0; k < n; k++) {
      if (!is_number(g_ptr_array_index(cells, k))) {
        return fail_at(table, r->line, k, error, "this is not a finite number");
      }
    }
    double t = g_ascii_strtod(g_ptr_array_index(cells, 0), NULL);
    if (table->n_rows > 0 && t < before) {
      return fail_at(table, r->line, 0, error, "the times must not decrease");
    }
    before = t;
    table->n_rows++;
    g_array_append_val(table->lines, r->line);
    for (guint k = 0; k < n; k++) {
      g_ptr_array_add(table->cells, g_strdup(g_ptr_array_index(cells, k)));
    }
  }
  return table->n_rows > 0 || fail_at(table, 1, 0, error, "there are no rows");
}

DaeInputTable *
dae_input_table_read(const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  g_autoptr(GError) cause = NULL;
  if (!g_file_get_contents(path, &text, &length, &cause)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "%s: cannot read: %s", path, cause->message);
    return NULL;
  }
  g_autoptr(DaeInputTable) table = g_new0(DaeInputTable, 1);
  table->file = g_strdup(path);
  table->names = g_ptr_array_new_with_free_func(g_free);
  table->cells = g_ptr_array_new_with_free_func(g_free);
  table->lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Reading r = {text, text + strnlen(text, length), 0};
  if (g_str_has_prefix(text, "\xEF\xBB\xBF")) {
    r.at += 3; /* a byte order mark */
  }
  const char separator = separator_of(r.at);
  if (!take_header(table, &r, separator, error) || !take_rows(table, &r, separator, error)) {
    return NULL;
  }
  return g_steal_pointer(&table);
}

void
dae_input_table_free(DaeInputTable *table)
{
  if (table != NULL) {
    g_free(table->file);
    g_ptr_array_free(table->names, TRUE);
    g_ptr_array_free(table->cells, TRUE);
    g_array_free(table->lines, TRUE);
    g_free(table);
  }
}

const char *const *
dae_input_table_names(const DaeInputTable *table)
{
  return (const char *const *)(void *)table->names->pdata;
}

/* ---- terms ------------------------------------------------------------------------------- */

/* From `from` (right of it) to `to`: value + slope*(time - from). */
typedef struct {
  DaeTerm from, value, slope;
} Piece;

/* "+1.5e3" and "-2" are no literals of the language: the sign is taken off. */
static DaeTerm
exact_number(DaeTerms *terms, const char *text)
{
  bool is_negative = *text == '-';
  text += *text == '-' || *text == '+' ? 1 : 0;
  g_autofree char *padded = *text == '.' ? g_strconcat("0", text, NULL) : g_strdup(text);
  DaeTerm value = dae_term_decimal(terms, padded, strlen(padded));
  if (value == DAE_NO_TERM) {
    value = dae_term_from_double(terms, g_ascii_strtod(padded, NULL));
  }
  return is_negative ? dae_term_neg(terms, value) : value;
}

static DaeTerm
cell(const DaeInputTable *table, DaeTerms *terms, uint32_t row, uint32_t column)
{
  return exact_number(terms, g_ptr_array_index(table->cells, row * table->names->len + column));
}

/* Does the piece go on as the last one does? Exactly, so that no event is lost or made. */
static bool
goes_on(DaeTerms *terms, const Piece *last, const Piece *next)
{
  DaeTerm way = dae_term_sub(terms, next->from, last->from);
  DaeTerm there = dae_term_add(terms, last->value, dae_term_mul(terms, last->slope, way));
  return last->slope == next->slope && there == next->value;
}

static GArray *
pieces_of(const DaeInputTable *table, DaeTerms *terms, uint32_t column)
{
  GArray *pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
  DaeTerm zero = dae_term_int(terms, 0);
  Piece first = {cell(table, terms, 0, 0), cell(table, terms, 0, column), zero};
  g_array_append_val(pieces, first);
  for (uint32_t i = 0; i < table->n_rows; i++) {
    Piece piece = {cell(table, terms, i, 0), cell(table, terms, i, column), zero};
    if (i + 1 < table->n_rows) {
      DaeTerm way = dae_term_sub(terms, cell(table, terms, i + 1, 0), piece.from);
      if (dae_term_is_zero(terms, way)) {
        continue; /* a jump: the last row with this time counts from here on */
      }
      piece.slope = dae_term_div(
          terms, dae_term_sub(terms, cell(table, terms, i + 1, column), piece.value), way);
    }
    if (!goes_on(terms, &g_array_index(pieces, Piece, pieces->len - 1), &piece)) {
      g_array_append_val(pieces, piece);
    }
  }
  return pieces;
}

typedef enum { PART_FROM, PART_VALUE, PART_SLOPE } Part;

static DaeTerm
part_of(const Piece *piece, Part part)
{
  return part == PART_FROM ? piece->from : part == PART_VALUE ? piece->value : piece->slope;
}

/* if time < t_1 then p_0 else if time < t_2 then p_1 else ... */
static DaeTerm
choice(DaeTerms *terms, const GArray *pieces, Part part)
{
  DaeTerm result = part_of(&g_array_index(pieces, Piece, pieces->len - 1), part);
  for (guint k = pieces->len - 1; k > 0; k--) {
    const Piece *piece = &g_array_index(pieces, Piece, k);
    DaeTerm before = part_of(&g_array_index(pieces, Piece, k - 1), part);
    DaeTerm is_before = dae_term_relation(terms, DAE_REL_LT, dae_term_time(terms), piece->from);
    result = before == result ? result : dae_term_if(terms, is_before, before, result);
  }
  return result;
}

bool
dae_input_table_terms(const DaeInputTable *table, DaeTerms *terms, const char *name,
                      DaeTerm *value, DaeTerm *slope)
{
  for (guint k = 0; k + 1 < table->names->len; k++) {
    if (strcmp(g_ptr_array_index(table->names, k), name) == 0) {
      g_autoptr(GArray) pieces = pieces_of(table, terms, k + 1);
      DaeTerm way = dae_term_sub(terms, dae_term_time(terms), choice(terms, pieces, PART_FROM));
      *slope = choice(terms, pieces, PART_SLOPE);
      *value = dae_term_add(terms, choice(terms, pieces, PART_VALUE),
                            dae_term_mul(terms, *slope, way));
      return true;
    }
  }
  return false;
}

/* ---- what the reduction needs ------------------------------------------------------------ */

/* In the reduced system, and in what was solved before it. */
static uint32_t
input_order(const DaePipeline *pipeline, DaeSymbol input)
{
  DaeTerms *terms = pipeline->terms;
  uint32_t most = dae_qlt_input_order(pipeline->qlt, terms, input);
  const DaeModel *written =
      pipeline->simplified != NULL ? dae_simplified_original(pipeline->simplified) : NULL;
  for (uint32_t j = 0; written != NULL && j < dae_model_n_variables(written); j++) {
    DaeTerm solved = dae_simplified_recovery(pipeline->simplified, j)->term;
    most = MAX(most, dae_qlt_input_order_in(terms, solved, input));
  }
  return most;
}

bool
dae_input_table_bind(DaePipeline *pipeline, DaeSubst *values, GError **error)
{
  const DaeModel *model = pipeline->model;
  const DaeInputTable *table = pipeline->input_table;
  DaeTerms *terms = pipeline->terms;
  for (uint32_t i = 0; i < dae_model_n_inputs(model); i++) {
    const DaeInput *input = dae_model_input(model, i);
    DaeTerm value = DAE_NO_TERM;
    DaeTerm slope = DAE_NO_TERM;
    if (!input->is_symbol) {
      continue;
    }
    uint32_t order = input_order(pipeline, input->symbol);
    bool is_held =
        table == NULL || !dae_input_table_terms(table, terms, input->name, &value, &slope);
    if (is_held) { /* constant until another value is set: so are its derivatives */
      value = input->held;
      slope = dae_term_int(terms, 0);
    }
    if (order > 0 && !is_held) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL,
                  "%s:%u:%u: error: input '%s' is needed differentiated (order %u), which a "
                  "table does not give; give it as an expression: --input %s=EXPR",
                  dae_model_file_of(model, input->span), input->span.line, input->span.column,
                  input->name, order, input->name);
      return false;
    }
    dae_subst_set(values, dae_term_parameter(terms, input->symbol), value);
    /* derivatives occur at the start only, where those from the right count */
    dae_subst_set(
        values, dae_term_parameter(terms, dae_terms_input_derivative(terms, input->symbol, 1)),
        slope);
    for (uint32_t k = 2; k <= order + BEYOND_ORDER; k++) {
      DaeSymbol symbol = dae_terms_input_derivative(terms, input->symbol, k);
      dae_subst_set(values, dae_term_parameter(terms, symbol), dae_term_int(terms, 0));
    }
  }
  return true;
}

void
dae_pipeline_set_input_table(DaePipeline *pipeline, const DaeInputTable *table)
{
  pipeline->input_table = table;
}

uint32_t
dae_pipeline_input_order(DaePipeline *pipeline, uint32_t i)
{
  const DaeInput *input = dae_model_input(pipeline->model, i);
  return pipeline->qlt != NULL && input->is_symbol ? input_order(pipeline, input->symbol) : 0;
}
