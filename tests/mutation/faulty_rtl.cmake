# The blocks of rtl/ that have rows in rtl.json, with the input `mutant` that chooses a fault: in the folder
# NUMAVP_FAULTY_RTL. They are written while CMake configures, as Verilator reads them then.
set(NUMAVP_FAULTY_RTL "${CMAKE_CURRENT_BINARY_DIR}/faulty_rtl")
include_guard(GLOBAL)
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
file(GLOB blocks CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rtl/*.sv")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${blocks} "${CMAKE_CURRENT_LIST_DIR}/rows.py"
             "${CMAKE_CURRENT_LIST_DIR}/rtl.json")
execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_LIST_DIR}/rows.py" rtl "${NUMAVP_FAULTY_RTL}"
                RESULT_VARIABLE failed ERROR_VARIABLE said)
if(failed)
    message(WARNING "faults that do not fit their block (tests/mutation/rtl.json) are left out:\n${said}")
endif()
