/* A crowd of avatars that follow joints, over ranks: see mpi_bench.h.
 *
 * They stand in rows, so close that hands touch, and walk on the spot, each at a phase of its own.
 * Every rank knows where all of them are, and keeps its own: by pliant_mpi_partition(), or, for
 * weak scaling, those of its own rows. */
#include "mpi_bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSES = 32 };
static const double SPACING = 0.75; /* meters */

typedef struct Crowd {
    SceneSkin skin;
    PliantShape *shape;
    PliantWorld *world;
    PliantMpi *mpi;
    PliantMpi *alone; /* of the same bodies, without other ranks */
    float (*poses)[SCENE_AVATAR_JOINTS][3][4];
    PliantBody *bodies; /* of this rank */
    int64_t *numbers;
    int64_t count, all; /* of this rank, and of all */
    int64_t width;      /* of a row */
} Crowd;

static void make_shape(Crowd *crowd)
{
    crowd->skin = scene_avatar_coarse(2);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){crowd->skin.mesh.vertices, crowd->skin.mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){crowd->skin.mesh.triangles, crowd->skin.mesh.triangle_count};
    PliantSkin skin = pliant_skin_default();
    skin.joint_count = crowd->skin.joint_count;
    skin.influence_count = crowd->skin.influence_count;
    skin.joints = crowd->skin.joints;
    skin.weights = crowd->skin.weights;
    def.skin = &skin;
    bench_must(pliant_shape_create(&def, &crowd->shape));
    crowd->poses = bench_allocate(POSES, sizeof *crowd->poses);
    for (int i = 0; i < POSES; i++)
        scene_avatar_pose(&crowd->skin, (double)i / POSES, 0, crowd->poses[i]);
}

/* Where an avatar stands: in its row, a little off. */
static void place(const Crowd *crowd, int64_t number, float at[3])
{
    SceneRandom random = {(uint64_t)number * 7919 + 3};
    scene_random_bits(&random);
    at[0] = (float)(SPACING * ((double)(number % crowd->width) + 0.2 * scene_random(&random)));
    at[1] = 0;
    at[2] = (float)(SPACING * ((double)(number / crowd->width) + 0.2 * scene_random(&random)));
}

static void add(Crowd *crowd, int64_t number)
{
    PliantMpiBodyDef def = pliant_mpi_body_def_default();
    PliantTransform transform = pliant_transform_identity();
    PliantBody *body = &crowd->bodies[crowd->count];
    float at[3];
    place(crowd, number, at);
    for (int k = 0; k < 3; k++)
        transform.rows[k][3] = at[k];
    bench_must(pliant_body_create(crowd->world, crowd->shape, body));
    bench_must(pliant_body_set_transform(crowd->world, *body, &transform));
    def.key = (uint64_t)number;
    bench_must(pliant_mpi_add_body(crowd->mpi, *body, &def));
    bench_must(pliant_mpi_add_body(crowd->alone, *body, &def));
    crowd->numbers[crowd->count++] = number;
}

/* Rank 0 asks for all of them, and the others are told. */
static void divide(const Crowd *crowd, int32_t *ranks)
{
    PliantBox *boxes = bench_allocate((size_t)crowd->all, sizeof *boxes);
    PliantMpiPartition partition = pliant_mpi_partition_default();
    for (int64_t i = 0; i < crowd->all; i++) {
        place(crowd, i, boxes[i].low);
        place(crowd, i, boxes[i].high);
    }
    partition.boxes = boxes;
    partition.count = mpi_rank() == 0 ? crowd->all : 0;
    bench_must(pliant_mpi_partition(MPI_COMM_WORLD, &partition, ranks, crowd->all));
    MPI_Bcast(ranks, (int)crowd->all, MPI_INT, 0, MPI_COMM_WORLD);
    free(boxes);
}

static void start(Crowd *crowd, int64_t avatars, bool is_weak)
{
    *crowd = (Crowd){.all = is_weak ? avatars * mpi_rank_count() : avatars};
    crowd->width = (int64_t)(sqrt((double)avatars) + 0.999);
    make_shape(crowd);
    crowd->bodies = bench_allocate((size_t)crowd->all, sizeof *crowd->bodies);
    crowd->numbers = bench_allocate((size_t)crowd->all, sizeof *crowd->numbers);
    int32_t *ranks = bench_allocate((size_t)crowd->all, sizeof *ranks);
    bench_must(pliant_world_create(NULL, &crowd->world));
    bench_must(pliant_mpi_create(MPI_COMM_WORLD, crowd->world, NULL, &crowd->mpi));
    bench_must(pliant_mpi_create(MPI_COMM_SELF, crowd->world, NULL, &crowd->alone));
    if (is_weak)
        for (int64_t i = 0; i < crowd->all; i++)
            ranks[i] = (int32_t)(i / avatars);
    else
        divide(crowd, ranks);
    for (int64_t i = 0; i < crowd->all; i++)
        if (ranks[i] == mpi_rank())
            add(crowd, i);
    free(ranks);
}

