#include "models/mmu/address_space.h"

#include <string>

namespace numavp {

bool InstantPlacement::fault(const PageFault& fault) {
    bool failed = false;
    const PageEntry entry = pages_.entry(fault.page, fault.socket, failed);
    if (failed) {
        fail_(pages_.failure_sentence());
        return true; // the simulation ends
    }
    if (!table_.map(fault.page, entry.first_line << kLineShift)) {
        fail_("the page table has no room: " + std::to_string(table_.region().pages()) + " table pages of 4 KiB for " +
              std::to_string(pages_.pages()) + " pages are used");
        return true;
    }
    clients_[fault.socket.value]->resolved(fault.page);
    return true;
}

} // namespace numavp
