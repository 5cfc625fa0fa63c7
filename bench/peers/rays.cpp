// pliant-bench-peers rays: the first triangle along each ray, by us and by Embree, on one thread.
//
// crowd: a hundred people of 44,345 vertices and 53 joints in a museum, and a hundred rays at them
// in each frame. Ours get the matrices of the joints, all of them, and cast the rays. Embree's
// geometry gets vertices: all are skinned, the trees are refit or built anew, and the rays are
// intersected; the best of the ways counts. The first run of each frame counts: a user plays a
// frame once. It is then repeated by everyone, and left for the one before in between, which is
// printed as "repeated". "culled" is Embree by a caller who knows beforehand, at no cost, through
// which people's boxes the rays go, and updates only those.
//
// static: rays at one person at rest, in no order. Nothing is updated.
//
// Embree rounds, in its robust mode too: it may see past an edge, or take one of two neighbors for
// the other. So a ray counts as different if the bodies differ, or if parameters differ by more
// than a thousandth. Up to one ray in a hundred may.
#include "character_runs.h"
#include "embree_trees.h"
#include "peers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace
{
struct Answer {
    int body = -1; // -1: nothing
    float t = 0;
};
using Answers = std::vector<Answer>;

constexpr int CROWD_RAYS = 100;

// ---- Embree -----------------------------------------------------------------------------------

class EmbreeScene
{
  public:
    EmbreeScene(RTCBuildQuality moving, bool is_dynamic) : quality(moving)
    {
        device = embree_device();
        scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, is_dynamic ? RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC
                                           : RTC_SCENE_FLAG_ROBUST);
        // Without it every commit builds all trees anew: see embree_trees.h.
        rtcSetSceneBuildQuality(scene, is_dynamic ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_HIGH);
    }

    ~EmbreeScene()
    {
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }

    EmbreeScene(const EmbreeScene &) = delete;
    EmbreeScene &operator=(const EmbreeScene &) = delete;

    // Bodies are numbered as they are added.
    void add(const SceneMesh &mesh, const float *vertices, bool is_moving)
    {
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        rtcSetGeometryBuildQuality(geometry, is_moving ? quality : RTC_BUILD_QUALITY_HIGH);
        auto *own = static_cast<float *>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                    3 * sizeof(float), static_cast<size_t>(mesh.vertex_count)));
        auto *corners = static_cast<uint32_t *>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
            static_cast<size_t>(mesh.triangle_count)));
        std::copy_n(vertices, 3 * static_cast<size_t>(mesh.vertex_count), own);
        std::copy_n(mesh.triangles, 3 * static_cast<size_t>(mesh.triangle_count), corners);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene, geometry, static_cast<unsigned>(geometries.size()));
        geometries.push_back(geometry);
        buffers.push_back(own);
        rtcReleaseGeometry(geometry); // the scene holds it
    }

    // Vertices are skinned in place.
    float *vertices(size_t body)
    {
        return buffers[body];
    }

    void changed(size_t body)
    {
        rtcEnableGeometry(geometries[body]);
        rtcUpdateGeometryBuffer(geometries[body], RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(geometries[body]);
    }

    void leave_out(size_t body)
    {
        rtcDisableGeometry(geometries[body]);
    }

    void commit()
    {
        rtcCommitScene(scene);
    }

    void cast(const std::vector<PliantRay> &rays, Answers *answers) const
    {
        for (size_t i = 0; i < rays.size(); i++) {
            const PliantRay &from = rays[i];
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            RTCRayHit ray{};
            ray.ray.org_x = from.origin[0];
            ray.ray.org_y = from.origin[1];
            ray.ray.org_z = from.origin[2];
            ray.ray.dir_x = from.direction[0];
            ray.ray.dir_y = from.direction[1];
            ray.ray.dir_z = from.direction[2];
            ray.ray.tfar = from.max;
            ray.ray.mask = ~0u;
            ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene, &context, &ray);
            (*answers)[i] = {};
            if (ray.hit.geomID != RTC_INVALID_GEOMETRY_ID)
                (*answers)[i] = {static_cast<int>(ray.hit.geomID), ray.ray.tfar};
        }
    }

  private:
    RTCBuildQuality quality;
    RTCDevice device;
    RTCScene scene;
    std::vector<RTCGeometry> geometries;
    std::vector<float *> buffers;
};

