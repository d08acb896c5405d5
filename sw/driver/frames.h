/* The frames of all memories: which page each holds, or a replica of which, in which order they were filled, which are
 * free.
 *
 * Frames of a memory are given out ascending; those that come back are used first, the last one back before the
 * others. A record is touched when its frame is given out, never before, so that a start costs the same however large
 * the memories are. If the arena has too few records, each memory just has that many frames fewer to give. */
#ifndef NUMAVP_SW_DRIVER_FRAMES_H
#define NUMAVP_SW_DRIVER_FRAMES_H

#include "sw/driver/c_types.h"
#include "sw/driver/policy.h"

#define FRAMES_NONE (~(uint32_t)0) /* no frame */

struct FrameRecord {
    uint64_t page;  /* virtual page number */
    uint32_t older; /* frame of the same memory that was filled just before, or the next free one */
    uint32_t newer;
    uint32_t host;  /* host frame that is kept for the page */
    uint16_t votes; /* of migration: notes in a row; of replication: notes since the last collapse */
    union {
        uint8_t voter;    /* of migration: from this socket */
        uint8_t replicas; /* of replication: replicas that the page has */
        uint8_t home;     /* of a replica: memory of its page */
    };
    union {
        uint8_t moves;     /* the page has moved so often since it was placed */
        uint8_t collapses; /* or has lost its replicas to a store */
        uint8_t kind;      /* kFrameReplica: the frame holds a replica, which has neither */
    };
};

enum { kFrameReplica = 0xFF };

/* Frames in the order in which they were filled. */
struct FrameOrder {
    uint32_t oldest;
    uint32_t newest;
};

struct FrameMemory {
    uint32_t fresh;          /* frames below this have been given out */
    uint32_t free;           /* frame that came back last */
    struct FrameOrder pages; /* that are resident */
};

struct FrameTable {
    struct FrameRecord* records; /* memory m's start at m * frames */
    uint32_t frames;             /* of each socket's memory, as far as there are records */
    uint32_t* host_next;         /* for each frame of the host: the next free one */
    uint32_t host_frames;
    uint32_t host_used;
    uint32_t host_fresh;
    uint32_t host_free;
    struct FrameMemory memories[kPolicyMaxSockets];
    struct FrameOrder replicas[kPolicyMaxSockets]; /* apart, as an index of 16 bytes is a shift */
};

static inline struct FrameRecord* frames_record(struct FrameTable* table, uint32_t memory, uint32_t frame) {
    return &table->records[(uint64_t)memory * table->frames + frame];
}

/* True if the memory has a frame to give. */
static inline bool frames_has_room(const struct FrameTable* table, uint32_t memory) {
    return table->memories[memory].free != FRAMES_NONE || table->memories[memory].fresh < table->frames;
}

#ifdef __cplusplus
extern "C" {
#endif

/* `arena` is aligned to 8 bytes and stays the table's. Null, or a sentence. */
const char* frames_init(struct FrameTable* table, uint32_t sockets, uint64_t frames, uint64_t host_frames, void* arena,
                        uint64_t arena_bytes);

/* A frame for `page`, which is now the newest of this memory; there must be room. */
uint32_t frames_take(struct FrameTable* table, uint32_t memory, uint64_t page);
/* A frame for a replica of `page`, whose home is another memory; there must be room. */
uint32_t frames_take_replica(struct FrameTable* table, uint32_t memory, uint64_t page, uint32_t home);
void frames_release(struct FrameTable* table, uint32_t memory, uint32_t frame);
/* The frame whose page has been here longest, or FRAMES_NONE; the same of replicas. */
uint32_t frames_oldest(const struct FrameTable* table, uint32_t memory);
uint32_t frames_oldest_replica(const struct FrameTable* table, uint32_t memory);

/* A frame of the host, or FRAMES_NONE. */
uint32_t frames_take_host(struct FrameTable* table);
/* How many are left. */
uint32_t frames_left_on_host(const struct FrameTable* table);
void frames_release_host(struct FrameTable* table, uint32_t frame);

#ifdef __cplusplus
}
#endif

#endif
