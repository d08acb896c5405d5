/// Translation of a page, as a TLB entry holds it.
#pragma once

#include "models/paging/page_table.h"

namespace numavp {

/// Target of a socket's accesses to the page, and whether they may store.
struct Translation : PageEntry {
    bool read_only = false; ///< a store faults: the page has replicas, of which this may be one
};

} // namespace numavp
