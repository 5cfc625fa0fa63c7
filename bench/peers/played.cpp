// Sequences as a user plays them: see played.h.
#include "played.h"

#include <cstdio>
#include <cstring>

// ---- Films ------------------------------------------------------------------------------------

Film::Film(const FreeMotion &motion, int from, int to) : first_step(from)
{
    FreeFrame frame(motion);
    for (int body = 0; body < motion.body_count(); body++) {
        const float *first = frame.vertices()[body];
        now.emplace_back(first, first + 3 * static_cast<size_t>(motion.mesh_of(body).vertex_count));
    }
    for (const std::vector<float> &body : now)
        pointers.push_back(body.data());
    for (int step = from; step < to; step++) {
        frame.go_to(step);
        frames.emplace_back();
        frames.back().close = frame.close();
        for (int body = 0; body < motion.body_count(); body++) {
            const float *first = frame.vertices()[body];
            frames.back().vertices.emplace_back();
            if (!motion.is_unchanged(body))
                frames.back().vertices.back().assign(
                    first, first + 3 * static_cast<size_t>(motion.mesh_of(body).vertex_count));
        }
    }
}

void Film::go_to(size_t frame)
{
    at = frame;
    for (size_t i = 0; i < now.size(); i++) {
        const std::vector<float> &from = frames[frame].vertices[i];
        if (!from.empty())
            std::memcpy(now[i].data(), from.data(), from.size() * sizeof(float));
    }
}

// ---- Players ----------------------------------------------------------------------------------

double Player::median() const
{
    return free_median(times);
}

double Player::late() const
{
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[(95 * sorted.size() - 1) / 100];
}

Player make_player(bool is_peer, std::shared_ptr<FreePeer> peer, std::shared_ptr<Film> film,
                   bool is_first_wanted, std::function<void(int)> pose)
{
    Player player;
    player.name = peer->name();
    player.is_peer = is_peer;
    player.go_to = [film, pose](size_t frame) {
        film->go_to(frame);
        if (pose)
            pose(film->step(frame));
    };
    player.play = [film, peer, is_first_wanted] {
        peer->update(film->vertices());
        if (is_first_wanted)
            peer->touching(film->close());
        else
            peer->all_pairs(film->close());
    };
    player.answers = [film, peer] {
        peer->all_pairs(film->close());
        return free_answers(peer->pairs());
    };
    return player;
}

// ---- Passes -----------------------------------------------------------------------------------

namespace
{
constexpr size_t MEGABYTE = 1 << 20, WORK = 4 * MEGABYTE, ALL_CACHES = 256 * MEGABYTE;

// Writes to one byte of each cache line.
void touch(std::vector<char> *memory)
{
    for (size_t i = 0; i < memory->size(); i += 64)
        ++(*memory)[i];
}

// One pass; `is_counted` if its times count.
void play_pass(const Sequence &sequence, Player *player, bool is_counted)
{
    static std::vector<char> work(WORK), all(ALL_CACHES);
    touch(&all);
    for (size_t frame = 0; frame < sequence.frame_count; frame++) {
        player->go_to(frame);
        touch(&work);
        const double start = bench_seconds();
        player->play();
        const double seconds = bench_seconds() - start;
        if (is_counted && sequence.counts(frame))
            player->times.push_back(seconds);
    }
}

// One pass that compares. Returns the number of frames with other pairs than the oracle's, or than
// the first player's.
int compare_pass(const Sequence &sequence, const Player &player, std::vector<FreeAnswers> *expected)
{
    int different = 0;
    expected->resize(sequence.frame_count);
    for (size_t frame = 0; frame < sequence.frame_count; frame += sequence.oracle_stride) {
        player.go_to(frame);
        player.play();
        FreeAnswers found = player.answers();
        FreeAnswers &known = (*expected)[frame];
        if (known.touching < 0)
            known = std::move(found);
        else
            different += !free_agree(found, known);
    }
    return different;
}

int compare(const Sequence &sequence)
{
    std::vector<FreeAnswers> expected(sequence.frame_count, FreeAnswers{{}, -1});
    int different = 0;
    if (!sequence.oracle.name.empty())
        compare_pass(sequence, sequence.oracle, &expected);
    for (const Player &player : sequence.players) {
        const int frames = player.answers ? compare_pass(sequence, player, &expected) : 0;
        if (frames > 0)
            std::printf("  %s: DIFFERENT PAIRS in %d frames\n", player.name.c_str(), frames);
        different += frames;
    }
    return different;
}
} // namespace

int play_sequence(Sequence *sequence)
{
    const std::string figure = "played." + sequence->key;
    const int different = compare(*sequence);
    for (int pass = 0; pass <= sequence->passes; pass++)
        for (Player &player : sequence->players)
            play_pass(*sequence, &player, pass > 0);
    const Player &ours = sequence->players.front();
    std::printf("%s: %zu frames of %zu count, in %d passes\n", figure.c_str(),
                ours.times.size() / static_cast<size_t>(sequence->passes), sequence->frame_count,
                sequence->passes);
    double best = 0, avx2 = 0;
    for (const Player &player : sequence->players) {
        const double median = player.median();
        std::printf("  %-16s median %9.4f ms, 95 of 100 below %9.4f ms\n", player.name.c_str(),
                    1e3 * median, 1e3 * player.late());
        if (player.is_peer && (best == 0 || median < best))
            best = median;
        if (player.name == "pliant-avx2")
            avx2 = median;
    }
    bench_figure((figure + ".ms").c_str(), 1e3 * ours.median(), "ms");
    bench_figure((figure + ".late").c_str(), ours.late() / ours.median(), "x");
    if (avx2 > 0)
        bench_figure((figure + ".avx2").c_str(), ours.median() / avx2, "x");
    bench_figure(figure.c_str(), best / ours.median(), "x");
    std::fflush(stdout);
    return different > 0;
}
