// The rules of AXI4 (IHI 0022) as assertions, to stand beside the pins between a manager and a subordinate.
//
// Instantiate it there, or bind it: `bind memory axi4_checker #(.ID_BITS(4)) rules (.clk(aclk), .rst(!aresetn), .*);`
// Each assertion has a name and says a sentence once; `broken` has a sticky bit for each. Both sides: what is valid
// and not taken stays as it is; nothing is valid in reset. Manager: legal bursts within 4 KB, as many beats of data as
// the address says, strobes only on lanes of the burst. Subordinate: answers only to what waits, of an id in order, a
// write after its last beat, no EXOKAY. With PATIENCE, what waits is served within as many edges.
// Plain SystemVerilog with queues, no `##`: Verilator 5 with --assert takes it, as do larger simulators. Not checked:
// exclusive access, and attributes that numavp's pins do not have; unknown values, which a two-state simulator lacks.
`define AXI4_RULE(NUMBER, NAME, HOLDS, SENTENCE) \
    NAME : assert (HOLDS) \
    else begin \
        if (!broken[NUMBER]) $error(SENTENCE); \
        broken[NUMBER] = 1; \
    end

module axi4_checker #(
    parameter int unsigned ID_BITS = 4,
    parameter int unsigned ADDRESS_BITS = 64,
    parameter int unsigned BYTES = 64,   // of a beat
    parameter int unsigned PATIENCE = 0  // edges; 0: any wait is long enough
) (
    input logic                    clk,
    input logic                    rst,  // synchronous
    input logic                    awvalid,
    input logic                    awready,
    input logic [ID_BITS-1:0]      awid,
    input logic [ADDRESS_BITS-1:0] awaddr,
    input logic [7:0]              awlen,
    input logic [2:0]              awsize,
    input logic [1:0]              awburst,
    input logic                    wvalid,
    input logic                    wready,
    input logic [8*BYTES-1:0]      wdata,
    input logic [BYTES-1:0]        wstrb,
    input logic                    wlast,
    input logic                    bvalid,
    input logic                    bready,
    input logic [ID_BITS-1:0]      bid,
    input logic [1:0]              bresp,
    input logic                    arvalid,
    input logic                    arready,
    input logic [ID_BITS-1:0]      arid,
    input logic [ADDRESS_BITS-1:0] araddr,
    input logic [7:0]              arlen,
    input logic [2:0]              arsize,
    input logic [1:0]              arburst,
    input logic                    rvalid,
    input logic                    rready,
    input logic [ID_BITS-1:0]      rid,
    input logic [8*BYTES-1:0]      rdata,
    input logic [1:0]              rresp,
    input logic                    rlast,
    output logic [32:0]            broken
);
    localparam int unsigned FULL_SIZE = $clog2(BYTES);
    localparam logic [1:0] FIXED = 0, INCR = 1, WRAP = 2, EXOKAY = 1;
    localparam int NOBODY = -1;

    // The tasks of an observer follow one another within an edge; functions take whole addresses and use some of them.
    // verilator lint_off BLKSEQ
    // verilator lint_off UNUSEDSIGNAL

    typedef struct packed {
        logic [ID_BITS-1:0] id;
        logic [ADDRESS_BITS-1:0] addr;
        logic [7:0] len;
        logic [2:0] size;
        logic [1:0] burst;
    } address_t;
    typedef struct packed {
        address_t address;
        logic [8:0] beats;  // so far
        logic complete;  // its data, of a write
    } burst_t;
    typedef struct packed {
        logic [BYTES-1:0] strb;
        logic last;
    } beat_t;

    wire address_t aw = {awid, awaddr, awlen, awsize, awburst};
    wire address_t ar = {arid, araddr, arlen, arsize, arburst};

    burst_t writes[$];  // taken and not answered, in the order of their addresses
    burst_t reads[$];
    beat_t early[$];  // beats that have met no address yet

    function automatic logic [ADDRESS_BITS-1:0] bytes_of(input address_t a);
        return ADDRESS_BITS'(1) << a.size;
    endfunction
    function automatic logic [ADDRESS_BITS-1:0] aligned(input address_t a);
        return a.addr & ~(bytes_of(a) - 1);
    endfunction
    function automatic logic within_4k(input address_t a);
        logic [ADDRESS_BITS-1:0] last;
        last = aligned(a) + (ADDRESS_BITS'(a.len) << a.size);
        return a.burst != INCR || last[ADDRESS_BITS-1:12] == a.addr[ADDRESS_BITS-1:12];
    endfunction
    function automatic logic legal_wrap(input address_t a);
        return a.burst != WRAP || (a.len inside {8'd1, 8'd3, 8'd7, 8'd15} && a.addr == aligned(a));
    endfunction

    // Byte lanes that a beat may write.
    function automatic logic [BYTES-1:0] lanes(input burst_t b);
        logic [ADDRESS_BITS-1:0] size, start, window;
        logic [BYTES-1:0] from_address;
        size = bytes_of(b.address);
        start = aligned(b.address) + (b.address.burst == FIXED ? 0 : ADDRESS_BITS'(b.beats) << b.address.size);
        window = size * (ADDRESS_BITS'(b.address.len) + 1);
        if (b.address.burst == WRAP) start = (b.address.addr & ~(window - 1)) | (start & (window - 1));
        from_address = {BYTES{1'b1}};
        if (b.beats == 0 || b.address.burst == FIXED) from_address = from_address << b.address.addr[FULL_SIZE-1:0];
        return from_address & ((BYTES'(1) << size) - 1 << start[FULL_SIZE-1:0]);
    endfunction

    // --- what both sides drove at the edge before

    logic aw_waits, w_waits, b_waits, ar_waits, r_waits;
    address_t was_aw, was_ar;
    logic [9*BYTES:0] was_w;
    logic [ID_BITS+1:0] was_b;
    logic [8*BYTES+ID_BITS+2:0] was_r;
    always_ff @(posedge clk) begin
        {aw_waits, w_waits, ar_waits} <= rst ? 0 : {awvalid && !awready, wvalid && !wready, arvalid && !arready};
        {b_waits, r_waits} <= rst ? 0 : {bvalid && !bready, rvalid && !rready};
        was_aw <= aw;
        was_ar <= ar;
        was_w <= {wdata, wstrb, wlast};
        was_b <= {bid, bresp};
        was_r <= {rdata, rid, rresp, rlast};
    end

    task automatic check_stable;
        `AXI4_RULE(0, aw_is_stable, !aw_waits || (awvalid && aw == was_aw),
                   "a write address changed before it was taken")
        `AXI4_RULE(1, w_is_stable, !w_waits || (wvalid && {wdata, wstrb, wlast} == was_w),
                   "write data changed before it was taken")
        `AXI4_RULE(2, b_is_stable, !b_waits || (bvalid && {bid, bresp} == was_b),
                   "a write response changed before it was taken")
        `AXI4_RULE(3, ar_is_stable, !ar_waits || (arvalid && ar == was_ar),
                   "a read address changed before it was taken")
        `AXI4_RULE(4, r_is_stable, !r_waits || (rvalid && {rdata, rid, rresp, rlast} == was_r),
                   "read data changed before it was taken")
    endtask

    task automatic check_reset;
        `AXI4_RULE(5, manager_rests_in_reset, !awvalid && !wvalid && !arvalid, "the manager is valid in reset")
        `AXI4_RULE(6, subordinate_rests_in_reset, !bvalid && !rvalid, "the subordinate is valid in reset")
    endtask

    // --- the manager

    task automatic take_addresses;
        if (awvalid && awready) begin
            `AXI4_RULE(7, aw_size_fits, 32'(awsize) <= FULL_SIZE, "a beat to write is wider than the data")
            `AXI4_RULE(8, aw_burst_exists, awburst <= WRAP, "the burst type of a write is reserved")
            `AXI4_RULE(9, aw_length_is_legal, awburst == INCR || awlen <= 15, "a burst to write is too long")
            `AXI4_RULE(10, aw_stays_within_4k, within_4k(aw), "a burst to write crosses 4 KB")
            `AXI4_RULE(11, aw_wraps_legally, legal_wrap(aw), "a wrapping write has an odd length or address")
            writes.push_back({aw, 9'd0, 1'b0});
        end
        if (arvalid && arready) begin
            `AXI4_RULE(12, ar_size_fits, 32'(arsize) <= FULL_SIZE, "a beat to read is wider than the data")
            `AXI4_RULE(13, ar_burst_exists, arburst <= WRAP, "the burst type of a read is reserved")
            `AXI4_RULE(14, ar_length_is_legal, arburst == INCR || arlen <= 15, "a burst to read is too long")
            `AXI4_RULE(15, ar_stays_within_4k, within_4k(ar), "a burst to read crosses 4 KB")
            `AXI4_RULE(16, ar_wraps_legally, legal_wrap(ar), "a wrapping read has an odd length or address")
            reads.push_back({ar, 9'd0, 1'b0});
        end
    endtask

    // Beats meet their addresses, whichever came first.
    task automatic take_write_data;
        if (wvalid && wready) early.push_back({wstrb, wlast});
        for (int i = 0; i < writes.size(); i++) begin
            while (!writes[i].complete && early.size() != 0) begin
                burst_t burst;
                beat_t beat;
                logic last;
                burst = writes[i];
                beat = early.pop_front();
                last = burst.beats == {1'b0, burst.address.len};
                `AXI4_RULE(17, strobes_stay_in_the_burst, (beat.strb & ~lanes(burst)) == 0,
                           "a strobe is outside its burst")
                `AXI4_RULE(18, wlast_is_not_early, last || !beat.last, "WLAST comes before the last beat")
                `AXI4_RULE(19, wlast_is_not_late, !last || beat.last, "the last beat to write has no WLAST")
                burst.beats = burst.beats + 1;
                burst.complete = last || beat.last;
                writes[i] = burst;
            end
        end
    endtask

    // --- the subordinate; answers are to what was taken at earlier edges

    task automatic take_write_response;
        int of;
        of = NOBODY;
        for (int i = writes.size() - 1; i >= 0; i--) if (writes[i].address.id == bid) of = i;
        `AXI4_RULE(20, b_answers_a_write, of != NOBODY, "a write response to an id that waits for none")
        `AXI4_RULE(21, bresp_was_asked_for, bresp != EXOKAY, "EXOKAY to a write that is not exclusive")
        if (of != NOBODY) begin
            `AXI4_RULE(22, b_follows_the_data, writes[of].complete, "a write response before the last beat")
            if (bready) writes.delete(of);
        end
    endtask

    task automatic take_read_data;
        int of;
        of = NOBODY;
        for (int i = reads.size() - 1; i >= 0; i--) if (reads[i].address.id == rid) of = i;
        `AXI4_RULE(23, r_answers_a_read, of != NOBODY, "read data for an id that waits for none")
        `AXI4_RULE(24, rresp_was_asked_for, rresp != EXOKAY, "EXOKAY to a read that is not exclusive")
        if (of != NOBODY) begin
            logic last;
            last = reads[of].beats == {1'b0, reads[of].address.len};
            `AXI4_RULE(25, rlast_is_not_early, last || !rlast, "RLAST comes before the last beat")
            `AXI4_RULE(26, rlast_is_not_late, !last || rlast, "the last beat to read has no RLAST")
            if (rready && (last || rlast)) reads.delete(of);
            else if (rready) reads[of].beats = reads[of].beats + 1;
        end
    endtask

    // --- liveness

    int unsigned waited[6];  // edges: aw, w, b, ar, r, any answer
    wire answered = (bvalid && bready) || (rvalid && rready);
    task automatic check_patience;
        logic [5:0] waits, endless;
        waits = {(reads.size() != 0 || writes.size() != 0) && !answered, rvalid && !rready, arvalid && !arready,
                 bvalid && !bready, wvalid && !wready, awvalid && !awready};
        for (int i = 0; i < 6; i++) begin
            waited[i] = waits[i] ? waited[i] + 1 : 0;
            endless[i] = PATIENCE != 0 && waited[i] >= PATIENCE;
        end
        `AXI4_RULE(27, aw_is_taken, !endless[0], "a write address is never taken")
        `AXI4_RULE(28, w_is_taken, !endless[1], "write data is never taken")
        `AXI4_RULE(29, b_is_taken, !endless[2], "a write response is never taken")
        `AXI4_RULE(30, ar_is_taken, !endless[3], "a read address is never taken")
        `AXI4_RULE(31, r_is_taken, !endless[4], "read data is never taken")
        `AXI4_RULE(32, all_is_answered, !endless[5], "nothing is answered any more")
    endtask

    initial broken = 0;
    always @(posedge clk) begin
        if (rst) begin
            check_reset();
            writes.delete();
            reads.delete();
            early.delete();
            for (int i = 0; i < 6; i++) waited[i] = 0;
        end else begin
            check_stable();
            if (rvalid) take_read_data();
            if (bvalid) take_write_response();
            take_addresses();
            take_write_data();
            check_patience();
        end
    end
endmodule
`undef AXI4_RULE
