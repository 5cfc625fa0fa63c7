// From a mesh to the first answer, and what is kept in memory for it: this library and Embree.
//
// Two spheres that intersect. Timed is all that a program does before its first answer: the shape
// and its bodies, or scenes and geometries; the vertices of the frame; the first query. Ours shares
// one shape between bodies; Embree has a tree for each. Bytes are those that each has allocated
// when the answer is there: ours by the hooks of the host, Embree's by its memory monitor.
#include "bench.h"
#include "character_runs.h"
#include "free_runs.h"
#include "morph_runs.h"
#include "peers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace
{
constexpr int BODIES = 1000;

int64_t kept; // bytes that are allocated now

void *take(void *, size_t size, size_t alignment)
{
    kept += static_cast<int64_t>(size);
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void give_back(void *, void *block, size_t size, size_t)
{
    kept -= static_cast<int64_t>(size);
    std::free(block);
}

PliantHost counting_host()
{
    PliantHost host = pliant_host_default();
    host.allocate = take;
    host.release = give_back;
    return host;
}

// A world and bodies of one shape, with vertices that the caller supplies.
struct Ours {
    PliantWorld *world = nullptr;
    std::vector<PliantBody> bodies;
    int64_t shape_bytes = 0;

    Ours(const SceneMesh &mesh, const std::vector<const float *> &vertices)
    {
        const PliantHost host = counting_host();
        PliantWorldDef world_def = pliant_world_def_default();
        PliantShapeDef def = pliant_shape_def_default();
        PliantContacts contacts = pliant_contacts_default();
        PliantShape *shape;
        world_def.host = def.host = &host;
        def.vertices = {mesh.vertices, mesh.vertex_count, 0};
        def.triangles = {mesh.triangles, mesh.triangle_count};
        bench_must(pliant_shape_create(&def, &shape));
        shape_bytes = kept;
        bench_must(pliant_world_create(&world_def, &world));
        for (const float *positions : vertices) {
            bodies.emplace_back();
            bench_must(pliant_body_create(world, shape, &bodies.back()));
            bench_must(pliant_body_borrow_vertices(world, bodies.back(),
                                                   {positions, mesh.vertex_count, 0}));
        }
        pliant_shape_release(shape);
        bench_must(pliant_world_collide(world, nullptr, &contacts));
    }

    Ours(const Ours &) = delete;
    Ours &operator=(const Ours &) = delete;

    ~Ours()
    {
        pliant_world_destroy(world);
    }
};

FreeScene scene_of(const SceneMesh &mesh, size_t count)
{
    return FreeScene(count,
                     FreeMesh{mesh.vertex_count, mesh.triangle_count, mesh.triangles, false});
}

// The same by Embree.
std::unique_ptr<FreePeer> theirs(const SceneMesh &mesh, const std::vector<const float *> &rest,
                                 const std::vector<const float *> &vertices,
                                 const FreeBodies &close)
{
    std::unique_ptr<FreePeer> peer = make_embree(scene_of(mesh, rest.size()), rest.data());
    peer->update(vertices.data());
    peer->all_pairs(close);
    return peer;
}

void time_first(const char *key, int subdivisions, int rounds)
{
    constexpr int STEP = 150;
    SceneBumpy scene = scene_bumpy(subdivisions);
    const SceneMesh &mesh = scene.sphere;
    std::vector<std::vector<float>> now;
    std::vector<const float *> vertices, rest(2, mesh.vertices);
    for (int body = 0; body < 2; body++) {
        now.emplace_back(3 * static_cast<size_t>(mesh.vertex_count));
        scene_bumpy_vertices(&scene, body, STEP, now.back().data());
    }
    for (const std::vector<float> &body : now)
        vertices.push_back(body.data());
    double least[2] = {1e9, 1e9};
    int64_t bytes[2], shape_bytes;
    for (int round = 0; round < rounds; round++) {
        double start = bench_seconds();
        {
            const Ours ours(mesh, vertices);
            least[0] = std::min(least[0], bench_seconds() - start);
            bytes[0] = kept;
            shape_bytes = ours.shape_bytes;
        }
        start = bench_seconds();
        const auto peer = theirs(mesh, rest, vertices, {{0, 1}});
        least[1] = std::min(least[1], bench_seconds() - start);
        bytes[1] = embree_bytes();
    }
    const double triangles = mesh.triangle_count;
    std::printf("%s: first answer after %.2f ms, Embree %.2f ms; in all %.0f bytes a triangle of "
                "both, Embree %.0f\n",
                key, 1e3 * least[0], 1e3 * least[1], static_cast<double>(bytes[0]) / triangles / 2,
                static_cast<double>(bytes[1]) / triangles / 2);
    const std::string name = std::string("first.") + key;
    bench_figure((name + ".ms").c_str(), 1e3 * least[0], "ms");
    bench_figure((name + ".vs_embree").c_str(), least[1] / least[0], "x");
    bench_figure((name + ".shape_bytes").c_str(), static_cast<double>(shape_bytes) / triangles,
                 "bytes");
    scene_bumpy_free(&scene);
}

void count_bodies(int count)
{
    SceneCrowd scene = scene_crowd(4);
    const SceneMesh &mesh = scene.sphere;
    std::vector<std::vector<float>> now;
    std::vector<const float *> vertices, rest(static_cast<size_t>(count), mesh.vertices);
    for (int body = 0; body < count; body++) {
        now.emplace_back(3 * static_cast<size_t>(mesh.vertex_count));
        scene_crowd_vertices(&scene, body % SCENE_CROWD_BODIES, 0, now.back().data());
        for (size_t i = 0; i < now.back().size(); i += 3) /* each crowd beside the last one */
            now.back()[i] += 100.0f * static_cast<float>(body / SCENE_CROWD_BODIES);
    }
    for (const std::vector<float> &body : now)
        vertices.push_back(body.data());
    int64_t bytes[2], shape_bytes;
    {
        const Ours ours(mesh, vertices);
        bytes[0] = kept;
        shape_bytes = ours.shape_bytes;
    }
    {
        const auto peer = theirs(mesh, rest, vertices, {});
        bytes[1] = embree_bytes();
    }
    std::printf(
        "%d bodies of one shape of %d triangles: %.1f MB, of which the shape %.2f MB; Embree "
        "%.1f MB\n",
        count, mesh.triangle_count, 1e-6 * static_cast<double>(bytes[0]),
        1e-6 * static_cast<double>(shape_bytes), 1e-6 * static_cast<double>(bytes[1]));
    bench_figure("first.body_bytes", static_cast<double>(bytes[0] - shape_bytes) / count, "bytes");
    bench_figure("first.body_bytes.vs_embree",
                 static_cast<double>(bytes[1]) / static_cast<double>(bytes[0]), "x");
    scene_crowd_free(&scene);
}

void print_bytes(const char *key, PliantShape *shape)
{
    const PliantShapeInfo info = bench_shape_info(shape);
    const std::string name = std::string("first.") + key + ".shape_bytes";
    bench_figure(name.c_str(), static_cast<double>(info.byte_size) / info.triangle_count, "bytes");
    pliant_shape_release(shape);
}

void count_shapes()
{
    SceneMorph morph = scene_dolphin(3);
    SceneSkin avatar = scene_avatar();
    std::vector<PliantTarget> targets;
    const PliantShapeDef def = morph_shape_def(morph, &targets);
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    print_bytes("morph3", shape);
    print_bytes("skin", make_avatar_shape(avatar));
    scene_morph_free(&morph);
    scene_skin_free(&avatar);
}
} // namespace

int peers_first(const BenchOptions *options)
{
    time_first("20k", 5, options->is_quick ? 2 : 9);
    if (!options->is_quick)
        time_first("328k", 7, 5);
    count_shapes();
    count_bodies(options->is_quick ? 100 : BODIES);
    return 0;
}
