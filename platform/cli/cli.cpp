#include "platform/cli/cli.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <systemc>

#include "base/config/config.h"
#include "base/config/config_parts.h"
#include "common/system/changeable_setting.h"
#include "common/system/load_system.h"
#include "common/words/fit_width.h"
#include "common/words/text.h"
#include "communication/graph/graph_file.h"
#include "platform/cli/cli_branch.h"
#include "platform/cli/cli_characterize.h"
#include "platform/cli/cli_check.h"
#include "platform/cli/cli_compare.h"
#include "platform/cli/cli_completion.h"
#include "platform/cli/cli_correlate.h"
#include "platform/cli/cli_examples.h"
#include "platform/cli/cli_graph.h"
#include "platform/cli/cli_import.h"
#include "platform/cli/cli_list.h"
#include "platform/cli/cli_network.h"
#include "platform/cli/cli_predict.h"
#include "platform/cli/cli_replay.h"
#include "platform/cli/cli_report.h"
#include "platform/cli/cli_run.h"
#include "platform/cli/cli_study.h"
#include "platform/cli/cli_what_if.h"
#include "platform/cli/cli_words.h"
#include "platform/cli/json_output.h"
#include "platform/explain/explain.h"
#include "platform/results/results_schema.h"
#include "platform/run/interrupt.h"
#include "rtl/block_end.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

void print(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw ConfigError("output", "it can't be written; an open output is expected");
}

/// One sentence on one line, or, of a fault of the model, several lines; nothing in it acts on the terminal.
void complain(const std::string& text, bool lines = false) { fmt::print(stderr, "numavp: {}\n", escaped(text, lines)); }

/// SystemC's remarks are not for users; its warnings go where errors go.
void quieten_systemc() {
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
        if (report.get_severity() == sc_core::SC_WARNING)
            complain(fmt::format("SystemC warning {}: {}", report.get_msg_type(), report.get_msg()));
        else
            sc_core::sc_report_handler::default_handler(report, actions);
    });
}

/// The schema of a system, in which settings that may change during a run have "x-changes".
ordered_json system_schema() {
    ordered_json schema = with_parts(file_schema_of<SystemConfig>("numavp system"));
    for (const ChangeableSetting& setting : changeable_settings()) {
        const std::string path = setting.path;
        ordered_json* at = &schema;
        for (std::size_t begin = 0; begin < path.size();) {
            const std::size_t end = std::min(path.find('.', begin), path.size());
            at = &at->at("properties").at(path.substr(begin, end - begin));
            begin = end + 1;
        }
        (*at)["x-changes"] = true;
    }
    return schema;
}

std::string schema_of_kind(const std::string& what) {
    if (what == "system") return system_schema().dump(1);
    if (what == "workload") return workload_schema().dump(1);
    if (what == "study") return study_schema().dump(1);
    if (what == "graph") return graph_schema().dump(1);
    if (what == "results") return results_schema().dump(1);
    if (const JsonOutput* output = find_json_output(what)) return json_output_schema(*output).dump(1);
    std::vector<std::string_view> names = {"system", "workload", "study", "graph", "results"};
    for (const JsonOutput& output : json_outputs()) names.push_back(output.name);
    throw ConfigError("schema", unknown_name("schema", what, names));
}

std::string explain_command(const ExplainWords& words) {
    const Style style = style_of(STDOUT_FILENO);
    SystemConfig config = load_system(words.system, words.set);
    if (words.json) return with_format("explain", explain_json(config)).dump(1) + "\n";
    config.name = escaped(config.name);
    config.description = escaped(config.description);
    return words.csv ? explain_csv(config) : fit_width(explain_text(config, style), terminal_width(STDOUT_FILENO));
}

/// Each file gets its sentence; the status says whether all are sound.
int check_all(const CheckWords& words) {
    int status = kExitOk;
    std::vector<std::string> files;
    for (const std::string& asked : words.files)
        for (std::string& file : files_to_check(asked)) files.push_back(std::move(file));
    for (const std::string& file : files) {
        try {
            print(words.sharing ? sharing_command(file, words) : escaped(check_file(file, words.set)) + "\n");
        } catch (const ConfigError& fault) {
            complain(fault.what());
            status = kExitUser;
        }
    }
    return status;
}

int dispatch(const Words& words, const std::vector<std::string>& command_line) {
    if (words.command == "check") return check_all(words.check);
    if (words.command == "study") {
        const StudyEnd end = study_command(words.study, command_line);
        print(end.text);
        return end.status;
    }
    if (words.command == "branch") {
        const BranchesResult end = branch_command(words.branch, command_line);
        print(end.text);
        return end.status;
    }
    if (words.command == "run") {
        print(run_command(words.run, command_line));
    } else if (words.command == "attach") {
        print(attach_command(words.attach));
    } else if (words.command == "network") {
        print(network_command(words.network));
    } else if (words.command == "list") {
        print(list_text(words.list));
    } else if (words.command == "explain") {
        print(explain_command(words.explain));
    } else if (words.command == "compare") {
        print(compare_command(words.compare));
    } else if (words.command == "correlate") {
        print(correlate_command(words.correlate));
    } else if (words.command == "report") {
        print(report_command(words.report));
    } else if (words.command == "replay-faults") {
        print(replay_command(words.replay));
    } else if (words.command == "memory") {
        print(memory_command(words.memory));
    } else if (words.command == "import") {
        print(import_command(words.import));
    } else if (words.command == "characterize") {
        print(characterize_command(words.characterize));
    } else if (words.command == "predict") {
        print(predict_command(words.predict));
    } else if (words.command == "graph") {
        print(graph_command(words.graph));
    } else if (words.command == "what-if") {
        print(what_if_command(words.what_if));
    } else if (words.command == "schema") {
        print(schema_of_kind(words.schema) + "\n");
    } else if (words.command == "version") {
        print(version_text() + "\n");
    } else if (words.command == "completion") {
        print(completion_script(words.shell));
    } else {
        print(words.man ? man_page() : help_of(words.help));
    }
    return kExitOk;
}

} // namespace

int run_cli(int argc, char** argv) {
    quieten_systemc();
    end_on_interrupt();
    std::signal(SIGXFSZ, SIG_IGN); // a quota on file sizes is an error that can be told, not the end
    try {
        Words words;
        if (!parse_words(argc, argv, words)) return kExitOk;
        return dispatch(words, {argv, argv + argc});
    } catch (const ConfigError& fault) {
        complain(fault.what());
        return kExitUser;
    } catch (const Interrupted& interrupt) {
        if (!interrupt.kept().empty()) complain(interrupt.kept());
        complain("interrupted");
        return 128 + interrupt.signal();
    } catch (const ModelError& fault) {
        complain(fault.what(), true);
    } catch (const sc_core::sc_report& report) {
        if (rtl::is_block_end(report.get_msg_type())) {
            complain(report.get_msg());
            return kExitEnded;
        }
        complain(fmt::format("SystemC {}: {}", report.get_msg_type(), report.get_msg()), true);
    } catch (const std::bad_alloc&) {
        complain("there is not enough memory");
    } catch (const std::exception& fault) {
        complain(fault.what());
    }
    return kExitModel;
}

} // namespace numavp
