/// Members of large JSON objects.
#pragma once

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace numavp {

/// Adds a member that the object does not have yet, without the search through all others that operator[] makes of an
/// object which keeps their order.
inline void append_member(nlohmann::ordered_json& object, const std::string& name, nlohmann::ordered_json value) {
    using Members = nlohmann::ordered_json::object_t;
    static_cast<Members::Container&>(object.get_ref<Members&>()).emplace_back(name, std::move(value));
}

} // namespace numavp
