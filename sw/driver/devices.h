/* The host's devices as the driver uses them: copy engine, invalidation of a page, console.
 *
 * Waiting is by interrupt, with a look at the device's own status each time the line was up, so that an interrupt
 * of another cause, an early return of hal_wait() and a device that is done at once are all harmless. While the
 * driver waits, faults and notes are masked at the fault unit: else their level would keep the line up and every wait
 * would be a poll. devices_settle() unmasks them; it writes only if something was masked, so that the list of device
 * writes depends on the faults alone and not on when they came. */
#ifndef NUMAVP_SW_DRIVER_DEVICES_H
#define NUMAVP_SW_DRIVER_DEVICES_H

#include "sw/driver/c_types.h"
#include "sw/driver/hal.h"

struct Devices {
    struct Hal* hal;
    uint64_t control;       /* of the fault unit while the driver doesn't wait */
    uint64_t invalidations; /* that have been asked for and have completed */
    bool masked;            /* faults and notes */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Leaves faults and notes masked until the first devices_settle(); after it `control` holds. */
void devices_init(struct Devices* devices, struct Hal* hal, uint64_t control);
void devices_settle(struct Devices* devices);

/* Physical addresses. False if the engine refused. */
bool devices_copy(struct Devices* devices, uint64_t source, uint64_t target, uint64_t bytes);
bool devices_fill(struct Devices* devices, uint64_t target, uint64_t bytes);
/* Returns when no TLB, cache or request of any socket knows the page any more. Its entry must be invalid. */
void devices_invalidate(struct Devices* devices, uint64_t page);

void console_text(struct Hal* hal, const char* text);
void console_decimal(struct Hal* hal, uint64_t value);
void console_hex(struct Hal* hal, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
