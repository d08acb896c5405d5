/// Included before each source of Verilator's runtime that is compiled for the platform: text of RTL blocks goes to
/// stderr, since stdout carries results, and the endings of a simulation are those of endings.cpp.
#pragma once

#include <cstdio>

#define VL_PRINTF(...) std::fprintf(stderr, __VA_ARGS__)
#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_FATAL
