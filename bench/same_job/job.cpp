// A model as the command reads it, and its vertices by the library: see job.h.
#include "job.h"

extern "C" {
#include "check/bodies.h"
#include "check/repeats.h"
}

#include <cstdio>
#include <cstdlib>

namespace
{
[[noreturn]] void stop(const char *text)
{
    std::fprintf(stderr, "pliant-bench-command: %s\n", text);
    std::exit(1);
}

CheckOptions options_of_job()
{
    CheckOptions options = check_options_default();
    options.depth = CHECK_DEPTH_NONE;
    options.has_volume = false;
    options.jobs = 1;
    return options;
}
} // namespace

struct Job::Insides {
    std::string file;
    CheckOptions options = options_of_job();
    Scene *scene = nullptr;
    ScenePose *pose = nullptr;
    Plan plan{};
    Shapes shapes{};
    Bodies bodies{};
    bool has_bodies = false;
    char error[400] = "";

    void free_bodies()
    {
        if (!has_bodies)
            return;
        bodies_free(&bodies);
        shapes_free(&shapes);
        has_bodies = false;
    }
};

int64_t JobCounts::sum(bool of_self) const
{
    int64_t all = 0;
    for (size_t i = 0; i < counts.size(); i++) {
        const auto &[a, b] = pairs[i % pairs.size()];
        all += (a == b) == of_self ? counts[i] : 0;
    }
    return all;
}

Job::Job(const char *file) : in(std::make_unique<Insides>())
{
    const SceneOptions options = scene_options_default();
    SceneError error;
    in->file = file;
    in->scene = scene_read(file, &options, &error);
    if (!in->scene)
        stop(error.text);
    in->pose = scene_pose_create(in->scene);
    if (!in->pose || !plan_make(in->scene, &in->options, &in->plan, in->error))
        stop(in->error);
    for (int32_t i = 0; i < in->plan.part_count; i++) {
        const ScenePart &part = in->scene->parts[in->plan.parts[i]];
        scene_parts.push_back({part.vertex_count, part.triangle_count, part.triangles, false});
        arrays.emplace_back(3 * static_cast<size_t>(part.vertex_count));
    }
    for (const auto &array : arrays)
        pointers.push_back(array.data());
}

Job::~Job()
{
    in->free_bodies();
    plan_free(&in->plan);
    scene_pose_free(in->pose);
    scene_free(in->scene);
}

JobCounts Job::check(bool every_pose)
{
    Report report;
    JobCounts found;
    in->options.is_every_pose = every_pose;
    if (!check_run(in->scene, in->file.c_str(), &in->options, &report, nullptr, in->error))
        stop(in->error);
    for (int32_t i = 0; i < report.pair_count; i++) {
        if (report.pairs[i].kind == PAIR_RIGID)
            stop("a model with parts that do not move against each other is no fair job");
        if (report.pairs[i].kind == PAIR_CHECKED)
            found.pairs.emplace_back(report.pairs[i].a, report.pairs[i].b);
    }
    found.counts.assign(found.pairs.size() * static_cast<size_t>(report.sample_count), 0);
    size_t number = 0;
    for (int32_t i = 0; i < report.pair_count; i++) {
        const ReportPair &pair = report.pairs[i];
        if (pair.kind != PAIR_CHECKED)
            continue;
        for (int64_t k = 0; k < pair.row_count; k++)
            found.counts[static_cast<size_t>(pair.rows[k].sample) * found.pairs.size() + number] =
                pair.rows[k].pairs;
        number++;
    }
    report_free(&report);
    return found;
}

void Job::restart()
{
    in->free_bodies();
    if (!shapes_make(&in->shapes, in->scene, in->plan.parts, in->plan.part_count, false, nullptr,
                     in->error) ||
        !bodies_make(&in->bodies, &in->shapes, nullptr, in->error))
        stop(in->error);
    in->has_bodies = true;
}

int64_t Job::frame_count() const
{
    return in->plan.sample_count;
}

int64_t Job::pose_count() const
{
    Repeats repeats;
    CheckOptions options = in->options;
    options.is_every_pose = false;
    if (!repeats_find(&repeats, in->scene, &in->plan, &options, in->plan.sample_count))
        stop("there is no memory left");
    const int64_t count = repeats.unique_count;
    repeats_free(&repeats);
    return count;
}

const float *const *Job::vertices(int64_t frame)
{
    if (!plan_pose(&in->plan, &in->options, frame, in->pose, in->error) ||
        !bodies_pose(&in->bodies, in->pose, in->error))
        stop(in->error);
    for (size_t i = 0; i < arrays.size(); i++)
        if (pliant_body_vertices(in->bodies.world, in->bodies.items[i].body, arrays[i].data(),
                                 scene_parts[i].vertex_count) != PLIANT_OK)
            stop("vertices cannot be evaluated");
    return pointers.data();
}
