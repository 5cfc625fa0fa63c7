# The wide kernels: each source once for each instruction set, with flags of its own. To add a set: a row
# here, a bit in pliant/base.h, its detection in base/cpu.c, its turn in kernels/kernels.c.

set(PLIANT_WIDE_OBJECTS)

# GCC for Windows aligns its stack to 16 bytes alone, and moves wider vectors there as if they were aligned (GCC bug 54412).
if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(PLIANT_UNALIGNED_MOVES -Wa,-muse-unaligned-vector-move)
endif()

function(pliant_add_wide isa lanes)
  add_library(pliant_wide_${isa} OBJECT ${PLIANT_WIDE_SOURCES})
  pliant_library_options(pliant_wide_${isa})
  target_compile_definitions(pliant_wide_${isa} PRIVATE PLI_ISA=${isa} PLI_LANES=${lanes})
  target_compile_options(pliant_wide_${isa} PRIVATE ${ARGN} ${PLIANT_UNALIGNED_MOVES})
  # Reading the compiler's intrinsics is half the time of a kernel. ccache would not keep what is compiled with them read before.
  if(isa MATCHES "^avx" AND NOT CMAKE_C_COMPILER_LAUNCHER)
    target_precompile_headers(pliant_wide_${isa} PRIVATE <immintrin.h>)
  endif()
  string(TOUPPER ${isa} upper)
  target_compile_definitions(pliant_objects PRIVATE PLI_HAS_${upper})
  list(APPEND PLIANT_WIDE_OBJECTS $<TARGET_OBJECTS:pliant_wide_${isa}>)
  set(PLIANT_WIDE_OBJECTS ${PLIANT_WIDE_OBJECTS} PARENT_SCOPE)
endfunction()

# In WebAssembly all is compiled for size but what a query of contacts spends its time in.
if(PLIANT_PROCESSOR MATCHES "^wasm32$")
  set(hot kernels/batch geom/triangle pose/boxes pose/pose tree/bounds_slots tree/walk tree/worker narrow/leaf_cache narrow/narrow
    mesh_pose/margins mesh_pose/mesh_pose mesh_pose/morph mesh_pose/morph_bounds mesh_pose/skin mesh_pose/unchanged_leaves)
  list(TRANSFORM hot REPLACE "(.+)" "src/\\1.c")
  if(PLIANT_SCALAR)
    file(GLOB references RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} src/kernels/*_c.c)
    list(APPEND hot ${references})
  endif()
  set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS -O2)
endif()

if(NOT PLIANT_SCALAR)
  if(PLIANT_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    pliant_add_wide(vector128 4)
    pliant_add_wide(avx2 8 -mavx2)
    pliant_add_wide(avx512 16 -mavx512f -mavx512bw -mavx512dq -mavx512vl)
  elseif(PLIANT_PROCESSOR MATCHES "^(aarch64|arm64|ARM64|arm64;x86_64|x86_64;arm64)$")
    pliant_add_wide(vector128 4)
  elseif(PLIANT_PROCESSOR MATCHES "^wasm32$")
    target_compile_options(pliant_objects PRIVATE -msimd128)
    pliant_add_wide(vector128 4 -msimd128 -O3)
  endif()
endif()
