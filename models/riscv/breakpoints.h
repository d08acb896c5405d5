/// Instruction addresses and data ranges at which a core stops for the debugger; code in memory is not patched.
#pragma once

#include <cstdint>
#include <vector>

namespace numavp {

enum class WatchKind : std::uint8_t { read, write, access };

struct Watchpoint {
    std::uint64_t address = 0, bytes = 0;
    WatchKind kind = WatchKind::access;
    bool operator==(const Watchpoint& o) const { return address == o.address && bytes == o.bytes && kind == o.kind; }
};

/// An access that touched a watchpoint.
struct WatchHit {
    Watchpoint watch;
    std::uint64_t address = 0; ///< of the access
    unsigned bytes = 0;
    bool write = false; ///< an AMO reads and writes; so does an SC, also one that fails
    bool read = false;
};

class Breakpoints {
  public:
    bool empty() const { return points_.empty() && watches_.empty(); }
    void add(std::uint64_t pc);    ///< once, however often it is added
    bool remove(std::uint64_t pc); ///< false if there was none
    bool at(std::uint64_t pc) const;
    void add(const Watchpoint& watch);
    bool remove(const Watchpoint& watch);
    bool watches() const { return !watches_.empty(); }
    /// True if an access touches a watchpoint, which is then stored in `access.watch`.
    bool touches(WatchHit& access) const;
    void clear();

  private:
    std::vector<std::uint64_t> points_; ///< sorted
    std::vector<Watchpoint> watches_;
};

} // namespace numavp
