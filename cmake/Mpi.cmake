# The program numavp-mpi, which hands out the points of a study to ranks: the only part that is linked with MPI. Without
# Boost.MPI and an MPI everything else is built.
option(NUMAVP_MPI "Build numavp-mpi if Boost.MPI and MPI are there" ON)

add_custom_target(numavp_ranks) # what `./numavp` builds, whether there is MPI or not
set(NUMAVP_HAS_MPI FALSE)
if(NUMAVP_MPI)
    find_package(MPI QUIET COMPONENTS CXX)
    find_package(Boost 1.74 QUIET COMPONENTS iostreams mpi serialization)
    if(MPI_CXX_FOUND AND TARGET Boost::mpi AND TARGET Boost::serialization)
        set(NUMAVP_HAS_MPI TRUE)
    else()
        numavp_missing("numavp-mpi is not built: studies over several machines need libboost-mpi-dev, libopenmpi-dev and openmpi-bin")
    endif()
endif()

if(NUMAVP_HAS_MPI)
    add_executable(numavp_mpi platform/main_mpi.cpp platform/study/study_mpi.cpp)
    set_target_properties(numavp_mpi PROPERTIES OUTPUT_NAME numavp-mpi
                          RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    target_link_libraries(numavp_mpi PRIVATE numavp_platform Boost::mpi Boost::serialization MPI::MPI_CXX)
    numavp_own_target(numavp_mpi)
    install(TARGETS numavp_mpi RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    add_dependencies(numavp_ranks numavp_mpi)
endif()