// ---- Ours -------------------------------------------------------------------------------------

class OurWorld
{
  public:
    OurWorld()
    {
        bench_must(pliant_world_create(nullptr, &world));
    }

    ~OurWorld()
    {
        pliant_world_destroy(world);
    }

    OurWorld(const OurWorld &) = delete;
    OurWorld &operator=(const OurWorld &) = delete;

    void add(PliantShape *shape)
    {
        PliantBody body;
        bench_must(pliant_body_create(world, shape, &body));
        bodies.push_back(body);
    }

    void pose(const CharacterPose &posed)
    {
        for (size_t i = 0; i + 1 < bodies.size(); i++) {
            bench_must(
                pliant_body_set_joints(world, bodies[i], posed.joints(i), SCENE_AVATAR_JOINTS));
            bench_must(pliant_body_set_transform(world, bodies[i], &posed.transform(i)));
        }
    }

    PliantBox box(size_t body)
    {
        PliantBox found;
        bench_must(pliant_body_box(world, bodies[body], &found));
        return found;
    }

    // Bodies were created one after the other in a new world: their indices count from 1.
    void cast(const std::vector<PliantRay> &rays, Answers *answers)
    {
        PliantRayHits hits = pliant_ray_hits_default();
        bench_must(pliant_world_cast_rays(world, nullptr, rays.data(),
                                          static_cast<int64_t>(rays.size()), &hits));
        std::fill(answers->begin(), answers->end(), Answer{});
        for (int64_t i = 0; i < hits.count; i++) {
            const PliantRayHit &hit = hits.items[i];
            (*answers)[static_cast<size_t>(hit.ray)] = {static_cast<int>(hit.body.index) - 1,
                                                        hit.t};
        }
    }

    PliantStats stats() const
    {
        PliantStats found = pliant_stats_default();
        bench_must(pliant_world_stats(world, &found));
        return found;
    }

  private:
    PliantWorld *world = nullptr;
    std::vector<PliantBody> bodies;
};

PliantShape *make_shape(const SceneMesh &mesh, const SceneSkin *skin)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = {mesh.vertices, mesh.vertex_count, 0};
    def.triangles = {mesh.triangles, mesh.triangle_count};
    PliantSkin joints = pliant_skin_default();
    if (skin) {
        joints.joint_count = skin->joint_count;
        joints.influence_count = skin->influence_count;
        joints.joints = skin->joints;
        joints.weights = skin->weights;
        def.skin = &joints;
    }
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

// ---- Answers ----------------------------------------------------------------------------------

size_t count_different(const Answers &ours, const Answers &theirs)
{
    size_t count = 0;
    for (size_t i = 0; i < ours.size(); i++)
        count += ours[i].body != theirs[i].body ||
                 std::fabs(ours[i].t - theirs[i].t) > 1e-3f * std::fabs(ours[i].t);
    return count;
}

size_t count_hits(const Answers &answers)
{
    return static_cast<size_t>(
        std::count_if(answers.begin(), answers.end(), [](const Answer &a) { return a.body >= 0; }));
}

float random_between(SceneRandom *random, float low, float high)
{
    return low + static_cast<float>(scene_random(random)) * (high - low);
}

// ---- The crowd --------------------------------------------------------------------------------

