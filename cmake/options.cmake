# How the project's own sources are compiled: one place, used by every target.

# Arithmetic as it is written. These come after the user's flags and so win over them: a host that is
# built with -ffast-math can still take the library in with add_subdirectory().
set(PLIANT_ARITHMETIC -fno-fast-math -ffp-contract=off)

# What the code is compiled for. A compiler for 32 bits may run on a machine of 64, and one for macOS may compile for
# several processors at once: then for none of them with instructions of its own.
set(PLIANT_PROCESSOR ${CMAKE_SYSTEM_PROCESSOR})
if(CMAKE_OSX_ARCHITECTURES)
  set(PLIANT_PROCESSOR ${CMAKE_OSX_ARCHITECTURES})
endif()
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND PLIANT_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|x86|i[3-6]86)$")
  set(PLIANT_PROCESSOR i386)
  list(APPEND PLIANT_ARITHMETIC -msse2 -mfpmath=sse) # the x87 would round to 64 bits, and again to 53
endif()

set(PLIANT_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wcast-qual -Wpointer-arith -Wwrite-strings
  -Wno-psabi)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND PLIANT_PROCESSOR MATCHES "^(ppc|powerpc)")
  list(APPEND PLIANT_WARNINGS -Wno-deprecated-altivec-src-compat) # vectors compare here as elsewhere; the hash would show it
endif()
set(PLIANT_C_WARNINGS -Wstrict-prototypes -Wmissing-prototypes)

function(pliant_sanitize target)
  if(PLIANT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer
      $<$<C_COMPILER_ID:Clang>:-fno-sanitize=function> -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${PLIANT_SANITIZE})
  endif()
endfunction()

# Sources of all kinds.
function(pliant_common_options target)
  target_compile_features(${target} PRIVATE c_std_17)
  target_compile_options(${target} PRIVATE ${PLIANT_OPTIMIZATION} ${PLIANT_WARNINGS} ${PLIANT_ARITHMETIC}
    $<$<COMPILE_LANGUAGE:C>:${PLIANT_C_WARNINGS}> $<$<BOOL:${PLIANT_WERROR}>:-Werror>)
  set_target_properties(${target} PROPERTIES C_EXTENSIONS ON CXX_EXTENSIONS OFF)
  if(MINGW)
    target_compile_definitions(${target} PRIVATE __USE_MINGW_ANSI_STDIO=1) # formats as C has them
  endif()
  pliant_sanitize(${target})
endfunction()

# Sources of tests, bench, scenes and examples.
function(pliant_own_options target)
  pliant_common_options(${target})
  if(WIN32)
    target_compile_options(${target} PRIVATE "SHELL:-include ${PROJECT_SOURCE_DIR}/tests/support/windows.h")
  endif()
endfunction()

# Sources of the library.
function(pliant_library_options target)
  pliant_common_options(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE PLIANT_BUILDING
    $<$<BOOL:${PLIANT_ASSERTS}>:PLIANT_ASSERTS> $<$<BOOL:${BUILD_SHARED_LIBS}>:PLIANT_SHARED>)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden)
  if(NOT PLIANT_PROCESSOR STREQUAL "wasm32") # which has nowhere else to be
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
endfunction()
