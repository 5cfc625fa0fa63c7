// Embree: boxes refitted in every step, rtcCollide, and a decision for each vertex and each edge of
// the candidates. For near queries boxes are wider by half of the distance, and distances decide.
// For sweeps boxes are those of whole ways, and additive CCD decides: see sweep_runs.h.
//
// A candidate is two triangles. Each vertex and each edge has one triangle that owns it, so that
// pairs come once. Features whose boxes are farther apart than the distance are not decided, and
// additive CCD stops at the least time so far.
#include "embree_trees.h"
#include "features.h"
#include "sweep_runs.h"

namespace
{
struct Box {
    float lower[3], upper[3];
};

Box joined(const Box &a, const Box &b)
{
    Box box;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = std::min(a.lower[k], b.lower[k]);
        box.upper[k] = std::max(a.upper[k], b.upper[k]);
    }
    return box;
}

bool are_far(const Box &a, const Box &b, float distance)
{
    bool is_far = false;
    for (int k = 0; k < 3; k++)
        is_far |= (a.lower[k] - b.upper[k] > distance) | (b.lower[k] - a.upper[k] > distance);
    return is_far;
}

struct Body {
    FreeMesh mesh;
    Features features;
    const float *start = nullptr, *end = nullptr; // borrowed until the next update
    std::vector<float> posed_start, posed_end;    // or these
    float half = 0;                               // of the distance
    bool is_sweep = false;
    EmbreeTree tree;
};

void triangle_bounds(const RTCBoundsFunctionArguments *arguments)
{
    const auto *body = static_cast<const Body *>(arguments->geometryUserPtr);
    Box box;
    free_triangle_box(body->mesh, body->start, arguments->primID, box.lower, box.upper);
    if (body->is_sweep) {
        Box end;
        free_triangle_box(body->mesh, body->end, arguments->primID, end.lower, end.upper);
        box = joined(box, end);
    }
    float *lower = &arguments->bounds_o->lower_x, *upper = &arguments->bounds_o->upper_x;
    for (int k = 0; k < 3; k++) {
        lower[k] = box.lower[k] - body->half;
        upper[k] = box.upper[k] + body->half;
    }
}

// ---- Where a vertex is: in near queries a point, in sweeps a way --------------------------------

void place(const Body &body, uint32_t vertex, const float **point)
{
    *point = free_vertex(body.start, vertex);
}

void place(const Body &body, uint32_t vertex, SweepWay *way)
{
    *way = {free_vertex(body.start, vertex), free_vertex(body.end, vertex)};
}

