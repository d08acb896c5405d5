# Own SystemVerilog as C++: Verilator translates the blocks of rtl/ while CMake configures, and again when one changes.
# Without Verilator everything else is built, and a configuration that asks for RTL is told what is missing.
option(NUMAVP_RTL "Build the RTL blocks if Verilator 5 is there" ON)
option(NUMAVP_MEMORY_WAVES "Waveforms of the inside of RTL memories too" OFF)
set(own_lane_balancer rtl/saturation.sv rtl/lane_balancer.sv)
set(NUMAVP_LANE_BALANCER_SOURCES "${own_lane_balancer}" CACHE STRING
    "SystemVerilog of the module lane_balancer: ours, or yours with the same ports")

set(NUMAVP_HAS_RTL FALSE)
if(NUMAVP_RTL)
    find_package(verilator QUIET)
    if("${PROJECT_SOURCE_DIR}${PROJECT_BINARY_DIR}" MATCHES "[ \t]")
        set(verilator_FOUND FALSE)
        numavp_missing("the RTL blocks are not built: Verilator takes no path with a blank, such as ${PROJECT_SOURCE_DIR}")
    elseif(verilator_FOUND AND NOT verilator_VERSION VERSION_LESS 5.006)
        set(NUMAVP_HAS_RTL TRUE)
    else()
        set(here "")
        if(verilator_FOUND)
            set(here ", and this is Verilator ${verilator_VERSION}")
            set(verilator_FOUND FALSE)
        endif()
        numavp_missing("the RTL blocks are not built: they need Verilator 5.006 or later (the package verilator)${here}")
    endif()
endif()

# numavp_verilated_target(<target>): an object library for numavp_verilate(). Its C++ is generated: no warnings, linter
# or sanitizers; the many small files of a module are compiled as one.
function(numavp_verilated_target target)
    add_library(${target} OBJECT)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "" EXPORT_COMPILE_COMMANDS OFF)
    target_compile_options(${target} PRIVATE -w)
    if(NUMAVP_SANITIZE)
        target_compile_options(${target} PRIVATE -fno-sanitize=all)
    endif()
endfunction()

# numavp_verilate(<target> <module> [TRACE] [OPTIONS ...] SOURCES ...): the class V<module> in that target. With TRACE its
# waveforms can be taken, which it pays for also while they are not: with a few percent of its instructions.
function(numavp_verilate target module)
    cmake_parse_arguments(ARG "TRACE" "" "OPTIONS;SOURCES" ${ARGN})
    set(tracing "")
    if(ARG_TRACE)
        list(APPEND ARG_OPTIONS --trace-max-width 1024) # beats of AXI4
        set(tracing TRACE)
    endif()
    set(sources "")
    foreach(source IN LISTS ARG_SOURCES)
        get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
        if(source MATCHES "^${PROJECT_SOURCE_DIR}/") # from where Verilator starts: its C++ is the same in every checkout
            file(RELATIVE_PATH source "${CMAKE_CURRENT_SOURCE_DIR}" "${source}")
        endif()
        list(APPEND sources "${source}")
    endforeach()
    verilate(${target} PREFIX V${module} TOP_MODULE ${module} SOURCES ${sources} ${tracing}
             VERILATOR_ARGS -Wall -O3 --output-split 0 ${ARG_OPTIONS})
    # Verilator's own runtime is compiled once for all targets.
    get_target_property(sources ${target} SOURCES)
    set(runtime ${sources})
    list(FILTER runtime INCLUDE REGEX "/verilated[a-z_]*\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "/verilated[a-z_]*\\.cpp$")
    set_target_properties(${target} PROPERTIES SOURCES "${sources}")
    numavp_group_generated(${target})
    get_property(earlier GLOBAL PROPERTY NUMAVP_VERILATOR_RUNTIME)
    list(APPEND runtime ${earlier})
    list(REMOVE_DUPLICATES runtime)
    set_property(GLOBAL PROPERTY NUMAVP_VERILATOR_RUNTIME "${runtime}")
endfunction()

# numavp_use_verilated(<target> <verilated target>): the sources of the first may include the classes of the second,
# whose objects become part of it.
function(numavp_use_verilated target verilated)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${verilated}>)
    target_include_directories(${target} SYSTEM PRIVATE
                               $<TARGET_PROPERTY:${verilated},INTERFACE_INCLUDE_DIRECTORIES>)
    add_dependencies(${target} ${verilated})
endfunction()

