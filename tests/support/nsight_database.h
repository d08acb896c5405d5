/// Small databases with the tables of Nsight Systems' export.
#pragma once

#include <memory>
#include <sqlite3.h>
#include <string>

#include <gtest/gtest.h>

namespace numavp::test {

// Columns in another order than the reader asks for, with some that it does not read.
inline const std::string kStrings = R"(
    CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
    INSERT INTO StringIds VALUES (1, 'vector_add');)";
inline const std::string kCopyTable = R"(
    CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT NOT NULL, end INT NOT NULL, deviceId INT, contextId INT,
        streamId INT, correlationId INT, globalPid INT, bytes INT, copyKind INT, deprecatedSrcId INT, srcKind INT,
        dstKind INT, srcDeviceId INT, srcContextId INT, dstDeviceId INT, dstContextId INT);)";
inline const std::string kKernels = R"(
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (correlationId INT, start INT NOT NULL, end INT NOT NULL, deviceId INT,
        contextId INT, streamId INT, globalPid INT, demangledName INT, shortName INT, gridX INT);)";
inline const std::string kEventTables = R"(
    CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INT, end INT, deviceId INT, contextId INT, streamId INT,
        correlationId INT, globalPid INT, syncType INT, eventId INT, eventSyncId INT);
    CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INT, deviceId INT, contextId INT, streamId INT,
        correlationId INT, globalPid INT, eventId INT, eventSyncId INT);)";
inline const std::string kTables = kStrings + kCopyTable + kKernels + kEventTables;

inline std::string copy_row(int call, int device, int stream, int bytes, int kind, int source, int target,
                            const std::string& devices = "NULL,NULL", int start = -1) {
    const std::size_t comma = devices.find(',');
    const int begin = start < 0 ? 1000 * call : start;
    return "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (" + std::to_string(begin) + "," +
           std::to_string(begin + 500) + "," + std::to_string(device) + ",1," + std::to_string(stream) + "," +
           std::to_string(call) + ",9," + std::to_string(bytes) + "," + std::to_string(kind) + ",NULL," +
           std::to_string(source) + "," + std::to_string(target) + "," + devices.substr(0, comma) + ",NULL," +
           devices.substr(comma + 1) + ",NULL);";
}
inline std::string kernel_row(int call, int device, int stream, int ns, int start = -1) {
    const int begin = start < 0 ? 1000 * call : start;
    return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(call) + "," + std::to_string(begin) +
           "," + std::to_string(begin + ns) + "," + std::to_string(device) + ",1," + std::to_string(stream) +
           ",9,1,1,64);";
}

inline void make_database(const std::string& path, const std::string& statements) {
    const std::string fast = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"; // no disk is waited for
    struct Closer {
        void operator()(sqlite3* opened) const { sqlite3_close(opened); }
    };
    sqlite3* opened = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
    const std::unique_ptr<sqlite3, Closer> closer(opened);
    ASSERT_EQ(sqlite3_exec(opened, (fast + "BEGIN;" + statements + "COMMIT;").c_str(), nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(opened);
}

} // namespace numavp::test
