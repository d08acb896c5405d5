/// Two halves whose slices keep copies of each other's lines, coherent by a directory.
#pragma once

#include "tests/platform/machine/one_word.h"
#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {

inline SystemConfig two_halves() {
    SystemConfig c = small_system(2);
    c.socket.l2.organisation = L2Organisation::coherent;
    c.socket.l2.coherence = L2Coherence::directory;
    c.placement.policy = PlacementKind::line_interleave;
    return c;
}

/// The same with settings drawn: directories so small that lines lose their place, links so slow that recalls meet
/// what is on its way.
inline SystemConfig random_halves(Rng& rng) {
    SystemConfig c = two_halves();
    L2Config& l2 = c.socket.l2;
    l2.write_policy = static_cast<WritePolicy>(rng.below(2));
    l2.incoming_allocate = rng.below(2) == 0;
    l2.entries = 4 + static_cast<unsigned>(rng.below(12));
    l2.reserved_home_entries = 1 + static_cast<unsigned>(rng.below(3));
    l2.merges = 1 + static_cast<unsigned>(rng.below(8));
    l2.directory_lines = static_cast<unsigned>(rng.below(3)) * (1 + static_cast<unsigned>(rng.below(24)));
    l2.directory_cycles = 1 + static_cast<unsigned>(rng.below(300));
    l2.interleave_lines = 1U << rng.below(3);
    if (l2.slices % 2 == 0 && rng.below(2) != 0) l2.pair_lines = l2.interleave_lines << (1 + rng.below(2));
    c.placement.policy = static_cast<PlacementKind>(rng.below(4));
    c.placement.page_kib = 4;
    c.dispatch.split = static_cast<BlockSplit>(rng.below(kBlockSplits.size()));
    c.dispatch.launch_cycles = static_cast<unsigned>(rng.below(2)) * 50;
    c.switch_.latency_cycles = 1 + static_cast<unsigned>(rng.below(2) * rng.below(400));
    c.link.latency_cycles = 1 + static_cast<unsigned>(rng.below(2) * rng.below(200));
    if (rng.below(3) == 0) c.sector_bytes = kSectorBytes;
    if (c.sector_bytes == 0 && rng.below(4) == 0) c.link.cut = LinkCutKind::flits;
    if (rng.below(3) == 0) set_all_depths(c, 1);
    if (c.sectored()) l2.partial_lines = static_cast<unsigned>(rng.below(4));
    return c;
}

/// Kernels side by side on few lines, of which some are read by all: copies, writes and flushes meet.
inline RandomProgramShape beside_each_other(Rng& rng) {
    RandomProgramShape shape;
    shape.streams = 1 + static_cast<unsigned>(rng.below(4));
    shape.kernels = 16;
    shape.blocks = 4 + static_cast<unsigned>(rng.below(8));
    shape.warps = 1 + static_cast<unsigned>(rng.below(2));
    shape.phases = 1 + static_cast<unsigned>(rng.below(2));
    shape.accesses = 8;
    shape.lines = 8U << rng.below(4);
    shape.read_only_lines = static_cast<unsigned>(rng.below(2)) * 40;
    return shape;
}

/// What is wrong with the values that a random program sees and leaves behind; empty if nothing is.
inline std::string wrong_values(const SystemConfig& config, std::uint64_t seed, const RandomProgramShape& shape) {
    RandomProgram program(seed, shape);
    SystemOptions options;
    options.hooks = &program;
    System system(config, program.workload(), options);
    system.run();
    return program.wrong_in(system);
}

