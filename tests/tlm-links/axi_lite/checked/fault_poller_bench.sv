// The fault poller with its assertions, and a fault if one is asked for.
module fault_poller_bench (
    input  logic        clk,
    input  logic        rst,
    input  logic [4:0]  mutant,
    input  logic        irq,
    input  logic [5:0]  socket_shift,
    input  logic [5:0]  page_shift,
    input  logic [15:0] sockets,
    input  logic [63:0] leaf_table,
    output logic        idle,
    output logic        failed,
    output logic        awvalid,
    input  logic        awready,
    output logic [63:0] awaddr,
    output logic        wvalid,
    input  logic        wready,
    output logic [63:0] wdata,
    output logic [7:0]  wstrb,
    input  logic        bvalid,
    output logic        bready,
    input  logic [1:0]  bresp,
    output logic        arvalid,
    input  logic        arready,
    output logic [63:0] araddr,
    input  logic        rvalid,
    output logic        rready,
    input  logic [63:0] rdata,
    input  logic [1:0]  rresp
);
    fault_poller poller (.*);
endmodule
