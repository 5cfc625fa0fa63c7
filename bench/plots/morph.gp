# Bodies that morph: Figures 5 and 8 of Larsson and Akenine-Moller 2003, drawn anew.
load "common.gp"

# Columns of a row: "row", figure, step or triangles, name, all pairs, first pair.
set key top left reverse Left
set xlabel "step"
set xrange [0:400]

set output docs."/paper-morph-all-pairs.svg"
set title "Two bodies of 20,480 triangles that morph: all pairs"
plot of("fig5", "hybrid") using 3:5 with lines linecolor rgb bergen title "Pliant, blended and hybrid", \
     of("fig5", "morph") using 3:5 with lines linecolor rgb hybrid title "Pliant, morph"

set output docs."/paper-morph-first-pair.svg"
set title "Two bodies of 20,480 triangles that morph: first pair"
plot of("fig5", "hybrid") using 3:6 with lines linecolor rgb bergen title "Pliant, blended and hybrid", \
     of("fig5", "morph") using 3:6 with lines linecolor rgb hybrid title "Pliant, morph"

set output docs."/paper-morph-sizes.svg"
set title "Twelve dolphins: average time of a step"
set xlabel "triangles of each body"
set logscale x 4
set xrange [400:800000]
set xtics ("564" 564, "2,256" 2256, "9,024" 9024, "36,096" 36096, "147,456" 147456, "589,824" 589824)
plot of("fig8", "hybrid") using 3:5 with linespoints pt 7 linecolor rgb bergen title "Pliant, blended and hybrid, all pairs", \
     of("fig8", "hybrid") using 3:6 with linespoints pt 6 dashtype 2 linecolor rgb bergen title "first pair", \
     of("fig8", "morph") using 3:5 with linespoints pt 7 linecolor rgb hybrid title "Pliant, morph, all pairs", \
     of("fig8", "morph") using 3:6 with linespoints pt 6 dashtype 2 linecolor rgb hybrid title "first pair"
set output
