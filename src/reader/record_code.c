/* Code of a record class, for a variable r of it: the names of members are led to those of r.
 *
 * Where r is an array of records, a value that is made of other members is one value for each
 * element: {{e1, e2} for ...}, with the members of that element in it. */
#include "reader/calls.h"

#include <string.h>

static bool
is_member(const DaeReader *reader, uint32_t record, const char *name, size_t length)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, record, &n);
  for (uint32_t i = 0; i < n; i++) {
    const char *text =
        dae_names_text(reader->names, dae_syntax_declaration(reader->syntax, members[i])->name);
    if (strlen(text) == length && memcmp(text, name, length) == 0) {
      return true;
    }
  }
  return false;
}

/* x or x.y to r.x or r.x.y if x is a member of the record of r. */
static uint32_t
led_name(DaeReader *reader, uint32_t record, uint32_t whole, uint32_t name)
{
  const char *text = dae_names_text(reader->names, name);
  if (!is_member(reader, record, text, strcspn(text, "."))) {
    return name;
  }
  g_autofree char *led = g_strconcat(dae_names_text(reader->names, whole), ".", text, NULL);
  return dae_names_intern(reader->names, led, strlen(led));
}

static uint32_t
led_path(DaeReader *reader, uint32_t record, uint32_t whole, uint32_t at)
{
  GArray *paths = reader->syntax->paths;
  uint32_t n = g_array_index(paths, uint32_t, at);
  uint32_t copy = paths->len;
  for (uint32_t i = 0; i <= 2 * n; i++) {
    uint32_t word = g_array_index(paths, uint32_t, at + i);
    if (i == 1) {
      word = led_name(reader, record, whole, word);
    }
    g_array_append_val(paths, word);
  }
  return copy;
}

/* Is it a name that is led to a member of r? */
static bool
is_led(DaeReader *reader, const DaeRecordPlace *to, const DaeInstruction *instruction)
{
  uint32_t name = instruction->arg;
  if (instruction->op == DAE_OP_PATH) {
    name = g_array_index(reader->syntax->paths, uint32_t, instruction->arg + 1);
  } else if (instruction->op != DAE_OP_NAME && instruction->op != DAE_OP_ELEMENT &&
             instruction->op != DAE_OP_LAST) {
    return false;
  }
  return led_name(reader, to->record, to->whole, name) != name;
}

/* The instruction with the name of r's member; what is to come before its subscripts (iterators of
 * an array of records) is on the stack then. */
static DaeInstruction
led_instruction(DaeReader *reader, const DaeRecordPlace *to, DaeInstruction instruction,
                uint32_t n_iterators)
{
  uint32_t n = (instruction.op == DAE_OP_NAME ? 0 : instruction.n) + n_iterators;
  if (instruction.op == DAE_OP_PATH) {
    instruction.arg = led_path(reader, to->record, to->whole, instruction.arg);
    g_array_index(reader->syntax->paths, uint32_t, instruction.arg + 2) += n_iterators;
  } else {
    instruction.arg = led_name(reader, to->record, to->whole, instruction.arg);
    if (n_iterators > 0 && instruction.op != DAE_OP_LAST) {
      instruction.op = DAE_OP_INDEX; /* of the array, which is below them */
    }
  }
  if (instruction.op != DAE_OP_NAME) {
    instruction.n = n & 0xffffffu;
  }
  return instruction;
}

static uint32_t
length_of(const DaeReader *reader, uint32_t code)
{
  uint32_t n = 0;
  while (code != 0 && dae_syntax_code(reader->syntax, code + n)->op != DAE_OP_RETURN) {
    n++;
  }
  return n;
}

static void
copy_plain(DaeReader *reader, const DaeRecordPlace *to, uint32_t code, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    DaeInstruction instruction = *dae_syntax_code(reader->syntax, code + i);
    if (to != NULL && is_led(reader, to, &instruction)) {
      instruction = led_instruction(reader, to, instruction, 0);
    }
    g_array_append_val(reader->syntax->code, instruction);
  }
}

void
dae_record_copy_code(DaeReader *reader, const DaeRecordPlace *to, uint32_t code)
{
  copy_plain(reader, to, code, length_of(reader, code));
}

