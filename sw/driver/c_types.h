/* Integers of known width and bool, for headers that both C and C++ include. */
#ifndef NUMAVP_SW_DRIVER_C_TYPES_H
#define NUMAVP_SW_DRIVER_C_TYPES_H

#ifdef __cplusplus
#include <cstdint>
#else
#include <stdbool.h>
#include <stdint.h>
#endif

#endif
