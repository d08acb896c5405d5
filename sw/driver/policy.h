/* Placement policies: in which socket's memory a page shall live.
 *
 * A policy reads a PolicyView, answers a socket and does no input or output. What it must remember is in the words of
 * state that the driver keeps for it. Policies of numavp are functions and lines of the table in policy.c; a policy of
 * a user's is a source of its own that defines `numavp_policy`: a shared object, or a part of a firmware image
 * (docs/use/FIRMWARE.md). */
#ifndef NUMAVP_SW_DRIVER_POLICY_H
#define NUMAVP_SW_DRIVER_POLICY_H

#include "sw/driver/c_types.h"

enum {
    /* Version of this interface: of struct PolicyView, struct Policy and what their members mean. */
    kPolicyVersion = 1,
    kPolicyOwn = 0xFFFF,         /* of register system.policy: the user's policy, not one of the table */
    kPolicyMaxSockets = 32,      /* as wide as the mask of sockets in the fault unit's HEAD_INFO */
    kPolicyMaxWords = 4096,      /* of a policy's state: 32 KiB, of the smallest arena (1 MiB) a 32nd */
    kPolicySeesRouters = 1 << 0, /* fills `routers` in: at most 5 register accesses, once for each socket that faults */
    kPolicySeesLinks = 1 << 1    /* fills `link_out` and `link_in` in: a register access at each fault for 4 sockets */
};

/* What a policy sees when a page faults. It may write `random` and the words of `own`, nothing else. */
struct PolicyView {
    uint32_t sockets;                   /* n, at least 1 */
    uint32_t lab_percent;               /* threshold of the normalised page balance, 0 to 100 */
    uint64_t calls;                     /* pages that a policy was asked for before this one */
    uint64_t random;                    /* state of the generator, never 0 */
    uint64_t pages[kPolicyMaxSockets];  /* resident in each memory now */
    uint64_t frames[kPolicyMaxSockets]; /* that each memory has, in pages; a policy may ignore it */

    /* The fault. */
    uint64_t page;    /* virtual page number */
    uint32_t toucher; /* socket that accessed the page first, below n */
    uint32_t write;   /* 1 if that access was a store or an atomic, 0 if it was a load */

    /* The machine, for policies that ask for it (`sees`). */
    const uint8_t* routers;              /* routers between toucher and socket i, 0 to itself; null without
                                         kPolicySeesRouters. The machine as it was built; a switch is one router */
    uint8_t link_out[kPolicyMaxSockets]; /* percent of what the lanes from socket i could carry, in the last sample */
    uint8_t link_in[kPolicyMaxSockets];  /* the same of lanes to socket i; both 0 without kPolicySeesLinks */

    /* The policy's state: as many words as it declares, 0 when it begins to decide; null if it declares none. */
    uint64_t* own;
};

struct Policy {
    uint32_t version; /* kPolicyVersion; the first member in every version */
    uint32_t words;   /* of state that the driver keeps for it, 0 to kPolicyMaxWords, of 8 bytes */
    uint32_t sees;    /* kPolicySees..., or 0 */
    const char* name;
    const char* doc;
    /* The home that the view's page shall have: a number below `sockets`. Whether there is room is not its concern:
     * the driver takes the next best memory where there is none. */
    uint32_t (*wish)(struct PolicyView* view);
};

#ifdef __cplusplus
extern "C" {
#endif

/* A user's policy, in a source of its own. No part of the platform or of the driver's default image. */
extern const struct Policy numavp_policy; /* NOLINT(readability-identifier-naming): a symbol, named as the program's */

/* Building blocks of policies, here so that a shared object has them too. The lowest index among equals. */
static inline uint32_t policy_least(const struct PolicyView* view) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < view->sockets; ++i) {
        if (view->pages[i] < view->pages[least]) least = i;
    }
    return least;
}

/* Local-And-Balanced's question: is Equation 1 of the NUBA paper, (1/n) sum(P_i / max P), above the threshold?
 * True if no memory has a page. Exact: with pages of at least 4 KiB in 64 bits of address nothing overflows. */
static inline bool policy_balanced(const struct PolicyView* view) {
    uint64_t sum = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < view->sockets; ++i) {
        sum += view->pages[i];
        if (view->pages[i] > most) most = view->pages[i];
    }
    /* sum / (n * most) > percent / 100, multiplied out. */
    return most == 0 || 100 * sum > (uint64_t)view->lab_percent * view->sockets * most;
}

/* For the driver and the platform: a shared object has none of what follows. */

/* The table; its order is the meaning of the register system.policy. */
uint32_t policy_count(void);
const struct Policy* policy_at(uint32_t index);      /* null beyond the table */
const struct Policy* policy_named(const char* name); /* null if there is none */
uint32_t policy_index(const struct Policy* policy);
/* Null, or why a policy that is not of the table can't be used, in words. */
const char* policy_fault(const struct Policy* policy);

/* Any seed will do; equal seeds give equal choices. */
void policy_view_init(struct PolicyView* view, uint32_t sockets, uint64_t seed, uint32_t lab_percent);

/* Asks the policy about a page that `toucher` accesses, and counts the call. What `sees` asks for is in the view. */
uint32_t policy_ask(const struct Policy* policy, struct PolicyView* view, uint64_t page, uint32_t toucher, bool write);

/* `wish` if there is a free frame, else the memory with the fewest pages among those with one, the lowest index
 * among equals; view->sockets if all are full. */
uint32_t policy_next_best(const struct PolicyView* view, uint32_t wish);

#ifdef __cplusplus
}
#endif

#endif
