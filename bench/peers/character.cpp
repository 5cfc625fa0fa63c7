// pliant-bench-peers character: somebody of 44,345 vertices and 53 joints in a museum and in a
// living room, and a hundred of them in the museum.
//
// Ours get the matrices of the joints and transforms. The peers get the vertices, skinned
// beforehand, which is not counted; they are the same as ours to the bit, and that is checked.
// "pliant-skinned" is our own free bodies, with the skinning counted. Rooms stay as they are:
// nobody updates them. Timed as in morph.cpp: each frame goes through everyone, the same time for
// all, and medians over the frames are divided.
//
// Walls of triangles that hold the avatar are as dear to the peers as they are to us undivided. In
// "museum_cut" everyone gets a mesh in which no edge is longer than a quarter of a meter instead,
// as their users could have cut it.
//
// CGAL is the oracle of everyone's pairs. In the crowd, where it takes minutes, it does nothing
// else.
#include "character_runs.h"
#include "entrants.h"
#include "peers.h"

#include <cinttypes>
#include <cstdio>

namespace
{
// One scene, as it is run.
struct Run {
    std::string key;
    std::unique_ptr<CharacterMotion> motion;
    std::vector<int> steps;
    bool times_oracle; // and with it the slower peers
};

struct Field {
    CharacterPose pose;
    FreeFrame frame;
    CharacterPeer *ours;            // the first of the entrants
    Entrants entrants;              // the oracle last
    std::vector<double> evaluated;  // per cent of all vertices, in each frame
    std::vector<double> skin_times; // of one avatar
    size_t max_pairs = 0, pair_count = 0;
    bool has_same_vertices = true;

    explicit Field(const CharacterMotion &motion) : pose(motion), frame(motion), ours(nullptr)
    {
    }

