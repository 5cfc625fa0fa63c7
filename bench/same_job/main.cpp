// pliant-bench-command: every frame of a model and every pair of its parts, by the command's check,
// by Embree and by CGAL. bench/command runs it, and Blender.
//
// What is counted, on one thread each: trees and bodies built for the first frame, then for every
// frame once: posing the model, and finding all pairs of triangles that intersect, of different
// parts and the self-collision of each. The others need every vertex for that, and evaluate them
// with the library. Ours is the whole of check_run(): it also detects which poses came before,
// checks each pose once, and puts together the report; beside it stands what it takes if every pose
// is checked again. What is not counted: reading the file. Every time is of one pass over all
// frames; ours is the median of several passes, each of which starts anew.
#include "job.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace
{
// By the clock, and of the processor. On a machine that does nothing else both are the same.
struct Times {
    double clock, processor;
};

Times now()
{
    using Clock = std::chrono::steady_clock;
    return {std::chrono::duration<double>(Clock::now().time_since_epoch()).count(),
            static_cast<double>(std::clock()) / CLOCKS_PER_SEC};
}

void add_since(Times *sum, const Times &start)
{
    const Times end = now();
    sum->clock += end.clock - start.clock;
    sum->processor += end.processor - start.processor;
}

struct Played {
    Times all, evaluating; // the second is a part of the first
    JobCounts found;
};

using MakePeer = std::unique_ptr<FreePeer>(const FreeScene &, const float *const *);

void count(const std::vector<FreePair> &found, const FreeBodies &pairs, int64_t *counts)
{
    for (const FreePair &pair : found) {
        const auto at =
            std::find(pairs.begin(), pairs.end(), std::make_pair(pair.body_a, pair.body_b));
        counts[at - pairs.begin()]++;
    }
}

Played play(Job *job, MakePeer *make, const FreeBodies &pairs)
{
    Played played{{}, {}, {pairs, {}}};
    std::unique_ptr<FreePeer> peer;
    played.found.counts.assign(pairs.size() * static_cast<size_t>(job->frame_count()), 0);
    Times start = now();
    job->restart();
    for (int64_t frame = 0; frame < job->frame_count(); frame++) {
        const float *const *vertices = job->vertices(frame);
        add_since(&played.evaluating, start);
        if (!peer)
            peer = make(job->parts(), vertices);
        peer->update(vertices);
        peer->all_pairs(pairs);
        add_since(&played.all, start);
        count(peer->pairs(), pairs,
              &played.found.counts[static_cast<size_t>(frame) * pairs.size()]);
        start = now();
    }
    return played;
}

// How many frames of how many pairs of parts have another number of pairs of triangles.
int64_t differences(const JobCounts &a, const JobCounts &b)
{
    int64_t different = 0;
    for (size_t i = 0; i < a.counts.size(); i++)
        different += a.counts[i] != b.counts[i];
    return different;
}

bool compare(Job *job, const char *name, MakePeer *make, const JobCounts &found, const Times &ours,
             const Times &every)
{
    const Played played = play(job, make, found.pairs);
    const int64_t different = differences(found, played.found);
    std::printf("%s: %.3f s, of the processor %.3f s, of which evaluating vertices %.3f s; %s\n",
                name, played.all.clock, played.all.processor, played.evaluating.processor,
                different == 0 ? "as many pairs as ours at every frame"
                               : "NOT the same number of pairs as ours");
    std::printf("figure command.vs_%s %.3f x\n", name, played.all.processor / ours.processor);
    std::printf("figure command.clock.vs_%s %.3f x\n", name, played.all.clock / ours.clock);
    std::printf("figure command.every_pose.vs_%s %.3f x\n", name,
                played.all.processor / every.processor);
    std::fflush(stdout);
    return different == 0;
}

// The median of several runs, each of which starts anew.
Times time_check(Job *job, bool every_pose, JobCounts *found)
{
    enum { RUNS = 5 };
    std::vector<double> clocks, processors;
    for (int i = 0; i < RUNS; i++) {
        const Times start = now();
        Times spent{};
        *found = job->check(every_pose);
        add_since(&spent, start);
        clocks.push_back(spent.clock);
        processors.push_back(spent.processor);
    }
    std::sort(clocks.begin(), clocks.end());
    std::sort(processors.begin(), processors.end());
    return {clocks[RUNS / 2], processors[RUNS / 2]};
}
} // namespace

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: pliant-bench-command MODEL\n");
        return 2;
    }
    Job job(argv[1]);
    JobCounts found, again;
    const Times ours = time_check(&job, false, &found), every = time_check(&job, true, &again);
    std::printf("ours: %.3f s, of the processor %.3f s; every pose again %.3f s, of the processor "
                "%.3f s\n",
                ours.clock, ours.processor, every.clock, every.processor);
    std::printf("job: %lld frames, %lld poses, %zu pairs of parts; pairs of triangles: %lld of "
                "different parts, "
                "%lld of self-intersections\n",
                static_cast<long long>(job.frame_count()), static_cast<long long>(job.pose_count()),
                found.pairs.size(), static_cast<long long>(found.sum(false)),
                static_cast<long long>(found.sum(true)));
    std::printf("figure command.same_job.seconds %.4f s\n", ours.clock);
    std::printf("figure command.same_job.processor %.4f s\n", ours.processor);
    std::printf("figure command.same_job.every_pose %.4f s\n", every.processor);
    std::fflush(stdout);
    bool are_equal = differences(found, again) == 0;
#ifdef HAS_EMBREE
    are_equal &= compare(&job, "embree", make_embree, found, ours, every);
#endif
    are_equal &= compare(&job, "cgal", make_cgal_with_self, found, ours, every);
    return are_equal ? 0 : 1;
}
