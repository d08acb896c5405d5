#include "tlm-links/protocol/flat_memory.h"

#include <algorithm>
#include <cstring>

namespace numavp {

const FlatMemory::Page* FlatMemory::find(std::uint64_t page) const {
    if (page == recent_) return recent_page_;
    const auto it = pages_.find(page);
    if (it == pages_.end()) return nullptr;
    recent_ = page;
    recent_page_ = it->second.get();
    return recent_page_;
}

FlatMemory::Page& FlatMemory::touch(std::uint64_t page) {
    if (page == recent_) return *recent_page_;
    auto& held = pages_[page];
    if (!held) held = std::make_unique<Page>(); // zeroed
    recent_ = page;
    recent_page_ = held.get();
    return *held;
}

void FlatMemory::read(std::uint64_t address, unsigned char* out, std::size_t count) const {
    while (count) {
        const std::size_t offset = address % kPageBytes;
        const std::size_t part = std::min(count, kPageBytes - offset);
        if (const Page* page = find(address / kPageBytes))
            std::memcpy(out, page->data() + offset, part);
        else
            std::memset(out, 0, part);
        address += part;
        out += part;
        count -= part;
    }
}

void FlatMemory::write(std::uint64_t address, const unsigned char* in, std::size_t count) {
    while (count) {
        const std::size_t offset = address % kPageBytes;
        const std::size_t part = std::min(count, kPageBytes - offset);
        std::memcpy(touch(address / kPageBytes).data() + offset, in, part);
        address += part;
        in += part;
        count -= part;
    }
}

void FlatMemory::write(std::uint64_t line, const unsigned char* in, ByteMask mask) {
    if (mask.all()) return write(line, in, kLineBytes);
    for (unsigned i = 0; i < kLineBytes; ++i)
        if (mask.test(i)) write(line + i, in + i, 1U);
}

std::optional<std::uint64_t> FlatMemory::first_difference(const FlatMemory& other) const {
    static constexpr Page kZero{};
    std::optional<std::uint64_t> first;
    const auto compare = [&](std::uint64_t number, const Page& a, const Page* b) {
        const Page& against = b ? *b : kZero;
        const auto differing = std::mismatch(a.begin(), a.end(), against.begin()).first;
        if (differing == a.end()) return;
        const std::uint64_t address = number * kPageBytes + static_cast<std::uint64_t>(differing - a.begin());
        if (!first || address < *first) first = address;
    };
    for (const auto& [number, page] : pages_) compare(number, *page, other.find(number));
    for (const auto& [number, page] : other.pages_)
        if (!find(number)) compare(number, *page, nullptr);
    return first;
}

} // namespace numavp
