// A slice with a directory: who of the two sockets has copies of the other's lines, and how these go.
//
// The home is never without the newest bytes: a socket writes its copy of the other's line through to the home. So what
// a home does for the other socket depends on its own memory alone, and a recall waits for nothing: the one who gets it
// drops the copy (and does not keep what is on its way) and acknowledges. No request waits for a recall either; only
// flushes do, before which nobody may rely on what another socket wrote. So recalls close no circle.
#include "models/cache/l2_slice.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

/// A read was answered. If the other socket's slice asked, it gets a copy, which is noted, or it may not keep it.
void L2Slice::lend(Txn& txn) {
    if (!directory_ || txn.kind != Kind::fill) return;
    if (directory_->lend(txn.line)) return;
    txn.passing = true;
    ++counts_.passing;
}

/// A line was written. The other socket's slice has changed its copy before it wrote through, and has dropped it before
/// it passed on an atomic: both come here behind what it asked before. Its devices write past it.
void L2Slice::changed(const Txn& txn) {
    if (!directory_ || txn.home != socket_) return;
    if (side_of(txn) == kHome && txn.kind != Kind::store) return;
    directory_->written(txn.line);
    if (directory_->waiting() != 0) wake();
}

/// The line was written at its home. Those who wait for it here asked before they could know, and get what comes.
bool L2Slice::recalled(Txn& txn) {
    if (const unsigned index = pending_.find(txn.line); index != PendingTable::kNone) {
        Entry& e = entries_[index];
        if (e.state == State::fill && !e.stale) {
            e.stale = true;
            e.fresh = e.targets.size();
            ++counts_.recalled_fills;
        }
    }
    if (const int frame = tags_.find(txn.line); frame >= 0) {
        tags_.invalidate(static_cast<unsigned>(frame));
        ++counts_.recalled;
    }
    respond(txn, config_.directory_cycles);
    return true;
}

/// One a cycle, when nothing else waits for the link.
void L2Slice::send_recall() {
    if (directory_->waiting() == 0 || !to_link_.empty() || !link_->ready()) return;
    Txn& child = pool_.make(Kind::recall, directory_->take(), ByteMask{0, 0});
    child.no_return = true;
    child.requester = socket_;
    child.source = static_cast<std::uint16_t>(index_);
    map_.resolve(child);
    child.home = SocketId(1 - socket_.value); // where it goes: of two sockets the other
    child.slice = static_cast<std::uint16_t>(map_.slice_of(child.line, child.home));
    child.start(domain_.clockwork().now_ps());
    bool epoch = recall_epoch_;
    if (recalls_to_flush_ != 0) {
        --recalls_to_flush_;
        epoch = !epoch;
    }
    child.context = epoch ? 1 : 0;
    ++recalls_out_[child.context];
    ++counts_.recalls;
    link_->send(child, domain_.now() + config_.directory_cycles);
    if (directory_->waiting() != 0) wake();
}

/// It waits for all recalls of what was written before it, and for none of what is written while it runs.
void L2Slice::begin_recalls_of_flush() {
    recall_epoch_ = !recall_epoch_; // of the other epoch none is left: the last flush has waited for them
    recalls_to_flush_ = directory_->waiting();
}

bool L2Slice::recalls_of_flush() const { return recalls_to_flush_ != 0 || recalls_out_[recall_epoch_ ? 0 : 1] != 0; }

} // namespace numavp
