/// SystemC's library asks every program for this function. Here the caller's program begins by itself.
#include <numavp/c.h>
#include <systemc>

extern "C" NUMAVP_C int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
