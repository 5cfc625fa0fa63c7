// Embree: one scene a body, one user primitive a triangle, refit or built anew in every frame,
// rtcCollide.
//
// rtcCollide finds the pairs of primitives whose boxes may overlap and hands them out a few at a
// time; whether two triangles intersect is the caller's business, so it is our exact test that
// decides here. It has no way to stop, so the first pair costs a whole traversal, if not all the
// tests.
#include "embree_trees.h"
#include "free_peers.h"

#include <pliant/triangles.h>

#include <atomic>
#include <mutex>

namespace
{
struct EmbreeBody {
    FreeMesh mesh;
    const float *vertices = nullptr; // borrowed until the next update
    EmbreeTree tree;
};

void triangle_bounds(const RTCBoundsFunctionArguments *arguments)
{
    const auto *body = static_cast<const EmbreeBody *>(arguments->geometryUserPtr);
    RTCBounds *bounds = arguments->bounds_o;
    free_triangle_box(body->mesh, body->vertices, arguments->primID, &bounds->lower_x,
                      &bounds->upper_x);
}

// Most candidates come from leaves of several triangles and have boxes that are apart; finding that
// out first is three times faster than leaving it to the exact test.
bool boxes_overlap(const EmbreeBody *a, uint32_t triangle_a, const EmbreeBody *b,
                   uint32_t triangle_b)
{
    float lower_a[3], upper_a[3], lower_b[3], upper_b[3];
    free_triangle_box(a->mesh, a->vertices, triangle_a, lower_a, upper_a);
    free_triangle_box(b->mesh, b->vertices, triangle_b, lower_b, upper_b);
    bool apart = false;
    for (int k = 0; k < 3; k++)
        apart |= (lower_a[k] > upper_b[k]) | (lower_b[k] > upper_a[k]);
    return !apart;
}

// What rtcCollide's callback works on. With several threads it is called on all of them.
struct Collision {
    const EmbreeBody *a, *b;
    int32_t body_a, body_b;
    std::vector<FreePair> *pairs; // null when only `found` is asked for
    std::atomic<bool> found{false};
    std::mutex mutex; // of the pairs
};

// Do two triangles intersect, beyond what they share if they are of one body?
bool intersect(const EmbreeBody *a, uint32_t triangle_a, const EmbreeBody *b, uint32_t triangle_b)
{
    float corners_a[9], corners_b[9];
    free_corners(a->mesh, a->vertices, triangle_a, corners_a);
    free_corners(b->mesh, b->vertices, triangle_b, corners_b);
    return a == b ? pliant_triangles_intersect_beyond_shared(
                        corners_a, free_indices(a->mesh, triangle_a), corners_b,
                        free_indices(b->mesh, triangle_b))
                  : pliant_triangles_intersect(corners_a, corners_b);
}

void decide(void *data, RTCCollision *candidates, unsigned int count)
{
    auto *collision = static_cast<Collision *>(data);
    const EmbreeBody *a = collision->a, *b = collision->b;
    for (unsigned int i = 0; i < count; i++) {
        // Nothing new can be learned, and this is as much of an early end as there is.
        if (!collision->pairs && collision->found)
            return;
        const RTCCollision &candidate = candidates[i];
        // Self-collision: each pair comes in both orders.
        if ((a == b && candidate.primID0 >= candidate.primID1) ||
            !boxes_overlap(a, candidate.primID0, b, candidate.primID1) ||
            !intersect(a, candidate.primID0, b, candidate.primID1))
            continue;
        collision->found = true;
        if (!collision->pairs)
            return;
        const std::lock_guard<std::mutex> lock(collision->mutex);
        collision->pairs->push_back(
            {collision->body_a, collision->body_b, candidate.primID0, candidate.primID1});
    }
}

std::atomic<int64_t> allocated{0};

bool count_bytes(void *, ssize_t bytes, bool)
{
    allocated += bytes;
    return true;
}

class EmbreePeer : public FreePeer
{
  public:
    EmbreePeer(const char *name_given, int threads, RTCBuildQuality quality, const FreeScene &scene,
               const float *const *rest_vertices)
        : own_name(name_given), device(embree_device(threads)), bodies(scene.size())
    {
        rtcSetDeviceMemoryMonitorFunction(device, count_bytes, nullptr);
        for (size_t i = 0; i < bodies.size(); i++) {
            EmbreeBody &body = bodies[i];
            body.mesh = scene[i];
            body.vertices = rest_vertices[i];
            body.tree.build(device, quality, body.mesh.triangle_count, &body, triangle_bounds);
        }
    }

    ~EmbreePeer() override
    {
        for (EmbreeBody &body : bodies)
            body.tree.release();
        rtcReleaseDevice(device);
    }

    const char *name() const override
    {
        return own_name;
    }

    void remesh(const FreeScene &scene) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            bodies[i].mesh = scene[i];
            rtcSetGeometryUserPrimitiveCount(bodies[i].tree.geometry,
                                             static_cast<unsigned int>(scene[i].triangle_count));
        }
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            bodies[i].vertices = vertices[i];
            if (!bodies[i].mesh.is_unchanged)
                bodies[i].tree.commit();
        }
    }

    void all_pairs(const FreeBodies &close) override
    {
        found.clear();
        for (const auto &[a, b] : close)
            collide(a, b, &found);
    }

    bool first_pair(int body_a, int body_b) override
    {
        return collide(body_a, body_b, nullptr);
    }

  private:
    bool collide(int body_a, int body_b, std::vector<FreePair> *pairs)
    {
        const EmbreeBody *a = &bodies[static_cast<size_t>(body_a)];
        const EmbreeBody *b = &bodies[static_cast<size_t>(body_b)];
        Collision collision{a, b, body_a, body_b, pairs, {false}, {}};
        rtcCollide(a->tree.scene, b->tree.scene, decide, &collision);
        return collision.found;
    }

    const char *own_name;
    RTCDevice device;
    std::vector<EmbreeBody> bodies; // never resized: Embree keeps pointers to its elements
};
} // namespace

int64_t embree_bytes()
{
    return allocated;
}

std::unique_ptr<FreePeer> make_embree(const FreeScene &scene, const float *const *rest_vertices)
{
    return std::make_unique<EmbreePeer>("Embree", 1, RTC_BUILD_QUALITY_REFIT, scene, rest_vertices);
}

std::unique_ptr<FreePeer> make_embree_threads(int threads, const FreeScene &scene,
                                              const float *const *rest_vertices)
{
    return std::make_unique<EmbreePeer>("Embree-threads", threads, RTC_BUILD_QUALITY_REFIT, scene,
                                        rest_vertices);
}

std::unique_ptr<FreePeer> make_embree_anew(FreeBuild build, const FreeScene &scene,
                                           const float *const *rest_vertices)
{
    if (build == FreeBuild::Fast)
        return std::make_unique<EmbreePeer>("Embree-fast", 1, RTC_BUILD_QUALITY_LOW, scene,
                                            rest_vertices);
    return std::make_unique<EmbreePeer>("Embree-good", 1, RTC_BUILD_QUALITY_MEDIUM, scene,
                                        rest_vertices);
}
