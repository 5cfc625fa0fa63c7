/* Two sheets that cross, each too large for one rank: see mpi_bench.h.
 *
 * A sheet is a height field of squares cut in two. It is one body with one key, in parts: strips
 * along x, one on each rank. The second sheet waves through the first one, and its strips begin
 * half a strip later, so that each rank has neighbors to decide pairs with. Positions are computed
 * where they are needed; no rank ever has more than its own strips. */
#include "mpi_bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Strip {
    int64_t first, count; /* columns of squares */
    int64_t rows;
    int sheet;
} Strip;

/* One square is one unit. The first sheet is nearly flat; the second one crosses it about every 200
 * squares. */
static float height(int sheet, int64_t x, int64_t y)
{
    const double wave = sheet == 0 ? 0.2 : 20;
    return (float)(wave * scene_sin(0.0157 * (double)x + 0.003 * (double)(sheet * y) + sheet));
}

static SceneMesh make_mesh(const Strip *strip)
{
    const int64_t across = strip->count + 1, vertices = across * (strip->rows + 1);
    const int64_t triangles = 2 * strip->count * strip->rows;
    SceneMesh mesh = {bench_allocate((size_t)vertices, 12), bench_allocate((size_t)triangles, 12),
                      (int32_t)vertices, (int32_t)triangles};
    for (int64_t v = 0; v < vertices; v++) {
        const int64_t x = strip->first + v % across, y = v / across;
        mesh.vertices[3 * v] = (float)x;
        mesh.vertices[3 * v + 1] = (float)y;
        mesh.vertices[3 * v + 2] = height(strip->sheet, x, y);
    }
    for (int64_t t = 0; t < triangles; t++) {
        static const int corners[2][3] = {{0, 1, 2}, {1, 3, 2}};
        const int64_t square = t / 2, x = square % strip->count, y = square / strip->count;
        for (int c = 0; c < 3; c++) {
            const int corner = corners[t % 2][c];
            mesh.triangles[3 * t + c] = (uint32_t)((y + corner / 2) * across + x + corner % 2);
        }
    }
    return mesh;
}

static void add(PliantWorld *world, PliantMpi *mpi, const Strip *strip)
{
    PliantMpiBodyDef def = pliant_mpi_body_def_default();
    PliantShapeDef shape_def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    shape_def.experiments = &experiments;
    PliantShape *shape = NULL;
    PliantBody body;
    if (strip->count <= 0)
        return;
    SceneMesh mesh = make_mesh(strip);
    shape_def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
    shape_def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    experiments.bound_kind = PLIANT_BOUND_BOX;
    shape_def.divide_kind = PLIANT_DIVIDE_NONE;
    bench_must(pliant_shape_create(&shape_def, &shape));
    scene_mesh_free(&mesh);
    bench_must(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    def.key = (uint64_t)strip->sheet;
    def.is_part = true;
    def.first_triangle = 2 * strip->first * strip->rows; /* strips are numbered one by one */
    bench_must(pliant_mpi_add_body(mpi, body, &def));
}

/* One rank after the other: shapes take more memory while they are made than later. */
static void add_in_turns(PliantWorld *world, PliantMpi *mpi, int64_t columns, int64_t rows)
{
    const int rank = mpi_rank(), ranks = mpi_rank_count();
    for (int turn = 0; turn < ranks; turn++) {
        for (int sheet = 0; sheet < 2 && rank == turn; sheet++) {
            const int64_t shift = sheet == 0 ? 0 : columns / ranks / 2;
            int64_t first = columns * rank / ranks + shift;
            int64_t last = columns * (rank + 1) / ranks + shift;
            first = rank == 0 ? 0 : first;
            last = rank == ranks - 1 ? columns : last;
            const Strip strip = {first, last - first, rows, sheet};
            add(world, mpi, &strip);
        }
        mpi_wait_for_all();
    }
}

int mpi_sheets(int64_t triangles)
{
    const int64_t columns = (int64_t)sqrt((double)triangles / 4), rows = columns;
    PliantWorld *world = NULL;
    PliantMpi *mpi = NULL;
    bench_must(pliant_world_create(NULL, &world));
    bench_must(pliant_mpi_create(MPI_COMM_WORLD, world, NULL, &mpi));
    const double start = MPI_Wtime();
    add_in_turns(world, mpi, columns, rows);
    const double built = MPI_Wtime() - start;
    const MpiFrame first = mpi_frame(mpi, MPI_COMM_WORLD);
    const MpiFrame second = mpi_frame(mpi, MPI_COMM_WORLD);
    const double memory = mpi_peak_memory();
    if (mpi_rank() == 0)
        printf("mpi ranks=%d triangles=%" PRId64 " build=%g first=%g seconds=%g local=%g "
               "boundary=%g contacts=%" PRId64 " sent=%" PRId64 " bytes=%" PRId64 " memory=%g\n",
               mpi_rank_count(), 4 * columns * rows, built, first.seconds, second.seconds,
               second.local, second.boundary, second.contacts, second.triangles, second.bytes,
               memory);
    pliant_mpi_destroy(mpi);
    pliant_world_destroy(world);
    return 0;
}
