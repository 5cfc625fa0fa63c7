// pliant-bench-peers played: sequences, every frame of which is played once. See played.h.
//
// Embree's refit is the peer: of all libraries in `pliant-bench-peers free` it is the fastest. For
// soups there is Embree's build too. CGAL is the oracle of the pairs.
#include "character_runs.h"
#include "morph_runs.h"
#include "peers.h"
#include "played.h"
#include "pliant_world.h"

#include <cstdio>

namespace
{
constexpr uint32_t AVX2 = PLIANT_CPU_VECTOR128 | PLIANT_CPU_AVX2;

std::shared_ptr<FreePeer> ours(const char *name, uint32_t mask, const FreeScene &scene,
                               const float *const *rest)
{
    return make_pliant({name, mask, PLIANT_UPDATE_HYBRID, false, nullptr}, scene, rest);
}

// The frames of a film in which boxes of bodies overlap.
std::function<bool(size_t)> close_frames(const std::shared_ptr<Film> &film)
{
    return [film](size_t frame) { return film->is_close(frame); };
}

// ---- Every vertex moves -----------------------------------------------------------------------

struct Played {
    const char *key;
    int from, to;             // steps
    int count_from, count_to; // those that are measured
    int passes;
    size_t oracle_stride;
};

int play_free(const FreeMotion &motion, const Played &played)
{
    const FreeScene scene = free_scene(motion);
    const auto film = std::make_shared<Film>(motion, played.from, played.to);
    const FreeFrame rest(motion);
    Sequence sequence{played.key,
                      {},
                      film->frame_count(),
                      [&](size_t frame) {
                          const int step = film->step(frame);
                          return film->is_close(frame) && step >= played.count_from &&
                                 step < played.count_to;
                      },
                      played.passes,
                      {},
                      played.oracle_stride};
    const auto add = [&](bool is_peer, std::shared_ptr<FreePeer> peer) {
        sequence.players.push_back(make_player(is_peer, std::move(peer), film, false));
    };
    add(false, ours("pliant", PLIANT_CPU_ALL, scene, rest.vertices()));
    add(false, ours("pliant-avx2", AVX2, scene, rest.vertices()));
    add(true, make_embree(scene, rest.vertices()));
    sequence.oracle = make_player(true, make_cgal(scene, rest.vertices()), film, false);
    return play_sequence(&sequence);
}

int play_spheres(bool is_quick)
{
    constexpr int S1 = 5, BIG = 8, CONTACT = 55, LAST = SCENE_BUMPY_STEPS;
    const auto s1 = free_bumpy(scene_icosphere(S1));
    int failed = play_free(*s1, {"s1.vs_best_peer", is_quick ? 150 : 0, LAST, 0, LAST,
                                 is_quick ? 1 : 3, is_quick ? size_t{10} : size_t{4}});
    failed |= play_free(*s1, {"s1.first_contact", CONTACT - 15, CONTACT + 5, CONTACT - 5,
                              CONTACT + 5, is_quick ? 3 : 9, 5});
    const auto crowd = free_crowd(4);
    failed |= play_free(*crowd, {"crowd.vs_best_peer", is_quick ? 180 : 0, SCENE_CROWD_STEPS, 0,
                                 SCENE_CROWD_STEPS, is_quick ? 1 : 3, size_t{20}});
    if (is_quick)
        return failed;
    const auto big = free_bumpy(scene_icosphere(BIG));
    return failed | play_free(*big, {"big.vs_best_peer", LAST - 40, LAST, 0, LAST, 2, 20});
}

// ---- Morphs -----------------------------------------------------------------------------------

int play_dolphins(const std::string &key, int size, int from, int to, int passes,
                  size_t oracle_stride)
{
    const auto motion = morph_dolphins(size);
    const auto film = std::make_shared<Film>(*motion, from, to);
    const FreeFrame rest(*motion);
    MorphPose pose(*motion);
    const auto go_to = [&pose](int step) { pose.go_to(step); };
    int failed = 0;
    for (bool is_first_wanted : {false, true}) {
        Sequence sequence{key + (is_first_wanted ? ".first" : ".all"),
                          {},
                          film->frame_count(),
                          close_frames(film),
                          passes,
                          {},
                          oracle_stride};
        sequence.players.push_back(make_player(false, make_morph("pliant", PLIANT_CPU_ALL, pose),
                                               film, is_first_wanted, go_to));
        sequence.players.push_back(make_player(false, make_morph("pliant-avx2", AVX2, pose), film,
                                               is_first_wanted, go_to));
        sequence.players.push_back(make_player(
            true, make_embree(free_scene(*motion), rest.vertices()), film, is_first_wanted));
        if (!is_first_wanted)
            sequence.oracle = make_player(true, make_cgal(free_scene(*motion), rest.vertices()),
                                          film, is_first_wanted);
        failed |= play_sequence(&sequence);
    }
    return failed;
}

// ---- Characters -------------------------------------------------------------------------------

int play_character(const char *key, const CharacterMotion &motion, int from, int to, int passes,
                   bool has_oracle)
{
    const auto film = std::make_shared<Film>(motion, from, to);
    const FreeFrame rest(motion);
    CharacterPose pose(motion);
    Sequence sequence{key, {}, film->frame_count(), close_frames(film), passes, {}, 10};
    sequence.players.push_back(make_player(false, make_character("pliant", pose), film, false,
                                           [&pose](int step) { pose.go_to(step); }));
    sequence.players.push_back(
        make_player(true, make_embree(free_scene(motion), rest.vertices()), film, false));
    if (has_oracle)
        sequence.oracle =
            make_player(true, make_cgal(free_scene(motion), rest.vertices()), film, false);
    return play_sequence(&sequence);
}

// ---- Soups ------------------------------------------------------------------------------------

// Two clouds of triangles that move on.
class SoupMotion : public FreeMotion
{
  public:
    explicit SoupMotion(int frame_count)
    {
        SceneSoup scene = scene_soup(SCENE_SOUP_EVEN, SCENE_SOUP_COHERENT, COUNT, 1);
        for (int frame = 0; frame < frame_count; frame++) {
            for (int body = 0; body < 2; body++)
                steps.emplace_back(scene.corners[body], scene.corners[body] + 9 * COUNT);
            scene_soup_next(&scene);
        }
        scene_soup_free(&scene);
        all.vertex_count = 3 * COUNT;
        all.triangle_count = COUNT;
    }

