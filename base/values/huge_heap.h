/// The heap of a program that simulates, in pages of 2 MiB where the system grants them.
#pragma once

namespace numavp {

/// Grows the C library's heap once, by 256 MiB of addresses, and asks for huge pages there. Models are many small
/// objects and arrays that are touched all over: in pages of 4 KiB their page walks take a tenth of a run. Memory is
/// used when it is touched, as ever. For a program's first step; a library leaves the heap of who uses it alone. Does
/// nothing where the C library is not glibc, or where it can't.
void grow_heap_in_huge_pages();

/// In a process that was just forked: copies the huge pages that it shares with its parent, as huge pages. Left alone,
/// each would be split into pages of 4 KiB when one byte of it is written, and stay so. Does nothing where the system
/// can't.
void copy_huge_pages();

} // namespace numavp
