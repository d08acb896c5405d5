#include "sw/driver/unified_memory.h"

#include "sw/driver/prefetch_tree.h"

static struct UnifiedChunk* chunk_of(const struct UnifiedMemory* memory, uint32_t block, uint32_t place) {
    return &memory->chunk[(uint64_t)block * memory->places + place];
}

static bool reaches(const struct UnifiedMemory* memory, uint32_t from, uint32_t to) {
    return from == to || (memory->place[from].reaches >> to & 1) != 0;
}

static void add_work(struct UnifiedMemory* memory, enum UnifiedKind kind, uint32_t block, uint32_t leaves,
                     uint32_t from, uint32_t to) {
    struct UnifiedWork* work = &memory->log[memory->logged++];
    work->kind = kind;
    work->block = block;
    work->leaves = leaves;
    work->from = from;
    work->to = to;
}

/* The chunk is the place's newest. */
static void append(struct UnifiedMemory* memory, uint32_t block, uint32_t place) {
    struct UnifiedPlace* at = &memory->place[place];
    struct UnifiedChunk* chunk = chunk_of(memory, block, place);
    chunk->older = at->newest;
    chunk->newer = UNIFIED_NONE;
    if (at->newest == UNIFIED_NONE)
        at->oldest = block;
    else
        chunk_of(memory, at->newest, place)->newer = block;
    at->newest = block;
}

static void unlink_chunk(struct UnifiedMemory* memory, uint32_t block, uint32_t place) {
    struct UnifiedPlace* at = &memory->place[place];
    const struct UnifiedChunk* chunk = chunk_of(memory, block, place);
    if (chunk->older == UNIFIED_NONE)
        at->oldest = chunk->newer;
    else
        chunk_of(memory, chunk->older, place)->newer = chunk->newer;
    if (chunk->newer == UNIFIED_NONE)
        at->newest = chunk->older;
    else
        chunk_of(memory, chunk->newer, place)->older = chunk->older;
}

/* Leaves that a place has from now on; it has a chunk, or room for one. */
static void add_leaves(struct UnifiedMemory* memory, uint32_t block, uint32_t place, uint32_t leaves) {
    struct UnifiedChunk* chunk = chunk_of(memory, block, place);
    if (leaves == 0) return;
    if (!memory->place[place].host) {
        if (chunk->resident == 0)
            --memory->place[place].room;
        else
            unlink_chunk(memory, block, place);
        append(memory, block, place); /* to the tail when a part of it is allocated */
    }
    chunk->resident |= leaves;
}

static void remove_leaves(struct UnifiedMemory* memory, uint32_t block, uint32_t place, uint32_t leaves) {
    struct UnifiedChunk* chunk = chunk_of(memory, block, place);
    const uint32_t left = chunk->resident & ~leaves;
    if (chunk->resident != 0 && left == 0 && !memory->place[place].host) {
        unlink_chunk(memory, block, place);
        ++memory->place[place].room;
    }
    chunk->resident = left;
}

/* Leaves that are at any place but one. */
static uint32_t elsewhere(const struct UnifiedMemory* memory, uint32_t block, uint32_t but) {
    uint32_t leaves = 0;
    for (uint32_t place = 0; place < memory->places; ++place)
        if (place != but) leaves |= chunk_of(memory, block, place)->resident;
    return leaves;
}

/* Empties the oldest chunk, but never one of `kept`. False if there is none. */
static bool evict(struct UnifiedMemory* memory, uint32_t place, uint32_t kept) {
    uint32_t block = memory->place[place].oldest;
    while (block != UNIFIED_NONE && block == kept) block = chunk_of(memory, block, place)->newer;
    if (block == UNIFIED_NONE) return false;
    const uint32_t home = memory->place[place].home;
    const uint32_t resident = chunk_of(memory, block, place)->resident;
    const uint32_t copies = resident & elsewhere(memory, block, place);
    if (copies != 0) add_work(memory, kUnifiedDrop, block, copies, place, place);
    if (copies != resident) {
        add_work(memory, kUnifiedEvict, block, resident & ~copies, place, home);
        add_leaves(memory, block, home, resident & ~copies);
    }
    remove_leaves(memory, block, place, resident);
    return true;
}

/* Whether the place has a chunk for the block, or room for one, if need be made now. */
static bool has_room(struct UnifiedMemory* memory, uint32_t block, uint32_t place) {
    const struct UnifiedPlace* at = &memory->place[place];
    if (at->host || chunk_of(memory, block, place)->resident != 0 || at->room != 0) return true;
    return evict(memory, place, block);
}

/* Brings leaves that lie elsewhere, each from the first place that has it. */
static void bring(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t to, bool copies) {
    uint32_t left = leaves & ~chunk_of(memory, block, to)->resident;
    for (uint32_t from = 0; from < memory->places; ++from) {
        const uint32_t here = from == to ? 0 : left & chunk_of(memory, block, from)->resident;
        if (here == 0) continue;
        add_work(memory, copies ? kUnifiedCopy : kUnifiedMove, block, here, from, to);
        add_leaves(memory, block, to, here);
        if (!copies) remove_leaves(memory, block, from, here);
        left &= ~here;
    }
}

