/* Streaming JSON writer: keys appear in the order they are written, so that the same data give
 * the same bytes. Numbers follow JSON (NaN and infinities are written as null). Strings are
 * escaped; invalid UTF-8 is replaced by U+FFFD. Nesting is checked (DAE_ASSERT). */
#ifndef DAE_BASE_JSON_H
#define DAE_BASE_JSON_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct DaeJson DaeJson;

/* Appends to out, which must outlive the writer. Arrays and objects opened with
 * `compact` stay on one line; the others put each member on a line of its own. */
DaeJson *dae_json_new(GString *out);
void dae_json_free(DaeJson *json);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeJson, dae_json_free)

void dae_json_begin_object(DaeJson *json, bool compact);
void dae_json_end_object(DaeJson *json);
void dae_json_begin_array(DaeJson *json, bool compact);
void dae_json_end_array(DaeJson *json);
void dae_json_key(DaeJson *json, const char *key); /* inside an object, before each value */
void dae_json_string(DaeJson *json, const char *value); /* NULL writes null */
void dae_json_int(DaeJson *json, int64_t value);
void dae_json_double(DaeJson *json,
                     double value); /* shortest text that reads back to the same value */
void dae_json_number(DaeJson *json, const char *decimal); /* all of its digits */
void dae_json_bool(DaeJson *json, bool value);
void dae_json_null(DaeJson *json);

#endif
