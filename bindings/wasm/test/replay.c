/* Replays a recording of frames with the library of this machine: what WebAssembly is compared
 * with.
 *
 *     replay FILE            numbers and hashes of contacts, contacts within bodies, near pairs and
 *                            ray hits, a line for each frame
 *     replay FILE SECONDS    the milliseconds that a frame takes, poses and contacts, by 128-bit
 *                            vectors
 *
 * test/recording.js writes such files, and computes the same lines. A file is 32-bit words: shapes
 * as they are saved, bodies, rays, the distance of near pairs, then for each frame and body its
 * weights, joints and transform.
 */
#define _POSIX_C_SOURCE 200809L
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void must(PliantResult result)
{
    if (result != PLIANT_OK) {
        fprintf(stderr, "replay: %s\n", pliant_result_text(result));
        exit(2);
    }
}

static const uint32_t *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        exit(2);
    const size_t size = (size_t)ftell(file);
    uint32_t *words = malloc(size + 4);
    rewind(file);
    if (!words || fread(words, 1, size, file) != size)
        exit(2);
    fclose(file);
    return words;
}

static uint32_t hash_word(uint32_t hash, uint32_t word)
{
    return (hash ^ word) * 16777619u;
}

static uint32_t hash_float(uint32_t hash, float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return hash_word(hash, bits);
}

/* ---- A recording -------------------------------------------------------------------------------
 */

typedef struct Recording {
    PliantWorld *world;
    PliantBody bodies[64];
    uint32_t body_count, ray_count, frame_count;
    const PliantRay *rays;
    float near_distance;
    const uint32_t *frames;
} Recording;

static PliantShape *next_shape(const uint32_t **at)
{
    const size_t size = *(*at)++;
    void *data = aligned_alloc(64, (size + 63) / 64 * 64);
    PliantShape *shape;
    memcpy(data, *at, size);
    must(pliant_shape_map(data, size, NULL, &shape));
    *at += (size + 3) / 4;
    return shape;
}

static Recording open_recording(const uint32_t *at)
{
    Recording all = {0};
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = PLIANT_CPU_VECTOR128;
    must(pliant_world_create(&def, &all.world));
    PliantShape *shapes[64];
    const uint32_t shape_count = *at++;
    for (uint32_t i = 0; i < shape_count; i++)
        shapes[i] = next_shape(&at);
    all.body_count = *at++;
    for (uint32_t i = 0; i < all.body_count; i++)
        must(pliant_body_create(all.world, shapes[*at++], &all.bodies[i]));
    all.ray_count = *at++;
    all.rays = (const PliantRay *)at;
    at += 7 * all.ray_count;
    memcpy(&all.near_distance, at++, sizeof(float));
    all.frame_count = *at++;
    all.frames = at;
    return all;
}

static const uint32_t *set_frame(const Recording *all, const uint32_t *at)
{
    for (uint32_t i = 0; i < all->body_count; i++) {
        const uint32_t weight_count = *at++;
        if (weight_count > 0)
            must(pliant_body_set_weights(all->world, all->bodies[i], (const float *)at,
                                         (int32_t)weight_count));
        at += weight_count;
        const uint32_t joint_count = *at++;
        if (joint_count > 0)
            must(pliant_body_set_joints(all->world, all->bodies[i], (const PliantTransform *)at,
                                        (int32_t)joint_count));
        at += 12 * joint_count;
        must(pliant_body_set_transform(all->world, all->bodies[i], (const PliantTransform *)at));
        at += 12;
    }
    return at;
}

/* ---- What is printed ---------------------------------------------------------------------------
 */

static void print_contacts(const Recording *all)
{
    PliantContacts contacts = pliant_contacts_default();
    must(pliant_world_collide(all->world, NULL, &contacts));
    uint32_t hash = 0;
    for (int64_t i = 0; i < contacts.count; i++) {
        const PliantContact *one = &contacts.items[i];
        hash = hash_word(hash_word(hash, one->body_a.index), one->body_b.index);
        hash = hash_word(hash_word(hash, (uint32_t)one->triangle_a), (uint32_t)one->triangle_b);
    }
    printf("contacts %lld %08x", (long long)contacts.count, hash);
}

/* Of each body, one after the other. */
static void print_within(const Recording *all)
{
    int64_t count = 0;
    uint32_t hash = 0;
    for (uint32_t k = 0; k < all->body_count; k++) {
        PliantContacts contacts = pliant_contacts_default();
        must(pliant_bodies_collide(all->world, all->bodies[k], all->bodies[k], NULL, &contacts));
        for (int64_t i = 0; i < contacts.count; i++) {
            hash = hash_word(hash, (uint32_t)contacts.items[i].triangle_a);
            hash = hash_word(hash, (uint32_t)contacts.items[i].triangle_b);
        }
        count += contacts.count;
    }
    printf(" within %lld %08x", (long long)count, hash);
}

static void print_near(const Recording *all)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    def.distance = all->near_distance;
    must(pliant_world_near(all->world, &def, &pairs));
    uint32_t hash = 0;
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantNearPair *one = &pairs.items[i];
        hash = hash_word(hash_word(hash, one->kind), (uint32_t)one->feature_a);
        hash = hash_float(hash_word(hash, (uint32_t)one->feature_b), one->distance);
    }
    printf(" near %lld %08x", (long long)pairs.count, hash);
}

static void print_rays(const Recording *all)
{
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    def.kind = PLIANT_ALL_HITS;
    must(pliant_world_cast_rays(all->world, &def, all->rays, all->ray_count, &hits));
    uint32_t hash = 0;
    for (int64_t i = 0; i < hits.count; i++) {
        const PliantRayHit *one = &hits.items[i];
        hash = hash_word(hash_word(hash, (uint32_t)one->ray), (uint32_t)one->triangle);
        hash = hash_word(hash_float(hash, one->t), (uint32_t)one->side);
    }
    printf(" rays %lld %08x\n", (long long)hits.count, hash);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Of each frame the least of all passes, and the mean of these: what else runs on the machine makes
 * frames longer, and none shorter. */
static void print_time(const Recording *all, double seconds)
{
    double *least = calloc(all->frame_count, sizeof *least), sum = 0;
    if (!least)
        exit(2);
    for (const double end = now() + seconds; now() < end || least[all->frame_count - 1] == 0;) {
        const uint32_t *at = all->frames;
        for (uint32_t i = 0; i < all->frame_count; i++) {
            PliantContacts contacts = pliant_contacts_default();
            const double start = now();
            at = set_frame(all, at);
            must(pliant_world_collide(all->world, NULL, &contacts));
            const double took = now() - start;
            least[i] = least[i] == 0 || took < least[i] ? took : least[i];
        }
    }
    for (uint32_t i = 0; i < all->frame_count; i++)
        sum += least[i];
    printf("%.6f\n", 1e3 * sum / all->frame_count);
    free(least);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const Recording all = open_recording(read_all(argv[1]));
    if (argc > 2) {
        print_time(&all, atof(argv[2]));
        return 0;
    }
    const uint32_t *at = all.frames;
    for (uint32_t i = 0; i < all.frame_count; i++) {
        at = set_frame(&all, at);
        print_contacts(&all);
        print_within(&all);
        print_near(&all);
        print_rays(&all);
    }
    return 0;
}
