// Embree: boxes of whole ways, refitted in every step, rtcCollide, and additive CCD for each vertex
// and each edge of the candidates: see sweep_runs.h.
//
// A candidate is two triangles. Each vertex and each edge has one triangle that owns it, so that
// pairs come once. Features whose boxes of whole ways are apart are not decided, and additive CCD
// stops at the least time so far.
#include "features.h"
#include "sweep_runs.h"

#include <embree3/rtcore.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace
{
struct Body {
    FreeMesh mesh;
    Features features;
    const float *start = nullptr, *end = nullptr; // borrowed until the next update
    std::vector<float> posed_start, posed_end;    // or these
    RTCScene tree = nullptr;
    RTCGeometry geometry = nullptr;

    SweepWay way(uint32_t vertex) const
    {
        return {free_vertex(start, vertex), free_vertex(end, vertex)};
    }
};

void triangle_bounds(const RTCBoundsFunctionArguments *arguments)
{
    const auto *body = static_cast<const Body *>(arguments->geometryUserPtr);
    float *lower = &arguments->bounds_o->lower_x, *upper = &arguments->bounds_o->upper_x;
    float end_lower[3], end_upper[3];
    free_triangle_box(body->mesh, body->start, arguments->primID, lower, upper);
    free_triangle_box(body->mesh, body->end, arguments->primID, end_lower, end_upper);
    for (int k = 0; k < 3; k++) {
        lower[k] = std::min(lower[k], end_lower[k]);
        upper[k] = std::max(upper[k], end_upper[k]);
    }
}

struct Box {
    float lower[3], upper[3];
};

Box box_of(SweepWay way)
{
    Box box;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = std::min(way.start[k], way.end[k]);
        box.upper[k] = std::max(way.start[k], way.end[k]);
    }
    return box;
}

Box joined(const Box &a, const Box &b)
{
    Box box;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = std::min(a.lower[k], b.lower[k]);
        box.upper[k] = std::max(a.upper[k], b.upper[k]);
    }
    return box;
}

bool are_apart(const Box &a, const Box &b)
{
    bool is_apart = false;
    for (int k = 0; k < 3; k++)
        is_apart |= (a.lower[k] > b.upper[k]) | (b.lower[k] > a.upper[k]);
    return is_apart;
}

// A triangle of a candidate: its corners, and their boxes.
struct Side {
    SweepWay corners[3];
    Box corner_boxes[3], box;
    uint8_t owned;

    Side(const Body &body, uint32_t triangle) : owned(body.features.owned[triangle])
    {
        const uint32_t *indices = free_indices(body.mesh, triangle);
        for (int k = 0; k < 3; k++) {
            corners[k] = body.way(indices[k]);
            corner_boxes[k] = box_of(corners[k]);
        }
        box = joined(joined(corner_boxes[0], corner_boxes[1]), corner_boxes[2]);
    }
};

struct Edge {
    SweepWay ends[2];
    Box box;

    Edge() = default;

    Edge(const Side &side, int k)
    {
        const int next = (k + 1) % 3;
        ends[0] = side.corners[k];
        ends[1] = side.corners[next];
        box = joined(side.corner_boxes[k], side.corner_boxes[next]);
    }
};

// What rtcCollide's callback works on.
struct Search {
    const Body *a, *b;
    double earliest;
};

// The vertices that a triangle owns, and another triangle.
void test_vertices(Search *search, const Side &owner, const Side &other)
{
    for (int k = 0; k < 3; k++)
        if ((owner.owned >> k & 1) && !are_apart(owner.corner_boxes[k], other.box))
            search->earliest =
                std::min(search->earliest, additive_vertex_triangle(owner.corners[k], other.corners,
                                                                    search->earliest));
}

// The edges that they own and that are not apart from the other triangle.
void test_edges(Search *search, const Side &a, const Side &b)
{
    Edge b_edges[3];
    int count = 0;
    for (int k = 0; k < 3; k++)
        if (b.owned >> (3 + k) & 1) {
            b_edges[count] = Edge(b, k);
            count += !are_apart(b_edges[count].box, a.box);
        }
    for (int k = 0; count > 0 && k < 3; k++) {
        if (!(a.owned >> (3 + k) & 1))
            continue;
        const Edge edge(a, k);
        for (int i = 0; i < count; i++)
            if (!are_apart(edge.box, b_edges[i].box))
                search->earliest = std::min(
                    search->earliest, additive_edges(edge.ends, b_edges[i].ends, search->earliest));
    }
}

