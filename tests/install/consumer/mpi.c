/* What a user's first program with the MPI backend would do: a triangle on each of two ranks. */
#include <pliant/mpi.h>
#include <stdio.h>

static PliantResult add_triangle(PliantWorld *world, PliantMpi *mpi, int rank)
{
    static const float vertices[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0},
                                         {0.2f, 0.2f, -1, 0.2f, 0.2f, 1, 2, 2, 0}};
    static const uint32_t triangle[3] = {0, 1, 2};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){vertices[rank % 2], 3, 0};
    def.triangles = (PliantTriangles){triangle, 1};
    PliantShape *shape = NULL;
    PliantBody body = {0};
    PliantMpiBodyDef own = pliant_mpi_body_def_default();
    own.key = (uint64_t)rank;
    PliantResult result = pliant_shape_create(&def, &shape);
    if (result == PLIANT_OK)
        result = pliant_body_create(world, shape, &body);
    pliant_shape_release(shape);
    return result == PLIANT_OK ? pliant_mpi_add_body(mpi, body, &own) : result;
}

int main(int argc, char **argv)
{
    int rank, count;
    PliantWorld *world = NULL;
    PliantMpi *mpi = NULL;
    PliantMpiContacts contacts = pliant_mpi_contacts_default();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    PliantResult result = pliant_world_create(NULL, &world);
    if (result == PLIANT_OK)
        result = pliant_mpi_create(MPI_COMM_WORLD, world, NULL, &mpi);
    if (result == PLIANT_OK)
        result = add_triangle(world, mpi, rank);
    if (result == PLIANT_OK)
        result = pliant_mpi_collide(mpi, NULL, &contacts);
    const bool is_right = result == PLIANT_OK && (rank > 0 || contacts.count == count / 2);
    if (rank == 0)
        printf("pliant %s, MPI with %d ranks: %s\n", pliant_version(), count,
               is_right ? "right" : "WRONG");
    pliant_mpi_destroy(mpi);
    pliant_world_destroy(world);
    MPI_Finalize();
    return is_right ? 0 : 1;
}
