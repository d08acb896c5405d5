#include "platform/cli/cli_completion.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "platform/cli/cli_words.h"
#include "platform/cli/json_output.h"

namespace numavp {
namespace {

/// Completion of the argument behind a word: the name of a function in the scripts below.
const std::map<std::string, std::string> kWordKinds = {
    {"SYSTEM", "systems"}, {"NETWORK", "networks"}, {"WORKLOAD", "workloads"}, {"PATH=VALUE", "settings"},
    {"RESULTS", "files"},  {"DIR", "folders"},      {"FILE", "files"},         {"DEVICE", "devices"},
    {"STREAM", "files"},   {"RUN", "folders"},      {"GRAPH", "graphs"},       {"MEASUREMENTS", "files"}};

std::string kind_of(const CLI::Option& option) {
    const auto found = kWordKinds.find(option.get_positional() ? option.get_name(true) : option.get_type_name());
    return found == kWordKinds.end() ? "" : found->second;
}

/// The words that a command's only positional may be, where they are fixed.
std::string fixed_words(const CLI::App& app, const std::string& command) {
    if (command == "list") return "systems networks workloads patterns policies settings changes values devices graphs";
    if (command == "schema") {
        std::string words = "system workload study graph results";
        for (const JsonOutput& output : json_outputs()) words += " " + std::string(output.name);
        return words;
    }
    if (command == "study") return kStudyActions;
    if (command == "completion") return "bash zsh fish";
    std::string names;
    if (command == "help")
        for (const CLI::App* c : app.get_subcommands({})) names += (names.empty() ? "" : " ") + c->get_name();
    return names;
}

std::vector<const CLI::Option*> options_of(const CLI::App& command, bool positional) {
    return command.get_options([positional](const CLI::Option* o) { return o->get_positional() == positional; });
}

/// True for an option that a value may follow, and need not.
bool may_take_value(const CLI::Option& option) {
    return !option.get_type_name().empty() && option.get_type_name().front() == '[';
}

bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0 && !may_take_value(option); }

std::string option_name(const CLI::Option& option) { return "--" + option.get_lnames().front(); }

std::string join(const std::vector<std::string>& words, const std::string& by) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : by) + word;
    return out;
}

constexpr const char* kBashHead = R"SH(# Completion of numavp for bash; written by "numavp completion bash".
_numavp_words() { # <kind> <current word>
    case "$1" in
    systems | networks | workloads | settings | devices | graphs)
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" list "$1" --names 2>/dev/null)" -- "$2") ;;
    esac
    case "$1" in
    settings)
        compopt -o nospace
        ((${#COMPREPLY[@]})) && COMPREPLY=("${COMPREPLY[@]/%/=}") ;;
    folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    systems | networks | workloads | devices | graphs | files)
        compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$2") ;;
    esac
}
_numavp_values() { # <path of a setting> <current value>
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" list values "$1" --names 2>/dev/null)" -- "$2")
}
_numavp() {
    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" position=0 i options words kinds
    COMPREPLY=()
    if [[ "$current" == = ]]; then # bash breaks words at =
        _numavp_values "$before" ""
        return
    elif [[ "$before" == = ]]; then
        _numavp_values "${COMP_WORDS[COMP_CWORD - 2]}" "$current"
        return
    elif [[ "$current" == ?*=* ]]; then
        _numavp_values "${current%%=*}" "${current#*=}"
        COMPREPLY=("${COMPREPLY[@]/#/${current%%=*}=}")
        return
    fi
    if ((COMP_CWORD == 1)); then
)SH";

constexpr const char* kBashTail = R"SH(    if [[ -n "${kinds[position]-}" ]]; then
        _numavp_words "${kinds[position]}" "$current"
    elif ((position == 0)); then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    fi
}
complete -o default -F _numavp numavp ./numavp
)SH";

std::string bash_command(const CLI::App& app, const CLI::App& command) {
    std::vector<std::string> options;
    std::vector<std::string> kinds;
    for (const CLI::Option* option : options_of(command, false)) options.push_back(option_name(*option));
    for (const CLI::Option* option : options_of(command, true))
        kinds.push_back(kind_of(*option).empty() ? "''" : kind_of(*option)); // by position
    return fmt::format("    {}) options=\"{}\" words=\"{}\" kinds=({}) ;;\n", command.get_name(), join(options, " "),
                       fixed_words(app, command.get_name()), join(kinds, " "));
}

