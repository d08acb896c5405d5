// The relay with its assertions, those on the pins of both sides among them, and its mutants, for the tests.
module flit_bench (
    input  logic         clk,
    input  logic         rst,
    input  logic [4:0]   mutant,
    input  logic [7:0]   starve,
    input  logic         rx_activereq,
    output logic         rx_activeack,
    input  logic         rx_valid,
    input  logic [255:0] rx_data,
    input  logic [13:0]  rx_cntl,
    output logic         rx_crdgnt,
    input  logic         rx_crdrtn,
    output logic         tx_activereq,
    input  logic         tx_activeack,
    output logic         tx_valid,
    output logic [255:0] tx_data,
    output logic [13:0]  tx_cntl,
    input  logic         tx_crdgnt,
    output logic         tx_crdrtn
);
    flit_relay relay (.*);
endmodule
