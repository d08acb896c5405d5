/// Measures a GPU part by part: latency by level, bandwidth, execution units, banks, atomics, launches, copies.
///
/// usage: characterise FILE     writes a flat JSON object: cycles are of the SM's clock, GB are 10^9 bytes
#include "gpu_check.h"

namespace numavp::device {
namespace {

// --- latency -------------------------------------------------------------------------------------------------------

/// A chain through all of `lines` lines of 128 bytes, near ones far apart: a linear congruential generator of full
/// period, for numbers of lines whose prime factors are 2, 3, 5 and 7.
__global__ void build_chain(std::uint64_t base, std::uint64_t lines) {
    for (std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += gridDim.x * blockDim.x) {
        const std::uint64_t next = (i * 423781ULL + 1013904223ULL) % lines;
        *reinterpret_cast<std::uint64_t*>(base + i * 128) = base + next * 128;
    }
}
template <bool PastL1> __device__ std::uint64_t follow(std::uint64_t p) {
    std::uint64_t next;
    if (PastL1)
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(p));
    else
        asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(p));
    return next;
}
template <bool PastL1> __global__ void chase(std::uint64_t p, unsigned warm, unsigned steps, std::uint64_t* out) {
    for (unsigned i = 0; i < warm; ++i) p = follow<PastL1>(p);
    const long long begin = clock64();
#pragma unroll 16
    for (unsigned i = 0; i < steps; ++i) p = follow<PastL1>(p);
    out[1] = p;
    out[0] = clock64() - begin;
}
constexpr std::uint64_t kAfterChain = 4ULL << 30; ///< where memory holds no chain

template <bool PastL1> void latencies(Measured& m, const DeviceBytes& memory, const DeviceBytes& out) {
    const char* name = PastL1 ? "latency_past_l1_cycles." : "latency_cycles.";
    const unsigned kib[] = {16,    32,    64,    96,    128,    160,    192,    210,     224,     240,    256,   320,
                            512,   1024,  2048,  4096,  8192,   12288,  16384,  20480,   24576,   28672,  32768, 40960,
                            49152, 57344, 65536, 98304, 131072, 262144, 524288, 1048576, 2097152, 4194304};
    for (unsigned k : kib) {
        if (PastL1 && k < 512) continue;
        const std::uint64_t lines = k * 1024ULL / 128;
        build_chain<<<1024, 256>>>(memory.address(), lines);
        flush_l2<<<264, 1024>>>(memory.address() + kAfterChain, out.as<unsigned>()); // none of the chain is left there
        // Whole laps while they may fit the L2; beyond, a part of one.
        const auto warm = static_cast<unsigned>(std::min<std::uint64_t>(lines, k <= 98304 ? lines : 20000));
        const auto steps = static_cast<unsigned>(std::max<std::uint64_t>(k <= 98304 ? lines : 16384, 2048));
        chase<PastL1><<<1, 1>>>(memory.address(), warm, steps, out.as<std::uint64_t>());
        check_launch("chase");
        std::uint64_t cycles = 0;
        check(cudaMemcpy(&cycles, out.as(), 8, cudaMemcpyDeviceToHost), "result");
        m.number(name + std::to_string(k) + "KiB", static_cast<double>(cycles) / steps);
    }
}

