/* Placement policies: in which socket's memory a page shall live.
 *
 * A policy sees numbers and answers one; it does no input or output and keeps what it must remember in the state.
 * A new one is a function and a line of the table in policy.c (docs/use/FIRMWARE.md). */
#ifndef NUMAVP_SW_DRIVER_POLICY_H
#define NUMAVP_SW_DRIVER_POLICY_H

#include "sw/driver/c_types.h"

enum { kPolicyMaxSockets = 32 }; /* as wide as the mask of sockets in the fault unit's HEAD_INFO */

struct PolicyState {
    uint32_t sockets;                   /* n, at least 1 */
    uint32_t lab_percent;               /* threshold of the normalised page balance, 0 to 100 */
    uint64_t calls;                     /* pages that a policy was asked for before this one */
    uint64_t random;                    /* state of the generator, never 0 */
    uint64_t pages[kPolicyMaxSockets];  /* resident in each memory now */
    uint64_t frames[kPolicyMaxSockets]; /* that each memory has; a policy may ignore it */
};

struct Policy {
    const char* name;
    /* The home that `page` (a virtual page number) shall have when socket `toucher` needs it: a number below
     * state->sockets. Whether there is room is not its concern: policy_next_best() comes after it. */
    uint32_t (*wish)(struct PolicyState* state, uint64_t page, uint32_t toucher);
    const char* doc;
};

#ifdef __cplusplus
extern "C" {
#endif

/* The table; its order is the meaning of the register system.policy. */
uint32_t policy_count(void);
const struct Policy* policy_at(uint32_t index);      /* null beyond the table */
const struct Policy* policy_named(const char* name); /* null if there is none */
uint32_t policy_index(const struct Policy* policy);

/* Any seed will do; equal seeds give equal choices. */
void policy_state_init(struct PolicyState* state, uint32_t sockets, uint64_t seed, uint32_t lab_percent);

/* Asks the policy and counts the call. */
uint32_t policy_ask(const struct Policy* policy, struct PolicyState* state, uint64_t page, uint32_t toucher);

/* `wish` if there is a free frame, else the memory with the fewest pages among those with one, the lowest index
 * among equals; state->sockets if all are full. */
uint32_t policy_next_best(const struct PolicyState* state, uint32_t wish);

/* The policies' building blocks. The lowest index among equals. */
uint32_t policy_least(const struct PolicyState* state);
/* Local-And-Balanced's question: is Equation 1 of the NUBA paper, (1/n) sum(P_i / max P), above the threshold?
 * True if no memory has a page. Exact: with pages of at least 4 KiB in 64 bits of address nothing overflows. */
bool policy_balanced(const struct PolicyState* state);

#ifdef __cplusplus
}
#endif

#endif
