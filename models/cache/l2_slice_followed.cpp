// Reports of a slice to the trails of followed accesses.
#include "models/cache/l2_slice.h"

namespace numavp {

/// Ends a wait of the record; the reason is that of blame(), else `what`.
[[gnu::cold, gnu::noinline]] void L2Slice::follow_until_now(const Txn& txn, Waited what) const {
    txn.trail->waited(ports_[side_of(txn)]->place(), domain_.clockwork().now_ps(), what);
}

/// At the head of its queue.
[[gnu::cold, gnu::noinline]] void L2Slice::follow_look_up(const Txn& txn) const {
    if (config_.lookup_cycles != 0 && txn.departs <= domain_.now())
        txn.trail->passed(ports_[side_of(txn)]->place(), domain_.edge_ps(txn.departs));
    follow_until_now(txn, Waited::queue);
}

/// A request waits in the entry of its line.
[[gnu::cold, gnu::noinline]] void L2Slice::follow_wait(const Txn& txn, const Entry& entry) const {
    txn.trail->blame(entry.reading() ? Waited::pending : Waited::writing, entry.followed);
}

/// The child's hops are the parent's, which waits for it.
[[gnu::cold, gnu::noinline]] void L2Slice::follow_child(Txn& child, const Txn& parent, Entry& entry) {
    child.followed = true;
    child.trail = parent.trail;
    entry.followed = parent.trail->number();
}

/// Its answer is there.
[[gnu::cold, gnu::noinline]] void L2Slice::follow_answer(const Txn& txn) const {
    const Side side = side_of(txn);
    if (responses_[side].empty() && ports_[side]->ready())
        follow_response(txn, side);
    else
        txn.trail->blame(Waited::room);
}

/// It had room on its wire, and gets the data port after those before it.
[[gnu::cold, gnu::noinline]] void L2Slice::follow_response(const Txn& txn, Side side) const {
    follow_until_now(txn, Waited::room);
    const Cycle free_at = data_[side].free_at();
    if (free_at > domain_.now()) txn.trail->waited(ports_[side]->place(), domain_.edge_ps(free_at), Waited::data_port);
}

} // namespace numavp
