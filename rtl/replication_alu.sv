// A fixed-point ALU and its control: one of the two of the model-driven replication evaluator (NUBA, section 5.1).
//
// It evaluates the bandwidth of one case, without replication (FULL = 0) or with full replication (FULL = 1), as a
// program of 12 operations, one after the other: 4 divisions of a cycle a quotient bit (25), 4 multiplications of 3
// cycles, 2 additions and 2 minima of one. The paper's footnote counts the same: 116 cycles.
//
// Fractions are Q1.FRACTION_BITS; divisions and products are truncated; a division by zero gives zero (nothing was
// counted). Bandwidths are integers of any unit; sums have two bits more than what comes in.
module replication_alu #(
    parameter bit FULL = 0,
    parameter int unsigned COUNT_BITS = 24,
    parameter int unsigned FRACTION_BITS = 24,
    parameter int unsigned BANDWIDTH_BITS = 24,
    localparam int unsigned SUM_BITS = BANDWIDTH_BITS + 2
) (
    input  logic                      clk,
    input  logic                      rst,  // synchronous
    input  logic                      start,  // takes the inputs; ignored while running
    input  logic [COUNT_BITS-1:0]     lookups,
    input  logic [COUNT_BITS-1:0]     hits,
    input  logic [COUNT_BITS-1:0]     misses,
    input  logic [COUNT_BITS-1:0]     requests,
    input  logic [COUNT_BITS-1:0]     local_requests,
    input  logic [COUNT_BITS-1:0]     remote_requests,
    input  logic [BANDWIDTH_BITS-1:0] llc,
    input  logic [BANDWIDTH_BITS-1:0] memory,
    input  logic [BANDWIDTH_BITS-1:0] noc,
    output logic                      running,
    output logic                      ends,  // the edge to come writes the result
`ifdef NUMAVP_ASSERTIONS
    output logic [7:0]                elapsed,  // cycles of the program that are over
`endif
    output logic [SUM_BITS-1:0]       bandwidth
);
    localparam logic [1:0] DIVIDE = 0, MULTIPLY = 1, ADD = 2, MINIMUM = 3;
    // Registers: four fractions, then four bandwidths, then the inputs.
    localparam logic [3:0] HIT = 0, MISS = 1, NEAR = 2, FAR = 3, A = 4, B = 5, C = 6, D = 7, LLC = 8, MEMORY = 9, NOC = 10;

    logic [COUNT_BITS-1:0] lookups_r, hits_r, misses_r, requests_r, near_r, far_r;
    logic [BANDWIDTH_BITS-1:0] llc_r, memory_r, noc_r;
    logic [FRACTION_BITS:0] hit, miss, near, far;
    logic [SUM_BITS-1:0] a, b, c, d;
    assign bandwidth = a;

    // --- the program: what, of which registers, into which

    logic [1:0] what;
    logic [3:0] left, right, into;
    always_comb begin
        {what, left, right, into} = {ADD, A, B, A};
        case (operation)
            0: {what, left, right, into} = {DIVIDE, HIT, HIT, HIT};
            1: {what, left, right, into} = {DIVIDE, MISS, MISS, MISS};
            2: {what, left, right, into} = {DIVIDE, NEAR, NEAR, NEAR};
            3: {what, left, right, into} = {DIVIDE, FAR, FAR, FAR};
            4: {what, left, right, into} = {MULTIPLY, HIT, LLC, A};
            5: {what, left, right, into} = {MULTIPLY, MISS, LLC, B};
            default: ;
        endcase
        if (!FULL)
            case (operation)
                6: {what, left, right, into} = {MINIMUM, B, MEMORY, B};  // what misses may bring
                7: {what, left, right, into} = {ADD, A, B, A};  // local
                8: {what, left, right, into} = {MINIMUM, A, NOC, B};  // remote
                9: {what, left, right, into} = {MULTIPLY, NEAR, A, A};
                10: {what, left, right, into} = {MULTIPLY, FAR, B, B};
                default: ;
            endcase
        else
            case (operation)
                6: {what, left, right, into} = {MINIMUM, MEMORY, NOC, C};  // remote memory
                7: {what, left, right, into} = {MULTIPLY, NEAR, MEMORY, D};
                8: {what, left, right, into} = {MULTIPLY, FAR, C, C};
                9: {what, left, right, into} = {ADD, C, D, C};  // memory, local and remote
                10: {what, left, right, into} = {MINIMUM, B, C, B};  // what misses may bring
                default: ;
            endcase
    end

    // --- control

    logic [3:0] operation;  // of the program
    logic [4:0] step, last_step;  // of the operation
    always_comb begin
        case (what)
            DIVIDE: last_step = 5'(FRACTION_BITS);
            MULTIPLY: last_step = 2;
            default: last_step = 0;
        endcase
    end
    wire last = step == last_step;
    assign ends = running && last && operation == 11;

    always_ff @(posedge clk) begin
        if (rst) begin
            running   <= 0;
            operation <= 0;
            step      <= 0;
        end else if (!running) begin
            running   <= start;
            operation <= 0;
            step      <= 0;
        end else if (last) begin
            running   <= operation != 11;
            operation <= operation == 11 ? 0 : operation + 1;
            step      <= 0;
        end else step <= step + 1;
    end

    always_ff @(posedge clk) begin
        if (start && !running) begin
            lookups_r  <= lookups;
            hits_r     <= hits;
            misses_r   <= misses;
            requests_r <= requests;
            near_r     <= local_requests;
            far_r      <= remote_requests;
            llc_r      <= llc;
            memory_r   <= memory;
            noc_r      <= noc;
        end
    end

    // --- divider: restoring, a quotient bit a cycle, the integer bit first

    logic [COUNT_BITS-1:0] dividend, divisor;
    always_comb begin
        divisor = left[1] ? requests_r : lookups_r;
        case (left[1:0])
            0: dividend = hits_r;
            1: dividend = misses_r;
            2: dividend = near_r;
            default: dividend = far_r;
        endcase
    end
    logic [COUNT_BITS:0] remainder;
    logic [FRACTION_BITS-1:0] quotient;
    wire [COUNT_BITS:0] partial = step == 0 ? {1'b0, dividend} : remainder;
    wire fits = partial >= {1'b0, divisor} && divisor != 0;
    wire [COUNT_BITS-1:0] rest = COUNT_BITS'(fits ? partial - {1'b0, divisor} : partial);
    wire [FRACTION_BITS:0] quotient_next = {step == 0 ? {FRACTION_BITS{1'b0}} : quotient, fits};

    // --- multiplier: operands, product, result

    logic [FRACTION_BITS:0] fraction;
    logic [SUM_BITS-1:0] x, y;
    always_comb begin
        case (left[1:0])
            0: fraction = hit;
            1: fraction = miss;
            2: fraction = near;
            default: fraction = far;
        endcase
        case (left)
            A: x = a;
            B: x = b;
            C: x = c;
            default: x = SUM_BITS'(memory_r);
        endcase
        case (right)
            A: y = a;
            B: y = b;
            C: y = c;
            D: y = d;
            LLC: y = SUM_BITS'(llc_r);
            MEMORY: y = SUM_BITS'(memory_r);
            default: y = SUM_BITS'(noc_r);
        endcase
    end
    localparam int unsigned PRODUCT_BITS = FRACTION_BITS + 1 + SUM_BITS;
    logic [FRACTION_BITS:0] fraction_r;
    logic [SUM_BITS-1:0] factor_r;
    /* verilator lint_off UNUSEDSIGNAL */  // the integer bit of a fraction times a sum stays within a sum
    logic [PRODUCT_BITS-1:0] product;
    /* verilator lint_on UNUSEDSIGNAL */

    wire [SUM_BITS-1:0] sum = x + y;
    wire [SUM_BITS-1:0] least = x < y ? x : y;

    always_ff @(posedge clk) begin
        remainder <= {rest, 1'b0};
        quotient  <= quotient_next[FRACTION_BITS-1:0];
        if (step == 0) begin
            fraction_r <= fraction;
            factor_r   <= y;
        end
        product <= PRODUCT_BITS'(fraction_r) * PRODUCT_BITS'(factor_r);
    end

    // --- write-back at the last step

    logic [SUM_BITS-1:0] result;
    always_comb begin
        case (what)
            MULTIPLY: result = product[FRACTION_BITS+:SUM_BITS];
            ADD: result = sum;
            default: result = least;
        endcase
    end
    always_ff @(posedge clk) begin
        if (running && last)
            case (into)
                HIT: hit <= quotient_next;
                MISS: miss <= quotient_next;
                NEAR: near <= quotient_next;
                FAR: far <= quotient_next;
                A: a <= result;
                B: b <= result;
                C: c <= result;
                default: d <= result;
            endcase
    end

`ifdef NUMAVP_ASSERTIONS
    // When an operation begins, in cycles after the program's first: written apart from the program above.
    localparam logic [7:0] DIVISION = 8'(FRACTION_BITS + 1), DIVISIONS = 4 * DIVISION;
    logic [7:0] begins;
    always_comb begin
        if (operation < 4) begins = DIVISION * 8'(operation);
        else if (operation < 7) begins = DIVISIONS + 3 * (8'(operation) - 4);
        else if (!FULL) begins = DIVISIONS + (operation < 10 ? 8'(operation) : operation == 10 ? 12 : 15);
        else begins = DIVISIONS + (operation == 7 ? 7 : operation == 8 ? 10 : 8'(operation) + 4);
    end
    logic known;
    initial known = 0;
    always_ff @(posedge clk) begin
        known   <= 1;  // the first edge is in reset
        elapsed <= running && !rst ? elapsed + 1 : 0;
        if (known && !rst) begin
            in_schedule : assert (!running || elapsed == begins + 8'(step));
            in_the_program : assert (operation < 12 && step <= last_step);
            rests_at_the_start : assert (running || (operation == 0 && step == 0));
            // A remainder is below its divisor before it is shifted: the division is exact to its last bit.
            if (running && what == DIVIDE && divisor != 0 && dividend <= divisor)
                remainder_is_below : assert (rest < divisor);
`ifndef YOSYS  // true, but no induction of a few steps sees it
            if (running && last && what == DIVIDE && dividend <= divisor)
                fraction_is_at_most_one : assert (quotient_next <= {1'b1, {FRACTION_BITS{1'b0}}});
`endif
        end
    end
`endif
endmodule
