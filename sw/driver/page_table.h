/* Writer of the radix page table that the sockets' walkers read. It is the only one who writes it.
 *
 * Table pages are 4 KiB: 512 entries of 8 bytes, 9 bits of the virtual page number a level; the root takes the bits
 * that are left. They come from a reserved region, in order, and are never freed. The copy engine clears them, but for
 * those that hold tables of replicas. */
#ifndef NUMAVP_SW_DRIVER_PAGE_TABLE_H
#define NUMAVP_SW_DRIVER_PAGE_TABLE_H

#include "sw/driver/c_types.h"
#include "sw/driver/devices.h"
#include "sw/driver/hal.h"

/* An entry: flags, and a physical address in bits 12 and up. Hardware looks at valid, leaf, replicated and the address.
 * What an entry that is not valid says is the driver's own: nothing (never placed), moving (between two memories), or
 * a leaf that is not valid: the page lies on the host at that address.
 *
 * A leaf that is replicated points, by bits 8 and up, to a table of replicas: a word for each socket, which is a leaf
 * with the frame that this socket reads. In such a word, replicated says that the frame is the socket's replica; else
 * it is the page's home. A word that is moving holds up the accesses of its socket alone. All these translations are
 * read-only: a store faults. */
enum { kPteValid = 1, kPteLeaf = 2, kPteMoving = 4, kPteReplicated = 8, kPteFlags = 0xFFF, kReplicasFlags = 0xFF };

/* No address of an entry. */
#define PAGE_TABLE_NO_SLOT (~(uint64_t)0)

enum { kTablePageBytes = 4096, kTableIndexBits = 9, kReplicasBytes = 256 };

struct PageTable {
    struct Devices* devices;
    uint64_t pages; /* virtual pages: numbers below this exist */
    uint32_t levels;
    uint32_t memories; /* that hold tables: table page k lies in memory first + k % memories */
    uint32_t first_memory;
    uint32_t socket_shift;
    uint64_t region;         /* offset of the table pages in each of these memories */
    uint64_t tables_max;     /* in all */
    uint64_t tables;         /* given out, the root included */
    uint64_t leaf_prefix;    /* the leaf table that was found last: page >> 9, */
    uint64_t leaf_table;     /* and its physical address; neighbouring pages fault together */
    uint64_t replicas_pages; /* table pages that hold tables of replicas */
    uint64_t replicas_fresh; /* the next table of replicas in the newest of these, if its offset there is not 0 */
    uint64_t replicas_free;  /* one that came back, whose first word has the next, or PAGE_TABLE_NO_SLOT */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the system block and clears the root. Null, or a sentence that says what is wrong with the configuration. */
const char* page_table_init(struct PageTable* table, struct Devices* devices);

/* Physical address of the entry of `page`, or PAGE_TABLE_NO_SLOT: with `create` if there is no room for a table page
 * (or the engine refused), else if the page has no table. `page` must be below table->pages. */
uint64_t page_table_slot(struct PageTable* table, uint64_t page, bool create);

uint64_t page_table_read(struct PageTable* table, uint64_t slot);
void page_table_map(struct PageTable* table, uint64_t slot, uint64_t physical);
/* `physical` is where the page still is: hardware writes its lines back there. */
void page_table_set_moving(struct PageTable* table, uint64_t slot, uint64_t physical);
void page_table_set_on_host(struct PageTable* table, uint64_t slot, uint64_t physical);

/* A table of replicas in which all `sockets` read the frame `home`, or PAGE_TABLE_NO_SLOT if there is no room: these
 * tables take at most half of the region, so that pages can always be mapped. */
uint64_t page_table_take_replicas(struct PageTable* table, uint32_t sockets, uint64_t home);
/* No entry may point to it. */
void page_table_release_replicas(struct PageTable* table, uint64_t replicas);
/* The page's entry points to `replicas`, or, if `moving`, is not valid and says which frames are to be given up. */
void page_table_set_replicated(struct PageTable* table, uint64_t slot, uint64_t replicas, bool moving);
/* The word of a socket: its replica. For the home's frame and for a word that is moving, as for an entry. */
void page_table_set_replica(struct PageTable* table, uint64_t word, uint64_t physical);
/* Physical address of a socket's word. */
static inline uint64_t replica_word(uint64_t replicas, uint32_t socket) { return replicas + 8 * (uint64_t)socket; }

/* What an entry says. */
static inline bool pte_is_mapped(uint64_t pte) { return (pte & kPteValid) != 0; }
static inline bool pte_is_on_host(uint64_t pte) { return (pte & (kPteValid | kPteLeaf)) == kPteLeaf; }
static inline bool pte_is_replicated(uint64_t pte) { return (pte & kPteReplicated) != 0; }
static inline uint64_t pte_address(uint64_t pte) { return pte & ~(uint64_t)kPteFlags; }
static inline uint64_t pte_replicas(uint64_t pte) { return pte & ~(uint64_t)kReplicasFlags; }

#ifdef __cplusplus
}
#endif

#endif