/// Waits for a value: a branch depends on it.
__device__ void wait_for(std::uint64_t v) {
    if (v == 1) asm volatile("trap;");
}
/// One SM reads lines, another reads them once more and notes the cycles of each; `out[lines]` is its number.
__global__ void read_lines(std::uint64_t base, unsigned lines, unsigned sm, unsigned* out) {
    unsigned own;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(own));
    if (own != sm) return;
    out[lines] = own;
    for (unsigned i = 0; i < lines; ++i) {
        const long long begin = clock64();
        wait_for(follow<true>(base + i * 128ULL));
        out[i] = static_cast<unsigned>(clock64() - begin);
    }
}
/// What an SM sees of lines that another SM brought into the L2, by the distance of the two.
void l2_hits_by_line(Measured& m, const DeviceBytes& memory, const DeviceBytes& out, unsigned sms) {
    constexpr unsigned kLines = 4096; // 512 KiB
    unsigned shift = 0;
    for (unsigned reader = 0; reader < sms; reader += 3) {
        const std::uint64_t base = memory.address() + (shift++ << 22); // lines that no one has read
        read_lines<<<sms, 1>>>(base, kLines, 0, out.as<unsigned>());
        read_lines<<<sms, 1>>>(base, kLines, reader, out.as<unsigned>());
        check_launch("hits by line");
        std::vector<unsigned> cycles(kLines + 1);
        check(cudaMemcpy(cycles.data(), out.as(), (kLines + 1) * 4, cudaMemcpyDeviceToHost), "result");
        if (cycles.back() != reader) continue; // it got no block
        cycles.pop_back();
        std::sort(cycles.begin(), cycles.end());
        for (unsigned percent : {1U, 25U, 50U, 75U, 99U})
            m.number("l2_hit_of_sm0_lines_cycles.sm" + std::to_string(reader) + ".p" + std::to_string(percent),
                     cycles[kLines * percent / 100]);
    }
}

/// Spreads numbers.
__device__ std::uint32_t mix(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7feb352dU;
    x = (x ^ (x >> 15)) * 0x846ca68bU;
    return x ^ (x >> 16);
}
/// Reads lines all over 4 GiB one at a time, and notes the cycles of each.
__global__ void cold_lines(std::uint64_t base, unsigned count, unsigned seed, unsigned* out) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t line = base + mix(i + seed) % (1U << 25) * 128ULL;
        const long long begin = clock64();
        wait_for(follow<true>(line));
        out[i] = static_cast<unsigned>(clock64() - begin);
    }
}
/// How often a line from memory takes so many cycles: refreshes are the tail.
void cold_latencies(Measured& m, const DeviceBytes& memory, const DeviceBytes& out) {
    constexpr unsigned kCount = 100000, kBin = 10;
    check(cudaMemset(memory.as(), 0, 8ULL << 30), "memory");
    std::vector<unsigned> cycles(kCount), of_bin;
    for (unsigned repeat = 0; repeat < 8; ++repeat) {
        flush_l2<<<264, 1024>>>(memory.address() + kAfterChain, out.as<unsigned>());
        cold_lines<<<1, 1>>>(memory.address(), kCount, repeat * 1000003, out.as<unsigned>());
        check_launch("cold lines");
        check(cudaMemcpy(cycles.data(), out.as(), kCount * 4, cudaMemcpyDeviceToHost), "result");
        for (const unsigned c : cycles) {
            if (c / kBin >= of_bin.size()) of_bin.resize(c / kBin + 1);
            ++of_bin[c / kBin];
        }
    }
    std::string text;
    for (std::size_t bin = 0; bin < of_bin.size(); ++bin)
        if (of_bin[bin] != 0)
            text += (text.empty() ? "" : " ") + std::to_string(bin * kBin) + ":" + std::to_string(of_bin[bin]);
    m.word("cold_line_cycles.of_800000_by_10", text);
}

/// A launch's arguments, 64 bytes apart: how long the first read of each takes, and the second.
struct Many {
    unsigned long long values[64];
};
__global__ void read_arguments(Many many, unsigned long long nothing, std::uint64_t* out) {
    std::uint64_t cycles[16];
    unsigned long long sum = nothing;
#pragma unroll 1
    for (unsigned i = 0; i < 16; ++i) {
        const long long begin = clock64();
        sum += many.values[(i * 8 + sum) % 64];
        wait_for(sum);
        cycles[i] = clock64() - begin;
    }
    for (unsigned i = 0; i < 16; ++i) out[i] = cycles[i];
}
void arguments(Measured& m, const DeviceBytes& memory, const DeviceBytes& out) {
    flush_l2<<<264, 1024>>>(memory.address() + kAfterChain, out.as<unsigned>());
    read_arguments<<<1, 1>>>(Many{}, 0, out.as<std::uint64_t>());
    check_launch("arguments");
    std::uint64_t cycles[16];
    check(cudaMemcpy(cycles, out.as(), sizeof cycles, cudaMemcpyDeviceToHost), "result");
    for (unsigned i = 0; i < 16; ++i)
        m.number("argument_cycles." + std::string(i < 8 ? "first" : "second") + ".byte" + std::to_string(i % 8 * 64),
                 static_cast<double>(cycles[i]));
}

