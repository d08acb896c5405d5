/// Records of CUDA events in an export of Nsight Systems, and which of them a wait means.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <tuple>
#include <vector>

namespace numavp {

/// A stream: device, context, number.
using NsightStream = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

/// Records of events in the order of their calls. Since CUDA 12.8 a record and its waits have an id of their own;
/// before, the event has one, which each record of it has again.
class NsightEvents {
  public:
    struct Record {
        NsightStream stream;
        std::int64_t call = 0;
    };
    void add(std::int64_t sync, std::int64_t event, const Record& record) {
        if (sync >= 0) by_sync_[sync] = record;
        if (event >= 0) by_event_[event].push_back(record);
    }
    void sort() {
        for (auto& [event, records] : by_event_)
            std::stable_sort(records.begin(), records.end(),
                             [](const Record& a, const Record& b) { return a.call < b.call; });
    }
    /// Null if there is none; by event it is the last one before the call that waits.
    const Record* find(std::int64_t sync, std::int64_t event, std::int64_t call) const {
        if (sync >= 0)
            if (const auto found = by_sync_.find(sync); found != by_sync_.end()) return &found->second;
        const auto found = by_event_.find(event);
        if (found == by_event_.end() || (sync >= 0 && !by_sync_.empty())) return nullptr;
        const auto behind = std::lower_bound(found->second.begin(), found->second.end(), call,
                                             [](const Record& r, std::int64_t c) { return r.call < c; });
        return behind == found->second.begin() ? nullptr : &*std::prev(behind);
    }

  private:
    std::map<std::int64_t, Record> by_sync_;
    std::map<std::int64_t, std::vector<Record>> by_event_;
};

} // namespace numavp
