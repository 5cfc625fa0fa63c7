// The method that the hybrid update was first compared with, by our own hand: G. van den Bergen,
// "Efficient Collision Detection of Complex Deformable Models using AABB Trees", Journal of
// Graphics Tools 2(4), 1997, as summed up by Larsson and Akenine-Moller, 2001.
//
// A binary tree of boxes for each body, in the body's own axes: split at the middle of the longest
// side, one triangle a leaf. After a deformation every box is renewed, from the leaves up. Two
// trees are walked together, the larger box opened first. Their axes differ, so boxes are compared
// along the six normals of their faces ("SAT lite"); the nine directions that are normal to two
// edges are left out, which costs some needless visits and loses nothing.
//
// Vertices come here in world coordinates, so the axes of every body are those of the world. They
// are kept for each body all the same, and the test is the one for any rotation: what is timed is
// the price of his method, without the transformation into the body's axes that his bodies do not
// need.
#include "free_peers.h"

#include <cmath>

namespace
{
// Children stand side by side, and after their parent.
struct Node {
    float lower[3], upper[3];
    int32_t child; // the first of two, or 0 in a leaf: the root is nobody's child
    int32_t leaf;
};

// The triangles, in the order of the tree.
struct Leaf {
    uint32_t corners[3], triangle;
};

// Where a body's axes are.
struct Placement {
    float axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; // columns, in the world
    float origin[3] = {0, 0, 0};
};

// Where a stretch of the tree begins, in the lists of inner nodes and of leaves.
struct Stretch {
    size_t inner, leaf;
};

// So many inner nodes, and about as many leaves, stay in the cache between two passes over them.
constexpr size_t STRETCH = 1024;

struct Body {
    FreeMesh mesh;
    const float *vertices = nullptr; // borrowed until the next update
    Placement placement;
    std::vector<Node> nodes;
    std::vector<Leaf> leaves;
    std::vector<int32_t> leaf_nodes, inner_nodes; // where they are; both parents first, left first
    std::vector<Stretch> stretches;
    int depth = 0;
};

// ---- Building ---------------------------------------------------------------------------------

// A triangle while the tree is built.
struct Item {
    float lower[3], upper[3];
    uint32_t triangle;
};

// A node that is still to be made of items begin .. end - 1.
struct Task {
    int32_t node;
    size_t begin, end;
    int depth;
};

std::vector<Item> items_of(const FreeMesh &mesh, const float *vertices)
{
    std::vector<Item> items(static_cast<size_t>(mesh.triangle_count));
    for (size_t i = 0; i < items.size(); i++) {
        items[i].triangle = static_cast<uint32_t>(i);
        free_triangle_box(mesh, vertices, items[i].triangle, items[i].lower, items[i].upper);
    }
    return items;
}

template <class Box> void include(Node *node, const Box &box)
{
    for (int k = 0; k < 3; k++) {
        node->lower[k] = std::min(node->lower[k], box.lower[k]);
        node->upper[k] = std::max(node->upper[k], box.upper[k]);
    }
}

Node box_of(const std::vector<Item> &items, size_t begin, size_t end)
{
    Node node{};
    std::copy_n(items[begin].lower, 3, node.lower);
    std::copy_n(items[begin].upper, 3, node.upper);
    for (size_t i = begin + 1; i < end; i++)
        include(&node, items[i]);
    return node;
}

int longest_side(const Node &node)
{
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (node.upper[k] - node.lower[k] > node.upper[longest] - node.lower[longest])
            longest = k;
    return longest;
}

// Where the second child begins: triangles go by their midpoints, or by halves if all of these are
// on one side.
size_t split(std::vector<Item> *items, size_t begin, size_t end, const Node &node)
{
    const int axis = longest_side(node);
    const float twice_middle = node.lower[axis] + node.upper[axis];
    const auto first = items->begin();
    const auto middle = std::partition(
        first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end),
        [&](const Item &item) { return item.lower[axis] + item.upper[axis] < twice_middle; });
    const auto index = static_cast<size_t>(middle - first);
    return index == begin || index == end ? begin + (end - begin) / 2 : index;
}

void add_leaf(Body *body, int32_t node, uint32_t triangle)
{
    const uint32_t *index = free_indices(body->mesh, triangle);
    body->nodes[static_cast<size_t>(node)].leaf = static_cast<int32_t>(body->leaves.size());
    body->leaves.push_back({{index[0], index[1], index[2]}, triangle});
    body->leaf_nodes.push_back(node);
}