// A ray from anywhere among the people to a point in the box of one of them.
std::vector<PliantRay> aim(const std::vector<PliantBox> &boxes, SceneRandom *random)
{
    std::vector<PliantRay> rays(CROWD_RAYS);
    for (PliantRay &ray : rays) {
        const PliantBox &from =
            boxes[scene_random_below(random, static_cast<uint32_t>(boxes.size()))];
        const PliantBox &to =
            boxes[scene_random_below(random, static_cast<uint32_t>(boxes.size()))];
        for (int k = 0; k < 3; k++) {
            // Beside the one, at eye level or so, and somewhere in the middle of the other.
            const float middle = (to.low[k] + to.high[k]) / 2, size = to.high[k] - to.low[k];
            ray.origin[k] =
                random_between(random, from.low[k], from.high[k]) + (k == 1 ? 0.0f : 0.7f);
            ray.direction[k] = middle + 0.3f * random_between(random, -size, size) - ray.origin[k];
        }
        ray.max = INFINITY;
    }
    return rays;
}

bool goes_through(const PliantRay &ray, const PliantBox &box)
{
    float near = 0, far = ray.max;
    for (int k = 0; k < 3; k++) {
        const float a = (box.low[k] - ray.origin[k]) / ray.direction[k];
        const float b = (box.high[k] - ray.origin[k]) / ray.direction[k];
        near = std::max(near, std::min(a, b));
        far = std::min(far, std::max(a, b));
    }
    return near <= far;
}

std::vector<bool> reached(const std::vector<PliantBox> &boxes, const std::vector<PliantRay> &rays)
{
    std::vector<bool> bodies(boxes.size());
    for (size_t i = 0; i < boxes.size(); i++)
        bodies[i] = std::any_of(rays.begin(), rays.end(),
                                [&](const PliantRay &ray) { return goes_through(ray, boxes[i]); });
    return bodies;
}

// One of Embree's ways.
struct Way {
    const char *name;
    RTCBuildQuality quality;
    bool is_culled;
    std::unique_ptr<EmbreeScene> scene;
    std::vector<double> fresh, times, skin_times, update_times;
    size_t different = 0;
};

// A frame by one entrant: once, and then again for a while, each time from the frame before.
template <typename Run, typename Rewind>
void time_frame(const Run &run, const Rewind &rewind, std::vector<double> *fresh,
                std::vector<double> *times)
{
    constexpr double LONG = 0.15;
    constexpr int MAX_RUNS = 9;
    const double start = bench_seconds();
    std::vector<double> runs{run()};
    fresh->push_back(runs[0]);
    for (int i = 1; i < MAX_RUNS && (i < 3 || bench_seconds() - start < LONG); i++) {
        rewind();
        runs.push_back(run());
    }
    times->push_back(free_median(runs));
}

double run_embree(Way *way, const CharacterPose &pose, const std::vector<bool> &bodies,
                  const std::vector<PliantRay> &rays, Answers *answers)
{
    const double start = bench_seconds();
    for (size_t i = 0; i < bodies.size(); i++)
        if (bodies[i] || !way->is_culled)
            pose.skin(i, way->scene->vertices(i));
    const double skinned = bench_seconds();
    for (size_t i = 0; i < bodies.size(); i++)
        if (bodies[i] || !way->is_culled)
            way->scene->changed(i);
        else
            way->scene->leave_out(i);
    way->scene->commit();
    const double updated = bench_seconds();
    way->scene->cast(rays, answers);
    const double end = bench_seconds();
    way->skin_times.push_back(skinned - start);
    way->update_times.push_back(updated - skinned);
    return end - start;
}

double run_ours(OurWorld *world, const CharacterPose &pose, const std::vector<PliantRay> &rays,
                Answers *answers, std::vector<double> *set_times)
{
    const double start = bench_seconds();
    world->pose(pose);
    set_times->push_back(bench_seconds() - start);
    world->cast(rays, answers);
    return bench_seconds() - start;
}

