#include "tests/communication/records/drawn_application.h"

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/chakra_bytes.h"
#include "tests/support/draws.h"
#include "tests/support/nsight_database.h"

namespace numavp::test {

namespace {

using Kind = DrawnOperation::Kind;

bool is_copy(const DrawnOperation& one) { return one.kind != Kind::kernel; }

/// Calls of an operation and of the records of events around it are numbered in order.
unsigned call_of(std::size_t operation) { return 1000 * static_cast<unsigned>(operation + 1); }

} // namespace

DrawnApplication::DrawnApplication(std::uint64_t seed) {
    Draws draws(seed);
    gpus = draws.from(1, 3);
    old_events = draws.below(2) == 0;
    const unsigned streams = draws.from(1, 3), count = draws.from(3, 40);
    for (unsigned n = 0; n < count; ++n) {
        DrawnOperation one;
        one.gpu = n < gpus ? n : draws.below(gpus); // each rank has a node
        one.stream = draws.below(streams);
        const unsigned kind = draws.below(10);
        one.kind = kind < 3                ? Kind::to_device
                   : kind < 7 || n == 0    ? Kind::kernel
                   : kind < 9 || gpus == 1 ? Kind::to_host
                                           : Kind::to_peer;
        if (one.kind == Kind::to_peer) one.peer = (one.gpu + draws.from(1, gpus - 1)) % gpus;
        if (is_copy(one))
            one.bytes = 1000 * std::uint64_t{draws.from(1, 1'000'000)} + n;
        else
            one.us = 100 * draws.from(1, 10'000) + n;
        for (unsigned tries = one.kind == Kind::kernel ? draws.below(3) : 0; tries > 0; --tries) {
            const std::size_t other = draws.below(n + 1);
            if (other == n || !operations[other].made_on(one.gpu)) continue;
            const bool same = operations[other].gpu == one.gpu && operations[other].stream == one.stream;
            const bool known = std::find(one.waits.begin(), one.waits.end(), other) != one.waits.end();
            if (!same && !known) one.waits.push_back(other);
        }
        operations.push_back(std::move(one));
    }
}

std::size_t DrawnApplication::before(std::size_t operation) const {
    const DrawnOperation& one = operations[operation];
    for (std::size_t other = operation; other-- > 0;)
        if (operations[other].gpu == one.gpu && operations[other].stream == one.stream) return other;
    return kNone;
}

std::size_t DrawnApplication::kernel_before(std::size_t operation) const {
    std::size_t other = before(operation);
    while (other != kNone && operations[other].kind != Kind::kernel) other = before(other);
    return other;
}

std::vector<std::vector<bool>> DrawnApplication::order() const {
    std::vector<std::vector<bool>> all(operations.size(), std::vector<bool>(operations.size(), false));
    for (std::size_t n = 0; n < operations.size(); ++n) {
        std::vector<std::size_t> direct = operations[n].waits;
        if (before(n) != kNone) direct.push_back(before(n));
        for (const std::size_t other : direct) {
            all[n][other] = true;
            for (std::size_t m = 0; m < other; ++m) all[n][m] = all[n][m] || all[other][m];
        }
    }
    return all;
}

// --- Nsight Systems --------------------------------------------------------------------------------------------------

std::string DrawnApplication::nsight_tables() const {
    const std::string id = old_events ? "" : ", eventSyncId INT";
    return kStrings + kCopyTable + kKernels +
           fmt::format("CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INT, end INT, deviceId INT, contextId "
                       "INT, streamId INT, correlationId INT, globalPid INT, syncType INT, eventId INT{0});"
                       "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INT, deviceId INT, contextId INT, "
                       "streamId INT, correlationId INT, globalPid INT, eventId INT{0});",
                       id);
}

std::string DrawnApplication::nsight() const {
    std::string rows;
    unsigned waited = 0;
    for (std::size_t n = operations.size(); n-- > 0;) { // rows have no order
        const DrawnOperation& one = operations[n];
        const auto call = static_cast<int>(call_of(n)), stream = static_cast<int>(one.stream + 7);
        const auto gpu = static_cast<int>(one.gpu);
        if (one.kind == Kind::kernel) {
            rows += kernel_row(call, gpu, stream, static_cast<int>(1000 * one.us));
        } else {
            const int kind = one.kind == Kind::to_device ? 1 : one.kind == Kind::to_host ? 2 : 10;
            const int from = one.kind == Kind::to_device ? 1 : 2, to = one.kind == Kind::to_host ? 1 : 2;
            rows += copy_row(call, gpu, stream, static_cast<int>(one.bytes), kind, from, to,
                             one.kind == Kind::to_peer ? fmt::format("{},{}", one.gpu, one.peer) : "NULL,NULL");
        }
        for (const std::size_t other : one.waits) {
            const DrawnOperation& maker = operations[other];
            ++waited;
            const std::string ids = old_events ? std::to_string(waited)
                                               : fmt::format("{},{}", waited % 3, waited); // an event is used again
            rows += fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES ({0},{1},1,{2},{0},9,{3});",
                                call_of(other) + waited % 400 + 1, maker.gpu, maker.stream + 7, ids);
            rows +=
                fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES ({0},{0},{1},1,{2},{0},9,2,{3});",
                            call - 1 - static_cast<int>(waited % 400), one.gpu, stream, ids);
        }
    }
    return rows;
}

