// Takes credited flits on one side and gives them on the other, in order, with the signals of AMBA CXS on both.
//
// Above (rx) it is a receiver, below (tx) a transmitter. It buffers DEPTH flits and has as many credits out at most. A
// flit that finds the buffer empty and a credit below goes on two cycles after it was on the pins above. Activation
// goes through: the lower side is asked for when the upper one is, and let go when that is at rest and the buffer is
// empty. `starve` is how often, in 1/256, a credit is held back. All outputs are registers.
module flit_relay #(
    parameter int unsigned DEPTH     = 8,  // a power of two, at most 8: CXS has 15 credits at most
    parameter int unsigned DATA_BITS = 256,
    parameter int unsigned CNTL_BITS = 14
) (
    input  logic                 clk,
    input  logic                 rst,  // synchronous
`ifdef NUMAVP_MUTANTS
    input  logic [4:0]           mutant,  // 0: none; else the fault of that number, for tests of the tests
`endif
    input  logic [7:0]           starve,
    // from the transmitter above
    input  logic                 rx_activereq,
    output logic                 rx_activeack,
    input  logic                 rx_valid,
    input  logic [DATA_BITS-1:0] rx_data,
    input  logic [CNTL_BITS-1:0] rx_cntl,
    output logic                 rx_crdgnt,
    input  logic                 rx_crdrtn,
    // to the receiver below
    output logic                 tx_activereq,
    input  logic                 tx_activeack,
    output logic                 tx_valid,
    output logic [DATA_BITS-1:0] tx_data,
    output logic [CNTL_BITS-1:0] tx_cntl,
    input  logic                 tx_crdgnt,
    output logic                 tx_crdrtn
);
`ifndef NUMAVP_MUTANTS
    localparam logic [4:0] mutant = 0;
`endif
    localparam int unsigned INDEX_BITS = $clog2(DEPTH);
    localparam logic [CNTL_BITS-1:0] START = 1, END = 1 << 4;  // bits of CNTL

    // --- chance: a xorshift generator of 32 bits, a step a cycle

    logic [31:0] chance;
    function automatic logic [31:0] shifted(input logic [31:0] x);
        logic [31:0] y;
        y = x ^ (x << 13);
        y = y ^ (y >> 17);
        return y ^ (y << 5);
    endfunction

    // --- above: every flit has a place before it comes

    logic [4:0] held;  // flits
    logic [4:0] out;   // credits that the transmitter has or that are on their way
    wire [4:0] back = 5'(rx_valid) + 5'(rx_crdrtn);
    wire room = held + out < 5'(DEPTH) + (mutant == 1 ? 5'd4 : 5'd0);
    wire grant = (rx_activereq || mutant == 3) && room && chance[7:0] >= starve && mutant != 4;
    wire put = rx_valid && !(mutant == 5 && chance[15:8] == 0);

    always_ff @(posedge clk) begin
        if (rst) begin
            rx_activeack <= 0;
            rx_crdgnt <= 0;
            out <= 0;
            chance <= 32'h9e3779b9;
        end else begin
            chance <= shifted(chance);
            rx_crdgnt <= grant;
            out <= out + 5'(grant) - back - (mutant == 6 && rx_crdrtn ? 5'd1 : 5'd0);
            if (rx_activereq) rx_activeack <= mutant != 7;
            else if (out == back || mutant == 8) rx_activeack <= 0;
        end
    end

    // --- the buffer

    logic [DATA_BITS-1:0] data[DEPTH];
    logic [CNTL_BITS-1:0] cntl[DEPTH];
    logic [INDEX_BITS-1:0] head, tail;
    logic take;  // the first one goes
    wire [INDEX_BITS-1:0] next = mutant == 9 && held > 1 && chance[19:16] == 0 ? head + 1'b1 : head;

    always_ff @(posedge clk) begin
        if (put) begin
            data[tail] <= mutant == 10 && chance[23:16] == 0 ? rx_data ^ (DATA_BITS'(1) << 77) : rx_data;
            cntl[tail] <= rx_cntl;
        end
        if (rst) begin
            head <= 0;
            tail <= 0;
            held <= 0;
        end else begin
            tail <= tail + INDEX_BITS'(put);
            head <= head + INDEX_BITS'(take);
            held <= held + 5'(put) - 5'(take);
        end
    end

    // --- below

    logic [4:0] credits;
    wire running = (tx_activereq || mutant == 11) && tx_activeack;
    wire send = running && held != 0 && (credits != 0 || mutant == 12);
    assign take = send && !(mutant == 13 && chance[27:20] == 0);
    wire give_back = !tx_activereq && tx_activeack && (credits != 0 || mutant == 14) && mutant != 15;
    wire done = !rx_activereq && !rx_activeack && held == 0 && !rx_valid;

    always_ff @(posedge clk) begin
        if (rst) begin
            tx_activereq <= 0;
            tx_valid <= 0;
            tx_crdrtn <= 0;
            credits <= 0;
        end else begin
            tx_valid <= send;
            tx_crdrtn <= give_back;
            credits <= credits + 5'(tx_crdgnt) - 5'(send && credits != 0) - 5'(give_back);
            if (tx_activereq) tx_activereq <= !((tx_activeack && done) || (mutant == 16 && running && held == 0));
            else tx_activereq <= (!tx_activeack || mutant == 17) && (rx_activereq || held != 0);
        end
        if (send) begin
            tx_data <= data[next];
            tx_cntl <= cntl[next] & ~(mutant == 18 ? END : mutant == 2 ? START : '0);
        end
    end

`ifdef NUMAVP_ASSERTIONS
    logic known;
    initial known = 0;
    always_ff @(posedge clk) begin
        known <= 1;  // the first edge is in reset
        if (known && !rst) begin
            buffer_has_room : assert (!rx_valid || held < 5'(DEPTH));
            places_are_kept : assert (held + out <= 5'(DEPTH));
            buffer_is_counted : assert (INDEX_BITS'(held) == tail - head);
        end
    end

    flit_checker #(
        .MOST_CREDITS(DEPTH)
    ) above (
        .clk,
        .rst,
        .activereq(rx_activereq),
        .activeack(rx_activeack),
        .valid(rx_valid),
        .cntl(rx_cntl),
        .crdgnt(rx_crdgnt),
        .crdrtn(rx_crdrtn)
    );

    flit_checker below (
        .clk,
        .rst,
        .activereq(tx_activereq),
        .activeack(tx_activeack),
        .valid(tx_valid),
        .cntl(tx_cntl),
        .crdgnt(tx_crdgnt),
        .crdrtn(tx_crdrtn)
    );
`endif
endmodule
