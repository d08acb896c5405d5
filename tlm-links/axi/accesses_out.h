/// Set of open accesses; says whether another access has to wait for one of them. No SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace numavp {

struct Axi4Access;

/// For hundreds of accesses: a table of counts shows quickly that none touches an address, which is the usual case;
/// only otherwise all are searched.
class AccessesOut {
  public:
    bool empty() const { return out_.empty(); }
    /// True if an open access overlaps `access`, and not both read.
    bool must_wait(const Axi4Access& access) const;
    void add(Axi4Access& access);
    void remove(const Axi4Access& access);

  private:
    static constexpr unsigned kBlockBytes = 128;
    static constexpr unsigned kCounts = 1024;
    struct Out {
        Axi4Access* access;
        std::uint64_t begin, end; ///< its addresses
        bool write;
    };
    template <class F> static void each_count(std::uint64_t begin, std::uint64_t end, F f) {
        for (std::uint64_t b = begin / kBlockBytes; b <= (end - 1) / kBlockBytes; ++b) f(b % kCounts);
    }
    std::vector<Out> out_;
    std::array<std::uint32_t, kCounts> counts_{}; ///< accesses out that touch a block, by its number
};

} // namespace numavp
