# find_package(mcmini) gives:
#   MCMINI_EXECUTABLE              the checker
#   mcmini_add_plugin(NAME FILE)   both halves of the plugin in FILE: NAME.so for `mcmini --plugin`, and the library NAME
#                                  (libNAME.so), to which programs link
#   mcmini_add_test(NAME TEST TARGET PROGRAM [ARGS ...] [OPTIONS ...])
#                                  a test for CTest: mcmini OPTIONS PROGRAM ARGS. It passes if there is no bug, and is
#                                  skipped if the search was stopped early without one
#   mcmini::NAME                   the same library of a ready plugin: mcmini::latch
get_filename_component(MCMINI_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(MCMINI_EXECUTABLE "${MCMINI_PREFIX}/bin/mcmini")
set(MCMINI_INCLUDE_DIRS "${MCMINI_PREFIX}/include" "${MCMINI_PREFIX}/include/mcmini")

file(GLOB mcmini_ready RELATIVE "${MCMINI_PREFIX}/lib/mcmini/plugins" "${MCMINI_PREFIX}/lib/mcmini/plugins/*.so")
foreach(name IN LISTS mcmini_ready)
  string(REGEX REPLACE "\\.so$" "" name "${name}")
  if(NOT TARGET mcmini::${name})
    add_library(mcmini::${name} SHARED IMPORTED)
    set_target_properties(mcmini::${name} PROPERTIES IMPORTED_LOCATION "${MCMINI_PREFIX}/lib/lib${name}.so"
                                                     INTERFACE_INCLUDE_DIRECTORIES "${MCMINI_PREFIX}/include")
  endif()
endforeach()

function(mcmini_add_plugin name file)
  get_filename_component(folder "${file}" DIRECTORY)
  get_filename_component(folder "${folder}" ABSOLUTE)

  add_library(${name}_model MODULE "${file}")
  set_target_properties(${name}_model PROPERTIES PREFIX "" OUTPUT_NAME ${name} CXX_VISIBILITY_PRESET hidden)

  # What the model needs of the C++ library, the program does not.
  add_library(${name} SHARED "${file}")
  target_compile_definitions(${name} PRIVATE MCMINI_TARGET_HALF)
  target_link_options(${name} PRIVATE -Wl,--as-needed)
  set_target_properties(${name} PROPERTIES VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name} PUBLIC "${folder}")
  add_dependencies(${name} ${name}_model)

  foreach(half IN ITEMS ${name}_model ${name})
    target_compile_features(${half} PRIVATE cxx_std_20)
    target_include_directories(${half} SYSTEM PRIVATE ${MCMINI_INCLUDE_DIRS})
  endforeach()
endfunction()

function(mcmini_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TARGET" "ARGS;OPTIONS")
  if(NOT test_NAME OR NOT test_TARGET OR test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mcmini_add_test(NAME TEST TARGET PROGRAM [ARGS ...] [OPTIONS ...]) is how to call it: "
                        "'${test_UNPARSED_ARGUMENTS}' is too much, or a name is missing.")
  endif()
  if(NOT TARGET ${test_TARGET})
    message(FATAL_ERROR "mcmini_add_test(NAME ${test_NAME}): there is no target '${test_TARGET}'.")
  endif()
  add_test(NAME ${test_NAME} COMMAND ${MCMINI_EXECUTABLE} ${test_OPTIONS} -- $<TARGET_FILE:${test_TARGET}> ${test_ARGS})
  set_tests_properties(${test_NAME} PROPERTIES LABELS mcmini SKIP_RETURN_CODE 3)
endfunction()
