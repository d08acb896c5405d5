#include "tlm-links/protocol/txn.h"

#include <string>

namespace numavp {

TxnPool::~TxnPool() {
    for (const HugeBlock& chunk : chunks_) std::destroy_n(static_cast<Txn*>(chunk.get()), kChunk);
}

[[gnu::noinline]] void TxnPool::grow() {
    chunks_.push_back(make_huge_block(kChunk * sizeof(Txn)));
    auto* const chunk = static_cast<Txn*>(chunks_.back().get());
    for (std::size_t i = kChunk; i-- > 0;) {
        Txn& txn = *new (chunk + i) Txn;
        txn.set_mm(this);
        txn.acquire(); // for who will get it
        txn.set_data_ptr(txn.data.data());
        txn.set_streaming_width(kLineBytes);
        txn.set_data_length(kLineBytes);
        txn.set_response_status(tlm::TLM_OK_RESPONSE);
        txn.next = free_;
        free_ = &txn;
    }
}

Txn& TxnPool::make(Kind kind, std::uint64_t line, ByteMask mask) {
    if (!free_) grow();
    Txn& txn = *static_cast<Txn*>(free_);
    free_ = txn.next;
    if (free_) { // the next one's
        static_cast<const Txn*>(free_)->prefetch();
        __builtin_prefetch(&static_cast<const Txn*>(free_)->born_ps, 1);
    }
    ++made_; // its status is that of success: an error is set by Txn::answer(), so that its end takes it back
    txn.pooled = false;
    txn.kind = kind;
    txn.line = line;
    txn.mask = mask;
    txn.whole = mask.all();
    txn.depth = 0;
    txn.seen_outside = txn.counted = txn.followed = false;
    txn.read_only = txn.no_return = txn.passing = false;
    txn.parent = nullptr;
    if (__builtin_expect(kind == Kind::atomic, 0)) attach_atomic(txn);
    return txn;
}

[[gnu::noinline]] void Txn::show() {
    seen_outside = true;
    set_command(is_write() || kind == Kind::recall ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    if (kind == Kind::atomic) set_command(tlm::TLM_IGNORE_COMMAND);
    set_address(line);
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const bool all = is_read() || whole;
    set_byte_enable_ptr(all ? nullptr : enables.data());
    set_byte_enable_length(all ? 0 : kLineBytes);
    for (unsigned i = 0; i < kLineBytes && !all; ++i) enables[i] = mask.test(i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
}

/// A record whose status is not that of success is as one that was seen outside: its end puts the status back.
[[gnu::noinline]] void Txn::answer_outside(tlm::tlm_response_status status) {
    seen_outside = true;
    set_response_status(status);
}

[[gnu::noinline]] void TxnPool::attach_atomic(Txn& txn) {
    if (free_atomics_.empty()) {
        atomics_.emplace_back(new AtomicExtension(free_atomics_));
        free_atomics_.push_back(atomics_.back().get());
    }
    txn.set_extension(free_atomics_.back());
    free_atomics_.pop_back();
    txn.show();
    txn.seen_outside = false;
    txn.set_response_status(tlm::TLM_OK_RESPONSE);
}

void TxnPool::detach_atomic(Txn& txn) {
    AtomicExtension* const atomic = atomic_of(txn);
    if (!atomic) return; // somebody has taken it away
    txn.clear_extension(atomic);
    atomic->free();
}

[[gnu::cold, gnu::noinline]] void TxnPool::ended_twice(const Txn& txn) {
    SC_REPORT_ERROR("numavp/protocol", ("a record of line " + std::to_string(txn.line) + " was ended twice").c_str());
}

void TxnPool::free(tlm::tlm_generic_payload* payload) {
    Txn& txn = Txn::of(*payload);
    if (txn.kind == Kind::atomic) detach_atomic(txn);
    if (txn.seen_outside) txn.free_all_extensions(); // it touches two lines more
    txn.set_response_status(tlm::TLM_OK_RESPONSE);   // see Txn::answer()
    txn.acquire();                                   // for who will get it next
    take_back(txn);
}

} // namespace numavp