uint32_t
dae_record_end_code(DaeReader *reader, uint32_t start, uint32_t pos)
{
  if (reader->syntax->code->len == start) {
    return 0;
  }
  dae_syntax_emit(reader->syntax, DAE_OP_RETURN, 0, 0, pos);
  return start;
}

/* ---- arrays of records ------------------------------------------------------------------- */

static uint32_t
iterator_name(DaeReader *reader, uint32_t dimension)
{
  g_autofree char *name = g_strdup_printf("'$element%u'", dimension + 1);
  return dae_names_intern(reader->names, name, strlen(name));
}

/* The first name of a member in n instructions; DAE_OP_RETURN: it has none. */
static DaeInstruction
first_led(DaeReader *reader, const DaeRecordPlace *to, uint32_t code, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    if (is_led(reader, to, dae_syntax_code(reader->syntax, code + i))) {
      return *dae_syntax_code(reader->syntax, code + i);
    }
  }
  return (DaeInstruction){.op = DAE_OP_RETURN};
}

/* for i_d in 1:size(x, d), where x is a member; returns the place of the LOOP. */
static uint32_t
begin_dimension(DaeReader *reader, uint32_t member, uint32_t d, uint32_t pos)
{
  DaeSyntax *syntax = reader->syntax;
  char digits[12];
  g_snprintf(digits, sizeof digits, "%u", d + 1);
  dae_syntax_emit(syntax, DAE_OP_NUMBER, 0, dae_names_intern(reader->names, "1", 1), pos);
  dae_syntax_emit(syntax, DAE_OP_NAME, 0, member, pos);
  dae_syntax_emit(syntax, DAE_OP_NUMBER, 0,
                  dae_names_intern(reader->names, digits, strlen(digits)), pos);
  dae_syntax_emit(syntax, DAE_OP_CALL, 2, dae_names_intern(reader->names, "size", 4), pos);
  dae_syntax_emit(syntax, DAE_OP_RANGE, 2, 0, pos);
  uint32_t loop = dae_syntax_emit(syntax, DAE_OP_LOOP, 0, 0, pos);
  dae_syntax_emit(syntax, DAE_OP_ITERATOR, 0, iterator_name(reader, d), pos);
  return loop;
}

static void
end_dimension(DaeSyntax *syntax, uint32_t loop, uint32_t pos)
{
  uint32_t next = dae_syntax_emit(syntax, DAE_OP_NEXT, 0, 0, pos);
  dae_syntax_code(syntax, next)->arg = next - loop;
  dae_syntax_code(syntax, loop)->arg = next + 1 - loop;
}

/* Where the iterators of a name have to stand: before its subscripts. */
static uint32_t
first_subscript(const DaeSyntax *syntax, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(syntax, pc);
  return instruction->op == DAE_OP_NAME ? pc : dae_syntax_skip_back(syntax, pc, instruction->n);
}

/* The copy of instruction i of the code from `code` stands at place[i] (with what comes before
 * it); jumps go there. */
static void
move_jumps(DaeSyntax *syntax, uint32_t code, const uint32_t *place, const uint32_t *at,
           uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    const DaeInstruction *from = dae_syntax_code(syntax, code + i);
    DaeInstruction *copy = dae_syntax_code(syntax, at[i]);
    if (from->op == DAE_OP_TEST || from->op == DAE_OP_ELSE || from->op == DAE_OP_LOOP) {
      copy->arg = place[i + from->arg] - at[i];
    } else if (from->op == DAE_OP_NEXT) {
      copy->arg = at[i] - at[i - from->arg];
    }
  }
}

/* What stands before the subscripts of a name: the array that is led to, and the iterators. */
static void
begin_name(DaeReader *reader, const DaeRecordPlace *to, DaeInstruction instruction)
{
  uint32_t pos = instruction.pos;
  if (instruction.op != DAE_OP_PATH) {
    dae_syntax_emit(reader->syntax, DAE_OP_NAME, 0,
                    led_name(reader, to->record, to->whole, instruction.arg), pos);
  }
  for (uint32_t d = 0; d < to->n_outer; d++) {
    dae_syntax_emit(reader->syntax, DAE_OP_NAME, 0, iterator_name(reader, d), pos);
  }
}