void decide(void *data, RTCCollision *candidates, unsigned int count)
{
    auto *search = static_cast<Search *>(data);
    for (unsigned int i = 0; i < count; i++) {
        const RTCCollision &candidate = candidates[i];
        const uint8_t owned_a = search->a->features.owned[candidate.primID0],
                      owned_b = search->b->features.owned[candidate.primID1];
        if (!((owned_a | owned_b) & 7) && !(owned_a && owned_b))
            continue;
        const Side a(*search->a, candidate.primID0), b(*search->b, candidate.primID1);
        if (are_apart(a.box, b.box))
            continue;
        test_vertices(search, a, b);
        test_vertices(search, b, a);
        test_edges(search, a, b);
    }
}

void stop_at_error(void *, RTCError code, const char *text)
{
    std::fprintf(stderr, "Embree error %d: %s\n", static_cast<int>(code), text);
    std::exit(1);
}

class SweepEmbree : public SweepPeer
{
  public:
    SweepEmbree(const FreeScene &scene, const float *const *rest, FreePosing start, FreePosing end)
        : posing_start(std::move(start)), posing_end(std::move(end)), bodies(scene.size())
    {
        device = rtcNewDevice("threads=1,set_affinity=0");
        if (!device)
            stop_at_error(nullptr, rtcGetDeviceError(nullptr), "no device");
        rtcSetDeviceErrorFunction(device, stop_at_error, nullptr);
        for (size_t i = 0; i < bodies.size(); i++)
            build(&bodies[i], scene[i], rest[i]);
    }

    ~SweepEmbree() override
    {
        for (Body &body : bodies) {
            rtcReleaseGeometry(body.geometry);
            rtcReleaseScene(body.tree);
        }
        rtcReleaseDevice(device);
    }

    const char *name() const override
    {
        return "Embree";
    }

    void update(const float *const *start, const float *const *end) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            Body &body = bodies[i];
            if (body.mesh.is_unchanged)
                continue;
            body.start = start[i];
            body.end = end[i];
            if (posing_start) {
                posing_start(i, body.posed_start.data());
                posing_end(i, body.posed_end.data());
                body.start = body.posed_start.data();
                body.end = body.posed_end.data();
            }
            rtcCommitGeometry(body.geometry);
            rtcCommitScene(body.tree);
        }
    }

    double earliest() override
    {
        Search search{&bodies.front(), &bodies.back(), 1};
        search.earliest = std::nextafter(1.0, 2.0); // later than any time that counts
        const double never = search.earliest;
        rtcCollide(search.a->tree, search.b->tree, decide, &search);
        return search.earliest < never ? search.earliest : INFINITY;
    }

  private:
    // As in free_embree.cpp: only such scenes are refitted.
    void build(Body *body, const FreeMesh &mesh, const float *rest)
    {
        body->mesh = mesh;
        body->features = find_features(mesh);
        body->posed_start.assign(rest, rest + 3 * static_cast<size_t>(mesh.vertex_count));
        body->posed_end = body->posed_start;
        body->start = body->posed_start.data();
        body->end = body->posed_end.data();
        body->tree = rtcNewScene(device);
        rtcSetSceneFlags(body->tree, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(body->tree, RTC_BUILD_QUALITY_LOW);
        body->geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryBuildQuality(body->geometry, RTC_BUILD_QUALITY_REFIT);
        rtcSetGeometryUserPrimitiveCount(body->geometry,
                                         static_cast<unsigned int>(mesh.triangle_count));
        rtcSetGeometryUserData(body->geometry, body);
        rtcSetGeometryBoundsFunction(body->geometry, triangle_bounds, nullptr);
        rtcCommitGeometry(body->geometry);
        rtcAttachGeometry(body->tree, body->geometry);
        rtcCommitScene(body->tree);
    }

    FreePosing posing_start, posing_end;
    RTCDevice device;
    std::vector<Body> bodies; // never resized: Embree keeps pointers to its elements
};
} // namespace

std::unique_ptr<SweepPeer> make_sweep_embree(const FreeScene &scene, const float *const *rest,
                                             FreePosing start, FreePosing end)
{
    return std::make_unique<SweepEmbree>(scene, rest, std::move(start), std::move(end));
}