std::string bash_script(const CLI::App& app) {
    std::vector<std::string> commands;
    std::string cases;
    std::map<std::string, std::string> takes; ///< options that take a value, and the kind of it
    for (const CLI::App* command : app.get_subcommands({})) {
        commands.push_back(command->get_name());
        cases += bash_command(app, *command);
        for (const CLI::Option* option : options_of(*command, false))
            if (takes_value(*option)) takes[option_name(*option)] = kind_of(*option);
    }
    std::vector<std::string> valued;
    std::set<std::string> numbers; ///< options that a number may follow, of any command
    std::string values, numbered;
    for (const CLI::App* command : app.get_subcommands({}))
        for (const CLI::Option* option : options_of(*command, false))
            if (may_take_value(*option)) numbers.insert(option_name(*option));
    for (const std::string& name : numbers)
        numbered += fmt::format("        {}) [[ \"${{COMP_WORDS[i + 1]}}\" == [0-9]* ]] && i=$((i + 1)) ;;\n", name);
    for (const auto& [name, kind] : takes) {
        valued.push_back(name);
        values +=
            fmt::format("    {}) {}return ;;\n", name, kind.empty() ? "" : "_numavp_words " + kind + " \"$current\"; ");
    }
    return std::string(kBashHead) +
           fmt::format("        mapfile -t COMPREPLY < <(compgen -W \"{} --help --version\" -- \"$current\")\n"
                       "        return\n    fi\n    case \"$before\" in\n{}    esac\n"
                       "    case \"${{COMP_WORDS[1]}}\" in\n{}    *) return ;;\n    esac\n"
                       "    if [[ \"$current\" == -* ]]; then\n"
                       "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
                       "        return\n    fi\n"
                       "    for ((i = 2; i < COMP_CWORD; ++i)); do\n"
                       "        case \"${{COMP_WORDS[i]}}\" in\n"
                       "        {}) i=$((i + 1)) ;;\n{}        = | -*) ;;\n        *) position=$((position + 1)) ;;\n"
                       "        esac\n    done\n",
                       join(commands, " "), values, cases, join(valued, " | "), numbered) +
           kBashTail;
}

constexpr const char* kZshHead = R"SH(#compdef numavp
# Completion of numavp for zsh; written by "numavp completion zsh".
_numavp_names() { # <kind>
    local -a names
    names=("${(@f)$("${numavp_program}" list "$1" --names 2>/dev/null)}")
    compadd -a names
}
_numavp_systems() { _numavp_names systems; _files -g '*.json' }
_numavp_networks() { _numavp_names networks; _files -g '*.json' }
_numavp_devices() { _numavp_names devices; _files -g '*.json' }
_numavp_graphs() { _numavp_names graphs; _files -g '*.json' }
_numavp_workloads() { _numavp_names workloads; _files -g '*.(json|traceg|tracez|memtrace|xz|g)' }
_numavp_settings() {
    local -a names
    if [[ "$PREFIX" == *=* ]]; then
        local setting="${PREFIX%%=*}"
        compset -P '*='
        names=("${(@f)$("${numavp_program}" list values "$setting" --names 2>/dev/null)}")
        compadd -a names
        return
    fi
    names=("${(@f)$("${numavp_program}" list settings --names 2>/dev/null)}")
    compadd -S = -a names
}
_numavp_folders() { _files -/ }
_numavp_files() { _files }
_numavp() {
    local numavp_program="${words[1]}"
    local -a commands
)SH";

/// A text inside '...' of an _arguments specification.
std::string zsh_quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else if (c == ':' || c == '[' || c == ']')
            out += std::string("\\") + c;
        else
            out += c;
    }
    return out;
}

std::string zsh_action(const CLI::App& app, const CLI::App& command, const CLI::Option& option) {
    if (const std::string kind = kind_of(option); !kind.empty()) return "_numavp_" + kind;
    const std::string fixed = option.get_positional() ? fixed_words(app, command.get_name()) : "";
    return fixed.empty() ? " " : "(" + fixed + ")";
}

