// pliant-bench-peers points: the closest point of a body to each of many points, on one thread.
//
// walk: somebody of 44,345 vertices and 53 joints walks through a museum, and 1,000 points are
// around the skin, up to 10 cm along each axis, all over the body, in no order; or of one hand.
// Ours gets the matrices of the joints and the points. Embree's geometry gets vertices: all are
// skinned, the tree is refit or built anew, and the points are queried one by one; the better way
// counts. Every frame is played once, as a user would: first untimed, so that everyone has the
// memory that it needs, and then in turns. Where the points are is found outside of what is timed.
//
// static: 100,000 such points and a body that has been updated by a query before.
//
// Embree's triangles are decided in float here, as in its own example. Distances must agree within
// 1e-5.
#include "character_runs.h"
#include "embree_trees.h"
#include "peers.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

namespace
{
using Points = std::vector<float>; // three a point
using Distances = std::vector<float>;

// ---- Embree -----------------------------------------------------------------------------------

struct Vec {
    float x, y, z;
};

Vec operator-(Vec a, Vec b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

Vec operator+(Vec a, Vec b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Vec operator*(float s, Vec a)
{
    return {s * a.x, s * a.y, s * a.z};
}

float dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Ericson, Real-Time Collision Detection, 5.1.5.
Vec closest_of(Vec p, Vec a, Vec b, Vec c)
{
    const Vec ab = b - a, ac = c - a, ap = p - a;
    const float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0)
        return a;
    const Vec bp = p - b;
    const float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3)
        return b;
    const Vec cp = p - c;
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6)
        return c;
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return a + d1 / (d1 - d3) * ab;
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return a + d2 / (d2 - d6) * ac;
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
    const float scale = 1 / (va + vb + vc);
    return a + vb * scale * ab + vc * scale * ac;
}

struct Query {
    const float *vertices;
    const uint32_t *triangles;
    uint32_t triangle;
    Vec position;
};

bool test_triangle(RTCPointQueryFunctionArguments *arguments)
{
    auto *query = static_cast<Query *>(arguments->userPtr);
    const uint32_t *corners = query->triangles + 3 * size_t{arguments->primID};
    const auto vertex = [query](uint32_t i) {
        const float *v = query->vertices + 3 * size_t{i};
        return Vec{v[0], v[1], v[2]};
    };
    const Vec point = {arguments->query->x, arguments->query->y, arguments->query->z};
    const Vec found = closest_of(point, vertex(corners[0]), vertex(corners[1]), vertex(corners[2]));
    const Vec between = point - found;
    const float distance = std::sqrt(dot(between, between));
    if (!(distance < arguments->query->radius))
        return false;
    arguments->query->radius = distance;
    query->triangle = arguments->primID;
    query->position = found;
    return true;
}

class EmbreeBody
{
  public:
    EmbreeBody(const char *name_, RTCBuildQuality quality, const SceneMesh &mesh_)
        : title(name_), mesh(&mesh_)
    {
        device = embree_device();
        scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        // Without it every commit builds all trees anew: see embree_trees.h.
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
        geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        rtcSetGeometryBuildQuality(geometry, quality);
        own = static_cast<float *>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                    3 * sizeof(float), static_cast<size_t>(mesh->vertex_count)));
        auto *corners = static_cast<uint32_t *>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
            static_cast<size_t>(mesh->triangle_count)));
        std::copy_n(mesh->vertices, 3 * static_cast<size_t>(mesh->vertex_count), own);
        std::copy_n(mesh->triangles, 3 * static_cast<size_t>(mesh->triangle_count), corners);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene, geometry, 0);
        rtcReleaseGeometry(geometry); // the scene holds it
        rtcCommitScene(scene);
    }

    ~EmbreeBody()
    {
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }

    EmbreeBody(const EmbreeBody &) = delete;
    EmbreeBody &operator=(const EmbreeBody &) = delete;

    const char *name() const
    {
        return title;
    }

    void update(const CharacterPose &pose)
    {
        pose.skin(0, own);
        rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
    }

    void find(const Points &points, Distances *distances)
    {
        found.resize(distances->size());
        for (size_t i = 0; i < distances->size(); i++) {
            const float *p = points.data() + 3 * i;
            RTCPointQuery query = {p[0], p[1], p[2], 0, INFINITY};
            RTCPointQueryContext context;
            rtcInitPointQueryContext(&context);
            found[i] = {own, mesh->triangles, 0, {}};
            rtcPointQuery(scene, &query, &context, test_triangle, &found[i]);
            (*distances)[i] = query.radius;
        }
    }

  private:
    const char *title;
    const SceneMesh *mesh;
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    float *own;
    std::vector<Query> found;
};

