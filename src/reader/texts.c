/* String variables that an equation or a statement defines: `String s; equation s = "x is " +
 * String(x);`. The other side becomes the value of the declaration; texts need no equations. An
 * if-equation with a text in each branch becomes an if-expression, a for-equation an array. One
 * that nothing defines is its start value. */
#include "reader/calls.h"

#include <string.h>

typedef enum { NO_DEFINITION, OF_ALL, OF_ELEMENT, OF_EACH } Definition;

typedef struct {
  DaeReader *reader;
  DaeSyntax *syntax;
  uint32_t name; /* of the variable */
  bool is_algorithm;
  uint32_t section;    /* its code */
  uint32_t previous;   /* value of an earlier statement, with its RETURN; 0: none */
  uint32_t n;          /* definitions that were found */
  uint32_t n_elements; /* of them, those of single elements */
  bool is_left_only;   /* of equations: in a when-clause the left side is what gets a value */
} Search;

static void
copy_code(DaeSyntax *syntax, uint32_t from, uint32_t to)
{
  for (uint32_t pc = from; pc < to; pc++) {
    DaeInstruction instruction = *dae_syntax_code(syntax, pc);
    g_array_append_val(syntax->code, instruction);
  }
}

/* Is it x[2] as the name of an element that is declared alone? */
static bool
is_own_element(const Search *search, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(search->syntax, pc);
  g_autoptr(GString) text =
      g_string_new(dae_names_text(search->reader->names, instruction->arg));
  for (uint32_t i = 0; i < instruction->n; i++) {
    int64_t k = 0;
    if (!dae_syntax_integer(search->reader->names,
                            dae_syntax_code(search->syntax, pc - instruction->n + i), &k)) {
      return false;
    }
    g_string_append_printf(text, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',', k);
  }
  g_string_append_c(text, ']');
  return dae_names_find(search->reader->names, text->str, text->len) == search->name;
}

/* What the reference that ends at pc, and begins at from, says about the variable. */
static Definition
definition_by(const Search *search, uint32_t from, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(search->syntax, pc);
  if (instruction->op == DAE_OP_TARGET) {
    const uint32_t *path = &g_array_index(search->syntax->paths, uint32_t, instruction->arg);
    return path[0] == 1 && path[1] == search->name && instruction->n == 0 ? OF_ALL
                                                                          : NO_DEFINITION;
  }
  if (instruction->op == DAE_OP_NAME && from == pc) {
    return instruction->arg == search->name ? OF_ALL : NO_DEFINITION;
  }
  if (instruction->op != DAE_OP_ELEMENT || from != pc - instruction->n) {
    return NO_DEFINITION;
  }
  if (instruction->arg != search->name || instruction->n != 1) {
    return is_own_element(search, pc) ? OF_ALL : NO_DEFINITION;
  }
  return dae_syntax_code(search->syntax, from)->op == DAE_OP_NAME ? OF_EACH : OF_ELEMENT;
}

/* The code from *from to *to is what the equation or assignment at pc gives the variable. */
static Definition
definition_at(const Search *search, uint32_t pc, uint32_t *from, uint32_t *to)
{
  const DaeSyntax *syntax = search->syntax;
  uint32_t op = dae_syntax_code(syntax, pc)->op;
  if (op != DAE_OP_EQUATION && op != DAE_OP_ASSIGN) {
    return NO_DEFINITION;
  }
  uint32_t right = dae_syntax_skip_back(syntax, pc, 1);
  uint32_t left = dae_syntax_skip_back(syntax, pc, 2);
  Definition found = definition_by(search, left, right - 1);
  *from = right;
  *to = pc;
  if (found == NO_DEFINITION && op == DAE_OP_EQUATION && !search->is_left_only) {
    found = definition_by(search, right, pc - 1);
    *from = left;
    *to = right;
  }
  return found;
}

/* The variable that an instruction assigns as a whole; 0: none. */
static uint32_t
assigned_name(const DaeSyntax *syntax, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(syntax, pc);
  if (instruction->op != DAE_OP_TARGET) {
    return 0;
  }
  const uint32_t *path = &g_array_index(syntax->paths, uint32_t, instruction->arg);
  return path[1];
}