// --- shared memory -------------------------------------------------------------------------------------------------

template <unsigned Width> __device__ unsigned load_shared(unsigned at) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (Width == 4) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(at));
    if (Width == 8) asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
    if (Width == 16)
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(at));
    return a;
}
constexpr unsigned kSharedSteps = 1024;
/// Each load's address depends on the load before (`Dependent`), or none does; `stride` bytes between lanes.
template <unsigned Width, bool Dependent> __global__ void shared_loads(unsigned stride, std::uint64_t* out) {
    extern __shared__ unsigned words[];
    for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = 0; // the next load's distance
    __syncthreads();
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * stride % 32768;
    unsigned sum = 0;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 32
    for (unsigned i = 0; i < kSharedSteps; ++i) {
        const unsigned v = load_shared<Width>(at);
        if (Dependent) // one addition, 4 cycles
            at += v;
        else
            sum |= v;
    }
    __syncthreads();
    const long long end = clock64();
    if (at + sum == 1) out[1] = 0;
    if (threadIdx.x == 0) out[0] = end - begin;
}
template <unsigned Width> void shared_memory(Measured& m, const DeviceBytes& out) {
    const auto cycles = [&](bool dependent, unsigned threads, unsigned stride) {
        if (dependent)
            shared_loads<Width, true><<<1, threads, 32768>>>(stride, out.as<std::uint64_t>());
        else
            shared_loads<Width, false><<<1, threads, 32768>>>(stride, out.as<std::uint64_t>());
        check_launch("shared memory");
        std::uint64_t c = 0;
        check(cudaMemcpy(&c, out.as(), 8, cudaMemcpyDeviceToHost), "result");
        return static_cast<double>(c) / kSharedSteps;
    };
    const std::string width = std::to_string(Width) + "B";
    m.number("shared_latency_with_add_cycles." + width, cycles(true, 32, Width));
    for (unsigned stride = Width; stride <= 128; stride *= 2)
        m.number("shared_cycles_an_instruction." + width + ".stride" + std::to_string(stride),
                 cycles(false, 512, stride) / 16); // of 16 warps
    m.number("shared_cycles_an_instruction." + width + ".stride0", cycles(false, 512, 0) / 16);
}

// --- execution units -----------------------------------------------------------------------------------------------

#define NUMAVP_OPERATION(NAME, TYPE, CONSTRAINT, TEXT)                                                                 \
    struct NAME {                                                                                                      \
        using Type = TYPE;                                                                                             \
        static constexpr const char* kName = #NAME;                                                                    \
        static __device__ void apply(TYPE& x) { asm volatile(TEXT : "+" CONSTRAINT(x)); }                              \
    }
NUMAVP_OPERATION(ffma, float, "f", "fma.rn.f32 %0, %0, %0, %0;");
NUMAVP_OPERATION(fadd, float, "f", "add.rn.f32 %0, %0, %0;");
NUMAVP_OPERATION(fmul, float, "f", "mul.rn.f32 %0, %0, %0;");
NUMAVP_OPERATION(iadd3, unsigned, "r", "{ .reg .u32 t; add.u32 t, %0, %0; add.u32 %0, t, %0; }");
NUMAVP_OPERATION(imad, unsigned, "r", "mad.lo.u32 %0, %0, %0, %0;");
NUMAVP_OPERATION(lop3, unsigned, "r", "lop3.b32 %0, %0, %0, %0, 0x69;");
NUMAVP_OPERATION(shf, unsigned, "r", "shf.l.wrap.b32 %0, %0, %0, 7;");
NUMAVP_OPERATION(popc, unsigned, "r", "popc.b32 %0, %0;");
NUMAVP_OPERATION(i2f, float, "f", "{ .reg .s32 t; mov.b32 t, %0; cvt.rn.f32.s32 %0, t; }");
NUMAVP_OPERATION(mufu_ex2, float, "f", "ex2.approx.ftz.f32 %0, %0;");
NUMAVP_OPERATION(mufu_rsq, float, "f", "rsqrt.approx.ftz.f32 %0, %0;");
NUMAVP_OPERATION(hfma2, unsigned, "r", "fma.rn.f16x2 %0, %0, %0, %0;");
NUMAVP_OPERATION(dfma, double, "d", "fma.rn.f64 %0, %0, %0, %0;");
NUMAVP_OPERATION(dadd, double, "d", "add.rn.f64 %0, %0, %0;");
NUMAVP_OPERATION(shfl, unsigned, "r", "shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;");
#undef NUMAVP_OPERATION

