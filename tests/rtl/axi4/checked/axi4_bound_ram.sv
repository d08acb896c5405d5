// The AXI4 memory with the rules of AXI4 bound to its pins, and a fault if one is asked for.
module axi4_bound_ram (
    input  logic         clk,
    input  logic         rst,
    input  logic [4:0]   mutant,
    input  logic [7:0]   stall,
    input  logic         awvalid,
    output logic         awready,
    input  logic [3:0]   awid,
    input  logic [63:0]  awaddr,
    input  logic [7:0]   awlen,
    input  logic         wvalid,
    output logic         wready,
    input  logic [511:0] wdata,
    input  logic [63:0]  wstrb,
    input  logic         wlast,
    output logic         bvalid,
    input  logic         bready,
    output logic [3:0]   bid,
    output logic [1:0]   bresp,
    input  logic         arvalid,
    output logic         arready,
    input  logic [3:0]   arid,
    input  logic [63:0]  araddr,
    input  logic [7:0]   arlen,
    output logic         rvalid,
    input  logic         rready,
    output logic [3:0]   rid,
    output logic [511:0] rdata,
    output logic [1:0]   rresp,
    output logic         rlast,
    output logic [32:0]  broken
);
    axi4_ram ram (.*);
    assign broken = ram.rules.broken;
endmodule

// verilator lint_off PINCONNECTEMPTY
bind axi4_ram axi4_checker #(
    .ID_BITS(ID_BITS),
    .PATIENCE(5000)
) rules (
    .awsize(3'd6),
    .awburst(2'd1),
    .arsize(3'd6),
    .arburst(2'd1),
    .broken(),
    .*
);