/// Half 1 writes many lines of which half 0 has copies, over a link that lets few recalls out by the kernel's end; the
/// next kernel reads the last of them in half 0. What it sees: 0xab if that is right.
inline int seen_behind_many_recalls() {
    constexpr std::uint64_t kMany = 48, kLast = kHandBase + (kMany - 1) * kLineBytes + 64;
    SystemConfig c = two_halves();
    c.placement.policy = PlacementKind::first_touch;
    c.socket.l2.size_kib = 64; // all lines fit
    c.link.lane_gbps = 0.1;
    set_all_depths(c, 1);
    const auto all = [](const Inst& inst, std::uint64_t cookie) {
        WarpCode code;
        for (std::uint64_t i = 0; i < kMany; ++i) {
            code.push_back(one_lane(inst, cookie));
            code.back().base += i * kLineBytes;
        }
        return code;
    };
    Words words;
    SystemOptions options;
    options.hooks = &words;
    const Workload workload = hand_workload({hand_launch("place", 2, 1, on(1, all(store(kNewWord), kZero))),
                                             hand_launch("copy", 2, 1, on(0, all(load_past_l1(kNewWord, 1, 1), 0))),
                                             hand_launch("write", 2, 1, on(1, all(store(kNewWord), kWrite))),
                                             hand_launch("read", 2, 1, on(0, {one_lane(load(kLast, 2), kRead)}))});
    System system(c, workload, options);
    system.run();
    return words.seen;
}

/// Two sectors of a line of half 1 are on their way to half 0 at once. The first is answered while the only place of
/// its home's directory waits for a recall, which a crowd of requests keeps from the link, so that half 0 may not keep
/// it; half 1 then writes it, and the second finds the place free. What half 0 sees of the first in the next kernel:
/// 0xab if that is right.
inline int seen_of_a_line_partly_listed() {
    constexpr std::uint64_t kListed = kHandBase + 1024 * kLineBytes, kTheirs = kHandBase + 4096 * kLineBytes;
    constexpr unsigned kCrowd = 6;                    // requests that let the recall go between the two answers
    constexpr unsigned kLater = 100, kWritten = 2300; // cycles: the second is asked for, the first is answered by then
    SystemConfig c = two_halves();
    c.sector_bytes = kSectorBytes;
    c.placement.policy = PlacementKind::first_touch;
    c.socket.l2.slices = c.socket.memory.channels = 1;
    c.socket.l2.directory_lines = 1;
    c.switch_.latency_cycles = 2000; // both sectors are asked for before one has come
    c.link.lane_gbps = 0.02;         // a request takes 50 cycles
    set_all_depths(c, 1);
    const auto many = [](Inst inst) {
        WarpCode code;
        for (std::uint64_t i = 0; i < kCrowd; ++i) {
            inst.base = kTheirs + i * kLineBytes;
            code.push_back(one_lane(inst, kZero));
        }
        return code;
    };
    const auto then = [](WarpCode first, const WarpCode& next) {
        first.insert(first.end(), next.begin(), next.end());
        return first;
    };
    const WarpCode lines = {one_lane(store(kOldWord), kZero), one_lane(store(kNewWord), kZero),
                            one_lane(store(kListed), kZero)};
    const CodeOf place = [=](std::uint64_t block, unsigned) { return block == 0 ? many(store(kTheirs)) : lines; };
    const WarpCode sectors =
        then({one_lane(load_past_l1(kNewWord, 2), 0)}, after(kLater, one_lane(load_past_l1(kOldWord, 3), 0)));
    const WarpCode crowd = then(many(load_past_l1(kTheirs)), {one_lane(store(kListed), kZero)});
    const WarpCode written = after(kWritten, one_lane(store(kNewWord), kWrite));
    const CodeOf meet = [=](std::uint64_t block, unsigned warp) {
        if (block == 0) return warp == 0 ? sectors : WarpCode{};
        return warp == 0 ? crowd : written;
    };
    Words words;
    SystemOptions options;
    options.hooks = &words;
    const Workload workload = hand_workload(
        {hand_launch("place", 2, 1, place), hand_launch("list", 2, 1, on(0, {one_lane(load_past_l1(kListed, 2), 0)})),
         hand_launch("meet", 2, 2, meet), hand_launch("read", 2, 1, on(0, {one_lane(load(kNewWord, 2), kRead)}))});
    System system(c, workload, options);
    system.run();
    return words.seen;
}

} // namespace numavp::test
