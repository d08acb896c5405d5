/// A flush that meets a line on its way: who asks after the flush must not get the older bytes.
///
/// Socket 0 asks for a line of socket 1 over a slow switch. The home answers, then a kernel of another stream writes
/// another word of the line there and ends, while the answer is still on its way. The next kernel of that stream
/// reads the word on socket 0.
#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/small_system.h"

namespace numavp::test {
namespace {

TEST(AFlushMeetsALineOnItsWay, AndLaterReadersGetTheNewBytes) {
    SystemConfig config = small_system(2);
    config.socket.l2.organisation = L2Organisation::coherent;
    config.switch_.latency_cycles = 2000;
    config.dispatch.launch_cycles = 0;
    Words words;
    SystemOptions options;
    options.hooks = &words;
    const Workload workload = hand_workload(
        {hand_launch("place", 2, 1, on(1, {one_lane(store(kOldWord), kZero), one_lane(store(kNewWord), kZero)})),
         hand_launch("early_reader", 2, 1, on(0, {one_lane(load(kOldWord, 2), 0)})),
         hand_launch("writer", 2, 1, on(1, after(3500, one_lane(store(kNewWord), kWrite))), 1),
         hand_launch("late_reader", 2, 1, on(0, {one_lane(load(kNewWord, 2), kRead)}), 1)});
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(words.seen, 0xab);
    // The late reader came while the line was on its way, or this test shows nothing.
    Cycle early_end = 0, late_start = 0;
    for (const TimelineEvent& e : system.timeline()) {
        if (e.what == "kernel" && e.name == "early_reader") early_end = e.end;
        if (e.what == "kernel" && e.name == "late_reader") late_start = e.cycle;
    }
    EXPECT_LT(late_start + 200, early_end);
}

} // namespace
} // namespace numavp::test
