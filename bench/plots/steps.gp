# Milliseconds in each of 200 steps: two spheres (Figures 3a and 3b) and 27 bodies (Figure 4a).
load "common.gp"
set xlabel "step"
set xrange [0:200]

# Columns of a row: "row", figure, step, name, all pairs, first pair.
set key top left reverse Left

set output docs."/paper-all-pairs.svg"
set title "Two spheres of 20,480 triangles: update and all pairs"
plot of("fig3", "Bergen") using 3:5 with lines linecolor rgb bergen title "van den Bergen 1997", \
     of("fig3", "pliant-bottom-up") using 3:5 with lines linecolor rgb bottom_up title "Pliant, bottom-up", \
     of("fig3", "pliant-top-down") using 3:5 with lines linecolor rgb top_down title "Pliant, top-down", \
     of("fig3", "pliant") using 3:5 with lines linecolor rgb hybrid title "Pliant, hybrid"

set output docs."/paper-first-pair.svg"
set title "Two spheres of 20,480 triangles: update and first pair"
set yrange [*:10]
plot of("fig3", "Bergen") using 3:6 with lines linecolor rgb bergen title "van den Bergen 1997", \
     of("fig3", "pliant-bottom-up") using 3:6 with lines linecolor rgb bottom_up title "Pliant, bottom-up", \
     of("fig3", "pliant-top-down") using 3:6 with lines linecolor rgb top_down title "Pliant, top-down", \
     of("fig3", "pliant") using 3:6 with lines linecolor rgb hybrid title "Pliant, hybrid"

set output docs."/paper-crowd.svg"
set title "27 bodies of 5,120 triangles: update and all pairs"
set yrange [0.05:*]
plot of("fig4", "Bergen") using 3:5 with lines linecolor rgb bergen title "van den Bergen 1997", \
     of("fig4", "pliant") using 3:5 with lines linecolor rgb hybrid title "Pliant, hybrid"
set output
