/// Entry of every test program: runs GoogleTest inside SystemC and fails a test in which SystemC warned.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <systemc>

#include "tests/support/sanitized.h"
#include "tests/support/tests_apart.h"

#ifdef NUMAVP_ADDRESS_SANITIZER
#include <pthread.h>

#include <sanitizer/common_interface_defs.h>
#endif

namespace {

/// Programs that a test starts don't look for leaks when they end, which is a quarter of the time of a short one. Tests
/// look for those of what they call themselves, and runs that scripts start (same_bytes) look for their own.
void set_sanitizer_of_programs() {
#ifdef NUMAVP_ADDRESS_SANITIZER
    const char* const given = getenv("ASAN_OPTIONS");
    setenv("ASAN_OPTIONS", (std::string(given != nullptr ? given : "") + ":detect_leaks=0").c_str(), 1);
#endif
}

/// SystemC tells the address sanitizer of the stack that it switches to, and not that it is back from a thread that has
/// ended: the search for leaks would then read a stack that is gone, and crash.
void back_on_own_stack() {
#ifdef NUMAVP_ADDRESS_SANITIZER
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* bottom = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    __sanitizer_start_switch_fiber(nullptr, bottom, size);
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

/// A warning fails the running test. An error throws `sc_core::sc_report` as always: a test that expects one
/// catches it, any other fails by the uncaught exception.
void fail_on_warning(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING) {
        ADD_FAILURE() << "SystemC warning " << report.get_msg_type() << ": " << report.get_msg() << " ("
                      << report.get_file_name() << ":" << report.get_line_number() << ")";
    }
    sc_core::sc_report_handler::default_handler(report, actions);
}

} // namespace

int sc_main(int argc, char** argv) {
    sc_core::sc_report_handler::set_handler(fail_on_warning);
    ::testing::InitGoogleTest(&argc, argv);
    if (argc > 1) { // words for another program: called as /proc/self/exe this one would start itself again and again
        std::fprintf(stderr, "%s: unknown word '%s'\n", argv[0], argv[1]);
        return 2;
    }
    if (const char* const seconds = std::getenv("NUMAVP_TESTS_APART")) {
        if (const std::optional<int> status = numavp::test::run_tests_apart(seconds)) return *status;
    }
    const int status = RUN_ALL_TESTS();
    back_on_own_stack();
    return status;
}

int main(int argc, char** argv) {
    setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0); // the banner would drown the tests' own words
    set_sanitizer_of_programs();
    return sc_core::sc_elab_and_sim(argc, argv);
}
