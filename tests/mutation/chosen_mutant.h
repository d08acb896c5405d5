// The one mutant that is switched on in a process: number NUMAVP_MUTANT of the environment, 1 and more. Every mutant
// that is come across marks its byte in the file NUMAVP_REACHED, which child processes and crashes leave as it is.
// Included by the rewritten sources of mutate.py only; firmware for RISC-V has no mutants.
#ifndef NUMAVP_CHOSEN_MUTANT_H
#define NUMAVP_CHOSEN_MUTANT_H

#ifdef __riscv
#define NUMAVP_M(number) 0
#else
#include <fcntl.h>
#include <stdlib.h>

#include <sys/mman.h>
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) long numavp_chosen_mutant = 0;
__attribute__((weak)) unsigned char* numavp_reached_mutants = 0;
__attribute__((weak, constructor)) void numavp_choose_mutant(void) {
    const char* const chosen = getenv("NUMAVP_MUTANT");
    const char* const reached = getenv("NUMAVP_REACHED");
    if (chosen) numavp_chosen_mutant = atol(chosen);
    if (!reached || numavp_reached_mutants) return;
    const int file = open(reached, O_RDWR);
    if (file < 0) return;
    void* const bytes = mmap(0, NUMAVP_MUTANTS_ALL + 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED) numavp_reached_mutants = (unsigned char*)bytes;
}
static inline int numavp_is_mutant(long number) {
    if (numavp_reached_mutants) numavp_reached_mutants[number] = 1;
    return numavp_chosen_mutant == number;
}
#ifdef __cplusplus
}
#endif
#define NUMAVP_M(number) numavp_is_mutant(number)
#endif
#endif