int run_crowd(int avatar_count, int frame_count)
{
    const auto motion = character_crowd(avatar_count);
    const auto count = static_cast<size_t>(avatar_count);
    CharacterPose pose(*motion), before(*motion);
    OurWorld world, guide; // the guide says where people are, and is not timed
    PliantShape *avatar = make_shape(motion->mesh(), &motion->skin());
    PliantShape *room = make_shape(motion->mesh_of(avatar_count), nullptr);
    for (size_t i = 0; i < count; i++) {
        world.add(avatar);
        guide.add(avatar);
    }
    world.add(room);
    guide.add(room);
    std::vector<Way> ways;
    ways.push_back({"embree-refit", RTC_BUILD_QUALITY_REFIT, false, nullptr, {}, {}, {}, {}, 0});
    ways.push_back({"embree-rebuild", RTC_BUILD_QUALITY_LOW, false, nullptr, {}, {}, {}, {}, 0});
    ways.push_back({"embree-culled", RTC_BUILD_QUALITY_REFIT, true, nullptr, {}, {}, {}, {}, 0});
    for (Way &way : ways) {
        const SceneMesh &hall = motion->mesh_of(avatar_count);
        way.scene = std::make_unique<EmbreeScene>(way.quality, true);
        for (size_t i = 0; i < count; i++)
            way.scene->add(motion->mesh(), motion->mesh().vertices, true);
        way.scene->add(hall, hall.vertices, false);
        way.scene->commit();
    }

    SceneRandom random = {1};
    std::vector<double> fresh, times, set_times, shares;
    size_t hit_count = 0, reached_count = 0;
    for (int frame = 0; frame < frame_count; frame++) {
        const int step = (2 * frame + 1) * motion->step_count() / (2 * frame_count);
        pose.go_to(step);
        before.go_to(step - 1);
        guide.pose(pose);
        std::vector<PliantBox> boxes;
        for (size_t i = 0; i < count; i++)
            boxes.push_back(guide.box(i));
        const std::vector<PliantRay> rays = aim(boxes, &random);
        const std::vector<bool> bodies = reached(boxes, rays);
        Answers ours(rays.size()), theirs(rays.size());
        std::vector<double> unused;
        time_frame([&] { return run_ours(&world, pose, rays, &ours, &set_times); },
                   [&] { run_ours(&world, before, rays, &ours, &unused); }, &fresh, &times);
        const auto evaluated = static_cast<double>(world.stats().vertices_evaluated);
        for (Way &way : ways) {
            time_frame([&] { return run_embree(&way, pose, bodies, rays, &theirs); },
                       [&] { run_embree(&way, before, bodies, rays, &theirs); }, &way.fresh,
                       &way.times);
            way.different += count_different(ours, theirs);
        }
        shares.push_back(100 * evaluated / motion->mesh().vertex_count / avatar_count);
        hit_count += count_hits(ours);
        reached_count += static_cast<size_t>(std::count(bodies.begin(), bodies.end(), true));
    }
    pliant_shape_release(avatar);
    pliant_shape_release(room);

    const double own = free_median(times), share = free_median(shares);
    std::printf(
        "crowd: %d people, %d frames of %d rays; %.1f people in boxes that rays go through, "
        "%.1f rays with a hit; %.3f %% of the vertices evaluated\n",
        avatar_count, frame_count, CROWD_RAYS, static_cast<double>(reached_count) / frame_count,
        static_cast<double>(hit_count) / frame_count, share);
    std::printf("  %-16s %9.3f ms, of which setting joints %.3f; fresh %.3f ms\n", "pliant",
                1e3 * own, 1e3 * free_median(set_times), 1e3 * free_median(fresh));
    double best = INFINITY, best_fresh = INFINITY, culled = INFINITY;
    bool are_same = true;
    for (const Way &way : ways) {
        const double median = free_median(way.times);
        (way.is_culled ? culled : best) = std::min(way.is_culled ? culled : best, median);
        if (!way.is_culled)
            best_fresh = std::min(best_fresh, free_median(way.fresh));
        std::printf("  %-16s %9.3f ms, of which skinning %.3f and trees %.3f; %zu of %d rays "
                    "different\n",
                    way.name, 1e3 * median, 1e3 * free_median(way.skin_times),
                    1e3 * free_median(way.update_times), way.different, frame_count * CROWD_RAYS);
        are_same &= way.different * 100 <= static_cast<size_t>(frame_count) * CROWD_RAYS;
    }
    bench_figure("rays.vs_best_peer", best_fresh / free_median(fresh), "x");
    bench_figure("rays.repeated_vs_best_peer", best / own, "x");
    bench_figure("rays.vs_culled_embree", culled / own, "x");
    bench_figure("rays.evaluated", share, "%");
    return are_same ? 0 : 1;
}

