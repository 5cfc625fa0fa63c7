/* Work and span: see span.h. */
#include "span.h"

#include <stdio.h>

/* PliantHost.run. */
static void run(void *user, PliantTask *task, void *data, int32_t count)
{
    BenchSpan *span = user;
    double sum = 0, longest = 0;
    for (int32_t i = 0; i < count; i++) {
        const double start = bench_seconds();
        task(data, i, i % SPAN_WORKERS);
        const double seconds = bench_seconds() - start;
        sum += seconds;
        longest = seconds > longest ? seconds : longest;
    }
    span->tasks += sum;
    span->longest += longest;
    span->divided += sum / SPAN_WORKERS > longest ? sum / SPAN_WORKERS : longest;
}

void bench_span_attach(BenchSpan *span, PliantHost *host)
{
    host->run = run;
    host->run_user = span;
    host->worker_count = SPAN_WORKERS;
}

void bench_span_print(const BenchSpan *span, const char *key, double total, double one)
{
    const double serial = total - span->tasks;
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
