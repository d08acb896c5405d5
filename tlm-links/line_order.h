/// Which lines are out, so that accesses to one line keep their order where what is below may reorder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace numavp {

/// A short list (tens): searched, not hashed.
class LineOrder {
  public:
    /// Whether an access to `line` has to wait for one that is out: unless both only read.
    bool must_wait(std::uint64_t line, bool writes) const {
        return std::any_of(out_.begin(), out_.end(),
                           [&](const Out& o) { return o.line == line && (writes || o.writes); });
    }
    void add(std::uint64_t line, bool writes) { out_.push_back({line, writes}); }
    /// One access to `line` of this sort is back.
    void remove(std::uint64_t line, bool writes) {
        const auto it =
            std::find_if(out_.begin(), out_.end(), [&](const Out& o) { return o.line == line && o.writes == writes; });
        *it = out_.back();
        out_.pop_back();
    }
    std::size_t size() const { return out_.size(); }

  private:
    struct Out {
        std::uint64_t line;
        bool writes;
    };
    std::vector<Out> out_;
};

} // namespace numavp
