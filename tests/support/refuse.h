/* For calls that have to be refused: the code, and what the host was told. After cmocka.h. */
#ifndef TEST_REFUSE_H
#define TEST_REFUSE_H

#include "host.h"

#include <string.h>

static inline bool test_starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* What follows "pliant_...: " in a message, or NULL if it does not begin with the name of a public
 * function: that of `call`, if `call` is the text of one. */
static inline const char *test_after_name(const char *message, const char *call)
{
    const char *text = test_starts_with(message, "pliant_") ? strstr(message, ": ") : NULL;
    const size_t length = strcspn(call, "(");
    if (text && test_starts_with(call, "pliant_") &&
        ((size_t)(text - message) != length || strncmp(message, call, length) != 0))
        return NULL;
    return text ? text + 2 : NULL;
}

/* `told` is a TestHost; the message names the function that was called, then begins with the text.
 */
#define REFUSE(told, call, code, text)                                                             \
    do {                                                                                           \
        (told).message[0] = '\0';                                                                  \
        assert_int_equal(call, code);                                                              \
        assert_int_equal((told).result, code);                                                     \
        const char *after_name = test_after_name((told).message, #call);                           \
        if (!after_name || !test_starts_with(after_name, text))                                    \
            assert_string_equal((told).message, text);                                             \
    } while (0)

/* The same for messages that do not name the function. */
#define REFUSE_UNNAMED(told, call, code, text)                                                     \
    do {                                                                                           \
        (told).message[0] = '\0';                                                                  \
        assert_int_equal(call, code);                                                              \
        assert_int_equal((told).result, code);                                                     \
        if (!test_starts_with((told).message, text))                                               \
            assert_string_equal((told).message, text);                                             \
    } while (0)

#endif
