// Embree: boxes that are wider by half of the distance, refitted in every frame, rtcCollide, and a
// decision for each vertex and each edge of the candidates.
//
// A candidate is two triangles. Each vertex and each edge has one triangle that owns it, so that
// pairs come once; what is farther by its box than the distance is not decided.
#include "features.h"
#include "near_runs.h"

#include <embree3/rtcore.h>

#include <cstdio>
#include <cstdlib>

namespace
{
struct Body {
    FreeMesh mesh;
    Features features;
    const float *vertices = nullptr; // borrowed until the next update
    std::vector<float> posed;        // or these
    float half = 0;                  // of the distance
    RTCScene tree = nullptr;
    RTCGeometry geometry = nullptr;
};

void triangle_bounds(const RTCBoundsFunctionArguments *arguments)
{
    const auto *body = static_cast<const Body *>(arguments->geometryUserPtr);
    float *lower = &arguments->bounds_o->lower_x, *upper = &arguments->bounds_o->upper_x;
    free_triangle_box(body->mesh, body->vertices, arguments->primID, lower, upper);
    for (int k = 0; k < 3; k++) {
        lower[k] -= body->half;
        upper[k] += body->half;
    }
}

struct Box {
    float lower[3], upper[3];
};

bool are_far(const Box &a, const Box &b, float distance)
{
    bool is_far = false;
    for (int k = 0; k < 3; k++)
        is_far |= (a.lower[k] - b.upper[k] > distance) | (b.lower[k] - a.upper[k] > distance);
    return is_far;
}

// A triangle of a candidate.
struct Side {
    const uint32_t *indices;
    const float *corners[3];
    uint32_t triangle;
    uint8_t owned;
    const int32_t *edges;
    Box box;

    Side(const Body &body, uint32_t number)
        : indices(free_indices(body.mesh, number)), triangle(number),
          owned(body.features.owned[number]),
          edges(body.features.triangle_edges.data() + 3 * static_cast<size_t>(number))
    {
        const auto [a, b, c] = free_corners_of(body.mesh, body.vertices, number);
        corners[0] = a;
        corners[1] = b;
        corners[2] = c;
        free_triangle_box(body.mesh, body.vertices, number, box.lower, box.upper);
    }

    bool has(uint32_t vertex) const
    {
        return (indices[0] == vertex) | (indices[1] == vertex) | (indices[2] == vertex);
    }
};

// An edge, its lower vertex first.
struct Edge {
    int32_t number;
    uint32_t indices[2];
    const float *ends[2];
    Box box;

    Edge() = default;

    Edge(const Side &side, int k) : number(side.edges[k])
    {
        const int next = (k + 1) % 3, first = side.indices[k] < side.indices[next] ? k : next;
        const int second = first == k ? next : k;
        indices[0] = side.indices[first];
        indices[1] = side.indices[second];
        ends[0] = side.corners[first];
        ends[1] = side.corners[second];
        for (int i = 0; i < 3; i++) {
            box.lower[i] = std::min(ends[0][i], ends[1][i]);
            box.upper[i] = std::max(ends[0][i], ends[1][i]);
        }
    }

    bool shares_an_end(const Edge &other) const
    {
        return (indices[0] == other.indices[0]) | (indices[0] == other.indices[1]) |
               (indices[1] == other.indices[0]) | (indices[1] == other.indices[1]);
    }
};

// What rtcCollide's callback works on.
struct Search {
    const Body *a, *b;
    bool is_self;
    float distance;
    std::vector<NearPair> *pairs;
};

NearPair pair_of(const Search &search, int32_t kind, int32_t a, int32_t b)
{
    NearPair pair;
    pair.body_a = 0;
    pair.body_b = search.is_self ? 0 : 1;
    pair.kind = kind;
    pair.feature_a = a;
    pair.feature_b = b;
    return pair;
}

// The vertices that a triangle owns, and another triangle.
void test_vertices(const Search &search, const Side &owner, const Side &other, bool is_swapped)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t vertex = owner.indices[k];
        const float *point = owner.corners[k];
        if (!(owner.owned >> k & 1) || (search.is_self && other.has(vertex)))
            continue;
        bool is_far = false;
        for (int i = 0; i < 3; i++)
            is_far |= (point[i] - other.box.upper[i] > search.distance) |
                      (other.box.lower[i] - point[i] > search.distance);
        if (is_far)
            continue;
        const auto triangle = static_cast<int32_t>(other.triangle);
        NearPair pair =
            is_swapped
                ? pair_of(search, PLIANT_TRIANGLE_VERTEX, triangle, static_cast<int32_t>(vertex))
                : pair_of(search, PLIANT_VERTEX_TRIANGLE, static_cast<int32_t>(vertex), triangle);
        if (near_vertex_triangle(point, other.corners, search.distance, &pair))
            search.pairs->push_back(pair);
    }
}

