/// Interface of numavp for C, C++ and, through DPI, SystemVerilog. The caller decides when simulated time advances.
///
/// numavp_create() reads a system and a workload; numavp_open_port() and numavp_open_memory() attach the caller to it;
/// numavp_advance() advances time, which stands still between two calls; numavp_end() checks that nothing is left over.
/// A request or an answer that the caller gives while time stands still takes part in the next edge of the platform's
/// clock. So results depend on the times of these calls alone, and not on the steps in which numavp_advance() is
/// called.
///
/// Times are in ps since the start. Addresses are physical: see numavp_address(). Data are up to 128 bytes, in
/// ascending addresses. The strobe of byte i is bit i % 8 of strobes[i / 8]. So `bit [1023:0]` and `bit [127:0]` of
/// SystemVerilog fit.
///
/// Functions that return an int return NUMAVP_OK (or a number from 0 on), NUMAVP_NOT_YET, or NUMAVP_ERROR, which
/// numavp_last_error() describes. No call throws or ends the process. After an error of the simulation, calls that need
/// time to advance return that error. Wrong arguments change nothing. One platform per process, called from one thread.
#pragma once

#include <stdint.h> /* NOLINT(modernize-deprecated-headers): this is C too */

#if defined(__GNUC__)
#define NUMAVP_C __attribute__((visibility("default")))
#else
#define NUMAVP_C
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NUMAVP_OK = 0,
    NUMAVP_NOT_YET = 1, ///< no fault: the same call may do after some time
    NUMAVP_ERROR = -1
};
enum { NUMAVP_LINE_BYTES = 128 }; ///< the most that an access may have

/// Version of the library, such as "0.1.0".
NUMAVP_C const char* numavp_version(void);

/// Creates the platform. `system` and `workload`: a name (`numavp list systems`, `numavp list workloads`) or a path of
/// a file. An empty or null workload has no kernels: only the caller's ports access memory. `settings`: such as
/// "link.balancer=dynamic;sockets=2", as the program's --set takes them, also workload.scale and workload.seed; may be
/// empty or null. Errors: this process created a platform before; everything that `numavp run` would refuse.
NUMAVP_C int numavp_create(const char* system, const char* workload, const char* settings);

/// Adds an ingress port to the crossbar of socket `socket`, beside those of its SMs. Returns the port's number. All
/// ports and memories must be opened before time begins, which the first call of numavp_advance(), _ended(), _read(),
/// _write(), _peek(), _statistic(), _results() or _end() does. Errors: time has begun; there is no such socket.
NUMAVP_C int numavp_open_port(int socket);
/// Puts the caller in the place of memory channel `channel` of socket `socket`. Returns the memory's number.
/// Errors: time has begun; no such channel; it is open already; socket.l2.slices is not socket.memory.channels.
NUMAVP_C int numavp_open_memory(int socket, int channel);

/// Advances time by exactly `ps`. Errors: also those of the workload that are found only while it runs.
NUMAVP_C int numavp_advance(uint64_t ps);
NUMAVP_C uint64_t numavp_time_ps(void);
/// Returns 1 once all kernels have ended and nothing is due or under way, else 0; NUMAVP_ERROR.
NUMAVP_C int numavp_ended(void);

/// Physical address of byte `offset` in the memory of socket `socket`; all bits set on an error (no such byte).
NUMAVP_C uint64_t numavp_address(int socket, uint64_t offset);

/// Posts a read of `bytes` (1 to 128) through port `port`; `tag` comes back with the answer. It may cross lines.
/// NUMAVP_NOT_YET: 64 accesses were posted and not collected.
NUMAVP_C int numavp_post_read(int port, uint64_t address, unsigned bytes, uint64_t tag);
/// Posts a write of the bytes whose strobe is set, or of all `bytes` if `strobes` is null; else as numavp_post_read().
NUMAVP_C int numavp_post_write(int port, uint64_t address, unsigned bytes, const void* data, const void* strobes,
                               uint64_t tag);
/// Collects the next answer, in the order of arrival: its tag, 1 if the access failed (no memory has the address), else
/// 0, and 128 bytes of data: zeros for a write, and behind the bytes of a read. NUMAVP_NOT_YET: no answer.
NUMAVP_C int numavp_collect(int port, uint64_t* tag, int* failed, void* data);

/// Reads or writes and waits for the answer: time advances by clock cycles until then; numavp_time_ps() tells how far.
/// `data` has `bytes` bytes. Errors: the access fails, or is not answered within checks.stuck_cycles.
NUMAVP_C int numavp_read(int port, uint64_t address, unsigned bytes, void* data);
NUMAVP_C int numavp_write(int port, uint64_t address, unsigned bytes, const void* data, const void* strobes);
/// Reads the newest bytes through all caches, in no time, as a debugger does. Memories of the caller read as zeros.
NUMAVP_C int numavp_peek(int port, uint64_t address, unsigned bytes, void* data);

/// Takes the next request of memory `memory`: its id (0 to 15, unique among the open ones), 1 for a write or 0, the
/// address, the number of bytes (at most a line), and for a write 128 bytes of data and 16 of strobes. Requests may be
/// answered in any order. At most 16 are open; later ones wait in the platform. NUMAVP_NOT_YET: there is no request.
NUMAVP_C int numavp_next_request(int memory, uint64_t* id, int* write, uint64_t* address, unsigned* bytes, void* data,
                                 void* strobes);
/// Answers request `id`; for a read with as many bytes as it asked for. `failed` other than 0: the access failed.
/// Errors: no request with that id was taken.
NUMAVP_C int numavp_respond(int memory, uint64_t id, const void* data, int failed);

/// Reads a number of results.json (docs/use/RESULTS.md) by its path, such as "statistics.socket0.l2.hits".
/// Errors: there is no such path, or no number at it.
NUMAVP_C int numavp_statistic(const char* path, double* value);
/// Text of results.json with the values of now; null on an error. The pointer is valid until the next call.
NUMAVP_C const char* numavp_results(void);

/// Ends the simulation. With `drain` time first advances until all kernels have ended and all accesses are answered;
/// without it, or with memories of the caller's, this must be so already. Then the accounts are checked: no access may
/// be under way, lost, or posted and not collected. Afterwards only results and memory can be read. The error says what
/// is left over, or which parts wait for each other.
NUMAVP_C int numavp_end(int drain);

/// Description of the last error in any call; empty if there was none. It is kept until the next error.
NUMAVP_C const char* numavp_last_error(void);

#ifdef __cplusplus
}
#endif
