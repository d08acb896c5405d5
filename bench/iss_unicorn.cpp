/// bench_iss PAIRS QUANTUM: our instruction-set simulator between two runs of libunicorn, the same program and count.
///
/// Licence: libunicorn contains code of QEMU under the GNU General Public License, version 2, so that this program may
/// be distributed only under that licence. It is a program of its own for that reason, and is not installed.
///
/// Prints one line of JSON: "pairs", millions of instructions per second of CPU of libunicorn, ours, libunicorn;
/// "same", whether both had the same registers, pc and memory at each end.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include <fmt/format.h>
#include <unicorn/unicorn.h>

#include "bench/iss_program.h"
#include "bench/traffic.h"
#include "models/riscv/rv64_core.h"

namespace {

using namespace numavp;

constexpr std::uint64_t kInstructions = 50'000'000; ///< a run

void check(uc_err error) {
    if (error != UC_ERR_OK) throw std::runtime_error(std::string("libunicorn: ") + uc_strerror(error));
}

/// Registers 1 to 31 and pc.
using State = std::array<std::uint64_t, 32>;

/// libunicorn, told to stop after each quantum: how it counts instructions.
class Unicorn {
  public:
    explicit Unicorn(const IssProgram& program) : ram_(program.ram()) {
        check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &engine_));
        check(uc_mem_map_ptr(engine_, IssProgram::kBase, ram_.size(), UC_PROT_ALL, ram_.data()));
    }
    ~Unicorn() { uc_close(engine_); }
    Unicorn(const Unicorn&) = delete;
    Unicorn& operator=(const Unicorn&) = delete;
    void run(std::uint64_t instructions, std::uint64_t quantum) {
        for (std::uint64_t done = 0; done < instructions; done += quantum) {
            check(uc_emu_start(engine_, pc_, ~std::uint64_t{0}, 0, quantum));
            check(uc_reg_read(engine_, UC_RISCV_REG_PC, &pc_));
        }
    }
    State state() {
        State s{};
        for (unsigned i = 1; i < 32; ++i) check(uc_reg_read(engine_, UC_RISCV_REG_X0 + int(i), &s[i]));
        s[0] = pc_;
        return s;
    }
    const std::vector<unsigned char>& ram() const { return ram_; }

  private:
    std::vector<unsigned char> ram_;
    std::uint64_t pc_ = IssProgram::kBase;
    uc_engine* engine_ = nullptr;
};

class Ours {
  public:
    explicit Ours(const IssProgram& program) : ram_(program.ram()), core_(config()) {}
    void run(std::uint64_t instructions, std::uint64_t quantum) {
        for (std::uint64_t done = 0; done < instructions; done += quantum)
            if (core_.run(quantum) != CoreStop::budget)
                throw std::runtime_error("the core stopped: " + core_.in_words());
    }
    State state() const {
        State s{};
        for (unsigned i = 1; i < 32; ++i) s[i] = core_.x(i);
        s[0] = core_.pc();
        return s;
    }
    const std::vector<unsigned char>& ram() const { return ram_; }

  private:
    Rv64Core::Config config() {
        Rv64Core::Config c;
        c.ram_base = c.reset_pc = IssProgram::kBase;
        c.ram_bytes = ram_.size();
        c.ram = ram_.data();
        return c;
    }
    std::vector<unsigned char> ram_;
    Rv64Core core_;
};

template <class Core> double mips(Core& core, std::uint64_t quantum) {
    const std::uint64_t instructions = (kInstructions + quantum - 1) / quantum * quantum;
    const double begin = cpu_seconds();
    core.run(instructions, quantum);
    return static_cast<double>(instructions) / 1e6 / (cpu_seconds() - begin);
}

int measure(unsigned pairs, std::uint64_t quantum) {
    const IssProgram program;
    Unicorn theirs(program);
    Ours ours(program);
    std::string list;
    bool same = true;
    double before = mips(theirs, quantum);
    for (unsigned i = 0; i < pairs; ++i) {
        const double own = mips(ours, quantum);
        same = same && ours.state() == theirs.state() && ours.ram() == theirs.ram();
        const double after = mips(theirs, quantum);
        list += fmt::format("{}[{:.2f},{:.2f},{:.2f}]", i == 0 ? "" : ",", before, own, after);
        before = after;
    }
    fmt::print("{{\"pairs\":[{}],\"quantum\":{},\"same\":{}}}\n", list, quantum, same);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return measure(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 3,
                       argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000);
    } catch (const std::exception& e) {
        fmt::print(stderr, "bench_iss: {}\n", e.what());
        return 1;
    }
}
