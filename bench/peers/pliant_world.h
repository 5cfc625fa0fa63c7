// What all of ours share among the peers: a world, its bodies by number, and the questions asked of
// it. How the bodies move is left to those that are made of it.
#ifndef BENCH_PLIANT_WORLD_H
#define BENCH_PLIANT_WORLD_H

#include "bench.h"
#include "free_peers.h"

// Peer is FreePeer, or one that has more to say.
template <class Peer> class PliantWorldPeer : public Peer
{
  public:
    explicit PliantWorldPeer(uint32_t cpu_mask, PliantPool *pool = nullptr)
    {
        PliantHost host = pliant_host_default();
        PliantWorldDef def = pliant_world_def_default();
        pliant_pool_attach(pool, &host);
        def.host = &host;
        def.cpu_mask = cpu_mask;
        bench_must(pliant_world_create(&def, &world));
    }

    PliantWorldPeer(const PliantWorldPeer &) = delete;
    PliantWorldPeer &operator=(const PliantWorldPeer &) = delete;

    ~PliantWorldPeer() override
    {
        pliant_world_destroy(world);
    }

    // To say which bodies are near each other takes the box of each, and with it the upper bounds.
    bool update_alone() override
    {
        PliantBodyPairs pairs = pliant_body_pairs_default();
        bench_must(pliant_world_body_pairs(world, nullptr, &pairs));
        return true;
    }

    void all_pairs(const FreeBodies &) override
    {
        last_query = PLIANT_ALL_PAIRS;
        const PliantCollideDef def = bench_query(last_query);
        bench_must(pliant_world_collide(world, &def, &contacts));
    }

    const std::vector<FreePair> &pairs() override
    {
        this->found.clear();
        for (int64_t i = 0; i < contacts.count; i++) {
            const PliantContact &contact = contacts.items[i];
            this->found.push_back({numbers[contact.body_a.index], numbers[contact.body_b.index],
                                   static_cast<uint32_t>(contact.triangle_a),
                                   static_cast<uint32_t>(contact.triangle_b)});
        }
        return this->found;
    }

    bool first_pair(int body_a, int body_b) override
    {
        PliantContacts first = pliant_contacts_default();
        const PliantCollideDef def = bench_query(PLIANT_FIRST_PAIRS);
        bench_must(pliant_bodies_collide(world, bodies[static_cast<size_t>(body_a)],
                                         bodies[static_cast<size_t>(body_b)], &def, &first));
        return first.count > 0;
    }

    int touching(const FreeBodies &) override
    {
        PliantContacts first = pliant_contacts_default();
        last_query = PLIANT_FIRST_PAIRS;
        const PliantCollideDef def = bench_query(last_query);
        bench_must(pliant_world_collide(world, &def, &first));
        return static_cast<int>(first.count);
    }

  protected:
    PliantBody add_body(PliantShape *shape)
    {
        PliantBody body;
        bench_must(pliant_body_create(world, shape, &body));
        number_body(body);
        return body;
    }

    // The next of the bodies.
    void number_body(PliantBody body)
    {
        numbers.resize(std::max(numbers.size(), size_t{body.index} + 1));
        numbers[body.index] = static_cast<int32_t>(bodies.size());
        bodies.push_back(body);
    }

    PliantWorld *world = nullptr;
    std::vector<PliantBody> bodies;
    PliantCollideKind last_query = PLIANT_ALL_PAIRS;

  private:
    std::vector<int32_t> numbers;                        // of the body with each index
    PliantContacts contacts = pliant_contacts_default(); // the world's, until its next query
};

#endif
