# cmake -DROOT=<repository> -P check_layers.cmake: who may include whom, and which cores stay free of SystemC.
cmake_minimum_required(VERSION 3.22)

# What the files under a folder may include, as a regular expression over repository paths; the first match holds.
set(rules
    "base/|^base/"
    "rtl/|^(base|rtl)/"
    "tlm-links/|^(base|rtl|tlm-links)/"
    "sw/driver/|^sw/driver/"
    "sw/work/|^(base|sw/work)/"
    "sw/loops/|^(base|sw/(work|loops))/"
    "sw/patterns/|^(base|sw/(work|loops|patterns))/"
    "sw/traces/|^(base|sw/(work|traces))/"
    "sw/workloads/|^(base|sw/(work|loops|patterns|traces|workloads))/"
    "models/|^(base|models|rtl|tlm-links|sw)/"
    "common/|^(base|models|rtl|tlm-links|sw|common)/"
    "communication/|^(base|models|rtl|tlm-links|sw|common|communication)/"
    "platform/|^(base|models|rtl|tlm-links|sw|common|communication|platform)/"
    "capi/|^(base|models|rtl|tlm-links|sw|common|communication|platform|capi)/"
    "include/|^(base|models|rtl|tlm-links|sw|common|communication|platform)/")

# Policies and cores that must be testable without a simulator, wherever they lie: a name without its extension.
set(systemc_free lane_balancer lane_balancer_rtl way_partition way_partition_rtl replication_model accesses_out
    axi4_manager axi4_monitor axi4_subordinate axi_lite_manager axi_lite_subordinate axi_lite_monitor packet flit_sender
    flit_receiver flit_channel flit_monitor page_placement block_dispatch tag_array rv64_core rv64_decode rv64_execute
    rv64_slow machine_csrs breakpoints elf_image gdb_server rv64_debug tlb radix_layout table_memory waiting_operations
    fault_port translator address_space waves wave_file gtkwave_save controller command_times command_checker
    request_table address_decoder device cube cube_crossbar streams scheduler row_policy refresh)

set(failures "")

# includes_of(<file> <quoted> <angled>): the include paths of a file, relative to ROOT.
function(includes_of file quoted angled)
    file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include")
    set(own "")
    set(foreign "")
    foreach(line IN LISTS lines)
        if(line MATCHES "include[ \t]*\"([^\"]+)\"")
            list(APPEND own "${CMAKE_MATCH_1}")
        elseif(line MATCHES "include[ \t]*<([^>]+)>")
            list(APPEND foreign "${CMAKE_MATCH_1}")
        endif()
    endforeach()
    set(${quoted} "${own}" PARENT_SCOPE)
    set(${angled} "${foreign}" PARENT_SCOPE)
endfunction()

