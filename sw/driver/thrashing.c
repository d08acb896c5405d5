#include "sw/driver/thrashing.h"

static bool has(uint32_t places, uint32_t place) { return (places >> place & 1) != 0; }

static uint64_t since(uint64_t now, uint64_t then) { return now > then ? now - then : 0; }

void thrashing_defaults(struct ThrashingRule* rule) {
    const uint64_t us = 1000;
    rule->lapse = kThrashingLapse * us;
    rule->nap = kThrashingNap * rule->lapse;
    rule->pin = kThrashingPin * rule->lapse;
    rule->epoch = kThrashingEpoch * rule->lapse;
    rule->threshold = kThrashingThreshold;
    rule->naps = kThrashingNaps;
    rule->resets = kThrashingResets;
}

static void wake_all(struct ThrashingLeaf* leaf) {
    if (leaf->napping != 0) leaf->nap_end = 0;
    leaf->napping = 0;
}

/* Naps count on: a leaf that keeps coming back is pinned in the end. */
static void reset_leaf(struct ThrashingLeaf* leaf) {
    wake_all(leaf);
    leaf->pinned = UNIFIED_NONE;
    leaf->last = 0;
    leaf->events = 0;
    leaf->places = 0;
}

static void start_leaves(struct ThrashingBlock* block) {
    for (uint32_t l = 0; l < kThrashingLeaves; ++l) {
        struct ThrashingLeaf* leaf = &block->leaf[l];
        reset_leaf(leaf);
        leaf->nap_end = leaf->pin_end = 0;
        leaf->awake = UNIFIED_NONE;
        leaf->naps = 0;
    }
    block->watched = false;
    block->last = block->last_thrashing = 0;
    block->last_place = UNIFIED_NONE;
}

void thrashing_start(struct ThrashingBlock* block) {
    block->resets = 0;
    block->ever_pinned = false;
    start_leaves(block);
}

static void unpin_late(struct ThrashingLeaf* leaf, uint64_t now) {
    if (leaf->pinned != UNIFIED_NONE && now >= leaf->pin_end) reset_leaf(leaf);
}

static void moved(const struct ThrashingRule* rule, struct ThrashingBlock* block, struct ThrashingLeaf* leaf,
                  uint32_t place, uint64_t now) {
    const uint64_t last = leaf->last;
    unpin_late(leaf, now);
    if (leaf->pinned != UNIFIED_NONE) return; /* it goes to where it is pinned */
    leaf->places |= (uint32_t)1 << place;
    leaf->last = now;
    if (last == 0) return;
    if (since(now, last) <= rule->lapse) {
        ++leaf->events;
        if (leaf->events >= rule->threshold) block->last_thrashing = now;
    } else if (leaf->events >= rule->threshold) {
        reset_leaf(leaf);
    }
}

void thrashing_moved(const struct ThrashingRule* rule, struct ThrashingBlock* block, uint32_t leaves, uint32_t place,
                     uint64_t now) {
    if (leaves == 0) return;
    if (block->last != 0 && block->last_place != place && since(now, block->last) <= rule->lapse) block->watched = true;
    for (uint32_t l = 0; block->watched && l < kThrashingLeaves; ++l)
        if ((leaves >> l & 1) != 0) moved(rule, block, &block->leaf[l], place, now);
    block->last = now;
    block->last_place = place;
}

void thrashing_forget(struct ThrashingBlock* block, uint32_t leaves) {
    for (uint32_t l = 0; l < kThrashingLeaves; ++l)
        if ((leaves >> l & 1) != 0) reset_leaf(&block->leaf[l]);
}

uint32_t thrashing_leaves(const struct ThrashingRule* rule, const struct ThrashingBlock* block) {
    uint32_t leaves = 0;
    for (uint32_t l = 0; l < kThrashingLeaves; ++l)
        if (block->leaf[l].events >= rule->threshold) leaves |= (uint32_t)1 << l;
    return leaves;
}

/* A place whose memory all of `users` access, each its own too. */
static bool all_reach(const struct UnifiedPlace* place, uint32_t places, uint32_t users, uint32_t to, bool fast) {
    for (uint32_t p = 0; p < places; ++p) {
        const uint32_t its = fast ? place[p].fast & place[p].reaches : place[p].reaches;
        if (has(users, p) && p != to && !has(its, to)) return false;
    }
    return true;
}

/* A place that all of `users` reach, close to one of them; that one if there is none. */
static uint32_t common_place(const struct UnifiedPlace* place, uint32_t places, uint32_t users, uint32_t near) {
    uint32_t first = near;
    for (uint32_t p = places; p-- > 0;) {
        if (!all_reach(place, places, users, p, false)) continue;
        if (p == near || p == place[near].home) return p;
        first = p;
    }
    return first;
}

static void begin_period(const struct ThrashingRule* rule, struct ThrashingLeaf* leaf, uint32_t by, uint64_t now) {
    if (now >= leaf->nap_end) {
        leaf->nap_end = now + rule->nap;
        leaf->awake = leaf->awake == by ? UNIFIED_NONE : by; /* never one place twice */
    } else if (leaf->awake == UNIFIED_NONE) {
        leaf->awake = by;
    }
}

