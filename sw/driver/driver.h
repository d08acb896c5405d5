/* The GPU driver's page allocator: serves page faults and access notes of the hardware in registers.json.
 *
 * A fault is placed by the policy, in the next best memory if the wished one is full; if all are full, the oldest page
 * of the wished memory goes to the host; if the host is full too, the page is refused. Notes move pages (migration.c)
 * or copy them (replication.c). Everything is in the structure and the arena that the caller hands in: several drivers
 * may run side by side, and nothing is allocated later.
 *
 * driver_init() once, then driver_interrupt() whenever the interrupt line is up.
 */
#ifndef NUMAVP_SW_DRIVER_DRIVER_H
#define NUMAVP_SW_DRIVER_DRIVER_H

#include "sw/driver/c_types.h"
#include "sw/driver/devices.h"
#include "sw/driver/frames.h"
#include "sw/driver/hal.h"
#include "sw/driver/page_table.h"
#include "sw/driver/policy.h"

struct DriverCounts {
    uint64_t faults;    /* that were served, refused ones included */
    uint64_t placed;    /* pages that were given their first frame */
    uint64_t mapped;    /* faults on pages that were mapped already */
    uint64_t elsewhere; /* pages that didn't get the memory that the policy wished, since it was full */
    uint64_t evicted;   /* pages that went to the host */
    uint64_t returned;  /* pages that came back from it */
    uint64_t refused;
    uint64_t notes;
    uint64_t migrated;
    uint64_t replicated; /* replicas that were made */
    uint64_t dropped;    /* replicas that were given up for a page's sake */
    uint64_t collapsed;  /* pages that lost all their replicas to a store */
};

struct Driver {
    struct Hal* hal;
    const struct Policy* own; /* a policy beside the table; null: none */
    const struct Policy* policy;
    struct PolicyView view;
    struct Devices devices;
    struct PageTable table;
    struct FrameTable frames;
    uint64_t fill; /* as register system.fill says */
    uint32_t page_shift;
    uint32_t socket_shift;
    uint32_t own_words; /* room for the state of policies, view.own if it is not 0 */
    uint64_t* own_state;
    uint32_t routers_known;                                /* bit s: the distances from socket s were read */
    uint8_t routers[kPolicyMaxSockets][kPolicyMaxSockets]; /* from, to */
    bool hears_notes;                                      /* of sockets that keep accessing a remote page, */
    bool replicates;                                       /* and answers them with replicas; else it moves the page */
    const char* refusal;                                   /* why the last refused page was */
    struct DriverCounts counts;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the system block, clears the root table page, prints a line on the console and lets the fault unit interrupt.
 * `own` is the policy that register system.policy calls OWN; null: there is none. `arena` is aligned to 8 bytes. It
 * begins with the state of policies and holds sizeof(struct FrameRecord) for each page of the sockets and, in at most
 * an eighth of it, 4 for each page of the host; what has no record is not used. Null, or a sentence (printed too): then
 * the driver must not be called. */
const char* driver_init(struct Driver* driver, struct Hal* hal, const struct Policy* own, void* arena,
                        uint64_t arena_bytes);

/* Takes another policy and threshold of balance, while no fault is served; the policy's state begins with zeros if it
 * is another one. Null, or why there is no such policy. */
const char* driver_set_policy(struct Driver* driver, uint64_t policy, uint32_t lab_percent);

/* Serves everything that waits at the fault unit; returns when nothing does. */
void driver_interrupt(struct Driver* driver);

/* Parts of the driver that are called from one another, and by tests. */

/* Fills in what the policy asks to see of the machine when socket `toucher` faults (look.c). */
void driver_look(struct Driver* driver, uint32_t toucher);

/* Maps `page` for socket `toucher`, to be stored to if it says `write`. Null, or why the page is refused. */
const char* driver_place(struct Driver* driver, uint64_t page, uint32_t toucher, bool write);
/* Socket `socket` keeps accessing `page`: moves it there if that is wise (migration.c says when). */
void driver_consider_move(struct Driver* driver, uint64_t page, uint32_t socket);
/* The same, for a replica (replication.c). */
void driver_consider_replica(struct Driver* driver, uint64_t page, uint32_t socket);
/* A store wants the page of the replicated entry `pte` at `slot`: gives up its replicas. */
void driver_collapse(struct Driver* driver, uint64_t page, uint64_t slot, uint64_t pte);
/* Gives up the oldest replica in `memory`, which must have one. */
void driver_drop_replica(struct Driver* driver, uint32_t memory);
/* Physical address of a frame; the host is memory driver->view.sockets. */
uint64_t driver_address(const struct Driver* driver, uint32_t memory, uint32_t frame);
/* The record of the frame at a physical address, which lies in a socket's memory. */
struct FrameRecord* driver_record(struct Driver* driver, uint64_t physical);

#ifdef __cplusplus
}
#endif

#endif