/* Does the section assign a variable that stands in the code? Its value at that place may be
 * another one than at the end. */
static bool
assigns_part_of(const Search *search, uint32_t from, uint32_t to)
{
  const DaeSyntax *syntax = search->syntax;
  for (uint32_t pc = search->section;
       search->is_algorithm && dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t name = assigned_name(syntax, pc);
    for (uint32_t at = from; name != 0 && at < to; at++) {
      const DaeInstruction *used = dae_syntax_code(syntax, at);
      if ((used->op == DAE_OP_NAME || used->op == DAE_OP_ELEMENT) && used->arg == name) {
        return true;
      }
    }
  }
  return false;
}

typedef struct {
  uint32_t at;     /* the copied TEST, ELSE or LOOP */
  uint32_t values; /* that the branch under way has */
  bool is_loop;
} Block;

/* The end of a branch: what it leaves out is what an earlier statement gave. */
static bool
complete_branch(const Search *search, const Block *block)
{
  uint32_t end = search->previous;
  if (block->values == 1 || block->is_loop || search->previous == 0) {
    return block->values == 1;
  }
  while (dae_syntax_code(search->syntax, end)->op != DAE_OP_RETURN) {
    end++;
  }
  copy_code(search->syntax, search->previous, end);
  return block->values == 0;
}

/* for i in 1:n: then the elements come in their order. */
static bool
counts_from_one(const Search *search, uint32_t range, uint32_t loop)
{
  int64_t first = 0;
  const DaeInstruction *last = dae_syntax_code(search->syntax, loop - 1);
  return last->op == DAE_OP_RANGE && last->n == 2 &&
         dae_syntax_integer(search->reader->names, dae_syntax_code(search->syntax, range),
                            &first) &&
         first == 1;
}

static bool
open_block(const Search *search, GArray *blocks, uint32_t pc)
{
  DaeSyntax *syntax = search->syntax;
  const DaeInstruction instruction = *dae_syntax_code(syntax, pc);
  bool is_loop = instruction.op == DAE_OP_FOR;
  uint32_t from = dae_syntax_skip_back(syntax, pc, 1); /* condition or range */
  if (assigns_part_of(search, from, pc) ||
      (is_loop &&
       (blocks->len > 0 || search->is_algorithm || !counts_from_one(search, from, pc)))) {
    return false;
  }
  copy_code(syntax, from, pc);
  Block block = {.is_loop = is_loop};
  block.at =
      dae_syntax_emit(syntax, is_loop ? DAE_OP_LOOP : DAE_OP_TEST, 0, 0, instruction.pos);
  if (is_loop) {
    copy_code(syntax, pc + 1, pc + 2); /* the iterator */
  }
  g_array_append_val(blocks, block);
  return true;
}

static bool
close_block(const Search *search, GArray *blocks, uint32_t op, uint32_t pos)
{
  DaeSyntax *syntax = search->syntax;
  Block *block = &g_array_index(blocks, Block, blocks->len - 1);
  if (!complete_branch(search, block)) {
    return false;
  }
  uint32_t copied = op == DAE_OP_OTHERWISE ? DAE_OP_ELSE
                    : block->is_loop       ? DAE_OP_NEXT
                                           : DAE_OP_ENDIF;
  uint32_t at = dae_syntax_emit(syntax, copied, 0, 0, pos);
  /* TEST and LOOP lead behind, ELSE to ENDIF */
  bool is_else = dae_syntax_code(syntax, block->at)->op == DAE_OP_ELSE;
  dae_syntax_code(syntax, block->at)->arg = at - block->at + (is_else ? 0 : 1);
  if (copied == DAE_OP_NEXT) {
    dae_syntax_code(syntax, at)->arg = at - block->at;
  }
  if (copied == DAE_OP_ELSE) {
    block->at = at;
    block->values = 0;
    return true;
  }
  g_array_set_size(blocks, blocks->len - 1);
  if (blocks->len > 0) {
    g_array_index(blocks, Block, blocks->len - 1).values++;
  }
  return true;
}

