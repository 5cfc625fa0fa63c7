# Milliseconds at the first and at the worst contact for seven sizes: Table 1, then and now.
load "common.gp"
set xlabel "triangles of each body"
set logscale x 2
set xrange [1000:80000]
set xtics ("1,280" 1280, "5,120" 5120, "8,192" 8192, "16,384" 16384, "" 20480, "32,768" 32768, "65,536" 65536)
set yrange [*:5000]
set key top left reverse Left maxrows 3

# Columns of a row: "row", "table1", triangles, name, first step, first contact, worst contact.
set output docs."/paper-sizes.svg"
set title "First and worst contact of two spheres, update and all pairs"
plot "table1-2001.txt" using 1:3 with linespoints pt 7 linecolor rgb top_down title "2001 (550 MHz), worst", \
     of("table1", "Bergen") using 3:7 with linespoints pt 7 linecolor rgb bergen title "van den Bergen, worst", \
     of("table1", "pliant") using 3:7 with linespoints pt 7 linecolor rgb hybrid title "Pliant, worst", \
     "table1-2001.txt" using 1:2 with linespoints pt 6 dashtype 2 linecolor rgb top_down title "first", \
     of("table1", "Bergen") using 3:6 with linespoints pt 6 dashtype 2 linecolor rgb bergen title "first", \
     of("table1", "pliant") using 3:6 with linespoints pt 6 dashtype 2 linecolor rgb hybrid title "first"
set output