// ---- One at rest ------------------------------------------------------------------------------

// From a sphere around the body to points in its box.
std::vector<PliantRay> aim_at(const PliantBox &box, size_t count)
{
    SceneRandom random = {2};
    std::vector<PliantRay> rays(count);
    for (PliantRay &ray : rays)
        for (int k = 0; k < 3; k++) {
            const float size = box.high[k] - box.low[k];
            ray.origin[k] = random_between(&random, box.low[k] - 2 * size, box.high[k] + 2 * size);
            ray.direction[k] = random_between(&random, box.low[k], box.high[k]) - ray.origin[k];
            ray.max = INFINITY;
        }
    return rays;
}

int run_static(size_t ray_count)
{
    SceneSkin avatar = scene_avatar();
    OurWorld world;
    PliantShape *shape = make_shape(avatar.mesh, nullptr);
    world.add(shape);
    EmbreeScene embree(RTC_BUILD_QUALITY_HIGH, false);
    embree.add(avatar.mesh, avatar.mesh.vertices, false);
    embree.commit();
    const std::vector<PliantRay> rays = aim_at(world.box(0), ray_count);
    Answers ours(ray_count), theirs(ray_count);
    std::vector<double> times, other_times;
    for (int run = 0; run < 4; run++) {
        double start = bench_seconds();
        world.cast(rays, &ours);
        const double time = bench_seconds() - start;
        start = bench_seconds();
        embree.cast(rays, &theirs);
        const double other = bench_seconds() - start;
        if (run > 0) {
            times.push_back(time);
            other_times.push_back(other);
        }
    }
    pliant_shape_release(shape);
    const double own = free_median(times), other = free_median(other_times);
    const size_t different = count_different(ours, theirs);
    const PliantStats stats = world.stats();
    std::printf("static: %d triangles, %zu rays, %zu with a hit; %zu different\n",
                avatar.mesh.triangle_count, ray_count, count_hits(ours), different);
    std::printf(
        "  %-16s %9.3f ms, %.0f ns a ray; %.1f boxes, %.2f triangles, %.2f leaves fetched\n",
        "pliant", 1e3 * own, 1e9 * own / static_cast<double>(ray_count),
        static_cast<double>(stats.bound_tests) / static_cast<double>(ray_count),
        static_cast<double>(stats.triangle_tests) / static_cast<double>(ray_count),
        static_cast<double>(stats.leaves_evaluated) / static_cast<double>(ray_count));
    std::printf("  %-16s %9.3f ms, %.0f ns a ray\n", "embree", 1e3 * other,
                1e9 * other / static_cast<double>(ray_count));
    bench_figure("rays.static.vs_embree", other / own, "x");
    scene_skin_free(&avatar);
    return different * 100 <= ray_count ? 0 : 1;
}
} // namespace

int peers_rays(const BenchOptions *options)
{
    const int failed = options->is_quick ? run_crowd(20, 3) : run_crowd(SCENE_VISITORS, 9);
    std::fflush(stdout);
    return failed | run_static(options->is_quick ? 100000 : 1000000);
}
