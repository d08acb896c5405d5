#include "platform/cli/cli_settings.h"

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/system/system_config.h"

namespace numavp {
namespace {

/// A visitor of field lists, like those that read and dump.
class Collector {
  public:
    Collector(std::string prefix, std::vector<Setting>& all) : prefix_(std::move(prefix)), all_(all) {}

    template <class I, class L, class H>
    void integer(const char* name, I& field, L low, H high, const char* unit, const char* doc) {
        add(name, range(fmt::format("{}", low), fmt::format("{}", high), unit), doc, detail::number<I>(field));
    }
    template <class I, class L>
    void steps(const char* name, I& field, L low, L high, L step, const char* unit, const char* doc) {
        const std::string allowed = fmt::format("{}, a multiple of {}", high, step);
        add(name, range(fmt::format("{}", low), allowed, unit), doc, detail::number<I>(field));
    }
    void real(const char* name, double& field, double low, double high, const char* unit, const char* doc) {
        add(name, range(fmt::format("{:g}", low), fmt::format("{:g}", high), unit), doc, field);
    }
    void boolean(const char* name, bool& field, const char* doc) { add(name, "true, false", doc, field); }
    void text(const char* name, std::string& field, const char* doc) { add(name, "text", doc, field); }
    void parts(const char* name, std::string& field, const char* doc) { add(name, "names of parts", doc, field); }
    template <class E> void choice(const char* name, E& field, const NameTable<E>& table, const char* doc) {
        std::string allowed;
        Setting& setting = add(name, "", doc, std::string(table.name(field)));
        for (const NameEntry<E>& entry : table) {
            allowed += (allowed.empty() ? "" : ", ") + std::string(entry.name);
            setting.choices.emplace_back(entry.name, entry.doc);
        }
        setting.allowed = allowed;
    }
    template <class I, class L, class H>
    void integers(const char* name, std::vector<I>& /*field*/, L low, H high, const char* unit, const char* doc) {
        add(name, "list of " + range(fmt::format("{}", low), fmt::format("{}", high), unit) + ", such as [2,4]", doc,
            ordered_json::array());
    }
    template <class T> void list(const char* name, std::vector<T>& /*field*/, const char* doc) {
        T element;
        add(name, "list of objects, such as [" + dump_object(element).dump() + "]", doc, ordered_json::array());
    }
    template <class T> void optional(const char* name, T& field, const char* doc) { object(name, field, doc); }
    /// Their settings are those of the others.
    template <class T>
    void instances(const char*, const std::vector<NamedParts>&, const T&, unsigned, Instances<T>&, const char*) {}
    template <class T> void object(const char* name, T& field, const char* /*doc*/) {
        Collector inside(prefix_ + name + ".", all_);
        describe(inside, field);
    }

  private:
    static std::string range(const std::string& low, const std::string& high, const std::string& unit) {
        return low + " to " + high + (unit.empty() ? "" : " " + unit);
    }
    Setting& add(const char* name, std::string allowed, const char* doc, const ordered_json& value) {
        all_.push_back({prefix_ + name, std::move(allowed), doc, value, {}});
        return all_.back();
    }

    std::string prefix_;
    std::vector<Setting>& all_;
};

} // namespace

std::vector<Setting> system_settings() {
    std::vector<Setting> all;
    SystemConfig defaults;
    Collector collector("", all);
    describe(collector, defaults);
    return all;
}

} // namespace numavp
