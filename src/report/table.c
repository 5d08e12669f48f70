#include "report/table.h"

#include <math.h>
#include <string.h>

struct DaeTable {
  GPtrArray *names;   /* char * */
  GPtrArray *columns; /* GArray of double */
  size_t n_rows;
};

static void
free_array(gpointer array)
{
  g_array_free(array, TRUE);
}

void
dae_table_free(DaeTable *table)
{
  if (table != NULL) {
    g_ptr_array_free(table->names, TRUE);
    g_ptr_array_free(table->columns, TRUE);
    g_free(table);
  }
}

/* One field, "a ""quoted"" name" or plain; *p goes behind it, to a comma or the end of the line. */
static char *
read_field(const char **p)
{
  GString *text = g_string_new(NULL);
  const char *c = *p + strspn(*p, " \t");
  if (*c == '"') {
    for (c++; *c != '\0' && *c != '\n' && !(*c == '"' && c[1] != '"'); c++) {
      c += *c == '"';
      g_string_append_c(text, *c);
    }
    c += *c == '"';
    c += strcspn(c, ",\n");
  } else {
    size_t n = strcspn(c, ",\n");
    g_string_append_len(text, c, (gssize)n);
    c += n;
  }
  *p = c;
  g_strchomp(text->str);
  return g_string_free(text, FALSE);
}

static void
read_names(DaeTable *table, const char **p)
{
  for (;;) {
    g_ptr_array_add(table->names, read_field(p));
    g_ptr_array_add(table->columns, g_array_new(FALSE, FALSE, sizeof(double)));
    if (**p != ',') {
      break;
    }
    (*p)++;
  }
  *p += **p == '\n';
}

/* An empty field or a word such as NaN is no number: NAN, which plots leave out. */
static bool
read_row(DaeTable *table, const char **p)
{
  for (guint k = 0; k < table->columns->len; k++) {
    g_autofree char *field = read_field(p);
    char *end = NULL;
    double value = g_ascii_strtod(field, &end);
    value = end == field ? NAN : value;
    g_array_append_val((GArray *)g_ptr_array_index(table->columns, k), value);
    bool is_last = k + 1 == table->columns->len;
    if (is_last ? **p == ',' : **p != ',') {
      return false;
    }
    *p += !is_last;
  }
  *p += **p == '\n';
  table->n_rows++;
  return true;
}

DaeTable *
dae_table_read(const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) trouble = NULL;
  if (!g_file_get_contents(path, &text, NULL, &trouble)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "%s: cannot read: %s", path,
                trouble->message);
    return NULL;
  }
  g_autoptr(DaeTable) table = g_new0(DaeTable, 1);
  table->names = g_ptr_array_new_with_free_func(g_free);
  table->columns = g_ptr_array_new_with_free_func(free_array);
  const char *p = text;
  read_names(table, &p);
  while (*p != '\0') {
    if (*p == '\n' || *p == '\r') {
      p++;
    } else if (!read_row(table, &p)) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_FILE,
                  "%s: row %zu does not have the %u columns of the first row", path,
                  table->n_rows + 2, table->names->len);
      return NULL;
    }
  }
  return g_steal_pointer(&table);
}

size_t
dae_table_n_rows(const DaeTable *table)
{
  return table->n_rows;
}

const char *
dae_table_name(const DaeTable *table, uint32_t column)
{
  return g_ptr_array_index(table->names, column);
}

const double *
dae_table_column(const DaeTable *table, uint32_t column)
{
  return (const double *)(void *)((GArray *)g_ptr_array_index(table->columns, column))->data;
}

const double *
dae_table_find(const DaeTable *table, const char *name)
{
  for (uint32_t k = 0; k < table->names->len; k++) {
    if (strcmp(dae_table_name(table, k), name) == 0) {
      return dae_table_column(table, k);
    }
  }
  return NULL;
}