constexpr unsigned kChainSteps = 1024;
template <class Op, unsigned Chains> __global__ void operations(typename Op::Type seed, std::uint64_t* out) {
    typename Op::Type x[Chains];
#pragma unroll
    for (unsigned c = 0; c < Chains; ++c) x[c] = seed + static_cast<typename Op::Type>(threadIdx.x + c);
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < kChainSteps / 64; ++i) {
#pragma unroll
        for (unsigned k = 0; k < 64; ++k) {
#pragma unroll
            for (unsigned c = 0; c < Chains; ++c) Op::apply(x[c]);
        }
    }
    __syncthreads();
    const long long end = clock64();
    typename Op::Type sum = x[0];
#pragma unroll
    for (unsigned c = 1; c < Chains; ++c) sum += x[c];
    if (sum == static_cast<typename Op::Type>(1234567)) out[1] = 0;
    if (threadIdx.x == 0) out[0] = end - begin;
}
template <class Op> void operation(Measured& m, const DeviceBytes& out) {
    const auto cycles = [&] {
        check_launch(Op::kName);
        std::uint64_t c = 0;
        check(cudaMemcpy(&c, out.as(), 8, cudaMemcpyDeviceToHost), "result");
        return static_cast<double>(c);
    };
    for (unsigned r = 0; r < 2; ++r) operations<Op, 1><<<1, 32>>>(2, out.as<std::uint64_t>()); // second: code is there
    m.number(std::string("unit_latency_cycles.") + Op::kName, cycles() / kChainSteps);
    for (unsigned r = 0; r < 2; ++r) operations<Op, 4><<<1, 1024>>>(2, out.as<std::uint64_t>());
    m.number(std::string("unit_results_a_cycle.") + Op::kName, 1024.0 * 4 * kChainSteps / cycles());
}

// --- bandwidth -----------------------------------------------------------------------------------------------------

/// Loads that hit in the L1: 16 of them 4,096 bytes apart, again and again, `stride` bytes between lanes.
template <unsigned Width>
__global__ void l1_reads(std::uint64_t base, unsigned stride, unsigned rounds, unsigned nothing, std::uint64_t* out) {
    unsigned sum = 0;
    std::uint64_t p = base + threadIdx.x % 32 * stride;
    const auto round = [&] {
#pragma unroll
        for (unsigned i = 0; i < 16; ++i) {
            unsigned a = 0, b = 0, c = 0, d = 0;
            if (Width == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(p + i * 4096));
            if (Width == 8) asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p + i * 4096));
            if (Width == 16)
                asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                             : "l"(p + i * 4096));
            sum |= a | b;
            sum |= c | d;
        }
        p += nothing; // so that the next round's loads are not this one's
    };
    round();
    __syncthreads();
    const long long begin = clock64();
    for (unsigned r = 0; r < rounds; ++r) round();
    __syncthreads();
    const long long end = clock64();
    if (sum == 1) out[1] = 0;
    if (threadIdx.x == 0) out[0] = static_cast<std::uint64_t>(end - begin);
}
template <unsigned Width> void l1_bandwidth(Measured& m, const DeviceBytes& memory, const DeviceBytes& out) {
    for (unsigned stride : {Width, 32U, 64U, 128U}) {
        if (stride < Width) continue;
        constexpr unsigned kRounds = 32;
        l1_reads<Width><<<1, 1024>>>(memory.address(), stride, kRounds, 0, out.as<std::uint64_t>());
        check_launch("reads of the L1");
        std::uint64_t cycles = 0;
        check(cudaMemcpy(&cycles, out.as(), 8, cudaMemcpyDeviceToHost), "result");
        m.number("l1_cycles_an_instruction." + std::to_string(Width) + "B.stride" + std::to_string(stride),
                 static_cast<double>(cycles) / (kRounds * 16 * 32.0));
    }
}

