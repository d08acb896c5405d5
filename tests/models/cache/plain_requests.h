/// Requests to lines without records or ports, for the plain classes of a slice.
#pragma once

#include <deque>
#include <vector>

#include "models/cache/line_table.h"

namespace numavp::test {

struct PlainRequest {
    unsigned number = 0;
    LineRequest what;
};

/// A queue as LineTable needs it.
class PlainRequests {
  public:
    bool empty() const { return waiting_.empty(); }
    PlainRequest& front() const { return *waiting_.front(); }
    unsigned size() const { return static_cast<unsigned>(waiting_.size()); }
    void push(PlainRequest& request) { waiting_.push_back(&request); }
    PlainRequest& pop() {
        PlainRequest& first = *waiting_.front();
        waiting_.pop_front();
        return first;
    }

  private:
    std::deque<PlainRequest*> waiting_;
};
using PlainTable = LineTable<PlainRequests>;

inline LineRequest what_of(const PlainRequest& request) { return request.what; }
inline LineRequest reads(unsigned sectors) { return {LineRequest::Does::read, false, SectorSet(sectors)}; }
inline LineRequest writes(unsigned sectors) { return {LineRequest::Does::write, false, SectorSet(sectors)}; }
inline LineRequest adds(unsigned sectors) { return {LineRequest::Does::atomic, false, SectorSet(sectors)}; }
inline LineRequest passed_on(LineRequest request) {
    request.passed_on = true;
    return request;
}

/// Byte address of the n-th line.
constexpr std::uint64_t line_at(unsigned n) { return std::uint64_t{n} * kLineBytes; }

/// A slice of one set with 1, 2, 4 or 8 ways.
inline L2Config one_set(unsigned ways, unsigned entries = 8) {
    L2Config config;
    config.size_kib = 1;
    config.slices = 8 / ways;
    config.ways = ways;
    config.entries = entries;
    config.reserved_home_entries = 2;
    return config;
}

} // namespace numavp::test
