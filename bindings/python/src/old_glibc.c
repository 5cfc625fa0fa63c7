/* Functions by the names that every glibc since 2.17 has, so that a wheel loads on systems older
 * than the one it was built on. glibc 2.34 gave threads new versions when they moved into libc,
 * 2.33 did so with stat, and 2.35 with hypot. The linker sends calls here (--wrap), so the library
 * is compiled as everywhere else.
 */
#include <pthread.h>
#include <sys/stat.h>

#if defined(__x86_64__)
#define OLD "GLIBC_2.2.5"
enum { STAT_VERSION = 1 };
#else
#define OLD "GLIBC_2.17"
enum { STAT_VERSION = 0 };
#endif

int old_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
               void *data);
int old_join(pthread_t thread, void **answer);
__asm__(".symver old_create, pthread_create@" OLD);
__asm__(".symver old_join, pthread_join@" OLD);
double old_hypot(double x, double y);
__asm__(".symver old_hypot, hypot@" OLD);

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

int __xstat(int version, const char *path, struct stat *facts);
int __wrap_stat(const char *path, struct stat *facts);

int __wrap_stat(const char *path, struct stat *facts)
{
    return __xstat(STAT_VERSION, path, facts);
}

double __wrap_hypot(double x, double y);

double __wrap_hypot(double x, double y)
{
    return old_hypot(x, y);
}
