# The kernels that are compared with silicon: their traces, and what comes of them.
target_sources(test_device PRIVATE "${PROJECT_SOURCE_DIR}/bench/device/recorder.cpp")
