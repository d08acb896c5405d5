/// The program `numavp`.
#include <cstdlib>

#include <systemc>

#include "base/values/huge_heap.h"
#include "platform/cli/cli.h"

// SystemC prints its banner when main() enters the kernel, so that its main() is not used.
int sc_main(int argc, char** argv) { return numavp::run_cli(argc, argv); }

int main(int argc, char** argv) {
    numavp::grow_heap_in_huge_pages();
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
