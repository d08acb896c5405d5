#include "models/memory/replay/streams.h"

namespace numavp {

namespace {
class LinearCongruential {
  public:
    explicit LinearCongruential(std::uint64_t seed) : x_(seed) {}
    std::uint64_t next() { return x_ = x_ * 6364136223846793005ULL + 1442695040888963407ULL; }

  private:
    std::uint64_t x_;
};
} // namespace

MemoryStream make_memory_stream(MemoryStreamKind kind, const MemoryDeviceConfig& device, std::uint64_t count) {
    const AddressDecoder map = device.decoder();
    const std::uint64_t blocks = map.capacity() / device.access_bytes;
    LinearCongruential random(kind == MemoryStreamKind::rand_rw50 ? 2 : 1);
    MemoryStream stream;
    stream.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t sequential = i % blocks * device.access_bytes;
        switch (kind) {
        case MemoryStreamKind::seq_r:
        case MemoryStreamKind::chase_seq: stream.push_back(sequential); break;
        case MemoryStreamKind::seq_w: stream.push_back(sequential | kStreamWrite); break;
        case MemoryStreamKind::seq_rw21: stream.push_back(sequential | (i % 3 == 2 ? kStreamWrite : 0)); break;
        case MemoryStreamKind::rand_r:
        case MemoryStreamKind::chase: stream.push_back((random.next() >> 33) % blocks * device.access_bytes); break;
        case MemoryStreamKind::rand_rw50: {
            const std::uint64_t address = (random.next() >> 33) % blocks * device.access_bytes;
            stream.push_back(address | (random.next() & kStreamWrite));
            break;
        }
        case MemoryStreamKind::rowstride_r:
            stream.push_back(map.encode({0, 0, static_cast<std::uint32_t>(i % map.rows()), 0}));
            break;
        }
    }
    return stream;
}

ReplayWindows stream_windows(MemoryStreamKind kind, const MemoryDeviceConfig& device) {
    const bool chase = kind == MemoryStreamKind::chase || kind == MemoryStreamKind::chase_seq;
    return {chase ? 1 : device.window_reads, device.window_writes};
}

} // namespace numavp