    void go_to(int step)
    {
        pose.go_to(step);
        frame.go_to(step);
    }
};

bool takes_part(const Run &run, const FreePeer &peer)
{
    const std::string name = peer.name();
    if (name == "pliant")
        return true;
    if (name.rfind("pliant", 0) == 0)
        return false;
    return run.times_oracle || name != "Bergen";
}

void enter(const Run &run, Field *field)
{
    auto ours = make_character("pliant-joints", field->pose);
    field->ours = ours.get();
    add_entrant(&field->entrants, FreeRole::Ours, std::move(ours));
    const float *const *rest = field->frame.vertices();
    add_entrant(&field->entrants, FreeRole::Ours,
                make_skinned("pliant-skinned", field->pose, rest));
    const FreeScene scene = free_scene(*run.motion);
    for (const FreeMaker &maker : free_makers()) {
        auto peer = maker.make(scene, rest);
        if (takes_part(run, *peer))
            add_entrant(&field->entrants, maker.role, std::move(peer));
    }
}

bool is_timed(const Run &run, const Field &field, const Entrant &entrant)
{
    return run.times_oracle || &entrant != &field.entrants.back();
}

// ---- Frames -----------------------------------------------------------------------------------

void oracle_frame(Field *field)
{
    const FreeAnswers &checked = field->entrants.back().answers;
    for (Entrant &entrant : field->entrants)
        entrant.different_frames += !free_agree(entrant.answers, checked);
    field->max_pairs = std::max(field->max_pairs, checked.pairs.size());
    field->pair_count += checked.pairs.size();
}

// The share of vertices that all pairs of a new frame took.
void inspect_ours(Field *field)
{
    field->ours->update(field->frame.vertices());
    field->ours->all_pairs(field->frame.close());
    field->evaluated.push_back(field->ours->evaluated());
    field->has_same_vertices &= field->ours->has_vertices(field->frame.vertices());
}

void time_skinning(Field *field)
{
    std::vector<float> vertices(3 * static_cast<size_t>(field->pose.motion().mesh().vertex_count));
    for (int i = 0; i < 5; i++) {
        const double start = bench_seconds();
        field->pose.skin(0, vertices.data());
        field->skin_times.push_back(bench_seconds() - start);
    }
}

void time_frame(const Run &run, Field *field, int step)
{
    field->go_to(step);
    for (Entrant &entrant : field->entrants)
        if (is_timed(run, *field, entrant))
            entrant.fresh_first.push_back(time_fresh_first(entrant.peer.get(), field->frame));
    for (Entrant &entrant : field->entrants)
        entrant.peer->rewind();
    field->go_to(step); // and out of the caches with what was there
    for (Entrant &entrant : field->entrants) {
        if (is_timed(run, *field, entrant))
            entrant.times.push_back(free_time(entrant.peer.get(), field->frame, &entrant.answers));
        else
            entrant.answers = free_answers(entrant.peer.get(), field->frame);
    }
    oracle_frame(field);
    inspect_ours(field);
    time_skinning(field);
}

void time_frames(const Run &run, Field *field)
{
    for (int step : run.steps) {
        field->go_to(step); // untimed first, so that what is timed touches no new memory
        for (Entrant &entrant : field->entrants) {
            if (!is_timed(run, *field, entrant))
                continue;
            entrant.peer->update(field->frame.vertices());
            entrant.peer->all_pairs(field->frame.close());
        }
    }
    for (int step : run.steps)
        time_frame(run, field, step);
}

// ---- Figures ----------------------------------------------------------------------------------

void print_field(const Run &run, const Field &field)
{
    const auto frames = static_cast<double>(run.steps.size());
    const double evaluated = free_median(field.evaluated);
    std::printf("%s: %d of %" PRId32 " triangles among %" PRId32
                ", %.0f frames; %.0f pairs of triangles (at most %zu); %.3f %% of the vertices "
                "evaluated; skinning one takes %.4f ms%s\n",
                run.key.c_str(), run.motion->avatar_count(), run.motion->mesh().triangle_count,
                run.motion->mesh_of(run.motion->avatar_count()).triangle_count, frames,
                static_cast<double>(field.pair_count) / frames, field.max_pairs, evaluated,
                1e3 * free_median(field.skin_times),
                field.has_same_vertices ? "" : "; OTHER VERTICES");
    const std::string scene = "character." + run.key + ".";
    for (const Entrant &entrant : field.entrants)
        if (is_timed(run, field, entrant))
            print_entrant(scene, entrant);
    const auto total = [](const Entrant &e) { return e.median(&FreeTimes::total); };
    bench_figure((scene + "vs_best_peer").c_str(),
                 best_library(field.entrants, total) / total(field.entrants[0]), "x");
    print_against_best(scene, field.entrants);
    bench_figure((scene + "vs_own_free").c_str(),
                 total(find_entrant(field.entrants, "pliant-skinned")) / total(field.entrants[0]),
                 "x");
    bench_figure((scene + "evaluated").c_str(), evaluated, "%");
    bench_figure((scene + "skinning").c_str(), 1e3 * free_median(field.skin_times), "ms");
    if (run.key == "museum")
        bench_figure("character.evaluated", evaluated, "%");
}

int run_scene(const Run &run)
{
    Field field(*run.motion);
    enter(run, &field);
    time_frames(run, &field);
    print_field(run, field);
    std::fflush(stdout);
    return field.has_same_vertices && agree(field.entrants) ? 0 : 1;
}

// Steps in the middle of so many equal parts.
std::vector<int> steps_of(const CharacterMotion &motion, int count)
{
    std::vector<int> steps;
    for (int i = 0; i < count; i++)
        steps.push_back((2 * i + 1) * motion.step_count() / (2 * count));
    return steps;
}

int run_walk(const char *key, SceneRoom room, double longest, int frame_count)
{
    Run run{key, character_walk(room, longest), {}, true};
    run.steps = steps_of(*run.motion, frame_count);
    return run_scene(run);
}

int run_crowd(int avatar_count, int frame_count)
{
    Run run{"crowd" + std::to_string(avatar_count), character_crowd(avatar_count), {}, false};
    run.steps = steps_of(*run.motion, frame_count);
    return run_scene(run);
}
} // namespace

int peers_character(const BenchOptions *options)
{
    const bool is_quick = options->is_quick;
    int failed = run_walk("museum", SCENE_MUSEUM, 0, is_quick ? 3 : 12);
    failed |= run_walk("living_room", SCENE_LIVING_ROOM, 0, is_quick ? 1 : 12);
    if (!is_quick)
        failed |= run_walk("museum_cut", SCENE_MUSEUM, 0.25, 12);
    return failed | (is_quick ? run_crowd(3, 1) : run_crowd(SCENE_VISITORS, 3));
}
