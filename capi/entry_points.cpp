// The functions of numavp/c.h: check the arguments from C, and turn exceptions into error sentences.
#include <cstring>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <numavp/c.h>

#include "base/time/sim_time.h"
#include "base/values/error.h"
#include "capi/session.h"
#include "common/files/json_file.h"

namespace {

using numavp::AccessPort;
using numavp::ConfigError;
using numavp::MemoryPort;
using numavp::Session;

/// The platform of the process. Its modules live as long as SystemC does: to the end of the process.
Session* the_session = nullptr;
std::string last_error;

Session& session() {
    if (!the_session) throw ConfigError("numavp_create", "no platform was created yet");
    return *the_session;
}

/// `action()`, or `otherwise` with the sentence kept if it throws.
template <class Action, class Result> Result caught(const Action& action, Result otherwise) noexcept {
    try {
        return action();
    } catch (const std::exception& error) {
        last_error = error.what();
    } catch (...) {
        last_error = "an exception of an unknown kind";
    }
    return otherwise;
}
template <class Action> int status_of(const Action& action) noexcept { return caught(action, int{NUMAVP_ERROR}); }

std::string text_of(const char* text) { return text ? text : ""; }

template <class P> P* needed(P* pointer, const char* what) {
    if (!pointer) throw ConfigError(what, "it is null");
    return pointer;
}

AccessPort::Access access_of(bool write, std::uint64_t address, unsigned bytes) {
    if (bytes == 0 || bytes > numavp::kLineBytes)
        throw ConfigError("bytes", fmt::format("{} were asked for; an access has 1 to {}", bytes, numavp::kLineBytes));
    AccessPort::Access access;
    access.write = write;
    access.address = address;
    access.bytes = bytes;
    return access;
}

AccessPort::Access write_of(std::uint64_t address, unsigned bytes, const void* data, const void* strobes) {
    AccessPort::Access access = access_of(true, address, bytes);
    std::memcpy(access.data.data(), needed(data, "data"), bytes);
    const auto* const bits = static_cast<const unsigned char*>(strobes);
    for (unsigned i = 0; i < bytes; ++i) {
        const bool enabled = !bits || ((bits[i / 8] >> (i % 8)) & 1) != 0;
        access.enables[i] = enabled ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
    return access;
}

int post(int port, AccessPort::Access access, std::uint64_t tag) {
    access.tag = tag;
    session().must_run();
    return session().port(port).post(access) ? NUMAVP_OK : NUMAVP_NOT_YET;
}

int at_once(int port, AccessPort::Access& access) {
    if (!session().access_now(port, access)) return NUMAVP_NOT_YET;
    if (access.failed) throw numavp::ModelError(fmt::format("the access to {:#x} failed", access.address));
    return NUMAVP_OK;
}

void put_request(const MemoryPort::Request& request, void* data, void* strobes) {
    std::memcpy(needed(data, "data"), request.data.data(), numavp::kLineBytes);
    auto* const bits = static_cast<unsigned char*>(needed(strobes, "strobes"));
    std::memset(bits, 0, numavp::kLineBytes / 8);
    for (unsigned i = 0; i < numavp::kLineBytes; ++i)
        bits[i / 8] = static_cast<unsigned char>(bits[i / 8] | (unsigned{request.enabled[i]} << (i % 8)));
}

} // namespace

const char* numavp_version(void) { return NUMAVP_VERSION; }
const char* numavp_last_error(void) { return last_error.c_str(); }

int numavp_create(const char* system, const char* workload, const char* settings) {
    return status_of([&] {
        if (the_session)
            throw ConfigError("numavp_create", "this process has its platform already; SystemC allows one");
        sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW); // instead of abort()
        sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
        auto made = std::make_unique<Session>(text_of(needed(system, "system")), text_of(workload), text_of(settings));
        the_session = made.release();
        return int{NUMAVP_OK};
    });
}

