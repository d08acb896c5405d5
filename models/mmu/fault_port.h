/// Interface between the sockets' MMUs and the server of page faults: a fault unit with a driver behind it, or a
/// placement in no time.
///
/// Plain C++, without time: the receiver models how long a message takes. Calls come in either pass of an edge; the
/// callee only records them and acts in its own arbitration. Two exceptions: `resolved()` may be called within
/// `fault()` of the same page, and `fault()` answers at once whether it took the fault.
#pragma once

#include <cstdint>

#include "base/values/address_layout.h"
#include "base/values/types.h"

namespace numavp {

/// A walk of socket `socket` found no valid entry for a virtual page, or may not store to it.
struct PageFault {
    std::uint64_t page = 0; ///< virtual page number
    SocketId socket;
    bool write = false; ///< the access that asked first is a store or an atomic, or, if `read_only`, one that joined
    bool read_only = false; ///< the page is mapped, but has replicas, and the access is a store or an atomic
};

/// A virtual page that a socket must drop from TLBs and caches.
struct PageInvalidation {
    std::uint64_t page = 0;    ///< virtual page number; its entry, or the socket's word of it, is invalid already
    PhysicalAddress frame = 0; ///< first byte of the page where it was for this socket
    bool mapped = true;        ///< false: it was nowhere, so that only TLBs have to be looked at
};

/// The server of page faults. One per system.
class FaultSink {
  public:
    /// Reports a fault. True: taken; accesses wait in the socket, which does not report the page again, until
    /// `resolved()`. False: no room; the socket's walker keeps the fault and reports it again after `room()`.
    virtual bool fault(const PageFault& fault) = 0;
    /// The socket has finished an invalidation that `FaultClient::invalidate()` asked for.
    virtual void invalidated(SocketId socket, std::uint64_t page) = 0;
    /// SMs of the socket have accessed a page of another memory as often as the access counters' threshold says.
    virtual void access_note(SocketId socket, std::uint64_t page) = 0;

  protected:
    ~FaultSink() = default;
};

/// A socket's MMU, as the server of faults sees it.
class FaultClient {
  public:
    /// The page's table entry may be valid now: accesses that wait for it walk again, and fault again if it is not.
    /// Does nothing if no access waits.
    virtual void resolved(std::uint64_t page) = 0;
    /// The server has room for faults again.
    virtual void room() = 0;
    /// Drops a page from the socket. At once, TLBs drop it and walks for it start over. Then accesses in flight end,
    /// L1s drop its lines, and the L2 writes its dirty lines home and drops all; then `FaultSink::invalidated()` is
    /// called. New accesses walk, find the invalid entry and fault. Several invalidations may be under way.
    ///
    /// Other sockets write their lines back through the caches of the page's home. So a page must leave caches in two
    /// rounds: first those of all other sockets, then, when they have answered, those of its home. After that no cache
    /// has a byte of it and its memory has all.
    virtual void invalidate(const PageInvalidation& invalidation) = 0;

  protected:
    ~FaultClient() = default;
};

} // namespace numavp
