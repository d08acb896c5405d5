// numavp for a SystemVerilog testbench: the functions of numavp/c.h, which says what each does. Link libnumavp_c.
//
// A data value is a line of 128 bytes, byte i in bits 8 i + 7 to 8 i; of strobes bit i is that of byte i.
/* verilator lint_off TIMESCALEMOD */ // nothing here takes time
package numavp_pkg;
    typedef bit [1023:0] line_t;
    typedef bit [127:0] strobes_t;
    localparam int OK = 0, NOT_YET = 1, ERROR = -1;

    import "DPI-C" function string numavp_version();
    import "DPI-C" function string numavp_last_error();
    import "DPI-C" function int numavp_create(input string system, input string workload, input string settings);
    import "DPI-C" function int numavp_open_port(input int socket);
    import "DPI-C" function int numavp_open_memory(input int socket, input int channel);
    import "DPI-C" function int numavp_advance(input longint unsigned ps);
    import "DPI-C" function longint unsigned numavp_time_ps();
    import "DPI-C" function int numavp_ended();
    import "DPI-C" function longint unsigned numavp_address(input int socket, input longint unsigned offset);

    import "DPI-C" function int numavp_post_read(input int port, input longint unsigned address,
                                                 input int unsigned bytes, input longint unsigned tag);
    import "DPI-C" function int numavp_post_write(input int port, input longint unsigned address,
                                                  input int unsigned bytes, input line_t data,
                                                  input strobes_t strobes, input longint unsigned tag);
    import "DPI-C" function int numavp_collect(input int port, output longint unsigned tag, output int failed,
                                               output line_t data);
    // `bytes` of the line are read; the others stay undefined.
    import "DPI-C" function int numavp_read(input int port, input longint unsigned address,
                                            input int unsigned bytes, output line_t data);
    import "DPI-C" function int numavp_write(input int port, input longint unsigned address,
                                             input int unsigned bytes, input line_t data, input strobes_t strobes);
    import "DPI-C" function int numavp_peek(input int port, input longint unsigned address,
                                            input int unsigned bytes, output line_t data);

    import "DPI-C" function int numavp_next_request(input int memory, output longint unsigned id, output int write,
                                                    output longint unsigned address, output int unsigned bytes,
                                                    output line_t data, output strobes_t strobes);
    import "DPI-C" function int numavp_respond(input int memory, input longint unsigned id, input line_t data,
                                               input int failed);

    import "DPI-C" function int numavp_statistic(input string path, output real value);
    import "DPI-C" function string numavp_results();
    import "DPI-C" function int numavp_end(input int drain);
endpackage
/* verilator lint_on TIMESCALEMOD */