Box box_of(const float *point)
{
    return {{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
}

Box box_of(SweepWay way)
{
    return joined(box_of(way.start), box_of(way.end));
}

// A triangle of a candidate.
template <class Place> struct Side {
    const uint32_t *indices;
    Place corners[3];
    uint32_t triangle;
    uint8_t owned;
    const int32_t *edges;
    Box box;

    Side(const Body &body, uint32_t number)
        : indices(free_indices(body.mesh, number)), triangle(number),
          owned(body.features.owned[number]),
          edges(body.features.triangle_edges.data() + 3 * static_cast<size_t>(number))
    {
        for (int k = 0; k < 3; k++)
            place(body, indices[k], &corners[k]);
        box = joined(joined(box_of(corners[0]), box_of(corners[1])), box_of(corners[2]));
    }

    bool has(uint32_t vertex) const
    {
        return (indices[0] == vertex) | (indices[1] == vertex) | (indices[2] == vertex);
    }
};

// An edge, its lower vertex first.
template <class Place> struct Edge {
    int32_t number;
    uint32_t indices[2];
    Place ends[2];
    Box box;

    Edge() = default;

    Edge(const Side<Place> &side, int k) : number(side.edges[k])
    {
        const int next = (k + 1) % 3, first = side.indices[k] < side.indices[next] ? k : next;
        const int second = first == k ? next : k;
        indices[0] = side.indices[first];
        indices[1] = side.indices[second];
        ends[0] = side.corners[first];
        ends[1] = side.corners[second];
        box = joined(box_of(ends[0]), box_of(ends[1]));
    }

    bool shares_an_end(const Edge &other) const
    {
        return (indices[0] == other.indices[0]) | (indices[0] == other.indices[1]) |
               (indices[1] == other.indices[0]) | (indices[1] == other.indices[1]);
    }
};

// ---- What rtcCollide's callback works on
// ---------------------------------------------------------

struct NearSearch {
    using Place = const float *;
    const Body *a, *b;
    float distance;
    bool is_self;
    std::vector<NearPair> *pairs;

    NearPair pair_of(int32_t kind, int32_t feature_a, int32_t feature_b) const
    {
        NearPair pair;
        pair.body_a = 0;
        pair.body_b = is_self ? 0 : 1;
        pair.kind = kind;
        pair.feature_a = feature_a;
        pair.feature_b = feature_b;
        return pair;
    }

    void test(const Side<Place> &owner, int k, const Side<Place> &other, bool is_swapped) const
    {
        const auto vertex = static_cast<int32_t>(owner.indices[k]);
        const auto triangle = static_cast<int32_t>(other.triangle);
        NearPair pair = is_swapped ? pair_of(PLIANT_TRIANGLE_VERTEX, triangle, vertex)
                                   : pair_of(PLIANT_VERTEX_TRIANGLE, vertex, triangle);
        if (near_vertex_triangle(owner.corners[k], other.corners, distance, &pair))
            pairs->push_back(pair);
    }

    void test(const Edge<Place> &edge_a, const Edge<Place> &edge_b) const
    {
        const bool is_swapped = is_self && edge_a.number > edge_b.number;
        const Edge<Place> &first = is_swapped ? edge_b : edge_a,
                          &second = is_swapped ? edge_a : edge_b;
        NearPair pair = pair_of(PLIANT_EDGE_EDGE, first.number, second.number);
        if (near_edges(first.ends, second.ends, distance, &pair))
            pairs->push_back(pair);
    }
};

struct SweepSearch {
    using Place = SweepWay;
    const Body *a, *b;
    double earliest;
    static constexpr float distance = 0;
    static constexpr bool is_self = false;

    void test(const Side<Place> &owner, int k, const Side<Place> &other, bool)
    {
        earliest =
            std::min(earliest, additive_vertex_triangle(owner.corners[k], other.corners, earliest));
    }

    void test(const Edge<Place> &edge_a, const Edge<Place> &edge_b)
    {
        earliest = std::min(earliest, additive_edges(edge_a.ends, edge_b.ends, earliest));
    }
};

// The vertices that a triangle owns, and another triangle.
template <class Search, class Triangle>
void test_vertices(Search *search, const Triangle &owner, const Triangle &other, bool is_swapped)
{
    for (int k = 0; k < 3; k++)
        if ((owner.owned >> k & 1) && !(search->is_self && other.has(owner.indices[k])) &&
            !are_far(box_of(owner.corners[k]), other.box, search->distance))
            search->test(owner, k, other, is_swapped);
}

// The edges that they own and that are not far from the other triangle.
template <class Search, class Triangle>
void test_edges(Search *search, const Triangle &a, const Triangle &b)
{
    using Line = Edge<typename Search::Place>;
    Line b_edges[3];
    int count = 0;
    for (int k = 0; k < 3; k++)
        if (b.owned >> (3 + k) & 1) {
            b_edges[count] = Line(b, k);
            count += !are_far(b_edges[count].box, a.box, search->distance);
        }
    for (int k = 0; count > 0 && k < 3; k++) {
        if (!(a.owned >> (3 + k) & 1))
            continue;
        const Line edge(a, k);
        for (int i = 0; i < count; i++)
            if (!(search->is_self && edge.shares_an_end(b_edges[i])) &&
                !are_far(edge.box, b_edges[i].box, search->distance))
                search->test(edge, b_edges[i]);
    }
}

template <class Search> void decide(void *data, RTCCollision *candidates, unsigned int count)
{
    auto *search = static_cast<Search *>(data);
    for (unsigned int i = 0; i < count; i++) {
        const RTCCollision &candidate = candidates[i];
        if (search->is_self && candidate.primID0 >= candidate.primID1)
            continue; // each two come twice
        const uint8_t owned_a = search->a->features.owned[candidate.primID0],
                      owned_b = search->b->features.owned[candidate.primID1];
        if (!((owned_a | owned_b) & 7) && !(owned_a && owned_b))
            continue;
        const Side<typename Search::Place> a(*search->a, candidate.primID0),
            b(*search->b, candidate.primID1);
        if (are_far(a.box, b.box, search->distance))
            continue;
        test_vertices(search, a, b, false);
        test_vertices(search, b, a, !search->is_self);
        test_edges(search, a, b);
    }
}

class FeatureEmbree : public FeaturePeer
{
  public:
    FeatureEmbree(const FeatureQuery &asked, const FreeScene &scene, const float *const *rest,
                  FreePosing start, FreePosing end)
        : query(asked), posing_start(std::move(start)), posing_end(std::move(end)),
          device(embree_device()), bodies(scene.size())
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            Body &body = bodies[i];
            body.mesh = scene[i];
            body.features = find_features(scene[i]);
            body.posed_start.assign(rest[i],
                                    rest[i] + 3 * static_cast<size_t>(scene[i].vertex_count));
            body.posed_end = body.posed_start;
            body.start = body.posed_start.data();
            body.end = body.posed_end.data();
            body.half = 0.5f * query.distance;
            body.is_sweep = query.is_sweep;
            body.tree.build(device, RTC_BUILD_QUALITY_REFIT, scene[i].triangle_count, &body,
                            triangle_bounds);
        }
    }

    ~FeatureEmbree() override
    {
        for (Body &body : bodies)
            body.tree.release();
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
            if (posing_start)
                posing_start(i, body.posed_start.data());
            else
                body.start = start[i];
            if (posing_end)
                posing_end(i, body.posed_end.data());
            else if (query.is_sweep)
                body.end = end[i];
            body.tree.commit();
        }
    }

    void find(float until) override
    {
        const Body *a = &bodies.front(), *b = &bodies.back();
        found.pairs.clear();
        if (query.is_sweep) {
            const double never = std::nextafter(double{until}, 2.0); // later than times that count
            SweepSearch search{a, b, never};
            rtcCollide(a->tree.scene, b->tree.scene, decide<SweepSearch>, &search);
            found.earliest = search.earliest < never ? search.earliest : INFINITY;
        } else {
            NearSearch search{a, b, query.distance, bodies.size() == 1, &found.pairs};
            rtcCollide(a->tree.scene, b->tree.scene, decide<NearSearch>, &search);
        }
    }

    const FeatureAnswer &answer() override
    {
        return found;
    }

  private:
    FeatureQuery query;
    FreePosing posing_start, posing_end;
    RTCDevice device;
    std::vector<Body> bodies; // never resized: Embree keeps pointers to its elements
    FeatureAnswer found;
};
} // namespace

std::unique_ptr<FeaturePeer> make_feature_embree(const FeatureQuery &query, const FreeScene &scene,
                                                 const float *const *rest, FreePosing start,
                                                 FreePosing end)
{
    return std::make_unique<FeatureEmbree>(query, scene, rest, std::move(start), std::move(end));
}