void build(Body *body, const float *rest)
{
    std::vector<Item> items = items_of(body->mesh, rest);
    std::vector<Task> tasks{{0, 0, items.size(), 0}};
    body->nodes.resize(2 * items.size() - 1);
    int32_t used = 1;
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        Node *node = &body->nodes[static_cast<size_t>(task.node)];
        *node = box_of(items, task.begin, task.end);
        body->depth = std::max(body->depth, task.depth);
        if (task.end - task.begin == 1) {
            add_leaf(body, task.node, items[task.begin].triangle);
            continue;
        }
        if (body->inner_nodes.size() % STRETCH == 0)
            body->stretches.push_back({body->inner_nodes.size(), body->leaves.size()});
        body->inner_nodes.push_back(task.node);
        node->child = used;
        const size_t middle = split(&items, task.begin, task.end, *node);
        tasks.push_back({used + 1, middle, task.end, task.depth + 1});
        tasks.push_back({used, task.begin, middle, task.depth + 1});
        used += 2;
    }
}

// ---- Update -----------------------------------------------------------------------------------

void refit_leaves(Body *body, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const uint32_t *index = body->leaves[i].corners;
        const float *p = free_vertex(body->vertices, index[0]);
        const float *q = free_vertex(body->vertices, index[1]);
        const float *r = free_vertex(body->vertices, index[2]);
        Node *node = &body->nodes[static_cast<size_t>(body->leaf_nodes[i])];
        for (int k = 0; k < 3; k++) {
            node->lower[k] = std::min(std::min(p[k], q[k]), r[k]);
            node->upper[k] = std::max(std::max(p[k], q[k]), r[k]);
        }
    }
}

void refit_inner(Body *body, size_t begin, size_t end)
{
    Node *nodes = body->nodes.data();
    for (size_t i = end; i-- > begin;) {
        Node *node = &nodes[body->inner_nodes[i]];
        const Node *child = &nodes[node->child];
        for (int k = 0; k < 3; k++) {
            node->lower[k] = std::min(child[0].lower[k], child[1].lower[k]);
            node->upper[k] = std::max(child[0].upper[k], child[1].upper[k]);
        }
    }
}

// From the back, so that children come before their parents. Leaves and inner nodes of a stretch in
// a loop each: one loop for both would guess wrong at every few nodes, and cost a third more.
void refit(Body *body, const float *vertices)
{
    body->vertices = vertices;
    if (body->mesh.is_unchanged)
        return;
    Stretch end = {body->inner_nodes.size(), body->leaves.size()};
    for (size_t i = body->stretches.size(); i-- > 0;) {
        const Stretch begin = body->stretches[i];
        refit_leaves(body, begin.leaf, end.leaf);
        refit_inner(body, begin.inner, end.inner);
        end = begin;
    }
    refit_leaves(body, 0, end.leaf); // of a body with one triangle
}

// ---- Query ------------------------------------------------------------------------------------

// How the axes of b stand in those of a. Lengths and places are doubled throughout, which saves the
// halving of boxes to centers and half sizes.
struct Relation {
    float rotation[3][3], absolute[3][3], offset[3];
    float slack;
};

float largest_coordinate(const Node &box)
{
    float largest = 0;
    for (int k = 0; k < 3; k++)
        largest = std::max({largest, std::fabs(box.lower[k]), std::fabs(box.upper[k])});
    return largest;
}

// The slack: let m bound all coordinates and the offset, and u = 2^-24. Doubled centers and sizes
// are at most 2m, and off by 2um. A place of b seen from a is at most 10m and off by 60um, with 3u
// for each entry of the rotation; projected on an axis of b it is off by 350um, and the sizes
// projected on any axis by 60um. All of it stays below 512um = 2^-15 m, so boxes that overlap are
// never found apart.
Relation relate(const Body &a, const Body &b)
{
    Relation relation{};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const float *row = a.placement.axes[k];
            relation.offset[i] += 2 * row[i] * (b.placement.origin[k] - a.placement.origin[k]);
            for (int j = 0; j < 3; j++)
                relation.rotation[i][j] += row[i] * b.placement.axes[k][j];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            relation.absolute[i][j] = std::fabs(relation.rotation[i][j]);
    float largest = std::max(largest_coordinate(a.nodes[0]), largest_coordinate(b.nodes[0]));
    for (float x : relation.offset)
        largest = std::max(largest, std::fabs(x));
    relation.slack = std::ldexp(largest, -15);
    return relation;
}