    const SceneMesh &mesh() const override
    {
        return all;
    }

    int body_count() const override
    {
        return 2;
    }

    int step_count() const override
    {
        return static_cast<int>(steps.size() / 2);
    }

    void index(int body, int step, float *vertices) const override
    {
        const std::vector<float> &from = steps[static_cast<size_t>(2 * step + body)];
        std::copy(from.begin(), from.end(), vertices);
    }

  private:
    static constexpr int32_t COUNT = 40000;
    SceneMesh all{}; // without indices: all vertices in turn
    std::vector<std::vector<float>> steps;
};

int play_soups(bool is_quick)
{
    const SoupMotion motion(is_quick ? 8 : SCENE_SOUP_STEPS);
    const FreeScene scene = free_scene(motion);
    const auto film = std::make_shared<Film>(motion, 0, motion.step_count());
    const FreeFrame rest(motion);
    int failed = 0;
    for (bool is_refit : {false, true}) {
        Sequence sequence{is_refit ? "soup.vs_refit" : "soup.coherent",
                          {},
                          film->frame_count(),
                          close_frames(film),
                          is_quick ? 1 : 3,
                          {},
                          is_quick ? size_t{4} : size_t{20}};
        sequence.players.push_back(make_player(
            false, make_soup({"pliant", PLIANT_CPU_ALL, PLIANT_SOUP_AUTO}, scene), film, false));
        sequence.players.push_back(make_player(
            false, make_soup({"pliant-avx2", AVX2, PLIANT_SOUP_AUTO}, scene), film, false));
        if (is_refit)
            sequence.players.push_back(
                make_player(true, make_embree(scene, rest.vertices()), film, false));
        else
            for (FreeBuild build : {FreeBuild::Fast, FreeBuild::Good})
                sequence.players.push_back(make_player(
                    true, make_embree_anew(build, scene, rest.vertices()), film, false));
        sequence.oracle = make_player(true, make_cgal(scene, rest.vertices()), film, false);
        failed |= play_sequence(&sequence);
    }
    return failed;
}

// ---- The face ---------------------------------------------------------------------------------

// A face and a hand, by weights or by vertices that are blended in each frame.
class Face : public PliantWorldPeer<FreePeer>
{
  public:
    Face(bool is_free, const SceneMorph &morph, const SceneMesh &hand)
        : PliantWorldPeer(PLIANT_CPU_ALL), is_blended(is_free), face(&morph),
          blended(3 * static_cast<size_t>(morph.mesh.vertex_count))
    {
        std::vector<PliantTarget> targets;
        PliantShapeDef def = morph_shape_def(morph, &targets);
        if (is_blended)
            def.target_count = 0;
        add(def);
        def = pliant_shape_def_default();
        def.vertices = {hand.vertices, hand.vertex_count, 0};
        def.triangles = {hand.triangles, hand.triangle_count};
        add(def);
    }

