#include "models/reduction/reduction_unit.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/values/units.h"
#include "models/reduction/element_sum.h"
#include "tlm-links/protocol/flag_board.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

ReductionUnit::ReductionUnit(sc_core::sc_module_name name, const ReductionConfig& config, const Resources& r)
    : sc_module(name), Arbiter(r.domain, r.rank), config_(config), pool_(r.pool), map_(r.map), pages_(r.pages),
      arrays_(r.arrays), number_(r.number),
      requests_("requests", r.domain, {config.wire_depth, Part::link}, static_cast<ResponderIf&>(*this), 0),
      members_("members", r.domain, {config.wire_depth, Part::link}, static_cast<RequesterIf&>(*this), 0),
      inlet_(config.queue_depth), adders_(bytes_per_s(config.sum_gbytes_per_s), r.domain.khz()),
      entries_(config.entries) {
    requests_.set_feeder(*this);
    members_.set_feeder(*this);
    members_.set_consumer();
    for (unsigned i = config.entries; i-- > 0;) free_.push_back(i);
}

bool ReductionUnit::request(unsigned, Txn& txn) {
    wake();
    return inlet_.arrive(txn);
}

bool ReductionUnit::response(unsigned, Txn& txn) {
    arrived_.push(txn);
    wake();
    return true;
}

void ReductionUnit::arbitrate() {
    while (!arrived_.empty()) take(arrived_.pop());
    respond();
    const bool more_requests = accept();
    const bool more_to_ask = ask();
    if (more_requests || more_to_ask) wake(); // else an answer, or a place on a wire, does
}

// --- requests

/// Takes requests while there are entries; true if the next edge may take more.
bool ReductionUnit::accept() {
    for (unsigned i = 0; i < config_.records_per_cycle; ++i) {
        if (inlet_.empty()) return false;
        if (free_.empty()) {
            ++counts_.stalls;
            return false;
        }
        begin(inlet_.pop());
        if (Txn* const next = inlet_.admit()) requests_.end_request(*next, domain_.now() + 1);
    }
    return !inlet_.empty();
}

void ReductionUnit::begin(Txn& txn) {
    const unsigned index = free_.back();
    free_.pop_back();
    Entry& e = entries_[index];
    e.parent = &txn;
    e.target = arrays_.target(txn.line);
    e.since = domain_.now();
    e.asked = 0;
    e.answers.assign(e.target.array->members.size(), nullptr);
    e.missing = e.members();
    if (txn.kind == Kind::atomic)
        ++counts_.atomics;
    else
        ++(txn.is_write() ? counts_.writes : counts_.reads);
    if (txn.kind == Kind::atomic && !txn.no_return)
        domain_.clockwork().fail(
            fmt::format("an atomic at the multicast address {:#x} returns a value, and each member has one; a "
                        "reduction without a result is allowed",
                        e.target.array->base + e.target.offset));
    asking_.push_back(index);
}

/// Sends records to members; true if the next edge may send more.
bool ReductionUnit::ask() {
    for (unsigned i = 0; i < config_.records_per_cycle; ++i) {
        if (asking_.empty() || !members_.ready()) return false;
        const unsigned index = asking_.front();
        ask_member(index);
        if (entries_[index].asked == entries_[index].members()) asking_.pop_front();
    }
    return !asking_.empty();
}

void ReductionUnit::ask_member(unsigned index) {
    Entry& e = entries_[index];
    const Txn& parent = *e.parent;
    const unsigned member = e.asked++;
    bool failed = false;
    const PhysicalAddress line =
        pages_.translate(e.target.line_of(member), e.target.array->members[member].socket, failed);
    if (failed) domain_.clockwork().fail(pages_.failure_sentence());
    Txn& child = pool_.make(parent.kind, line, parent.mask);
    child.no_return = parent.no_return;
    child.context = static_cast<std::uint16_t>(index);
    child.tag = member;
    child.requester = number_;
    if (pool_.functional && parent.kind == Kind::atomic)
        child.atomic().operand = e.parent->atomic().operand;
    else if (pool_.functional)
        child.data = parent.data;
    if (pool_.flags != nullptr && pool_.flags->is_flag(parent.line)) pool_.flags->declare(line);
    map_.resolve(child);
    child.start(domain_.clockwork().now_ps());
    ++counts_.asked;
    if (parent.kind != Kind::load) counts_.written_bytes += parent.mask.count();
    members_.send(child, domain_.now() + 1);
}

// --- answers

void ReductionUnit::take(Txn& answer) {
    const unsigned index = answer.context;
    Entry& e = entries_[index];
    e.answers[answer.tag] = &answer;
    if (--e.missing == 0) finish(index);
}

void ReductionUnit::finish(unsigned index) {
    Entry& e = entries_[index];
    Txn& parent = *e.parent;
    parent.departs = domain_.now() + 1;
    if (parent.kind == Kind::load) {
        const unsigned bytes = parent.mask.count() * e.members();
        counts_.read_bytes += bytes;
        counts_.additions +=
            std::uint64_t{parent.mask.count()} / bytes_of(e.target.array->element) * (e.members() - 1U);
        parent.departs = adders_.take(domain_.now(), bytes) + config_.sum_cycles;
        if (pool_.functional) add_up(e);
    }
    for (Txn* const answer : e.answers) pool_.end(*answer);
    latency_.add(parent.departs - e.since);
    parent.answer();
    done_.push(parent);
    e.parent = nullptr;
    free_.push_back(index);
}

/// In the order of the members, whatever the order in which they answered.
void ReductionUnit::add_up(const Entry& e) {
    ElementSum sum(e.target.array->element);
    for (const Txn* const answer : e.answers) sum.add(answer->data.data());
    sum.write(e.parent->mask, e.parent->data.data());
}

void ReductionUnit::respond() {
    while (!done_.empty() && requests_.ready()) {
        Txn& txn = done_.pop();
        requests_.send(txn, std::max(txn.departs, domain_.now() + 1));
    }
}

} // namespace numavp
