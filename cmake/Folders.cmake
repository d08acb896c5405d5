# The folders of the repository, in one place. The script numavp, CMake, the hash of the models, format, linter, packaging
# and the checks and tools in tests/ read them here: one line a list, words apart by blanks.

# What the program and its libraries are made of.
set(NUMAVP_PRODUCT base rtl tlm-links sw models common communication platform capi include tracer)
# Other sources in C and C++.
set(NUMAVP_AROUND tests bench examples)
# Headers that are installed, by their path in the repository; include/ is installed as a root of its own.
set(NUMAVP_INSTALLED base rtl tlm-links sw models common communication platform)
# What results depend on: stored results are used again as long as none of it has changed. Folders, and files without their
# extension. The command line, studies and reports are not among them.
set(NUMAVP_RESULTS base rtl tlm-links sw models common/system platform/machine platform/results/results common/files/json_file common/files/results_format common/inputs/workload_record platform/results/kernel_figures platform/results/ratio_values platform/results/stream_rows platform/verdict/kernel_rows platform/verdict/outside_time platform/summary/caveats platform/summary/summary_statistics platform/accesses/results_latency platform/study/study_worker platform/study/study_application)
# Where deliberate faults are put.
set(NUMAVP_MUTATED base tlm-links sw/driver models common/system communication)
