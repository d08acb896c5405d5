#include "bench/synthetic.h"

#include "base/values/rng.h"
#include "sw/loops/program.h"

namespace numavp {
namespace {

constexpr std::uint32_t kThreads = 256;
constexpr std::uint64_t kBase = std::uint64_t{1} << 30;
constexpr unsigned kWordBytes = 4;

struct RemoteShare {
    RemoteShareParameters p;

    class Warp final : public StepStream<Warp, 4> {
      public:
        Warp(const RemoteShare& program, std::uint64_t block, unsigned warp)
            : p_(program.p), socket_(block * p_.sockets / p_.blocks),
              rng_(p_.seed, block * (kThreads / kWarpLanes) + warp) {}
        void step(Emitter& e) {
            enum : std::uint8_t { r_first, r_second, r_sum };
            e.load(r_first, contiguous(address(), kWordBytes), {});
            e.load(r_second, contiguous(address(), kWordBytes), {});
            e.compute(r_sum, {r_first, r_second});
            done_ += 2;
            if (done_ >= p_.loads) e.exit();
        }

      private:
        std::uint64_t address() {
            std::uint64_t socket = socket_;
            if (rng_.below(100) < p_.remote_percent) socket = (socket + 1 + rng_.below(p_.sockets - 1)) % p_.sockets;
            const std::uint64_t page = rng_.below(p_.pages / p_.sockets) * p_.sockets + socket;
            return kBase + page * p_.page_bytes + rng_.below(p_.page_bytes / kLineBytes) * kLineBytes;
        }

        const RemoteShareParameters& p_;
        std::uint64_t socket_;
        Rng rng_;
        unsigned done_ = 0;
    };
};

struct SparseTriad {
    std::uint64_t array_bytes;
    std::uint64_t stride;

    class Warp final : public StepStream<Warp, 5> {
      public:
        Warp(const SparseTriad& program, std::uint64_t block, unsigned warp)
            : at_(kBase + (block * (kThreads / kWarpLanes) + warp) * program.stride), array_(program.array_bytes) {}
        void step(Emitter& e) {
            enum : std::uint8_t { r_b, r_c, r_a };
            e.load(r_b, contiguous(at_, kWordBytes), {});
            e.load(r_c, contiguous(at_ + array_, kWordBytes), {});
            e.compute(r_a, {r_b, r_c});
            e.store(contiguous(at_ + 2 * array_, kWordBytes), {r_a});
            e.exit();
        }

      private:
        std::uint64_t at_, array_;
    };
};

/// A workload of one kernel over one range.
template <class Program>
Workload workload_of(const char* name, std::uint64_t blocks, std::uint64_t bytes, const Program& program) {
    KernelShape shape;
    shape.name = name;
    shape.blocks = blocks;
    shape.threads = kThreads;
    Workload w;
    w.name = name;
    w.ranges.push_back({name, kBase, bytes});
    w.launches.emplace_back();
    w.launches.back().kernel = make_kernel(shape, program);
    return w;
}

} // namespace

Workload remote_share_workload(const RemoteShareParameters& p) {
    return workload_of("remote-share", p.blocks, p.pages * p.page_bytes, RemoteShare{p});
}

Workload sparse_triad_workload(std::uint64_t bytes, std::uint64_t stride) {
    const std::uint64_t warps = bytes / 3 / stride;
    return workload_of("sparse-triad", warps / (kThreads / kWarpLanes), bytes, SparseTriad{bytes / 3, stride});
}

} // namespace numavp
