/// Places of virtual pages, looked up in no time, for debug access and ideal translation.
///
/// Without a driver the placement policy places a page at its first touch; with a driver only the driver's page table
/// counts.
#pragma once

#include "models/mmu/fault_port.h"
#include "models/mmu/table_memory.h"

namespace numavp {

class AddressSpace {
  public:
    /// `table` is that of the driver; null: no driver places pages.
    AddressSpace(PageTable& pages, const RadixTable* table) : pages_(pages), table_(table) {}

    /// Finds a page's place. Without a driver an untouched one is placed for `toucher`. False: it has no place.
    bool look_up(std::uint64_t page, SocketId toucher, Translation& entry) const {
        if (table_ != nullptr) return table_->find(page, toucher, entry);
        bool failed = false;
        static_cast<PageEntry&>(entry) = pages_.entry(page, toucher, failed);
        return !failed;
    }
    /// Physical address of a virtual line (virtual byte address / 128), also if the driver has evicted its page to the
    /// host. False: the page has no place.
    bool translate(std::uint64_t virtual_line, SocketId toucher, PhysicalAddress& physical) const {
        Translation entry;
        const std::uint64_t page = pages_.page_of(virtual_line);
        if (!look_up(page, toucher, entry) && (table_ == nullptr || !table_->find_on_host(page, entry))) return false;
        physical = pages_.address(entry, virtual_line);
        return true;
    }

  private:
    PageTable& pages_;
    const RadixTable* table_;
};

/// Serves faults where there is no driver: gives the page a place and a table entry in no time.
class InstantPlacement final : public FaultSink {
  public:
    /// `fail` is called with a sentence if a page has no place.
    InstantPlacement(PageTable& pages, RadixTable& table, std::function<void(const std::string&)> fail)
        : pages_(pages), table_(table), fail_(std::move(fail)) {}
    /// Adds a socket's MMU; before the simulation starts, in the order of the sockets.
    void add_client(FaultClient& client) { clients_.push_back(&client); }

    bool fault(const PageFault& fault) override;
    void invalidated(SocketId, std::uint64_t) override {}
    void access_note(SocketId, std::uint64_t) override {}

  private:
    PageTable& pages_;
    RadixTable& table_;
    std::function<void(const std::string&)> fail_;
    std::vector<FaultClient*> clients_;
};

} // namespace numavp