/// All threads read `bytes` with 16 B a lane past the L1, `rounds` times.
__global__ void past_l1_reads(std::uint64_t base, std::uint64_t bytes, unsigned rounds, unsigned* out) {
    const std::uint64_t own = (blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x) * 16;
    const std::uint64_t all = static_cast<std::uint64_t>(gridDim.x) * blockDim.x * 16;
    unsigned sum = 0;
    for (unsigned r = 0; r < rounds; ++r) {
#pragma unroll 8
        for (std::uint64_t at = own; at < bytes; at += all) {
            unsigned a, b, c, d;
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                         : "l"(base + at));
            sum |= a | b | c | d;
        }
    }
    if (sum == 1) out[1] = 0;
}
__global__ void writes(std::uint64_t base, std::uint64_t bytes) {
    const std::uint64_t own = (blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x) * 16;
    const std::uint64_t all = static_cast<std::uint64_t>(gridDim.x) * blockDim.x * 16;
    for (std::uint64_t at = own; at < bytes; at += all)
        *reinterpret_cast<uint4*>(base + at) = make_uint4(threadIdx.x, 2, 3, 4);
}
__global__ void copies(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
    const std::uint64_t own = (blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x) * 16;
    const std::uint64_t all = static_cast<std::uint64_t>(gridDim.x) * blockDim.x * 16;
#pragma unroll 4
    for (std::uint64_t at = own; at < bytes; at += all)
        *reinterpret_cast<uint4*>(to + at) = *reinterpret_cast<const uint4*>(from + at);
}
void bandwidths(Measured& m, const DeviceBytes& memory, const DeviceBytes& out, unsigned sms) {
    const auto read = [&](unsigned blocks, std::uint64_t bytes, unsigned rounds) {
        const double s =
            seconds_of([&] { past_l1_reads<<<blocks, 1024>>>(memory.address(), bytes, rounds, out.as<unsigned>()); });
        return static_cast<double>(bytes) * rounds / s / 1e9;
    };
    for (unsigned mib : {8U, 16U, 20U, 24U, 28U, 32U, 40U, 48U, 56U, 64U, 96U})
        m.number("l2_read_gbytes_per_s." + std::to_string(mib) + "MiB",
                 read(sms * 2, static_cast<std::uint64_t>(mib) << 20, 4096 / mib));
    for (unsigned blocks : {1U, 2U, 4U, 8U, 16U, 33U, 66U, 132U})
        m.number("l2_read_gbytes_per_s.of_blocks" + std::to_string(blocks), read(blocks, 8ULL << 20, 4 + blocks / 2));
    for (unsigned blocks : {1U, 8U, 33U, 66U, 132U, 264U})
        m.number("memory_read_gbytes_per_s.of_blocks" + std::to_string(blocks),
                 read(blocks, blocks < 33 ? 256ULL << 20 : 4ULL << 30, 1));
    constexpr std::uint64_t kBytes = 2ULL << 30;
    m.number("memory_write_gbytes_per_s", static_cast<double>(kBytes) / seconds_of([&] {
                                              writes<<<sms * 2, 1024>>>(memory.address(), kBytes);
                                          }) / 1e9);
    m.number("memory_copy_gbytes_per_s", 2.0 * static_cast<double>(kBytes) / seconds_of([&] {
                                             copies<<<sms * 2, 1024>>>(memory.address(), memory.address() + kBytes,
                                                                       kBytes);
                                         }) / 1e9);
}

