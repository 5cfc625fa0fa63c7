# Settings of a wheel's build, read after project(): libraries of the command are linked statically.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PLIANT_WHEEL ON)
