// Scenes in motion, and one frame through one peer: see free_runs.h.
#include "free_runs.h"

#include <cstring>
#include <tuple>

// ---- Who takes part ---------------------------------------------------------------------------

namespace
{
constexpr uint32_t AVX2 = PLIANT_CPU_VECTOR128 | PLIANT_CPU_AVX2;

const FreePliantWay ways[] = {
    {"pliant", PLIANT_CPU_ALL, PLIANT_UPDATE_HYBRID, false},
    {"pliant-avx2", AVX2, PLIANT_UPDATE_HYBRID, false},
    {"pliant-adopted", PLIANT_CPU_ALL, PLIANT_UPDATE_HYBRID, true},
    {"pliant-bottom-up", PLIANT_CPU_ALL, PLIANT_UPDATE_BOTTOM_UP, false},
    {"pliant-top-down", PLIANT_CPU_ALL, PLIANT_UPDATE_TOP_DOWN, false},
};
} // namespace

std::vector<FreeMaker> free_makers()
{
    std::vector<FreeMaker> makers;
    for (const FreePliantWay &way : ways)
        makers.push_back({FreeRole::Ours, [&way](const FreeScene &scene, const float *const *rest) {
                              return make_pliant(way, scene, rest);
                          }});
    makers.push_back({FreeRole::Method, make_bergen});
#ifdef HAS_EMBREE
    makers.push_back({FreeRole::Library, make_embree});
#endif
#ifdef HAS_FCL
    makers.push_back({FreeRole::Library, make_fcl});
#endif
#ifdef HAS_BULLET
    makers.push_back({FreeRole::Library, make_bullet});
#endif
    makers.push_back({FreeRole::Library, make_cgal});
    return makers;
}

// ---- Scenes in motion -------------------------------------------------------------------------

namespace
{
class BumpyMotion : public FreeMotion
{
  public:
    explicit BumpyMotion(SceneMesh sphere) : scene(scene_bumpy_of(sphere))
    {
    }

    BumpyMotion(const BumpyMotion &) = delete;
    BumpyMotion &operator=(const BumpyMotion &) = delete;

    ~BumpyMotion() override
    {
        scene_bumpy_free(&scene);
    }

    const SceneMesh &mesh() const override
    {
        return scene.sphere;
    }

    int body_count() const override
    {
        return 2;
    }

    int step_count() const override
    {
        return SCENE_BUMPY_STEPS;
    }

    void index(int body, int step, float *vertices) const override
    {
        scene_bumpy_vertices(&scene, body, step, vertices);
    }

  private:
    SceneBumpy scene;
};

class CrowdMotion : public FreeMotion
{
  public:
    explicit CrowdMotion(int subdivisions) : scene(scene_crowd(subdivisions))
    {
    }

    CrowdMotion(const CrowdMotion &) = delete;
    CrowdMotion &operator=(const CrowdMotion &) = delete;

    ~CrowdMotion() override
    {
        scene_crowd_free(&scene);
    }

    const SceneMesh &mesh() const override
    {
        return scene.sphere;
    }

    int body_count() const override
    {
        return SCENE_CROWD_BODIES;
    }

    int step_count() const override
    {
        return SCENE_CROWD_STEPS;
    }

    void index(int body, int step, float *vertices) const override
    {
        scene_crowd_vertices(&scene, body, step, vertices);
    }

  private:
    SceneCrowd scene;
};

bool boxes_overlap(const float p[6], const float q[6])
{
    for (int k = 0; k < 3; k++)
        if (p[k] > q[k + 3] || q[k] > p[k + 3])
            return false;
    return true;
}
} // namespace

std::unique_ptr<FreeMotion> free_bumpy(SceneMesh sphere)
{
    return std::make_unique<BumpyMotion>(sphere);
}

std::unique_ptr<FreeMotion> free_crowd(int subdivisions)
{
    return std::make_unique<CrowdMotion>(subdivisions);
}

FreeScene free_scene(const FreeMotion &motion)
{
    FreeScene scene;
    for (int body = 0; body < motion.body_count(); body++) {
        const SceneMesh &mesh = motion.mesh_of(body);
        scene.push_back(
            {mesh.vertex_count, mesh.triangle_count, mesh.triangles, motion.is_unchanged(body)});
    }
    return scene;
}

FreeFrame::FreeFrame(const FreeMotion &in)
    : motion(&in), storage(static_cast<size_t>(in.body_count()))
{
    for (size_t b = 0; b < storage.size(); b++) {
        const int body = static_cast<int>(b);
        storage[b].resize(3 * static_cast<size_t>(in.mesh_of(body).vertex_count));
        pointers.push_back(storage[b].data());
        if (in.is_unchanged(body))
            in.index(body, 0, storage[b].data());
    }
    go_to(0);
}

