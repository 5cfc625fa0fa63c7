// pliant-bench-peers: the same work by the library and by others, timed in turns in one run.
#include "bench.h"
#include "peers.h"

static const BenchExperiment experiments[] = {
    {"tritri", "the exact triangle test against CGAL's exact-predicate kernel", peers_tritri},
    {"free", "bodies whose every vertex moves: update and query by Embree, FCL, Bullet, CGAL",
     peers_free},
    {"paper", "the experiments of Larsson and Akenine-Moller 2001, step by step", peers_paper},
    {"morph", "bodies that morph by weights, against bodies whose vertices are blended before",
     peers_morph},
    {"paper-morph", "the experiments of Larsson and Akenine-Moller 2003", peers_paper_morph},
    {"character", "people who follow joints, in rooms with large walls", peers_character},
    {"soup", "triangles of which nothing is known: update and query by Embree and CGAL",
     peers_soup},
    {"volume", "what two bodies have in common, against meshes that CGAL cuts along each other",
     peers_volume},
#ifdef HAS_EMBREE
    {"first",
     "from a mesh to the first answer, and the memory for it, by the library and by Embree",
     peers_first},
    {"played", "sequences, every frame of which is played once, by the library and by Embree",
     peers_played},
    {"rays", "the first triangle along a ray: people who follow joints, and a body at rest",
     peers_rays},
    {"points", "closest points of a body that follows joints, and of one that was updated",
     peers_points},
#endif
#ifdef HAS_FCL
    {"distance", "the least distance of two bodies whose every vertex moves", peers_distance},
#endif
    {"near", "features within a distance: a cloth on a body, a folded cloth, somebody by a wall",
     peers_near},
    {"sweep", "what touches on the way to the next step: pairs of features, and whole scenes",
     peers_sweep},
    {"threads", "what a second thread gains, against Embree", peers_threads},
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, experiments, sizeof experiments / sizeof *experiments);
}
