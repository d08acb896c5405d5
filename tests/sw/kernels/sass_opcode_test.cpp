/// Which unit executes an opcode, and what goes past the L1.
#include <gtest/gtest.h>

#include "sw/traces/sass_opcode.h"

namespace numavp {
namespace {

TEST(SassOpcode, HasTheUnitThatExecutesIt) {
    EXPECT_EQ(meaning_of_opcode("FFMA").unit, ExecutionUnit::single_precision);
    EXPECT_EQ(meaning_of_opcode("FADD.FTZ").unit, ExecutionUnit::single_precision);
    EXPECT_EQ(meaning_of_opcode("IMAD.WIDE").unit, ExecutionUnit::integer);
    EXPECT_EQ(meaning_of_opcode("HFMA2.MMA").unit, ExecutionUnit::half_precision);
    EXPECT_EQ(meaning_of_opcode("DFMA").unit, ExecutionUnit::double_precision);
    EXPECT_EQ(meaning_of_opcode("MUFU.RCP").unit, ExecutionUnit::special);
    EXPECT_EQ(meaning_of_opcode("I2F.U32").unit, ExecutionUnit::convert);
    EXPECT_EQ(meaning_of_opcode("HMMA.884.F32.F32.STEP0").unit, ExecutionUnit::tensor);
    EXPECT_EQ(meaning_of_opcode("BRA").unit, ExecutionUnit::branch);
    EXPECT_EQ(meaning_of_opcode("SHFL.BFLY").unit, ExecutionUnit::other);
    EXPECT_EQ(meaning_of_opcode("NEVERHEARDOF").unit, ExecutionUnit::integer);
}

TEST(SassOpcode, HasTheShapeOfAMatrixInstruction) {
    EXPECT_EQ(meaning_of_opcode("HMMA.16816.F32").matrix, MatrixOp::hmma_16816);
    EXPECT_EQ(meaning_of_opcode("HMMA.16816.F32.BF16").matrix, MatrixOp::hmma_16816);
    EXPECT_EQ(meaning_of_opcode("HMMA.1688.F16").matrix, MatrixOp::hmma_1688);
    EXPECT_EQ(meaning_of_opcode("HMMA.1688.F32.TF32").matrix, MatrixOp::hmma_1688_tf32);
    EXPECT_EQ(meaning_of_opcode("IMMA.16832.S8.S8.SAT").matrix, MatrixOp::imma_16832);
    EXPECT_EQ(meaning_of_opcode("DMMA.884").matrix, MatrixOp::dmma_884);
    EXPECT_EQ(meaning_of_opcode("QMMA.16832.F32.E4M3.E4M3").matrix, MatrixOp::qmma_16832);
    EXPECT_EQ(meaning_of_opcode("HMMA.884.F32.F32.STEP0").matrix, MatrixOp::unknown);
    EXPECT_EQ(meaning_of_opcode("HMMA").matrix, MatrixOp::unknown);
    EXPECT_EQ(meaning_of_opcode("FFMA.16816").matrix, MatrixOp::unknown);
}

TEST(SassOpcode, GoesPastTheL1IfItIsCachedInTheL2Alone) {
    for (const char* past : {"LDG.E.64.STRONG.GPU", "LDG.E.CG", "LD.E.CV.64", "LDG.E.STRONG.SYS"})
        EXPECT_TRUE(meaning_of_opcode(past).bypass_l1) << past;
    for (const char* through : {"LDG.E.SYS", "LDG.E.CI", "LDG.E.CONSTANT.SYS", "LDS.U"})
        EXPECT_FALSE(meaning_of_opcode(through).bypass_l1) << through;
}

} // namespace
} // namespace numavp
