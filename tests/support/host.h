/* A host for tests: counts what it gives out, fails on demand, keeps what it was told. */
#ifndef TEST_HOST_H
#define TEST_HOST_H

#include <pliant/base.h>

typedef struct TestHost {
    PliantHost host;     /* pass this to the library */
    int64_t calls;       /* allocations asked for */
    int64_t blocks;      /* blocks out now */
    int64_t bytes;       /* bytes out now */
    int64_t largest;     /* bytes asked for in one call, at most */
    int64_t total;       /* and in all of them */
    int64_t fail_at;     /* number of the call that fails, from 1; 0 for none */
    bool fails_for_ever; /* and all after it */
    int64_t reports;
    PliantResult result; /* what was reported last */
    char message[256];
} TestHost;

void test_host_init(TestHost *host);

#endif
