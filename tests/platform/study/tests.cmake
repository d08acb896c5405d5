# The tests of studies run the program itself, and that of the ranks if there is one.
if(TARGET test_study AND TARGET numavp_sim)
    add_dependencies(test_study numavp_sim numavp_ranks)
endif()
