#include "sw/driver/frames.h"

#include <stddef.h>

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

const char* frames_init(struct FrameTable* table, uint32_t sockets, uint64_t frames, uint64_t host_frames, void* arena,
                        uint64_t arena_bytes) {
    /* The host's records are small: they get what they need, up to an eighth of the arena. */
    const uint64_t host = least(least(host_frames, arena_bytes / 8 / sizeof(uint32_t)), FRAMES_NONE);
    const uint64_t host_bytes = (host * sizeof(uint32_t) + 7) / 8 * 8;
    const uint64_t room = (arena_bytes - least(host_bytes, arena_bytes)) / sizeof(struct FrameRecord) / sockets;
    table->frames = (uint32_t)least(least(frames, room), FRAMES_NONE);
    table->host_frames = (uint32_t)host;
    if (table->frames == 0) return frames == 0 ? "the sockets have no frames" : "the arena has no room for a frame";
    table->records = arena;
    table->host_next = (uint32_t*)(table->records + (size_t)sockets * table->frames);
    table->host_used = 0;
    table->host_fresh = 0;
    table->host_free = FRAMES_NONE;
    for (uint32_t i = 0; i < kPolicyMaxSockets; ++i) {
        table->memories[i].fresh = 0;
        table->memories[i].free = FRAMES_NONE;
        table->memories[i].pages.oldest = FRAMES_NONE;
        table->memories[i].pages.newest = FRAMES_NONE;
        table->replicas[i] = table->memories[i].pages;
    }
    return NULL;
}

static uint32_t take(struct FrameTable* table, uint32_t memory, uint64_t page, struct FrameOrder* order) {
    struct FrameMemory* list = &table->memories[memory];
    uint32_t frame = list->free;
    if (frame == FRAMES_NONE) {
        frame = list->fresh++;
    } else {
        list->free = frames_record(table, memory, frame)->older;
    }
    struct FrameRecord* record = frames_record(table, memory, frame);
    record->page = page;
    record->older = order->newest;
    record->newer = FRAMES_NONE;
    record->host = FRAMES_NONE;
    record->votes = 0;
    record->voter = 0;
    record->moves = 0;
    if (order->newest == FRAMES_NONE) {
        order->oldest = frame;
    } else {
        frames_record(table, memory, order->newest)->newer = frame;
    }
    order->newest = frame;
    return frame;
}

uint32_t frames_take(struct FrameTable* table, uint32_t memory, uint64_t page) {
    return take(table, memory, page, &table->memories[memory].pages);
}

uint32_t frames_take_replica(struct FrameTable* table, uint32_t memory, uint64_t page, uint32_t home) {
    const uint32_t frame = take(table, memory, page, &table->replicas[memory]);
    struct FrameRecord* record = frames_record(table, memory, frame);
    record->home = (uint8_t)home;
    record->kind = kFrameReplica;
    return frame;
}

void frames_release(struct FrameTable* table, uint32_t memory, uint32_t frame) {
    struct FrameMemory* list = &table->memories[memory];
    struct FrameRecord* record = frames_record(table, memory, frame);
    struct FrameOrder* order = record->kind == kFrameReplica ? &table->replicas[memory] : &list->pages;
    if (record->older == FRAMES_NONE) {
        order->oldest = record->newer;
    } else {
        frames_record(table, memory, record->older)->newer = record->newer;
    }
    if (record->newer == FRAMES_NONE) {
        order->newest = record->older;
    } else {
        frames_record(table, memory, record->newer)->older = record->older;
    }
    record->older = list->free;
    list->free = frame;
}

uint32_t frames_oldest(const struct FrameTable* table, uint32_t memory) { return table->memories[memory].pages.oldest; }

uint32_t frames_oldest_replica(const struct FrameTable* table, uint32_t memory) {
    return table->replicas[memory].oldest;
}

uint32_t frames_left_on_host(const struct FrameTable* table) { return table->host_frames - table->host_used; }

uint32_t frames_take_host(struct FrameTable* table) {
    if (frames_left_on_host(table) == 0) return FRAMES_NONE;
    ++table->host_used;
    const uint32_t frame = table->host_free;
    if (frame == FRAMES_NONE) return table->host_fresh++;
    table->host_free = table->host_next[frame];
    return frame;
}

void frames_release_host(struct FrameTable* table, uint32_t frame) {
    --table->host_used;
    table->host_next[frame] = table->host_free;
    table->host_free = frame;
}
