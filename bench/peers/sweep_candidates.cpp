// Candidates by sort and sweep, and steps of simulations from files: see sweep_runs.h.
#include "sweep_runs.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <tuple>

// ---- Candidates -------------------------------------------------------------------------------

namespace
{
struct Box {
    float lower[3], upper[3];
    uint32_t feature;
};

using Boxes = std::vector<Box>;

// The boxes of whole ways of features with so many vertices each.
Boxes boxes_of(const SweepMesh &mesh, const uint32_t *indices, size_t corner_count, size_t count)
{
    Boxes boxes(count);
    for (size_t i = 0; i < count; i++) {
        Box &box = boxes[i];
        box.feature = static_cast<uint32_t>(i);
        std::fill_n(box.lower, 3, INFINITY);
        std::fill_n(box.upper, 3, -INFINITY);
        for (size_t corner = 0; corner < corner_count; corner++) {
            const size_t vertex = indices ? indices[corner_count * i + corner] : i;
            for (const float *end : {&mesh.start[3 * vertex], &mesh.end[3 * vertex]})
                for (int k = 0; k < 3; k++) {
                    box.lower[k] = std::min(box.lower[k], end[k]);
                    box.upper[k] = std::max(box.upper[k], end[k]);
                }
        }
    }
    return boxes;
}

// The axis along which the boxes are shortest, compared with all of them together.
int best_axis(const Boxes &boxes)
{
    int best = 0;
    double best_part = INFINITY;
    for (int k = 0; k < 3; k++) {
        double lower = INFINITY, upper = -INFINITY, sum = 0;
        for (const Box &box : boxes) {
            lower = std::min(lower, double{box.lower[k]});
            upper = std::max(upper, double{box.upper[k]});
            sum += double{box.upper[k]} - box.lower[k];
        }
        if (sum < best_part * (upper - lower)) {
            best = k;
            best_part = sum / (upper - lower);
        }
    }
    return best;
}

void sort_along(Boxes *boxes, int axis)
{
    std::sort(boxes->begin(), boxes->end(), [axis](const Box &a, const Box &b) {
        return std::tie(a.lower[axis], a.feature) < std::tie(b.lower[axis], b.feature);
    });
}

// Those of `others` from `first` on that start within a box and overlap it.
template <class Found>
void scan(const Box &box, const Boxes &others, size_t first, int axis, const Found &found)
{
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    for (size_t i = first; i < others.size() && others[i].lower[axis] <= box.upper[axis]; i++) {
        const Box &other = others[i];
        if ((other.lower[y] <= box.upper[y]) & (box.lower[y] <= other.upper[y]) &
            (other.lower[z] <= box.upper[z]) & (box.lower[z] <= other.upper[z]))
            found(box.feature, other.feature);
    }
}

template <class Found>
void sweep_two(const Boxes &as, const Boxes &bs, int axis, const Found &found)
{
    size_t a = 0, b = 0;
    while (a < as.size() && b < bs.size()) {
        if (as[a].lower[axis] <= bs[b].lower[axis])
            scan(as[a++], bs, b, axis, found);
        else
            scan(bs[b++], as, a, axis,
                 [&found](uint32_t of_b, uint32_t of_a) { found(of_a, of_b); });
    }
}

// Keeps every so many, and half of them once there are too many.
class Chosen
{
  public:
    Chosen(const SweepMesh &of, int64_t limit) : mesh(&of), at_most(limit)
    {
    }

    void add(const uint32_t *pair)
    {
        if (shares_a_vertex(pair) || is_within_one(pair))
            return;
        if (found++ % stride != 0)
            return;
        pairs.insert(pairs.end(), pair, pair + 4);
        if (static_cast<int64_t>(pairs.size() / 4) > at_most)
            halve();
    }

    SweepCandidates take()
    {
        return {std::move(pairs), found};
    }

  private:
    // Vertices 0 and 1 are those of two edges; those of a triangle differ anyway.
    static bool shares_a_vertex(const uint32_t *pair)
    {
        return (pair[0] == pair[2]) | (pair[0] == pair[3]) | (pair[1] == pair[2]) |
               (pair[1] == pair[3]) | (pair[0] == pair[1]);
    }

    bool is_within_one(const uint32_t *pair) const
    {
        const size_t first = mesh->first_of_second;
        return first > 0 && (pair[0] < first) == (pair[3] < first);
    }

    void halve()
    {
        stride *= 2;
        const size_t kept = (pairs.size() / 4 + 1) / 2;
        for (size_t i = 0; i < kept; i++)
            std::copy_n(&pairs[8 * i], 4, &pairs[4 * i]);
        pairs.resize(4 * kept);
    }