static struct ThrashingHint go_on(void) {
    const struct ThrashingHint hint = {kThrashingGoOn, UNIFIED_NONE, 0};
    return hint;
}
static struct ThrashingHint wait_for(const struct ThrashingLeaf* leaf) {
    const struct ThrashingHint hint = {kThrashingWait, UNIFIED_NONE, leaf->nap_end};
    return hint;
}
static struct ThrashingHint stay_at(uint32_t place) {
    const struct ThrashingHint hint = {kThrashingStay, place, 0};
    return hint;
}

/* Where the rule 2 pins at once: UNIFIED_NONE if it does not. A CPU that shares a coherent link with a GPU accesses the
 * GPU, since only that way it caches what it reads. */
static uint32_t pinned_at_once(const struct ThrashingLeaf* leaf, const struct UnifiedPlace* place, uint32_t places,
                               const struct ThrashingFault* fault) {
    const uint32_t preferred = fault->preferred;
    if (preferred != UNIFIED_NONE && all_reach(place, places, leaf->places, preferred, false)) return preferred;
    if (preferred != UNIFIED_NONE && has(leaf->places, preferred)) return UNIFIED_NONE;
    if (!all_reach(place, places, leaf->places, fault->at, true)) return UNIFIED_NONE;
    if (!place[fault->at].host) return fault->at;
    return place[fault->by].host ? UNIFIED_NONE : fault->by;
}

static struct ThrashingHint hint_of_pinned(const struct ThrashingLeaf* leaf, const struct UnifiedPlace* place,
                                           uint32_t places, const struct ThrashingFault* fault) {
    const uint32_t by = fault->by;
    if (by == fault->preferred) return leaf->pinned == by || leaf->awake == by ? stay_at(by) : wait_for(leaf);
    if (leaf->awake == by) {
        if (all_reach(place, places, leaf->places, by, false)) return stay_at(by);
        return stay_at(common_place(place, places, leaf->places, by));
    }
    if (leaf->pinned == by || has(place[by].reaches, leaf->pinned)) return stay_at(leaf->pinned);
    return wait_for(leaf);
}

static struct ThrashingHint hint_of(const struct ThrashingRule* rule, const struct ThrashingLeaf* leaf,
                                    const struct UnifiedPlace* place, uint32_t places,
                                    const struct ThrashingFault* fault) {
    const uint32_t at_once = pinned_at_once(leaf, place, places, fault);
    if (at_once != UNIFIED_NONE) return stay_at(at_once);
    if (leaf->pinned != UNIFIED_NONE) return hint_of_pinned(leaf, place, places, fault);
    if (leaf->awake != fault->by) return wait_for(leaf);
    return leaf->naps >= rule->naps ? stay_at(fault->by) : go_on();
}

static void pin(const struct ThrashingRule* rule, struct ThrashingBlock* block, struct ThrashingLeaf* leaf,
                const struct ThrashingFault* fault, uint32_t at) {
    if (leaf->pinned == UNIFIED_NONE || fault->at != at) wake_all(leaf);
    if (leaf->pinned == UNIFIED_NONE) {
        leaf->pin_end = fault->now + rule->pin;
        leaf->naps = 0;
        block->ever_pinned = true;
    }
    leaf->pinned = at;
}

/* Whether a mapping of the place from before serves, so that there is no fault. */
static bool mapped(const struct ThrashingLeaf* leaf, const struct UnifiedPlace* place,
                   const struct ThrashingFault* fault) {
    return leaf->pinned != UNIFIED_NONE && leaf->pinned == fault->at && has(leaf->places, fault->by) &&
           has(place[fault->by].reaches, fault->at);
}

struct ThrashingHint thrashing_hint(const struct ThrashingRule* rule, struct ThrashingBlock* block,
                                    const struct UnifiedPlace* place, uint32_t places,
                                    const struct ThrashingFault* fault) {
    struct ThrashingLeaf* leaf = &block->leaf[fault->leaf];
    const uint32_t by = (uint32_t)1 << fault->by;
    unpin_late(leaf, fault->now);
    if (!block->watched) return go_on();
    if (block->last_thrashing != 0 && since(fault->now, block->last_thrashing) > rule->epoch && !block->ever_pinned &&
        block->resets < rule->resets) {
        ++block->resets;
        start_leaves(block);
        return go_on();
    }
    if (mapped(leaf, place, fault)) return stay_at(leaf->pinned);
    if (leaf->events < rule->threshold) return go_on();
    if ((leaf->napping & by) != 0) {
        if (fault->now < leaf->nap_end && leaf->awake != fault->by) return wait_for(leaf);
        leaf->napping &= ~by;
        if (leaf->napping == 0) leaf->nap_end = 0;
    }
    if (since(fault->now, leaf->last) > rule->lapse && leaf->pinned == UNIFIED_NONE) return go_on();
    leaf->places |= by;
    begin_period(rule, leaf, fault->by, fault->now);
    const struct ThrashingHint hint = hint_of(rule, leaf, place, places, fault);
    if (hint.word == kThrashingStay) pin(rule, block, leaf, fault, hint.place);
    if (hint.word != kThrashingWait) return hint;
    leaf->napping |= by;
    if (leaf->pinned == UNIFIED_NONE) ++leaf->naps;
    return hint;
}
