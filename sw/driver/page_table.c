#include "sw/driver/page_table.h"

#include <stddef.h>

#include <sw/driver/registers.h> /* made by the build */

static const uint64_t kNoPrefix = ~(uint64_t)0;

static uint64_t table_address(const struct PageTable* table, uint64_t k) {
    const uint64_t memory = table->first_memory + k % table->memories;
    return (memory << table->socket_shift) + table->region + k / table->memories * kTablePageBytes;
}

const char* page_table_init(struct PageTable* table, struct Devices* devices) {
    struct Hal* hal = devices->hal;
    const bool on_host = hal_read64(hal, SYSTEM_TABLES) == SYSTEM_TABLES_ON_HOST;
    const uint64_t sockets = hal_read64(hal, SYSTEM_SOCKETS);
    const uint64_t page_bits = hal_read64(hal, SYSTEM_ADDRESS_BITS) - hal_read64(hal, SYSTEM_PAGE_SHIFT);
    table->devices = devices;
    table->levels = (uint32_t)hal_read64(hal, SYSTEM_LEVELS);
    table->memories = on_host ? 1 : (uint32_t)sockets;
    table->first_memory = on_host ? (uint32_t)sockets : 0;
    table->socket_shift = (uint32_t)hal_read64(hal, SYSTEM_SOCKET_SHIFT);
    table->region = hal_read64(hal, SYSTEM_TABLE_BASE);
    table->tables_max = hal_read64(hal, SYSTEM_TABLE_FRAMES) * table->memories;
    table->tables = 1;
    table->leaf_prefix = kNoPrefix;
    table->leaf_table = 0;
    table->replicas_pages = 0;
    table->replicas_fresh = 0;
    table->replicas_free = PAGE_TABLE_NO_SLOT;
    if (page_bits == 0 || page_bits > 52) return "the bits of a virtual page number are not 1 to 52";
    table->pages = (uint64_t)1 << page_bits;
    if (table->levels != (page_bits + kTableIndexBits - 1) / kTableIndexBits) return "the levels don't fit the address";
    if (table->tables_max == 0) return "no memory has room for a table page";
    if (table->region % kTablePageBytes != 0) return "the region of table pages is not aligned to 4 KiB";
    const uint64_t root = hal_read64(hal, SYSTEM_ROOT);
    if (root != table_address(table, 0)) return "the root is not table page 0";
    if (!devices_fill(devices, root, kTablePageBytes)) return "the copy engine refused to clear the root";
    return NULL;
}

static uint64_t read_entry(struct PageTable* table, uint64_t slot) {
    return hal_read64(table->devices->hal, PLATFORM_BASE + slot);
}

static void write_entry(struct PageTable* table, uint64_t slot, uint64_t pte) {
    hal_write64(table->devices->hal, PLATFORM_BASE + slot, pte);
}

/* A cleared table page that `slot` of the level above points to, or PAGE_TABLE_NO_SLOT. */
static uint64_t grow(struct PageTable* table, uint64_t slot) {
    if (table->tables == table->tables_max) return PAGE_TABLE_NO_SLOT;
    const uint64_t fresh = table_address(table, table->tables);
    if (!devices_fill(table->devices, fresh, kTablePageBytes)) return PAGE_TABLE_NO_SLOT;
    ++table->tables;
    write_entry(table, slot, fresh | kPteValid); /* after it is clear: a walker may pass at any time */
    return fresh;
}

static uint64_t entry_of(uint64_t table_page, uint64_t page, uint32_t level) {
    const uint64_t index = (page >> (level * kTableIndexBits)) & ((1U << kTableIndexBits) - 1);
    return table_page + index * sizeof(uint64_t);
}

uint64_t page_table_slot(struct PageTable* table, uint64_t page, bool create) {
    if (page >> kTableIndexBits == table->leaf_prefix) return entry_of(table->leaf_table, page, 0);
    uint64_t here = table_address(table, 0);
    for (uint32_t level = table->levels - 1; level > 0; --level) {
        const uint64_t slot = entry_of(here, page, level);
        const uint64_t pte = read_entry(table, slot);
        if (pte_is_mapped(pte)) {
            here = pte_address(pte);
        } else {
            here = create ? grow(table, slot) : PAGE_TABLE_NO_SLOT;
            if (here == PAGE_TABLE_NO_SLOT) return PAGE_TABLE_NO_SLOT;
        }
    }
    table->leaf_prefix = page >> kTableIndexBits;
    table->leaf_table = here;
    return entry_of(here, page, 0);
}

uint64_t page_table_read(struct PageTable* table, uint64_t slot) { return read_entry(table, slot); }

void page_table_map(struct PageTable* table, uint64_t slot, uint64_t physical) {
    write_entry(table, slot, physical | kPteLeaf | kPteValid);
}

void page_table_set_moving(struct PageTable* table, uint64_t slot, uint64_t physical) {
    write_entry(table, slot, physical | kPteMoving);
}

void page_table_set_on_host(struct PageTable* table, uint64_t slot, uint64_t physical) {
    write_entry(table, slot, physical | kPteLeaf);
}

/* The next part of a table page. It is not cleared: all words that a walker may read are written before an entry points
 * to them. */
static uint64_t fresh_replicas(struct PageTable* table) {
    if (table->replicas_fresh % kTablePageBytes == 0) {
        if (table->tables == table->tables_max || 2 * (table->replicas_pages + 1) > table->tables_max)
            return PAGE_TABLE_NO_SLOT;
        table->replicas_fresh = table_address(table, table->tables++);
        ++table->replicas_pages;
    }
    const uint64_t fresh = table->replicas_fresh;
    table->replicas_fresh += kReplicasBytes;
    return fresh;
}

uint64_t page_table_take_replicas(struct PageTable* table, uint32_t sockets, uint64_t home) {
    uint64_t replicas = table->replicas_free;
    if (replicas == PAGE_TABLE_NO_SLOT) {
        replicas = fresh_replicas(table);
        if (replicas == PAGE_TABLE_NO_SLOT) return PAGE_TABLE_NO_SLOT;
    } else {
        table->replicas_free = read_entry(table, replicas);
    }
    for (uint32_t i = 0; i < sockets; ++i) page_table_map(table, replica_word(replicas, i), home);
    return replicas;
}

void page_table_release_replicas(struct PageTable* table, uint64_t replicas) {
    write_entry(table, replicas, table->replicas_free);
    table->replicas_free = replicas;
}

void page_table_set_replicated(struct PageTable* table, uint64_t slot, uint64_t replicas, bool moving) {
    write_entry(table, slot, replicas | kPteReplicated | (moving ? kPteMoving : kPteLeaf | kPteValid));
}

void page_table_set_replica(struct PageTable* table, uint64_t word, uint64_t physical) {
    write_entry(table, word, physical | kPteReplicated | kPteLeaf | kPteValid);
}
