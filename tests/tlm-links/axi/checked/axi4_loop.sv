// The RTL manager and the RTL memory, pin to pin and with their assertions: no bridge, no C++.
module axi4_loop (
    input  logic        clk,
    input  logic        rst,
    input  logic [63:0] seed,
    input  logic [31:0] bursts,
    input  logic [8:0]  rate,
    input  logic [7:0]  stall,
    input  logic [7:0]  ram_stall,
    input  logic [6:0]  most_beats,
    output logic        idle,
    output logic [31:0] answered,
    output logic [31:0] wrong
);
    logic awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
    logic [3:0] awid, bid, arid, rid;
    logic [63:0] awaddr, araddr, wstrb;
    logic [7:0] awlen, arlen;
    logic [511:0] wdata, rdata;
    logic [1:0] bresp, rresp;
    axi4_master master (
        .base(64'h0),
        .*
    );
    axi4_ram ram (
        .stall(ram_stall),
        .*
    );
endmodule
