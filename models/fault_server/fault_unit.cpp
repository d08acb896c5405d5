#include "models/fault_server/fault_unit.h"

#include <algorithm>

#include <fmt/format.h>

namespace numavp {

namespace {
using Reg = FaultUnitRegister;
constexpr std::uint64_t kOnFault = 1, kOnNote = 2, kOnInvalidated = 4;
constexpr std::uint64_t kValid = std::uint64_t{1} << 17;
} // namespace

FaultUnit::FaultUnit(const FaultUnitConfig& config, const Resources& r)
    : config_(config), domain_(r.domain), line_(r.line), device_(r.device), tables_(r.tables), messenger_(r.domain),
      invalidator_(messenger_, config.message_cycles) {}

void FaultUnit::set_clients(const std::vector<FaultClient*>& clients) {
    clients_ = clients;
    invalidator_.set_clients(clients);
    resident_.assign(clients.size(), 0);
}

// --- the sockets' side

bool FaultUnit::fault(const PageFault& fault) {
    const std::uint32_t bit = 1U << fault.socket.value;
    if (const auto known = open_.find(fault.page); known != open_.end()) {
        ledger_.counts.merged += (known->second.sockets & bit) == 0;
        known->second.sockets |= bit;
        known->second.first.write |= fault.read_only; // else the driver would take the page as served
        return true;
    }
    if (config_.delay_cycles == 0 && queue_.size() + arriving_ >= config_.queue_entries) {
        ++ledger_.counts.refused;
        refused_ |= bit;
        return false;
    }
    Open open;
    open.first = fault;
    open.sockets = bit;
    open.times.raised = now_ps();
    open.number = ledger_.counts.raised++;
    open_.emplace(fault.page, open);
    ++arriving_;
    if (on_fault) on_fault(fault);
    messenger_.send(config_.message_cycles + config_.delay_cycles, [this, page = fault.page] {
        Open& arrived = open_.at(page);
        arrived.state = State::queued;
        arrived.times.queued = now_ps();
        --arriving_;
        queue_.push_back(page);
        ledger_.counts.most_queued = std::max<std::uint64_t>(ledger_.counts.most_queued, queue_.size());
        raise();
    });
    return true;
}

void FaultUnit::access_note(SocketId socket, std::uint64_t page) {
    messenger_.send(config_.message_cycles, [this, socket, page] {
        ++ledger_.counts.notes;
        if (notes_.size() >= config_.note_entries) {
            ++ledger_.counts.notes_lost;
            return;
        }
        notes_.push_back({page, socket});
        raise();
    });
}

// --- the driver's side

std::uint64_t FaultUnit::status() const {
    std::uint64_t value = queue_.size();
    value |= std::uint64_t{refused_ != 0} << 32;
    value |= std::uint64_t{!notes_.empty()} << 33;
    value |= std::uint64_t{!invalidator_.idle()} << 34;
    return value;
}

std::uint64_t FaultUnit::head_info() const {
    if (queue_.empty()) return 0;
    const Open& head = open_.at(queue_.front());
    return head.first.socket.value | std::uint64_t{head.first.write} << 16 | kValid | std::uint64_t{head.sockets} << 32;
}

std::uint64_t FaultUnit::note_info() const { return notes_.empty() ? 0 : notes_.front().socket.value | kValid; }

std::uint64_t FaultUnit::peek_register(std::size_t index) const {
    switch (static_cast<Reg>(index)) {
    case Reg::status: return status();
    case Reg::control: return control_;
    case Reg::head_page: return queue_.empty() ? 0 : queue_.front();
    case Reg::head_info: return head_info();
    case Reg::invalidated: return invalidated_;
    case Reg::note_page: return notes_.empty() ? 0 : notes_.front().page;
    case Reg::note_info: return note_info();
    case Reg::outstanding: return popped_;
    default: return 0; // write-only ones are no reads
    }
}

std::uint64_t FaultUnit::read_register(std::size_t index) {
    const auto reg = static_cast<Reg>(index);
    if (reg == Reg::head_page || reg == Reg::head_info) take_head();
    if (reg == Reg::invalidated) {
        invalidated_read_ = invalidated_;
        raise();
    }
    return peek_register(index);
}

void FaultUnit::write_register(std::size_t index, std::uint64_t value) {
    switch (static_cast<Reg>(index)) {
    case Reg::control: control_ = value & (kOnFault | kOnNote | kOnInvalidated); break;
    case Reg::pop: pop(); break;
    case Reg::done: done(value); break;
    case Reg::fail: fail(value); break;
    case Reg::invalidate: invalidate(value); break;
    case Reg::note_pop:
        if (!notes_.empty()) notes_.pop_front();
        break;
    default: break;
    }
    raise();
}

void FaultUnit::raise() {
    const std::uint64_t pending = (queue_.empty() ? 0 : kOnFault) | (notes_.empty() ? 0 : kOnNote) |
                                  (invalidated_ == invalidated_read_ ? 0 : kOnInvalidated);
    line_.set(device_, (pending & control_) != 0);
}

/// The driver looks at the first fault.
void FaultUnit::take_head() {
    if (queue_.empty()) return;
    FaultTimes& times = open_.at(queue_.front()).times;
    if (times.taken != 0) return;
    times.taken = progress_ps_ = now_ps();
    if (taken_++ == 0) taken_since_ps_ = times.taken;
}

void FaultUnit::pop() {
    if (queue_.empty()) return;
    take_head();
    open_.at(queue_.front()).state = State::popped;
    queue_.pop_front();
    ++popped_;
    const std::uint32_t sockets = refused_;
    refused_ = 0;
    for (unsigned s = 0; s < clients_.size(); ++s)
        if ((sockets >> s & 1) != 0) messenger_.send(config_.message_cycles, [this, s] { clients_[s]->room(); });
}

/// The page is no longer where it was.
void FaultUnit::leave(std::uint64_t page) {
    const auto known = frames_of_.find(page);
    if (known == frames_of_.end()) return;
    --resident_[memory_of(known->second.home).value];
    frames_of_.erase(known);
}

/// True if the table maps the page to the frame, or a cache may know it as the page's replica.
bool FaultUnit::holds(std::uint64_t page, PhysicalAddress frame) const {
    const auto known = frames_of_.find(page);
    if (known != frames_of_.end() && !known->second.read.empty())
        return known->second.home == frame ||
               std::count(known->second.read.begin(), known->second.read.end(), frame) != 0;
    return tables_.leaf(page).bits == TableWord::page(frame).bits;
}

/// Why a page can't have a frame; empty if it can.
std::string FaultUnit::bad_frame(std::uint64_t page, PhysicalAddress frame) const {
    const std::uint64_t offset = frame & ((PhysicalAddress{1} << config_.socket_shift) - 1);
    const std::uint64_t memory = frame >> config_.socket_shift;
    if (memory >= clients_.size()) return fmt::format("memory {} is none of a socket", memory);
    if (offset % config_.page_bytes != 0) return fmt::format("{:#x} is not the start of a page's frame", frame);
    if (offset / config_.page_bytes >= config_.frames)
        return fmt::format("frame {} is beyond the {} of memory {}", offset / config_.page_bytes, config_.frames,
                           memory);
    const auto held = page_in_.find(frame);
    if (held != page_in_.end() && held->second != page && holds(held->second, frame))
        return fmt::format("{:#x} holds page {:#x} already", frame, held->second);
    return "";
}

/// Reads where a page is; or returns what is wrong with it.
std::string FaultUnit::frames_in_table(std::uint64_t page, Frames& found) const {
    const TableWord leaf = tables_.leaf(page);
    if (!leaf.valid()) return "its entry in the page table is not valid";
    if (!leaf.replicated()) {
        found.home = leaf.address();
        return bad_frame(page, found.home);
    }
    found.home = kNever;
    for (unsigned s = 0; s < clients_.size(); ++s) {
        const TableWord word = tables_.replica(leaf, s);
        if (!word.valid() || !word.leaf()) return fmt::format("it has replicas, but no frame for socket {}", s);
        if (std::string wrong = bad_frame(page, word.address()); !wrong.empty()) return wrong;
        if (word.replicated() && memory_of(word.address()) != own_memory(SocketId(s)))
            return fmt::format("the replica of socket {} at {:#x} is not in its memory", s, word.address());
        if (!word.replicated() && found.home != kNever && found.home != word.address())
            return fmt::format("it has two homes, {:#x} and {:#x}", found.home, word.address());
        if (!word.replicated()) found.home = word.address();
        found.read.push_back(word.address());
    }
    if (found.home == kNever || found.read[memory_of(found.home).value] != found.home)
        return "it has a replica in each memory, and no home";
    return "";
}

/// Why caches may know more of a page than the table says now; empty if they don't.
std::string FaultUnit::kept(const Frames& known, const Frames& found) const {
    constexpr const char* kAsked = "and no cache has been asked to give it up";
    if (known.home != found.home) return fmt::format("it was at {:#x} {}", known.home, kAsked);
    if (known.read.empty() && !found.read.empty())
        return "it has replicas, and no TLB has been asked to give up that it may be stored to";
    for (std::size_t s = 0; s < known.read.size(); ++s)
        if (known.read[s] != kNever && known.read[s] != (found.read.empty() ? found.home : found.read[s]))
            return fmt::format("socket {} had it at {:#x} {}", s, known.read[s], kAsked);
    return "";
}

void FaultUnit::count_replicas(const Frames* known, const Frames& found) {
    for (std::size_t s = 0; s < found.read.size(); ++s)
        ledger_.counts.replicas += found.read[s] != found.home && (known == nullptr || known->read[s] != found.read[s]);
}

/// Why a completed page can't be where the table says; empty if it can.
std::string FaultUnit::misplaced(std::uint64_t page) {
    Frames found;
    if (std::string wrong = frames_in_table(page, found); !wrong.empty()) return wrong;
    const auto resident = frames_of_.find(page);
    const Frames* const known = resident == frames_of_.end() ? nullptr : &resident->second;
    if (known != nullptr)
        if (std::string wrong = kept(*known, found); !wrong.empty()) return wrong;
    count_replicas(known, found);
    page_in_[found.home] = page;
    for (const PhysicalAddress frame : found.read) page_in_[frame] = page;
    leave(page);
    ++resident_[memory_of(found.home).value];
    frames_of_[page] = std::move(found);
    return "";
}

void FaultUnit::done(std::uint64_t page) {
    if (const std::string why = misplaced(page); !why.empty())
        return domain_.clockwork().fail(fmt::format("the driver put page {:#x} in a wrong place: {}", page, why));
    const auto known = open_.find(page);
    if (known == open_.end() ||
        known->second.state != State::popped) { // a page that was moved: nobody waits, or not yet
        ++ledger_.counts.idle_done;
        return;
    }
    ++ledger_.counts.done;
    --popped_;
    progress_ps_ = now_ps();
    if (--taken_ == 0) ledger_.counts.busy_ps += progress_ps_ - taken_since_ps_;
    Open open = known->second;
    open_.erase(known);
    open.times.done = now_ps();
    messenger_.send(config_.message_cycles, [this, page, open] { finish(page, open); });
}

/// The completion has come to the sockets.
void FaultUnit::finish(std::uint64_t page, Open open) {
    open.times.replayed = now_ps();
    ledger_.ended(page, open.first.socket, open.times);
    for (unsigned s = 0; s < clients_.size(); ++s)
        if ((open.sockets >> s & 1) != 0) clients_[s]->resolved(page);
}

void FaultUnit::fail(std::uint64_t page) {
    const std::string words = last_words ? last_words() : "";
    domain_.clockwork().fail(fmt::format("the driver refuses the page at virtual address {:#x}{}{}",
                                         page * config_.page_bytes, words.empty() ? "" : ": ", words));
}

/// The frames that sockets are to give up, as the table says; or what is wrong with that.
std::string FaultUnit::invalidation_of(std::uint64_t page, const Frames* known, Frames& given_up) const {
    const TableWord leaf = tables_.leaf(page);
    given_up.home = leaf.address();
    if (leaf.replicated()) {
        given_up.home = kNever;
        for (unsigned s = 0; s < clients_.size(); ++s) {
            const TableWord word = tables_.replica(leaf, s);
            given_up.read.push_back(leaf.moving() || word.moving() ? word.address() : kNever);
            if (word.valid() && !word.replicated()) given_up.home = word.address();
        }
    }
    const bool some =
        std::any_of(given_up.read.begin(), given_up.read.end(), [](auto frame) { return frame != kNever; });
    if (leaf.valid() && !some) return " while its entry in the page table is valid";
    if (known == nullptr) return "";
    const bool all = leaf.moving() && given_up.home == known->home && given_up.read.empty() == known->read.empty();
    if (!leaf.valid() && !all)
        return fmt::format(", whose entry does not say that it moves away from {:#x}{}", known->home,
                           known->read.empty() ? "" : " and its replicas");
    for (std::size_t s = 0; s < known->read.size(); ++s)
        if (given_up.read[s] != kNever && known->read[s] != kNever && given_up.read[s] != known->read[s])
            return fmt::format(", and socket {} knows it at {:#x}", s, known->read[s]);
    return "";
}

void FaultUnit::invalidate(std::uint64_t page) {
    const auto resident = frames_of_.find(page);
    Frames* const known = resident == frames_of_.end() ? nullptr : &resident->second;
    Frames given_up;
    if (const std::string wrong = invalidation_of(page, known, given_up); !wrong.empty())
        return domain_.clockwork().fail(fmt::format("the driver invalidates page {:#x}{}", page, wrong));
    const bool whole = !tables_.leaf(page).valid();
    const PageInvalidation what{page, given_up.home, tables_.leaf(page).moving() || !whole};
    const auto none = static_cast<unsigned>(clients_.size());
    const auto home = whole && what.mapped ? static_cast<unsigned>(what.frame >> config_.socket_shift) : none;
    for (std::size_t s = 0; known != nullptr && s < known->read.size(); ++s) {
        if (given_up.read[s] == kNever) continue;
        ledger_.counts.replicas_dropped += known->read[s] != kNever && known->read[s] != known->home;
        known->read[s] = kNever; // a word of the same frame may be completed again
    }
    ledger_.counts.collapses += whole && !given_up.read.empty();
    if (whole) leave(page);
    invalidator_.start(what, home, std::move(given_up.read), [this, whole] {
        ledger_.counts.invalidations += whole;
        ++invalidated_;
        progress_ps_ = now_ps();
        raise();
    });
}

// --- for people

std::uint64_t FaultUnit::oldest_ps() const {
    std::uint64_t oldest = kNever;
    for (const auto& [page, open] : open_) oldest = std::min(oldest, open.times.raised);
    return oldest;
}

std::string FaultUnit::waiting_for() const {
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    if (!open_.empty())
        add(fmt::format("the driver to complete {} faults ({} in the queue, {} taken)", open_.size(), queue_.size(),
                        popped_));
    if (!invalidator_.idle()) add(fmt::format("sockets to give up page {:#x}", invalidator_.page()));
    return text;
}

std::string FaultUnit::text() const {
    static const char* const states[] = {"on its way", "queued", "taken"};
    std::vector<const Open*> faults;
    for (const auto& [page, open] : open_) faults.push_back(&open);
    std::sort(faults.begin(), faults.end(), [](const Open* a, const Open* b) { return a->number < b->number; });
    std::string text =
        fmt::format("{} faults wait, {} in the queue of {}\n", open_.size(), queue_.size(), config_.queue_entries);
    for (const Open* f : faults)
        text +=
            fmt::format("page {:#x}  socket {}  {}  {}  raised at {} ps\n", f->first.page, f->first.socket.value,
                        f->first.write ? "write" : "read ", states[static_cast<unsigned>(f->state)], f->times.raised);
    return text;
}

} // namespace numavp
