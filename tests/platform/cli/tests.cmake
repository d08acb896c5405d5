# The tests of the command line run the program itself.
if(TARGET test_cli AND TARGET numavp_sim)
    add_dependencies(test_cli numavp_sim)
endif()