/// Pieces of `Piece` bytes anywhere in 8 GiB, 16 B a lane, 8 of a lane at once.
template <unsigned Piece, bool Write>
__global__ void random_pieces(std::uint64_t base, unsigned rounds, unsigned* out) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    constexpr std::uint32_t kPlaces = static_cast<std::uint32_t>((8ULL << 30) / Piece);
    unsigned sum = 0;
    for (unsigned r = 0; r < rounds; ++r) {
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) {
            const unsigned n = ((r * 8 + k) * threads + thread) / (Piece / 16);
            const std::uint64_t at =
                base + static_cast<std::uint64_t>(mix(n) % kPlaces) * Piece + thread % (Piece / 16) * 16;
            if (Write) {
                asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(n) : "memory");
                continue;
            }
            unsigned a, b, c, d;
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at));
            sum |= a ^ b ^ c ^ d;
        }
    }
    if (sum == 0x12345678U) *out = sum;
}
template <unsigned Piece>
void random_rates(Measured& m, const DeviceBytes& memory, const DeviceBytes& out, unsigned sms) {
    constexpr unsigned kRounds = 16, kThreads = 1024;
    const double pieces = sms * 2.0 * kThreads * kRounds * 8 * 16 / Piece;
    const std::string size = std::to_string(Piece) + "B";
    m.number("random_reads_per_ns." + size,
             pieces / 1e9 / seconds_of([&] {
                 random_pieces<Piece, false><<<sms * 2, kThreads>>>(memory.address(), kRounds, out.as<unsigned>());
             }));
    m.number("random_writes_per_ns." + size,
             pieces / 1e9 / seconds_of([&] {
                 random_pieces<Piece, true><<<sms * 2, kThreads>>>(memory.address(), kRounds, out.as<unsigned>());
             }));
}

/// Each lane writes `Words` words of its own sector, `rounds` times, to 8 MiB in all.
template <unsigned Words> __global__ void sector_writes(std::uint64_t base, unsigned rounds) {
    const std::uint64_t own = (blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x) * 32;
    for (unsigned r = 0; r < rounds; ++r) {
        const std::uint64_t at = base + (own + r * (1ULL << 20)) % (8U << 20);
        if (Words == 1) asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(r) : "memory");
        if (Words == 4) asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(r) : "memory");
        if (Words == 8) { // a sector by two lanes' instructions: lane pairs write its halves
            const std::uint64_t half = base + (own / 64 * 64 + threadIdx.x % 2 * 16 + r * (1ULL << 20)) % (8U << 20);
            asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(half), "r"(r) : "memory");
        }
    }
}
/// Whole lines: 16 bytes a lane, lanes side by side.
__global__ void line_writes(std::uint64_t base, unsigned rounds) {
    const std::uint64_t own = (blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x) * 16;
    for (unsigned r = 0; r < rounds; ++r)
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(base + (own + r * (1ULL << 20)) % (8U << 20)),
                     "r"(r)
                     : "memory");
}
void l2_writes(Measured& m, const DeviceBytes& memory, unsigned sms) {
    constexpr unsigned kRounds = 256;
    const double lanes = sms * 2.0 * 512 * kRounds;
    m.number("l2_write_sectors_per_ns.word",
             lanes / 1e9 / seconds_of([&] { sector_writes<1><<<sms * 2, 512>>>(memory.address(), kRounds); }));
    m.number("l2_write_sectors_per_ns.half",
             lanes / 1e9 / seconds_of([&] { sector_writes<4><<<sms * 2, 512>>>(memory.address(), kRounds); }));
    m.number("l2_write_sectors_per_ns.lines",
             lanes / 2 / 1e9 / seconds_of([&] { line_writes<<<sms * 2, 512>>>(memory.address(), kRounds); }));
    m.number("l2_write_sectors_per_ns.whole",
             lanes / 2 / 1e9 / seconds_of([&] { sector_writes<8><<<sms * 2, 512>>>(memory.address(), kRounds); }));
}

// --- atomics -------------------------------------------------------------------------------------------------------

