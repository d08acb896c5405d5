// A testbench that owns the time: a GPU socket of numavp runs a kernel and gives your memory its requests; through a
// port of the socket the testbench writes and reads lines of its own.
//
// Ends with status 0 if all lines came back as they were written; +spoil must end with another.
module testbench;
    timeunit 1ns; timeprecision 1ps;
    import numavp_pkg::*;

    localparam int PERIOD_PS = 1000;  // of the platform's clock, and ours
    localparam string SETTINGS = {"sockets=1;socket.sms=2;socket.memory.channels=1;socket.memory.capacity_gib=1;",
                                  "socket.l2.slices=1;socket.l2.size_kib=16;workload.scale=0.0002"};
    localparam int LINES = 512;  // that the testbench writes and reads: 64 KiB, more than the socket's L2 holds
    localparam longint unsigned BASE = 'h40000;  // beside the kernel's pages

    logic clk = 0;
    always #(PERIOD_PS / 2 * 1ps) clk = !clk;

    // --- the device

    logic spoil = 0;
    logic request_valid = 0, request_ready, request_write, response_valid, response_failed;
    logic [3:0] request_id, response_id;
    logic [63:0] request_address;
    line_t request_data, response_data;
    strobes_t request_strobes;
    line_memory device (.*);

    // --- the platform

    int port, memory, status;
    int reads = 0, writes = 0, wrong = 0, posted = 0, collected = 0;

    // Ends the simulation with the platform's own sentence if a call went wrong.
    function automatic int checked(int result);
        if (result == ERROR) $fatal(1, "%s", numavp_last_error());
        return result;
    endfunction

    function automatic line_t pattern(int line);
        for (int word = 0; word < 32; word++) pattern[32*word+:32] = 32'(line) * 32'h9e3779b9 + 32'(word);
    endfunction

    // What the socket asks of its memory goes to the device, a request a cycle; what the device answers goes back.
    task automatic serve_memory();
        longint unsigned id, address;
        int write;
        int unsigned bytes;
        line_t data;
        strobes_t strobes;
        if (response_valid)
            status = checked(numavp_respond(memory, 64'(response_id), response_data, 32'(response_failed)));
        if (request_valid && !request_ready) return;  // the device takes it later
        status = checked(numavp_next_request(memory, id, write, address, bytes, data, strobes));
        request_valid <= status == OK;
        if (status != OK) return;
        request_id <= id[3:0];
        request_write <= write != 0;
        request_address <= address;
        request_data <= data;
        request_strobes <= strobes;
        if (write != 0) writes++;
        else reads++;
    endtask

    // Posts an access a cycle if there is room: first all writes, then, when these are answered, all reads.
    task automatic drive_port();
        longint unsigned tag, address;
        int failed, line;
        line_t data;
        while (checked(numavp_collect(port, tag, failed, data)) == OK) begin
            if (failed != 0 || (int'(tag) >= LINES && data != pattern(int'(tag) - LINES))) wrong++;
            collected++;
        end
        if (posted == 2 * LINES || (posted == LINES && collected < LINES)) return;
        line = posted % LINES;
        address = BASE + 128 * 64'(line);
        if (posted < LINES)
            status = checked(numavp_post_write(port, address, 128, pattern(line), '1, 64'(posted)));
        else status = checked(numavp_post_read(port, address, 128, 64'(posted)));
        if (status == OK) posted++;
    endtask

    logic running = 0;
    initial begin
        if ($test$plusargs("spoil")) spoil = 1;
        status = checked(numavp_create("numa-aware-4", "stream-triad", SETTINGS));
        port = checked(numavp_open_port(0));
        memory = checked(numavp_open_memory(0, 0));
        running = 1;
    end

    always @(posedge clk)
        if (running) begin
            status = checked(numavp_advance(64'(PERIOD_PS)));
            serve_memory();
            drive_port();
            if (collected == 2 * LINES && checked(numavp_ended()) == 1) finish();
            if ($time > 10_000_000ns) $fatal(1, "not ended after 10 ms");
        end

    task automatic finish();
        status = checked(numavp_end(0));
        $display("%0d reads and %0d writes of the memory in RTL, %0d of %0d lines came back wrong, %0d ns", reads,
                 writes, wrong, LINES, numavp_time_ps() / 1000);
        if (wrong != 0 || reads < LINES || writes < LINES / 2) $fatal(1, "the memory is not as it was written");
        $finish;
    endtask
endmodule
