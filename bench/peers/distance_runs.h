// Least distances: what `pliant-bench-peers distance` measures, and those who take part.
#ifndef BENCH_DISTANCE_RUNS_H
#define BENCH_DISTANCE_RUNS_H

#include "free_runs.h"

// Two bodies. A frame is update() and least(): its distance.
class DistancePeer
{
  public:
    virtual ~DistancePeer() = default;
    virtual const char *name() const = 0;
    virtual void update(const float *const *vertices) = 0;
    virtual double least() = 0;
};

std::unique_ptr<DistancePeer> make_distance_fcl(const FreeScene &scene,
                                                const float *const *rest_vertices);

#endif
