#include "tests/sw/driver/fake_platform.h"

#include <stdexcept>

namespace numavp::driver_test {

namespace {

constexpr std::uint64_t kGarbage = 0xdeadbeefdeadbeefULL; // reads as a valid entry

} // namespace

FakePlatform::FakePlatform(const Setting& setting) : setting_(setting) {
    hal_.platform = this;
    hal_.hal.read64 = [](Hal* hal, std::uint64_t address) { return of(hal).read(address); };
    hal_.hal.write64 = [](Hal* hal, std::uint64_t address, std::uint64_t value) { of(hal).write(address, value); };
    hal_.hal.wait = [](Hal* hal) { of(hal).wait(); };
    const std::uint64_t table_memory = setting.tables_on_host ? setting.sockets : 0;
    const std::uint64_t table_base = (setting.tables_on_host ? setting.host_frames : setting.frames)
                                     << setting.page_shift;
    system(SystemRegister::sockets) = setting.sockets;
    system(SystemRegister::page_shift) = setting.page_shift;
    system(SystemRegister::frames) = setting.frames;
    system(SystemRegister::host_frames) = setting.host_frames;
    system(SystemRegister::socket_shift) = setting.socket_shift;
    const Policy* policy = policy_named(setting.policy);
    system(SystemRegister::policy) = policy != nullptr ? policy_index(policy) : policy_count();
    system(SystemRegister::fill) = setting.fill;
    system(SystemRegister::levels) = setting.levels();
    system(SystemRegister::address_bits) = setting.address_bits;
    system(SystemRegister::root) = (table_memory << setting.socket_shift) + table_base;
    system(SystemRegister::tables) = setting.tables_on_host ? 1 : 0;
    system(SystemRegister::table_frames) = setting.table_frames;
    system(SystemRegister::seed) = setting.seed;
    system(SystemRegister::notes) = setting.migration_threshold | std::uint64_t{setting.replicates} << 32;
    system(SystemRegister::lab_percent) = setting.lab_percent;
    system(SystemRegister::table_base) = table_base;
}

bool FakePlatform::interrupt_line() const {
    const bool fault_unit = ((control_ & 1) != 0 && !queue_.empty()) || ((control_ & 2) != 0 && !notes_.empty()) ||
                            ((control_ & 4) != 0 && invalidated_interrupt_);
    return fault_unit || ((copy_control_ & 1) != 0 && copy_interrupt_);
}

std::uint64_t FakePlatform::physical(Place place) const {
    return (place.memory << setting_.socket_shift) + (place.frame << setting_.page_shift);
}

std::optional<Place> FakePlatform::place_of(std::uint64_t physical) const {
    const Place place{physical >> setting_.socket_shift,
                      (physical & ((std::uint64_t{1} << setting_.socket_shift) - 1)) >> setting_.page_shift};
    const bool whole = (physical & ((std::uint64_t{1} << setting_.page_shift) - 1)) == 0;
    const std::uint64_t frames = place.memory == setting_.sockets ? setting_.host_frames : setting_.frames;
    if (!whole || place.memory > setting_.sockets || place.frame >= frames) return std::nullopt;
    return place;
}

// --- the page table

bool FakePlatform::in_tables(std::uint64_t physical) const {
    const std::uint64_t memory = physical >> setting_.socket_shift;
    const std::uint64_t offset = physical & ((std::uint64_t{1} << setting_.socket_shift) - 1);
    const std::uint64_t base = system_[static_cast<std::size_t>(SystemRegister::table_base)];
    return (setting_.tables_on_host ? memory == setting_.sockets : memory < setting_.sockets) && offset >= base &&
           offset < base + setting_.table_frames * 4096;
}

std::uint64_t& FakePlatform::entry(std::uint64_t physical) {
    if (!in_tables(physical) || physical % 8 != 0) throw std::logic_error("an entry outside the region of table pages");
    TablePage garbage;
    garbage.fill(kGarbage);
    return tables_.try_emplace(physical & ~std::uint64_t{4095}, garbage).first->second[physical % 4096 / 8];
}

/// By recursion over digits from the top, unlike the driver's loop over shifts.
std::optional<std::uint64_t> FakePlatform::slot_of(std::uint64_t page) const {
    std::vector<std::uint64_t> digits;
    for (unsigned i = 0; i < setting_.levels(); ++i, page /= 512) digits.insert(digits.begin(), page % 512);
    std::uint64_t here = system_[static_cast<std::size_t>(SystemRegister::root)];
    for (std::size_t i = 0;; ++i) {
        const std::uint64_t slot = here + digits[i] * 8;
        if (i + 1 == digits.size()) return slot;
        const auto table = tables_.find(here);
        if (table == tables_.end() || table->second[digits[i]] % 2 == 0) return std::nullopt;
        here = table->second[digits[i]] / 4096 * 4096;
    }
}

std::optional<std::uint64_t> FakePlatform::walk(std::uint64_t page) const {
    const auto slot = slot_of(page);
    if (!slot) return std::nullopt;
    const auto table = tables_.find(*slot / 4096 * 4096);
    if (table == tables_.end()) return kGarbage;
    return table->second[*slot % 4096 / 8];
}

std::uint64_t FakePlatform::word(std::uint64_t physical) const {
    const auto table = tables_.find(physical / 4096 * 4096);
    return table == tables_.end() ? kGarbage : table->second[physical % 4096 / 8];
}

/// The entry as each socket's walker ends up with it.
std::vector<std::uint64_t> FakePlatform::words(std::uint64_t pte) const {
    std::vector<std::uint64_t> words(setting_.sockets, pte);
    for (std::uint64_t s = 0; (pte & 8) != 0 && s < setting_.sockets; ++s) words[s] = word(pte / 256 * 256 + 8 * s);
    return words;
}

std::optional<Place> FakePlatform::where(std::uint64_t page, bool on_host) const {
    const auto pte = walk(page);
    if (!pte || (*pte & 7) != (on_host ? 2U : 3U)) return std::nullopt;
    for (const std::uint64_t word : words(*pte))
        if ((word & 8) == 0) return place_of(word & ~std::uint64_t{4095});
    return std::nullopt;
}

Place FakePlatform::read_by(std::uint64_t page, std::uint64_t socket) const {
    return place_of(words(walk(page).value()).at(socket) & ~std::uint64_t{4095}).value();
}

std::vector<FakePlatform::Known>& FakePlatform::known(std::uint64_t slot) {
    return known_.try_emplace(slot, setting_.sockets).first->second;
}

/// The entry at `slot` has changed: what sockets may find there from now on.
void FakePlatform::learn(std::uint64_t slot) {
    const std::uint64_t pte = word(slot);
    if ((pte & 3) != 3) return;
    const std::vector<std::uint64_t> found = words(pte);
    for (std::uint64_t s = 0; s < found.size(); ++s) {
        if ((found[s] & 3) != 3) continue;
        const auto place = place_of(found[s] & ~std::uint64_t{4095});
        if (!place || place->memory == setting_.sockets) {
            breach("an entry points to no frame of a socket");
            continue;
        }
        if (found[s] != pte && (found[s] & 8) != 0 && place->memory != s) breach("a replica in another memory");
        for (const auto& [other, sockets] : knowing_[*place])
            if (other != slot) breach("a frame that caches know as another page's");
        Known& mine = known(slot)[s];
        for (const auto& [frame, stores] : mine) {
            if (!(frame == *place)) breach("a socket still knows the page somewhere else");
            if (stores && (pte & 8) != 0) breach("a socket may still store to a page with replicas");
        }
        if (mine.count(*place) == 0) ++knowing_[*place][slot];
        mine[*place] |= (pte & 8) == 0;
    }
}

/// What an invalidation of the page takes out of the sockets.
void FakePlatform::forget(std::uint64_t slot) {
    const std::uint64_t pte = word(slot);
    const std::vector<std::uint64_t> given_up = words(pte);
    for (std::uint64_t s = 0; s < given_up.size(); ++s) {
        if ((pte & 1) != 0 && (given_up[s] & 4) == 0) continue; // not this socket
        const auto place = place_of(given_up[s] & ~std::uint64_t{4095});
        if (!place || known(slot)[s].erase(*place) == 0) continue;
        if (--knowing_[*place][slot] == 0) knowing_[*place].erase(slot);
    }
}

void FakePlatform::write_entry(std::uint64_t physical, std::uint64_t value) {
    entry(physical) = value;
    writes.push_back({"entry", value});
    if (cleared_.count(physical / 4096 * 4096) != 0) return learn(physical);
    for (const auto& [slot, all] : known_) // a word of replicas: of the page that has this table, if one does
        if ((word(slot) & 8) != 0 && word(slot) / 256 == physical / 256) return learn(slot);
}

/// A command must not meet accesses of sockets; a copy may be read meanwhile where it comes from.
void FakePlatform::expect_quiet(const Place& place, const std::string& what, bool only_stores) {
    for (const auto& [slot, sockets] : knowing_[place])
        for (const Known& one : known(slot))
            if (const auto found = one.find(place); found != one.end() && (found->second || !only_stores))
                return breach(what + " a frame that sockets know");
}

// --- the bus

std::uint64_t FakePlatform::read(std::uint64_t address) {
    if (address >= kPlatformBase) return entry(address - kPlatformBase);
    for (const RegisterBlock& block : kRegisterBlocks) {
        if (address - block.base >= block.bytes) continue;
        const RegisterDecision decision = decide(block, address - block.base, 8, false);
        if (decision.error != RegisterError::none) break;
        if (block.base == kFaultUnitBlock.base) return read_fault_unit(static_cast<FaultUnitRegister>(decision.index));
        if (block.base == kCopyEngineBlock.base)
            return read_copy_engine(static_cast<CopyEngineRegister>(decision.index));
        if (block.base == kSystemBlock.base) return system_[decision.index];
    }
    throw std::logic_error("a bus error of a read");
}

void FakePlatform::write(std::uint64_t address, std::uint64_t value) {
    if (address >= kPlatformBase) return write_entry(address - kPlatformBase, value);
    for (const RegisterBlock& block : kRegisterBlocks) {
        if (address - block.base >= block.bytes) continue;
        const RegisterDecision decision = decide(block, address - block.base, 8, true);
        if (decision.error != RegisterError::none) break;
        const RegisterInfo& info = block.registers[decision.index];
        if (info.offset == kSystemRegisters[static_cast<std::size_t>(SystemRegister::console)].offset &&
            block.base == kSystemBlock.base) {
            console.push_back(static_cast<char>(value));
            return;
        }
        writes.push_back({std::string(block.name) + "." + info.name, value});
        if (block.base == kFaultUnitBlock.base) write_fault_unit(static_cast<FaultUnitRegister>(decision.index), value);
        if (block.base == kCopyEngineBlock.base)
            write_copy_engine(static_cast<CopyEngineRegister>(decision.index), value);
        return;
    }
    throw std::logic_error("a bus error of a write");
}

void FakePlatform::wait() {
    ++waits;
    if (while_waiting) while_waiting();
    if (interrupt_line()) return;
    if (!invalidating_ && command_ == 0) throw std::logic_error("the driver waits for nothing");
    finish();
    if (!interrupt_line()) throw std::logic_error("the driver waits for an interrupt that is masked");
}

/// What is under way is over.
void FakePlatform::finish() {
    if (invalidating_) {
        if (const auto slot = slot_of(*invalidating_)) forget(*slot);
        invalidating_.reset();
        ++invalidated_;
        invalidated_interrupt_ = true;
    }
    if (command_ != 0) {
        command_ = 0;
        copy_interrupt_ = true;
    }
}

// --- devices

std::uint64_t FakePlatform::read_fault_unit(FaultUnitRegister which) {
    switch (which) {
    case FaultUnitRegister::control: return control_;
    case FaultUnitRegister::head_page: return queue_.empty() ? 0 : queue_.front().page;
    case FaultUnitRegister::head_info:
        if (queue_.empty()) return 0;
        return queue_.front().socket | (queue_.front().write ? 1U << 16 : 0U) | 1U << 17 |
               std::uint64_t{1} << (32 + queue_.front().socket % 32);
    case FaultUnitRegister::invalidated: invalidated_interrupt_ = false; return invalidated_;
    case FaultUnitRegister::note_page: return notes_.empty() ? 0 : notes_.front().page;
    case FaultUnitRegister::note_info: return notes_.empty() ? 0 : notes_.front().socket | 1U << 17;
    default: throw std::logic_error("a register of the fault unit that the fake has not");
    }
}

void FakePlatform::write_fault_unit(FaultUnitRegister which, std::uint64_t value) {
    switch (which) {
    case FaultUnitRegister::control: control_ = value; break;
    case FaultUnitRegister::pop: pop(); break;
    case FaultUnitRegister::done:
        if (!where(value)) breach("done, but the page is not mapped");
        if (outstanding_.count(value) != 0)
            end_fault(value, done);
        else if (moved_.erase(value) == 0)
            breach("a completion of a page that neither waits nor has moved");
        break;
    case FaultUnitRegister::fail: end_fault(value, failed); break;
    case FaultUnitRegister::invalidate: invalidate(value); break;
    case FaultUnitRegister::note_pop:
        if (notes_.empty()) return breach("a pop of no note");
        notes_.pop_front();
        break;
    default: throw std::logic_error("a register of the fault unit that the fake has not");
    }
}

void FakePlatform::pop() {
    if (queue_.empty()) return breach("a pop of no fault");
    outstanding_.insert(queue_.front().page);
    queue_.pop_front();
}

void FakePlatform::end_fault(std::uint64_t page, std::vector<std::uint64_t>& list) {
    const auto one = outstanding_.find(page);
    if (one == outstanding_.end()) return breach("an end of a fault that is not outstanding");
    outstanding_.erase(one);
    moved_.erase(page);
    list.push_back(page);
}

void FakePlatform::invalidate(std::uint64_t page) {
    if (invalidating_) breach("two invalidations at once");
    const auto pte = walk(page);
    bool some = pte && (*pte & 4) != 0;
    if (pte && (*pte & 8) != 0)
        for (const std::uint64_t word : words(*pte)) some |= (word & 4) != 0;
    if (pte && *pte % 2 != 0 && !((*pte & 8) != 0 && some)) breach("an invalidation of a page whose entry is valid");
    if (!some) breach("an invalidation of a page whose entry does not say that it moves, and from where");
    moved_.insert(page);
    invalidating_ = page;
    ++invalidations;
    if (done_at_once) finish();
}

std::uint64_t FakePlatform::read_copy_engine(CopyEngineRegister which) {
    switch (which) {
    case CopyEngineRegister::status: return (command_ != 0 ? 1U : 0U) | (copy_refused_ ? 2U : 0U);
    case CopyEngineRegister::done_count: copy_interrupt_ = false; return copies + fills;
    default: throw std::logic_error("a register of the copy engine that the fake has not");
    }
}

void FakePlatform::write_copy_engine(CopyEngineRegister which, std::uint64_t value) {
    switch (which) {
    case CopyEngineRegister::source: source_ = value; break;
    case CopyEngineRegister::target: target_ = value; break;
    case CopyEngineRegister::bytes: bytes_ = value; break;
    case CopyEngineRegister::control: copy_control_ = value; break;
    case CopyEngineRegister::command: start(value); break;
    default: throw std::logic_error("a register of the copy engine that the fake has not");
    }
}

void FakePlatform::fill_table(std::uint64_t physical) {
    if (!in_tables(physical) || physical % 4096 != 0) return breach("a fill of 4 KiB that is no table page");
    if (tables_.count(physical) != 0) breach("a table page is cleared twice");
    tables_[physical] = TablePage{};
    cleared_.insert(physical);
}

void FakePlatform::start(std::uint64_t code) {
    if (command_ != 0) breach("a command while the copy engine is busy");
    const auto target = place_of(target_);
    const auto source = place_of(source_);
    copy_refused_ = refuse_pages && !in_tables(target_);
    if (copy_refused_) return;
    command_ = code;
    if (code == 2 && in_tables(target_) && bytes_ == 4096) {
        fill_table(target_);
    } else if (bytes_ != std::uint64_t{1} << setting_.page_shift || !target || (code == 1 && !source)) {
        breach("a command on something that is no page");
    } else if (code == 2) {
        ++fills;
        expect_quiet(*target, "fills", false);
        data_[*target] = 0;
    } else {
        ++copies;
        expect_quiet(*source, "copies", true);
        expect_quiet(*target, "copies to", false);
        data_[*target] = data_[*source];
    }
    if (done_at_once) finish();
}

} // namespace numavp::driver_test
