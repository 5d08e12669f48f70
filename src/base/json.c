#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/decimal.h"

typedef struct {
  char close; /* '}' or ']' */
  bool compact;
  bool empty;
} Level;

struct DaeJson {
  GString *out;
  GArray *levels; /* of Level, innermost last */
  bool after_key;
};

DaeJson *
dae_json_new(GString *out)
{
  DaeJson *json = g_new0(DaeJson, 1);
  json->out = out;
  json->levels = g_array_new(FALSE, FALSE, sizeof(Level));
  return json;
}

void
dae_json_free(DaeJson *json)
{
  if (json != NULL) {
    g_array_free(json->levels, TRUE);
    g_free(json);
  }
}

static Level *
innermost(DaeJson *json)
{
  return json->levels->len == 0 ? NULL
                                : &g_array_index(json->levels, Level, json->levels->len - 1);
}

static void
new_line(DaeJson *json)
{
  g_string_append_c(json->out, '\n');
  for (guint i = 0; i < json->levels->len; i++) {
    g_string_append(json->out, "  ");
  }
}

/* What stands before a member: comma and white space. */
static void
begin_member(DaeJson *json)
{
  Level *level = innermost(json);
  if (level == NULL) {
    return;
  }
  if (!level->empty) {
    g_string_append_c(json->out, ',');
  }
  if (!level->compact) {
    new_line(json);
  } else if (!level->empty) {
    g_string_append_c(json->out, ' ');
  }
  level->empty = false;
}

static void
begin_value(DaeJson *json)
{
  const Level *level = innermost(json);
  if (json->after_key) {
    json->after_key = false;
    return;
  }
  DAE_ASSERT(level == NULL || level->close == ']');
  begin_member(json);
}

static void
open_level(DaeJson *json, char open, char close, bool compact)
{
  begin_value(json);
  const Level *outer = innermost(json);
  Level level = {
      .close = close, .compact = compact || (outer != NULL && outer->compact), .empty = true};
  g_array_append_val(json->levels, level);
  g_string_append_c(json->out, open);
}

static void
close_level(DaeJson *json, char close)
{
  DAE_ASSERT(json->levels->len > 0 && innermost(json)->close == close && !json->after_key);
  Level level = *innermost(json);
  g_array_set_size(json->levels, json->levels->len - 1);
  if (!level.compact && !level.empty) {
    new_line(json);
  }
  g_string_append_c(json->out, close);
  if (json->levels->len == 0) {
    g_string_append_c(json->out, '\n');
  }
}

void
dae_json_begin_object(DaeJson *json, bool compact)
{
  open_level(json, '{', '}', compact);
}

void
dae_json_end_object(DaeJson *json)
{
  close_level(json, '}');
}

void
dae_json_begin_array(DaeJson *json, bool compact)
{
  open_level(json, '[', ']', compact);
}

void
dae_json_end_array(DaeJson *json)
{
  close_level(json, ']');
}

static void
append_quoted(GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_validate(text, -1, NULL) ? NULL : g_utf8_make_valid(text, -1);
  g_string_append_c(out, '"');
  for (const char *p = valid != NULL ? valid : text; *p != '\0'; p++) {
    unsigned char c = (unsigned char)*p;
    if (c == '"' || c == '\\') {
      g_string_append_c(out, '\\');
      g_string_append_c(out, *p);
    } else if (c == '\n') {
      g_string_append(out, "\\n");
    } else if (c == '\t') {
      g_string_append(out, "\\t");
    } else if (c < 0x20 || c == 0x7f) {
      g_string_append_printf(out, "\\u%04x", c);
    } else {
      g_string_append_c(out, *p);
    }
  }
  g_string_append_c(out, '"');
}

void
dae_json_key(DaeJson *json, const char *key)
{
  DAE_ASSERT(json->levels->len > 0 && innermost(json)->close == '}' && !json->after_key);
  begin_member(json);
  append_quoted(json->out, key);
  g_string_append(json->out, ": ");
  json->after_key = true;
}

void
dae_json_string(DaeJson *json, const char *value)
{
  begin_value(json);
  if (value == NULL) {
    g_string_append(json->out, "null");
  } else {
    append_quoted(json->out, value);
  }
}

void
dae_json_int(DaeJson *json, int64_t value)
{
  begin_value(json);
  dae_decimal_append_int(json->out, value);
}

void
dae_json_double(DaeJson *json, double value)
{
  begin_value(json);
  if (!isfinite(value)) {
    g_string_append(json->out, "null");
    return;
  }
  char text[DAE_DECIMAL_SIZE];
  g_string_append(json->out, dae_decimal_shortest(text, value));
}

void
dae_json_number(DaeJson *json, const char *decimal)
{
  begin_value(json);
  g_string_append(json->out, decimal);
}

void
dae_json_bool(DaeJson *json, bool value)
{
  begin_value(json);
  g_string_append(json->out, value ? "true" : "false");
}

void
dae_json_null(DaeJson *json)
{
  begin_value(json);
  g_string_append(json->out, "null");
}
