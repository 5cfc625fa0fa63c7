/* pliant-bench: one experiment, by name. */
#include "experiments.h"

static const BenchExperiment experiments[] = {
    {"tritri", "the exact triangle test, one by one and in batches", bench_tritri},
    {"shape", "making shapes, and mapping saved ones", bench_shape},
    {"broad", "pairs of bodies among many", bench_broad},
    {"morph", "kinds of bounds and of trees for bodies that morph", bench_morph},
    {"divide", "large triangles, whole and by pieces", bench_divide},
    {"character", "large triangles divided, and what is skinned: operations and bytes",
     bench_character},
    {"soup", "triangles of which nothing is known, kept in order in every way", bench_soup},
    {"paper-soup", "the experiments of Ganovelli, Dingliana and O'Sullivan 2000", bench_paper_soup},
    {"volume", "what bodies have in common and which points are inside: Heidelberger et al. 2003",
     bench_volume},
    {"cliffs", "bodies of bad shape, against the same number of well-shaped primitives",
     bench_cliffs},
    {"regions", "regions with depth", bench_regions},
    {"threads", "what a second worker gains", bench_threads},
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, experiments, sizeof experiments / sizeof *experiments);
}
