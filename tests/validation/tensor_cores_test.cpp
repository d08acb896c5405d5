/// Matrix instructions on tensor cores, in closed forms: chains, independent streams, rates of whole machines.
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
    // Measured: 494.4 of an H800's 114 SMs at 1.755 GHz (a mean over shapes), 569 to 577 of a B300's 148 at 1.92 GHz.
    EXPECT_NEAR(tera(Cores::hopper_mma_sync, Matrix::hmma_16816, 114, 1.755), 494.4, 0.05 * 494.4);
    EXPECT_NEAR(tera(Cores::blackwell_mma_sync, Matrix::hmma_16816, 148, 1.92), 573, 0.02 * 573);
}

TEST(TensorCores, OfTwoSchedulersHaveTwiceTheWorkEach) {
    EXPECT_EQ(matrix_timing(Cores::ampere, Matrix::hmma_16816, 2).interval, 4.0);
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

} // namespace
} // namespace numavp::test
