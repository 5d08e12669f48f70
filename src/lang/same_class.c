/* Two classes of one name, inherited and declared, or inherited twice: they are the same if their
 * texts are [MLS, section 7.1], blanks and comments aside. */
#include <string.h>

#include "lang/instance.h"
#include "parser/parser.h"

typedef struct {
  DaeLexer lexer;
  DaeToken token, previous;
} Reader;

static void
begin(Reader *reader, DaeLang *lang, uint32_t pos)
{
  const DaeSourceFile *file = dae_source_file_of(lang->source, pos);
  const size_t at = pos - file->base;
  *reader = (Reader){0};
  dae_lexer_init(&reader->lexer, lang->source, lang->names, file->text + at, file->length - at,
                 pos);
}

static void
advance(Reader *reader)
{
  reader->previous = reader->token;
  reader->token = dae_lexer_next(&reader->lexer);
}

/* The word behind the last `end`, or the semicolon behind a short class. */
static bool
is_end(const Reader *reader, uint32_t name, bool is_short)
{
  DaeTokenKind kind = reader->token.kind;
  return kind == DAE_TOKEN_EOF || (is_short && kind == DAE_TOKEN_SEMICOLON) ||
         (reader->previous.kind == DAE_TOKEN_END && reader->token.name == name);
}

bool
dae_is_same_class(DaeLang *lang, uint32_t first, uint32_t second)
{
  const DaeClass a = *dae_syntax_class(lang->syntax, first);
  const DaeClass b = *dae_syntax_class(lang->syntax, second);
  const bool is_short = (a.flags & DAE_FLAG_SHORT) != 0;
  bool is_same = a.kind == b.kind && is_short == ((b.flags & DAE_FLAG_SHORT) != 0);
  Reader x;
  Reader y;
  begin(&x, lang, a.pos);
  begin(&y, lang, b.pos);
  dae_source_hush(lang->source);
  for (bool is_more = is_same; is_more; is_more = is_same && !is_end(&x, a.name, is_short)) {
    advance(&x);
    advance(&y);
    is_same = x.token.kind == y.token.kind && x.token.length == y.token.length &&
              memcmp(dae_lexer_token_text(&x.lexer, x.token),
                     dae_lexer_token_text(&y.lexer, y.token), x.token.length) == 0;
  }
  dae_source_speak(lang->source);
  return is_same;
}