// --- Chakra ----------------------------------------------------------------------------------------------------------

std::vector<std::string> DrawnApplication::chakra() const {
    std::vector<std::string> ranks(gpus, chakra::kMetadata);
    for (std::size_t n = 0; n < operations.size(); ++n) {
        const DrawnOperation& one = operations[n];
        const auto id = static_cast<unsigned>(n + 1);
        std::vector<unsigned> waits;
        if (before(n) != kNone) waits.push_back(static_cast<unsigned>(before(n) + 1));
        for (const std::size_t other : one.waits) waits.push_back(static_cast<unsigned>(other + 1));
        std::string& rank = ranks[one.gpu];
        if (one.kind == Kind::kernel) {
            rank += chakra::node(id, chakra::compute, chakra::on_cpu(false) + chakra::lasts(one.us), waits);
        } else if (one.kind == Kind::to_peer) {
            const std::string message =
                chakra::attribute("comm_tag", n) + chakra::attribute("comm_size", one.bytes) + chakra::on_cpu(false);
            rank += chakra::node(id, chakra::send, chakra::attribute("comm_dst", one.peer) + message, waits);
            ranks[one.peer] += chakra::node(id, chakra::receive, chakra::attribute("comm_src", one.gpu) + message);
        } else {
            rank += chakra::node(id, one.kind == Kind::to_device ? chakra::load : chakra::store,
                                 chakra::attribute("tensor_size", one.bytes), waits);
        }
    }
    return ranks;
}

// --- The thesis' tracer ----------------------------------------------------------------------------------------------

std::string DrawnApplication::cprof() const {
    std::string text =
        R"({"allocation":{"id":1,"pos":0,"size":1,"loc":{"type":"host","id":0},"mem":{"type":"pageable"}}})"
        "\n";
    for (unsigned gpu = 0; gpu < gpus; ++gpu)
        text += fmt::format(R"({{"allocation":{{"id":{},"pos":0,"size":1,"loc":{{"type":"cuda","id":{}}}}}}})"
                            "\n",
                            10 + gpu, gpu);
    const auto value = [&text](std::size_t id, std::uint64_t bytes, unsigned allocation) {
        text += fmt::format(R"({{"val":{{"id":{},"size":{},"allocation":{}}}}})"
                            "\n",
                            id, bytes, allocation);
    };
    const std::size_t count = operations.size();
    const auto source_of = [](std::size_t n) { return 10 + n; }; // of a copy
    const auto made_by = [count](std::size_t n) { return 10 + count + n; };
    std::vector<std::vector<std::size_t>> outputs(count); // of kernels, besides their own: what later copies take
    for (std::size_t n = 0; n < count; ++n) {
        const DrawnOperation& one = operations[n];
        if (is_copy(one)) {
            value(source_of(n), one.bytes, one.kind == Kind::to_device ? 1 : 10 + one.gpu);
            value(made_by(n), one.bytes,
                  one.kind == Kind::to_host ? 1 : 10 + (one.kind == Kind::to_peer ? one.peer : one.gpu));
            if (one.kind != Kind::to_device && kernel_before(n) != kNone)
                outputs[kernel_before(n)].push_back(source_of(n));
        } else {
            value(made_by(n), 64, 10 + one.gpu);
        }
    }
    for (std::size_t n = 0; n < count; ++n) {
        const DrawnOperation& one = operations[n];
        std::vector<std::size_t> reads, writes{made_by(n)};
        if (is_copy(one)) {
            reads.push_back(source_of(n));
        } else {
            for (const std::size_t other : one.waits) reads.push_back(made_by(other));
            writes.insert(writes.end(), outputs[n].begin(), outputs[n].end());
        }
        text += fmt::format(
            R"({{"api":{{"id":{0},"name":"{1}","symbolname":"k","device":{2},"correlation_id":{0},"inputs":[{3}],"outputs":[{4}],"wall_start":1,"wall_end":2}}}})"
            "\n",
            call_of(n), is_copy(one) ? "cudaMemcpyAsync" : "cudaLaunch", one.gpu, fmt::join(reads, ","),
            fmt::join(writes, ","));
        text += fmt::format(R"({{"{}":{{"correlation_id":{},"stream_id":{},"dur":{}}}}})"
                            "\n",
                            is_copy(one) ? "transfer" : "compute", call_of(n), one.stream + 7,
                            is_copy(one) ? 5 : 1000 * one.us);
    }
    return text;
}

} // namespace numavp::test
