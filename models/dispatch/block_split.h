/// Names of the splits of thread blocks. Their code is declared in block_dispatch.h, which few sources include, so that
/// a change there recompiles few.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class BlockSplit : std::uint8_t { fine_grained, modulo, contiguous, contiguous_sms, stealing, persistent };

inline constexpr NameTable<BlockSplit> kBlockSplits{
    "thread-block split",
    {{BlockSplit::fine_grained, "fine_grained", "One queue for all SMs of all sockets, as on a single GPU."},
     {BlockSplit::modulo, "modulo", "Block b to socket b modulo sockets."},
     {BlockSplit::contiguous, "contiguous", "Equal contiguous ranges of blocks, one a socket."},
     {BlockSplit::contiguous_sms, "contiguous_sms",
      "Equal contiguous ranges of blocks, one an SM: neighbours meet in its L1."},
     {BlockSplit::stealing, "stealing",
      "Contiguous ranges, and a socket without blocks takes those that have not begun from the one that has most."},
     {BlockSplit::persistent, "persistent",
      "Block b to SM b modulo SMs, which are numbered over the sockets in turn: tiles of persistent blocks, a stride "
      "of the grid apart."}}};

} // namespace numavp
