#include "sw/driver/policy.h"

#include <stddef.h>

/* The socket that touches a page first gets it. */
static uint32_t first_touch(struct PolicyState* state, uint64_t page, uint32_t toucher) {
    (void)state;
    (void)page;
    return toucher;
}

/* Pages go round the sockets in the order of faults. */
static uint32_t round_robin(struct PolicyState* state, uint64_t page, uint32_t toucher) {
    (void)page;
    (void)toucher;
    return (uint32_t)(state->calls % state->sockets);
}

/* The home is a property of the address, as with Linux's interleave. */
static uint32_t page_interleave(struct PolicyState* state, uint64_t page, uint32_t toucher) {
    (void)toucher;
    return (uint32_t)(page % state->sockets);
}

/* xorshift64 (Marsaglia, "Xorshift RNGs", 2003, triple 13, 7, 17): period 2^64 - 1. The upper half decides, since the
 * lowest bits are the weakest; scaling instead of a remainder needs no division, and its bias is below n / 2^32. */
static uint32_t random_socket(struct PolicyState* state, uint64_t page, uint32_t toucher) {
    (void)page;
    (void)toucher;
    uint64_t x = state->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    state->random = x;
    return (uint32_t)(((x >> 32) * state->sockets) >> 32);
}

/* The memory with the fewest pages. */
static uint32_t least_first(struct PolicyState* state, uint64_t page, uint32_t toucher) {
    (void)page;
    (void)toucher;
    return policy_least(state);
}

/* Local-And-Balanced, section 4 of the NUBA paper: first touch while the memories are in balance, else least-first. */
static uint32_t lab(struct PolicyState* state, uint64_t page, uint32_t toucher) {
    return policy_balanced(state) ? first_touch(state, page, toucher) : least_first(state, page, toucher);
}

/* The same with ties to the toucher: "breaking ties arbitrarily", says the paper. */
static uint32_t lab_near(struct PolicyState* state, uint64_t page, uint32_t toucher) {
    if (policy_balanced(state)) return first_touch(state, page, toucher);
    const uint32_t least = policy_least(state);
    const uint32_t with_room = policy_next_best(state, least);
    if (with_room == state->sockets) return state->pages[toucher] == state->pages[least] ? toucher : least;
    const bool room = state->pages[toucher] < state->frames[toucher];
    return room && state->pages[toucher] == state->pages[with_room] ? toucher : with_room;
}

static const struct Policy kPolicies[] = {
    {"first_touch", first_touch, "The socket that accesses a page first keeps it."},
    {"round_robin", round_robin, "Pages go round the sockets in the order of first touch."},
    {"page_interleave", page_interleave, "Page number modulo sockets (Linux interleave)."},
    {"random", random_socket, "A socket drawn at random for each page."},
    {"least_first", least_first, "The memory with the fewest pages."},
    {"lab", lab, "Local-And-Balanced: first touch in balance, else least-first (NUBA, section 4)."},
    {"lab_near", lab_near, "Local-And-Balanced with ties to the toucher: its memory, if no other has fewer pages."},
};

enum { kPolicyCount = sizeof kPolicies / sizeof kPolicies[0] };

uint32_t policy_count(void) { return kPolicyCount; }

const struct Policy* policy_at(uint32_t index) { return index < kPolicyCount ? &kPolicies[index] : NULL; }

static bool same_text(const char* a, const char* b) {
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

const struct Policy* policy_named(const char* name) {
    for (uint32_t i = 0; i < kPolicyCount; ++i) {
        if (same_text(kPolicies[i].name, name)) return &kPolicies[i];
    }
    return NULL;
}

uint32_t policy_index(const struct Policy* policy) { return (uint32_t)(policy - kPolicies); }

void policy_state_init(struct PolicyState* state, uint32_t sockets, uint64_t seed, uint32_t lab_percent) {
    state->sockets = sockets;
    state->lab_percent = lab_percent;
    state->calls = 0;
    /* Neighbouring seeds must not give neighbouring states: an odd multiplier and a shift spread them. */
    seed = (seed + 1) * 0x9e3779b97f4a7c15U;
    seed ^= seed >> 32;
    state->random = seed != 0 ? seed : 1; /* 0 is the one state that xorshift never leaves */
    for (uint32_t i = 0; i < kPolicyMaxSockets; ++i) {
        state->pages[i] = 0;
        state->frames[i] = 0;
    }
}

uint32_t policy_ask(const struct Policy* policy, struct PolicyState* state, uint64_t page, uint32_t toucher) {
    const uint32_t wish = policy->wish(state, page, toucher);
    ++state->calls;
    return wish;
}

uint32_t policy_next_best(const struct PolicyState* state, uint32_t wish) {
    if (state->pages[wish] < state->frames[wish]) return wish;
    uint32_t best = state->sockets;
    for (uint32_t i = 0; i < state->sockets; ++i) {
        if (state->pages[i] >= state->frames[i]) continue;
        if (best == state->sockets || state->pages[i] < state->pages[best]) best = i;
    }
    return best;
}

uint32_t policy_least(const struct PolicyState* state) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < state->sockets; ++i) {
        if (state->pages[i] < state->pages[least]) least = i;
    }
    return least;
}

bool policy_balanced(const struct PolicyState* state) {
    uint64_t sum = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < state->sockets; ++i) {
        sum += state->pages[i];
        if (state->pages[i] > most) most = state->pages[i];
    }
    /* sum / (n * most) > percent / 100, multiplied out. */
    return most == 0 || 100 * sum > (uint64_t)state->lab_percent * state->sockets * most;
}
