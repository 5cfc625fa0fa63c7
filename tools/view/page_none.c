/* The shell of a build that has none. */
#include "view/page.h"

const unsigned char page_shell_head[] = {0}, page_shell_tail[] = {0};
const size_t page_shell_head_size = 0, page_shell_tail_size = 0;
