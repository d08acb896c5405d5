/// Runs every kernel of kernels.h once, in their order, for a profiler to count; with `--times FILE` measures them by
/// events instead, with a cold L2, and writes seconds by name.
#include <cstring>

#include "gpu_check.h"
#include "gpu_machine.h"

namespace numavp::device {
namespace {

/// Writes the pointers that a chase follows.
template <Chain C, unsigned Steps> void prepare(const Chase<C, Steps>&, const Arrays& arrays) {
    for (unsigned i = Steps; i-- > 0;) {
        const std::uint64_t next = arrays.base[0] + chain_offset(C, i + 1);
        check(cudaMemcpy(reinterpret_cast<void*>(arrays.base[0] + chain_offset(C, i)), &next, sizeof next,
                         cudaMemcpyHostToDevice),
              "chain");
    }
}
template <class Body> void prepare(const Body&, const Arrays&) {}

int run(int argc, char** argv) {
    const bool times = argc == 3 && std::strcmp(argv[1], "--times") == 0;
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "device");
    DeviceBytes memory(3 * kArrayBytes), never(256), flush(kFlushBytes);
    check(cudaMemset(memory.as(), 0x3d, 3 * kArrayBytes), "memory");
    check(cudaMemset(flush.as(), 1, kFlushBytes), "memory");
    const Arrays arrays{{memory.address(), memory.address() + kArrayBytes, memory.address() + 2 * kArrayBytes},
                        {1.0F, 1.1F, 1.2F, 1.3F, 1.4F, 1.5F, 1.6F, 1.7F},
                        never.as<float>()};
    Measured* measured = times ? new Measured(argv[2]) : nullptr;
    for_each_kernel(
        [&](const char* name, auto body, unsigned blocks, unsigned warps, unsigned shared) {
            prepare(body, arrays);
            const auto launch = [&] { run_body<<<blocks, warps * kLanes, shared>>>(body, arrays); };
            if (!times) {
                std::printf("%s\n", name);
                launch();
                check_launch(name);
                return;
            }
            measured->number(name, seconds_of(launch, [&] {
                                 flush_l2<<<264, 1024>>>(flush.address(), never.as<unsigned>());
                                 check(cudaDeviceSynchronize(), "flush");
                             }));
        },
        static_cast<unsigned>(properties.multiProcessorCount));
    delete measured;
    return 0;
}

} // namespace
} // namespace numavp::device

int main(int argc, char** argv) { return numavp::device::run(argc, argv); }