    const SweepMesh *mesh;
    int64_t at_most, found = 0, stride = 1;
    std::vector<uint32_t> pairs;
};

void find_vertex_triangle(const SweepMesh &mesh, Chosen *chosen)
{
    Boxes vertices = boxes_of(mesh, nullptr, 1, mesh.vertex_count());
    Boxes triangles = boxes_of(mesh, mesh.triangles.data(), 3, mesh.triangles.size() / 3);
    const int axis = best_axis(triangles);
    sort_along(&vertices, axis);
    sort_along(&triangles, axis);
    sweep_two(vertices, triangles, axis, [&](uint32_t vertex, uint32_t triangle) {
        const uint32_t *corners = &mesh.triangles[3 * static_cast<size_t>(triangle)];
        const uint32_t pair[4] = {vertex, corners[0], corners[1], corners[2]};
        chosen->add(pair);
    });
}

void find_edges(const SweepMesh &mesh, Chosen *chosen)
{
    Boxes edges = boxes_of(mesh, mesh.edges.data(), 2, mesh.edges.size() / 2);
    const int axis = best_axis(edges);
    sort_along(&edges, axis);
    for (size_t i = 0; i < edges.size(); i++)
        scan(edges[i], edges, i + 1, axis, [&](uint32_t first, uint32_t second) {
            const uint32_t *a = &mesh.edges[2 * static_cast<size_t>(first)],
                           *b = &mesh.edges[2 * static_cast<size_t>(second)];
            const uint32_t pair[4] = {a[0], a[1], b[0], b[1]};
            chosen->add(pair);
        });
}
} // namespace

std::vector<uint32_t> sweep_edges(const std::vector<uint32_t> &triangles)
{
    std::vector<std::pair<uint32_t, uint32_t>> sides;
    for (size_t i = 0; i < triangles.size(); i++) {
        const uint32_t from = triangles[i], to = triangles[i - i % 3 + (i + 1) % 3];
        sides.emplace_back(std::min(from, to), std::max(from, to));
    }
    std::sort(sides.begin(), sides.end());
    sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
    std::vector<uint32_t> edges;
    for (const auto &[a, b] : sides) {
        edges.push_back(a);
        edges.push_back(b);
    }
    return edges;
}

SweepCandidates sweep_candidates(const SweepMesh &mesh, PliantFeatures kind, int64_t at_most)
{
    Chosen chosen(mesh, at_most);
    if (kind == PLIANT_VERTEX_TRIANGLE)
        find_vertex_triangle(mesh, &chosen);
    else
        find_edges(mesh, &chosen);
    return chosen.take();
}

// ---- Files ------------------------------------------------------------------------------------

namespace
{
const struct {
    const char *name, *start, *end;
} files[] = {
    {"n-body-simulation", "balls16_18", "balls16_19"},
    {"cloth-ball", "cloth_ball92", "cloth_ball93"},
    {"cloth-funnel", "227", "228"},
    {"armadillo-rollers", "326", "327"},
    {"rod-twist", "3036", "3037"},
};

// The numbers of a binary PLY file.
class Numbers
{
  public:
    Numbers(const std::string &content, size_t from, bool big)
        : bytes(&content), at(from), is_big(big)
    {
    }

    template <class Number> Number next()
    {
        char part[sizeof(Number)] = {};
        Number number;
        if (at + sizeof part <= bytes->size())
            std::memcpy(part, bytes->data() + at, sizeof part);
        at += sizeof part;
        if (is_big)
            std::reverse(part, part + sizeof part);
        std::memcpy(&number, part, sizeof number);
        return number;
    }

    void skip(size_t size)
    {
        at += size;
    }

    bool are_all_read() const
    {
        return at == bytes->size();
    }

  private:
    const std::string *bytes;
    size_t at;
    bool is_big; // and this machine is not
};

size_t number_after(const std::string &text, const char *word)
{
    const size_t at = text.find(word);
    return at == std::string::npos ? 0 : std::strtoul(&text[at + std::strlen(word)], nullptr, 10);
}

// Only what these files have: x, y and z of vertices, colors, and lists of triangles.
bool read_ply(const std::string &path, std::vector<float> *vertices,
              std::vector<uint32_t> *triangles)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string content = stream.str(), last = "end_header\n";
    const size_t end = content.find(last);
    if (end == std::string::npos)
        return false;
    const std::string header = content.substr(0, end);
    const bool are_doubles = header.find("property double x") != std::string::npos;
    const size_t color_size = header.find("property uchar red") != std::string::npos ? 3 : 0;
    Numbers numbers(content, end + last.size(),
                    header.find("binary_big_endian") != std::string::npos);
    vertices->resize(3 * number_after(header, "element vertex "));
    triangles->resize(3 * number_after(header, "element face "));
    for (size_t i = 0; i < vertices->size(); i++) {
        (*vertices)[i] =
            are_doubles ? static_cast<float>(numbers.next<double>()) : numbers.next<float>();
        if (i % 3 == 2)
            numbers.skip(color_size);
    }
    for (size_t i = 0; i < triangles->size(); i++) {
        if (i % 3 == 0 && numbers.next<uint8_t>() != 3)
            return false;
        (*triangles)[i] = numbers.next<uint32_t>();
        if ((*triangles)[i] >= vertices->size() / 3)
            return false;
    }
    return numbers.are_all_read() && !triangles->empty();
}
} // namespace

std::vector<SweepMesh> sweep_assets(const char *assets)
{
    std::vector<SweepMesh> meshes;
    for (const auto &file : files) {
        const std::string folder = std::string(assets) + "/ccd/" + file.name + "/frames/";
        SweepMesh mesh;
        std::vector<uint32_t> other;
        mesh.name = file.name;
        if (!read_ply(folder + file.start + ".ply", &mesh.start, &mesh.triangles) ||
            !read_ply(folder + file.end + ".ply", &mesh.end, &other) || mesh.triangles != other ||
            mesh.start.size() != mesh.end.size()) {
            std::printf("sweep: no %s in PLIANT_ASSETS, it is left out\n", file.name);
            continue;
        }
        mesh.edges = sweep_edges(mesh.triangles);
        meshes.push_back(std::move(mesh));
    }
    return meshes;
}
