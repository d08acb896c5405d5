/// An all-reduce over the NVSwitch of a machine, against its closed form.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/communication/predict/graphs.h"

namespace numavp::test {
namespace {

/// The 8 parts of a value on each of 8 GPUs go round a ring, 7 turns to add them up and 7 to pass the sums on: in each
/// turn a GPU sends a part and gets one. Additions take no time.
TEST(NvSwitch, CarriesARingOfCopies) {
    constexpr unsigned kGpus = 8;
    constexpr std::uint64_t kPart = std::uint64_t{32} << 20;
    for (const auto& [name, nvlink] : {std::pair{"dgx-h100", 450.0}, std::pair{"dgx-a100", 300.0}}) {
        GraphBuilder builder;
        std::vector<unsigned> parts;
        for (unsigned gpu = 0; gpu < kGpus; ++gpu) parts.push_back(builder.value({true, gpu}, kPart, true));
        for (unsigned turn = 1; turn <= 2 * (kGpus - 1); ++turn)
            for (unsigned part = 0; part < kGpus; ++part)
                parts[part] = builder.copy(parts[part], {true, (part + turn) % kGpus});
        const HostMachine machine = load_host_machine(name, {}, "");
        const JoinedGraph joined = join_graph(builder.graph, machine, "g.json");
        const double ns = 2 * (kGpus - 1) * (10e3 + static_cast<double>(kPart) / (nvlink * 128 / 144));
        EXPECT_NEAR(simulate_graph(joined).ns, ns, 0.03 * ns) << name;
        EXPECT_NEAR(closed_form(joined).ns, ns, 0.03 * ns) << name;
        const std::vector<double> bytes = joined.link_bytes();
        for (unsigned link = 0; link < bytes.size(); ++link) {
            const TransferLink& one = machine.graph().links()[link];
            const double expected = one.kind == "nvlink" ? 2.0 * (kGpus - 1) * kPart * 144 / 128 : 0;
            EXPECT_NEAR(bytes[link], expected, 1) << name << " " << one.kind << " " << link;
        }
    }
}

} // namespace
} // namespace numavp::test