if(NUMAVP_HAS_RTL)
    set(NUMAVP_RTL_FOLDERS rtl/verilated)
    numavp_verilated_target(numavp_verilated)
    set(leniency "")
    set(NUMAVP_RTL_OUTSIDE "" CACHE INTERNAL "SystemVerilog that is not ours: ./numavp asks ninja whether it changed")
    if(NOT NUMAVP_LANE_BALANCER_SOURCES STREQUAL "${own_lane_balancer}")
        set(leniency OPTIONS -Wno-fatal --assert) # the style of another's block is not our business; its assertions hold
        set_property(CACHE NUMAVP_RTL_OUTSIDE PROPERTY VALUE "${NUMAVP_LANE_BALANCER_SOURCES}")
    endif()
    numavp_verilate(numavp_verilated lane_balancer TRACE ${leniency} SOURCES ${NUMAVP_LANE_BALANCER_SOURCES})
    numavp_verilate(numavp_verilated way_partition TRACE SOURCES rtl/saturation.sv rtl/way_partition.sv)
    numavp_verilate(numavp_verilated replication_model TRACE SOURCES rtl/replication_alu.sv rtl/replication_model.sv)
    set(memory_waves "") # clocked each cycle: here the few percent count
    if(NUMAVP_MEMORY_WAVES)
        set(memory_waves TRACE)
    endif()
    numavp_verilate(numavp_verilated axi4_ram ${memory_waves} SOURCES rtl/axi4_ram.sv)
    numavp_verilate(numavp_verilated axi4_master SOURCES rtl/axi4_open_bursts.sv rtl/axi4_master.sv)
    numavp_verilate(numavp_verilated axi4_channel SOURCES rtl/chance.sv rtl/axi4_channel.sv)
    numavp_verilate(numavp_verilated retry_sender SOURCES rtl/retry_sender.sv)
    numavp_verilate(numavp_verilated flit_relay SOURCES rtl/flit_relay.sv)
    numavp_verilate(numavp_verilated flit_retry_sender
                    SOURCES rtl/flit_crc.sv rtl/retry_sender.sv rtl/flit_retry_sender.sv)
    numavp_verilate(numavp_verilated flit_retry_receiver SOURCES rtl/flit_crc.sv rtl/flit_retry_receiver.sv)
    numavp_verilate(numavp_verilated axi4_lite_registers SOURCES rtl/axi4_lite_registers.sv)
    numavp_verilate(numavp_verilated fault_poller SOURCES rtl/fault_poller.sv)
    get_property(runtime GLOBAL PROPERTY NUMAVP_VERILATOR_RUNTIME)
    numavp_verilated_target(numavp_verilator_runtime)
    # A file an object: a program with Verilated models of its own brings a runtime of its own, and the linker takes
    # from ours only what that one does not have.
    target_sources(numavp_verilator_runtime PRIVATE ${runtime})
    target_include_directories(numavp_verilator_runtime PRIVATE "${VERILATOR_ROOT}/include"
                               "${VERILATOR_ROOT}/include/vltstd")
    target_compile_options(numavp_verilator_runtime PRIVATE "SHELL:-include \"${PROJECT_SOURCE_DIR}/rtl/verilated/runtime.h\"")
else()
    set(NUMAVP_RTL_FOLDERS rtl/absent)
endif()

# Waveforms as FST: the writer is one of the C sources that come with Verilator. VCD needs none of this.
set(NUMAVP_HAS_FST FALSE)
find_package(ZLIB QUIET)
if(verilator_FOUND AND ZLIB_FOUND AND EXISTS "${VERILATOR_ROOT}/include/gtkwave/fstapi.c")
    set(NUMAVP_HAS_FST TRUE)
    list(APPEND NUMAVP_RTL_FOLDERS rtl/fst)
    set(fst "${VERILATOR_ROOT}/include/gtkwave")
    add_library(numavp_fst OBJECT "${fst}/fstapi.c" "${fst}/fastlz.c" "${fst}/lz4.c")
    set_target_properties(numavp_fst PROPERTIES EXPORT_COMPILE_COMMANDS OFF C_CLANG_TIDY "") # not our sources
    target_compile_definitions(numavp_fst PRIVATE "FST_CONFIG_INCLUDE=\"fst_config.h\"")
    target_compile_options(numavp_fst PRIVATE -w)
    if(NUMAVP_SANITIZE)
        target_compile_options(numavp_fst PRIVATE -fno-sanitize=all)
    endif()
    target_link_libraries(numavp_fst PRIVATE ZLIB::ZLIB)
else()
    list(APPEND NUMAVP_RTL_FOLDERS rtl/no_fst)
    numavp_missing("waveforms are VCD alone: FST needs Verilator 5 and zlib (the packages verilator and zlib1g-dev)")
endif()