/// Each thread adds `adds` times; the word of a lane is `lane * of_lane + warp * of_warp` bytes in, modulo 16 MiB.
template <bool Returns>
__global__ void atomics(std::uint64_t base, unsigned of_lane, unsigned of_warp, unsigned adds, unsigned* out) {
    const std::uint64_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned* const at =
        reinterpret_cast<unsigned*>(base + (threadIdx.x % 32 * of_lane + warp * of_warp) % (16U << 20));
    unsigned sum = 1;
    for (unsigned i = 0; i < adds; ++i) {
        if (Returns)
            sum = atomicAdd(at, sum & 1U);
        else
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at) : "memory");
    }
    if (Returns && sum == 77) out[1] = 0;
}
__global__ void two_lines(std::uint64_t base, unsigned distance, unsigned adds) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const std::uint64_t at = base + warp % 2 * distance + threadIdx.x % 32 * 4;
    for (unsigned i = 0; i < adds; ++i) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at) : "memory");
}
void atomic_rates(Measured& m, const DeviceBytes& memory, const DeviceBytes& out, unsigned sms) {
    const auto rate = [&](unsigned of_lane, unsigned of_warp) {
        constexpr unsigned kAdds = 1024;
        const double s = seconds_of(
            [&] { atomics<false><<<sms * 2, 512>>>(memory.address(), of_lane, of_warp, kAdds, out.as<unsigned>()); });
        return sms * 2.0 * 512 * kAdds / s / 1e9;
    };
    m.number("atomic_lanes_per_ns.one_word", rate(0, 0));
    m.number("atomic_lanes_per_ns.one_line", rate(4, 0));
    m.number("atomic_lanes_per_ns.one_word_a_warp", rate(0, 128));
    m.number("atomic_lanes_per_ns.own_words", rate(4, 128));
    m.number("atomic_lanes_per_ns.own_sectors", rate(32, 1024));
    // Half of the warps at one line, half at another: twice the rate of one line if the lines are in different slices.
    for (unsigned distance = 128; distance <= 16384; distance *= 2) {
        constexpr unsigned kAdds = 1024;
        const double s = seconds_of([&] { two_lines<<<sms * 2, 512>>>(memory.address(), distance, kAdds); });
        m.number("atomic_lanes_per_ns.two_lines_apart" + std::to_string(distance), sms * 2.0 * 512 * kAdds / s / 1e9);
    }
    constexpr unsigned kChain = 2048;
    m.number("atomic_latency_ns", 1e9 / kChain * seconds_of([&] {
                                      atomics<true><<<1, 1>>>(memory.address(), 0, 0, kChain, out.as<unsigned>());
                                  }));
}

// --- launches and copies -------------------------------------------------------------------------------------------

__global__ void nothing() {}
__global__ void clocks(std::uint64_t* out) {
    std::uint64_t ns0, ns1;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns0));
    const long long begin = clock64();
    while (clock64() - begin < 200000000) {}
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns1));
    out[0] = clock64() - begin;
    out[1] = ns1 - ns0;
}
void clock_rate(Measured& m, const DeviceBytes& out, const char* name) {
    clocks<<<1, 1>>>(out.as<std::uint64_t>());
    check_launch("clock");
    std::uint64_t both[2];
    check(cudaMemcpy(both, out.as(), 16, cudaMemcpyDeviceToHost), "result");
    m.number(name, 1e3 * static_cast<double>(both[0]) / static_cast<double>(both[1]));
}
void launches(Measured& m) {
    constexpr unsigned kMany = 1000;
    m.number("launch_us.back_to_back", 1e6 / kMany * seconds_of([&] {
                                           for (unsigned i = 0; i < kMany; ++i) nothing<<<1, 32>>>();
                                       }));
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    check(cudaStreamCreate(&stream), "stream");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    for (unsigned i = 0; i < kMany; ++i) nothing<<<1, 32, 0, stream>>>();
    check(cudaStreamEndCapture(stream, &graph), "capture");
    check(cudaGraphInstantiate(&executable, graph, 0), "graph");
    m.number("launch_us.in_a_graph", 1e6 / kMany * seconds_of([&] {
                                         check(cudaGraphLaunch(executable, stream), "graph");
                                         check(cudaStreamSynchronize(stream), "graph");
                                     }));
    m.number("launch_us.and_wait", 1e6 / kMany * seconds_of([&] {
                                       for (unsigned i = 0; i < kMany; ++i) {
                                           nothing<<<1, 32>>>();
                                           check(cudaDeviceSynchronize(), "wait");
                                       }
                                   }));
    for (unsigned threads : {32U, 256U, 1024U}) {
        const auto s = [&](unsigned blocks) { return seconds_of([&] { nothing<<<blocks, threads>>>(); }); };
        m.number("blocks_per_us.of_threads" + std::to_string(threads), 4e6 / ((s(5000000) - s(1000000)) * 1e6));
    }
}
void host_copies(Measured& m, const DeviceBytes& memory) {
    constexpr std::size_t kMost = 256U << 20;
    void *host = nullptr, *back = nullptr;
    check(cudaMallocHost(&host, kMost), "pinned memory");
    check(cudaMallocHost(&back, kMost), "pinned memory");
    std::fill_n(static_cast<char*>(host), kMost, 1);
    cudaStream_t up, down;
    check(cudaStreamCreate(&up), "stream");
    check(cudaStreamCreate(&down), "stream");
    for (std::size_t bytes = 4096; bytes <= kMost; bytes *= 4) {
        const std::string size = std::to_string(bytes / 1024) + "KiB";
        m.number("copy_us.to_device." + size,
                 1e6 * seconds_of([&] { cudaMemcpyAsync(memory.as(), host, bytes, cudaMemcpyHostToDevice); }));
        m.number("copy_us.to_host." + size,
                 1e6 * seconds_of([&] { cudaMemcpyAsync(back, memory.as(), bytes, cudaMemcpyDeviceToHost); }));
        m.number("copy_us.on_device." + size, 1e6 * seconds_of([&] {
                                                  cudaMemcpyAsync(memory.as(), memory.as() + kMost, bytes,
                                                                  cudaMemcpyDeviceToDevice);
                                              }));
    }
    // Both ways at once; the events are of another stream, and the copies have ended when the second is recorded.
    const auto both = [&] {
        cudaMemcpyAsync(memory.as(), host, kMost, cudaMemcpyHostToDevice, up);
        cudaMemcpyAsync(back, memory.as() + kMost, kMost, cudaMemcpyDeviceToHost, down);
        check(cudaStreamSynchronize(up), "copies both ways");
        check(cudaStreamSynchronize(down), "copies both ways");
    };
    m.number("copy_us.both_ways." + std::to_string(kMost / 1024) + "KiB", 1e6 * seconds_of(both));
    cudaFreeHost(host);
    cudaFreeHost(back);
}