    const char *name() const override
    {
        return is_blended ? "pliant-blended" : "pliant-morph";
    }

    void go_to(int step)
    {
        scene_face_weights(step, weights);
        scene_hand_rows(step, hand_transform.rows);
    }

    void update(const float *const *) override
    {
        if (is_blended) {
            scene_morph_vertices(face, weights, nullptr, blended.data());
            bench_must(pliant_body_borrow_vertices(world, bodies[0],
                                                   {blended.data(), face->mesh.vertex_count, 0}));
        } else {
            bench_must(pliant_body_set_weights(world, bodies[0], weights, SCENE_FACE_TARGETS));
        }
        bench_must(pliant_body_set_transform(world, bodies[1], &hand_transform));
    }

    bool is_close()
    {
        update(nullptr);
        PliantBodyPairs pairs = pliant_body_pairs_default();
        bench_must(pliant_world_body_pairs(world, nullptr, &pairs));
        return pairs.count > 0;
    }

  private:
    void add(const PliantShapeDef &def)
    {
        PliantShape *shape;
        bench_must(pliant_shape_create(&def, &shape));
        add_body(shape);
        pliant_shape_release(shape);
    }

    bool is_blended;
    const SceneMorph *face;
    std::vector<float> blended;
    float weights[SCENE_FACE_TARGETS];
    PliantTransform hand_transform;
};

Player face_player(const std::shared_ptr<Face> &face, bool is_peer)
{
    Player player;
    player.name = face->name();
    player.is_peer = is_peer;
    player.go_to = [face](size_t frame) { face->go_to(static_cast<int>(frame)); };
    player.play = [face] {
        face->update(nullptr);
        face->all_pairs({});
    };
    player.answers = [face] { return free_answers(face->pairs()); };
    return player;
}

int play_face(bool is_quick)
{
    SceneMorph morph = scene_face();
    SceneMesh hand = scene_hand();
    const auto by_weights = std::make_shared<Face>(false, morph, hand),
               blended = std::make_shared<Face>(true, morph, hand);
    std::vector<bool> close;
    for (int step = 0; step < SCENE_FACE_STEPS; step++) {
        blended->go_to(step);
        close.push_back(blended->is_close());
    }
    Sequence sequence{"face",
                      {face_player(by_weights, false), face_player(blended, true)},
                      SCENE_FACE_STEPS,
                      [&close](size_t frame) { return close[frame]; },
                      is_quick ? 1 : 5,
                      {},
                      5};
    const int failed = play_sequence(&sequence);
    scene_morph_free(&morph);
    scene_mesh_free(&hand);
    return failed;
}
} // namespace

int peers_played(const BenchOptions *options)
{
    const bool is_quick = options->is_quick;
    int failed = play_spheres(is_quick);
    failed |= is_quick ? play_dolphins("morph36k", 3, 200, 220, 1, 10)
                       : play_dolphins("morph36k", 3, 0, SCENE_DOLPHIN_STEPS, 2, 40);
    failed |= play_face(is_quick);
    const auto museum = character_walk(SCENE_MUSEUM, 0.25);
    failed |= play_character("museum_cut", *museum, is_quick ? 100 : 0, SCENE_WALK_STEPS,
                             is_quick ? 1 : 3, true);
    failed |= play_soups(is_quick);
    if (is_quick)
        return failed;
    failed |= play_dolphins("morph147k", 4, 100, 300, 1, 40);
    const auto crowd = character_crowd(SCENE_VISITORS);
    return failed | play_character("crowd100", *crowd, 100, 108, 2, false);
}