std::string zsh_command(const CLI::App& app, const CLI::App& command) {
    std::string out = fmt::format("    {}) _arguments", command.get_name());
    for (const CLI::Option* option : options_of(command, false)) {
        const bool valued = takes_value(*option), optional = may_take_value(*option);
        const bool many = option_name(*option) == "--set" || option_name(*option) == "--change";
        out += fmt::format(
            " '{}{}[{}]{}'", many ? "*" : "", option_name(*option), zsh_quoted(option->get_description()),
            valued     ? fmt::format(":{}:{}", zsh_quoted(option->get_type_name()), zsh_action(app, command, *option))
            : optional ? fmt::format("::{}: ", zsh_quoted(option->get_type_name()))
                       : "");
    }
    for (const CLI::Option* option : options_of(command, true)) {
        const bool many = option->get_expected_max() > 1;
        out += fmt::format(" '{}:{}:{}'", many ? "*" : "", option->get_name(true), zsh_action(app, command, *option));
    }
    return out + " ;;\n";
}

std::string zsh_script(const CLI::App& app) {
    std::string commands;
    std::string cases;
    for (const CLI::App* command : app.get_subcommands({})) {
        commands += fmt::format("        '{}:{}'\n", command->get_name(), zsh_quoted(command->get_description()));
        cases += zsh_command(app, *command);
    }
    return std::string(kZshHead) + "    commands=(\n" + commands +
           "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
           "    local command=\"${words[2]}\"\n    shift words\n    ((CURRENT--))\n    case \"$command\" in\n" +
           cases +
           "    esac\n}\nif [[ \"${funcstack[1]}\" == _numavp ]]; then _numavp; else compdef _numavp numavp ./numavp; "
           "fi\n";
}

/// A text inside '...' of fish.
std::string fish_quoted(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return "'" + out + "'";
}

/// What completes a value: names from the program and files, files alone, folders, or fixed words.
std::string fish_values(const std::string& kind, const std::string& fixed) {
    if (kind == "files") return " -F";
    if (kind == "folders") return " -fa '(__fish_complete_directories)'";
    if (kind == "settings") return " -fa '(__numavp_settings)'";
    if (!kind.empty()) return " -Fa '(numavp list " + kind + " --names)'";
    return fixed.empty() ? "" : " -fa " + fish_quoted(fixed);
}

std::string fish_script(const CLI::App& app) {
    std::string out = "# Completion of numavp for fish; written by \"numavp completion fish\".\n"
                      "function __numavp_settings\n"
                      "    set -l token (commandline -ct)\n"
                      "    if string match -q '*=*' -- $token\n"
                      "        set -l path (string split -m1 = -- $token)[1]\n"
                      "        numavp list values $path --names 2>/dev/null | string replace -r '^' \"$path=\"\n"
                      "    else\n"
                      "        numavp list settings --names 2>/dev/null | string replace -r '$' '='\n"
                      "    end\n"
                      "end\ncomplete -c numavp -f\n";
    for (const CLI::App* command : app.get_subcommands({})) {
        out += fmt::format("complete -c numavp -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                           fish_quoted(command->get_description()));
        const std::string here =
            fmt::format("complete -c numavp -n '__fish_seen_subcommand_from {}'", command->get_name());
        for (const CLI::Option* option : options_of(*command, false))
            out += fmt::format("{} -l {} -d {}{}{}\n", here, option->get_lnames().front(),
                               fish_quoted(option->get_description()), takes_value(*option) ? " -r" : "",
                               takes_value(*option) ? fish_values(kind_of(*option), "") : "");
        for (const CLI::Option* option : options_of(*command, true))
            if (const std::string values = fish_values(kind_of(*option), fixed_words(app, command->get_name()));
                !values.empty())
                out += here + values + "\n";
    }
    return out;
}

} // namespace

std::string completion_script(const std::string& shell) {
    Words words;
    const std::unique_ptr<CLI::App> app = make_parser(words);
    if (shell == "bash") return bash_script(*app);
    if (shell == "zsh") return zsh_script(*app);
    if (shell == "fish") return fish_script(*app);
    throw ConfigError("completion", unknown_name("shell", shell, {"bash", "zsh", "fish"}));
}

} // namespace numavp
