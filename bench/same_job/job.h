// The job of `pliant check` as a user would do it without the command: every frame of a model,
// every pair of its parts, by CGAL and by Embree. See main.cpp for what is counted.
#ifndef BENCH_SAME_JOB_H
#define BENCH_SAME_JOB_H

#include "peers/free_peers.h"

#include <memory>
#include <string>

// Pairs of parts, and how many pairs of triangles intersect at each frame of each.
struct JobCounts {
    FreeBodies pairs;                // of parts; one part twice is its self-collision
    std::vector<int64_t> counts;     // frame after frame, of each pair
    int64_t sum(bool of_self) const; // of different parts, or of self-collisions
};

// A model, read from a file, and where its vertices are.
class Job
{
  public:
    explicit Job(const char *file); // ends the program if the file cannot be read
    ~Job();
    Job(const Job &) = delete;
    Job &operator=(const Job &) = delete;

    // Runs the check of the command with one job and without depth. Returns what it found. The
    // command checks a pose once; with `every_pose` again at each frame that has it.
    JobCounts check(bool every_pose);

    // Makes the bodies anew that vertices are evaluated with.
    void restart();

    const FreeScene &parts() const
    {
        return scene_parts;
    }

    int64_t frame_count() const;
    int64_t pose_count() const; // frames whose pose did not come before

    // Poses the model at a frame, and evaluates all vertices of all parts.
    const float *const *vertices(int64_t frame);

  private:
    struct Insides;
    std::unique_ptr<Insides> in;
    FreeScene scene_parts;
    std::vector<std::vector<float>> arrays;
    std::vector<const float *> pointers;
};

// CGAL for self-collision too: what PMP calls self-intersections, on a mesh whose points are set at
// each update. A face that would make the mesh no surface has vertices of its own.
std::unique_ptr<FreePeer> make_cgal_with_self(const FreeScene &scene,
                                              const float *const *rest_vertices);

#endif