# systemc_behind(<file> <result>): the chain of includes that leads from a file to SystemC, or "".
function(systemc_behind file result)
    set(${result} "" PARENT_SCOPE)
    get_property(seen GLOBAL PROPERTY seen)
    if(file IN_LIST seen OR NOT EXISTS "${ROOT}/${file}")
        return()
    endif()
    set_property(GLOBAL APPEND PROPERTY seen "${file}")
    includes_of("${file}" own foreign)
    foreach(header IN LISTS foreign)
        if(header MATCHES "^(systemc|tlm|sysc/|tlm_)")
            set(${result} "${file} > <${header}>" PARENT_SCOPE)
            return()
        endif()
    endforeach()
    foreach(header IN LISTS own)
        systemc_behind("${header}" chain)
        if(chain)
            set(${result} "${file} > ${chain}" PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/base/*.h" "${ROOT}/base/*.cpp"
     "${ROOT}/models/*.h" "${ROOT}/models/*.cpp" "${ROOT}/rtl/*.h"
     "${ROOT}/rtl/*.cpp" "${ROOT}/tlm-links/*.h" "${ROOT}/tlm-links/*.cpp" "${ROOT}/sw/*.h" "${ROOT}/sw/*.cpp"
     "${ROOT}/sw/*.c" "${ROOT}/common/*.h" "${ROOT}/common/*.cpp"
     "${ROOT}/communication/*.h" "${ROOT}/communication/*.cpp"
     "${ROOT}/platform/*.h" "${ROOT}/platform/*.cpp" "${ROOT}/capi/*.h" "${ROOT}/capi/*.cpp"
     "${ROOT}/include/*.h")

foreach(file IN LISTS files)
    foreach(rule IN LISTS rules)
        string(FIND "${rule}" "|" bar)
        string(SUBSTRING "${rule}" 0 ${bar} folder)
        math(EXPR bar "${bar} + 1")
        string(SUBSTRING "${rule}" ${bar} -1 allowed)
        string(FIND "${file}" "${folder}" position)
        if(position EQUAL 0)
            includes_of("${file}" own foreign)
            foreach(header IN LISTS own)
                if(NOT EXISTS "${ROOT}/${header}")
                    list(APPEND failures "${file} includes \"${header}\", which is no path of the repository")
                elseif(NOT header MATCHES "${allowed}")
                    list(APPEND failures "${file} includes ${header}: its layer may include ${allowed} only")
                endif()
            endforeach()
            break()
        endif()
    endforeach()
endforeach()

# The folders of models have no circles: take away, again and again, those that use none of the others that are left.
set(folders "")
foreach(file IN LISTS files)
    if(file MATCHES "^models/([a-z_]+)/")
        set(folder "${CMAKE_MATCH_1}")
        list(APPEND folders "${folder}")
        includes_of("${file}" own foreign)
        foreach(header IN LISTS own)
            if(header MATCHES "^models/([a-z_]+)/" AND NOT CMAKE_MATCH_1 STREQUAL folder)
                list(APPEND uses_${folder} "${CMAKE_MATCH_1}")
                set(because_${folder}_${CMAKE_MATCH_1} "${file} includes ${header}")
            endif()
        endforeach()
    endif()
endforeach()
list(REMOVE_DUPLICATES folders)
set(before -1)
list(LENGTH folders left)
while(NOT left EQUAL before)
    set(before ${left})
    foreach(folder IN LISTS folders)
        set(free TRUE)
        foreach(used IN LISTS uses_${folder})
            if(used IN_LIST folders)
                set(free FALSE)
            endif()
        endforeach()
        if(free)
            list(REMOVE_ITEM folders "${folder}")
        endif()
    endforeach()
    list(LENGTH folders left)
endwhile()
foreach(folder IN LISTS folders)
    list(REMOVE_DUPLICATES uses_${folder})
    foreach(used IN LISTS uses_${folder})
        if(used IN_LIST folders)
            list(APPEND failures "models/${folder} is in a circle of folders: ${because_${folder}_${used}}")
        endif()
    endforeach()
endforeach()

# The driver is firmware: C with freestanding headers only, and what the build makes of its register map.
foreach(file IN LISTS files)
    if(file MATCHES "^sw/driver/" AND NOT file STREQUAL "sw/driver/register_table.h") # the platform's side, in C++
        includes_of("${file}" own foreign)
        foreach(header IN LISTS foreign)
            if(NOT header MATCHES "^((stdbool|stddef|stdint|sw/driver/registers)[.]h|cstdint)$")
                list(APPEND failures "${file} includes <${header}>, which firmware has not")
            endif()
        endforeach()
    endif()
endforeach()

foreach(name IN LISTS systemc_free)
    set(found FALSE)
    foreach(file IN LISTS files)
        if(file MATCHES "/${name}\\.(h|cpp)$")
            set(found TRUE)
            set_property(GLOBAL PROPERTY seen "")
            systemc_behind("${file}" chain)
            if(chain)
                list(APPEND failures "${file} must be free of SystemC: ${chain}")
            endif()
        endif()
    endforeach()
    if(NOT found)
        list(APPEND failures "there is no ${name}.h: correct the list of SystemC-free cores in this test")
    endif()
endforeach()

if(failures)
    list(JOIN failures "\n  " text)
    message(FATAL_ERROR "the layers are broken:\n  ${text}")
endif()
list(LENGTH files count)
message(STATUS "${count} files keep to their layers")
