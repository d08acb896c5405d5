// What $finish, $stop and Verilator's own errors do: they end the run, not the process.
//
// A program with Verilated models of its own brings a runtime with other endings. Then the linker takes nothing from
// this file, so nothing else may be defined here.
#include <cstdio>
#include <string>
#include <verilated.h>

#include "rtl/block_end.h"

namespace {

std::string place_of(const char* file, int line, const char* block) {
    if (file && *file) return file + (":" + std::to_string(line));
    return block && *block ? block : "an RTL block";
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): names and arguments are Verilator's
void vl_finish(const char* file, int line, const char* block) {
    Verilated::threadContextp()->gotFinish(true);
    numavp::rtl::end_by_block(place_of(file, line, block), "$finish");
}

void vl_fatal(const char* file, int line, const char* block, const char* what) {
    Verilated::threadContextp()->gotError(true);
    Verilated::threadContextp()->gotFinish(true);
    Verilated::runFlushCallbacks();
    numavp::rtl::end_by_block(place_of(file, line, block), what);
}

/// Of $stop, $error, $fatal and assertions, which have printed their messages.
void vl_stop(const char* file, int line, const char* block) {
    VerilatedContext* const context = Verilated::threadContextp();
    if (context->fatalOnError()) vl_fatal(file, line, block, "$stop, $error, $fatal or a failed assertion");
    context->gotError(true); // a test counts them
    context->gotFinish(true);
    std::fprintf(stderr, "%%Error: %s: $stop\n", place_of(file, line, block).c_str());
    Verilated::runFlushCallbacks();
}
