/// A sparse memory of bytes without time: the reference of functional runs and the store behind channels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/values/types.h"

namespace numavp {

/// Bytes that were never written read as zero. Accesses may lie anywhere and cross pages.
class FlatMemory {
  public:
    void read(std::uint64_t address, unsigned char* out, std::size_t count) const;
    void write(std::uint64_t address, const unsigned char* in, std::size_t count);
    /// Writes the bytes of `mask` of the line at `line`; `in` is a whole line.
    void write(std::uint64_t line, const unsigned char* in, ByteMask mask);

    /// Lowest address at which the two memories differ; none if they are equal.
    std::optional<std::uint64_t> first_difference(const FlatMemory& other) const;
    /// Host memory that is allocated for it.
    std::size_t bytes_held() const { return pages_.size() * kPageBytes; }

  private:
    static constexpr std::size_t kPageBytes = 4096;
    using Page = std::array<unsigned char, kPageBytes>;

    const Page* find(std::uint64_t page) const;
    Page& touch(std::uint64_t page);

    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    mutable std::uint64_t recent_ = kNever; ///< the page of `recent_page_`
    mutable Page* recent_page_ = nullptr;
};

} // namespace numavp
