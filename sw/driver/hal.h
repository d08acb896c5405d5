/* What the driver needs of the machine under it: the only seam between it and hardware, simulated or real.
 *
 * An implementation puts a Hal first in a structure of its own and fills the three pointers in; the driver calls
 * nothing else. Native: the platform, in C++. RISC-V: hal_riscv.c. Tests: a fake. */
#ifndef NUMAVP_SW_DRIVER_HAL_H
#define NUMAVP_SW_DRIVER_HAL_H

#include "sw/driver/c_types.h"

struct Hal {
    /* An aligned access of 8 bytes on the core's bus (registers.json has its map). It has happened when the call
     * returns, in the order of calls. A bus error doesn't come back: RISC-V traps, the platform throws. */
    uint64_t (*read64)(struct Hal* hal, uint64_t address);
    void (*write64)(struct Hal* hal, uint64_t address, uint64_t value);
    /* Returns once the core's interrupt line is up (at once if it is already), or earlier: callers look again.
     * It never calls the driver. */
    void (*wait)(struct Hal* hal);
};

static inline uint64_t hal_read64(struct Hal* hal, uint64_t address) { return hal->read64(hal, address); }
static inline void hal_write64(struct Hal* hal, uint64_t address, uint64_t value) { hal->write64(hal, address, value); }
static inline void hal_wait(struct Hal* hal) { hal->wait(hal); }

#endif
