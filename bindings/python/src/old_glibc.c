/* Threads by the names that every glibc since 2.17 has, so that a wheel loads on systems older than
 * the one it was built on. glibc 2.34 gave the same functions new versions when they moved into
 * libc. The linker sends calls here (--wrap), so the library is compiled as everywhere else.
 */
#include <pthread.h>

#if defined(__x86_64__)
#define OLD "GLIBC_2.2.5"
#else
#define OLD "GLIBC_2.17"
#endif

int old_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
               void *data);
int old_join(pthread_t thread, void **answer);
__asm__(".symver old_create, pthread_create@" OLD);
__asm__(".symver old_join, pthread_join@" OLD);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data);
int __wrap_pthread_join(pthread_t thread, void **answer);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data)
{
    return old_create(thread, attributes, run, data);
}

int __wrap_pthread_join(pthread_t thread, void **answer)
{
    return old_join(thread, answer);
}
