/* cmocka, with the headers that it wants before it. */
#ifndef TEST_UNIT_H
#define TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* For calls of the library. */
#define MUST(call) assert_int_equal(call, PLIANT_OK)

#endif
