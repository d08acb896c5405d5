// When a bandwidth counts as saturated: used / capacity >= percent / 100; without capacity never.
//
// The same integers as base/values/saturation.h. A counter of COUNT_BITS times a percentage fits in PRODUCT_BITS.
module saturation #(
    parameter int unsigned COUNT_BITS = 57
) (
    input  logic [COUNT_BITS-1:0] used,
    input  logic [COUNT_BITS-1:0] capacity,
    input  logic [6:0]            percent,
    output logic                  full
);
    localparam int unsigned PRODUCT_BITS = COUNT_BITS + 7;

    wire [PRODUCT_BITS-1:0] demand = PRODUCT_BITS'(used) * PRODUCT_BITS'(100);
    wire [PRODUCT_BITS-1:0] bound = PRODUCT_BITS'(capacity) * PRODUCT_BITS'(percent);

    assign full = capacity != 0 && demand >= bound;
endmodule
