/// Measures managed memory: page faults of a GPU, and prefetches, over 64 MiB.
///
/// usage: faults FILE     writes a flat JSON object; times in microseconds, bandwidths in 10^9 bytes a second
#include "gpu_check.h"

namespace numavp::device {
namespace {

constexpr std::size_t kBytes = 64U << 20;

/// One thread reads a word every `stride` bytes and notes the nanoseconds of each read.
__global__ void touch_in_turn(volatile unsigned* words, unsigned stride, unsigned reads, unsigned* ns) {
    for (unsigned i = 0; i < reads; ++i) {
        std::uint64_t begin, end;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
        if (words[static_cast<std::size_t>(i) * stride / 4] == 77) asm volatile("trap;"); // waits for the value
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
        ns[i] = static_cast<unsigned>(end - begin);
    }
}
/// All threads read a word of each 16 bytes.
__global__ void touch_all(const uint4* words, std::size_t count, unsigned* out) {
    unsigned sum = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum |= words[i].x;
    if (sum == 77) *out = sum;
}

int run(const char* path) {
    Measured m(path);
    int concurrent = 0;
    check(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0), "device");
    m.number("concurrent_managed_access", concurrent);
    if (concurrent == 0) return 0; // nothing faults on such a machine
    unsigned* words = nullptr;
    check(cudaMallocManaged(&words, kBytes), "managed memory");
    const DeviceBytes out(1U << 20);
    const auto on_host = [&] { std::fill_n(words, kBytes / 4, 1U); };
    cudaMemLocation device{};
    device.type = cudaMemLocationTypeDevice;
    device.id = 0;
    const auto on_device = [&] {
        check(cudaMemPrefetchAsync(words, kBytes, device, 0), "prefetch");
        check(cudaDeviceSynchronize(), "prefetch");
    };

    for (unsigned kib : {4U, 64U, 2048U}) {
        const auto reads = static_cast<unsigned>(std::min<std::size_t>(kBytes / (kib * 1024), 512));
        on_host();
        touch_in_turn<<<1, 1>>>(words, kib * 1024, reads, out.as<unsigned>());
        check_launch("faults in turn");
        std::vector<unsigned> ns(reads);
        check(cudaMemcpy(ns.data(), out.as(), reads * 4, cudaMemcpyDeviceToHost), "result");
        std::sort(ns.begin(), ns.end());
        const std::string stride = std::to_string(kib) + "KiB";
        unsigned slow = 0;
        double sum = 0;
        for (unsigned n : ns) {
            slow += n > 5000 ? 1U : 0U;
            sum += n;
        }
        m.number("fault_us.in_turn." + stride + ".median", ns[reads / 2] / 1e3);
        m.number("fault_us.in_turn." + stride + ".p90", ns[reads * 9 / 10] / 1e3);
        m.number("fault_us.in_turn." + stride + ".max", ns[reads - 1] / 1e3);
        m.number("fault_us.in_turn." + stride + ".mean", sum / reads / 1e3);
        m.number("fault_us.in_turn." + stride + ".share_of_reads_over_5us", static_cast<double>(slow) / reads);
    }
    m.number(
        "fault_gbytes_per_s.all_threads",
        kBytes / 1e9 /
            seconds_of(
                [&] { touch_all<<<264, 1024>>>(reinterpret_cast<uint4*>(words), kBytes / 16, out.as<unsigned>()); },
                on_host, 5));
    m.number("prefetch_gbytes_per_s.to_device",
             kBytes / 1e9 /
                 seconds_of([&] { check(cudaMemPrefetchAsync(words, kBytes, device, 0), "prefetch"); }, on_host, 5));
    cudaMemLocation host{};
    host.type = cudaMemLocationTypeHost;
    m.number("prefetch_gbytes_per_s.to_host",
             kBytes / 1e9 /
                 seconds_of([&] { check(cudaMemPrefetchAsync(words, kBytes, host, 0), "prefetch"); }, on_device, 5));
    cudaFree(words);
    return 0;
}

} // namespace
} // namespace numavp::device

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: faults FILE\n");
        return 2;
    }
    return numavp::device::run(argv[1]);
}
