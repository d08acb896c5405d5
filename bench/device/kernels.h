/// The kernels of the comparison with silicon, written once: compiled for a GPU, and recorded as traces for numavp.
///
/// A body is what one thread does. Its machine `M` is either `Gpu` (gpu_machine.h), where each call is one instruction
/// that the compiler may neither drop nor merge, or `Recorder` (recorder.h), which notes the call. Control flow is the
/// same in all lanes of a warp. Elements are found by `m.at(array, index, bytes of an element)`, which both machines
/// count as arithmetic on the index. `m.word(n)` are values unknown to the compiler, `m.nothing()` an unknown 0.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define NUMAVP_ANY __host__ __device__
#define NUMAVP_UNROLL _Pragma("unroll")
#else
#define NUMAVP_ANY
#define NUMAVP_UNROLL
#endif

namespace numavp::device {

inline constexpr unsigned kLanes = 32;
inline constexpr std::uint64_t kArrayBytes = 1ULL << 30; ///< of each array

/// Loads of `Width` bytes, `Stride` bytes between lanes, all of them independent.
template <unsigned Width, unsigned Stride, unsigned Loads> struct Strided {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        typename M::Word v[Loads];
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Loads; ++k)
            v[k] = m.template load<Width>(m.at(0, k * m.threads() + m.thread(), Stride));
        typename M::Word sum = m.word(0);
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Loads; ++k) sum = m.fma(v[k], v[k], sum);
        m.keep(sum);
    }
};

/// Where a chain of loads goes; the GPU finds the same addresses in memory.
enum class Chain { lines_16, past_l1_16, scattered, rows };
NUMAVP_ANY inline std::uint64_t chain_offset(Chain chain, unsigned i) {
    switch (chain) {
    case Chain::lines_16:
    case Chain::past_l1_16: return 128ULL * (i % 16);
    case Chain::scattered: return (2654435761ULL * i % (1ULL << 21)) * 128; // odd factor: no line twice, 256 MiB
    case Chain::rows: break;
    }
    return 128ULL * i;
}
/// A warp follows a chain of `Steps` pointers, all its lanes the same.
template <Chain C, unsigned Steps> struct Chase {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        auto p = m.pointer(m.array(0));
        NUMAVP_UNROLL
        for (unsigned i = 0; i < Steps; ++i)
            p = m.template follow<C == Chain::past_l1_16>(p, m.array(0) + chain_offset(C, i + 1));
        m.keep(p);
    }
};

/// All blocks read `Bytes` again and again, 16 bytes a lane.
template <unsigned Bytes, unsigned Loads> struct ReadAgain {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        typename M::Word v[Loads];
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Loads; ++k)
            v[k] = m.template load<16>(m.at(0, (k * m.threads() + m.thread()) % (Bytes / 16), 16));
        typename M::Word sum = m.word(0);
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Loads; ++k) sum = m.fma(v[k], v[k], sum);
        m.keep(sum);
    }
};

/// Tiles of two arrays in shared memory; with `Conflicts` all lanes of a load fall on one bank.
template <unsigned Steps, bool Conflicts> struct Tile {
    static constexpr unsigned kSharedBytes = 8192;
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        const unsigned own = m.in_block() * 4, lane = m.in_block() % kLanes;
        typename M::Word sum = m.word(0);
        NUMAVP_UNROLL
        for (unsigned s = 0; s < Steps; ++s) {
            const auto a = m.template load<4>(m.at(0, s * m.threads() + m.thread(), 4));
            const auto b = m.template load<4>(m.at(1, s * m.threads() + m.thread(), 4));
            m.shared_store(own, a);
            m.shared_store(1024 + own, b);
            m.barrier();
            NUMAVP_UNROLL
            for (unsigned i = 0; i < 16; ++i) {
                const auto x = m.shared_load(i * 4 + lane * (Conflicts ? 128 : 4));
                const auto y = m.shared_load(1024 + i * 64);
                sum = m.fma(x, y, sum);
            }
            m.barrier();
        }
        m.store(m.at(2, m.thread(), 4), sum);
    }
};

/// Where the lanes of an atomic addition without result go.
enum class Adds { one_word, one_line, bins, own_lines };
template <Adds A, unsigned Count> struct Atomic {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Count; ++k) {
            std::uint32_t word = m.nothing();
            if (A == Adds::one_line) word += m.in_block() % kLanes;
            if (A == Adds::bins) word = m.random(m.thread() * Count + k) % 256;
            if (A == Adds::own_lines) word = m.thread() + k * m.threads();
            m.add(m.at(2, word, 4));
        }
    }
};

