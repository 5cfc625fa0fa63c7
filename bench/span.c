/* Work and span: see span.h. */
#include "span.h"

#include <stdio.h>

/* PliantHost.run. Each task goes to the worker that would be free first. */
static void run(void *user, PliantTask *task, void *data, int32_t count)
{
    BenchSpan *span = user;
    const double begin = bench_seconds();
    double busy[SPAN_WORKERS] = {0}, end = 0, longest = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t worker = 0;
        for (int32_t w = 1; w < SPAN_WORKERS; w++)
            worker = busy[w] < busy[worker] ? w : worker;
        const double start = bench_seconds();
        task(data, i, worker);
        const double seconds = bench_seconds() - start;
        busy[worker] += seconds;
        span->tasks += seconds;
        end = busy[worker] > end ? busy[worker] : end;
        longest = seconds > longest ? seconds : longest;
    }
    span->longest += longest;
    span->divided += end;
    span->inside += bench_seconds() - begin;
}

void bench_span_attach(BenchSpan *span, PliantHost *host)
{
    host->run = run;
    host->run_user = span;
    host->worker_count = SPAN_WORKERS;
}

void bench_span_print(const BenchSpan *span, const char *key, double total, double one)
{
    const double serial = total - span->inside;
    char name[64];
    printf("threads.%s: of %.3f s, tasks %.3f s, the longest of each set %.3f s, serial %.4f s: "
           "at most %.1f x with %d workers\n",
           key, total, span->tasks, span->longest, serial, one / (serial + span->divided),
           SPAN_WORKERS);
    snprintf(name, sizeof name, "threads.%s.serial_share", key);
    bench_figure(name, serial / one, "");
    snprintf(name, sizeof name, "threads.%s.at_64", key);
    bench_figure(name, one / (serial + span->divided), "x");
}