void FreeFrame::go_to(int step)
{
    std::vector<float> boxes(6 * storage.size());
    close_bodies.clear();
    for (size_t b = 0; b < storage.size(); b++) {
        const int body = static_cast<int>(b);
        if (!motion->is_unchanged(body))
            motion->index(body, step, storage[b].data());
        free_floor(storage[b].data(), motion->mesh_of(body).vertex_count, &boxes[6 * b]);
    }
    for (size_t a = 0; a < storage.size(); a++)
        for (size_t b = a + 1; b < storage.size(); b++)
            if (boxes_overlap(&boxes[6 * a], &boxes[6 * b]))
                close_bodies.emplace_back(static_cast<int>(a), static_cast<int>(b));
}

// ---- Timing -----------------------------------------------------------------------------------

namespace
{
// Everyone gets the same time for a frame, and seven runs at least, so that more than half of them
// find in the caches what was there the last time; but for those that take very long.
constexpr size_t LEAST_RUNS = 7;
constexpr double ENOUGH_SECONDS = 0.01, VERY_LONG_SECONDS = 0.3;

void sort_pairs(std::vector<FreePair> *pairs)
{
    std::sort(pairs->begin(), pairs->end(), [](const FreePair &x, const FreePair &y) {
        return std::tie(x.body_a, x.body_b, x.triangle_a, x.triangle_b) <
               std::tie(y.body_a, y.body_b, y.triangle_a, y.triangle_b);
    });
}

// The pairs of bodies in sorted pairs of triangles.
int count_touching(const std::vector<FreePair> &pairs)
{
    int count = 0;
    for (size_t i = 0; i < pairs.size(); i++)
        count += i == 0 || pairs[i].body_a != pairs[i - 1].body_a ||
                 pairs[i].body_b != pairs[i - 1].body_b;
    return count;
}

// Runs something as often as there is time for.
template <class Run> void repeat(const Run &run)
{
    const double start = bench_seconds();
    double spent = 0;
    for (size_t i = 0; i < LEAST_RUNS || spent < ENOUGH_SECONDS; i++) {
        run();
        spent = bench_seconds() - start;
        if (spent > VERY_LONG_SECONDS)
            return;
    }
}

// Update and all pairs, as one frame follows another.
void time_all(FreePeer *peer, const FreeFrame &frame, std::vector<FreeTimes> *runs)
{
    repeat([&] {
        FreeTimes times{};
        if (!runs->empty())
            peer->rewind();
        const double start = bench_seconds();
        peer->update(frame.vertices());
        const double updated = bench_seconds();
        peer->all_pairs(frame.close());
        times.total = bench_seconds() - start;
        times.update = updated - start;
        runs->push_back(times);
    });
}

void time_first(FreePeer *peer, const FreeFrame &frame, FreeTimes *times, int *touching)
{
    std::vector<double> runs;
    repeat([&] {
        peer->rewind();
        const double start = bench_seconds();
        peer->update(frame.vertices());
        *touching = peer->touching(frame.close());
        runs.push_back(bench_seconds() - start);
    });
    times->first = free_median(runs);
}

// The update of those who have none of their own.
void time_update(FreePeer *peer, FreeTimes *times)
{
    std::vector<double> runs;
    repeat([&] {
        const double start = bench_seconds();
        if (peer->update_alone())
            runs.push_back(bench_seconds() - start);
    });
    times->update += free_median(runs);
}
} // namespace

double free_median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double free_median(const std::vector<FreeTimes> &times, double FreeTimes::*part)
{
    std::vector<double> values;
    for (const FreeTimes &t : times)
        values.push_back(t.*part);
    return free_median(values);
}

FreeTimes free_time(FreePeer *peer, const FreeFrame &frame, FreeAnswers *answers)
{
    peer->prepare(frame.vertices());
    std::vector<FreeTimes> runs;
    time_all(peer, frame, &runs);
    answers->pairs = peer->pairs(); // which may be borrowed until the next query
    sort_pairs(&answers->pairs);
    FreeTimes times{};
    times.total = free_median(runs, &FreeTimes::total);
    times.fresh = runs.front().total;
    times.update = free_median(runs, &FreeTimes::update);
    time_first(peer, frame, &times, &answers->touching);
    time_update(peer, &times);
    times.all = times.total - times.update;
    return times;
}

FreeAnswers free_answers(FreePeer *peer, const FreeFrame &frame)
{
    peer->prepare(frame.vertices());
    peer->update(frame.vertices());
    peer->all_pairs(frame.close());
    return free_answers(peer->pairs());
}

FreeAnswers free_answers(std::vector<FreePair> pairs)
{
    sort_pairs(&pairs);
    const int touching = count_touching(pairs);
    return {std::move(pairs), touching};
}

double free_time_floor(const FreeMotion &motion, const FreeFrame &frame)
{
    std::vector<double> runs;
    repeat([&] {
        const double start = bench_seconds();
        float box[6];
        for (int body = 0; body < motion.body_count(); body++)
            free_floor(frame.vertices()[body], motion.mesh_of(body).vertex_count, box);
        runs.push_back(bench_seconds() - start);
    });
    return free_median(runs);
}

bool free_agree(const FreeAnswers &answers, const FreeAnswers &checked)
{
    const auto &x = answers.pairs, &y = checked.pairs;
    const bool are_equal =
        x.size() == y.size() &&
        (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(FreePair)) == 0);
    return are_equal && answers.touching == count_touching(y);
}
