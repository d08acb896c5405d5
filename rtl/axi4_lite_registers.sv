// Registers behind an AXI4-Lite subordinate port of 64 bits: REGISTERS of them that are read and written with byte
// strobes, then one that counts its reads and clears when it is written, read-once registers being the hard ones.
//
// `stall` is how often, in 1/256, each channel holds back. Other addresses are answered DECERR, unaligned ones SLVERR,
// and change nothing.
module axi4_lite_registers #(
    parameter int unsigned REGISTERS = 16
) (
    input  logic        clk,
    input  logic        rst,  // synchronous
    input  logic [7:0]  stall,
    input  logic        awvalid,
    output logic        awready,
    input  logic [63:0] awaddr,
    input  logic        wvalid,
    output logic        wready,
    input  logic [63:0] wdata,
    input  logic [7:0]  wstrb,
    output logic        bvalid,
    input  logic        bready,
    output logic [1:0]  bresp,
    input  logic        arvalid,
    output logic        arready,
    input  logic [63:0] araddr,
    output logic        rvalid,
    input  logic        rready,
    output logic [63:0] rdata,
    output logic [1:0]  rresp
);
    localparam int unsigned BITS = $clog2(REGISTERS);
    localparam logic [1:0] OKAY = 0, SLVERR = 2, DECERR = 3;

    logic [63:0] registers[REGISTERS];
    logic [63:0] reads;  // of the register behind them

    function automatic logic [1:0] answer(input logic [63:0] address);
        if (address >> 3 > 64'(REGISTERS)) return DECERR;
        return address[2:0] == 0 ? OKAY : SLVERR;
    endfunction

    logic [63:0] chance;  // of a xorshift generator
    function automatic logic [63:0] shifted(input logic [63:0] x);
        logic [63:0] y;
        y = x ^ (x << 13);
        y = y ^ (y >> 7);
        return y ^ (y << 17);
    endfunction
    logic [4:0] open;  // per channel: aw, w, b, ar, r
    always_comb for (int i = 0; i < 5; i++) open[i] = chance[8*i+:8] >= stall;

    // A write waits for both halves, a read for its turn to answer.
    logic has_address, has_data, has_read;
    logic [63:0] write_address, data, read_address;
    logic [7:0] strobes;
    assign awready = open[0] && !has_address && !rst;
    assign wready = open[1] && !has_data && !rst;
    assign arready = open[3] && !has_read && !rst;
    wire writes = has_address && has_data && !bvalid && open[2];
    wire answers = has_read && !rvalid && open[4];

    always_ff @(posedge clk) begin
        if (rst) begin
            {has_address, has_data, has_read, bvalid, rvalid} <= 0;
            chance <= 64'h9e3779b97f4a7c15;
            reads <= 0;
            for (int i = 0; i < REGISTERS; i++) registers[i] <= 0;
        end else begin
            chance <= shifted(chance);
            if (awvalid && awready) {has_address, write_address} <= {1'b1, awaddr};
            if (wvalid && wready) {has_data, data, strobes} <= {1'b1, wdata, wstrb};
            if (arvalid && arready) {has_read, read_address} <= {1'b1, araddr};
            if (bvalid && bready) bvalid <= 0;
            if (rvalid && rready) rvalid <= 0;
            if (answers) begin
                has_read <= 0;
                rvalid <= 1;
                rresp <= answer(read_address);
                rdata <= read_address >> 3 == 64'(REGISTERS) ? reads : registers[read_address[BITS+2:3]];
                if (read_address == 64'(8 * REGISTERS)) reads <= reads + 1;
            end
            if (writes) begin
                {has_address, has_data} <= 0;
                bvalid <= 1;
                bresp <= answer(write_address);
                if (write_address == 64'(8 * REGISTERS)) reads <= 0;
                else if (answer(write_address) == OKAY)
                    for (int i = 0; i < 8; i++)
                        if (strobes[i]) registers[write_address[BITS+2:3]][8*i+:8] <= data[8*i+:8];
            end
        end
    end
endmodule
