/* Assignments of values to elements of an array (cgen_kernels.c): what goes on evenly on both
 * sides is one loop, so that their text grows with the number of shapes as well. */
#include <stdlib.h>
#include <string.h>

#include "export/cgen-loops.h"

#define FEWEST 8u /* shorter ones are written out */

typedef struct {
  char *text;    /* of the value */
  size_t length; /* of the name in it, if it is NAME[NUMBER]; otherwise 0 */
  uint32_t number, target;
  uint32_t use; /* how many with this value are before it */
} Copy;

static int
compare_numbers(uint32_t a, uint32_t b)
{
  return a < b ? -1 : a > b;
}

/* By name and number, those of one value by target. */
static int
compare_values(const void *left, const void *right)
{
  const Copy *a = left;
  const Copy *b = right;
  int order = compare_numbers((uint32_t)a->length, (uint32_t)b->length);
  order = order != 0 ? order : strncmp(a->text, b->text, a->length);
  order = order != 0 ? order : compare_numbers(a->number, b->number);
  return order != 0 ? order : compare_numbers(a->target, b->target);
}

/* The first uses of all values, then the second ones, and so on. */
static int
compare_uses(const void *left, const void *right)
{
  const Copy *a = left;
  const Copy *b = right;
  int order = compare_numbers(a->use, b->use);
  return order != 0 ? order : compare_values(left, right);
}

static bool
is_same_array(const Copy *a, const Copy *b)
{
  return a->length > 0 && a->length == b->length && strncmp(a->text, b->text, a->length) == 0;
}

static void
sort_copies(Copy *copies, uint32_t n)
{
  qsort(copies, n, sizeof(Copy), compare_values);
  for (uint32_t k = 1; k < n; k++) {
    bool is_again =
        is_same_array(&copies[k - 1], &copies[k]) && copies[k].number == copies[k - 1].number;
    copies[k].use = is_again ? copies[k - 1].use + 1 : 0;
  }
  qsort(copies, n, sizeof(Copy), compare_uses);
}

/* How many from the first on go on as the first two do: values upwards, places either way. */
static uint32_t
length_of_run(const Copy *copies, uint32_t n)
{
  uint32_t length = 1;
  while (length < n && is_same_array(&copies[0], &copies[length]) &&
         copies[length].number > copies[length - 1].number &&
         copies[length].number - copies[length - 1].number ==
             copies[1].number - copies[0].number &&
         (int64_t)copies[length].target - copies[length - 1].target ==
             (int64_t)copies[1].target - copies[0].target) {
    length++;
  }
  return length;
}

/* 3u + i * 2u or 3u - i * 2u, without what is 0 or 1. */
static void
append_place(GString *out, uint32_t first, int64_t step)
{
  if (first > 0 || step < 0) {
    g_string_append_printf(out, "%uu %c ", first, step < 0 ? '-' : '+');
  }
  g_string_append(out, "i");
  if (step != 1 && step != -1) {
    g_string_append_printf(out, " * %uu", (unsigned)(step < 0 ? -step : step));
  }
}

static void
append_loop(const char *to, const Copy *copies, uint32_t n, GString *out)
{
  g_string_append_printf(out, "  for (unsigned i = 0; i < %uu; i++) {\n    %s[", n, to);
  append_place(out, copies[0].target, (int64_t)copies[1].target - copies[0].target);
  g_string_append_printf(out, "] = %.*s[", (int)copies[0].length, copies[0].text);
  append_place(out, copies[0].number, copies[1].number - copies[0].number);
  g_string_append(out, "];\n  }\n");
}

static Copy *
collect(const DaeLoopWriter *writer, const uint32_t *targets, const uint32_t *nodes, uint32_t n)
{
  Copy *copies = g_new0(Copy, (size_t)n + 1);
  g_autoptr(GString) text = g_string_new(NULL);
  for (uint32_t k = 0; k < n; k++) {
    g_string_truncate(text, 0);
    dae_loop_append_node(writer, nodes[k], text);
    copies[k].text = g_strdup(text->str);
    copies[k].target = targets[k];
    if (!dae_loop_split_element(text->str, &copies[k].length, &copies[k].number)) {
      copies[k].length = 0;
    }
  }
  return copies;
}

void
dae_loop_append_copies(const DaeLoopWriter *writer, const char *to, const uint32_t *targets,
                       const uint32_t *nodes, uint32_t n, GPtrArray *statements)
{
  Copy *copies = collect(writer, targets, nodes, n);
  sort_copies(copies, n);
  for (uint32_t k = 0; k < n;) {
    uint32_t length = length_of_run(copies + k, n - k);
    GString *out = g_string_new(NULL);
    if (length >= FEWEST) {
      append_loop(to, copies + k, length, out);
    } else {
      length = 1;
      g_string_append_printf(out, "  %s[%u] = %s;\n", to, copies[k].target, copies[k].text);
    }
    g_ptr_array_add(statements, g_string_free(out, FALSE));
    k += length;
  }
  for (uint32_t k = 0; k < n; k++) {
    g_free(copies[k].text);
  }
  g_free(copies);
}