/* What other places have of these leaves is gone. */
static void drop_others(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t but) {
    for (uint32_t place = 0; place < memory->places; ++place) {
        const uint32_t here = place == but ? 0 : leaves & chunk_of(memory, block, place)->resident;
        if (here == 0) continue;
        add_work(memory, kUnifiedDrop, block, here, place, place);
        remove_leaves(memory, block, place, here);
    }
}

/* All but the first place's, which is the one that is accessed. */
static void drop_copies(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves) {
    uint32_t seen = 0;
    for (uint32_t place = 0; place < memory->places; ++place) {
        const uint32_t here = leaves & chunk_of(memory, block, place)->resident;
        if ((here & seen) != 0) {
            add_work(memory, kUnifiedDrop, block, here & seen, place, place);
            remove_leaves(memory, block, place, here & seen);
        }
        seen |= here;
    }
}

static void forget(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves) {
    if (memory->block[block].watched != 0) thrashing_forget(memory->block[block].watched, leaves);
}

void unified_init(struct UnifiedMemory* memory, uint32_t places, uint32_t percent, struct UnifiedBlock* block,
                  struct UnifiedChunk* chunk, uint32_t blocks) {
    memory->blocks = blocks;
    memory->places = places;
    memory->percent = percent;
    memory->block = block;
    memory->chunk = chunk;
    memory->logged = 0;
    memory->now = 1;
    memory->nap_ns = 0;
    thrashing_defaults(&memory->thrashing);
    for (uint32_t p = 0; p < kUnifiedMostPlaces; ++p) {
        struct UnifiedPlace* place = &memory->place[p];
        place->host = true;
        place->home = 0;
        place->reaches = place->fast = 0;
        place->room = 0;
        place->oldest = place->newest = UNIFIED_NONE;
    }
    for (uint32_t b = 0; b < blocks; ++b) {
        block[b].all = block[b].accessed_by = 0;
        block[b].preferred = UNIFIED_NONE;
        block[b].read_mostly = false;
        block[b].watched = 0;
        for (uint32_t p = 0; p < places; ++p) chunk_of(memory, b, p)->resident = 0;
    }
}

void unified_allocate(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t place) {
    memory->logged = 0;
    memory->block[block].all = leaves;
    if (place == UNIFIED_NONE) return;
    if (!has_room(memory, block, place)) place = memory->place[place].home;
    add_leaves(memory, block, place, leaves);
}

void unified_free(struct UnifiedMemory* memory, uint32_t block) {
    memory->logged = 0;
    for (uint32_t place = 0; place < memory->places; ++place) remove_leaves(memory, block, place, ~(uint32_t)0);
    memory->block[block].all = 0;
    forget(memory, block, ~(uint32_t)0);
}

void unified_watch(struct UnifiedMemory* memory, uint32_t block, struct ThrashingBlock* thrashing) {
    thrashing_start(thrashing);
    memory->block[block].watched = thrashing;
}

bool unified_reserve(struct UnifiedMemory* memory, uint32_t place) {
    memory->logged = 0;
    struct UnifiedPlace* at = &memory->place[place];
    if (at->room == 0 && !evict(memory, place, UNIFIED_NONE)) return false;
    --at->room;
    return true;
}

void unified_release(struct UnifiedMemory* memory, uint32_t place) { ++memory->place[place].room; }

/* Leaves that CPUs have. */
static uint32_t at_hosts(const struct UnifiedMemory* memory, uint32_t block) {
    uint32_t leaves = 0;
    for (uint32_t place = 0; place < memory->places; ++place)
        if (memory->place[place].host) leaves |= chunk_of(memory, block, place)->resident;
    return leaves;
}

uint32_t unified_prefetch(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t place) {
    memory->logged = 0;
    const struct UnifiedBlock* what = &memory->block[block];
    const uint32_t away = leaves & what->all & ~chunk_of(memory, block, place)->resident;
    const uint32_t stays = memory->place[place].host ? away & at_hosts(memory, block) : 0;
    const uint32_t wanted = away & ~stays;
    if (wanted == 0) return stays;
    if (!has_room(memory, block, place)) return away;
    forget(memory, block, wanted);
    bring(memory, block, wanted, place, what->read_mostly);
    if (!what->read_mostly) drop_others(memory, block, wanted, place);
    add_leaves(memory, block, place, wanted); /* what lay nowhere */
    return stays;
}

/* Leaves of a block, none of which the place has, that it accesses where they are. */
static uint32_t in_place(const struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t place) {
    const struct UnifiedBlock* what = &memory->block[block];
    uint32_t found = 0;
    for (uint32_t at = 0; at < memory->places; ++at) {
        const uint32_t here = leaves & chunk_of(memory, block, at)->resident;
        if (here == 0 || !reaches(memory, place, at)) continue;
        const bool hosts = memory->place[place].host && memory->place[at].host;
        const bool advised = (what->accessed_by >> place & 1) != 0 || what->preferred == at;
        if (hosts || (advised && what->preferred != place)) found |= here;
    }
    return found;
}