/* n instructions. In x[y] both names begin at the same place; the later instruction first. */
static void
copy_element_code(DaeReader *reader, const DaeRecordPlace *to, uint32_t code, uint32_t n)
{
  DaeSyntax *syntax = reader->syntax;
  g_autofree uint32_t *last = g_new0(uint32_t, n + 1);   /* name that begins there, from 1 */
  g_autofree uint32_t *before = g_new0(uint32_t, n + 1); /* by name: another one, from 1 */
  g_autofree uint32_t *place = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *at = g_new0(uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const DaeInstruction *instruction = dae_syntax_code(syntax, code + i);
    if (instruction->op != DAE_OP_LAST && is_led(reader, to, instruction)) {
      uint32_t first = first_subscript(syntax, code + i) - code;
      before[i] = last[first];
      last[first] = i + 1;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    DaeInstruction instruction = *dae_syntax_code(syntax, code + i);
    place[i] = syntax->code->len;
    for (uint32_t k = last[i]; k != 0; k = before[k - 1]) {
      begin_name(reader, to, *dae_syntax_code(syntax, code + k - 1));
    }
    at[i] = syntax->code->len;
    instruction = is_led(reader, to, &instruction)
                      ? led_instruction(reader, to, instruction, to->n_outer)
                      : instruction;
    g_array_append_val(syntax->code, instruction);
  }
  place[n] = syntax->code->len;
  move_jumps(syntax, code, place, at, n);
}

/* n instructions that leave one value, or that of every element. */
static void
copy_value(DaeReader *reader, const DaeRecordPlace *to, uint32_t code, uint32_t n)
{
  uint32_t loops[DAE_MAX_DIMENSIONS];
  DaeInstruction member = first_led(reader, to, code, n);
  bool is_led = member.op != DAE_OP_RETURN && to->n_outer <= DAE_MAX_DIMENSIONS;
  uint32_t n_outer = is_led ? to->n_outer : 0;
  uint32_t name = member.op == DAE_OP_PATH
                      ? g_array_index(reader->syntax->paths, uint32_t, member.arg + 1)
                      : member.arg;
  name = is_led ? led_name(reader, to->record, to->whole, name) : 0;
  for (uint32_t d = 0; d < n_outer; d++) {
    loops[d] = begin_dimension(reader, name, d, member.pos);
  }
  if (n_outer > 0) {
    copy_element_code(reader, to, code, n);
  } else {
    copy_plain(reader, to, code, n);
  }
  for (uint32_t d = n_outer; d-- > 0;) {
    end_dimension(reader->syntax, loops[d], member.pos);
  }
}

void
dae_record_copy_value(DaeReader *reader, const DaeRecordPlace *to, uint32_t code)
{
  if (code == 0 || to->n_outer == 0) {
    dae_record_copy_code(reader, to, code);
    return;
  }
  copy_value(reader, to, code, length_of(reader, code));
}

void
dae_record_copy_sizes(DaeReader *reader, const DaeRecordPlace *to, uint32_t code, uint32_t n)
{
  if (code == 0 || to->n_outer == 0) {
    dae_record_copy_code(reader, to, code);
    return;
  }
  uint32_t end = code + length_of(reader, code);
  for (uint32_t i = n, from = code; i > 0; i--) {
    uint32_t to_here = dae_syntax_skip_back(reader->syntax, end, i - 1);
    copy_value(reader, to, from, to_here - from);
    from = to_here;
  }
}

bool
dae_record_common_size(DaeReader *reader, const DaeEntity *entity, DaeValue *value,
                       uint32_t pos)
{
  if (entity->n_outer == 0 || value->n_dims != entity->n_outer || value->opaque ||
      value->type != DAE_VALUE_INTEGER) {
    return true;
  }
  int64_t common = 0;
  for (uint32_t k = 0; k < value->count; k++) {
    DaeValue one = dae_value_scalar(DAE_VALUE_INTEGER, dae_value_element(value, k));
    int64_t size = 0;
    if (!dae_reader_integer(reader, &one, 0, pos, &size)) {
      return false;
    }
    if (k > 0 && size != common) {
      dae_source_error(reader->source, pos,
                       "'%s' has size %" G_GINT64_FORMAT
                       " in one record of the array and %" G_GINT64_FORMAT " in another",
                       dae_names_text(reader->names, entity->name), common, size);
      return false;
    }
    common = size;
  }
  *value = dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, common));
  return true;
}
