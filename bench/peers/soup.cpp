// pliant-bench-peers soup: two clouds of triangles of which nothing is known but where they are
// now.
//
// All pairs of triangles that intersect, in each frame, from where triangles are: update and query
// together. Frames are made beforehand, some at a time, and each goes to the same place in memory
// before it is read, as if somebody had just written it there. Everyone goes through all of
// these frames one after the other, since what is kept from frame to frame is the point here; the
// first of them, which finds caches full of others' things, is not counted. Nobody sees a frame
// twice. The best peer is the library whose median over the frames is least, of those that take
// whatever is there: that rebuild. Libraries that refit the tree of the first frame take part
// where the triangles are the same all the time, which is more than is known of a soup; against
// them there is a figure apart.
//
// CGAL is the oracle of everyone's pairs. Of frames that it would take too long for, it gets the
// last of each round, and in the others everyone is held against Embree.
#include "peers.h"
#include "soup_runs.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace
{
// ---- Frames -----------------------------------------------------------------------------------

constexpr int BODIES = 2;

struct Run {
    std::string key;
    SceneSoupFill fill;
    SceneSoupMotion motion;
    int32_t triangle_count;
    int rounds, frame_count; // in each round
    bool is_long;            // for those who are slow
};

// The frames of a round, and the place where everyone reads them.
class SoupFrames
{
  public:
    explicit SoupFrames(const Run &run)
        : scene(scene_soup(run.fill, run.motion, run.triangle_count, 1)),
          float_count(9 * static_cast<size_t>(run.triangle_count)),
          frames(static_cast<size_t>(run.frame_count))
    {
        for (int body = 0; body < BODIES; body++) {
            now[body].assign(scene.corners[body], scene.corners[body] + float_count);
            pointers[body] = now[body].data();
        }
    }

    SoupFrames(const SoupFrames &) = delete;
    SoupFrames &operator=(const SoupFrames &) = delete;

    ~SoupFrames()
    {
        scene_soup_free(&scene);
    }

    void next_round()
    {
        for (Frame &frame : frames) {
            for (int body = 0; body < BODIES; body++)
                frame.corners[body].assign(scene.corners[body], scene.corners[body] + float_count);
            scene_soup_next(&scene);
        }
    }

    void go_to(int frame)
    {
        const Frame &from = frames[static_cast<size_t>(frame)];
        for (int body = 0; body < BODIES; body++)
            std::memcpy(now[body].data(), from.corners[body].data(), float_count * sizeof(float));
    }

    const float *const *vertices() const
    {
        return pointers;
    }

  private:
    struct Frame {
        std::vector<float> corners[BODIES];
    };

    SceneSoup scene;
    size_t float_count;
    std::vector<Frame> frames;
    std::vector<float> now[BODIES];
    const float *pointers[BODIES];
};

// ---- Who takes part ---------------------------------------------------------------------------

Entrants enter(const Run &run, const SoupFrames &frames)
{
    Entrants entrants;
    const FreeMesh mesh{3 * run.triangle_count, run.triangle_count, nullptr, false};
    const FreeScene scene(BODIES, mesh);
    const float *const *rest = frames.vertices();
    const bool can_refit = run.motion != SCENE_SOUP_ANEW; // else any two boxes would overlap
    const auto add = [&](FreeRole role, std::unique_ptr<FreePeer> peer) {
        add_entrant(&entrants, role, std::move(peer));
    };
    soup_enter(&entrants, scene);
#ifdef HAS_BULLET
    if (can_refit && !run.is_long)
        add(FreeRole::Refit, make_bullet(scene, rest));
#endif
#ifdef HAS_EMBREE
    if (can_refit)
        add(FreeRole::Refit, make_embree(scene, rest));
    for (FreeBuild build : {FreeBuild::Good, FreeBuild::Fast})
        add(FreeRole::Library, make_embree_anew(build, scene, rest));
#endif
    add(FreeRole::Library, make_cgal(scene, rest));
    return entrants;
}

// ---- Rounds -----------------------------------------------------------------------------------

// What everyone found in the frames of a round, if they were asked.
struct Answers {
    size_t entrant;
    FreeAnswers found;
};

using Sheet = std::vector<std::vector<Answers>>; // of each frame

void run_frames(const Run &run, SoupFrames *frames, Entrants *entrants, size_t number, Sheet *sheet)
{
    Entrant &entrant = (*entrants)[number];
    const bool is_oracle = number + 1 == entrants->size();
    const int first = run.is_long && is_oracle ? run.frame_count - 1 : 0;
    for (int frame = first; frame < run.frame_count; frame++) {
        frames->go_to(frame);
        const FreeTimes times = soup_time(entrant.peer.get(), frames->vertices());
        if (frame > 0)
            entrant.times.push_back(times);
        (*sheet)[static_cast<size_t>(frame)].push_back(
            {number, free_answers(entrant.peer->pairs())});
    }
}

// The last who was asked is right.
void oracle(const Sheet &sheet, Entrants *entrants)
{
    for (const std::vector<Answers> &frame : sheet)
        for (const Answers &answers : frame)
            (*entrants)[answers.entrant].different_frames +=
                !free_agree(answers.found, frame.back().found);
}

// Returns the number of pairs, on average.
double run_rounds(const Run &run, SoupFrames *frames, Entrants *entrants)
{
    double pair_count = 0;
    for (int round = 0; round < run.rounds; round++) {
        Sheet sheet(static_cast<size_t>(run.frame_count));
        frames->next_round();
        for (size_t i = 0; i < entrants->size(); i++)
            run_frames(run, frames, entrants, i, &sheet);
        oracle(sheet, entrants);
        for (const std::vector<Answers> &frame : sheet)
            pair_count += static_cast<double>(frame.back().found.pairs.size());
    }
    return pair_count / run.rounds / run.frame_count;
}

// ---- Figures ----------------------------------------------------------------------------------

int run_scene(const Run &run)
{
    SoupFrames frames(run);
    Entrants entrants = enter(run, frames);
    const double pair_count = run_rounds(run, &frames, &entrants);
    std::printf("%s: %d bodies of %" PRId32 " triangles, %d frames; %.0f pairs of triangles; "
                "update + all pairs\n",
                run.key.c_str(), BODIES, run.triangle_count, run.rounds * run.frame_count,
                pair_count);
    soup_print("soup." + run.key + ".", entrants);
    std::fflush(stdout);
    return agree(entrants) ? 0 : 1;
}
} // namespace