int numavp_open_port(int socket) {
    return status_of([&] { return static_cast<int>(session().open_port(socket)); });
}

int numavp_open_memory(int socket, int channel) {
    return status_of([&] { return static_cast<int>(session().open_memory(socket, channel)); });
}

int numavp_advance(uint64_t ps) {
    return status_of([&] {
        session().advance(ps);
        return int{NUMAVP_OK};
    });
}

uint64_t numavp_time_ps(void) { return numavp::sc_now_ps(); }

int numavp_ended(void) {
    return status_of([] { return int{session().ended()}; });
}

uint64_t numavp_address(int socket, uint64_t offset) {
    return caught([&] { return session().address(socket, offset); }, ~uint64_t{0});
}

int numavp_post_read(int port, uint64_t address, unsigned bytes, uint64_t tag) {
    return status_of([&] { return post(port, access_of(false, address, bytes), tag); });
}

int numavp_post_write(int port, uint64_t address, unsigned bytes, const void* data, const void* strobes, uint64_t tag) {
    return status_of([&] { return post(port, write_of(address, bytes, data, strobes), tag); });
}

int numavp_collect(int port, uint64_t* tag, int* failed, void* data) {
    return status_of([&] {
        needed(tag, "tag"), needed(failed, "failed"), needed(data, "data");
        AccessPort::Access access;
        if (!session().port(port).collect(access)) return int{NUMAVP_NOT_YET};
        *tag = access.tag;
        *failed = access.failed;
        std::memcpy(data, access.data.data(), numavp::kLineBytes);
        return int{NUMAVP_OK};
    });
}

int numavp_read(int port, uint64_t address, unsigned bytes, void* data) {
    return status_of([&] {
        AccessPort::Access access = access_of(false, address, bytes);
        needed(data, "data");
        const int status = at_once(port, access);
        if (status == NUMAVP_OK) std::memcpy(data, access.data.data(), bytes);
        return status;
    });
}

int numavp_write(int port, uint64_t address, unsigned bytes, const void* data, const void* strobes) {
    return status_of([&] {
        AccessPort::Access access = write_of(address, bytes, data, strobes);
        return at_once(port, access);
    });
}

int numavp_peek(int port, uint64_t address, unsigned bytes, void* data) {
    return status_of([&] {
        auto* const out = static_cast<unsigned char*>(needed(data, "data"));
        if (session().peek(port, address, bytes, out) != bytes)
            throw ConfigError("numavp_peek", fmt::format("no memory has {} bytes at {:#x}", bytes, address));
        return int{NUMAVP_OK};
    });
}

int numavp_next_request(int memory, uint64_t* id, int* write, uint64_t* address, unsigned* bytes, void* data,
                        void* strobes) {
    return status_of([&] {
        needed(id, "id"), needed(write, "write"), needed(address, "address"), needed(bytes, "bytes");
        needed(data, "data"), needed(strobes, "strobes");
        MemoryPort::Request request;
        if (!session().memory(memory).next(request)) return int{NUMAVP_NOT_YET};
        *id = request.id;
        *write = request.write;
        *address = request.address;
        *bytes = request.bytes;
        put_request(request, data, strobes);
        return int{NUMAVP_OK};
    });
}

int numavp_respond(int memory, uint64_t id, const void* data, int failed) {
    return status_of([&] {
        session().memory(memory).respond(id, static_cast<const unsigned char*>(data), failed != 0);
        return int{NUMAVP_OK};
    });
}

int numavp_statistic(const char* path, double* value) {
    return status_of([&] {
        *needed(value, "value") = session().number(text_of(needed(path, "path")));
        return int{NUMAVP_OK};
    });
}

const char* numavp_results(void) {
    return caught(
        [] {
            static std::string text;
            text = numavp::json_text(session().results());
            return text.c_str();
        },
        static_cast<const char*>(nullptr));
}

int numavp_end(int drain) {
    return status_of([&] {
        session().end(drain != 0);
        return int{NUMAVP_OK};
    });
}
