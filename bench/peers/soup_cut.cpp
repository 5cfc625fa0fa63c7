// Part of pliant-bench-peers soup: a ball of jelly that is cut, falls apart and fuses.
//
// The number of its triangles changes from frame to frame. Ours get the places of the jelly, some
// of which are empty; the peers get those that are not, one after the other, in a list that is made
// beforehand, and build their trees anew. The blade is a soup as well, of a few triangles.
#include "peers.h"
#include "soup_runs.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace
{
class Jelly
{
  public:
    explicit Jelly(int subdivisions) : cut(scene_cut(subdivisions))
    {
        take();
    }

    Jelly(const Jelly &) = delete;
    Jelly &operator=(const Jelly &) = delete;

    ~Jelly()
    {
        scene_cut_free(&cut);
    }

    void next()
    {
        scene_cut_next(&cut);
        take();
    }

    // As if they had just been written.
    const float *const *vertices()
    {
        jelly_now.assign(cut.vertices, cut.vertices + 3 * static_cast<size_t>(cut.vertex_count));
        blade_now = blade;
        pointers[0] = jelly_now.data();
        pointers[1] = blade_now.data();
        return pointers;
    }

    FreeScene scene(FreeRole role) const
    {
        const FreeMesh edge{cut.blade.vertex_count, cut.blade.triangle_count, cut.blade.triangles,
                            false};
        if (role == FreeRole::Ours)
            return {{cut.vertex_count, cut.index_count, cut.corners, false}, edge};
        return {{cut.vertex_count, cut.triangle_count, triangles.data(), false}, edge};
    }

    // From a place to what the peers call the triangle that is there.
    uint32_t number_of(uint32_t index) const
    {
        return numbers[index];
    }

    int32_t triangle_count() const
    {
        return cut.triangle_count;
    }

  private:
    void take()
    {
        triangles.clear();
        numbers.clear();
        for (size_t index = 0; index < static_cast<size_t>(cut.index_count); index++) {
            const uint32_t *corners = cut.corners + 3 * index;
            numbers.push_back(static_cast<uint32_t>(triangles.size() / 3));
            if (corners[0] != PLIANT_NO_VERTEX)
                triangles.insert(triangles.end(), corners, corners + 3);
        }
        move_blade();
    }

    void move_blade()
    {
        float rows[3][4];
        scene_cut_rows(cut.step, rows);
        blade.clear();
        for (int32_t i = 0; i < cut.blade.vertex_count; i++) {
            const float *p = cut.blade.vertices + 3 * i;
            for (const auto &row : rows)
                blade.push_back(row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]);
        }
    }

    SceneCut cut;
    std::vector<uint32_t> triangles, numbers;
    std::vector<float> blade, jelly_now, blade_now;
    const float *pointers[2] = {nullptr, nullptr};
};

Entrants enter(Jelly *jelly)
{
    Entrants entrants;
    soup_enter(&entrants, jelly->scene(FreeRole::Ours));
    const FreeScene scene = jelly->scene(FreeRole::Library);
#ifdef HAS_EMBREE
    for (FreeBuild build : {FreeBuild::Good, FreeBuild::Fast})
        add_entrant(&entrants, FreeRole::Library,
                    make_embree_anew(build, scene, jelly->vertices()));
#endif
    add_entrant(&entrants, FreeRole::Library, make_cgal(scene, jelly->vertices()));
    return entrants;
}

void run_entrant(Jelly *jelly, Entrant *entrant)
{
    const float *const *vertices = jelly->vertices();
    entrant->peer->remesh(jelly->scene(entrant->role));
    entrant->times.push_back(soup_time(entrant->peer.get(), vertices));
    std::vector<FreePair> pairs = entrant->peer->pairs();
    if (entrant->role == FreeRole::Ours)
        for (FreePair &pair : pairs)
            pair.triangle_a = jelly->number_of(pair.triangle_a);
    entrant->answers = free_answers(std::move(pairs));
}
} // namespace

int soup_cut(const BenchOptions *options)
{
    const int subdivisions = options->is_quick ? 4 : 5;
    const int frame_count = options->is_quick ? 20 : SCENE_CUT_STEPS;
    Jelly jelly(subdivisions);
    Entrants entrants = enter(&jelly);
    size_t max_pairs = 0;
    for (int frame = 0; frame < frame_count; frame++, jelly.next()) {
        for (Entrant &entrant : entrants)
            run_entrant(&jelly, &entrant);
        for (Entrant &entrant : entrants)
            entrant.different_frames += !free_agree(entrant.answers, entrants.back().answers);
        max_pairs = std::max(max_pairs, entrants.back().answers.pairs.size());
    }
    std::printf("cut: a jelly of %" PRId32 " triangles at the end, and a blade; %d frames; at most "
                "%zu pairs of triangles\n",
                jelly.triangle_count(), frame_count, max_pairs);
    soup_print("soup.cut.", entrants);
    return agree(entrants) ? 0 : 1;
}
