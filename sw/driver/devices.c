#include "sw/driver/devices.h"

#include <sw/driver/registers.h> /* made by the build */

void devices_init(struct Devices* devices, struct Hal* hal, uint64_t control) {
    devices->hal = hal;
    devices->control = control | FAULT_UNIT_CONTROL_ON_INVALIDATED_MASK;
    devices->masked = true;
    devices->invalidations = hal_read64(hal, FAULT_UNIT_INVALIDATED);
    hal_write64(hal, FAULT_UNIT_CONTROL, FAULT_UNIT_CONTROL_ON_INVALIDATED_MASK);
    hal_write64(hal, COPY_ENGINE_CONTROL, COPY_ENGINE_CONTROL_ON_DONE_MASK);
}

static void mask(struct Devices* devices) {
    if (devices->masked) return;
    devices->masked = true;
    hal_write64(devices->hal, FAULT_UNIT_CONTROL, FAULT_UNIT_CONTROL_ON_INVALIDATED_MASK);
}

void devices_settle(struct Devices* devices) {
    if (!devices->masked) return;
    devices->masked = false;
    hal_write64(devices->hal, FAULT_UNIT_CONTROL, devices->control);
}

static bool command(struct Devices* devices, uint64_t code, uint64_t target, uint64_t bytes) {
    struct Hal* hal = devices->hal;
    mask(devices);
    hal_write64(hal, COPY_ENGINE_TARGET, target);
    hal_write64(hal, COPY_ENGINE_BYTES, bytes);
    hal_write64(hal, COPY_ENGINE_COMMAND, code);
    uint64_t status = hal_read64(hal, COPY_ENGINE_STATUS);
    while ((status & COPY_ENGINE_STATUS_BUSY_MASK) != 0) {
        hal_wait(hal);
        status = hal_read64(hal, COPY_ENGINE_STATUS);
    }
    (void)hal_read64(hal, COPY_ENGINE_DONE_COUNT); /* takes the interrupt back */
    return (status & COPY_ENGINE_STATUS_REFUSED_MASK) == 0;
}

bool devices_copy(struct Devices* devices, uint64_t source, uint64_t target, uint64_t bytes) {
    hal_write64(devices->hal, COPY_ENGINE_SOURCE, source);
    return command(devices, COPY_ENGINE_COMMAND_COPY, target, bytes);
}

bool devices_fill(struct Devices* devices, uint64_t target, uint64_t bytes) {
    return command(devices, COPY_ENGINE_COMMAND_FILL, target, bytes);
}

void devices_invalidate(struct Devices* devices, uint64_t page) {
    struct Hal* hal = devices->hal;
    mask(devices);
    ++devices->invalidations;
    hal_write64(hal, FAULT_UNIT_INVALIDATE, page);
    while (hal_read64(hal, FAULT_UNIT_INVALIDATED) != devices->invalidations) hal_wait(hal);
}

void console_text(struct Hal* hal, const char* text) {
    for (; *text != 0; ++text) hal_write64(hal, SYSTEM_CONSOLE, (uint64_t)(unsigned char)*text);
}

static void console_number(struct Hal* hal, uint64_t value, uint64_t base) {
    char digits[21]; /* 2^64 has 20 */
    char* first = digits + sizeof digits - 1;
    *first = 0;
    do {
        *--first = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    console_text(hal, first);
}

void console_decimal(struct Hal* hal, uint64_t value) { console_number(hal, value, 10); }

void console_hex(struct Hal* hal, uint64_t value) {
    console_text(hal, "0x");
    console_number(hal, value, 16);
}