/* Where the if or for that begins at pc (WHETHER, FOR) ends. */
static uint32_t
end_of_block(const DaeSyntax *syntax, uint32_t pc)
{
  uint32_t depth = 0;
  do {
    uint32_t op = dae_syntax_code(syntax, pc)->op;
    depth += op == DAE_OP_WHETHER || op == DAE_OP_FOR || op == DAE_OP_WHEN || op == DAE_OP_WHILE
                 ? 1
                 : 0;
    depth -= op == DAE_OP_ENDWHETHER || op == DAE_OP_ENDFOR || op == DAE_OP_ENDWHEN ||
                     op == DAE_OP_ENDWHILE
                 ? 1
                 : 0;
    pc++;
  } while (depth > 0);
  return pc - 1;
}

static uint32_t
count_definitions(const Search *search, uint32_t from, uint32_t to)
{
  uint32_t n = 0;
  uint32_t a = 0;
  uint32_t b = 0;
  for (uint32_t pc = from; pc < to; pc++) {
    n += definition_at(search, pc, &a, &b) != NO_DEFINITION ? 1 : 0;
  }
  return n;
}

/* An if with a value of the variable in every branch, as an if-expression; for i in 1:n loop s[i] =
 * ..., as an array of them. */
static bool
copy_block(Search *search, uint32_t begin, uint32_t end)
{
  DaeSyntax *syntax = search->syntax;
  g_autoptr(GArray) blocks = g_array_new(FALSE, TRUE, sizeof(Block));
  bool good = true;
  for (uint32_t pc = begin; good && pc <= end; pc++) {
    const DaeInstruction instruction = *dae_syntax_code(syntax, pc);
    uint32_t from = 0;
    uint32_t to = 0;
    Definition found = definition_at(search, pc, &from, &to);
    if (instruction.op == DAE_OP_WHETHER || instruction.op == DAE_OP_FOR) {
      uint32_t last = end_of_block(syntax, pc);
      good = count_definitions(search, pc, last) == 0 || open_block(search, blocks, pc);
      pc = count_definitions(search, pc, last) == 0 ? last : pc;
    } else if (instruction.op == DAE_OP_OTHERWISE || instruction.op == DAE_OP_ENDWHETHER ||
               instruction.op == DAE_OP_ENDFOR) {
      good = close_block(search, blocks, instruction.op, instruction.pos);
    } else if (found != NO_DEFINITION) {
      bool is_each = g_array_index(blocks, Block, 0).is_loop;
      good = found == (is_each ? OF_EACH : OF_ALL) && !assigns_part_of(search, from, to);
      copy_code(syntax, from, to);
      g_array_index(blocks, Block, blocks->len - 1).values++;
      search->n++;
    } else {
      good = instruction.op != DAE_OP_WHEN && instruction.op != DAE_OP_WHILE;
    }
  }
  return good;
}

/* The value that the section gives the variable, as code; 0: none, or not in a way that is
 * understood. */