int run(const char* path) {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "device");
    const auto sms = static_cast<unsigned>(properties.multiProcessorCount);
    int driver = 0;
    check(cudaDriverGetVersion(&driver), "driver");
    Measured m(path);
    m.word("device", properties.name);
    m.number("sms", sms);
    m.number("l2_bytes", properties.l2CacheSize);
    m.number("memory_bytes", static_cast<double>(properties.totalGlobalMem));
    m.number("cuda_of_driver", driver);
    const DeviceBytes memory((8ULL << 30) + (1ULL << 20)), out(1U << 20);
    check(cudaMemset(memory.as(), 0, 8ULL << 30), "memory");
    clock_rate(m, out, "clock_mhz.before");
    latencies<false>(m, memory, out);
    latencies<true>(m, memory, out);
    l2_hits_by_line(m, memory, out, sms);
    cold_latencies(m, memory, out);
    arguments(m, memory, out);
    shared_memory<4>(m, out);
    shared_memory<8>(m, out);
    shared_memory<16>(m, out);
    operation<ffma>(m, out);
    operation<fadd>(m, out);
    operation<fmul>(m, out);
    operation<iadd3>(m, out);
    operation<imad>(m, out);
    operation<lop3>(m, out);
    operation<shf>(m, out);
    operation<popc>(m, out);
    operation<i2f>(m, out);
    operation<mufu_ex2>(m, out);
    operation<mufu_rsq>(m, out);
    operation<hfma2>(m, out);
    operation<dfma>(m, out);
    operation<dadd>(m, out);
    operation<shfl>(m, out);
    l1_bandwidth<4>(m, memory, out);
    l1_bandwidth<8>(m, memory, out);
    l1_bandwidth<16>(m, memory, out);
    bandwidths(m, memory, out, sms);
    random_rates<32>(m, memory, out, sms);
    random_rates<64>(m, memory, out, sms);
    random_rates<128>(m, memory, out, sms);
    random_rates<256>(m, memory, out, sms);
    random_rates<512>(m, memory, out, sms);
    l2_writes(m, memory, sms);
    atomic_rates(m, memory, out, sms);
    launches(m);
    host_copies(m, memory);
    clock_rate(m, out, "clock_mhz.after");
    return 0;
}

} // namespace
} // namespace numavp::device

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: characterise FILE\n");
        return 2;
    }
    return numavp::device::run(argv[1]);
}
