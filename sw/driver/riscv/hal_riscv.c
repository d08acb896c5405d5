/* The driver on its RISC-V core: bus accesses, waiting, traps, and what main() does before it sleeps. */
#include <stdint.h>

#include <sw/driver/registers.h> /* made by the build */

#include "sw/driver/driver.h"

/* Everything that the firmware has, on main()'s stack; mscratch tells the trap where. */
struct Firmware {
    struct Hal hal;
    struct Driver driver;
};

int main(void);
void trap(struct Firmware* firmware, uint64_t cause, uint64_t pc, uint64_t value);
_Noreturn void driver_panic(void);

extern char arena_start[]; /* driver.ld */

/* An image that is linked with a user's policy has it beside the table. */
#ifdef NUMAVP_OWN_POLICY
static const struct Policy* const kOwnPolicy = &numavp_policy;
#else
static const struct Policy* const kOwnPolicy = 0;
#endif

static const uint64_t kExternalInterrupt = 0x800000000000000bU; /* mcause */
static const uint64_t kExternalEnable = 1U << 11;               /* mie */
static const uint64_t kInterruptsEnable = 1U << 3;              /* mstatus */

static uint64_t read64(struct Hal* hal, uint64_t address) {
    (void)hal;
    return *(const volatile uint64_t*)address;
}

static void write64(struct Hal* hal, uint64_t address, uint64_t value) {
    (void)hal;
    *(volatile uint64_t*)address = value;
}

/* Called with interrupts off: a pending one ends wfi all the same and is not taken, so that none can slip in between
 * the caller's look at a device and the wfi. */
static void wait(struct Hal* hal) {
    (void)hal;
    __asm__ volatile("wfi" ::: "memory");
}

/* Stops for good. A breakpoint here catches whatever went wrong. */
__attribute__((noinline, aligned(4))) _Noreturn void driver_panic(void) {
    __asm__ volatile("csrc mstatus, %0" ::"r"(kInterruptsEnable));
    for (;;) __asm__ volatile("wfi");
}

static void print(struct Hal* hal, const char* text, uint64_t value) {
    console_text(hal, text);
    console_hex(hal, value);
}

/* From trap_entry, with interrupts off. `firmware` is null until main() has got that far. */
void trap(struct Firmware* firmware, uint64_t cause, uint64_t pc, uint64_t value) {
    if (cause == kExternalInterrupt && firmware != 0) {
        driver_interrupt(&firmware->driver);
        return;
    }
    /* Should the console trap too, the next trap goes straight to driver_panic(). */
    __asm__ volatile("csrw mtvec, %0" ::"r"((uint64_t)driver_panic));
    struct Hal hal = {read64, write64, wait};
    print(&hal, "driver: panic: cause ", cause);
    print(&hal, " pc ", pc);
    print(&hal, " tval ", value);
    console_text(&hal, "\n");
    driver_panic();
}

int main(void) {
    struct Firmware firmware; /* driver_init() fills in the rest: zeros would cost an instruction a byte or more */
    firmware.hal = (struct Hal){read64, write64, wait};
    struct Hal* hal = &firmware.hal;
    const uint64_t ram_end = RAM_BASE + hal_read64(hal, SYSTEM_RAM_BYTES);
    const uint64_t arena = (uint64_t)arena_start;
    const uint64_t room = ram_end > arena ? ram_end - arena : 0;
    /* In whole MiB, so that the driver has as much wherever it runs, however large its image is. */
    const uint64_t arena_bytes = room >> 20 << 20;
    /* So that wfi ends for it; it is not taken before mstatus says so. */
    __asm__ volatile("csrs mie, %0" ::"r"(kExternalEnable));
    if (driver_init(&firmware.driver, hal, kOwnPolicy, arena_start, arena_bytes) != 0) driver_panic();
    __asm__ volatile("csrw mscratch, %0" ::"r"(&firmware) : "memory");
    __asm__ volatile("csrs mstatus, %0" ::"r"(kInterruptsEnable) : "memory");
    for (;;) __asm__ volatile("wfi" ::: "memory");
}
