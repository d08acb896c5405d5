// The sending end of a line with errors, with its assertions, those on its pins among them, and its mutants, for the tests.
module flit_retry_sender_bench (
    input  logic         clk,
    input  logic         rst,
    input  logic [4:0]   mutant,
    input  logic [7:0]   buffer_flits,
    input  logic         rx_activereq,
    output logic         rx_activeack,
    input  logic         rx_valid,
    input  logic [255:0] rx_data,
    input  logic [13:0]  rx_cntl,
    output logic         rx_crdgnt,
    input  logic         rx_crdrtn,
    output logic         line_valid,
    output logic [7:0]   line_number,
    output logic [13:0]  line_cntl,
    output logic [255:0] line_data,
    output logic [31:0]  line_crc,
    input  logic         acknowledge,
    input  logic         again,
    input  logic [7:0]   answered,
    input  logic         credit
);
    flit_retry_sender sender (.*);
endmodule