static void pose(void *data, int frame)
{
    const Crowd *crowd = data;
    for (int64_t i = 0; i < crowd->count; i++) {
        SceneRandom phase = {(uint64_t)crowd->numbers[i] + 17};
        scene_random_bits(&phase);
        const int at = (int)(scene_random_below(&phase, POSES) + (uint32_t)frame) % POSES;
        PliantTransform joints[SCENE_AVATAR_JOINTS];
        memcpy(joints, crowd->poses[at], sizeof joints);
        bench_must(pliant_body_set_joints(crowd->world, crowd->bodies[i], joints,
                                          crowd->skin.joint_count));
    }
}

static void end(Crowd *crowd)
{
    pliant_mpi_destroy(crowd->alone);
    pliant_mpi_destroy(crowd->mpi);
    pliant_world_destroy(crowd->world);
    pliant_shape_release(crowd->shape);
    scene_skin_free(&crowd->skin);
    free(crowd->poses);
    free(crowd->bodies);
    free(crowd->numbers);
}

static void print(const Crowd *crowd, const MpiFrame *frame)
{
    printf("mpi ranks=%d avatars=%" PRId64 " triangles=%" PRId64 " vertices=%" PRId64
           " seconds=%g least=%g work=%g local=%g boundary=%g wait=%g contacts=%" PRId64
           " sent=%" PRId64 " bytes=%" PRId64 " messages=%" PRId64 " bodies_sent=%" PRId64
           " neighbors=%" PRId64 " pairs=%" PRId64,
           mpi_rank_count(), crowd->all, crowd->all * crowd->skin.mesh.triangle_count,
           crowd->all * crowd->skin.mesh.vertex_count, frame->seconds, frame->least, frame->work,
           frame->local, frame->boundary, frame->wait, frame->contacts, frame->triangles,
           frame->bytes, frame->messages, frame->bodies_sent, frame->neighbors, frame->pairs);
}

int mpi_crowd(int64_t avatars, int frames)
{
    Crowd crowd;
    start(&crowd, avatars, false);
    const MpiFrame frame = mpi_frames(crowd.mpi, frames, pose, &crowd);
    if (mpi_rank() == 0) {
        print(&crowd, &frame);
        printf("\n");
    }
    end(&crowd);
    return 0;
}

/* ---- Weak scaling ------------------------------------------------------------------------------
 */

/* A frame of one rank, while the others sleep. */
static MpiFrame frame_alone(const Crowd *crowd, int rank)
{
    MpiFrame frame = {0};
    mpi_wait_for_all();
    if (mpi_rank() == rank)
        frame = mpi_frame(crowd->alone, MPI_COMM_SELF);
    mpi_wait_for_all();
    MPI_Bcast(&frame, sizeof frame, MPI_BYTE, rank, MPI_COMM_WORLD);
    return frame;
}

/* Times whose medians are taken, frame by frame. */
enum {
    ALONE,
    ALONE_WORK,
    ALONE_BOUNDARY,
    SECONDS,
    WORK,
    LOCAL,
    BOUNDARY,
    WAIT,
    EFFICIENCY,
    WORK_EFFICIENCY,
    VALUES
};

/* A frame of one rank alone and the next one of all together, or the other way round. */
static MpiFrame play_two(Crowd *crowd, int turn, double values[VALUES])
{
    const bool is_alone_first = turn % 2 == 0;
    MpiFrame one = {0}, all = {0};
    for (int i = 0; i < 2; i++) {
        pose(crowd, 2 * turn + i);
        if ((i == 0) == is_alone_first)
            one = frame_alone(crowd, turn / 2 % mpi_rank_count());
        else
            all = mpi_frame(crowd->mpi, MPI_COMM_WORLD);
    }
    const double found[VALUES] = {one.seconds,        one.work, one.boundary,
                                  all.seconds,        all.work, all.local,
                                  all.boundary,       all.wait, one.seconds / all.seconds,
                                  one.work / all.work};
    memcpy(values, found, sizeof found);
    return all;
}

/* In turns, so that what else the machine does disturbs both alike. The walk goes round after 32
 * frames. Counts are those of the last frame. */
int mpi_weak(int64_t avatars, int frames)
{
    Crowd crowd;
    double(*values)[VALUES] = bench_allocate((size_t)frames, sizeof *values);
    double *one = bench_allocate((size_t)frames, sizeof *one), medians[VALUES];
    start(&crowd, avatars, true);
    MpiFrame frame = play_two(&crowd, 0, values[0]); /* not counted */
    for (int i = 0; i < frames; i++)
        frame = play_two(&crowd, i + 1, values[i]);
    for (int v = 0; v < VALUES; v++) {
        for (int i = 0; i < frames; i++)
            one[i] = values[i][v];
        medians[v] = bench_median(one, frames);
        if (v == SECONDS)
            frame.least = one[0]; /* sorted now */
    }
    frame.seconds = medians[SECONDS];
    frame.work = medians[WORK];
    frame.local = medians[LOCAL];
    frame.boundary = medians[BOUNDARY];
    frame.wait = medians[WAIT];
    if (mpi_rank() == 0) {
        print(&crowd, &frame);
        printf(" alone=%g alone_work=%g alone_boundary=%g efficiency=%g work_efficiency=%g\n",
               medians[ALONE], medians[ALONE_WORK], medians[ALONE_BOUNDARY], medians[EFFICIENCY],
               medians[WORK_EFFICIENCY]);
    }
    free(values);
    free(one);
    end(&crowd);
    return 0;
}
