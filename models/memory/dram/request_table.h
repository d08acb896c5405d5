/// Queued requests of a memory controller: for each bank, reads and writes separately in the order of their age.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/values/types.h"
#include "models/memory/dram/scheduler/bank_requests.h"

namespace numavp {

class RequestTable {
  public:
    struct Request {
        Cycle accepted = 0;
        std::uint64_t age = 0; ///< number of its acceptance
        std::uint32_t row = 0;
        std::uint32_t tag = 0; ///< mark of the owner, which comes back with the response
        MemorySlot next = kNoSlot, previous = kNoSlot;
        std::uint8_t bank = 0;
    };

    /// Room for `depth` reads and as many writes.
    RequestTable(unsigned banks, unsigned depth);

    const Request& operator[](MemorySlot slot) const { return requests_[slot]; }
    const BankRequests& list(unsigned bank, unsigned direction) const { return lists_[bank].of[direction].view; }
    unsigned size(unsigned direction) const { return sizes_[direction]; }

    /// Adds a request; `open_row` is the bank's open row, null if it is closed.
    void add(const Request& request, unsigned direction, const std::uint32_t* open_row);
    /// Removes a request whose column command was issued, in the open row.
    void remove(MemorySlot slot, unsigned direction);
    /// Tells that the bank's open row is now `row`, or that it is closed.
    void opened(unsigned bank, std::uint32_t row);
    void closed(unsigned bank);

  private:
    struct List {
        BankRequests view;
        MemorySlot youngest = kNoSlot;
    };
    struct Lists {
        std::array<List, 2> of;
    };
    MemorySlot next_hit(MemorySlot from, std::uint32_t row) const {
        while (from != kNoSlot && requests_[from].row != row) from = requests_[from].next;
        return from;
    }

    std::vector<Request> requests_;
    std::vector<MemorySlot> free_;
    std::vector<Lists> lists_;
    std::array<unsigned, 2> sizes_{};
};

} // namespace numavp
