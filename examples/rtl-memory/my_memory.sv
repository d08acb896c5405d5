// Your memory: AXI4, 512 bits, a burst at a time, 256 KiB.
module my_memory (
    input  logic         clk,
    input  logic         rst,
    input  logic         spoil,  // changes a bit of what is read
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
    output logic         rlast
);
    localparam int WORDS = 4096;
    typedef enum logic [1:0] {IDLE, WRITE, RESPOND, READ} state_t;
    state_t state;
    logic [511:0] words[WORDS];
    logic [$clog2(WORDS)-1:0] at;
    logic [7:0] left;

    assign arready = state == IDLE;
    assign awready = state == IDLE && !arvalid;
    assign wready = state == WRITE;
    assign bvalid = state == RESPOND;
    assign rvalid = state == READ;
    assign rdata = words[at] ^ 512'(spoil);
    assign rlast = left == 0;
    assign {bresp, rresp} = 0;

    always_ff @(posedge clk) begin
        case (state)
            IDLE:
            if (arvalid) begin
                {rid, at, left} <= {arid, araddr[6+:$bits(at)], arlen};
                state <= READ;
            end else if (awvalid) begin
                {bid, at} <= {awid, awaddr[6+:$bits(at)]};
                state <= WRITE;
            end
            WRITE:
            if (wvalid) begin
                for (int i = 0; i < 64; i++) if (wstrb[i]) words[at][8*i+:8] <= wdata[8*i+:8];
                at <= at + 1;
                if (wlast) state <= RESPOND;
            end
            RESPOND: if (bready) state <= IDLE;
            READ:
            if (rready) begin
                at <= at + 1;
                left <= left - 1;
                if (left == 0) state <= IDLE;
            end
        endcase
        if (rst) state <= IDLE;
    end
endmodule
