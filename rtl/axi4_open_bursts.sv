// The bursts of one direction that an AXI4 manager has out, oldest first. Answers go to the oldest of their id.
module axi4_open_bursts #(
    parameter int unsigned ID_BITS = 4,
    parameter int unsigned INDEX_BITS = 10,  // of beats of the memory
    parameter int unsigned PLACES = 8
) (
    input  logic                  clk,
    input  logic                  rst,  // synchronous
    // the burst that is to begin, and whether it does
    input  logic                  begins,
    input  logic [ID_BITS-1:0]    next_id,
    input  logic [INDEX_BITS-1:0] next_first,
    input  logic [5:0]            next_offset,
    input  logic [5:0]            next_len,
    output logic                  full,
    output logic                  empty,
    output logic                  overlaps,  // one that is out
    output logic                  overlaps_other,  // one of another id
    // the answer on the pins, and whether it is taken
    input  logic                  takes,
    input  logic                  ends,  // with it the burst
    input  logic [ID_BITS-1:0]    id,
    output logic                  known,  // a burst waits for it
    output logic [INDEX_BITS-1:0] word,  // of the memory
    output logic [5:0]            offset,  // of the first byte that counts
    output logic                  last
);
    localparam int unsigned PLACE_BITS = $clog2(PLACES);
    typedef logic [PLACE_BITS-1:0] place_t;
    typedef logic [PLACE_BITS:0] count_t;
    typedef struct packed {
        logic [ID_BITS-1:0]    id;
        logic [INDEX_BITS-1:0] first;
        logic [INDEX_BITS-1:0] end_word;  // the last
        logic [INDEX_BITS-1:0] word;  // the next
        logic [5:0]            offset;
    } burst_t;

    burst_t bursts[PLACES];
    count_t count;
    assign full = count == count_t'(PLACES);
    assign empty = count == 0;

    burst_t next;
    assign next.id = next_id;
    assign next.first = next_first;
    assign next.end_word = next_first + INDEX_BITS'(next_len);
    assign next.word = next_first;
    assign next.offset = next_offset;

    place_t at;
    always_comb begin
        overlaps = 0;
        overlaps_other = 0;
        known = 0;
        at = 0;
        for (int i = PLACES - 1; i >= 0; i--) begin
            if (count_t'(i) < count && bursts[i].first <= next.end_word && next.first <= bursts[i].end_word) begin
                overlaps = 1;
                if (bursts[i].id != next.id) overlaps_other = 1;
            end
            if (count_t'(i) < count && bursts[i].id == id) begin
                known = 1;
                at = place_t'(i);
            end
        end
    end
    assign word = bursts[at].word;
    assign offset = bursts[at].word == bursts[at].first ? bursts[at].offset : 0;
    assign last = bursts[at].word == bursts[at].end_word;

    count_t left;
    assign left = count - count_t'(ends);
    always_ff @(posedge clk) begin
        if (rst) count <= 0;
        else begin
            if (takes) bursts[at].word <= word + 1;
            for (int i = 0; i < PLACES - 1; i++) if (ends && i >= 32'(at)) bursts[i] <= bursts[i+1];
            if (begins) bursts[place_t'(left)] <= next;
            count <= left + count_t'(begins);
        end
    end
endmodule
