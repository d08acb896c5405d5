#include "sw/driver/driver.h"

#include <stddef.h>

#include <sw/driver/registers.h> /* made by the build */

_Static_assert(kPolicyOwn == SYSTEM_POLICY_OWN, "the platform and the register map number the user's policy");

uint64_t driver_address(const struct Driver* driver, uint32_t memory, uint32_t frame) {
    return ((uint64_t)memory << driver->socket_shift) + ((uint64_t)frame << driver->page_shift);
}

struct FrameRecord* driver_record(struct Driver* driver, uint64_t physical) {
    const uint32_t memory = (uint32_t)(physical >> driver->socket_shift);
    const uint64_t offset = physical - ((uint64_t)memory << driver->socket_shift);
    return frames_record(&driver->frames, memory, (uint32_t)(offset >> driver->page_shift));
}

static uint64_t page_bytes(const struct Driver* driver) { return (uint64_t)1 << driver->page_shift; }

static uint64_t own_bytes(const struct Driver* driver) { return sizeof(uint64_t) * (uint64_t)driver->own_words; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Takes room for the policy with the largest state from the front of the arena. */
static const char* init_own_state(struct Driver* driver, uint64_t* arena, uint64_t arena_bytes) {
    const char* wrong = driver->own != NULL ? policy_fault(driver->own) : NULL;
    if (wrong != NULL) return wrong; /* of a firmware image, nobody has looked at it before */
    driver->own_words = driver->own != NULL ? driver->own->words : 0;
    for (uint32_t i = 0; i < policy_count(); ++i) {
        if (policy_at(i)->words > driver->own_words) driver->own_words = policy_at(i)->words;
    }
    driver->own_state = arena;
    return arena_bytes < own_bytes(driver) ? "there is no memory for the state of the policy" : NULL;
}

/* What policies see, and the frame table, from the system block. */
static const char* init_memories(struct Driver* driver, void* arena, uint64_t arena_bytes) {
    struct Hal* hal = driver->hal;
    const uint64_t sockets = hal_read64(hal, SYSTEM_SOCKETS);
    const uint64_t page_shift = hal_read64(hal, SYSTEM_PAGE_SHIFT);
    const uint64_t lab_percent = hal_read64(hal, SYSTEM_LAB_PERCENT);
    if (sockets == 0 || sockets > kPolicyMaxSockets) return "the number of sockets is not 1 to 32";
    if (page_shift < 12 || page_shift > 21) return "pages are not of 4 KiB to 2 MiB";
    if (lab_percent > 100) return "lab_percent is above 100";
    driver->page_shift = (uint32_t)page_shift;
    driver->socket_shift = (uint32_t)hal_read64(hal, SYSTEM_SOCKET_SHIFT);
    policy_view_init(&driver->view, (uint32_t)sockets, hal_read64(hal, SYSTEM_SEED), (uint32_t)lab_percent);

    /* Table pages lie at the top of a memory: its frames end where they start. */
    uint64_t frames = hal_read64(hal, SYSTEM_FRAMES);
    uint64_t host_frames = hal_read64(hal, SYSTEM_HOST_FRAMES);
    const uint64_t below_tables = hal_read64(hal, SYSTEM_TABLE_BASE) >> page_shift;
    if (hal_read64(hal, SYSTEM_TABLES) == SYSTEM_TABLES_ON_HOST) {
        host_frames = least(host_frames, below_tables);
    } else {
        frames = least(frames, below_tables);
    }
    const char* wrong = frames_init(&driver->frames, (uint32_t)sockets, frames, host_frames, arena, arena_bytes);
    for (uint32_t i = 0; i < sockets; ++i) driver->view.frames[i] = driver->frames.frames;
    return wrong;
}

static void forget_looks(struct PolicyView* view) {
    view->routers = NULL;
    for (uint32_t i = 0; i < kPolicyMaxSockets; ++i) view->link_out[i] = view->link_in[i] = 0;
}

const char* driver_set_policy(struct Driver* driver, uint64_t policy, uint32_t lab_percent) {
    const struct Policy* next = policy == kPolicyOwn ? driver->own : policy_at((uint32_t)least(policy, policy_count()));
    if (next == NULL && policy == kPolicyOwn) return "system.policy asks for a policy that is not in this driver";
    if (next == NULL) return "system.policy is beyond the table of policies";
    driver->view.lab_percent = lab_percent;
    if (next == driver->policy) return NULL;
    if (driver->policy != NULL) forget_looks(&driver->view);
    driver->policy = next;
    driver->view.own = next->words != 0 ? driver->own_state : NULL;
    for (uint32_t i = 0; i < next->words; ++i) driver->own_state[i] = 0;
    return NULL;
}

static const char* init(struct Driver* driver, void* arena, uint64_t arena_bytes) {
    struct Hal* hal = driver->hal;
    const uint64_t policy = hal_read64(hal, SYSTEM_POLICY);
    const char* wrong = init_own_state(driver, arena, arena_bytes);
    if (wrong != NULL) return wrong;
    wrong = init_memories(driver, (char*)arena + own_bytes(driver), arena_bytes - own_bytes(driver));
    if (wrong != NULL) return wrong;
    wrong = driver_set_policy(driver, policy, driver->view.lab_percent);
    if (wrong != NULL) return wrong;
    driver->fill = hal_read64(hal, SYSTEM_FILL);
    if (driver->fill > SYSTEM_FILL_COPY) return "system.fill has no such value";
    const uint64_t notes = hal_read64(hal, SYSTEM_NOTES);
    driver->replicates = (notes & SYSTEM_NOTES_REPLICATE_MASK) != 0;
    driver->hears_notes = notes != 0;
    devices_init(&driver->devices, hal,
                 FAULT_UNIT_CONTROL_ON_FAULT_MASK | (driver->hears_notes ? FAULT_UNIT_CONTROL_ON_NOTE_MASK : 0));
    return page_table_init(&driver->table, &driver->devices);
}

static void greet(struct Driver* driver) {
    struct Hal* hal = driver->hal;
    console_text(hal, "driver: ");
    console_text(hal, driver->policy->name);
    console_text(hal, ", ");
    console_decimal(hal, driver->view.sockets);
    console_text(hal, " sockets of ");
    console_decimal(hal, driver->frames.frames);
    console_text(hal, " pages, host of ");
    console_decimal(hal, driver->frames.host_frames);
    console_text(hal, " pages\n");
}

const char* driver_init(struct Driver* driver, struct Hal* hal, const struct Policy* own, void* arena,
                        uint64_t arena_bytes) {
    static const struct DriverCounts nothing;
    driver->hal = hal;
    driver->own = own;
    driver->policy = NULL;
    driver->routers_known = 0;
    driver->refusal = NULL;
    driver->counts = nothing;
    const char* wrong = init(driver, arena, arena_bytes);
    if (wrong != NULL) {
        console_text(hal, "driver: can't start: ");
        console_text(hal, wrong);
        console_text(hal, "\n");
        return wrong;
    }
    greet(driver);
    devices_settle(&driver->devices);
    return NULL;
}

/* The oldest page of `memory` goes to the host, for a new page or for one that comes back. Null, or why it can't. The
 * host's last frame is for the latter: two pages can change places, however full everything is. No page has a replica
 * then: a memory counts as full when pages fill it, and for these all replicas in it were given up. */
static const char* evict(struct Driver* driver, uint32_t memory, bool for_new) {
    const uint32_t frame = frames_oldest(&driver->frames, memory);
    if (frame == FRAMES_NONE) return "all memories are full, and the wished one has no page to evict";
    struct FrameRecord* victim = frames_record(&driver->frames, memory, frame);
    uint32_t host = victim->host;
    if (host == FRAMES_NONE && frames_left_on_host(&driver->frames) > (for_new ? 1 : 0)) {
        host = frames_take_host(&driver->frames);
    }
    if (host == FRAMES_NONE) return "all memories are full, and the host is too";

    const uint64_t slot = page_table_slot(&driver->table, victim->page, false);
    const uint64_t refuge = driver_address(driver, driver->view.sockets, host);
    page_table_set_moving(&driver->table, slot, driver_address(driver, memory, frame));
    devices_invalidate(&driver->devices, victim->page);
    if (!devices_copy(&driver->devices, driver_address(driver, memory, frame), refuge, page_bytes(driver))) {
        return "the copy engine refused to copy a page to the host";
    }
    page_table_set_on_host(&driver->table, slot, refuge);
    frames_release(&driver->frames, memory, frame);
    --driver->view.pages[memory];
    ++driver->counts.evicted;
    return NULL;
}

/* The page of `pte` comes back from the host into `frame`. */
static const char* bring_back(struct Driver* driver, uint64_t pte, struct FrameRecord* record, uint64_t target) {
    const uint64_t refuge = pte_address(pte);
    const uint64_t host_base = driver_address(driver, driver->view.sockets, 0);
    const uint32_t host = (uint32_t)((refuge - host_base) >> driver->page_shift);
    if (!devices_copy(&driver->devices, refuge, target, page_bytes(driver))) {
        return "the copy engine refused to copy a page back from the host";
    }
    if (driver->fill == SYSTEM_FILL_COPY) {
        record->host = host; /* the page's own for good */
    } else {
        frames_release_host(&driver->frames, host);
    }
    ++driver->counts.returned;
    return NULL;
}

/* What a page that is placed for the first time holds. */
static const char* fill_new(struct Driver* driver, struct FrameRecord* record, uint64_t target) {
    ++driver->counts.placed;
    if (driver->fill == SYSTEM_FILL_NOTHING) return NULL;
    if (driver->fill == SYSTEM_FILL_ZEROS) {
        return devices_fill(&driver->devices, target, page_bytes(driver)) ? NULL
                                                                          : "the copy engine refused to fill a page";
    }
    /* All pages start on the host, page k of the order of first touch in its frame k, and keep that frame: no page
     * finds another's data there. */
    record->host = frames_take_host(&driver->frames);
    if (record->host == FRAMES_NONE) return "the host has no room for the page's first copy";
    const uint64_t source = driver_address(driver, driver->view.sockets, record->host);
    return devices_copy(&driver->devices, source, target, page_bytes(driver))
               ? NULL
               : "the copy engine refused to copy a page";
}

const char* driver_place(struct Driver* driver, uint64_t page, uint32_t toucher, bool write) {
    if (page >= driver->table.pages) return "it lies beyond the address space";
    if (toucher >= driver->view.sockets) return "it is wanted by a socket that doesn't exist";
    const uint64_t slot = page_table_slot(&driver->table, page, true);
    if (slot == PAGE_TABLE_NO_SLOT) return "there is no room for a table page";
    const uint64_t pte = page_table_read(&driver->table, slot);
    if (pte_is_mapped(pte)) { /* it was mapped between the walk that failed and now, or the walk may not store */
        if (write && pte_is_replicated(pte)) {
            driver_collapse(driver, page, slot, pte);
        } else {
            ++driver->counts.mapped;
        }
        return NULL;
    }

    if (driver->policy->sees != 0) driver_look(driver, toucher);
    const uint32_t wish = policy_ask(driver->policy, &driver->view, page, toucher, write);
    if (wish >= driver->view.sockets) return "the policy wants a socket that doesn't exist";
    uint32_t home = policy_next_best(&driver->view, wish);
    if (home == driver->view.sockets) {
        home = wish;
        const char* full = evict(driver, wish, !pte_is_on_host(pte));
        if (full != NULL) return full;
    }
    if (home != wish) ++driver->counts.elsewhere;
    if (driver->replicates && !frames_has_room(&driver->frames, home)) driver_drop_replica(driver, home);

    const uint32_t frame = frames_take(&driver->frames, home, page);
    ++driver->view.pages[home];
    const uint64_t physical = driver_address(driver, home, frame);
    struct FrameRecord* record = frames_record(&driver->frames, home, frame);
    const char* wrong =
        pte_is_on_host(pte) ? bring_back(driver, pte, record, physical) : fill_new(driver, record, physical);
    if (wrong != NULL) return wrong;
    page_table_map(&driver->table, slot, physical); /* last: a walker may pass at any time */
    return NULL;
}

static void refuse(struct Driver* driver, uint64_t page, const char* why) {
    struct Hal* hal = driver->hal;
    driver->refusal = why;
    ++driver->counts.refused;
    console_text(hal, "driver: page ");
    console_hex(hal, page);
    console_text(hal, " is refused: ");
    console_text(hal, why);
    console_text(hal, "\n");
    hal_write64(hal, FAULT_UNIT_FAIL, page);
}

/* The first fault. It stays in the queue while it is served, so that others that fault on the page join it there. */
static void serve_fault(struct Driver* driver, uint64_t info) {
    struct Hal* hal = driver->hal;
    const uint64_t page = hal_read64(hal, FAULT_UNIT_HEAD_PAGE);
    const uint32_t toucher = (uint32_t)(info & FAULT_UNIT_HEAD_INFO_SOCKET_MASK);
    hal_write64(hal, SYSTEM_WATCHDOG, 1);
    ++driver->counts.faults;
    const bool write = (info & FAULT_UNIT_HEAD_INFO_WRITE_MASK) != 0;
    const char* why = driver_place(driver, page, toucher, write);
    hal_write64(hal, FAULT_UNIT_POP, 1);
    if (why == NULL) {
        hal_write64(hal, FAULT_UNIT_DONE, page);
    } else {
        refuse(driver, page, why);
    }
}

static void serve_note(struct Driver* driver, uint64_t info) {
    struct Hal* hal = driver->hal;
    const uint64_t page = hal_read64(hal, FAULT_UNIT_NOTE_PAGE);
    hal_write64(hal, FAULT_UNIT_NOTE_POP, 1);
    hal_write64(hal, SYSTEM_WATCHDOG, 1);
    ++driver->counts.notes;
    const uint32_t socket = (uint32_t)(info & FAULT_UNIT_NOTE_INFO_SOCKET_MASK);
    if (driver->replicates) {
        driver_consider_replica(driver, page, socket);
    } else {
        driver_consider_move(driver, page, socket);
    }
}

void driver_interrupt(struct Driver* driver) {
    struct Hal* hal = driver->hal;
    for (;;) {
        uint64_t info = hal_read64(hal, FAULT_UNIT_HEAD_INFO);
        if ((info & FAULT_UNIT_HEAD_INFO_VALID_MASK) != 0) {
            serve_fault(driver, info);
        } else { /* notes come after faults: a fault stalls warps, a note doesn't */
            if (!driver->hears_notes) return;
            info = hal_read64(hal, FAULT_UNIT_NOTE_INFO);
            if ((info & FAULT_UNIT_NOTE_INFO_VALID_MASK) == 0) return;
            serve_note(driver, info);
        }
        devices_settle(&driver->devices); /* each time: device writes shall not depend on what came together */
    }
}
