/* Topology, made on first need: see topology.h. */
#include "shape/topology.h"

/* ---- Triangle leaves ------------------------------------------------------------------------- */

static void fill_triangle_leaves(const PliantShape *shape, int32_t *triangle_leaves)
{
    const PliTree *tree = &shape->tree;
    for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        const PliRange range = tree->leaves[leaf];
        for (int32_t p = range.first; p < range.first + range.count; p++)
            triangle_leaves[shape->pieces ? shape->pieces[p].triangle : tree->order[p]] = leaf;
    }
}

PliantResult pli_topology_triangle_leaves(PliantShape *shape, const int32_t **triangle_leaves)
{
    const size_t count = (size_t)shape->header->triangle_count;
    int32_t *known = atomic_load_explicit(&shape->triangle_leaves, memory_order_acquire);
    if (!known) {
        void *made = NULL;
        PLI_TRY(pli_allocate(&shape->host, count, sizeof(int32_t), &made));
        fill_triangle_leaves(shape, made);
        if (atomic_compare_exchange_strong(&shape->triangle_leaves, &known, made))
            known = made;
        else
            pli_release(&shape->host, made, count, sizeof(int32_t));
    }
    *triangle_leaves = known;
    return PLIANT_OK;
}

/* ---- Seams ----------------------------------------------------------------------------------- */

PliantResult pli_topology_seams(PliantShape *shape, const PliSeams **seams)
{
    PliSeams *known = atomic_load_explicit(&shape->seams, memory_order_acquire);
    if (!known && shape->groups) {
        PliSeams *made = NULL;
        PLI_TRY(pli_seams_create(shape, &shape->host, &made));
        if (atomic_compare_exchange_strong(&shape->seams, &known, made))
            known = made;
        else
            pli_seams_free(made, &shape->host);
    }
    *seams = known;
    return PLIANT_OK;
}

/* ---- Fans ------------------------------------------------------------------------------------ */

PliantResult pli_topology_fans(PliantShape *shape, const PliFans **fans)
{
    PliFans *known = atomic_load_explicit(&shape->fans, memory_order_acquire);
    if (!known && !shape->pieces) {
        PliFans *made = NULL;
        const PliSeams *seams = NULL;
        PLI_TRY(pli_topology_seams(shape, &seams));
        PLI_TRY(pli_fans_create(&shape->tree, seams ? seams->corners : shape->vertex_lists.corners,
                                shape->header->vertex_count, &shape->host, &made));
        if (atomic_compare_exchange_strong(&shape->fans, &known, made))
            known = made;
        else
            pli_fans_free(made, &shape->host);
    }
    *fans = known;
    return PLIANT_OK;
}

/* ---- Features -------------------------------------------------------------------------------- */

PliantResult pli_topology_features(PliantShape *shape, const PliFeatures **features)
{
    PliFeatures *known = atomic_load_explicit(&shape->features, memory_order_acquire);
    if (!known) {
        PliFeatures *made = NULL;
        const PliSeams *seams = NULL;
        PLI_TRY(pli_topology_seams(shape, &seams));
        PLI_TRY(pli_features_create(seams ? seams->triangles : shape->triangles,
                                    shape->header->triangle_count,
                                    pli_shape_first_segment(shape->header),
                                    shape->header->vertex_count, &shape->host, &made));
        if (atomic_compare_exchange_strong(&shape->features, &known, made))
            known = made;
        else
            pli_features_free(made, &shape->host);
    }
    *features = known;
    return PLIANT_OK;
}

PliantResult pli_topology_leaf_features(PliantShape *shape, const PliLeafFeatures **leaf_features)
{
    PliLeafFeatures *known = atomic_load_explicit(&shape->leaf_features, memory_order_acquire);
    if (!known && !shape->pieces) {
        PliLeafFeatures *made = NULL;
        const PliFeatures *features = NULL;
        const PliSeams *seams = NULL;
        PLI_TRY(pli_topology_features(shape, &features));
        PLI_TRY(pli_topology_seams(shape, &seams));
        PLI_TRY(pli_leaf_features_create(&shape->tree, features,
                                         seams ? seams->corners : shape->vertex_lists.corners,
                                         &shape->host, &made));
        if (atomic_compare_exchange_strong(&shape->leaf_features, &known, made))
            known = made;
        else
            pli_leaf_features_free(made, &shape->host);
    }
    *leaf_features = known;
    return PLIANT_OK;
}

PliantResult pli_topology_rings(PliantShape *shape, const PliRings **rings)
{
    PliRings *known = atomic_load_explicit(&shape->rings, memory_order_acquire);
    if (!known) {
        PliRings *made = NULL;
        const PliSeams *seams = NULL;
        PLI_TRY(pli_topology_seams(shape, &seams));
        PLI_TRY(pli_rings_create(seams ? seams->triangles : shape->triangles,
                                 shape->header->triangle_count, shape->header->vertex_count,
                                 &shape->host, &made));
        if (atomic_compare_exchange_strong(&shape->rings, &known, made))
            known = made;
        else
            pli_rings_free(made, &shape->host);
    }
    *rings = known;
    return PLIANT_OK;
}

void pli_topology_free(PliantShape *shape)
{
    pli_rings_free(atomic_load(&shape->rings), &shape->host);
    pli_seams_free(atomic_load(&shape->seams), &shape->host);
    pli_features_free(atomic_load(&shape->features), &shape->host);
    pli_leaf_features_free(atomic_load(&shape->leaf_features), &shape->host);
    pli_fans_free(atomic_load(&shape->fans), &shape->host);
    pli_release(&shape->host, atomic_load(&shape->triangle_leaves),
                (size_t)shape->header->triangle_count, sizeof(int32_t));
}
