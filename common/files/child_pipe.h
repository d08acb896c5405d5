/// A pipe by which a child process talks to this one.
#pragma once

#include <string>

#include "common/files/descriptor.h"

namespace numavp {

/// Both ends close when a program is executed. Reading does not wait.
struct ChildPipe {
    /// ModelError with `what`, such as "to a point's process", if the system has no descriptor left.
    explicit ChildPipe(const char* what);
    Descriptor read, write;
};

/// Appends the bytes that are there; closes the descriptor at the end of the input.
void drain(Descriptor& descriptor, std::string& text);

} // namespace numavp
