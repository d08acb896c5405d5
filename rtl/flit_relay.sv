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
    localparam int unsigned INDEX_BITS = $clog2(DEPTH);

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
    wire room = held + out < 5'(DEPTH);
    wire grant = rx_activereq && room && chance[7:0] >= starve;

    always_ff @(posedge clk) begin
        if (rst) begin
            rx_activeack <= 0;
            rx_crdgnt <= 0;
            out <= 0;
            chance <= 32'h9e3779b9;
        end else begin
            chance <= shifted(chance);
            rx_crdgnt <= grant;
            out <= out + 5'(grant) - back;
            if (rx_activereq) rx_activeack <= 1;
            else if (out == back) rx_activeack <= 0;
        end
    end

    // --- the buffer

    logic [DATA_BITS-1:0] data[DEPTH];
    logic [CNTL_BITS-1:0] cntl[DEPTH];
    logic [INDEX_BITS-1:0] head, tail;
    logic send;  // the first one goes

    always_ff @(posedge clk) begin
        if (rx_valid) begin
            data[tail] <= rx_data;
            cntl[tail] <= rx_cntl;
        end
        if (rst) begin
            head <= 0;
            tail <= 0;
            held <= 0;
        end else begin
            tail <= tail + INDEX_BITS'(rx_valid);
            head <= head + INDEX_BITS'(send);
            held <= held + 5'(rx_valid) - 5'(send);
        end
    end

    // --- below

    logic [4:0] credits;
    wire running = tx_activereq && tx_activeack;
    assign send = running && held != 0 && credits != 0;
    wire give_back = !tx_activereq && tx_activeack && credits != 0;
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
            credits <= credits + 5'(tx_crdgnt) - 5'(send) - 5'(give_back);
            if (tx_activereq) tx_activereq <= !(tx_activeack && done);
            else tx_activereq <= !tx_activeack && (rx_activereq || held != 0);
        end
        if (send) begin
            tx_data <= data[head];
            tx_cntl <= cntl[head];
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
