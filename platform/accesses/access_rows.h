/// Columns of a log of followed accesses, shared by its writer and its checker.
#pragma once

namespace numavp {

inline constexpr const char* kAccessLogHeader = "access,kind,socket,sm,home,address,from_ps,latency_ps,"
                                                "hop,place,hop_from_ps,wait_ps,time_ps,waited_for,waited_access";
inline constexpr unsigned kAccessLogColumns = 15;

} // namespace numavp
