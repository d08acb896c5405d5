/// Entry of every test program: runs GoogleTest inside SystemC and fails a test in which SystemC warned.
#include <cstdlib>

#include <gtest/gtest.h>
#include <systemc>

namespace {

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
    return RUN_ALL_TESTS();
}

int main(int argc, char** argv) {
    setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0); // the banner would drown the tests' own words
    return sc_core::sc_elab_and_sim(argc, argv);
}
