// pliant-bench-peers free: deforming bodies whose every vertex moves in every frame.
//
// The same vertices for all, made beforehand. Timed are the update and the queries, in turns: each
// frame goes through every peer before the next. CGAL is the judge: everyone's pairs are compared
// with its. Medians over the frames in which boxes of bodies meet.
#include "free_peers.h"
#include "peers.h"

#include <cctype>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <tuple>

namespace
{
using Maker = std::unique_ptr<FreePeer> (*)(const FreeScene &, const float *const *);

// The peers that were found when this was built, the judge last.
const Maker makers[] = {
#ifdef HAS_EMBREE
    make_embree,
#endif
#ifdef HAS_FCL
    make_fcl,
#endif
#ifdef HAS_BULLET
    make_bullet,
#endif
    make_cgal,
};

// ---- Scenes -----------------------------------------------------------------------------------

// All frames of a scene: vertices of each body in each.
struct Frames {
    std::string key;
    SceneMesh mesh;
    int body_count;
    std::vector<std::vector<std::vector<float>>> vertices; // frame, body
};

Frames bumpy_frames(const char *key, int subdivisions, int step)
{
    SceneBumpy scene = scene_bumpy(subdivisions);
    Frames frames{key, scene.sphere, 2, {}};
    for (int s = SCENE_BUMPY_STEPS - 1; s >= 0; s -= step) {
        frames.vertices.insert(frames.vertices.begin(), std::vector<std::vector<float>>(2));
        for (int body = 0; body < 2; body++) {
            auto &vertices = frames.vertices.front()[static_cast<size_t>(body)];
            vertices.resize(3 * static_cast<size_t>(scene.sphere.vertex_count));
            scene_bumpy_vertices(&scene, body, s, vertices.data());
        }
    }
    return frames;
}

Frames crowd_frames(const char *key, int subdivisions, int step)
{
    SceneCrowd scene = scene_crowd(subdivisions);
    Frames frames{key, scene.sphere, SCENE_CROWD_BODIES, {}};
    for (int s = 0; s < SCENE_CROWD_STEPS; s += step) {
        frames.vertices.emplace_back(SCENE_CROWD_BODIES);
        for (int body = 0; body < SCENE_CROWD_BODIES; body++) {
            auto &vertices = frames.vertices.back()[static_cast<size_t>(body)];
            vertices.resize(3 * static_cast<size_t>(scene.sphere.vertex_count));
            scene_crowd_vertices(&scene, body, s, vertices.data());
        }
    }
    return frames;
}

// ---- Frames -----------------------------------------------------------------------------------

std::vector<const float *> pointers_of(const std::vector<std::vector<float>> &vertices)
{
    std::vector<const float *> pointers;
    for (const auto &body : vertices)
        pointers.push_back(body.data());
    return pointers;
}

bool boxes_meet(const float p[6], const float q[6])
{
    for (int k = 0; k < 3; k++)
        if (p[k] > q[k + 3] || q[k] > p[k + 3])
            return false;
    return true;
}

// The pairs of bodies whose boxes meet. Not timed: all peers get them.
std::vector<std::pair<int, int>> close_bodies(const Frames &frames,
                                              const std::vector<const float *> &vertices)
{
    std::vector<std::vector<float>> boxes;
    for (const float *body : vertices) {
        boxes.emplace_back(6);
        free_floor(body, frames.mesh.vertex_count, boxes.back().data());
    }
    std::vector<std::pair<int, int>> pairs;
    for (int a = 0; a < frames.body_count; a++)
        for (int b = a + 1; b < frames.body_count; b++)
            if (boxes_meet(boxes[static_cast<size_t>(a)].data(),
                           boxes[static_cast<size_t>(b)].data()))
                pairs.emplace_back(a, b);
    return pairs;
}

void sort_pairs(std::vector<FreePair> *pairs)
{
    std::sort(pairs->begin(), pairs->end(), [](const FreePair &x, const FreePair &y) {
        return std::tie(x.body_a, x.body_b, x.triangle_a, x.triangle_b) <
               std::tie(y.body_a, y.body_b, y.triangle_a, y.triangle_b);
    });
}

bool are_equal(const std::vector<FreePair> &x, const std::vector<FreePair> &y)
{
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(FreePair)) == 0);
}

// ---- Timing -----------------------------------------------------------------------------------

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// One peer over all frames, in seconds.
struct Times {
    std::vector<double> update, all, total, first;
    int64_t different_frames = 0;
    std::vector<FreePair> pairs;
};

