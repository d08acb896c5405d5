// A page-fault driver in hardware: an AXI4-Lite manager that serves the page-fault unit (sw/driver/registers.json).
//
// While the interrupt line is up it takes fault after fault: reads HEAD_INFO and HEAD_PAGE, gives the page the next
// frame in turn of the sockets, writes its entry into a leaf table that stands already, then POP and DONE. Each access
// waits for the answer to the one before. An answer that is not OKAY stops it for good, with `failed`.
// Not done: missing table pages, full memories, migration; the driver of sw/driver does.
module fault_poller #(
    parameter logic [63:0] FAULT_UNIT = 64'h1000_0000,
    parameter logic [63:0] MEMORIES = 64'h4000_0000_0000_0000
) (
    input  logic        clk,
    input  logic        rst,  // synchronous
    input  logic        irq,
    input  logic [5:0]  socket_shift,
    input  logic [5:0]  page_shift,
    input  logic [15:0] sockets,
    input  logic [63:0] leaf_table,  // physical address of the table page with the entries of all pages
    output logic        idle,  // waits for the line
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
    localparam logic [63:0] CONTROL = 64'h08, HEAD_PAGE = 64'h10, HEAD_INFO = 64'h18, POP = 64'h20, DONE = 64'h28;
    localparam int unsigned VALID = 17;  // of HEAD_INFO
    localparam logic [63:0] LEAF = 3;  // a valid one

    // Each state but REST and STOP is an access.
    typedef enum logic [2:0] {ENABLE, REST, INFO, PAGE, ENTRY, TAKE, COMPLETE, STOP} state_t;
    state_t state, next;
    logic   asked;  // the access of the state is under way

    logic [63:0] page, socket, frame;
    wire [63:0] entry = (socket << socket_shift) | (frame << page_shift) | LEAF;

    wire reads = state == INFO || state == PAGE;
    wire answered = asked && ((rvalid && rready) || (bvalid && bready));
    wire error = (rvalid && rresp != 0) || (bvalid && bresp != 0);
    assign idle = state == STOP || (state == REST && !irq);
    assign failed = state == STOP;
    assign wstrb = '1;

    always_comb begin
        next = state;
        case (state)
            ENABLE: next = REST;
            INFO: next = rdata[VALID] ? PAGE : REST;
            PAGE: next = ENTRY;
            ENTRY: next = TAKE;
            TAKE: next = COMPLETE;
            COMPLETE: next = INFO;
            default: next = state;
        endcase
        if (error) next = STOP;
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            state <= ENABLE;
            asked <= 0;
            {awvalid, wvalid, bready, arvalid, rready} <= 0;
            socket <= 0;
            frame <= 0;
        end else if (state == REST) begin
            if (irq) state <= INFO;
        end else if (state != STOP && !asked) begin
            asked <= 1;
            if (reads) begin
                arvalid <= 1;
                rready <= 1;
                araddr <= FAULT_UNIT + (state == INFO ? HEAD_INFO : HEAD_PAGE);
            end else begin
                awvalid <= 1;
                wvalid <= 1;
                bready <= 1;
                case (state)
                    ENABLE: {awaddr, wdata} <= {FAULT_UNIT + CONTROL, 64'd1};
                    ENTRY: {awaddr, wdata} <= {MEMORIES + leaf_table + 64'({page[8:0], 3'd0}), entry};
                    TAKE: {awaddr, wdata} <= {FAULT_UNIT + POP, 64'd1};
                    default: {awaddr, wdata} <= {FAULT_UNIT + DONE, page};
                endcase
            end
        end else if (asked) begin
            if (arready) arvalid <= 0;
            if (awready) awvalid <= 0;
            if (wready) wvalid <= 0;
            if (answered) begin
                asked <= 0;
                {rready, bready} <= 0;
                state <= next;
                if (state == PAGE) page <= rdata;
                if (state == COMPLETE) begin
                    socket <= socket + 1 == 64'(sockets) ? 0 : socket + 1;
                    if (socket + 1 == 64'(sockets)) frame <= frame + 1;
                end
            end
        end
    end

`ifdef NUMAVP_ASSERTIONS
    always_ff @(posedge clk) begin
        if (!rst) begin
            one_access_at_a_time : assert (!(rready && bready));
            an_access_has_its_answer_awaited : assert ((!arvalid || rready) && (!(awvalid || wvalid) || bready));
        end
    end
`endif
endmodule