// ---- Ours -------------------------------------------------------------------------------------

class OurBody
{
  public:
    explicit OurBody(const SceneSkin &skin)
    {
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = {skin.mesh.vertices, skin.mesh.vertex_count, 0};
        def.triangles = {skin.mesh.triangles, skin.mesh.triangle_count};
        PliantSkin joints = pliant_skin_default();
        joints.joint_count = skin.joint_count;
        joints.influence_count = skin.influence_count;
        joints.joints = skin.joints;
        joints.weights = skin.weights;
        def.skin = &joints;
        PliantShape *shape;
        bench_must(pliant_shape_create(&def, &shape));
        bench_must(pliant_world_create(nullptr, &world));
        bench_must(pliant_body_create(world, shape, &body));
        pliant_shape_release(shape);
    }

    ~OurBody()
    {
        pliant_world_destroy(world);
    }

    OurBody(const OurBody &) = delete;
    OurBody &operator=(const OurBody &) = delete;

    void update(const CharacterPose &pose)
    {
        bench_must(pliant_body_set_joints(world, body, pose.joints(0), SCENE_AVATAR_JOINTS));
        bench_must(pliant_body_set_transform(world, body, &pose.transform(0)));
    }

    void find(const Points &points, Distances *distances)
    {
        const auto count = static_cast<int32_t>(distances->size());
        PliantClosestPoints found = pliant_closest_points_default();
        bench_must(
            pliant_body_closest_points(world, body, {points.data(), count, 0}, nullptr, &found));
        for (size_t i = 0; i < distances->size(); i++)
            (*distances)[i] = found.items[i].distance;
    }

    int64_t evaluated() const
    {
        PliantStats stats = pliant_stats_default();
        bench_must(pliant_world_stats(world, &stats));
        return stats.vertices_evaluated;
    }

  private:
    PliantWorld *world = nullptr;
    PliantBody body;
};

// ---- Points -----------------------------------------------------------------------------------

// Vertices of the body: all, or those within 25 cm of the one that is farthest to the side at rest,
// which are a hand and some of the arm.
std::vector<uint32_t> all_vertices(const SceneMesh &mesh)
{
    std::vector<uint32_t> vertices(static_cast<size_t>(mesh.vertex_count));
    std::iota(vertices.begin(), vertices.end(), 0u);
    return vertices;
}

std::vector<uint32_t> hand_vertices(const SceneMesh &mesh)
{
    const auto at = [&mesh](uint32_t i) {
        const float *v = mesh.vertices + 3 * size_t{i};
        return Vec{v[0], v[1], v[2]};
    };
    const std::vector<uint32_t> all = all_vertices(mesh);
    const uint32_t tip = *std::max_element(
        all.begin(), all.end(), [&at](uint32_t a, uint32_t b) { return at(a).x < at(b).x; });
    std::vector<uint32_t> vertices;
    for (uint32_t i : all)
        if (dot(at(i) - at(tip), at(i) - at(tip)) < 0.25f * 0.25f)
            vertices.push_back(i);
    return vertices;
}

// Some of these vertices, each moved by up to 10 cm along every axis.
Points make_points(const CharacterPose &pose, const std::vector<uint32_t> &around, size_t count,
                   SceneRandom *random)
{
    std::vector<float> skin(3 * static_cast<size_t>(pose.motion().mesh().vertex_count));
    Points points(3 * count);
    pose.skin(0, skin.data());
    for (size_t i = 0; i < count; i++) {
        const size_t which = scene_random_below(random, static_cast<uint32_t>(around.size()));
        const float *from = skin.data() + 3 * size_t{around[which]};
        for (size_t k = 0; k < 3; k++)
            points[3 * i + k] = from[k] + 0.1f * (2 * static_cast<float>(scene_random(random)) - 1);
    }
    return points;
}

struct Times {
    std::vector<double> update, total;
    double worst = 0; // the greatest difference from ours
};

template <class Body>
void time_frame(Body *body, const CharacterPose &pose, const Points &points, Distances *distances,
                Times *times)
{
    const double start = bench_seconds();
    body->update(pose);
    const double updated = bench_seconds();
    body->find(points, distances);
    times->total.push_back(bench_seconds() - start);
    times->update.push_back(updated - start);
}