/* Leaves that lie nowhere come into being. Returns those that do so elsewhere. */
static uint32_t populate(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t place) {
    const uint32_t preferred = memory->block[block].preferred;
    uint32_t at = place;
    if (preferred != UNIFIED_NONE && reaches(memory, place, preferred)) at = preferred;
    if (!has_room(memory, block, at)) at = memory->place[at].home;
    add_leaves(memory, block, at, leaves);
    return at == place ? 0 : leaves;
}

/* Where a leaf that somebody faults on is to lie: with the toucher, who may have slept before, or where it is pinned.
 */
static uint32_t settled(struct UnifiedMemory* memory, uint32_t block, uint32_t leaf, uint32_t by) {
    const struct UnifiedBlock* what = &memory->block[block];
    struct ThrashingFault fault = {leaf, by, unified_place_of(memory, block, leaf), what->preferred, memory->now};
    struct ThrashingHint hint;
    do {
        hint = thrashing_hint(&memory->thrashing, what->watched, memory->place, memory->places, &fault);
        if (hint.word == kThrashingWait) fault.now = hint.until;
    } while (hint.word == kThrashingWait);
    if (memory->nap_ns < fault.now - memory->now) memory->nap_ns = fault.now - memory->now;
    return hint.word == kThrashingStay ? hint.place : by;
}

/* Of leaves that somebody faults on: those that are pinned elsewhere, which lie there then. */
static uint32_t pinned_elsewhere(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t by) {
    uint32_t at[kThrashingLeaves], found = 0;
    for (uint32_t leaf = 0; leaf < kThrashingLeaves; ++leaf) {
        at[leaf] = (leaves >> leaf & 1) != 0 ? settled(memory, block, leaf, by) : by;
        if (at[leaf] != by) found |= (uint32_t)1 << leaf;
    }
    for (uint32_t place = 0; place < memory->places; ++place) {
        uint32_t here = 0;
        for (uint32_t leaf = 0; leaf < kThrashingLeaves; ++leaf)
            if (at[leaf] == place) here |= found & (uint32_t)1 << leaf;
        if (here == 0 || !has_room(memory, block, place)) continue;
        bring(memory, block, here, place, false);
        drop_others(memory, block, here, place);
    }
    return found;
}

/* Leaves come to who faults on some of them, with what the tree rule adds. */
static void fetch(struct UnifiedMemory* memory, uint32_t block, uint32_t wanted, uint32_t stays, uint32_t place,
                  bool copies) {
    const struct UnifiedBlock* what = &memory->block[block];
    struct ThrashingBlock* watched = what->watched;
    const uint32_t resident = chunk_of(memory, block, place)->resident;
    const uint32_t thrash = watched == 0 ? 0 : thrashing_leaves(&memory->thrashing, watched);
    const uint32_t movable = elsewhere(memory, block, place) & ~stays & ~(thrash & ~wanted);
    const uint32_t brought = prefetch_leaves(resident, wanted, resident | movable, memory->percent);
    bring(memory, block, brought, place, copies);
    if (!copies) drop_others(memory, block, brought, place);
    if (watched == 0) return;
    if (copies)
        forget(memory, block, brought);
    else
        thrashing_moved(&memory->thrashing, watched, brought, place, memory->now + memory->nap_ns);
}

uint32_t unified_touch(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t place, bool write) {
    memory->logged = 0;
    memory->nap_ns = 0;
    const struct UnifiedBlock* what = &memory->block[block];
    leaves &= what->all;
    const uint32_t nowhere = leaves & ~elsewhere(memory, block, UNIFIED_NONE);
    uint32_t remote = nowhere == 0 ? 0 : populate(memory, block, nowhere, place);

    const uint32_t away = what->all & ~chunk_of(memory, block, place)->resident;
    const bool copies = what->read_mostly && !write;
    uint32_t stays = copies ? 0 : in_place(memory, block, away, place);
    if (what->watched != 0 && !copies)
        stays |= pinned_elsewhere(memory, block, leaves & away & ~nowhere & ~stays, place);
    const uint32_t wanted = leaves & away & ~nowhere & ~stays;
    remote |= leaves & stays;
    if (wanted != 0 && has_room(memory, block, place))
        fetch(memory, block, wanted, stays, place, copies);
    else
        remote |= wanted; /* even without room it can be accessed over the link */
    if (write) {          /* one copy is left: the toucher's, else that which it accesses */
        drop_others(memory, block, leaves & ~remote, place);
        drop_copies(memory, block, remote);
    }
    return remote;
}

uint32_t unified_place_of(const struct UnifiedMemory* memory, uint32_t block, uint32_t leaf) {
    for (uint32_t place = 0; place < memory->places; ++place)
        if ((chunk_of(memory, block, place)->resident >> leaf & 1) != 0) return place;
    return UNIFIED_NONE;
}
