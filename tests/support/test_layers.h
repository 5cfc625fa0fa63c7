/* Layers in one expression, for tests: made with a host, and what is known about them. */
#ifndef TEST_LAYERS_H
#define TEST_LAYERS_H

#include <pliant/volume.h>

static inline PliantResult test_layers_create(const PliantHost *host, PliantLayers **layers)
{
    PliantLayersDef def = pliant_layers_def_default();
    def.host = host;
    return pliant_layers_create(&def, layers);
}

/* Of layers that are there. */
static inline PliantLayersInfo test_layers_info(const PliantLayers *layers)
{
    PliantLayersInfo info = pliant_layers_info_default();
    (void)pliant_layers_info(layers, &info);
    return info;
}

/* A call succeeds, and the answer, a record of it, says that no surface is open. */
#define MUST_CLOSED(call, answer)                                                                  \
    do {                                                                                           \
        MUST(call);                                                                                \
        assert_true((answer).is_closed);                                                           \
    } while (0)

#endif
