// The vertices and edges of a mesh, each with one triangle that owns it, so that pairs of features
// come once from pairs of triangles.
#ifndef BENCH_FEATURES_H
#define BENCH_FEATURES_H

#include "free_peers.h"

// The edges of a mesh by rising vertices, and what each triangle owns: bits 0 to 2 for its
// vertices, 3 to 5 for its edges.
struct Features {
    std::vector<int32_t> triangle_edges;
    std::vector<uint8_t> owned;
};

inline Features find_features(const FreeMesh &mesh)
{
    const size_t corner_count = 3 * static_cast<size_t>(mesh.triangle_count);
    Features features{std::vector<int32_t>(corner_count),
                      std::vector<uint8_t>(static_cast<size_t>(mesh.triangle_count))};
    std::vector<std::pair<uint64_t, size_t>> sides;
    std::vector<bool> is_seen(static_cast<size_t>(mesh.vertex_count));
    for (size_t i = 0; i < corner_count; i++) {
        const uint32_t from = mesh.triangles[i], to = mesh.triangles[i - i % 3 + (i + 1) % 3];
        sides.emplace_back(uint64_t{std::min(from, to)} << 32 | std::max(from, to), i);
        if (!is_seen[from])
            features.owned[i / 3] |= static_cast<uint8_t>(1 << i % 3);
        is_seen[from] = true;
    }
    std::sort(sides.begin(), sides.end());
    int32_t edge = -1;
    for (size_t i = 0; i < sides.size(); i++) {
        const size_t side = sides[i].second;
        if (i == 0 || sides[i].first != sides[i - 1].first) {
            edge++;
            features.owned[side / 3] |= static_cast<uint8_t>(8 << side % 3);
        }
        features.triangle_edges[side] = edge;
    }
    return features;
}

#endif