// SAT lite: does the normal of a face separate the boxes?
inline bool are_apart(const Relation &relation, const Node &a, const Node &b)
{
    float size_a[3], size_b[3], place_b[3], between[3];
    for (int k = 0; k < 3; k++) {
        size_a[k] = a.upper[k] - a.lower[k];
        size_b[k] = b.upper[k] - b.lower[k];
        place_b[k] = b.upper[k] + b.lower[k];
    }
    for (int i = 0; i < 3; i++) {
        const float *r = relation.rotation[i], *s = relation.absolute[i];
        between[i] = r[0] * place_b[0] + r[1] * place_b[1] + r[2] * place_b[2] +
                     relation.offset[i] - (a.upper[i] + a.lower[i]);
        const float reach = size_a[i] + s[0] * size_b[0] + s[1] * size_b[1] + s[2] * size_b[2];
        if (std::fabs(between[i]) > reach + relation.slack)
            return true;
    }
    for (int j = 0; j < 3; j++) {
        const auto &r = relation.rotation, &s = relation.absolute;
        const float apart = r[0][j] * between[0] + r[1][j] * between[1] + r[2][j] * between[2];
        const float reach =
            size_b[j] + s[0][j] * size_a[0] + s[1][j] * size_a[1] + s[2][j] * size_a[2];
        if (std::fabs(apart) > reach + relation.slack)
            return true;
    }
    return false;
}

inline float volume(const Node &box)
{
    return (box.upper[0] - box.lower[0]) * (box.upper[1] - box.lower[1]) *
           (box.upper[2] - box.lower[2]);
}

// Of two nodes that are not both leaves: is a to be opened?
inline bool opens_first(const Node &a, const Node &b)
{
    if (!a.child || !b.child)
        return a.child != 0;
    return volume(a) > volume(b);
}

bool leaves_overlap(const Body &a, const Leaf &leaf_a, const Body &b, const Leaf &leaf_b)
{
    float corners_a[9], corners_b[9];
    for (int i = 0; i < 3; i++) {
        std::copy_n(free_vertex(a.vertices, leaf_a.corners[i]), 3, corners_a + 3 * i);
        std::copy_n(free_vertex(b.vertices, leaf_b.corners[i]), 3, corners_b + 3 * i);
    }
    return pliant_triangles_intersect(corners_a, corners_b);
}

// Two nodes that are still to be compared.
struct NodePair {
    int32_t a, b;
};

class BergenPeer : public FreePeer
{
  public:
    BergenPeer(const FreeScene &scene, const float *const *rest_vertices) : bodies(scene.size())
    {
        for (size_t i = 0; i < bodies.size(); i++) {
            bodies[i].mesh = scene[i];
            build(&bodies[i], rest_vertices[i]);
        }
    }

    const char *name() const override
    {
        return "Bergen";
    }

    void update(const float *const *vertices) override
    {
        for (size_t i = 0; i < bodies.size(); i++)
            refit(&bodies[i], vertices[i]);
    }

    void all_pairs(const FreeBodies &close) override
    {
        found.clear();
        for (const auto &[a, b] : close)
            traverse(a, b, &found);
    }

    bool first_pair(int body_a, int body_b) override
    {
        return traverse(body_a, body_b, nullptr);
    }

  private:
    // Stops at the first pair if there is nowhere to list them.
    bool traverse(int body_a, int body_b, std::vector<FreePair> *pairs)
    {
        const Body &a = bodies[static_cast<size_t>(body_a)];
        const Body &b = bodies[static_cast<size_t>(body_b)];
        const Relation relation = relate(a, b);
        // Each step down leaves one pair waiting.
        waiting.resize(static_cast<size_t>(a.depth + b.depth + 1));
        NodePair *top = waiting.data();
        *top++ = {0, 0};
        bool any = false;
        while (top != waiting.data()) {
            const NodePair pair = *--top;
            const Node &node_a = a.nodes[static_cast<size_t>(pair.a)];
            const Node &node_b = b.nodes[static_cast<size_t>(pair.b)];
            if (are_apart(relation, node_a, node_b))
                continue;
            if (!node_a.child && !node_b.child) {
                const Leaf &leaf_a = a.leaves[static_cast<size_t>(node_a.leaf)];
                const Leaf &leaf_b = b.leaves[static_cast<size_t>(node_b.leaf)];
                if (!leaves_overlap(a, leaf_a, b, leaf_b))
                    continue;
                any = true;
                if (!pairs)
                    break;
                pairs->push_back({body_a, body_b, leaf_a.triangle, leaf_b.triangle});
            } else if (opens_first(node_a, node_b)) {
                *top++ = {node_a.child + 1, pair.b};
                *top++ = {node_a.child, pair.b};
            } else {
                *top++ = {pair.a, node_b.child + 1};
                *top++ = {pair.a, node_b.child};
            }
        }
        return any;
    }

    std::vector<Body> bodies;
    std::vector<NodePair> waiting;
};
} // namespace

std::unique_ptr<FreePeer> make_bergen(const FreeScene &scene, const float *const *rest_vertices)
{
    return std::make_unique<BergenPeer>(scene, rest_vertices);
}