// One frame through one peer.
void time_frame(FreePeer *peer, const std::vector<const float *> &vertices,
                const std::vector<std::pair<int, int>> &bodies, Times *times)
{
    std::vector<int> flat;
    for (const auto &pair : bodies)
        flat.insert(flat.end(), {pair.first, pair.second});
    const auto *body_pairs = reinterpret_cast<const int(*)[2]>(flat.data());

    double start = bench_seconds();
    peer->update(vertices.data());
    double updated = bench_seconds();
    peer->all_pairs(body_pairs, static_cast<int>(bodies.size()), &times->pairs);
    double done = bench_seconds();
    for (const auto &pair : bodies)
        peer->first_pair(pair.first, pair.second);
    double first_done = bench_seconds();
    times->update.push_back(updated - start);
    times->all.push_back(done - updated);
    times->total.push_back(done - start);
    times->first.push_back(first_done - done);
}

double time_floor(const Frames &frames, const std::vector<const float *> &vertices)
{
    double start = bench_seconds();
    float box[6];
    for (const float *body : vertices)
        free_floor(body, frames.mesh.vertex_count, box);
    return bench_seconds() - start;
}

void print_peer(const Frames &frames, const FreePeer &peer, const Times &times)
{
    std::printf("  %-8s update %9.4f  all pairs %9.4f  together %9.4f  first pair %9.4f ms%s\n",
                peer.name(), 1e3 * median(times.update), 1e3 * median(times.all),
                1e3 * median(times.total), 1e3 * median(times.first),
                times.different_frames ? "  DIFFERENT PAIRS" : "");
    std::string key = "free." + frames.key + ".";
    for (const char *c = peer.name(); *c; c++)
        key += static_cast<char>(std::tolower(*c));
    bench_figure((key + ".update").c_str(), 1e3 * median(times.update), "ms");
    bench_figure((key + ".all").c_str(), 1e3 * median(times.all), "ms");
    bench_figure((key + ".first").c_str(), 1e3 * median(times.first), "ms");
    bench_figure((key + ".different_frames").c_str(), static_cast<double>(times.different_frames),
                 "frames");
}

int run_scene(const Frames &frames, int repetitions)
{
    FreeScene scene{frames.body_count, frames.mesh.vertex_count, frames.mesh.triangle_count,
                    frames.mesh.triangles};
    std::vector<std::unique_ptr<FreePeer>> peers;
    auto rest = pointers_of(frames.vertices.front());
    for (Maker make : makers)
        peers.push_back(make(scene, rest.data()));
    std::vector<Times> times(peers.size());
    std::vector<double> floor_times;
    int64_t frame_count = 0, pair_count = 0;
    for (int repetition = 0; repetition < repetitions; repetition++) {
        for (const auto &frame : frames.vertices) {
            auto vertices = pointers_of(frame);
            auto bodies = close_bodies(frames, vertices);
            if (bodies.empty())
                continue;
            frame_count++;
            floor_times.push_back(time_floor(frames, vertices));
            for (size_t i = 0; i < peers.size(); i++) {
                time_frame(peers[i].get(), vertices, bodies, &times[i]);
                sort_pairs(&times[i].pairs);
            }
            const auto &judged = times.back().pairs;
            pair_count = std::max(pair_count, static_cast<int64_t>(judged.size()));
            for (size_t i = 0; i + 1 < peers.size(); i++)
                times[i].different_frames += !are_equal(times[i].pairs, judged);
        }
    }
    std::printf("%s: %d bodies of %" PRId32 " triangles, %" PRId64
                " frames with boxes that meet, at most %" PRId64 " pairs of triangles\n",
                frames.key.c_str(), frames.body_count, frames.mesh.triangle_count, frame_count,
                pair_count);
    std::printf("  %-8s update %9.4f ms\n", "floor", 1e3 * median(floor_times));
    bench_figure(("free." + frames.key + ".floor").c_str(), 1e3 * median(floor_times), "ms");
    for (size_t i = 0; i < peers.size(); i++)
        print_peer(frames, *peers[i], times[i]);
    return 0;
}
} // namespace

int peers_free(const BenchOptions *options)
{
    bool is_quick = options->is_quick;
    int failed = run_scene(bumpy_frames("s1", 5, is_quick ? 20 : 4), is_quick ? 1 : 3);
    failed |= run_scene(crowd_frames("crowd", 4, is_quick ? 100 : 20), is_quick ? 1 : 3);
    if (!is_quick) {
        failed |= run_scene(bumpy_frames("1k", 3, 10), 3);
        failed |= run_scene(bumpy_frames("5k", 4, 10), 3);
        failed |= run_scene(bumpy_frames("82k", 6, 20), 3);
        failed |= run_scene(bumpy_frames("328k", 7, 50), 3);
        failed |= run_scene(bumpy_frames("big", 8, 50), 3);
    }
    return failed;
}
