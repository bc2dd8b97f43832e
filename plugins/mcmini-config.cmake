# find_package(mcmini) gives:
#   MCMINI_EXECUTABLE              the checker
#   mcmini_add_plugin(NAME FILE)   both halves of the plugin in FILE: NAME.so for `mcmini --plugin`, and the library NAME
#                                  (libNAME.so), to which programs link
#   mcmini_add_test(NAME TEST TARGET PROGRAM [ARGS ...] [OPTIONS ...])
#                                  a test for CTest: mcmini OPTIONS PROGRAM ARGS. It passes if there is no bug, and is
#                                  skipped if the search was stopped early without one
#   mcmini_instrument(TARGET)      compiles the target as mcmini-cc would, so that its accesses to memory are checked
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

function(mcmini_instrument target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "mcmini_instrument(${target}): there is no target '${target}'.")
  endif()
  set(stub "${MCMINI_PREFIX}/lib/mcmini/stub")
  foreach(language IN ITEMS C CXX)
    if(CMAKE_${language}_COMPILER_ID STREQUAL "GNU")
      set(options -fsanitize=thread -fno-ipa-reference -Wno-tsan "SHELL:-include \"${stub}/prelude.h\"")
    elseif(CMAKE_${language}_COMPILER_ID MATCHES "Clang")
      set(options "@${stub}/clang.options")
    elseif(CMAKE_${language}_COMPILER_ID)
      message(FATAL_ERROR "mcmini_instrument(${target}): ${CMAKE_${language}_COMPILER_ID} is not known. "
                          "Compile with gcc or clang.")
    endif()
    foreach(option IN LISTS options ITEMS "SHELL:-isystem \"${stub}/include\"" "@${stub}/compile.options")
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${option}>")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)

  # Not target_link_libraries: that would decide for the project which of its two forms it has to use. What is linked to a
  # static library needs the same.
  set(properties LINK)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
    list(APPEND properties INTERFACE_LINK)
  endif()
  foreach(property IN LISTS properties)
    set_property(TARGET ${target} APPEND PROPERTY ${property}_LIBRARIES "${stub}/libmcmini_stub.so")
    set_property(TARGET ${target} APPEND PROPERTY ${property}_OPTIONS "-Wl,@${stub}/wrap.options" "-Wl,-rpath,${stub}")
  endforeach()
endfunction()
