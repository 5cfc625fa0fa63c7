/* For calls that have to be refused: the code, and what the host was told. After cmocka.h. */
#ifndef TEST_REFUSE_H
#define TEST_REFUSE_H

#include "host.h"

#include <string.h>

static inline bool test_starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* `told` is a TestHost; the message begins with the text. */
#define REFUSE(told, call, code, text)                                                             \
    do {                                                                                           \
        (told).message[0] = '\0';                                                                  \
        assert_int_equal(call, code);                                                              \
        assert_int_equal((told).result, code);                                                     \
        if (!test_starts_with((told).message, text))                                               \
            assert_string_equal((told).message, text);                                             \
    } while (0)

#endif
