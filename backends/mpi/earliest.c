/* The earliest impact: see shared.h.
 *
 * Each two bodies are asked for their first time, up to the earliest so far; and then for all that
 * touches at that time, since which of these is first depends on numbers in the whole, and not on
 * those in a soup. Then all ranks learn the earliest of each. */
#include "shared.h"

static int compare(const PliantMpiImpact *x, const PliantMpiImpact *y)
{
    const int orders[] = {
        PLI_MPI_ORDER(pli_mpi_order_of(x->time), pli_mpi_order_of(y->time)),
        PLI_MPI_ORDER(x->key_a, y->key_a),
        PLI_MPI_ORDER(x->key_b, y->key_b),
        PLI_MPI_ORDER(x->triangle_a, y->triangle_a),
        PLI_MPI_ORDER(x->triangle_b, y->triangle_b),
        PLI_MPI_ORDER(x->kind, y->kind),
        PLI_MPI_ORDER(x->corner_a, y->corner_a),
        PLI_MPI_ORDER(x->corner_b, y->corner_b),
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i] != 0)
            return orders[i];
    return 0;
}

static void keep_earlier(PliantMpiEarliest *earliest, const PliantMpiImpact *impact)
{
    if (earliest->is_found && compare(&earliest->impact, impact) <= 0)
        return;
    earliest->is_found = true;
    earliest->impact = *impact;
}

/* Vertex 3 t + k of a soup is corner k of triangle t, and so is edge 3 t + k. */
static PliantMpiImpact translate(const PliantMpi *mpi, const PliMpiTwo *two,
                                 const PliantImpact *from)
{
    const bool is_a = from->kind == PLIANT_TRIANGLE_VERTEX;
    const bool is_b = from->kind == PLIANT_VERTEX_TRIANGLE;
    const int32_t a = (int32_t)(from->vertices[0] / 3), b = (int32_t)(from->vertices[3] / 3);
    PliantMpiImpact impact = {.key_a = two->body->def.key,
                              .key_b = two->ghost->key,
                              .triangle_a = pli_mpi_number_a(two, a),
                              .triangle_b = pli_mpi_number_b(&mpi->asked, two, b),
                              .kind = from->kind,
                              .corner_a = is_a ? 0 : from->feature_a % 3,
                              .corner_b = is_b ? 0 : from->feature_b % 3,
                              .time = from->time};
    memcpy(impact.weights, from->weights, sizeof impact.weights);
    memcpy(impact.normal, from->normal, sizeof impact.normal);
    return impact;
}

PliantResult pli_mpi_decide_earliest(PliantMpi *mpi, const PliMpiTwo *two)
{
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    def.max_time = mpi->earliest.is_found ? mpi->earliest.impact.time : mpi->asked.limit;
    PLI_MPI_TRY(pliant_bodies_sweep(mpi->boundary, mpi->soups[0], mpi->soups[1], &def, &impacts));
    if (impacts.count == 0)
        return PLIANT_OK;
    def.max_time = impacts.items[0].time;
    def.kind = PLIANT_ALL_IMPACTS;
    PLI_MPI_TRY(pliant_bodies_sweep(mpi->boundary, mpi->soups[0], mpi->soups[1], &def, &impacts));
    for (int64_t i = 0; i < impacts.count; i++) {
        const PliantMpiImpact impact = translate(mpi, two, &impacts.items[i]);
        keep_earlier(&mpi->earliest, &impact);
    }
    return PLIANT_OK;
}

static PliantResult gather(PliantMpi *mpi)
{
    const int size = sizeof mpi->earliest;
    PLI_MPI_CALL(MPI_Allgather(&mpi->earliest, size, MPI_BYTE, mpi->impacts, size, MPI_BYTE,
                               mpi->communicator));
    for (int rank = 0; rank < mpi->rank_count; rank++)
        if (mpi->impacts[rank].is_found)
            keep_earlier(&mpi->earliest, &mpi->impacts[rank].impact);
    return PLIANT_OK;
}

static PliantResult check(const PliantMpi *mpi, const PliantMpiSweepDef *given,
                          const PliantMpiEarliest *earliest, PliantMpiSweepDef *def)
{
    const char *name = "pliant_mpi_sweep";
    *def = pliant_mpi_sweep_def_default();
    if (given && !pli_backend_read(def, sizeof *def, given, given->struct_size))
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_DEF, "def.struct_size is %zu",
                               given->struct_size);
    if (!earliest)
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_ARGUMENT, "earliest is NULL");
    if (!pli_backend_may_write(sizeof *earliest, earliest->struct_size))
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_DEF, "earliest.struct_size is %zu",
                               earliest->struct_size);
    if (!(def->max_time >= 0 && def->max_time <= 1))
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_ARGUMENT, "def.max_time is %g",
                               (double)def->max_time);
    return PLIANT_OK;
}

PliantResult pliant_mpi_sweep(PliantMpi *mpi, const PliantMpiSweepDef *given,
                              PliantMpiEarliest *earliest)
{
    PliantMpiSweepDef def;
    if (!mpi)
        return PLIANT_BAD_ARGUMENT;
    const PliantResult checked = check(mpi, given, earliest, &def);
    const PliMpiAsked asked = {.name = __func__, .kind = PLI_MPI_EARLIEST, .limit = def.max_time};
    PLI_MPI_TRY(pli_mpi_search(mpi, asked, checked));
    PLI_MPI_TRY(gather(mpi));
    earliest->is_found = mpi->earliest.is_found;
    earliest->impact = mpi->earliest.impact;
    return PLIANT_OK;
}
