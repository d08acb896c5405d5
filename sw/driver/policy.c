#include "sw/driver/policy.h"

#include <stddef.h>

/* The socket that touches a page first gets it. */
static uint32_t first_touch(struct PolicyView* view) { return view->toucher; }

/* Pages go round the sockets in the order of faults. */
static uint32_t round_robin(struct PolicyView* view) { return (uint32_t)(view->calls % view->sockets); }

/* The home is a property of the address, as with Linux's interleave. */
static uint32_t page_interleave(struct PolicyView* view) { return (uint32_t)(view->page % view->sockets); }

/* xorshift64 (Marsaglia, "Xorshift RNGs", 2003, triple 13, 7, 17): period 2^64 - 1. The upper half decides, since the
 * lowest bits are the weakest; scaling instead of a remainder needs no division, and its bias is below n / 2^32. */
static uint32_t random_socket(struct PolicyView* view) {
    uint64_t x = view->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    view->random = x;
    return (uint32_t)(((x >> 32) * view->sockets) >> 32);
}

/* The memory with the fewest pages. */
static uint32_t least_first(struct PolicyView* view) { return policy_least(view); }

/* Local-And-Balanced, section 4 of the NUBA paper: first touch while the memories are in balance, else least-first. */
static uint32_t lab(struct PolicyView* view) { return policy_balanced(view) ? first_touch(view) : least_first(view); }

/* The same with ties to the toucher: "breaking ties arbitrarily", says the paper. */
static uint32_t lab_near(struct PolicyView* view) {
    const uint32_t toucher = view->toucher;
    if (policy_balanced(view)) return first_touch(view);
    const uint32_t least = policy_least(view);
    const uint32_t with_room = policy_next_best(view, least);
    if (with_room == view->sockets) return view->pages[toucher] == view->pages[least] ? toucher : least;
    const bool room = view->pages[toucher] < view->frames[toucher];
    return room && view->pages[toucher] == view->pages[with_room] ? toucher : with_room;
}

#define POLICY(label, function, text)                                                                                  \
    { .version = kPolicyVersion, .name = (label), .doc = (text), .wish = (function) }
static const struct Policy kPolicies[] = {
    POLICY("first_touch", first_touch, "The socket that accesses a page first keeps it."),
    POLICY("round_robin", round_robin, "Pages go round the sockets in the order of first touch."),
    POLICY("page_interleave", page_interleave, "Page number modulo sockets (Linux interleave)."),
    POLICY("random", random_socket, "A socket drawn at random for each page."),
    POLICY("least_first", least_first, "The memory with the fewest pages."),
    POLICY("lab", lab, "Local-And-Balanced: first touch in balance, else least-first (NUBA, section 4)."),
    POLICY("lab_near", lab_near,
           "Local-And-Balanced with ties to the toucher: its memory, if no other has fewer pages."),
};
#undef POLICY

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

const char* policy_fault(const struct Policy* policy) {
    if (policy->version != kPolicyVersion) return "it is of another version of the interface";
    if (policy->words > kPolicyMaxWords) return "it asks for more than 4096 words of state";
    if ((policy->sees & ~(uint32_t)(kPolicySeesRouters | kPolicySeesLinks)) != 0)
        return "it asks to see what there is not";
    if (policy->name == NULL || policy->name[0] == 0) return "it has no name";
    if (policy->doc == NULL) return "it has no description";
    return policy->wish == NULL ? "it has no function" : NULL;
}

void policy_view_init(struct PolicyView* view, uint32_t sockets, uint64_t seed, uint32_t lab_percent) {
    view->sockets = sockets;
    view->lab_percent = lab_percent;
    view->calls = 0;
    view->routers = NULL;
    view->own = NULL;
    /* Neighbouring seeds must not give neighbouring states: an odd multiplier and a shift spread them. */
    seed = (seed + 1) * 0x9e3779b97f4a7c15U;
    seed ^= seed >> 32;
    view->random = seed != 0 ? seed : 1; /* 0 is the one state that xorshift never leaves */
    for (uint32_t i = 0; i < kPolicyMaxSockets; ++i) {
        view->pages[i] = 0;
        view->frames[i] = 0;
        view->link_out[i] = 0;
        view->link_in[i] = 0;
    }
}

uint32_t policy_ask(const struct Policy* policy, struct PolicyView* view, uint64_t page, uint32_t toucher, bool write) {
    view->page = page;
    view->toucher = toucher;
    view->write = write;
    const uint32_t wish = policy->wish(view);
    ++view->calls;
    return wish;
}

uint32_t policy_next_best(const struct PolicyView* view, uint32_t wish) {
    if (view->pages[wish] < view->frames[wish]) return wish;
    uint32_t best = view->sockets;
    for (uint32_t i = 0; i < view->sockets; ++i) {
        if (view->pages[i] >= view->frames[i]) continue;
        if (best == view->sockets || view->pages[i] < view->pages[best]) best = i;
    }
    return best;
}
