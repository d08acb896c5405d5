#include "platform/run/interrupt.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace numavp {
namespace {

volatile std::sig_atomic_t guarded = 0;
volatile std::sig_atomic_t noted = 0;
volatile std::sig_atomic_t on_terminal = 0;
const char* volatile noted_sentence = nullptr;

/// On a terminal the sentence comes after the line of progress. A reader that is gone is no reason to end.
bool tell(const char* sentence) {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    const bool told = (on_terminal == 0 || ::write(STDERR_FILENO, "\n", 1) == 1) &&
                      ::write(STDERR_FILENO, sentence, std::strlen(sentence)) >= 0;
    std::signal(SIGPIPE, before);
    return told;
}

extern "C" void on_signal(int signal) {
    if (guarded != 0 && noted == 0) {
        noted = signal;
        const int error = errno; // of the code that goes on
        if (const char* const sentence = noted_sentence; sentence != nullptr) tell(sentence);
        errno = error;
        return;
    }
    if (!tell("numavp: interrupted\n")) _exit(1);
    _exit(128 + signal);
}

} // namespace

void end_on_interrupt() {
    on_terminal = ::isatty(STDERR_FILENO) == 1 ? 1 : 0;
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
}

InterruptGuard::InterruptGuard(const char* sentence) {
    noted_sentence = sentence;
    guarded = 1;
}

InterruptGuard::~InterruptGuard() { guarded = 0; }

void InterruptGuard::say_nothing() { noted_sentence = nullptr; }

void InterruptGuard::check() const {
    if (noted != 0) throw Interrupted(noted);
}

} // namespace numavp
