# Soups in buckets: Figures 3 and 4 of Ganovelli, Dingliana and O'Sullivan 2000, drawn anew.
load "common.gp"

# Columns of a row: "row", figure, primitives or levels, algorithm-primitive-motion, update.
algorithm_1 = "#3070c0"
algorithm_2 = "#b01030"
unset logscale y
set yrange [0:*]
set key top left reverse Left samplen 2

set output docs."/paper-soup-algorithms.svg"
set xlabel "thousands of primitives"
set xrange [0:50]
set xtics 0, 10
set multiplot layout 1, 2 title "An octree of 4 levels, kept up to date"
# In 2000, Algorithm 2 was as fast as Algorithm 1 up to here, even without coherence.
set offsets 0, 0, graph 0.45, 0
set arrow 1 from 15, graph 0 to 15, graph 0.67 nohead dashtype 3 linecolor "#888888"
set label 1 "2000: alike up to here\nwithout coherence" at 16, graph 0.65 font ",12" textcolor "#666666"
do for [primitive in "points triangles"] {
    set title primitive
    plot of("bucket3", "1-".primitive."-coherent") using ($3/1000):5 with linespoints pt 7 ps 0.5 linecolor rgb algorithm_1 title "Algorithm 1, coherent", \
         of("bucket3", "1-".primitive."-scattered") using ($3/1000):5 with linespoints pt 6 ps 0.5 dashtype 2 linecolor rgb algorithm_1 title "not coherent", \
         of("bucket3", "2-".primitive."-coherent") using ($3/1000):5 with linespoints pt 7 ps 0.5 linecolor rgb algorithm_2 title "Algorithm 2, coherent", \
         of("bucket3", "2-".primitive."-scattered") using ($3/1000):5 with linespoints pt 6 ps 0.5 dashtype 2 linecolor rgb algorithm_2 title "not coherent"
}
unset multiplot
unset offsets
unset arrow 1
unset label 1

set output docs."/paper-soup-levels.svg"
set title "15,000 primitives that move coherently: the update by levels of the octree"
set logscale y
set yrange [*:*]
set xlabel "levels"
set xrange [0.8:7.2]
set xtics 1, 1
set arrow 1 from 4, graph 0 to 4, graph 0.7 nohead dashtype 3 linecolor "#888888"
set label 1 "2000: linear up to here,\nthen exponential" at 4.1, graph 0.13 font ",12" textcolor "#666666"
plot of("bucket4", "1-points-coherent") using 3:5 with linespoints pt 7 linecolor rgb algorithm_1 title "Algorithm 1, points", \
     of("bucket4", "1-triangles-coherent") using 3:5 with linespoints pt 6 dashtype 2 linecolor rgb algorithm_1 title "triangles", \
     of("bucket4", "2-points-coherent") using 3:5 with linespoints pt 7 linecolor rgb algorithm_2 title "Algorithm 2, points", \
     of("bucket4", "2-triangles-coherent") using 3:5 with linespoints pt 6 dashtype 2 linecolor rgb algorithm_2 title "triangles"
set output
