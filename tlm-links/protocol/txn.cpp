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
        txn.next = free_;
        free_ = &txn;
    }
}

Txn& TxnPool::make(Kind kind, std::uint64_t line, ByteMask mask) {
    if (!free_) grow();
    Txn& txn = *static_cast<Txn*>(free_);
    free_ = txn.next;
    if (free_) static_cast<const Txn*>(free_)->prefetch(); // the next one's
    ++made_;
    txn.pooled = false;
    txn.kind = kind;
    txn.line = line;
    txn.mask = mask;
    txn.depth = 0;
    txn.seen_outside = txn.counted = txn.followed = false;
    txn.read_only = txn.no_return = txn.passing = false;
    txn.parent = nullptr;
    txn.set_command(txn.is_write() || kind == Kind::recall ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    if (__builtin_expect(kind == Kind::atomic, 0)) attach_atomic(txn);
    txn.set_address(line);
    txn.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    txn.set_byte_enable_ptr(nullptr);
    txn.set_byte_enable_length(0);
    if (!txn.is_read() && !mask.all()) enable_bytes(txn);
    return txn;
}

[[gnu::noinline]] void TxnPool::enable_bytes(Txn& txn) {
    for (unsigned i = 0; i < kLineBytes; ++i) txn.enables[i] = txn.mask.test(i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    txn.set_byte_enable_ptr(txn.enables.data());
    txn.set_byte_enable_length(kLineBytes);
}

[[gnu::noinline]] void TxnPool::attach_atomic(Txn& txn) {
    if (free_atomics_.empty()) {
        atomics_.emplace_back(new AtomicExtension(free_atomics_));
        free_atomics_.push_back(atomics_.back().get());
    }
    txn.set_command(tlm::TLM_IGNORE_COMMAND);
    txn.set_extension(free_atomics_.back());
    free_atomics_.pop_back();
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
    txn.acquire();                                   // for who will get it next
    take_back(txn);
}

} // namespace numavp
