/* For mistakes that no host can be told of, because the argument that has it is wrong: the call is
 * refused, or the process stops where the build asks for that. After cmocka.h. */
#ifndef TEST_UNHEARD_H
#define TEST_UNHEARD_H

#ifdef PLIANT_ASSERTS

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define REFUSE_UNHEARD(call, code)                                                                 \
    do {                                                                                           \
        pid_t child = fork();                                                                      \
        if (child == 0) {                                                                          \
            signal(SIGILL, SIG_DFL); /* cmocka's handlers would go on with the next test */        \
            signal(SIGTRAP, SIG_DFL);                                                              \
            (void)(call);                                                                          \
            _exit(0);                                                                              \
        }                                                                                          \
        int status;                                                                                \
        assert_int_equal(waitpid(child, &status, 0), child);                                       \
        assert_true(WIFSIGNALED(status));                                                          \
    } while (0)

#else
#define REFUSE_UNHEARD(call, code) assert_int_equal(call, code)
#endif

#endif
