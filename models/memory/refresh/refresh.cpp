#include "models/memory/refresh/refresh.h"

#include "models/base/error.h"
#include "models/memory/refresh/all_bank_refresh.h"
#include "models/memory/refresh/no_refresh.h"

namespace numavp {

std::unique_ptr<Refresh> make_refresh(RefreshKind kind, const DramTiming& timing, Cycle first) {
    switch (kind) {
    case RefreshKind::none: return std::make_unique<NoRefresh>();
    case RefreshKind::all_bank: return std::make_unique<AllBankRefresh>(timing.refi, first);
    }
    throw ModelError("no such refresh");
}

} // namespace numavp
