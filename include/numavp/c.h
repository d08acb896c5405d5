/// numavp from C, C++ and, through DPI, SystemVerilog: a platform whose time the caller owns.
///
/// numavp_create() reads a system and a workload; numavp_open_port() and numavp_open_memory() attach the caller to it;
/// numavp_advance() lets time go by, and between two calls time stands still; numavp_end() closes the accounts.
/// What the caller posts or answers while time stands still takes part in the next edge of the platform's clock, so
/// that results depend on the times of these calls and on nothing else, least of all on the steps of numavp_advance().
///
/// Times are ps since the start. Addresses are physical: see numavp_address(). Data are up to 128 bytes, byte i of them
/// that of the lowest address plus i; strobes are a bit a byte, byte i that of bit i % 8 of strobes[i / 8]. So `bit
/// [1023:0]` and `bit [127:0]` of SystemVerilog fit.
///
/// Functions that return an int return NUMAVP_OK (or a number from 0 on), NUMAVP_NOT_YET, or NUMAVP_ERROR; what was
/// wrong is then the sentence of numavp_last_error(). Nothing is thrown, and no call ends the process. After an error
/// of the simulation itself time goes on no more, and every call that needs it says the same again; a call that was
/// wrong changes nothing. One platform a process, called from one thread.
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

/// Reads a platform. `system` and `workload`: a name (`numavp list systems`, `numavp list workloads`) or the path of a
/// file; an empty or null workload: no kernels, the ports alone give it work. `settings`:
/// "link.balancer=dynamic;sockets=2", as --set of the program takes them, and workload.scale and workload.seed; may be
/// empty or null. Errors: a platform was created before; whatever `numavp run` would refuse.
NUMAVP_C int numavp_create(const char* system, const char* workload, const char* settings);

/// A port of its own into the crossbar of socket `socket`, beside those of the SMs. Returns its number. Ports and
/// memories are opened first: time begins with numavp_advance(), _ended(), _read(), _write(), _peek(), _statistic(),
/// _results() or _end(). Errors: time has begun; no such socket.
NUMAVP_C int numavp_open_port(int socket);
/// From now on the caller answers for memory channel `channel` of that socket. Returns its number.
/// Errors: time has begun; no such channel; it is open already; socket.l2.slices is not socket.memory.channels.
NUMAVP_C int numavp_open_memory(int socket, int channel);

/// Lets exactly `ps` go by. Faults of the workload that show only now are errors.
NUMAVP_C int numavp_advance(uint64_t ps);
NUMAVP_C uint64_t numavp_time_ps(void);
/// 1: all kernels have ended and nothing is due or under way; 0: not yet; NUMAVP_ERROR.
NUMAVP_C int numavp_ended(void);

/// The address of byte `offset` of the memory of socket `socket`; all bits set if there is none.
NUMAVP_C uint64_t numavp_address(int socket, uint64_t offset);

/// Posts a read of `bytes` (1 to 128) through port `port`; `tag` comes back with the answer. It may cross lines.
/// NUMAVP_NOT_YET: 64 accesses were posted and not collected.
NUMAVP_C int numavp_post_read(int port, uint64_t address, unsigned bytes, uint64_t tag);
/// The same for a write of those bytes whose strobe is set; null strobes: of all.
NUMAVP_C int numavp_post_write(int port, uint64_t address, unsigned bytes, const void* data, const void* strobes,
                               uint64_t tag);
/// Collects the next answer, in the order of arrival: its tag, whether it failed (0 or 1; an address that no memory
/// has), and 128 bytes of data, of a write or beyond the access zeros. NUMAVP_NOT_YET: none.
NUMAVP_C int numavp_collect(int port, uint64_t* tag, int* failed, void* data);

/// The same at once: time goes by, clock cycle by clock cycle, until it is answered; numavp_time_ps() tells how long.
/// `bytes` bytes are read into `data`. An access that fails, or is not answered in checks.stuck_cycles, is an error.
NUMAVP_C int numavp_read(int port, uint64_t address, unsigned bytes, void* data);
NUMAVP_C int numavp_write(int port, uint64_t address, unsigned bytes, const void* data, const void* strobes);
/// The newest bytes as a debugger sees them, through all caches, in no time. Memories of the caller read as zeros.
NUMAVP_C int numavp_peek(int port, uint64_t address, unsigned bytes, void* data);

/// Takes the next request of memory `memory`: an id (0 to 15, none twice among those that are out), 1 for a write, the
/// address, how many bytes (at most a line), and of a write 128 bytes of data and 16 of strobes. Any order of answers
/// will do. At most 16 are out; later ones wait in the platform, as behind any memory. NUMAVP_NOT_YET: none.
NUMAVP_C int numavp_next_request(int memory, uint64_t* id, int* write, uint64_t* address, unsigned* bytes, void* data,
                                 void* strobes);
/// Answers request `id`, a read with as many bytes as it asked for; `failed` other than 0: the access failed.
/// Errors: no such request was taken.
NUMAVP_C int numavp_respond(int memory, uint64_t id, const void* data, int failed);

/// A number of the results by its path, such as "statistics.socket0.l2.hits": those of results.json (docs/RESULTS.md).
/// Errors: no such path; no number.
NUMAVP_C int numavp_statistic(const char* path, double* value);
/// The text of results.json as of now; null on an error. It stays until the next call.
NUMAVP_C const char* numavp_results(void);

/// The end. With `drain` time goes by until all kernels have ended and all is answered, without it none does. Then the
/// accounts are checked: nothing may be under way, lost, or posted and not collected. Results stay readable, and no
/// other call does anything. Errors: what is left, or who waits for whom. A memory of the caller's has to be answered
/// before.
NUMAVP_C int numavp_end(int drain);

/// What was wrong with the last call that returned NUMAVP_ERROR; empty if none did. It stays until the next error.
NUMAVP_C const char* numavp_last_error(void);

#ifdef __cplusplus
}
#endif
