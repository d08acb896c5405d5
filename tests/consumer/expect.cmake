# cmake -DPROGRAM=<program> -DARGUMENTS=<words> [-DSTATUS=<n>] [-DOUTPUT=<regular expression>] -P expect.cmake
# Runs a program and compares its exit status (a crash is none) and what it prints.
if(NOT DEFINED STATUS)
    set(STATUS 0)
endif()
separate_arguments(words UNIX_COMMAND "${ARGUMENTS}")
execute_process(COMMAND "${PROGRAM}" ${words} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(NOT status STREQUAL STATUS)
    message(FATAL_ERROR "${PROGRAM} ended with '${status}', expected ${STATUS}")
endif()
if(DEFINED OUTPUT AND NOT output MATCHES "${OUTPUT}")
    message(FATAL_ERROR "${PROGRAM} did not print ${OUTPUT}")
endif()
