# What all plots share: size, fonts, and one color for each method in all of them.
set terminal svg size 840,500 font "sans-serif,16" background "#ffffff" linewidth 1.5
set border 3
set grid ytics linecolor "#dddddd"
set tics nomirror
set logscale y
set format y "%g"
set ylabel "milliseconds"

bergen = "#888888"
bottom_up = "#d08010"
top_down = "#3070c0"
hybrid = "#b01030"

# The lines of one figure and one method.
of(figure, name) = sprintf("< awk '$2 == \"%s\" && $4 == \"%s\"' '%s'", figure, name, rows)
