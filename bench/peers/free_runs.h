// What `pliant-bench-peers free` and `paper` share: scenes in motion, and one frame of one through
// one peer, timed.
#ifndef BENCH_FREE_RUNS_H
#define BENCH_FREE_RUNS_H

#include "bench.h"
#include "free_peers.h"

#include <functional>
#include <string>

// ---- Who takes part ---------------------------------------------------------------------------

enum class FreeRole {
    Ours,    // this library
    Method,  // written here after a paper: no library, and so no best peer
    Library, // what is to be beaten
    Refit,   // a library that keeps the tree of other triangles, where that is not always possible
};

struct FreeMaker {
    FreeRole role;
    std::function<std::unique_ptr<FreePeer>(const FreeScene &, const float *const *)> make;
};

// Ours first, as far as this build has them, and the oracle last.
std::vector<FreeMaker> free_makers();

// ---- Scenes in motion -------------------------------------------------------------------------

// Steps are numbered from 0; trees are built at step 0.
class FreeMotion
{
  public:
    virtual ~FreeMotion() = default;
    virtual const SceneMesh &mesh() const = 0;
    virtual int body_count() const = 0;
    virtual int step_count() const = 0;
    virtual void index(int body, int step, float *vertices) const = 0;

    // For scenes of more than one mesh, and for bodies that stay as they are.
    virtual const SceneMesh &mesh_of(int) const
    {
        return mesh();
    }

    virtual bool is_unchanged(int) const
    {
        return false;
    }
};

std::unique_ptr<FreeMotion> free_bumpy(SceneMesh sphere); // becomes its own
std::unique_ptr<FreeMotion> free_crowd(int subdivisions);

FreeScene free_scene(const FreeMotion &motion);

// All bodies at one step, which peers may borrow until the next go_to().
class FreeFrame
{
  public:
    explicit FreeFrame(const FreeMotion &motion);

    void go_to(int step);

    const float *const *vertices() const
    {
        return pointers.data();
    }

    // The pairs of bodies whose boxes overlap. Found outside of what is timed: all peers get them.
    const FreeBodies &close() const
    {
        return close_bodies;
    }

  private:
    const FreeMotion *motion;
    std::vector<std::vector<float>> storage;
    std::vector<const float *> pointers;
    FreeBodies close_bodies;
};

// ---- Timing -----------------------------------------------------------------------------------

// One frame, in seconds: each the median of a few runs.
struct FreeTimes {
    double update; // alone
    double all;    // all pairs, once updated
    double total;  // update and all pairs
    double fresh;  // the same when the frame is new, and caches have held other things since
    double first;  // update, and whether bodies touch at all
};

// What a peer found.
struct FreeAnswers {
    std::vector<FreePair> pairs; // sorted
    int touching;                // pairs of bodies in contact, by the query that says no more
};

// Everyone by the same rule: seven runs at least, and more until they take 10 ms together, so that
// those of microseconds are steady.
FreeTimes free_time(FreePeer *peer, const FreeFrame &frame, FreeAnswers *answers);

// The same without the times: for an oracle that takes long.
FreeAnswers free_answers(FreePeer *peer, const FreeFrame &frame);

// What pairs say, whatever their order.
FreeAnswers free_answers(std::vector<FreePair> pairs);

// Likewise the floor under every update.
double free_time_floor(const FreeMotion &motion, const FreeFrame &frame);

double free_median(std::vector<double> values);
double free_median(const std::vector<FreeTimes> &times, double FreeTimes::*part);

// Are these the oracle's pairs, and do the bodies touch that are in them?
bool free_agree(const FreeAnswers &answers, const FreeAnswers &checked);

#endif