int peers_soup(const BenchOptions *options)
{
    constexpr int32_t COUNT = 40000, MILLION = 1000000;
    static const Run quick[] = {
        {"coherent", SCENE_SOUP_EVEN, SCENE_SOUP_COHERENT, COUNT, 6, 4, false},
        {"incoherent", SCENE_SOUP_EVEN, SCENE_SOUP_ANEW, COUNT, 6, 4, false},
        {"clustered", SCENE_SOUP_CLUSTERED, SCENE_SOUP_COHERENT, COUNT, 4, 4, false},
        {"200k", SCENE_SOUP_EVEN, SCENE_SOUP_COHERENT, MILLION / 5, 2, 4, true},
    };
    static const Run whole[] = {
        {"coherent", SCENE_SOUP_EVEN, SCENE_SOUP_COHERENT, COUNT, 12, 6, false},
        {"incoherent", SCENE_SOUP_EVEN, SCENE_SOUP_ANEW, COUNT, 12, 6, false},
        {"scattered", SCENE_SOUP_EVEN, SCENE_SOUP_SCATTERED, COUNT, 12, 6, false},
        {"clustered", SCENE_SOUP_CLUSTERED, SCENE_SOUP_COHERENT, COUNT, 12, 6, false},
        {"clustered_incoherent", SCENE_SOUP_CLUSTERED, SCENE_SOUP_ANEW, COUNT, 4, 6, false},
        {"big", SCENE_SOUP_EVEN, SCENE_SOUP_COHERENT, MILLION, 6, 4, true},
        {"big_incoherent", SCENE_SOUP_EVEN, SCENE_SOUP_ANEW, MILLION, 3, 4, true},
    };
    int failed = 0;
    if (options->is_quick)
        for (const Run &run : quick)
            failed |= run_scene(run);
    else
        for (const Run &run : whole)
            failed |= run_scene(run);
    return failed | soup_cut(options);
}
