/* Migration by access counts: hardware notes that a socket has accessed a remote page so and so often; the page moves
 * to the socket that keeps accessing it.
 *
 * Two limits keep pages that several sockets share from bouncing, and bound what migration costs:
 * - Move k of a page (the first is 0) takes 2^k notes in a row from one socket. A note is migration_threshold remote
 *   accesses; the configuration chooses that so that they outweigh a move. Doubling makes each further move wait for
 *   twice the evidence, as a page that has moved before is likelier to be shared.
 * - After kMostMoves moves the page stays. With 1 + 2 + 4 notes spent, a page that is wanted elsewhere again has no
 *   single home; the three moves let it follow a phase change or two.
 * A page never moves into a full memory: pushing another one to the host would cost more than remote accesses do. */
#include <stddef.h>

#include <sw/driver/registers.h> /* made by the build */

#include "sw/driver/driver.h"

enum { kMostMoves = 3 };

/* Counts the note. True if the page shall move to `socket` now. */
static bool wants_move(struct FrameRecord* record, uint32_t socket) {
    if (record->moves == kMostMoves) return false;
    if (record->voter != socket) {
        record->voter = (uint8_t)socket;
        record->votes = 0;
    }
    const uint16_t needed = (uint16_t)(1U << record->moves);
    if (record->votes < needed) ++record->votes;
    return record->votes == needed;
}

static void move(struct Driver* driver, uint64_t slot, uint32_t from, uint32_t frame, uint32_t to) {
    struct FrameRecord* old = frames_record(&driver->frames, from, frame);
    const uint64_t source = driver_address(driver, from, frame);
    page_table_set_moving(&driver->table, slot, source);
    devices_invalidate(&driver->devices, old->page);

    const uint32_t fresh = frames_take(&driver->frames, to, old->page);
    const uint64_t target = driver_address(driver, to, fresh);
    if (!devices_copy(&driver->devices, source, target, (uint64_t)1 << driver->page_shift)) {
        frames_release(&driver->frames, to, fresh); /* a refused copy has changed nothing: the page stays */
        page_table_map(&driver->table, slot, source);
        hal_write64(driver->hal, FAULT_UNIT_DONE, old->page);
        return;
    }
    struct FrameRecord* record = frames_record(&driver->frames, to, fresh);
    record->host = old->host;
    record->moves = (uint8_t)(old->moves + 1);
    page_table_map(&driver->table, slot, target);
    hal_write64(driver->hal, FAULT_UNIT_DONE, record->page);
    frames_release(&driver->frames, from, frame);
    --driver->view.pages[from];
    ++driver->view.pages[to];
    ++driver->counts.migrated;
}

void driver_consider_move(struct Driver* driver, uint64_t page, uint32_t socket) {
    if (page >= driver->table.pages || socket >= driver->view.sockets) return;
    const uint64_t slot = page_table_slot(&driver->table, page, false);
    if (slot == PAGE_TABLE_NO_SLOT) return;
    const uint64_t pte = page_table_read(&driver->table, slot);
    if (!pte_is_mapped(pte)) return; /* it has gone to the host since */
    const uint64_t physical = pte_address(pte);
    const uint32_t home = (uint32_t)(physical >> driver->socket_shift);
    if (home == socket) return; /* it has moved there since */
    const uint64_t offset = physical - ((uint64_t)home << driver->socket_shift);
    const uint32_t frame = (uint32_t)(offset >> driver->page_shift);
    if (!wants_move(frames_record(&driver->frames, home, frame), socket)) return;
    if (driver->view.pages[socket] >= driver->view.frames[socket]) return;
    move(driver, slot, home, frame, socket);
}
