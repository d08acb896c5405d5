# The tests of studies run the program itself, and that of the ranks if there is one.
if(TARGET test_study AND TARGET numavp_sim)
    add_dependencies(test_study numavp_sim numavp_ranks)
    set(mpirun "")
    if(NUMAVP_HAS_MPI)
        set(mpirun "${MPIEXEC_EXECUTABLE}")
    endif()
    target_compile_definitions(test_study PRIVATE NUMAVP_PROGRAM="$<TARGET_FILE:numavp_sim>"
                                                  NUMAVP_MPIRUN="${mpirun}")
endif()
