# numavp_missing(<sentence>): says what this build leaves out and what it would take; an error where the environment has
# NUMAVP_REQUIRE_ALL, as in the gate, which installs everything.
function(numavp_missing sentence)
    if(DEFINED ENV{NUMAVP_REQUIRE_ALL})
        message(FATAL_ERROR "${sentence}")
    endif()
    message(STATUS "${sentence}")
endfunction()

# numavp_at_least(<name> <oldest version> <version here>): an error where a library is older than what the sources are written for.
function(numavp_at_least name oldest here)
    if(here AND here VERSION_LESS oldest)
        message(FATAL_ERROR "numavp needs ${name} ${oldest} or later, and this is ${name} ${here} "
                            "(docs/develop/BUILDING.md, \"Other systems\", has the versions that are tested)")
    endif()
endfunction()
