# Library, headers, CMake package and .pc file. `cmake --install --component NAME` installs a part: runtime (shared
# libraries), development (all that it takes to compile and link), command (with its man page and completion).
include(CMakePackageConfigHelpers)

install(TARGETS pliant EXPORT pliant-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT pliant-targets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pliant-config.cmake.in
  ${PROJECT_BINARY_DIR}/pliant-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
# Before 1.0 a minor version may break the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pliant-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pliant-config.cmake
  ${PROJECT_BINARY_DIR}/pliant-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant COMPONENT development)

# Relative to the .pc file where the layout allows it, so that an installed tree can be moved.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(pc_system " -lm")
if(CMAKE_THREAD_LIBS_INIT) # where threads are a library of their own: a C library before glibc 2.34
  string(APPEND pc_system " ${CMAKE_THREAD_LIBS_INIT}")
endif()
# `pkg-config --libs` without --static links both kinds of library: a static one brings along what it needs.
if(BUILD_SHARED_LIBS)
  set(pc_libs_private "${pc_system}")
  set(pc_gl_requires_private " epoxy")
else()
  set(pc_libs "${pc_system}")
  set(pc_gl_requires ", epoxy")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/pliant.pc.in ${PROJECT_BINARY_DIR}/pliant.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pliant.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# A backend, where it was built: a component of the package, and a .pc file of its own.
function(pliant_install_backend name description)
  if(NOT TARGET pliant_${name})
    return()
  endif()
  set(pc_requires "${ARGV2}")
  set(pc_requires_private "${ARGV3}")
  install(TARGETS pliant_${name} EXPORT pliant-${name}-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  install(FILES ${PROJECT_SOURCE_DIR}/backends/${name}/include/pliant/${name}.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pliant COMPONENT development)
  install(EXPORT pliant-${name}-targets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant
    COMPONENT development)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/pliant-backend.pc.in ${PROJECT_BINARY_DIR}/pliant-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pliant-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endfunction()
pliant_install_backend(gl "layers of bodies, made by OpenGL" "${pc_gl_requires}" "${pc_gl_requires_private}")
# Its users compile and link with mpicc, of the MPI that it was built with.
pliant_install_backend(mpi "one world over the ranks of an MPI job" "" "")

# The command, where it was built, with its man page and the templates for many models; and completion, where it could be
# run.
if(TARGET pliant_command)
  install(TARGETS pliant_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  install(FILES ${PROJECT_SOURCE_DIR}/tools/pliant.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/packaging/fleet DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant USE_SOURCE_PERMISSIONS
    COMPONENT command)
endif()
if(TARGET pliant_completion)
  install(FILES ${PROJECT_BINARY_DIR}/tools/completion.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pliant COMPONENT command)
  install(FILES ${PROJECT_BINARY_DIR}/tools/completion.zsh
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _pliant COMPONENT command)
endif()
