/* Replication by access counts: hardware notes that a socket has accessed a remote page so and so often; the page is
 * copied into that socket's memory, if that has a free frame. The page is read-only while it has replicas; a store
 * faults, and all replicas are given up (a collapse).
 *
 * Limits, as of migration:
 * - After its k-th collapse a page is single for 2^k notes of any sockets, after kMostCollapses until it is evicted. A
 * collapse costs more than a move, and each one is evidence that the page is written; a phase of stores or two, such as
 * an array that one kernel fills and others read, still leaves it its replicas. The first replica takes one note.
 * - A replica costs memory alone, so it never displaces a page or another replica. It yields: pages that fault get the
 *   frames of replicas, the oldest first, and the policy counts pages only. */
#include <stddef.h>

#include <sw/driver/registers.h> /* made by the build */

#include "sw/driver/driver.h"

enum { kMostCollapses = 3 };

static uint32_t memory_of(const struct Driver* driver, uint64_t physical) {
    return (uint32_t)(physical >> driver->socket_shift);
}

static void release(struct Driver* driver, uint64_t physical) {
    const uint32_t memory = memory_of(driver, physical);
    const uint64_t offset = physical - ((uint64_t)memory << driver->socket_shift);
    frames_release(&driver->frames, memory, (uint32_t)(offset >> driver->page_shift));
}

/* Counts the note. True if the page may have its first replica now. */
static bool wants_replicas(struct FrameRecord* record) {
    if (record->collapses == kMostCollapses) return false;
    const uint16_t needed = (uint16_t)(1U << record->collapses);
    if (record->votes < needed) ++record->votes;
    return record->votes == needed;
}

/* A copy of the frame `home` in the memory of `socket`, or PAGE_TABLE_NO_SLOT if the engine refused. */
static uint64_t copy(struct Driver* driver, uint64_t page, uint64_t home, uint32_t socket) {
    const uint32_t frame = frames_take_replica(&driver->frames, socket, page, memory_of(driver, home));
    const uint64_t replica = driver_address(driver, socket, frame);
    if (devices_copy(&driver->devices, home, replica, (uint64_t)1 << driver->page_shift)) return replica;
    frames_release(&driver->frames, socket, frame);
    return PAGE_TABLE_NO_SLOT;
}

/* The first replica: translations that allow stores have to go, and dirty lines, before the page is copied. */
static void replicate(struct Driver* driver, uint64_t page, uint64_t slot, uint64_t home, uint32_t socket) {
    const uint64_t replicas = page_table_take_replicas(&driver->table, driver->view.sockets, home);
    if (replicas == PAGE_TABLE_NO_SLOT) return;
    page_table_set_moving(&driver->table, slot, home);
    devices_invalidate(&driver->devices, page);
    const uint64_t replica = copy(driver, page, home, socket);
    if (replica == PAGE_TABLE_NO_SLOT) { /* a refused copy has changed nothing: the page stays single */
        page_table_map(&driver->table, slot, home);
        page_table_release_replicas(&driver->table, replicas);
    } else {
        page_table_set_replica(&driver->table, replica_word(replicas, socket), replica);
        page_table_set_replicated(&driver->table, slot, replicas, false);
        driver_record(driver, home)->replicas = 1;
        ++driver->counts.replicated;
    }
    hal_write64(driver->hal, FAULT_UNIT_DONE, page);
}

/* Another replica: the others go on reading meanwhile; only this socket's translation changes. */
static void add_replica(struct Driver* driver, uint64_t page, uint64_t replicas, uint32_t socket) {
    const uint64_t word = replica_word(replicas, socket);
    const uint64_t pte = page_table_read(&driver->table, word);
    const uint64_t home = pte_address(pte);
    if (pte_is_replicated(pte) || memory_of(driver, home) == socket) return; /* it has had one since */
    if (!frames_has_room(&driver->frames, socket)) return;
    const uint64_t replica = copy(driver, page, home, socket);
    if (replica == PAGE_TABLE_NO_SLOT) return;
    page_table_set_moving(&driver->table, word, home);
    devices_invalidate(&driver->devices, page);
    page_table_set_replica(&driver->table, word, replica);
    hal_write64(driver->hal, FAULT_UNIT_DONE, page);
    ++driver_record(driver, home)->replicas;
    ++driver->counts.replicated;
}

void driver_consider_replica(struct Driver* driver, uint64_t page, uint32_t socket) {
    if (page >= driver->table.pages || socket >= driver->view.sockets) return;
    const uint64_t slot = page_table_slot(&driver->table, page, false);
    if (slot == PAGE_TABLE_NO_SLOT) return;
    const uint64_t pte = page_table_read(&driver->table, slot);
    if (!pte_is_mapped(pte)) return; /* it has gone to the host since */
    if (pte_is_replicated(pte)) {
        add_replica(driver, page, pte_replicas(pte), socket);
        return;
    }
    const uint64_t home = pte_address(pte);
    if (memory_of(driver, home) == socket) return;
    if (!wants_replicas(driver_record(driver, home))) return;
    if (!frames_has_room(&driver->frames, socket)) return;
    replicate(driver, page, slot, home, socket);
}

/* Takes all frames of the page out of all caches, gives up its replicas and maps it to its home, whose record is
 * returned. */
static struct FrameRecord* unite(struct Driver* driver, uint64_t page, uint64_t slot, uint64_t replicas) {
    uint64_t home = 0;
    page_table_set_replicated(&driver->table, slot, replicas, true);
    devices_invalidate(&driver->devices, page);
    for (uint32_t i = 0; i < driver->view.sockets; ++i) {
        const uint64_t pte = page_table_read(&driver->table, replica_word(replicas, i));
        if (pte_is_replicated(pte)) {
            release(driver, pte_address(pte));
        } else {
            home = pte_address(pte); /* a home has no replica: there is one such word at least */
        }
    }
    page_table_map(&driver->table, slot, home);
    page_table_release_replicas(&driver->table, replicas);
    struct FrameRecord* record = driver_record(driver, home);
    record->replicas = 0;
    return record;
}

void driver_collapse(struct Driver* driver, uint64_t page, uint64_t slot, uint64_t pte) {
    struct FrameRecord* record = unite(driver, page, slot, pte_replicas(pte));
    ++record->collapses;
    record->votes = 0;
    ++driver->counts.collapsed;
}

void driver_drop_replica(struct Driver* driver, uint32_t memory) {
    const uint32_t frame = frames_oldest_replica(&driver->frames, memory);
    const struct FrameRecord* oldest = frames_record(&driver->frames, memory, frame);
    const uint64_t page = oldest->page;
    const uint64_t slot = page_table_slot(&driver->table, page, false);
    const uint64_t replicas = pte_replicas(page_table_read(&driver->table, slot));
    const uint64_t home = pte_address(page_table_read(&driver->table, replica_word(replicas, oldest->home)));
    struct FrameRecord* record = driver_record(driver, home);
    if (record->replicas == 1) {
        unite(driver, page, slot, replicas);
    } else {
        const uint64_t word = replica_word(replicas, memory);
        page_table_set_moving(&driver->table, word, driver_address(driver, memory, frame));
        devices_invalidate(&driver->devices, page);
        page_table_map(&driver->table, word, home);
        frames_release(&driver->frames, memory, frame);
        --record->replicas;
    }
    hal_write64(driver->hal, FAULT_UNIT_DONE, page);
    ++driver->counts.dropped;
}