void test_edges(const Search &search, const Side &a, const Side &b)
{
    Edge b_edges[3];
    for (int j = 0; j < 3; j++)
        if (b.owned >> (3 + j) & 1)
            b_edges[j] = Edge(b, j);
    for (int i = 0; i < 3; i++) {
        if (!(a.owned >> (3 + i) & 1))
            continue;
        const Edge a_edge(a, i);
        for (int j = 0; j < 3; j++) {
            if (!(b.owned >> (3 + j) & 1))
                continue;
            const Edge &b_edge = b_edges[j];
            if ((search.is_self && a_edge.shares_an_end(b_edge)) ||
                are_far(a_edge.box, b_edge.box, search.distance))
                continue;
            const bool is_swapped = search.is_self && a_edge.number > b_edge.number;
            const Edge &first = is_swapped ? b_edge : a_edge,
                       &second = is_swapped ? a_edge : b_edge;
            NearPair pair = pair_of(search, PLIANT_EDGE_EDGE, first.number, second.number);
            if (near_edges(first.ends, second.ends, search.distance, &pair))
                search.pairs->push_back(pair);
        }
    }
}

void decide(void *data, RTCCollision *candidates, unsigned int count)
{
    const auto &search = *static_cast<const Search *>(data);
    for (unsigned int i = 0; i < count; i++) {
        const RTCCollision &candidate = candidates[i];
        if (search.is_self && candidate.primID0 >= candidate.primID1)
            continue; // each two come twice
        const uint8_t owned_a = search.a->features.owned[candidate.primID0],
                      owned_b = search.b->features.owned[candidate.primID1];
        if (!((owned_a | owned_b) & 7) && !(owned_a && owned_b))
            continue;
        const Side a(*search.a, candidate.primID0), b(*search.b, candidate.primID1);
        if (are_far(a.box, b.box, search.distance))
            continue;
        test_vertices(search, a, b, false);
        test_vertices(search, b, a, !search.is_self);
        test_edges(search, a, b);
    }
}

void stop_at_error(void *, RTCError code, const char *text)
{
    std::fprintf(stderr, "Embree error %d: %s\n", static_cast<int>(code), text);
    std::exit(1);
}

class NearEmbree : public NearPeer
{
  public:
    NearEmbree(const NearScene &scene, const float *const *rest, FreePosing by)
        : distance(scene.distance), posing(std::move(by)), bodies(free_scene(*scene.motion).size())
    {
        device = rtcNewDevice("threads=1,set_affinity=0");
        if (!device)
            stop_at_error(nullptr, rtcGetDeviceError(nullptr), "no device");
        rtcSetDeviceErrorFunction(device, stop_at_error, nullptr);
        const FreeScene meshes = free_scene(*scene.motion);
        for (size_t i = 0; i < bodies.size(); i++)
            build(&bodies[i], meshes[i], rest[i]);
    }

    ~NearEmbree() override
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

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            Body &body = bodies[i];
            body.vertices = vertices[i];
            if (body.mesh.is_unchanged)
                continue;
            if (posing) {
                posing(i, body.posed.data());
                body.vertices = body.posed.data();
            }
            rtcCommitGeometry(body.geometry);
            rtcCommitScene(body.tree);
        }
    }

    void find() override
    {
        found.clear();
        Search search{&bodies.front(), &bodies.back(), bodies.size() == 1, distance, &found};
        rtcCollide(search.a->tree, search.b->tree, decide, &search);
    }

  private:
    // As in free_embree.cpp: only such scenes are refitted.
    void build(Body *body, const FreeMesh &mesh, const float *rest)
    {
        body->mesh = mesh;
        body->features = find_features(mesh);
        body->vertices = rest;
        body->posed.resize(3 * static_cast<size_t>(mesh.vertex_count));
        body->half = 0.5f * distance;
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

    float distance;
    FreePosing posing;
    RTCDevice device;
    std::vector<Body> bodies; // never resized: Embree keeps pointers to its elements
};
} // namespace

std::unique_ptr<NearPeer> make_near_embree(const NearScene &scene, const float *const *rest,
                                           FreePosing posing)
{
    return std::make_unique<NearEmbree>(scene, rest, std::move(posing));
}
