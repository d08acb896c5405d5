/// Single parts of the hot path with Google Benchmark: where a change of one of them shows first.

#include <vector>

#include <benchmark/benchmark.h>
#include <systemc>

#include "base/stats/histogram.h"
#include "base/time/clockwork.h"
#include "base/values/rng.h"
#include "models/cache/pending_table.h"
#include "models/cache/tag_array.h"
#include "sw/work/coalesce.h"
#include "tlm-links/protocol/txn.h"

namespace numavp {
namespace {

constexpr std::uint64_t kKhz = 1'000'000;

/// Nodes that hang themselves on the wheel again, 5 to 125 cycles later.
class Hold final : public Handler {
  public:
    Hold(ClockDomain& domain, unsigned nodes) : domain_(domain), nodes_(nodes) {
        for (Node& n : nodes_) {
            n.handler = this;
            domain_.at(1 + rng_.below(125), n);
        }
    }
    void deliver(Node& node) override { domain_.at(domain_.now() + 5 + (rng_.next() % 121), node); }

  private:
    ClockDomain& domain_;
    Rng rng_{1};
    std::vector<Node> nodes_;
};

/// One elaboration a process: the wheel's bench uses this one.
ClockDomain* wheel_domain = nullptr;

void wheel(benchmark::State& state) {
    const std::uint64_t before = wheel_domain->deliveries();
    for (auto _ : state) sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
    state.SetItemsProcessed(static_cast<std::int64_t>(wheel_domain->deliveries() - before));
}
BENCHMARK(wheel);

/// An L2 slice's array: look up, else evict and install; the footprint is twice the capacity.
void tag_array(benchmark::State& state) {
    const auto ways = static_cast<unsigned>(state.range(0));
    constexpr unsigned kSets = 64;
    TagArray tags(kSets, ways, false);
    tags.set_local_ways(ways / 2);
    Rng rng(1);
    for (auto _ : state) {
        const std::uint64_t line = rng.below(std::uint64_t{2} * kSets * ways) << kLineShift;
        const int frame = tags.find(line);
        if (frame >= 0)
            tags.touch(static_cast<unsigned>(frame));
        else
            tags.install(static_cast<unsigned>(tags.victim(line, {(line & 128) != 0, false})), line, (line & 128) != 0,
                         SectorSet::all());
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(tag_array)->Arg(4)->Arg(16);

void pending_table(benchmark::State& state) {
    constexpr unsigned kEntries = 128;
    PendingTable table(kEntries);
    std::vector<std::uint64_t> lines;
    Rng rng(1);
    for (unsigned i = 0; i < kEntries; ++i) {
        lines.push_back(rng.next() & ~std::uint64_t{kLineBytes - 1});
        table.insert(lines.back(), i);
    }
    unsigned next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(table.find(lines[next]));
        table.erase(lines[next]);
        lines[next] = rng.next() & ~std::uint64_t{kLineBytes - 1};
        table.insert(lines[next], next);
        next = (next + 1) % kEntries;
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(pending_table);

void coalesce_affine(benchmark::State& state) {
    Inst inst;
    inst.op = Op::load;
    inst.stride = static_cast<std::int32_t>(state.range(0));
    LineAccess out[kMaxLinesPerInst];
    for (auto _ : state) {
        inst.base += 4096;
        benchmark::DoNotOptimize(coalesce(inst, out));
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(coalesce_affine)->ArgName("stride")->Arg(4)->Arg(128);

void coalesce_gather(benchmark::State& state) {
    std::vector<std::uint64_t> addresses(kWarpLanes);
    Rng rng(1);
    for (std::uint64_t& a : addresses) a = rng.below(1U << 26) * 4;
    Inst inst;
    inst.op = Op::load;
    inst.mode = AddressMode::list;
    inst.list = addresses.data();
    LineAccess out[kMaxLinesPerInst];
    for (auto _ : state) benchmark::DoNotOptimize(coalesce(inst, out));
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(coalesce_gather);

void histogram(benchmark::State& state) {
    Histogram h;
    Rng rng(1);
    for (auto _ : state) h.add(200'000 + rng.below(1'000'000));
    benchmark::DoNotOptimize(h.percentile(99));
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(histogram);

/// A record made and given back, with so many others in flight.
void pool(benchmark::State& state) {
    TxnPool records;
    std::vector<Txn*> ring(static_cast<std::size_t>(state.range(0)));
    for (Txn*& t : ring) t = &records.make(Kind::load, 0, ByteMask::full());
    std::size_t next = 0;
    for (auto _ : state) {
        ring[next]->release();
        ring[next] = &records.make(Kind::load, 128, ByteMask::full());
        next = next + 1 < ring.size() ? next + 1 : 0;
    }
    for (Txn* t : ring) t->release();
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(pool)->ArgName("in_flight")->Arg(1)->Arg(16384);

} // namespace
} // namespace numavp

int sc_main(int argc, char* argv[]) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    numavp::Clockwork clockwork("clockwork");
    numavp::wheel_domain = &clockwork.domain(numavp::kKhz);
    const numavp::Hold hold(*numavp::wheel_domain, 16384);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