void compare(const Distances &ours, const Distances &theirs, Times *times)
{
    for (size_t i = 0; i < ours.size(); i++)
        times->worst = std::max(times->worst, std::fabs(double{ours[i]} - double{theirs[i]}));
}

void print_times(const char *name, const Times &times)
{
    std::printf("  %-16s update %9.4f  together %9.4f ms; differs by %.1e\n", name,
                1e3 * free_median(times.update), 1e3 * free_median(times.total), times.worst);
}

struct Field {
    std::unique_ptr<CharacterMotion> motion = character_walk(SCENE_MUSEUM, 0);
    CharacterPose pose{*motion};
    OurBody ours{motion->skin()};
    EmbreeBody refit{"embree-refit", RTC_BUILD_QUALITY_REFIT, motion->mesh()};
    EmbreeBody rebuild{"embree-rebuild", RTC_BUILD_QUALITY_LOW, motion->mesh()};
};

int run_walk(const std::string &key, Field *field, const std::vector<uint32_t> &around,
             size_t count, int stride)
{
    Times ours, refit, rebuild;
    Distances our(count), other(count);
    SceneRandom random = {1};
    std::vector<double> shares;
    for (const bool is_timed : {false, true})
        for (int step = 0; step < field->motion->step_count(); step += stride) {
            field->pose.go_to(step);
            const Points points = make_points(field->pose, around, count, &random);
            Times untimed;
            time_frame(&field->ours, field->pose, points, &our, is_timed ? &ours : &untimed);
            shares.push_back(100.0 * static_cast<double>(field->ours.evaluated()) /
                             field->motion->mesh().vertex_count);
            time_frame(&field->refit, field->pose, points, &other, is_timed ? &refit : &untimed);
            compare(our, other, &refit);
            time_frame(&field->rebuild, field->pose, points, &other,
                       is_timed ? &rebuild : &untimed);
            compare(our, other, &rebuild);
        }
    std::printf("%s: %zu points and %d triangles, %zu frames; %.1f %% of the vertices "
                "evaluated\n",
                key.c_str(), count, field->motion->mesh().triangle_count, ours.total.size(),
                free_median(shares));
    print_times("pliant", ours);
    print_times(field->refit.name(), refit);
    print_times(field->rebuild.name(), rebuild);
    bench_figure((key + ".vs_best_peer").c_str(),
                 std::min(free_median(refit.total), free_median(rebuild.total)) /
                     free_median(ours.total),
                 "x");
    bench_figure((key + ".evaluated").c_str(), free_median(shares), "%");
    std::fflush(stdout);
    return refit.worst > 1e-5 || rebuild.worst > 1e-5;
}

int run_static(Field *field, size_t count, int rounds)
{
    Times ours, refit, rebuild;
    Distances our(count), other(count);
    SceneRandom random = {2};
    for (int round = 0; round < rounds; round++) {
        const Points points =
            make_points(field->pose, all_vertices(field->motion->mesh()), count, &random);
        const auto time = [&points](auto *body, Distances *distances, Times *times) {
            const double start = bench_seconds();
            body->find(points, distances);
            times->total.push_back(bench_seconds() - start);
            times->update.push_back(0);
        };
        time(&field->ours, &our, &ours);
        time(&field->refit, &other, &refit);
        compare(our, other, &refit);
        time(&field->rebuild, &other, &rebuild);
        compare(our, other, &rebuild);
    }
    std::printf("points.static: %zu points\n", count);
    print_times("pliant", ours);
    print_times(field->refit.name(), refit);
    print_times(field->rebuild.name(), rebuild);
    bench_figure("points.static.vs_embree",
                 std::min(free_median(refit.total), free_median(rebuild.total)) /
                     free_median(ours.total),
                 "x");
    return refit.worst > 1e-5 || rebuild.worst > 1e-5;
}
} // namespace

extern "C" int peers_points(const BenchOptions *options)
{
    Field field;
    const SceneMesh &mesh = field.motion->mesh();
    const int stride = options->is_quick ? 12 : 2;
    int failed = run_walk("points", &field, all_vertices(mesh), 1000, stride);
    failed |= run_walk("points.hand", &field, hand_vertices(mesh), 1000, stride);
    return failed | run_static(&field, 100000, options->is_quick ? 3 : 9);
}
