# numavp_gate: what ./numavp test builds, which is all that its tests run and its linter reads. Benchmarks are read by the
# linter alone; fuzz targets are of the sanitized half.
get_property(targets DIRECTORY "${PROJECT_SOURCE_DIR}/tests" PROPERTY BUILDSYSTEM_TARGETS)
if(NOT NUMAVP_SANITIZE)
    list(FILTER targets EXCLUDE REGEX "_fuzz$")
endif()
get_property(linted GLOBAL PROPERTY NUMAVP_LINT_TARGETS)
add_custom_target(numavp_gate)
add_dependencies(numavp_gate numavp_package numavp_ranks ${targets} ${linted})
