# The linter over many sources at once. Most of its time goes to the declarations of headers, which it walks once a run: over
# all of models/ it takes little longer than over a twentieth of it.
option(NUMAVP_LINT_TOGETHER "Lint sources in groups apart from their compilation, if CMAKE_CXX_CLANG_TIDY is set" OFF)

# The findings of clang-tidy 14 are settled, those of others are not (19 has more checks under the same names). What a preset calls
# clang-tidy is that one; a path is taken as it is.
foreach(language C CXX)
    if(NOT CMAKE_${language}_CLANG_TIDY)
        continue()
    endif()
    list(GET CMAKE_${language}_CLANG_TIDY 0 linter)
    if(IS_ABSOLUTE "${linter}")
        continue()
    endif()
    find_program(NUMAVP_CLANG_TIDY NAMES clang-tidy-14 "${linter}")
    mark_as_advanced(NUMAVP_CLANG_TIDY)
    set(version "")
    if(NUMAVP_CLANG_TIDY)
        execute_process(COMMAND "${NUMAVP_CLANG_TIDY}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    endif()
    if(version MATCHES "version 14\\.")
        list(REMOVE_AT CMAKE_${language}_CLANG_TIDY 0)
        list(PREPEND CMAKE_${language}_CLANG_TIDY "${NUMAVP_CLANG_TIDY}")
    else()
        message(STATUS "${language} is not linted: clang-tidy 14 decides, and is not here")
        set(CMAKE_${language}_CLANG_TIDY "")
    endif()
endforeach()

# Complaints about headers are shown of our own alone; of sources too, since groups include them. The names in include/ are
# for C, and it holds nothing else that is not included.
if(CMAKE_CXX_CLANG_TIDY)
    set(product ${NUMAVP_PRODUCT})
    list(REMOVE_ITEM product include)
    list(JOIN product "|" product)
    list(JOIN NUMAVP_AROUND "|" around)
    foreach(language C CXX)
        if(CMAKE_${language}_CLANG_TIDY)
            list(APPEND CMAKE_${language}_CLANG_TIDY "--header-filter=/(${product}|${around})/.*\\.(h|cpp)$")
        endif()
    endforeach()
endif()

# numavp_lint_together(<name> <target>...): the C++ sources of these targets in one run, with the definitions and include
# folders of them all. Names in anonymous namespaces must differ, as in a unity build. Where the option is off, each source
# is linted as it is compiled.
function(numavp_lint_together name)
    if(NOT NUMAVP_LINT_TOGETHER OR NOT CMAKE_CXX_CLANG_TIDY)
        return()
    endif()
    set(includes "")
    set(sources "")
    set(folders "")
    set(definitions "")
    foreach(target IN LISTS ARGN)
        if(NOT TARGET ${target}) # a tool that it needs is missing
            continue()
        endif()
        get_target_property(folder ${target} SOURCE_DIR)
        get_target_property(own ${target} SOURCES)
        list(FILTER own INCLUDE REGEX "\\.cpp$")
        foreach(source IN LISTS own)
            get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
            list(APPEND sources "${source}")
            get_source_file_property(of_source "${source}" TARGET_DIRECTORY ${target} COMPILE_DEFINITIONS)
            if(of_source)
                list(APPEND definitions ${of_source})
            endif()
        endforeach()
        set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "")
        list(APPEND folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
        list(APPEND definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    endforeach()
    list(REMOVE_DUPLICATES sources)
    foreach(source IN LISTS sources)
        string(MAKE_C_IDENTIFIER "${source}" id) # each fuzz target defines the function of this name
        string(APPEND includes "#define LLVMFuzzerTestOneInput LLVMFuzzerTestOneInput${id}\n"
               "#include \"${source}\"\n#undef LLVMFuzzerTestOneInput\n")
    endforeach()
    set(unit "${PROJECT_BINARY_DIR}/lint/${name}.cpp")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "${includes}")

    # What is not ours is a system header: Verilator's, in the build's tree.
    set(generated "${PROJECT_BINARY_DIR}/generated")
    set(ours "^(|/usr/include|${PROJECT_SOURCE_DIR}|${generated})$")
    string(REGEX REPLACE "([][+.*?\\])" "\\\\\\1" ours "${ours}")
    set(folders "$<FILTER:$<REMOVE_DUPLICATES:${folders}>,EXCLUDE,${ours}>")
    set(definitions "$<FILTER:$<REMOVE_DUPLICATES:${definitions}>,EXCLUDE,^$>")
    set(patterns ${NUMAVP_PRODUCT} ${NUMAVP_AROUND})
    list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/")
    list(TRANSFORM patterns APPEND "/*.h")
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${patterns})
    add_custom_command(OUTPUT "${unit}.linted"
        COMMAND ${CMAKE_CXX_CLANG_TIDY} "--config-file=${PROJECT_SOURCE_DIR}/.clang-tidy" "${unit}" -- -x c++ -std=c++17
                -w "-I${PROJECT_SOURCE_DIR}" "-I${generated}"
                "$<$<BOOL:${folders}>:-isystem$<JOIN:${folders},;-isystem>>"
                "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        COMMAND "${CMAKE_COMMAND}" -E touch "${unit}.linted"
        DEPENDS "${unit}" ${sources} ${headers} "${PROJECT_SOURCE_DIR}/.clang-tidy"
        WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" COMMENT "Linting ${name}: lint/${name}.cpp.linted"
        COMMAND_EXPAND_LISTS VERBATIM)
    set_property(GLOBAL APPEND PROPERTY NUMAVP_LINT_TARGETS lint_${name})
    add_custom_target(lint_${name} ALL DEPENDS "${unit}.linted")
    add_dependencies(lint_${name} numavp_registers numavp_platform_model_hash) # headers that the build makes
endfunction()
