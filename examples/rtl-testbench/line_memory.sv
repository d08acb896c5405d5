// Your device: a memory of lines of 128 bytes, 512 KiB, answers after 60 cycles in order, and rests every fourth cycle.
module line_memory #(
    parameter int LINES = 4096,
    parameter int LATENCY = 60
) (
    input  logic          clk,
    input  logic          spoil,            // changes a bit of what is read
    input  logic          request_valid,
    output logic          request_ready,
    input  logic [3:0]    request_id,
    input  logic          request_write,
    input  logic [63:0]   request_address,
    input  logic [1023:0] request_data,
    input  logic [127:0]  request_strobes,
    output logic          response_valid,
    output logic [3:0]    response_id,
    output logic          response_failed,  // the address is beyond the memory
    output logic [1023:0] response_data
);
    timeunit 1ns; timeprecision 1ps;
    localparam int BITS = $clog2(LINES);
    logic [1023:0] lines[LINES];
    logic [1:0] turn;
    logic valid[LATENCY];
    logic [3:0] id[LATENCY];
    logic failed[LATENCY];
    logic [1023:0] data[LATENCY];

    wire [BITS-1:0] line = request_address[7+:BITS];
    wire known = request_address >> (7 + BITS) == 0;
    logic [1023:0] written;  // a bit a bit
    always_comb for (int i = 0; i < 128; i++) written[8*i+:8] = {8{request_strobes[i]}};
    assign request_ready = turn != 0;
    assign response_valid = valid[LATENCY-1];
    assign response_id = id[LATENCY-1];
    assign response_failed = failed[LATENCY-1];
    assign response_data = data[LATENCY-1];

    always_ff @(posedge clk) begin
        turn <= turn + 1;
        valid[0] <= request_valid && request_ready;
        id[0] <= request_id;
        failed[0] <= !known;
        data[0] <= lines[line] ^ 1024'(spoil);
        for (int i = 1; i < LATENCY; i++) begin
            valid[i] <= valid[i-1];
            id[i] <= id[i-1];
            failed[i] <= failed[i-1];
            data[i] <= data[i-1];
        end
        if (request_valid && request_ready && request_write && known)
            lines[line] <= (lines[line] & ~written) | (request_data & written);
    end
endmodule
