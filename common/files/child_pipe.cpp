#include "common/files/child_pipe.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

ChildPipe::ChildPipe(const char* what) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw ModelError(fmt::format("no pipe {}: {}", what, std::strerror(errno)));
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    ::fcntl(read.value(), F_SETFL, O_NONBLOCK);
}

void drain(Descriptor& descriptor, std::string& text) {
    std::array<char, 65536> buffer{};
    while (descriptor.value() >= 0) {
        const ssize_t n = ::read(descriptor.value(), buffer.data(), buffer.size());
        if (n > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(n));
        } else if (n < 0 && errno == EINTR) {
            continue;
        } else if (n < 0 && errno == EAGAIN) {
            return;
        } else {
            descriptor.close();
        }
    }
}

} // namespace numavp
