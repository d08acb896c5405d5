# Each example as a user builds it, where projects of other teams are built (consumer/tests.cmake).
if(NOT COMMAND consumer_project)
    return()
endif()
# On the installed package: ends well by itself, and ends badly when a memory is spoilt.
# example(<name> <program> <what spoils it> <status then> <words then>)
function(example name program spoil status words)
    set(program "${consumer_builds}/example_${name}/${program}")
    consumer_project(example_${name} "${PROJECT_SOURCE_DIR}/examples/${name}" SETUP built_example_${name})
    consumer_test(example_${name}_run 60 NEEDS built_example_${name} COMMAND "${program}")
    consumer_test(example_${name}_notices 60 NEEDS built_example_${name}
                  COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=${program}" "-DARGUMENTS=${spoil}" "-DSTATUS=${status}"
                          "-DOUTPUT=${words}" -P "${expect}")
endfunction()
example(foreign-memory foreign_memory spoil 1 "[1-9][0-9]* bytes came back wrong")
# The same memory in the place of a memory cube.
set(program "${consumer_builds}/example_foreign-memory/foreign_memory")
consumer_test(example_foreign_cube_run 120 NEEDS built_example_foreign-memory COMMAND "${program}" cube)
consumer_test(example_foreign_cube_notices 120 NEEDS built_example_foreign-memory
              COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=${program}" "-DARGUMENTS=cube spoil" -DSTATUS=1
                      "-DOUTPUT=[1-9][0-9]* bytes came back wrong" -P "${expect}")
# Verilator's code is not ours to sanitize.
if(NUMAVP_HAS_RTL AND NOT NUMAVP_SANITIZE AND NOT NUMAVP_COVERAGE AND NOT NUMAVP_LIBFUZZER)
    example(rtl-memory rtl_memory spoil 1 "[1-9][0-9]* lines came back wrong")
    # $fatal of Verilator 5.006 aborts.
    example(rtl-testbench rtl_testbench +spoil "Subprocess aborted" "[1-9][0-9]* of 512 lines came back wrong")
endif()
