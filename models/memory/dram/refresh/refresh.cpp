#include "models/memory/dram/refresh/refresh.h"

#include "base/values/error.h"
#include "models/memory/dram/refresh/all_bank_refresh.h"
#include "models/memory/dram/refresh/no_refresh.h"
#include "models/memory/dram/refresh/per_bank_refresh.h"

namespace numavp {

std::unique_ptr<Refresh> make_refresh(RefreshKind kind, const DramTiming& timing, Cycle first, unsigned banks) {
    switch (kind) {
    case RefreshKind::none: return std::make_unique<NoRefresh>();
    case RefreshKind::all_bank: return std::make_unique<AllBankRefresh>(timing.refi, first);
    case RefreshKind::per_bank: return std::make_unique<PerBankRefresh>(timing.refi, first, banks);
    }
    throw ModelError("no such refresh");
}

} // namespace numavp