/// Where the lanes of a store go.
enum class Scatter { words, sectors, random };
template <Scatter S, unsigned Stores> struct Stored {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Stores; ++k) {
            const std::uint32_t n = k * m.threads() + m.thread();
            if (S == Scatter::words) m.store(m.at(2, n, 4), m.word(0));
            if (S == Scatter::sectors) m.store(m.at(2, n, 32), m.word(0));
            if (S == Scatter::random) m.store(m.at(2, m.random(n) % (1U << 24), 4), m.word(0));
        }
    }
};

/// One kind of instruction alone; `Chains` of them independent.
enum class Kind { fma, special, integer };
template <Kind K, unsigned Chains, unsigned Steps> struct Arithmetic {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        typename M::Word v[Chains];
        NUMAVP_UNROLL
        for (unsigned c = 0; c < Chains; ++c) v[c] = m.word(c);
        NUMAVP_UNROLL
        for (unsigned s = 0; s < Steps; ++s) {
            NUMAVP_UNROLL
            for (unsigned c = 0; c < Chains; ++c) {
                if (K == Kind::fma) v[c] = m.fma(v[c], v[c], v[c]);
                if (K == Kind::special) v[c] = m.special(v[c]);
                if (K == Kind::integer) v[c] = m.integer(v[c], v[c], v[c]);
            }
        }
        NUMAVP_UNROLL
        for (unsigned c = 0; c < Chains; ++c) m.keep(v[c]);
    }
};

/// Loads from shared memory alone, without conflicts, or `Ways` lanes to a bank.
template <unsigned Ways, unsigned Loads> struct SharedLoads {
    static constexpr unsigned kSharedBytes = 4096;
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        const unsigned lane = m.in_block() % kLanes;
        typename M::Word v[8];
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Loads; ++k) v[k % 8] = m.shared_load(lane * 4 * Ways);
        NUMAVP_UNROLL
        for (unsigned k = 0; k < 8; ++k) m.keep(v[k]);
    }
};

/// c = a + b.
struct VectorAdd {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        const auto a = m.template load<4>(m.at(0, m.thread(), 4));
        const auto b = m.template load<4>(m.at(1, m.thread(), 4));
        const auto sum = m.fma(a, m.word(0), b); // first: the order of arguments is the compiler's
        m.store(m.at(2, m.thread(), 4), sum);
    }
};

/// 16 independent loads, 16 FFMA, 4 stores.
struct Stream {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        typename M::Word v[16];
        NUMAVP_UNROLL
        for (unsigned u = 0; u < 16; ++u) v[u] = m.template load<4>(m.at(0, u * m.threads() + m.thread(), 4));
        typename M::Word sum[4] = {m.word(0), m.word(1), m.word(2), m.word(3)};
        NUMAVP_UNROLL
        for (unsigned u = 0; u < 16; ++u) sum[u % 4] = m.fma(v[u], v[u], sum[u % 4]);
        NUMAVP_UNROLL
        for (unsigned u = 0; u < 4; ++u) m.store(m.at(2, u * m.threads() + m.thread(), 4), sum[u]);
    }
};

/// Each lane loads random words of 256 MiB.
template <unsigned Loads> struct Gather {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        typename M::Word v[Loads];
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Loads; ++k)
            v[k] = m.template load<4>(m.at(0, m.random(m.thread() * Loads + k) % (1U << 26), 4));
        typename M::Word sum = m.word(0);
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Loads; ++k) sum = m.fma(v[k], v[k], sum);
        m.store(m.at(2, m.thread(), 4), sum);
    }
};

/// A load, `Count` FFMA in 8 chains, a store.
template <unsigned Count> struct Compute {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        const auto a = m.template load<4>(m.at(0, m.thread(), 4));
        typename M::Word v[8];
        NUMAVP_UNROLL
        for (unsigned c = 0; c < 8; ++c) v[c] = m.word(c);
        NUMAVP_UNROLL
        for (unsigned k = 0; k < Count; ++k) v[k % 8] = m.fma(v[k % 8], a, v[k % 8]);
        NUMAVP_UNROLL
        for (unsigned c = 1; c < 8; ++c) v[0] = m.fma(v[c], a, v[0]);
        m.store(m.at(2, m.thread(), 4), v[0]);
    }
};

/// A five-point stencil on a grid 4,096 wide, one point a thread.
struct Stencil {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        constexpr unsigned kRow = 4096;
        const auto north = m.template load<4>(m.at(0, m.thread(), 4));
        const auto west = m.template load<4>(m.at(0, m.thread() + kRow - 1, 4));
        const auto centre = m.template load<4>(m.at(0, m.thread() + kRow, 4));
        const auto east = m.template load<4>(m.at(0, m.thread() + kRow + 1, 4));
        const auto south = m.template load<4>(m.at(0, m.thread() + 2 * kRow, 4));
        auto sum = m.fma(north, centre, west);
        sum = m.fma(east, centre, sum);
        sum = m.fma(south, centre, sum);
        m.store(m.at(2, m.thread() + kRow, 4), sum);
    }
};