static uint32_t
value_in_section(Search *search)
{
  DaeSyntax *syntax = search->syntax;
  uint32_t value = 0;
  for (uint32_t pc = search->section; dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t op = dae_syntax_code(syntax, pc)->op;
    uint32_t pos = dae_syntax_code(syntax, pc)->pos;
    uint32_t from = 0;
    uint32_t to = 0;
    Definition found = definition_at(search, pc, &from, &to);
    bool is_block =
        op == DAE_OP_WHETHER || op == DAE_OP_FOR || op == DAE_OP_WHEN || op == DAE_OP_WHILE;
    uint32_t end = is_block ? end_of_block(syntax, pc) : pc;
    if (is_block ? count_definitions(search, pc, end) == 0 : found == NO_DEFINITION) {
      pc = end;
      continue;
    }
    uint32_t start = syntax->code->len;
    if (value != 0 && found == OF_ALL && !search->is_algorithm) {
      search->n++; /* the second of two that have to agree: its place tells */
      continue;
    }
    bool good = (value == 0 && search->n_elements == 0) || search->is_algorithm;
    search->previous = search->is_algorithm ? value : 0;
    if (is_block) {
      good = good && (op == DAE_OP_WHETHER || op == DAE_OP_FOR) && copy_block(search, pc, end);
    } else if (found == OF_ELEMENT && !search->is_algorithm) {
      int64_t k = 0;
      dae_syntax_integer(search->reader->names,
                         dae_syntax_code(syntax, to == pc ? from - 2 : to), &k);
      good = value == 0 && k == (int64_t)++search->n_elements;
      search->n++;
    } else {
      good = good && found == OF_ALL && !assigns_part_of(search, from, to);
      copy_code(syntax, from, to);
      search->n++;
    }
    if (!good) {
      return 0;
    }
    if (syntax->code->len > start) {
      dae_syntax_emit(syntax, DAE_OP_RETURN, 0, 0, pos);
      value = start;
    }
    pc = end;
  }
  return value;
}

/* s[1] = ...; s[2] = ...; as one array. */
static uint32_t
value_of_elements(Search *search)
{
  DaeSyntax *syntax = search->syntax;
  uint32_t start = syntax->code->len;
  uint32_t n = 0;
  uint32_t pos = 0;
  for (uint32_t pc = search->section; dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t from = 0;
    uint32_t to = 0;
    if (definition_at(search, pc, &from, &to) == OF_ELEMENT) {
      pos = dae_syntax_code(syntax, pc)->pos;
      copy_code(syntax, from, to);
      n++;
    }
  }
  dae_syntax_emit(syntax, DAE_OP_ARRAY, n, 0, pos);
  dae_syntax_emit(syntax, DAE_OP_RETURN, 0, 0, pos);
  return start;
}

/* Nothing defines it: it keeps its start value. */
static uint32_t
value_at_start(DaeReader *reader, const DaeDeclaration *declaration)
{
  DaeSyntax *syntax = reader->syntax;
  uint32_t id = dae_names_find(reader->names, "start", 5);
  const DaeModification *start =
      id != 0 ? dae_syntax_modification(syntax, declaration->first_mod, declaration->n_mods, id)
              : NULL;
  dae_source_warning(reader->source, declaration->pos,
                     "nothing gives the String variable '%s' a value: it is its start value",
                     dae_names_text(reader->names, declaration->name));
  if (start != NULL && start->code != 0) {
    return start->code;
  }
  uint32_t code = syntax->code->len;
  uint32_t pos = declaration->pos;
  dae_syntax_emit(syntax, DAE_OP_STRING, 0, dae_names_intern(reader->names, "", 0), pos);
  dae_syntax_emit(syntax, DAE_OP_RETURN, 0, 0, pos);
  return code;
}

/* Is the variable this one, or an element or member of it? 0: no name. */
static bool
is_part_of(const Search *search, uint32_t name)
{
  const char *own = dae_names_text(search->reader->names, search->name);
  const char *whole = name != 0 ? dae_names_text(search->reader->names, name) : "";
  size_t n = strlen(whole);
  return n > 0 && strncmp(own, whole, n) == 0 &&
         (own[n] == '\0' || own[n] == '.' || own[n] == '[');
}

/* The variable that an operand is, or is a part of; 0: it is an expression. */
static uint32_t
referred_name(const DaeSyntax *syntax, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(syntax, pc);
  if (instruction->op == DAE_OP_PATH) {
    return g_array_index(syntax->paths, uint32_t, instruction->arg + 1);
  }
  return instruction->op == DAE_OP_NAME || instruction->op == DAE_OP_ELEMENT ? instruction->arg
                                                                             : 0;
}

