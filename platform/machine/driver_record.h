/// Record of a driver's work in a form in which two executions can be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fault_server/device_map.h"
#include "models/mmu/table_memory.h"

namespace numavp {

/// A mapped page, as in the page table.
struct MappedPage {
    std::uint64_t page = 0;
    TableWord leaf;
    std::vector<TableWord> words{}; ///< of the sockets, if the page has replicas
    TableWord home() const {
        for (const TableWord word : words)
            if (!word.replicated()) return word;
        return leaf;
    }
};

struct DriverRecord {
    std::uint64_t page_table_digest = 0; ///< of page, entry, words of its replicas, in the order of pages
    std::uint64_t homes_digest = 0;      ///< of page, memory
    std::uint64_t device_writes = 0, device_write_digest = 0;
};
/// Makes the record; `pages` must be in ascending order.
DriverRecord record_of(const std::vector<MappedPage>& pages, unsigned socket_shift, const DeviceMap& devices);

} // namespace numavp
