# numavp_missing(<sentence>): says what this build leaves out and what it would take; an error where the environment has
# NUMAVP_REQUIRE_ALL, as in the gate, which installs everything.
function(numavp_missing sentence)
    if(DEFINED ENV{NUMAVP_REQUIRE_ALL})
        message(FATAL_ERROR "${sentence}")
    endif()
    message(STATUS "${sentence}")
endfunction()
