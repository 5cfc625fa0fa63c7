// Sequences as a user plays them: what `pliant-bench-peers played` measures.
//
// Everyone who takes part plays all frames of a sequence in order, each once, in a pass of its own.
// The frames are made beforehand, and each is copied to the same place in memory before it is
// played, as if somebody had just written it there; then 4 MB of other data are touched, as in a
// program that does something else too. Neither is timed. Passes are played in turns, and repeated
// as wholes; between them the caches are filled with other data. The first pass of everyone does
// not count: it gets the memory that is needed, and compares the pairs.
#ifndef BENCH_PLAYED_H
#define BENCH_PLAYED_H

#include "bench.h"
#include "free_runs.h"

#include <functional>
#include <string>
#include <vector>

// The vertices of all bodies in some frames of a motion, and where everyone reads them.
class Film
{
  public:
    Film(const FreeMotion &motion, int from, int to);

    size_t frame_count() const
    {
        return frames.size();
    }

    int step(size_t frame) const
    {
        return first_step + static_cast<int>(frame);
    }

    void go_to(size_t frame);

    const float *const *vertices() const
    {
        return pointers.data();
    }

    const FreeBodies &close() const
    {
        return frames[at].close;
    }

    // Do boxes of bodies overlap in a frame?
    bool is_close(size_t frame) const
    {
        return !frames[frame].close.empty();
    }

  private:
    struct Frame {
        std::vector<std::vector<float>> vertices; // of the bodies that change
        FreeBodies close;
    };

    int first_step;
    size_t at = 0;
    std::vector<Frame> frames;
    std::vector<std::vector<float>> now;
    std::vector<const float *> pointers;
};

// Somebody who takes part.
struct Player {
    std::string name;
    bool is_peer;                         // a library to be beaten
    std::function<void(size_t)> go_to;    // not timed: what is read is that of a frame
    std::function<void()> play;           // timed
    std::function<FreeAnswers()> answers; // what was found; may be empty
    std::vector<double> times;            // of the frames that count, in all passes

    double median() const;
    double late() const; // the 95th percentile
};

// A peer that plays a film: with the first pairs of bodies alone, or with all pairs. `pose` is
// called with each step, and may be empty.
Player make_player(bool is_peer, std::shared_ptr<FreePeer> peer, std::shared_ptr<Film> film,
                   bool is_first_wanted, std::function<void(int)> pose = {});

// A sequence, the players of which are compared: ours is the first.
struct Sequence {
    std::string key; // "s1.vs_best_peer": the figure is that, after "played."
    std::vector<Player> players;
    size_t frame_count;
    std::function<bool(size_t)> counts; // is a frame among those that are measured?
    int passes;
    Player oracle; // plays every so many frames of the first pass; no name: there is none
    size_t oracle_stride;
};

// Plays a sequence, prints what it took, and returns 1 if answers differ. The figure is how many
// times as long as ours the best of the peers takes.
int play_sequence(Sequence *sequence);

#endif
