/// What a TLB knows of a page.
#pragma once

#include "models/paging/page_table.h"

namespace numavp {

/// Where accesses of a socket to the page go, and whether they may store.
struct Translation : PageEntry {
    bool read_only = false; ///< a store faults: the page has replicas, of which this may be one
};

} // namespace numavp
