/// Between the sockets' MMUs and whoever serves page faults: a fault unit with a driver behind it, or a placement that
/// answers in no time.
///
/// Plain C++, no time of its own: what a message costs on its way is the receiver's matter. Calls come in either pass
/// of an edge, and a callee only notes what it was told and acts in its own arbitration. Two exceptions: `resolved()`
/// may be called within `fault()` of the same page, and `fault()` answers at once whether it took the fault.
#pragma once

#include <cstdint>

#include "models/base/address_layout.h"
#include "models/base/types.h"

namespace numavp {

/// A walk of socket `socket` found no valid entry for a virtual page.
struct PageFault {
    std::uint64_t page = 0; ///< virtual page number
    SocketId socket;
    bool write = false; ///< the access that asked first is a store or an atomic
};

/// A virtual page that a socket is to forget.
struct PageInvalidation {
    std::uint64_t page = 0;    ///< virtual page number; its entry in the page table is invalid already
    PhysicalAddress frame = 0; ///< first byte of the page where it was
    bool mapped = true;        ///< false: it was nowhere, so that only TLBs have to be looked at
};

/// Who serves faults. One a system.
class FaultSink {
  public:
    /// True: taken; accesses to the page wait in the socket until `resolved()`. A socket reports a page once until
    /// then. False: no room; the socket's walker keeps it and asks again after `room()`.
    virtual bool fault(const PageFault& fault) = 0;
    /// The socket has done what `FaultClient::invalidate()` asked for.
    virtual void invalidated(SocketId socket, std::uint64_t page) = 0;
    /// SMs of the socket have sent a number of accesses to a page of another memory: the threshold of the counters.
    virtual void access_note(SocketId socket, std::uint64_t page) = 0;

  protected:
    ~FaultSink() = default;
};

/// A socket's MMU, as who serves faults sees it.
class FaultClient {
  public:
    /// The page's table entry may be valid now: those who wait for it walk again, and fault again if it is not. Nothing
    /// happens where nobody waits.
    virtual void resolved(std::uint64_t page) = 0;
    /// There is room for faults again.
    virtual void room() = 0;
    /// Forget the page: TLBs drop it and walks for it start over, at once; then what is in flight ends, L1s drop its
    /// lines, and the L2 writes dirty lines of it home and drops all; then `FaultSink::invalidated()`. Accesses that
    /// come meanwhile walk, find the invalid entry and fault. Several pages may be asked for at a time.
    ///
    /// Other sockets write their lines back through the caches of the page's home. So a page leaves all caches in two
    /// rounds: first all sockets but its home, then, when they all have answered, its home. After that no cache has a
    /// byte of it and its memory has all.
    virtual void invalidate(const PageInvalidation& invalidation) = 0;

  protected:
    ~FaultClient() = default;
};

} // namespace numavp
