/// Matrix instructions on tensor cores, in closed forms: chains, independent streams, rates of whole machines.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/validation/one_sm.h"

namespace numavp::test {
namespace {

SystemConfig with_tensor_cores(TensorCores cores, Architecture units = Architecture::none) {
    SystemConfig c = one_sm();
    c.socket.sm.tensor.cores = cores;
    c.socket.sm.units = units;
    return c;
}
Inst matrix_inst(MatrixOp op, std::uint8_t dst = kNoReg) {
    Inst inst = arithmetic(ExecutionUnit::tensor, dst, dst);
    inst.matrix = op;
    return inst;
}

struct MatrixRow {
    TensorCores cores;
    MatrixOp op;
    double interval;  ///< of a scheduler of four
    unsigned latency; ///< of a chain
};

class MatrixInstructions : public ::testing::TestWithParam<MatrixRow> {};

TEST_P(MatrixInstructions, AChainTakesTheLatencyAStep) {
    const MatrixRow& row = GetParam();
    const auto chain = [&](WarpCode& code) { code.push_back(matrix_inst(row.op, 1)); };
    EXPECT_EQ(cycles_each(with_tensor_cores(row.cores), 1, chain), row.latency);
    EXPECT_EQ(cycles_each(with_tensor_cores(row.cores), 4, chain), row.latency) << "each scheduler has a tensor core";
}

TEST_P(MatrixInstructions, IndependentOnesTakeTheIntervalEach) {
    const MatrixRow& row = GetParam();
    const auto one = [&](WarpCode& code) { code.push_back(matrix_inst(row.op)); };
    constexpr double kPart = 1.0 / 1024; // time is counted in such parts of a cycle
    EXPECT_NEAR(cycles_each(with_tensor_cores(row.cores), 1, one), row.interval, kPart);
    EXPECT_NEAR(cycles_each(with_tensor_cores(row.cores), 8, one), 2 * row.interval, 2 * kPart) << "two in turn";
    const auto ten = [&](WarpCode& code) {
        code.push_back(matrix_inst(row.op));
        code.back().repeat = 10;
    };
    EXPECT_NEAR(cycles_each(with_tensor_cores(row.cores, Architecture::ampere), 4, ten), 10 * row.interval, 10 * kPart);
}

std::string name_of_row(const ::testing::TestParamInfo<MatrixRow>& info) {
    std::string name(kTensorCores.name(info.param.cores));
    name += '_';
    for (const char c : kMatrixOps.name(info.param.op)) name += c == '.' ? '_' : c;
    return name;
}
using Cores = TensorCores;
using Matrix = MatrixOp;
INSTANTIATE_TEST_SUITE_P(All, MatrixInstructions,
                         ::testing::Values(MatrixRow{Cores::ampere, Matrix::hmma_16816, 8, 25},
                                           MatrixRow{Cores::ampere, Matrix::hmma_1688, 4, 25},
                                           MatrixRow{Cores::ampere, Matrix::imma_16832, 8, 26},
                                           MatrixRow{Cores::ampere, Matrix::hmma_1688_tf32, 8, 25},
                                           MatrixRow{Cores::ampere, Matrix::dmma_884, 16, 25},
                                           MatrixRow{Cores::hopper_mma_sync, Matrix::hmma_16816, 6.4, 24},
                                           MatrixRow{Cores::hopper_mma_sync, Matrix::imma_16832, 6.4, 24},
                                           MatrixRow{Cores::blackwell_mma_sync, Matrix::hmma_16816, 8, 26},
                                           MatrixRow{Cores::cdna3, Matrix::mfma_16x16x16_f16, 16, 16},
                                           MatrixRow{Cores::cdna3, Matrix::mfma_32x32x8_f16, 32, 32},
                                           MatrixRow{Cores::cdna3, Matrix::mfma_32x32x16_fp8, 32, 32},
                                           MatrixRow{Cores::cdna3, Matrix::hmma_16816, 8, 16}),
                         name_of_row);

/// Asynchronous instructions, as one warp issues them.
struct AsynchronousRow {
    TensorCores cores;
    MatrixOp op;
    unsigned interval; ///< of those that follow each other
    unsigned latency;  ///< of one alone, to the issue of what waits for it
};

class AsynchronousMatrixInstructions : public ::testing::TestWithParam<AsynchronousRow> {};

/// n of them on the same accumulators, and one wait: n intervals, what the last needs longer than its interval, and the
/// cycle in which the wait issues. Section 2.1 of the sources gives the same for wgmma (N/2 each) and tcgen05 (II n +
/// b).
TEST_P(AsynchronousMatrixInstructions, FollowEachOtherAtTheIntervalUpToAWait) {
    const AsynchronousRow& row = GetParam();
    for (const unsigned n : {1U, 4U, 16U}) {
        const auto chain = [&](WarpCode& code) {
            for (unsigned i = 0; i < n; ++i) code.push_back(matrix_inst(row.op, 1));
            code.push_back(arithmetic(ExecutionUnit::other, kNoReg, 1));
        };
        const double expected = (n - 1) * row.interval + row.latency + 1;
        EXPECT_EQ(cycles_each(with_tensor_cores(row.cores), 1, chain), expected) << n << " before a wait";
    }
}

/// Cycles of each of many instructions of `warps`, and what `other` adds to each, before one wait at the end.
double cycles_of_queued(const AsynchronousRow& row, unsigned warps, const Body& other) {
    constexpr unsigned kFew = 20, kMany = 60;
    const auto cycles = [&](unsigned n) {
        const CodeOf code = [&](std::uint64_t, unsigned) {
            WarpCode made;
            for (unsigned i = 0; i < n; ++i) {
                made.push_back(matrix_inst(row.op, 1));
                other(made);
            }
            made.push_back(arithmetic(ExecutionUnit::other, kNoReg, 1));
            return made;
        };
        return run_block(with_tensor_cores(row.cores), warps, code)["cycles"].get<std::uint64_t>();
    };
    return static_cast<double>(cycles(kMany) - cycles(kFew)) / (kMany - kFew);
}

TEST_P(AsynchronousMatrixInstructions, OfSeveralWarpsShareATensorCoreOrAll) {
    const AsynchronousRow& row = GetParam();
    const bool of_sm = shape_of(row.op).is_of_sm();
    const Body nothing = [](WarpCode&) {};
    EXPECT_EQ(cycles_of_queued(row, 1, nothing), row.interval);
    EXPECT_EQ(cycles_of_queued(row, 4, nothing), row.interval * (of_sm ? 4 : 1));
    EXPECT_EQ(cycles_of_queued(row, 8, nothing), row.interval * (of_sm ? 8 : 2));
}

/// What does not read the accumulators goes on: other instructions in all other cycles of the interval take no time.
TEST_P(AsynchronousMatrixInstructions, LeaveTheirWarpFree) {
    const AsynchronousRow& row = GetParam();
    const Body others = [&](WarpCode& code) {
        for (unsigned i = 1; i < row.interval; ++i) code.push_back(arithmetic(ExecutionUnit::single_precision));
    };
    EXPECT_EQ(cycles_of_queued(row, 1, others), row.interval);
}

std::string name_of_asynchronous(const ::testing::TestParamInfo<AsynchronousRow>& info) {
    std::string name;
    for (const char c : kMatrixOps.name(info.param.op)) name += c == '.' ? '_' : c;
    return name;
}
using Async = AsynchronousRow;
INSTANTIATE_TEST_SUITE_P(All, AsynchronousMatrixInstructions,
                         ::testing::Values(Async{TensorCores::hopper, MatrixOp::hgmma_64x64x16, 32, 32},
                                           Async{TensorCores::hopper, MatrixOp::hgmma_64x256x16, 128, 128},
                                           Async{TensorCores::hopper, MatrixOp::qgmma_64x128x32, 64, 64},
                                           Async{TensorCores::hopper, MatrixOp::igmma_64x256x32, 128, 128},
                                           Async{TensorCores::hopper, MatrixOp::hgmma_64x256x8_tf32, 128, 128},
                                           Async{TensorCores::blackwell, MatrixOp::utchmma_128x64x16, 48, 168},
                                           Async{TensorCores::blackwell, MatrixOp::utchmma_128x128x16, 64, 200},
                                           Async{TensorCores::blackwell, MatrixOp::utchmma_128x256x16, 128, 264}),
                         name_of_asynchronous);

/// Every form that was fitted on a B200: interval and latency (SemiAnalysis, umma_latency, BF16).
TEST(TensorCores, OfABlackwellHaveTheFittedIntervalsAndLatencies) {
    struct Fitted {
        const char* shape;
        unsigned interval, latency;
    };
    for (const Fitted& row : {Fitted{"128x64", 48, 168},
                              {"128x128", 64, 200},
                              {"128x256", 128, 264},
                              {"64x64", 32, 152},
                              {"64x128", 64, 184},
                              {"64x256", 128, 248},
                              {"128x64.TS", 32, 136},
                              {"128x128.TS", 64, 168},
                              {"128x256.TS", 128, 232},
                              {"256x128.2CTA", 64, 234},
                              {"256x256.2CTA", 128, 298},
                              {"128x256.2CTA", 64, 229}}) {
        std::string name = "UTCHMMA." + std::string(row.shape);
        name.insert(std::min(name.size(), name.find('.', 8)), "x16");
        const auto op = kMatrixOps.find(name);
        ASSERT_TRUE(op.has_value()) << name;
        const MatrixTiming timing = matrix_timing(TensorCores::blackwell, *op, 4);
        EXPECT_EQ(timing.interval, row.interval) << name;
        EXPECT_EQ(timing.latency, row.latency) << name;
    }
}

/// Peaks of whole GPUs from the interval of an instruction: SMs x 4 tensor cores x clock.
TEST(TensorCores, IntervalsGiveThePeaksOfTheMakers) {
    const auto tera = [](TensorCores cores, MatrixOp op, unsigned sms, double ghz) {
        const double each = 2 * static_cast<double>(shape_of(op).multiply_adds());
        return sms * 4 * ghz * each / matrix_timing(cores, op, 4).interval / 1e3;
    };
    EXPECT_NEAR(tera(Cores::ampere, Matrix::hmma_16816, 108, 1.41), 312, 0.5);
    EXPECT_NEAR(tera(Cores::ampere, Matrix::imma_16832, 108, 1.41), 624, 1);
    EXPECT_NEAR(tera(Cores::ampere, Matrix::hmma_1688_tf32, 108, 1.41), 156, 0.5);
    EXPECT_NEAR(tera(Cores::ampere, Matrix::dmma_884, 108, 1.41), 19.5, 0.1);
    EXPECT_NEAR(tera(Cores::cdna3, Matrix::mfma_32x32x8_f16, 304, 2.1), 1307, 1);
    EXPECT_NEAR(tera(Cores::cdna3, Matrix::mfma_32x32x16_fp8, 304, 2.1), 2614.9, 1);
    EXPECT_NEAR(tera(Cores::hopper, Matrix::hgmma_64x256x16, 132, 1.83), 989, 1);
    EXPECT_NEAR(tera(Cores::hopper, Matrix::qgmma_64x256x32, 132, 1.83), 1979, 2);
    // 8,192 operations a cycle and SM, and on all tensor cores: not four times.
    EXPECT_NEAR(tera(Cores::blackwell, Matrix::utchmma_128x256x16, 148, 1.92) / 4, 8192 * 148 * 1.92 / 1e3, 1);
    // Measured: 494.4 of an H800's 114 SMs at 1.755 GHz (a mean over shapes), 569 to 577 of a B300's 148 at 1.92 GHz.
    EXPECT_NEAR(tera(Cores::hopper_mma_sync, Matrix::hmma_16816, 114, 1.755), 494.4, 0.05 * 494.4);
    EXPECT_NEAR(tera(Cores::blackwell_mma_sync, Matrix::hmma_16816, 148, 1.92), 573, 0.02 * 573);
}

TEST(TensorCores, OfTwoSchedulersHaveTwiceTheWorkEach) {
    EXPECT_EQ(matrix_timing(Cores::ampere, Matrix::hmma_16816, 2).interval, 4.0);
}

TEST(TensorCores, OfOthersHaveNoAsynchronousInstructions) {
    for (const NameEntry<TensorCores>& cores : kTensorCores) {
        EXPECT_EQ(matrix_timing(cores.value, MatrixOp::hgmma_64x64x16, 4).known(), cores.value == TensorCores::hopper);
        EXPECT_EQ(matrix_timing(cores.value, MatrixOp::utchmma_128x64x16, 4).known(),
                  cores.value == TensorCores::blackwell);
    }
}

TEST(TensorCores, LimitNoOtherArithmetic) {
    const SystemConfig c = with_tensor_cores(TensorCores::ampere);
    EXPECT_EQ(cycles_each(c, 4, [](WarpCode& code) { code.push_back(arithmetic(ExecutionUnit::special)); }), 1.0);
    EXPECT_EQ(cycles_each(c, 1,
                          [](WarpCode& code) {
                              code.push_back(matrix_inst(MatrixOp::hmma_16816));
                              for (unsigned i = 0; i < 7; ++i)
                                  code.push_back(arithmetic(ExecutionUnit::single_precision));
                          }),
              8.0)
        << "seven beside each matrix instruction";
}

TEST(TensorCores, TheirOperationsAreCounted) {
    const auto code = [](std::uint64_t, unsigned) {
        WarpCode made(3, matrix_inst(MatrixOp::hmma_16816));
        made.back().repeat = 5;
        return made;
    };
    const json counted = run_block(with_tensor_cores(TensorCores::ampere), 2, code);
    EXPECT_EQ(counted["socket0"]["sm"]["matrix_operations"], 2U * 7 * 2 * 16 * 8 * 16);
    EXPECT_FALSE(run_block(one_sm(), 2, code)["socket0"]["sm"].contains("matrix_operations"));
}

TEST(TensorCores, AnInstructionThatTheyLackEndsTheRunWithItsName) {
    for (const MatrixOp op : {MatrixOp::qmma_16832, MatrixOp::unknown}) {
        std::string said;
        try {
            run_block(with_tensor_cores(TensorCores::ampere), 1,
                      [&](std::uint64_t, unsigned) { return WarpCode{matrix_inst(op)}; });
        } catch (const std::runtime_error& error) {
            said = error.what();
        }
        EXPECT_NE(said.find("the tensor cores ampere do not have"), std::string::npos) << said;
        EXPECT_NE(said.find(op == MatrixOp::unknown ? "without a known shape" : "QMMA.16832"), std::string::npos)
            << said;
    }
}

TEST(TensorCores, WithoutATableAnAsynchronousInstructionEndsTheRunWithThoseThatHaveIt) {
    const auto said_of = [](MatrixOp op) {
        try {
            run_block(one_sm(), 1, [&](std::uint64_t, unsigned) { return WarpCode{matrix_inst(op)}; });
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(said_of(MatrixOp::hgmma_64x128x16)
                  .find("HGMMA.64x128x16 is asynchronous, so that without a table of "
                        "tensor cores it would take no time; with hopper it has one"),
              std::string::npos)
        << said_of(MatrixOp::hgmma_64x128x16);
    EXPECT_NE(said_of(MatrixOp::utchmma_128x128x16).find("time; with blackwell it has one"), std::string::npos);
    EXPECT_EQ(said_of(MatrixOp::hmma_16816), "") << "those of a warp take the time of the tensor unit's row";
}

} // namespace
} // namespace numavp::test
