#include <stdio.h>

int
main(void)
{
  puts("daetool");
  return 0;
}