/* Is the variable the operand from `from` to `to`, a part of it, or of an element of a list? */
static bool
is_in_operand(const Search *search, uint32_t from, uint32_t to)
{
  const DaeSyntax *syntax = search->syntax;
  uint32_t op = dae_syntax_code(syntax, to - 1)->op;
  bool is_list = op == DAE_OP_TUPLE || op == DAE_OP_ARRAY;
  for (uint32_t pc = is_list ? from : to - 1; pc < to; pc++) {
    if (is_part_of(search, referred_name(syntax, pc))) {
      return true;
    }
  }
  return false;
}

/* (s, y) = f(x); q = f(x), where the variable is q.name */
static bool
is_in_equation(const Search *search, uint32_t pc)
{
  const DaeSyntax *syntax = search->syntax;
  if (dae_syntax_code(syntax, pc)->op != DAE_OP_EQUATION) {
    return false;
  }
  uint32_t right = dae_syntax_skip_back(syntax, pc, 1);
  uint32_t left = dae_syntax_skip_back(syntax, pc, 2);
  return is_in_operand(search, left, right) ||
         (!search->is_left_only && is_in_operand(search, right, pc));
}

/* Is it one of (a, s) := f(x), or an element or member of what is assigned, or of a side? */
static bool
is_among_targets(const Search *search, uint32_t from, uint32_t to)
{
  for (uint32_t pc = from; pc < to; pc++) {
    if (is_in_equation(search, pc) || is_part_of(search, assigned_name(search->syntax, pc))) {
      return true;
    }
  }
  return false;
}

static uint32_t
section_end(const DaeSyntax *syntax, uint32_t code)
{
  while (dae_syntax_code(syntax, code)->op != DAE_OP_RETURN) {
    code++;
  }
  return code;
}

bool
dae_text_find_value(DaeReader *reader, uint32_t index, uint32_t name, bool is_element)
{
  DaeSyntax *syntax = reader->syntax;
  uint32_t n = 0;       /* definitions */
  uint32_t n_taken = 0; /* that the value has in it */
  uint32_t value = 0;
  bool is_told_late = false;
  for (uint32_t i = 0; i < syntax->sections->len; i++) {
    const DaeSection section = g_array_index(syntax->sections, DaeSection, i);
    if (section.owner != reader->model || section.is_initial || section.is_guess) {
      continue;
    }
    Search search = {reader, syntax, name, section.is_algorithm, section.code, 0, 0, 0, false};
    uint32_t end = section_end(syntax, section.code);
    uint32_t here = count_definitions(&search, section.code, end);
    is_told_late = is_told_late || (here == 0 && is_among_targets(&search, section.code, end));
    if (here > 0) {
      uint32_t found = value_in_section(&search);
      found = found == 0 && search.n_elements == here ? value_of_elements(&search) : found;
      value = value == 0 ? found : value;
      n_taken = value == found ? search.n : n_taken;
    }
    n += here;
  }
  const DaeDeclaration declaration = *dae_syntax_declaration(syntax, index);
  bool is_open = n == 0 && !is_told_late && (declaration.n_dims == 0 || is_element);
  value = n > 0 && n_taken == n ? value : is_open ? value_at_start(reader, &declaration) : 0;
  if (value != 0) {
    dae_syntax_declaration(syntax, index)->binding = value;
  }
  return value != 0;
}

bool
dae_text_changes(DaeReader *reader, uint32_t name)
{
  DaeSyntax *syntax = reader->syntax;
  for (uint32_t i = 0; i < syntax->sections->len; i++) {
    const DaeSection section = g_array_index(syntax->sections, DaeSection, i);
    if (section.owner != reader->model || section.is_initial || section.is_guess) {
      continue;
    }
    Search search = {reader, syntax, name, section.is_algorithm, section.code, 0, 0, 0, true};
    uint32_t end = section_end(syntax, section.code);
    for (uint32_t pc = section.code; pc < end; pc++) {
      bool is_when = dae_syntax_code(syntax, pc)->op == DAE_OP_WHEN;
      uint32_t last = is_when ? end_of_block(syntax, pc) : pc;
      if (is_when &&
          (count_definitions(&search, pc, last) > 0 || is_among_targets(&search, pc, last))) {
        return true;
      }
      pc = last;
    }
  }
  return false;
}
