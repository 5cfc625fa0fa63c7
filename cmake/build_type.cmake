# Nobody measures a library that was compiled without optimization by mistake: all pairs take nine times as long. Where no
# build type is chosen, Pliant is compiled as a release. In a project of others that is said of Pliant's own targets alone.
set(PLIANT_OPTIMIZATION)
if(CMAKE_BUILD_TYPE OR CMAKE_CONFIGURATION_TYPES)
  return()
endif()
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo, MinSizeRel, Debug or None" FORCE)
  message(STATUS "pliant: no build type was chosen, so it is Release; -DCMAKE_BUILD_TYPE=Debug or another chooses")
  return()
endif()
# Flags that the host has chosen itself count: those of a target would come after them and win.
get_directory_property(chosen COMPILE_OPTIONS)
if(NOT "${CMAKE_C_FLAGS};${chosen}" MATCHES "(^|[ ;])-O")
  separate_arguments(PLIANT_OPTIMIZATION NATIVE_COMMAND "${CMAKE_C_FLAGS_RELEASE}")
  message(STATUS "pliant: no build type was chosen, so Pliant alone is compiled with ${CMAKE_C_FLAGS_RELEASE}; "
    "CMAKE_BUILD_TYPE or -O in CMAKE_C_FLAGS chooses")
endif()
