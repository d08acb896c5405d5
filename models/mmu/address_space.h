/// Where virtual pages are, for whoever must know at once: debug access and ideal translation.
///
/// Two worlds, one answer: without a driver the placement decides at the first touch, with one only its page table
/// counts.
#pragma once

#include "models/mmu/fault_port.h"
#include "models/mmu/table_memory.h"

namespace numavp {

class AddressSpace {
  public:
    /// `table` null: no driver places pages.
    AddressSpace(PageTable& pages, const RadixTable* table) : pages_(pages), table_(table) {}

    /// Where the page is. Without a driver one that was never touched is placed for `toucher`. False: nowhere.
    bool look_up(std::uint64_t page, SocketId toucher, PageEntry& entry) const {
        if (table_ != nullptr) return table_->find(page, entry);
        bool failed = false;
        entry = pages_.entry(page, toucher, failed);
        return !failed;
    }
    /// Physical address of a virtual line (virtual byte address / 128), on the host too if a driver has sent the page
    /// there. False: nowhere.
    bool translate(std::uint64_t virtual_line, SocketId toucher, PhysicalAddress& physical) const {
        PageEntry entry;
        const std::uint64_t page = pages_.page_of(virtual_line);
        if (!look_up(page, toucher, entry) && (table_ == nullptr || !table_->find_on_host(page, entry))) return false;
        physical = pages_.address(entry, virtual_line);
        return true;
    }

  private:
    PageTable& pages_;
    const RadixTable* table_;
};

/// Serves faults where there is no driver: the page has its place and its table entry in no time.
class InstantPlacement final : public FaultSink {
  public:
    /// `fail` is told why a page has no place, in a sentence.
    InstantPlacement(PageTable& pages, RadixTable& table, std::function<void(const std::string&)> fail)
        : pages_(pages), table_(table), fail_(std::move(fail)) {}
    /// Before simulation starts, in the order of the sockets.
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
