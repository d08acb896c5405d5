#include "platform/run/interrupt.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace numavp {
namespace {

volatile std::sig_atomic_t guarded = 0;
volatile std::sig_atomic_t noted = 0;
const char* interrupt_sentence = "numavp: interrupted\n";

extern "C" void on_signal(int signal) {
    if (guarded != 0 && noted == 0) {
        noted = signal;
        return;
    }
    if (::write(STDERR_FILENO, interrupt_sentence, std::strlen(interrupt_sentence)) < 0) _exit(1);
    _exit(128 + signal);
}

} // namespace

void end_on_interrupt() {
    // On a terminal the sentence comes after the line of progress.
    if (::isatty(STDERR_FILENO) == 1) interrupt_sentence = "\nnumavp: interrupted\n";
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
}

InterruptGuard::InterruptGuard() { guarded = 1; }

InterruptGuard::~InterruptGuard() { guarded = 0; }

void InterruptGuard::check() const {
    if (noted != 0) throw Interrupted(noted);
}

} // namespace numavp
