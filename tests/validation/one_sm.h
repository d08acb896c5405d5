/// One SM and instructions for it, for closed forms: N more instructions take N times what one takes.
#pragma once

#include <functional>

#include "platform/machine/system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {

using nlohmann::json;

/// One SM, no launch latency, a checker on every wire.
inline SystemConfig one_sm() {
    SystemConfig c;
    c.sockets = 1;
    c.socket.sms = 1;
    c.dispatch.launch_cycles = 0;
    c.checks.protocol = true;
    return c;
}

/// Statistics of a run of one block of `warps`, and its cycles.
inline json run_block(const SystemConfig& config, unsigned warps, const CodeOf& code, std::uint64_t blocks = 1) {
    return run_apart([&] {
        System system(config, hand_workload({hand_launch("code", blocks, warps, code)}));
        system.run();
        json values = system.stats().values();
        values["cycles"] = kernel_cycles(system, "code");
        return values;
    });
}

using Body = std::function<void(WarpCode&)>;

/// Cycles that a repetition of `body` takes when each of `warps` has many.
inline double cycles_each(const SystemConfig& config, unsigned warps, const Body& body) {
    constexpr unsigned kFew = 100, kMany = 300;
    const auto cycles = [&](unsigned n) {
        return run_block(config, warps,
                         [&](std::uint64_t, unsigned) {
                             WarpCode code;
                             for (unsigned i = 0; i < n; ++i) body(code);
                             return code;
                         })["cycles"]
            .get<std::uint64_t>();
    };
    return static_cast<double>(cycles(kMany) - cycles(kFew)) / (kMany - kFew);
}

inline Inst arithmetic(ExecutionUnit unit, std::uint8_t dst = kNoReg, std::uint8_t src = kNoReg) {
    Inst inst;
    inst.unit = unit;
    inst.dst = dst;
    inst.src[0] = src;
    return inst;
}
/// 32 lanes, `stride` bytes apart.
inline Inst shared_memory(std::int32_t stride, std::uint8_t dst = kNoReg, std::uint8_t src = kNoReg) {
    Inst inst = memory_inst(Op::shared, 0, dst, src);
    inst.stride = stride;
    return inst;
}

} // namespace numavp::test
