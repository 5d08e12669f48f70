/* What Modelica.Utilities.System and Files ask of the operating system: it is looked at once, while
 * the model is read. What would change the process, or run another one, is refused: a model is read
 * in programs that go on with other things. */
#include "reader/natives.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in a folder, in the order of their bytes; NULL: reported. */
static GPtrArray *
names_in(DaeForeign *call)
{
  const char *path = dae_foreign_text(call, 0);
  g_autoptr(GError) error = NULL;
  g_autoptr(GDir) folder = path != NULL ? g_dir_open(path, 0, &error) : NULL;
  if (folder == NULL) {
    if (error != NULL) {
      dae_foreign_fail(call, error->message);
    }
    return NULL;
  }
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  for (const char *name = g_dir_read_name(folder); name != NULL;
       name = g_dir_read_name(folder)) {
    g_ptr_array_add(names, g_strdup(name));
  }
  g_ptr_array_sort(names, compare_names);
  return names;
}

static bool
run_count(DaeForeign *call)
{
  g_autoptr(GPtrArray) names = names_in(call);
  return names != NULL && dae_foreign_return_integer(call, names->len);
}

/* readDirectory(directory, n, names) */
static bool
run_read(DaeForeign *call)
{
  g_autoptr(GPtrArray) names = names_in(call);
  if (names == NULL) {
    return false;
  }
  uint32_t n = names->len;
  if (call->arguments[2].count != n) {
    return dae_foreign_fail(call, "the folder has another number of files");
  }
  DaeTerm *data = dae_value_new_data(call->reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    const char *name = g_ptr_array_index(names, k);
    data[k] = dae_names_intern(call->reader->names, name, strlen(name));
  }
  return dae_foreign_set(call, 2,
                         dae_value_array(call->reader, DAE_VALUE_STRING, 1, &n, data, n));
}

/* The time of the first call: all calls of one reading agree. */
static GDateTime *
time_of_reading(DaeReader *reader)
{
  if (reader->real_time == 0) {
    reader->real_time = g_get_real_time();
  }
  g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(reader->real_time / 1000000);
  return g_date_time_to_local(utc);
}

/* getTime(ms, sec, min, hour, day, mon, year) */
static bool
run_time(DaeForeign *call)
{
  g_autoptr(GDateTime) now = time_of_reading(call->reader);
  const int64_t parts[7] = {call->reader->real_time / 1000 % 1000,
                            g_date_time_get_second(now),
                            g_date_time_get_minute(now),
                            g_date_time_get_hour(now),
                            g_date_time_get_day_of_month(now),
                            g_date_time_get_month(now),
                            g_date_time_get_year(now)};
  bool good = true;
  for (uint32_t i = 0; good && i < G_N_ELEMENTS(parts); i++) {
    good = dae_foreign_set(
        call, i,
        dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, parts[i])));
  }
  return good;
}

static bool
run_pid(DaeForeign *call)
{
  return dae_foreign_return_integer(call, getpid());
}

/* The milliseconds of this hour and 6007 times the number of the process, as an Integer. */
static bool
run_seed(DaeForeign *call)
{
  g_autoptr(GDateTime) now = time_of_reading(call->reader);
  int64_t seconds = g_date_time_get_minute(now) * 60 + g_date_time_get_second(now);
  int64_t seed = seconds * 1000 + call->reader->real_time / 1000 % 1000;
  return dae_foreign_return_integer(call, (seed + 6007 * (int64_t)getpid()) & INT32_MAX);
}

/* A name that no file has; nothing is made. */
static bool
run_temporary(DaeForeign *call)
{
  DaeReader *reader = call->reader;
  g_autofree char *path = NULL;
  do {
    g_autofree char *name =
        g_strdup_printf("daetool-%d-%u", (int)getpid(), ++reader->n_temporary);
    g_free(path);
    path = g_build_filename(g_get_tmp_dir(), name, NULL);
  } while (g_file_test(path, G_FILE_TEST_EXISTS));
  return dae_foreign_return_text(call, path, -1);
}

static bool
refuse_command(DaeForeign *call)
{
  return dae_foreign_fail(call, "a model cannot run other programs");
}

static bool
refuse_change(DaeForeign *call)
{
  return dae_foreign_fail(call, "a model cannot change the folder or the environment of the "
                                "program that reads it, nor end it");
}

const DaeForeignEntry dae_foreign_system[] = {
    {"ModelicaInternal_getNumberOfFiles", 1, run_count},
    {"ModelicaInternal_readDirectory", 3, run_read},
    {"ModelicaInternal_getTime", 7, run_time},
    {"ModelicaInternal_getpid", 0, run_pid},
    {"ModelicaInternal_temporaryFileName", 0, run_temporary},
    {"ModelicaRandom_automaticGlobalSeed", 1, run_seed},
    {"ModelicaInternal_chdir", 1, refuse_change},
    {"ModelicaInternal_setenv", 3, refuse_change},
    {"ModelicaInternal_exit", 1, refuse_change},
    {"exit", 1, refuse_change},
    {"system", 1, refuse_command},
    {NULL, 0, NULL},
};
