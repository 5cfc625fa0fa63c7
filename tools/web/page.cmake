# The HTML report's shell: three.js and the viewer in one file, as C. It takes node and npm, and three
# packages that npm fetches when the build is configured, by the hashes in package-lock.json. three.js has
# the MIT licence, whose text goes into every page; esbuild (MIT) works here and leaves nothing in it.
# PLIANT_PAGE: AUTO leaves the page out where that fails, and the command says so; ON makes it an error. What it
# is at first can be said in the environment, for all builds at once.
set(page_default AUTO)
if(DEFINED ENV{PLIANT_PAGE})
  set(page_default $ENV{PLIANT_PAGE})
endif()
set(PLIANT_PAGE ${page_default} CACHE STRING "Build the HTML report into the command: AUTO, ON or OFF")
set_property(CACHE PLIANT_PAGE PROPERTY STRINGS AUTO ON OFF)

# Fetches the packages into `folder`, once for each package-lock.json. Sets `why` if that fails.
function(page_fetch folder why)
  set(lock ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/package-lock.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
  file(SHA256 ${lock} wanted)
  if(EXISTS ${folder}/fetched)
    file(READ ${folder}/fetched fetched)
    if(fetched STREQUAL wanted)
      return()
    endif()
  endif()
  find_program(PLIANT_NPM npm)
  if(NOT PLIANT_NPM)
    set(${why} "there is no npm" PARENT_SCOPE)
    return()
  endif()
  message(STATUS "pliant: npm fetches what the HTML report is made of")
  file(COPY ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/package.json ${lock} DESTINATION ${folder})
  execute_process(COMMAND ${PLIANT_NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY ${folder} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE text TIMEOUT 300)
  if(result EQUAL 0)
    file(WRITE ${folder}/fetched ${wanted})
  else()
    set(${why} "npm could not fetch its packages:\n${text}" PARENT_SCOPE)
  endif()
endfunction()

# page_shell(VARIABLE): the source of the shell, with or without a page in it.
function(page_shell source)
  set(web ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/web)
  set(why "")
  if(PLIANT_PAGE STREQUAL "OFF")
    set(why "PLIANT_PAGE is OFF")
  else()
    find_program(PLIANT_NODE node)
    if(PLIANT_NODE)
      page_fetch(${folder} why)
    else()
      set(why "there is no node")
    endif()
  endif()
  if(why)
    if(PLIANT_PAGE STREQUAL "ON")
      message(FATAL_ERROR "pliant: PLIANT_PAGE is ON, but ${why}")
    endif()
    message(STATUS "pliant: no HTML report, ${why}")
    set(${source} ${web}/../view/page_none.c PARENT_SCOPE)
    return()
  endif()
  file(GLOB modules CONFIGURE_DEPENDS ${web}/src/*.js)
  add_custom_command(OUTPUT ${folder}/page_shell.c
    COMMAND ${PLIANT_NODE} ${web}/build.mjs ${folder} ${folder}/page_shell.c
    DEPENDS ${modules} ${web}/build.mjs ${web}/page.html ${web}/page.css ${folder}/fetched
    COMMENT "Bundling the HTML report" VERBATIM)
  set(${source} ${folder}/page_shell.c PARENT_SCOPE)
endfunction()
