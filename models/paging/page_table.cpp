#include "models/paging/page_table.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/time/team.h"
#include "base/values/error.h"
#include "models/paging/multicast_map.h"
#include "models/paging/page_placement.h"

namespace numavp {

namespace {

constexpr std::uint64_t kSmallestPage = 4'096;
constexpr std::uint64_t kLargestPage = 2'097'152;

bool power_of_two(std::uint64_t v) { return v != 0 && (v & (v - 1)) == 0; }

} // namespace

std::string PageTableParams::check() const {
    std::ostringstream s;
    if (memories < 1 || memories > kMaxSockets)
        s << memories << " memories; allowed are 1 to " << kMaxSockets;
    else if (!power_of_two(page_bytes) || page_bytes < kSmallestPage || page_bytes > kLargestPage)
        s << "a page of " << page_bytes << " B; allowed are powers of two from " << kSmallestPage << " to "
          << kLargestPage;
    else if (address_bits < 32 || address_bits > 64)
        s << "addresses of " << address_bits << " bits; allowed are 32 to 64";
    else if (capacity_bytes < page_bytes || capacity_bytes > (std::uint64_t{1} << 56))
        s << "a socket's memory of " << capacity_bytes << " B; allowed are a page of " << page_bytes << " B to 2^56 B";
    else if (reserved_bytes % page_bytes != 0 || reserved_bytes >= capacity_bytes)
        s << reserved_bytes << " B reserved in a socket's memory of " << capacity_bytes
          << " B; allowed are whole pages of " << page_bytes << " B, less than the memory";
    else if (!own_bytes.empty() && own_bytes.size() != memories)
        s << own_bytes.size() << " sizes of " << memories << " memories; one each is allowed";
    else if (!own_bytes.empty() && *std::min_element(own_bytes.begin(), own_bytes.end()) < reserved_bytes + page_bytes)
        s << "a memory of " << *std::min_element(own_bytes.begin(), own_bytes.end()) << " B, of which "
          << reserved_bytes << " B are reserved; a page of " << page_bytes << " B beside them is allowed";
    else if (!own_bytes.empty() && *std::max_element(own_bytes.begin(), own_bytes.end()) > capacity_bytes)
        s << "a memory of " << *std::max_element(own_bytes.begin(), own_bytes.end())
          << " B; the largest is said to have " << capacity_bytes;
    else if (const unsigned bits = AddressLayout(memories, capacity_bytes).address_bits(); bits > address_bits)
        s << memories << " memories of " << capacity_bytes << " B need addresses of " << bits
          << " bits; the system has " << address_bits;
    return s.str();
}

PageTable::PageTable(const PageTableParams& params, PagePlacement& placement)
    : params_(params), layout_(params.memories, params.capacity_bytes), placement_(placement),
      interleaves_(placement.interleaves_lines()), permutes_(placement.row_lines() != 0),
      rows_(params.memories, std::max(1U, placement.row_lines())),
      page_line_bits_(bits_for(params.page_bytes / kLineBytes)), line_mask_(params.page_bytes / kLineBytes - 1) {
    if (const std::string wrong = params.check(); !wrong.empty()) throw ConfigError(wrong);
    use_.pages.assign(params.memories, 0);
    if (permutes_ && (!power_of_two(params.memories) || !power_of_two(placement.row_lines())))
        throw ConfigError("rows are permuted over a power of two of memories, in powers of two of lines; another "
                          "placement is allowed");
    if (interleaves_ && !params.own_bytes.empty())
        throw ConfigError("lines go round memories of one size; another placement is allowed");
    use_.capacity_pages = (params.capacity_bytes - params.reserved_bytes) / params.page_bytes;
    for (const std::uint64_t bytes : params.own_bytes)
        use_.own_capacity.push_back((bytes - params.reserved_bytes) / params.page_bytes);
}

PageEntry PageTable::touch(std::uint64_t virtual_page, SocketId toucher, bool& failed) {
    PageEntry entry;
    if (!frame_for(virtual_page, toucher, entry)) {
        failed = true;
        return entry;
    }
    slots_.insert(virtual_page, toucher_of(toucher), entry);
    return entry;
}

/// First touches come in the order of touchers, as with one worker.
PageEntry PageTable::entry_in_turn(std::uint64_t virtual_page, SocketId toucher, bool& failed) {
    PageSlots& seen = views_[toucher.value];
    if (const PageSlots::Slot* const slot = seen.find(virtual_page)) return slot->entry;
    Team::await_turn();
    bool none = false;
    const PageEntry entry = look_up(virtual_page, toucher, none);
    if (none)
        failed = true;
    else
        seen.insert(virtual_page, 0, entry);
    return entry;
}

/// Memory near a socket with the fewest pages, the first among equals; a full one only if all are full.
MemoryId PageTable::near_memory(SocketId toucher) const {
    if (params_.near.empty()) return own_memory(toucher);
    const std::vector<MemoryId>& near = params_.near[toucher.value];
    return *std::min_element(near.begin(), near.end(), [this](MemoryId a, MemoryId b) {
        return std::pair(use_.full(a), use_.pages[a.value]) < std::pair(use_.full(b), use_.pages[b.value]);
    });
}

bool PageTable::frame_for(std::uint64_t virtual_page, SocketId toucher, PageEntry& entry) {
    const unsigned page_shift = page_line_bits_ + kLineShift;
    if (params_.address_bits < 64 && (virtual_page >> (params_.address_bits - page_shift)) != 0)
        return fail(PageFailure::address_too_wide, virtual_page);
    if (multicast_ != nullptr)
        if (const std::optional<PageEntry> place = multicast_->place(virtual_page)) {
            entry = *place;
            return true;
        }
    if (interleaves_) {
        // Whole memory's capacity: all lines are used, also where a memory's lines are no multiple of a page.
        const std::uint64_t lines = (params_.capacity_bytes - params_.reserved_bytes) / kLineBytes * params_.memories;
        if (((pages() + 1) << page_line_bits_) > lines) return fail(PageFailure::memories_full, virtual_page);
        entry.first_line = pages() << page_line_bits_;
        return true;
    }
    const std::optional<MemoryId> memory = placement_.place(virtual_page, near_memory(toucher), use_);
    if (!memory) return fail(PageFailure::memories_full, virtual_page);
    if (memory->value >= params_.memories || use_.full(*memory))
        throw ModelError("a page placement answered a memory that is full or does not exist");
    const std::uint64_t frame = use_.pages[memory->value]++;
    entry.first_line = layout_.address(*memory, frame << page_shift) >> kLineShift;
    return true;
}

bool PageTable::fail(PageFailure failure, std::uint64_t virtual_page) {
    if (failure_ != PageFailure::none) return false;
    failure_ = failure;
    std::ostringstream s;
    s << "the page at virtual address 0x" << std::hex << virtual_page * params_.page_bytes << std::dec;
    if (failure == PageFailure::address_too_wide)
        s << " is beyond the system's " << params_.address_bits << "-bit addresses";
    else
        s << " has no place: " << why_full();
    failure_sentence_ = s.str();
    return false;
}

std::string PageTable::why_full() const {
    std::ostringstream s;
    bool room = false;
    for (std::size_t m = 0; m < use_.pages.size(); ++m) room |= !use_.full(MemoryId(m));
    const std::uint64_t bytes = params_.capacity_bytes - params_.reserved_bytes;
    if (!interleaves_ && room) {
        s << "the memories that it may lie in are full, with " << bytes << " B "
          << (params_.own_bytes.empty() ? "each" : "at most");
    } else {
        s << pages() << " pages of " << params_.page_bytes << " B fill all " << params_.memories << " memories of ";
        if (!params_.own_bytes.empty()) s << "up to ";
        s << bytes << " B";
    }
    return s.str();
}

std::uint64_t PageTable::allocated_bytes(MemoryId memory) const {
    if (!interleaves_) return use_.pages[memory.value] * params_.page_bytes;
    const std::uint64_t lines = pages() << page_line_bits_;
    if (permutes_) return rows_.lines_below(lines, memory) * kLineBytes;
    return (lines + params_.memories - 1 - memory.value) / params_.memories * kLineBytes;
}

} // namespace numavp
