/// Named streams of requests with which memory controllers are commonly measured.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"
#include "models/memory/dram/device.h"
#include "models/memory/replay/replay.h"

namespace numavp {

enum class MemoryStreamKind : std::uint8_t { seq_r, seq_w, seq_rw21, rand_r, rand_rw50, rowstride_r, chase, chase_seq };

inline constexpr NameTable<MemoryStreamKind> kMemoryStreams{
    "stream",
    {{MemoryStreamKind::seq_r, "seq_r", "Sequential reads."},
     {MemoryStreamKind::seq_w, "seq_w", "Sequential writes."},
     {MemoryStreamKind::seq_rw21, "seq_rw21", "Sequential, two reads and a write in turn."},
     {MemoryStreamKind::rand_r, "rand_r", "Random reads."},
     {MemoryStreamKind::rand_rw50, "rand_rw50", "Random, half of them writes."},
     {MemoryStreamKind::rowstride_r, "rowstride_r", "Reads of one bank, each of the next row."},
     {MemoryStreamKind::chase, "chase", "Random reads, one outstanding."},
     {MemoryStreamKind::chase_seq, "chase_seq", "Sequential reads, one outstanding."}}};

/// `count` requests over the whole device. Random addresses are bits 33 up of x = 6364136223846793005 x +
/// 1442695040888963407 from x = 1, or 2 where a second draw's bit 63 gives the direction.
MemoryStream make_memory_stream(MemoryStreamKind kind, const MemoryDeviceConfig& device, std::uint64_t count);

/// Windows for a stream: those of the device, but one read at a time for pointer chases.
ReplayWindows stream_windows(MemoryStreamKind kind, const MemoryDeviceConfig& device);

} // namespace numavp
