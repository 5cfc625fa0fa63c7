# How the project's own sources are compiled: one place, used by every target.

# Arithmetic as it is written. These come after the user's flags and so win over them: a host that is
# built with -ffast-math can still take the library in with add_subdirectory().
set(PLIANT_ARITHMETIC -fno-fast-math -ffp-contract=off)

set(PLIANT_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wcast-qual -Wpointer-arith -Wwrite-strings
  -Wno-psabi)
set(PLIANT_C_WARNINGS -Wstrict-prototypes -Wmissing-prototypes)

function(pliant_sanitize target)
  if(PLIANT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer
      $<$<C_COMPILER_ID:Clang>:-fno-sanitize=function> -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${PLIANT_SANITIZE})
  endif()
endfunction()

# Sources of tests, bench, scenes and examples.
function(pliant_own_options target)
  target_compile_features(${target} PRIVATE c_std_17)
  target_compile_options(${target} PRIVATE ${PLIANT_WARNINGS} ${PLIANT_ARITHMETIC}
    $<$<COMPILE_LANGUAGE:C>:${PLIANT_C_WARNINGS}> $<$<BOOL:${PLIANT_WERROR}>:-Werror>)
  set_target_properties(${target} PROPERTIES C_EXTENSIONS ON CXX_EXTENSIONS OFF)
  pliant_sanitize(${target})
endfunction()

# Sources of the library.
function(pliant_library_options target)
  pliant_own_options(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE PLIANT_BUILDING
    $<$<BOOL:${PLIANT_ASSERTS}>:PLIANT_ASSERTS> $<$<BOOL:${BUILD_SHARED_LIBS}>:PLIANT_SHARED>)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
endfunction()
