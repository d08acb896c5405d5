// The receiving end of a line with errors, with its assertions, those on its pins among them, and its mutants, for the tests.
module flit_retry_receiver_bench (
    input  logic         clk,
    input  logic         rst,
    input  logic [4:0]   mutant,
    input  logic [9:0]   round_trip,
    input  logic         line_valid,
    input  logic [7:0]   line_number,
    input  logic [13:0]  line_cntl,
    input  logic [255:0] line_data,
    input  logic [31:0]  line_crc,
    output logic         acknowledge,
    output logic         again,
    output logic [7:0]   answered,
    output logic         credit,
    output logic         tx_activereq,
    input  logic         tx_activeack,
    output logic         tx_valid,
    output logic [255:0] tx_data,
    output logic [13:0]  tx_cntl,
    input  logic         tx_crdgnt,
    output logic         tx_crdrtn
);
    flit_retry_receiver receiver (.*);
endmodule
