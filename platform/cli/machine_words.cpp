#include "platform/cli/machine_words.h"

namespace numavp {

void add_machine(CLI::App& command, MachineWords& words) {
    command
        .add_option("SYSTEM", words.machine, "Name of a system with CPUs and GPUs (dgx-1, s822lc, ac922), or JSON file")
        ->type_name("")
        ->required();
    command
        .add_option("--calibration", words.calibration,
                    "Constants of the machine; configs/calibrations/NAME.json unless given")
        ->type_name("FILE")
        ->take_last();
    command.add_option("--set", words.set, "A setting of the machine, such as network.links.nvlink.gbytes_per_s=25")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

} // namespace numavp
