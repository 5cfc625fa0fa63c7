/* Tasks of the library on oneTBB: run() is to be copied. Threads do not change the answer. */
#include <cstdio>
#include <numeric>
#include <pliant/pliant.h>
#include <random>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <vector>

/* The run hook. The number of a thread in the arena is its worker. While a thread waits for tasks
 * that it started, isolate() keeps it from all others: these would have the same worker. */
static void run(void *user, PliantTask *task, void *data, int32_t count)
{
    const auto call = [=](int32_t i) {
        task(data, i, tbb::this_task_arena::current_thread_index());
    };
    static_cast<tbb::task_arena *>(user)->execute(
        [=] { tbb::this_task_arena::isolate([=] { tbb::parallel_for(0, count, call); }); });
}

/* How many pairs of random triangles intersect; -1: a call failed. */
static int64_t count_contacts(const PliantHost *host)
{
    std::mt19937 random(1);
    std::vector<float> points(270000); /* of a triangle: a point, and two more near it */
    std::vector<uint32_t> corners(points.size() / 3);
    for (size_t i = 0; i < points.size(); i++)
        points[i] = float(random()) * (i % 9 < 3 ? 0x1p-32f : 0x1p-36f) +
                    (i % 9 < 3 ? 0 : points[i - i % 9 + i % 3]);
    std::iota(corners.begin(), corners.end(), 0u);
    PliantShapeDef shape_def = pliant_shape_def_default();
    shape_def.vertices = {points.data(), int32_t(corners.size()), 0};
    shape_def.triangles = {corners.data(), int32_t(corners.size() / 3)};
    shape_def.host = host;
    PliantWorldDef world_def = pliant_world_def_default();
    world_def.host = host;
    PliantShape *shape = nullptr;
    PliantWorld *world = nullptr;
    PliantBody body{};
    PliantContacts found = pliant_contacts_default();
    const bool is_good = pliant_shape_create(&shape_def, &shape) == PLIANT_OK &&
                         pliant_world_create(&world_def, &world) == PLIANT_OK &&
                         pliant_body_create(world, shape, &body) == PLIANT_OK &&
                         pliant_bodies_collide(world, body, body, nullptr, &found) == PLIANT_OK;
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    return is_good ? found.count : -1;
}

int main()
{
    tbb::task_arena arena;
    PliantHost host = pliant_host_default();
    host.run = run;
    host.run_user = &arena;
    host.worker_count = arena.max_concurrency();
    const int64_t count = count_contacts(&host);
    std::printf("%d pairs of triangles intersect\n", int(count));
    return count > 0 && count == count_contacts(nullptr) ? 0 : 1;
}
