/* Reset and trap entry of the driver's core: RV64IMAC, machine mode. */
    .file "sw/driver/riscv/start.S" /* else the symbol table has the name of a temporary file */
    .cfi_sections .debug_frame

    .section .text.start, "ax", @progbits
    .globl _start
    .type _start, @function
_start:
    .cfi_startproc
    .cfi_undefined ra /* nobody called it: back-traces end here */
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    csrr t0, mhartid
    bnez t0, 3f /* one driver: other harts sleep */
    la sp, stack_top
    la t0, trap_entry
    csrw mtvec, t0
    csrw mscratch, zero
    la t0, bss_start
    la t1, bss_end
1:  bgeu t0, t1, 2f
    sd zero, 0(t0)
    addi t0, t0, 8
    j 1b
2:  call main
3:  wfi
    j 3b
    .cfi_endproc
    .size _start, . - _start

/* All traps. The C function keeps the saved registers, so that only the others are put on the stack. The frame
 * describes the interrupted code to a debugger: its program counter, which is mepc, is the return address (column 64,
 * which the ABI sets aside for that), and ra is a register like the others. Traps don't nest: mepc stays as it is. */
    .section .text, "ax", @progbits
    .balign 4
    .globl trap_entry
    .type trap_entry, @function
trap_entry:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_return_column 64
    .cfi_register 64, mepc
    addi sp, sp, -144
    .cfi_def_cfa_offset 144
    .macro save register, offset
    sd \register, \offset(sp)
    .cfi_offset \register, \offset - 144
    .endm
    save ra, 0
    save t0, 8
    save t1, 16
    save t2, 24
    save a0, 32
    save a1, 40
    save a2, 48
    save a3, 56
    save a4, 64
    save a5, 72
    save a6, 80
    save a7, 88
    save t3, 96
    save t4, 104
    save t5, 112
    save t6, 120
    csrr a2, mepc
    sd a2, 128(sp)
    .cfi_offset 64, 128 - 144
    csrr a0, mscratch
    csrr a1, mcause
    csrr a3, mtval
    call trap
    .macro restore register, offset
    ld \register, \offset(sp)
    .cfi_restore \register
    .endm
    restore ra, 0
    restore t0, 8
    restore t1, 16
    restore t2, 24
    restore a0, 32
    restore a1, 40
    restore a2, 48
    restore a3, 56
    restore a4, 64
    restore a5, 72
    restore a6, 80
    restore a7, 88
    restore t3, 96
    restore t4, 104
    restore t5, 112
    restore t6, 120
    .cfi_register 64, mepc
    addi sp, sp, 144
    .cfi_def_cfa_offset 0
    mret
    .cfi_endproc
    .size trap_entry, . - trap_entry
