/* Firmware of the GDB session: an interrupt handler that gives each faulting page a home, round robin, while the main
   loop computes or sleeps. Freestanding, so that it needs no library; a C11 file as the driver's are. */
#include <stdint.h>

enum { kServed = 200, kRounds = 100 };

struct device { /* of tests/models/riscv/gdb/machine.h */
    uint64_t waiting;
    uint64_t head; /* a read takes it */
    uint64_t home;
    uint64_t end;
};

struct policy {
    uint64_t sockets;
    uint64_t next;
    uint64_t served;
    uint64_t last_page;
};

static volatile struct device* const device = (volatile struct device*)0x10000000;
struct policy policy = {4, 0, 0, 0};
volatile uint64_t work;

/* The trap's entry calls C as a function; its frame information says that the caller is where mepc points. */
__asm__(".section .init,\"ax\",@progbits\n"
        ".globl _start\n"
        "_start:\n"
        "    .option push\n    .option norelax\n"
        "    la gp, __global_pointer$\n"
        "    .option pop\n"
        "    la sp, stack_top\n"
        "    la t0, trap\n"
        "    csrw mtvec, t0\n"
        "    li t0, 0x800\n"
        "    csrw mie, t0\n"
        "    csrsi mstatus, 8\n"
        "    call main\n"
        "    j .\n"
        ".text\n"
        ".balign 4\n"
        "trap:\n"
        "    .cfi_startproc\n"
        "    .cfi_signal_frame\n"
        "    .cfi_return_column 4096 + 0x341\n"
        "    addi sp, sp, -128\n"
        "    .cfi_adjust_cfa_offset 128\n"
        "    sd ra, 0(sp)\n"
        "    .cfi_rel_offset ra, 0\n"
        "    sd t0, 8(sp)\n    sd t1, 16(sp)\n    sd t2, 24(sp)\n"
        "    sd a0, 32(sp)\n    sd a1, 40(sp)\n    sd a2, 48(sp)\n    sd a3, 56(sp)\n"
        "    sd a4, 64(sp)\n    sd a5, 72(sp)\n    sd a6, 80(sp)\n    sd a7, 88(sp)\n"
        "    sd t3, 96(sp)\n    sd t4, 104(sp)\n    sd t5, 112(sp)\n    sd t6, 120(sp)\n"
        "    call on_faults\n"
        "    ld ra, 0(sp)\n"
        "    ld t0, 8(sp)\n    ld t1, 16(sp)\n    ld t2, 24(sp)\n"
        "    ld a0, 32(sp)\n    ld a1, 40(sp)\n    ld a2, 48(sp)\n    ld a3, 56(sp)\n"
        "    ld a4, 64(sp)\n    ld a5, 72(sp)\n    ld a6, 80(sp)\n    ld a7, 88(sp)\n"
        "    ld t3, 96(sp)\n    ld t4, 104(sp)\n    ld t5, 112(sp)\n    ld t6, 120(sp)\n"
        "    addi sp, sp, 128\n"
        "    mret\n"
        "    .cfi_endproc\n");

/* The policy. */
__attribute__((noinline)) uint64_t place(struct policy* p, uint64_t page) {
    const uint64_t home = p->next;
    p->next = (home + 1) % p->sockets;
    p->last_page = page;
    return home;
}

void on_faults(void) {
    while (device->waiting != 0) {
        const uint64_t page = device->head;
        device->home = place(&policy, page);
        ++policy.served;
    }
}

__attribute__((noinline)) static void compute(void) {
    for (int i = 0; i < kRounds; ++i) work = work * 6364136223846793005U + 1442695040888963407U;
}

int main(void) {
    while (((volatile struct policy*)&policy)->served < kServed) {
        compute();
        __asm__ volatile("csrci mstatus, 8\n    wfi\n    csrsi mstatus, 8" ::: "memory");
    }
    device->end = work;
    return 0;
}
