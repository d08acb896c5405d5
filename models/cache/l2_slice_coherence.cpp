// A slice with a directory: recalls on their way between homes and copies (copy_coherence.h has the rules).
#include "models/cache/l2_slice.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

/// A read was answered. If the other socket's slice asked, it gets a copy, which is noted, or it may not keep it.
void L2Slice::lend(Txn& txn) {
    if (!copies_ || txn.kind != Kind::fill) return;
    if (copies_->lend(txn.line)) return;
    txn.passing = true;
    ++counts_.passing;
}

/// A line was written. What the other socket's slice writes comes here behind what it asked before; its devices write
/// past it.
void L2Slice::changed(const Txn& txn) {
    if (!copies_ || txn.home != socket_) return;
    const bool by_copy = side_of(txn) == kHome && txn.kind != Kind::store;
    if (copies_->changed(txn.line, by_copy)) wake();
}

/// The line was written at its home. Those who wait for it here asked before they could know, and get what comes.
bool L2Slice::recalled(Txn& txn) {
    const Table::Dropped dropped = table_.drop(txn.line);
    counts_.recalled_fills += dropped.fill;
    counts_.recalled += dropped.frame;
    respond(txn, config_.directory_cycles);
    return true;
}

/// One a cycle, when nothing else waits for the link.
void L2Slice::send_recall() {
    if (copies_->waiting() == 0 || !to_link_.empty() || !link_->ready()) return;
    const CopyCoherence::Recall recall = copies_->send();
    Txn& child = pool_.make(Kind::recall, recall.line, ByteMask{0, 0});
    child.no_return = true;
    child.requester = socket_;
    child.source = static_cast<std::uint16_t>(index_);
    map_.resolve(child);
    child.home = SocketId(1 - socket_.value); // where it goes: of two sockets the other
    child.slice = static_cast<std::uint16_t>(map_.slice_of(child.line, child.home));
    child.start(domain_.clockwork().now_ps());
    child.context = recall.epoch ? 1 : 0;
    ++counts_.recalls;
    link_->send(child, domain_.now() + config_.directory_cycles);
    if (copies_->waiting() != 0) wake();
}

} // namespace numavp
