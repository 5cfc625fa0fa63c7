// pliant-bench-peers morph: twelve dolphins that morph, roll and swim together, in six sizes.
//
// Ours get weights and transforms. The peers get the vertices, blended beforehand, which is not
// counted; they are the same as ours to the bit, and that is checked. "pliant-blended" is our own
// free bodies, with the blending counted. Timed as in free.cpp: each frame goes through everyone,
// the same time for all, and medians over the frames are divided.
//
// CGAL is the oracle of everyone's pairs, but for bodies of 589,824 triangles: there it is our own
// free bodies, and FCL and CGAL stay away.
#include "entrants.h"
#include "morph_runs.h"
#include "peers.h"

#include <cinttypes>
#include <cstdio>

namespace
{
// One size, as it is run.
struct Run {
    const char *key;
    int size;
    int stride;      // of the steps that are measured
    bool has_oracle; // and with it all peers
};

// Ours first, the oracle last.
struct Field {
    MorphPose pose;
    FreeFrame frame;
    MorphPeer *ours; // the first of the entrants
    Entrants entrants;
    std::vector<double> evaluated; // per cent of all vertices, in each frame
    size_t max_pairs = 0, pair_count = 0;
    int touching = 0;
    bool has_same_vertices = true;

    explicit Field(const MorphMotion &motion) : pose(motion), frame(motion), ours(nullptr)
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
    return run.has_oracle || (name != "FCL" && name != "CGAL");
}

void enter(const Run &run, Field *field)
{
    auto ours = make_morph("pliant-morph", PLIANT_CPU_ALL, field->pose);
    field->ours = ours.get();
    add_entrant(&field->entrants, FreeRole::Ours, std::move(ours));
    const float *const *rest = field->frame.vertices();
    add_entrant(&field->entrants, FreeRole::Ours,
                make_blended("pliant-blended", field->pose, rest));
    const FreeScene scene = free_scene(field->pose.motion());
    for (const FreeMaker &maker : free_makers()) {
        auto peer = maker.make(scene, rest);
        if (takes_part(run, *peer))
            add_entrant(&field->entrants, maker.role, std::move(peer));
    }
    if (!run.has_oracle) // ours, once more, but by another way
        add_entrant(&field->entrants, FreeRole::Ours,
                    make_pliant({"pliant-oracle", PLIANT_CPU_ALL, PLIANT_UPDATE_BOTTOM_UP, false},
                                scene, rest));
}

// ---- Frames -----------------------------------------------------------------------------------

void oracle_frame(Field *field)
{
    const FreeAnswers &checked = field->entrants.back().answers;
    for (Entrant &entrant : field->entrants)
        entrant.different_frames += !free_agree(entrant.answers, checked);
    field->max_pairs = std::max(field->max_pairs, checked.pairs.size());
    field->pair_count += checked.pairs.size();
    field->touching += checked.touching;
}

// The share of vertices that all pairs of a new frame took.
void inspect_ours(Field *field)
{
    field->ours->update(field->frame.vertices());
    field->ours->all_pairs(field->frame.close());
    field->evaluated.push_back(field->ours->evaluated());
    field->has_same_vertices &= field->ours->has_vertices(field->frame.vertices());
}

void time_frame(Field *field, int step)
{
    field->go_to(step);
    for (Entrant &entrant : field->entrants)
        entrant.fresh_first.push_back(time_fresh_first(entrant.peer.get(), field->frame));
    for (Entrant &entrant : field->entrants)
        entrant.peer->rewind();
    field->go_to(step); // and out of the caches with what was there
    for (Entrant &entrant : field->entrants)
        entrant.times.push_back(free_time(entrant.peer.get(), field->frame, &entrant.answers));
    oracle_frame(field);
    inspect_ours(field);
}

void time_frames(const Run &run, Field *field)
{
    for (int step = run.stride / 2; step < SCENE_DOLPHIN_STEPS; step += run.stride) {
        field->go_to(step); // untimed first, so that what is timed touches no new memory
        for (Entrant &entrant : field->entrants) {
            entrant.peer->update(field->frame.vertices());
            entrant.peer->all_pairs(field->frame.close());
        }
    }
    for (int step = run.stride / 2; step < SCENE_DOLPHIN_STEPS; step += run.stride)
        time_frame(field, step);
}

// ---- Figures ----------------------------------------------------------------------------------

void print_against_own(const Field &field)
{
    const Entrant &ours = field.entrants[0],
                  &blended = find_entrant(field.entrants, "pliant-blended");
    bench_figure("morph.vs_own_free.all",
                 blended.median(&FreeTimes::total) / ours.median(&FreeTimes::total), "x");
    bench_figure("morph.vs_own_free.first",
                 blended.median(&FreeTimes::first) / ours.median(&FreeTimes::first), "x");
    bench_figure("morph.vs_own_free.fresh_all",
                 blended.median(&FreeTimes::fresh) / ours.median(&FreeTimes::fresh), "x");
    bench_figure("morph.vs_own_free.fresh_first", fresh_first_of(blended) / fresh_first_of(ours),
                 "x");
    bench_figure("morph.evaluated", free_median(field.evaluated), "%");
}

void print_field(const Run &run, const Field &field)
{
    const auto frames = static_cast<double>(field.evaluated.size());
    std::printf("dolphins: 12 of %" PRId32 " triangles, %.0f frames; %.1f pairs of bodies touch, "
                "%.0f pairs of triangles (at most %zu); %.3f %% of the vertices evaluated%s%s\n",
                scene_dolphin_triangles(run.size), frames, field.touching / frames,
                static_cast<double>(field.pair_count) / frames, field.max_pairs,
                free_median(field.evaluated),
                run.has_oracle ? "" : "; compared with our free bodies",
                field.has_same_vertices ? "" : "; OTHER VERTICES");
    const std::string scene = std::string("morph.dolphins") + run.key + ".";
    for (const Entrant &entrant : field.entrants)
        print_entrant(scene, entrant);
    print_against_best(scene, field.entrants);
    bench_figure((scene + "evaluated").c_str(), free_median(field.evaluated), "%");
}

// Returns our time for the first pairs.
double run_size(const Run &run, int *failed)
{
    const auto motion = morph_dolphins(run.size);
    Field field(*motion);
    enter(run, &field);
    time_frames(run, &field);
    print_field(run, field);
    if (run.size == 4)
        print_against_own(field);
    std::fflush(stdout);
    *failed |= !(field.has_same_vertices && agree(field.entrants));
    return field.entrants[0].median(&FreeTimes::first);
}
} // namespace

int peers_morph(const BenchOptions *options)
{
    const Run quick[] = {{"9k", 2, 80, true}, {"36k", 3, 80, true}};
    const Run all[] = {{"564", 0, 10, true}, {"2k", 1, 10, true},   {"9k", 2, 10, true},
                       {"36k", 3, 10, true}, {"147k", 4, 40, true}, {"590k", 5, 80, false}};
    int failed = 0;
    double first[SCENE_DOLPHIN_SIZES] = {0};
    if (options->is_quick)
        for (const Run &run : quick)
            first[run.size] = run_size(run, &failed);
    else
        for (const Run &run : all)
            first[run.size] = run_size(run, &failed);
    if (first[5] > 0)
        bench_figure("morph.growth.first", first[5] / first[2], "x");
    return failed | morph_face(options);
}