/// Rows of a 1,024-wide matrix to columns, without shared memory: stores of a sector a lane.
struct Transpose {
    template <class M> NUMAVP_ANY void operator()(M& m) const {
        const std::uint32_t row = m.thread() / 1024, column = m.thread() % 1024;
        const auto element = m.template load<4>(m.at(0, m.thread(), 4));
        m.store(m.at(2, column * 1024 + row, 4), element);
    }
};

/// Nothing.
struct Empty {
    template <class M> NUMAVP_ANY void operator()(M&) const {}
};

/// Calls `visit(name, body, blocks, warps, shared bytes)` for every kernel; `sms` blocks are one an SM.
template <class Visit> void for_each_kernel(Visit&& visit, unsigned sms) {
    visit("empty", Empty{}, sms, 8U, 0U);
    visit("empty-1", Empty{}, 1U, 1U, 0U);
    visit("empty-4096", Empty{}, 4096U, 8U, 0U);
    visit("empty-65536", Empty{}, 65536U, 8U, 0U);
    visit("strided-w4-s4", Strided<4, 4, 4>{}, sms, 8U, 0U);
    visit("strided-w4-s32", Strided<4, 32, 4>{}, sms, 8U, 0U);
    visit("strided-w4-s128", Strided<4, 128, 4>{}, sms, 8U, 0U);
    visit("strided-w8-s8", Strided<8, 8, 4>{}, sms, 8U, 0U);
    visit("strided-w16-s16", Strided<16, 16, 4>{}, sms, 8U, 0U);
    visit("strided-w16-s16-32warps", Strided<16, 16, 4>{}, sms, 32U, 0U);
    visit("chase-l1", Chase<Chain::lines_16, 256>{}, 1U, 1U, 0U);
    visit("chase-l2", Chase<Chain::past_l1_16, 256>{}, 1U, 1U, 0U);
    visit("chase-memory", Chase<Chain::scattered, 256>{}, 1U, 1U, 0U);
    visit("chase-lines", Chase<Chain::rows, 256>{}, 1U, 1U, 0U);
    visit("read-again-2MiB", ReadAgain<(2U << 20), 32>{}, sms, 8U, 0U);
    visit("read-again-16MiB", ReadAgain<(16U << 20), 32>{}, sms * 2, 16U, 0U);
    visit("tile", Tile<4, false>{}, sms * 2, 8U, 8192U);
    visit("tile-conflicts", Tile<1, true>{}, sms * 2, 8U, 8192U);
    visit("atomic-one-word", Atomic<Adds::one_word, 4>{}, sms, 8U, 0U);
    visit("atomic-one-line", Atomic<Adds::one_line, 4>{}, sms, 8U, 0U);
    visit("atomic-bins", Atomic<Adds::bins, 4>{}, sms, 8U, 0U);
    visit("atomic-own-lines", Atomic<Adds::own_lines, 8>{}, sms * 4, 8U, 0U);
    visit("store-words", Stored<Scatter::words, 8>{}, sms * 4, 8U, 0U);
    visit("store-sectors", Stored<Scatter::sectors, 8>{}, sms * 4, 8U, 0U);
    visit("store-random", Stored<Scatter::random, 4>{}, sms, 8U, 0U);
    visit("fma-1", Arithmetic<Kind::fma, 1, 512>{}, sms, 4U, 0U);
    visit("fma-4", Arithmetic<Kind::fma, 4, 256>{}, sms, 16U, 0U);
    visit("special-4", Arithmetic<Kind::special, 4, 64>{}, sms, 16U, 0U);
    visit("integer-4", Arithmetic<Kind::integer, 4, 256>{}, sms, 16U, 0U);
    visit("shared-1", SharedLoads<1, 256>{}, sms, 16U, 4096U);
    visit("shared-2", SharedLoads<2, 256>{}, sms, 16U, 4096U);
    visit("shared-8", SharedLoads<8, 128>{}, sms, 16U, 4096U);
    visit("shared-32", SharedLoads<32, 64>{}, sms, 16U, 4096U);
    visit("vector-add", VectorAdd{}, 4096U, 8U, 0U);
    visit("vector-add-large", VectorAdd{}, 32768U, 8U, 0U);
    visit("stream", Stream{}, 512U, 8U, 0U);
    visit("stream-large", Stream{}, 8192U, 8U, 0U);
    visit("gather", Gather<4>{}, 256U, 8U, 0U);
    visit("gather-large", Gather<4>{}, 4096U, 8U, 0U);
    visit("compute", Compute<200>{}, 512U, 8U, 0U);
    visit("compute-large", Compute<200>{}, 4224U, 8U, 0U);
    visit("stencil", Stencil{}, 16384U, 8U, 0U);
    visit("transpose", Transpose{}, 4096U, 8U, 0U);
}

} // namespace numavp::device
