/* Writer of the radix page table that the sockets' walkers read. It is the only one who writes it.
 *
 * Table pages are 4 KiB: 512 entries of 8 bytes, 9 bits of the virtual page number a level; the root takes the bits
 * that are left. They come from a reserved region, in order, are cleared by the copy engine and are never freed. */
#ifndef NUMAVP_SW_DRIVER_PAGE_TABLE_H
#define NUMAVP_SW_DRIVER_PAGE_TABLE_H

#include "sw/driver/c_types.h"
#include "sw/driver/devices.h"
#include "sw/driver/hal.h"

/* An entry: flags, and a physical address in bits 12 and up. Hardware looks at valid, leaf and the address.
 * What an entry that is not valid says is the driver's own: nothing (never placed), moving (between two memories), or
 * a leaf that is not valid: the page lies on the host at that address. */
enum { kPteValid = 1, kPteLeaf = 2, kPteMoving = 4, kPteFlags = 0xFFF };

/* No address of an entry. */
#define PAGE_TABLE_NO_SLOT (~(uint64_t)0)

enum { kTablePageBytes = 4096, kTableIndexBits = 9 };

struct PageTable {
    struct Devices* devices;
    uint64_t pages; /* virtual pages: numbers below this exist */
    uint32_t levels;
    uint32_t memories; /* that hold tables: table page k lies in memory first + k % memories */
    uint32_t first_memory;
    uint32_t socket_shift;
    uint64_t region;      /* offset of the table pages in each of these memories */
    uint64_t tables_max;  /* in all */
    uint64_t tables;      /* given out, the root included */
    uint64_t leaf_prefix; /* the leaf table that was found last: page >> 9, */
    uint64_t leaf_table;  /* and its physical address; neighbouring pages fault together */
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

/* What an entry says. */
static inline bool pte_is_mapped(uint64_t pte) { return (pte & kPteValid) != 0; }
static inline bool pte_is_on_host(uint64_t pte) { return (pte & (kPteValid | kPteLeaf)) == kPteLeaf; }
static inline uint64_t pte_address(uint64_t pte) { return pte & ~(uint64_t)kPteFlags; }

#ifdef __cplusplus
}
#endif

#endif
