// Assertions on the pins of one direction of a link with credited flits, whatever stands at its ends; the rules are
// those of FlitMonitor (tlm-links/flits/flit_monitor.h). For simulation: to be put beside a device or bound to it.
//
// Liveness: a wait of PATIENCE cycles for what the other end owes is a breach.
module flit_checker #(
    parameter int unsigned MOST_CREDITS = 15,
    parameter int unsigned PATIENCE     = 1000
) (
    input logic        clk,
    input logic        rst,
    input logic        activereq,
    input logic        activeack,
    input logic        valid,
    input logic [13:0] cntl,
    input logic        crdgnt,
    input logic        crdrtn
);
    localparam int unsigned START = 0, END = 4;
    localparam logic [13:0] USED = 14'h0711;  // one start at byte 0, one end

    wire run = activereq && activeack;
    logic was_req, was_ack;  // at the edge before
    logic known, in_packet;
    logic [5:0] credits;  // that the transmitter has
    logic [31:0] waited, silent;
    initial known = 0;

    always_ff @(posedge clk) begin
        known <= 1;  // the first edge is in reset
        was_req <= activereq;
        was_ack <= activeack;
        credits <= credits + 6'(crdgnt) - 6'(valid) - 6'(crdrtn);
        if (valid) in_packet <= !cntl[END];
        // The answer to a request; credits where there is none; a packet's next flit where there is one.
        waited <= activereq != activeack && activereq == was_req && activeack == was_ack && !crdrtn ? waited + 1 : 0;
        silent <= run && (credits == 0 ? !crdgnt : in_packet && !valid) ? silent + 1 : 0;
        if (rst) begin
            was_req <= 0;
            was_ack <= 0;
            credits <= 0;
            in_packet <= 0;
            waited <= 0;
            silent <= 0;
        end
    end

    always_ff @(posedge clk) begin
        if (known && !rst) begin
            flit_in_run : assert (!valid || run);
            flit_has_credit : assert (!valid || credits != 0);
            return_has_credit : assert (!crdrtn || credits > 6'(valid));
            return_while_active : assert (!crdrtn || activeack);
            request_rises_in_stop : assert (!activereq || was_req || !was_ack);
            request_falls_in_run : assert (activereq || !was_req || was_ack);
            request_falls_between_packets : assert (activereq || !was_req || !in_packet);
            starts_between_packets : assert (!valid || cntl[START] == !in_packet);
            control_is_used : assert (!valid || (cntl & ~USED) == 0);
            acknowledge_rises_on_request : assert (!activeack || was_ack || was_req);
            acknowledge_falls_on_request : assert (activeack || !was_ack || !was_req);
            acknowledge_falls_without_credits : assert (activeack || !was_ack || credits == 0);
            grant_in_run : assert (!crdgnt || (activeack && (activereq || was_req)));
            grants_are_bounded : assert (!crdgnt || credits < 6'(MOST_CREDITS));
            activation_goes_on : assert (waited < PATIENCE);
            run_goes_on : assert (silent < PATIENCE);
        end
    end
endmodule
