/// Strict configuration: what is wrong is found, and said in one sentence with its place.
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/config/config.h"
#include "base/config/config_parts.h"
#include "base/config/config_place.h"
#include "tests/support/temp_dir.h"

namespace numavp {
namespace {

using ::testing::HasSubstr;

enum class Policy : std::uint8_t { interleave, first_touch };

constexpr NameTable<Policy> kPolicyNames{"page placement",
                                         {{Policy::interleave, "interleave", "Lines in turn."},
                                          {Policy::first_touch, "first_touch", "Who touches a page first."}}};

struct CacheConfig {
    std::uint32_t ways = 16;
    std::uint64_t bytes = 1 << 20;
    void validate(const Place& place) const {
        if (bytes % ways != 0) throw ConfigError(place, "bytes is no multiple of ways; a multiple is expected");
    }
};
template <class V> void describe(V& v, CacheConfig& c) {
    v.integer("ways", c.ways, 1, 64, "ways", "Ways of a set.");
    v.integer("bytes", c.bytes, 128, std::uint64_t{1} << 40, "B", "Size.");
}

struct MachineConfig {
    std::uint8_t sockets = 4;
    std::int32_t offset = 0;
    std::uint64_t seed = ~0ULL;
    double energy = 10.0;
    bool functional = false;
    std::string name = "table1";
    Policy policy = Policy::interleave;
    CacheConfig l2;
    std::vector<CacheConfig> levels;
    std::vector<std::uint16_t> sizes = {1, 2};
};
template <class V> void describe(V& v, MachineConfig& c) {
    v.integer("sockets", c.sockets, 1, 16, "sockets", "GPU sockets.");
    v.integer("offset", c.offset, -8, 8, "cycles", "Skew.");
    v.integer("seed", c.seed, 0, ~0ULL, "", "Seed.");
    v.real("energy_pj_per_bit", c.energy, 0.0, 1000.0, "pJ/b", "Energy of a link.");
    v.boolean("functional", c.functional, "Data is real.");
    v.text("name", c.name, "Name.");
    v.choice("policy", c.policy, kPolicyNames, "Where pages go.");
    v.object("l2", c.l2, "Second level.");
    v.list("levels", c.levels, "More levels.");
    v.integers("sizes", c.sizes, 1, 100, "B", "Sizes.");
}

/// The sentence of the ConfigError that `act` throws; "" if it throws none.
template <class F> std::string error_of(F&& act) {
    try {
        act();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

std::string read_error(const std::string& text) {
    return error_of([&] { read_config<MachineConfig>(parse_json(text, "s.json"), "s.json"); });
}

TEST(Config, KeepsDefaultsAndReadsEveryKindOfField) {
    const auto c = read_config<MachineConfig>(parse_json(R"({
        "offset": -8, "seed": 18446744073709551615, "energy_pj_per_bit": 3, "functional": true, "name": "x",
        "policy": "first_touch", "l2": {"ways": 8}, "levels": [{"ways": 4}, {}], "sizes": []})",
                                                         "s.json"),
                                              "s.json");
    EXPECT_EQ(c.sockets, 4);
    EXPECT_EQ(c.offset, -8);
    EXPECT_EQ(c.seed, ~0ULL);
    EXPECT_EQ(c.energy, 3.0);
    EXPECT_TRUE(c.functional);
    EXPECT_EQ(c.name, "x");
    EXPECT_EQ(c.policy, Policy::first_touch);
    EXPECT_EQ(c.l2.ways, 8U);
    ASSERT_EQ(c.levels.size(), 2U);
    EXPECT_EQ(c.levels[0].ways, 4U);
    EXPECT_EQ(c.levels[1].ways, 16U);
    EXPECT_TRUE(c.sizes.empty());
}

struct WrongInput {
    const char* text;
    const char* error;
};

TEST(Config, SaysWhatIsWrongWhereAndWhatIsAllowed) {
    const WrongInput rows[] = {
        {R"({"sockets": 2.9})",
         "s.json: $.sockets: 2.9 is not a whole number; allowed are whole numbers from 1 to 16 (sockets)"},
        {R"({"sockets": 17.0})",
         "s.json: $.sockets: 17 is out of range; allowed are whole numbers from 1 to 16 (sockets)"},
        {R"({"sockets": -3})",
         "s.json: $.sockets: -3 is out of range; allowed are whole numbers from 1 to 16 (sockets)"},
        {R"({"sockets": 260})",
         "s.json: $.sockets: 260 is out of range; allowed are whole numbers from 1 to 16 (sockets)"},
        {R"({"sockets": "8"})",
         "s.json: $.sockets: \"8\" is not a whole number; allowed are whole numbers from 1 to 16 (sockets)"},
        {R"({"sockets": true})",
         "s.json: $.sockets: true is not a whole number; allowed are whole numbers from 1 to 16 (sockets)"},
        {R"({"sockets": null})",
         "s.json: $.sockets: null is not a whole number; allowed are whole numbers from 1 to 16 (sockets)"},
        {R"({"offset": -9})", "s.json: $.offset: -9 is out of range; allowed are whole numbers from -8 to 8 (cycles)"},
        {R"({"offset": 18446744073709551615})",
         "s.json: $.offset: 18446744073709551615 is out of range; allowed are whole numbers from -8 to 8 (cycles)"},
        {R"({"seed": 18446744073709551616})",
         "s.json: $.seed: 1.8446744073709552e+19 is out of range; allowed are whole numbers from 0 to "
         "18446744073709551615"},
        {R"({"energy_pj_per_bit": 1e9})",
         "s.json: $.energy_pj_per_bit: 1000000000.0 is out of range; allowed are numbers from 0 to 1000 (pJ/b)"},
        {R"({"energy_pj_per_bit": "1"})",
         "s.json: $.energy_pj_per_bit: \"1\" is not a number; allowed are numbers from 0 to 1000 (pJ/b)"},
        {R"({"functional": 1})", "s.json: $.functional: 1 is not a truth value; allowed are true and false"},
        {R"({"name": 1})", "s.json: $.name: 1 is not a string; a string in \" \" is expected"},
        {R"({"policy": "frist_touch"})", "s.json: $.policy: unknown page placement 'frist_touch', the nearest is "
                                         "'first_touch'; allowed are 'interleave', 'first_touch'"},
        {R"({"policy": 0})", "s.json: $.policy: 0 is not a string; a string in \" \" is expected"},
        {R"({"l2": 8})", "s.json: $.l2: 8 is not an object; an object { } is expected"},
        {R"({"l2": {"wayz": 8}})",
         "s.json: $.l2.wayz: unknown key 'wayz', the nearest is 'ways'; allowed are 'ways', 'bytes'"},
        {R"({"l2": {"quite else": 8}})",
         "s.json: $.l2[\"quite else\"]: unknown key 'quite else'; allowed are 'ways', 'bytes'"},
        {R"({"a\nb\u001b": 8})", "s.json: $[\"a?b?\"]: unknown key 'a?b?'; allowed are 'sockets', 'offset', 'seed', "
                                 "'energy_pj_per_bit', 'functional', 'name', 'policy', 'l2', 'levels', 'sizes'"},
        {R"({"l2": {"ways": 3}})", "s.json: $.l2: bytes is no multiple of ways; a multiple is expected"},
        {R"({"levels": {}})", "s.json: $.levels: an object is not a list; a list [ ] is expected"},
        {R"({"levels": [{}, {"ways": 0}]})",
         "s.json: $.levels[1].ways: 0 is out of range; allowed are whole numbers from 1 to 64 (ways)"},
        {R"({"sizes": [1, 101]})",
         "s.json: $.sizes[1]: 101 is out of range; allowed are whole numbers from 1 to 100 (B)"},
        {R"([])", "s.json: $: a list is not an object; an object { } is expected"},
        {R"({"l2": {"ways": 8, "bytes": 256, "ways": 8}})",
         "s.json: $.l2.ways: the key is there twice; a key may be given once"},
        {R"({"levels": [{}, {"ways": 8, "ways": 8}]})",
         "s.json: $.levels[1].ways: the key is there twice; a key may be given once"},
    };
    for (const WrongInput& row : rows) EXPECT_EQ(read_error(row.text), row.error);
}

TEST(Config, SyntaxErrorsHaveLineAndColumn) {
    EXPECT_THAT(read_error("{\n  \"l2\": {,}\n}"), HasSubstr("s.json: line 2, column 10: syntax error"));
    EXPECT_THAT(read_error("{}\n// no"), HasSubstr("s.json: line 2, column 1: syntax error"));
    EXPECT_THAT(read_error(""), HasSubstr("s.json: line 1, column 1: the file is empty"));
    EXPECT_THAT(read_error("{\"seed\": 1e999}"), HasSubstr("number overflow"));
    EXPECT_THAT(read_error("{\"name\": \"\xff\"}"), HasSubstr("line 1"));
    EXPECT_THAT(read_error(std::string(100000, '[')), HasSubstr("nested too deep; allowed are 64"));
}

TEST(Config, DumpHasAllFieldsInOrderAndReadsBack) {
    MachineConfig c;
    c.levels = {{2, 256}};
    c.policy = Policy::first_touch;
    const ordered_json dump = dump_config(c);
    EXPECT_EQ(dump.dump(), R"({"sockets":4,"offset":0,"seed":18446744073709551615,"energy_pj_per_bit":10.0,)"
                           R"("functional":false,"name":"table1","policy":"first_touch",)"
                           R"("l2":{"ways":16,"bytes":1048576},"levels":[{"ways":2,"bytes":256}],"sizes":[1,2]})");
    const auto again = read_config<MachineConfig>(json(dump), "again");
    EXPECT_EQ(dump_config(again), dump);
}

TEST(Config, SchemaSaysWhatTheReaderAllows) {
    const ordered_json schema = file_schema_of<MachineConfig>("system");
    EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(schema.at("title"), "system");
    EXPECT_EQ(schema.at("additionalProperties"), false);
    EXPECT_EQ(schema.at("properties").at("sockets").dump(),
              R"({"title":"sockets","description":"GPU sockets.","type":"integer","minimum":1,"maximum":16,)"
              R"("x-unit":"sockets","default":4})");
    EXPECT_EQ(schema.at("properties").at("policy").at("enum").dump(), R"(["interleave","first_touch"])");
    EXPECT_EQ(schema.at("properties").at("policy").at("default"), "interleave");
    EXPECT_EQ(schema.at("properties").at("l2").at("properties").at("ways").at("maximum"), 64);
    EXPECT_EQ(schema.at("properties").at("levels").at("items").at("additionalProperties"), false);
    EXPECT_EQ(schema.at("properties").at("sizes").at("items").at("maximum"), 100);
    EXPECT_TRUE(schema.at("properties").contains("extends"));
    EXPECT_FALSE(schema_of<MachineConfig>().at("properties").contains("extends"));
}

struct WrongDefault {
    int n = 9;
};
template <class V> void describe(V& v, WrongDefault& c) { v.integer("n", c.n, 0, 8, "", "N."); }

TEST(Config, SchemaRefusesADefaultThatIsNotAllowed) { EXPECT_THROW(schema_of<WrongDefault>(), ModelError); }

TEST(ConfigFile, ExtendsMergesAndErrorsNameTheFileThatIsWrong) {
    const test::TempDir dir;
    dir.write("base.json", R"({"$schema": "x", "name": "base", "l2": {"ways": 8, "bytes": 1024}, "sizes": [1]})");
    dir.write("sub/top.json", R"({"extends": "../base", "l2": {"ways": 4}, "sizes": [2, 3], "name": null})");
    const ConfigDocument document = load_document(dir.path("sub/top.json"));
    EXPECT_EQ(document.value.dump(), R"({"l2":{"bytes":1024,"ways":4},"sizes":[2,3]})");
    EXPECT_EQ(load_with_extends(dir.path("sub/top.json")), document.value);

    dir.write("base.json", R"({"name": "base", "l2": {"bytes": 1}})");
    EXPECT_THAT(error_of([&] { read_config<MachineConfig>(load_document(dir.path("sub/top.json"))); }),
                HasSubstr("/base.json: $.l2.bytes: 1 is out of range"));
    dir.write("base.json", R"({"name": "base", "l2": {"wayz": 1}})");
    EXPECT_THAT(error_of([&] { read_config<MachineConfig>(load_document(dir.path("sub/top.json"))); }),
                HasSubstr("/base.json: $.l2.wayz: unknown key 'wayz'"));
}

TEST(ConfigFile, RefusesANullThatTakesNothingOut) {
    const test::TempDir dir;
    dir.write("base.json", R"({"l2": {"ways": 8}})");
    const auto error = [&](const std::string& text) {
        dir.write("top.json", text);
        return error_of([&] { read_config<MachineConfig>(load_document(dir.path("top.json"))); });
    };
    EXPECT_THAT(error(R"({"sockets": null})"), HasSubstr("/top.json: $.sockets: null is not a whole number"));
    EXPECT_THAT(error(R"({"l2": {"ways": null}})"), HasSubstr("/top.json: $.l2.ways: null is not a whole number"));
    EXPECT_THAT(error(R"({"l2": null})"), HasSubstr("/top.json: $.l2: null is not an object"));
    EXPECT_THAT(error(R"({"none": null})"), HasSubstr("/top.json: $.none: unknown key 'none'"));
    EXPECT_THAT(error(R"({"extends": "base", "name": null})"), HasSubstr("/top.json: $.name: null is not a string"));
    EXPECT_EQ(error(R"({"extends": "base", "l2": {"ways": null}})"), "");
}

TEST(Config, TakesWholeNumbersHoweverTheyAreWritten) { // as JSON Schema does
    for (const char* two : {"2", "2.0", "2e0", "0.2e1"}) {
        const json value = parse_json(std::string(R"({"sockets": )") + two + "}", "s.json");
        EXPECT_EQ(read_config<MachineConfig>(value, "s.json").sockets, 2U) << two;
    }
}

/// What an object uses comes first, then its own members; each value is known to be of its own file.
TEST(ConfigFile, UsesPartsInItsObjects) {
    const test::TempDir dir;
    dir.write("parts/cache.json", R"({"ways": 4, "sets": 16, "policy": {"name": "lru", "depth": 3}})");
    dir.write("parts/large.json", R"({"extends": "cache", "ways": 64})");
    dir.write("top.json", R"({"l2": {"use": "parts/large", "policy": {"depth": 5}}, "l3": {"use": "named"}})");
    const auto find = [&](const std::string& name) {
        return name == "parts/named" ? dir.path("parts/cache.json") : std::string();
    };
    const ConfigDocument document = load_document(dir.path("top.json"), find);
    EXPECT_EQ(document.value["l2"],
              parse_json(R"({"ways": 64, "sets": 16, "policy": {"name": "lru", "depth": 5}})", "expected"));
    EXPECT_EQ(document.value["l3"]["ways"], 4);
    EXPECT_THAT(document.origins.source("$.l2.ways"), ::testing::EndsWith("parts/large.json"));
    EXPECT_THAT(document.origins.source("$.l2.sets"), ::testing::EndsWith("parts/cache.json"));
    EXPECT_THAT(document.origins.source("$.l2.policy.depth"), ::testing::EndsWith("top.json"));
    dir.write("over.json", R"({"extends": "top", "l2": {"use": "named"}})");
    EXPECT_EQ(load_document(dir.path("over.json"), find).value["l2"], document.value["l3"]) << "a part comes whole";
    EXPECT_EQ(load_document(dir.path("top.json")).value["l3"]["use"], "named") << "of files that can't name parts";
}

TEST(ConfigFile, RefusesPartsThatAreNone) {
    const test::TempDir dir;
    const auto none = [](const std::string&) { return std::string(); };
    dir.write("a.json", R"({"l2": {"use": "b"}})");
    EXPECT_THAT(error_of([&] { load_document(dir.path("a.json"), none); }),
                HasSubstr("a.json: $.l2.use: there is no file"));
    dir.write("b.json", R"({"inner": {"use": "c"}})");
    dir.write("c.json", R"({"more": {"use": "b"}})");
    EXPECT_THAT(error_of([&] { load_document(dir.path("a.json"), none); }),
                HasSubstr("c.json: $.l2.inner.more.use: the file uses itself"));
    dir.write("a.json", R"({"l2": {"use": ["b"]}})");
    EXPECT_THAT(error_of([&] { load_document(dir.path("a.json"), none); }), HasSubstr("$.l2.use: this is not a file"));
}

TEST(ConfigFile, RefusesWhatIsNoFile) {
    const test::TempDir dir;
    ASSERT_EQ(::mkfifo(dir.path("pipe.json").c_str(), 0600), 0);
    EXPECT_THAT(error_of([&] { load_json_file(dir.path("pipe.json")); }),
                HasSubstr("pipe.json: this is a pipe; a JSON file is expected"))
        << "and does not wait for its writer";
    EXPECT_THAT(error_of([&] { load_json_file(dir.path("none.json")); }), HasSubstr("there is no such file"));
    EXPECT_THAT(error_of([&] { load_json_file(dir.path("")); }), HasSubstr("this is a folder"));
    dir.write("a.json", R"({"extends": "b.json"})");
    EXPECT_THAT(error_of([&] { load_document(dir.path("a.json")); }), HasSubstr("a.json: $.extends: there is no file"));
    dir.write("b.json", R"({"extends": "a"})");
    EXPECT_THAT(error_of([&] { load_document(dir.path("a.json")); }),
                HasSubstr("b.json: $.extends: the file extends itself"));
    dir.write("a.json", R"({"extends": 3})");
    EXPECT_THAT(error_of([&] { load_document(dir.path("a.json")); }), HasSubstr("$.extends: this is not a file"));
    dir.write("a.json", "[]");
    EXPECT_THAT(error_of([&] { load_document(dir.path("a.json")); }), HasSubstr("this is not an object"));
}

ConfigDocument with(const std::vector<std::string>& assignments) {
    ConfigDocument document{"s.json", parse_json(R"({"l2": {"ways": 8}, "levels": [{"ways": 2}]})", "s.json"), {}};
    for (const std::string& assignment : assignments) set_path(document, assignment);
    return document;
}

TEST(SetPath, AssignsJsonOrAWord) {
    const auto c = read_config<MachineConfig>(with({"l2.ways=4", "levels[0].bytes=256", "name=a=b", "$.functional=true",
                                                    "policy=first_touch", "sizes=[7]", "offset=-1"}));
    EXPECT_EQ(c.l2.ways, 4U);
    EXPECT_EQ(c.levels[0].bytes, 256U);
    EXPECT_EQ(c.levels[0].ways, 2U);
    EXPECT_EQ(c.name, "a=b");
    EXPECT_TRUE(c.functional);
    EXPECT_EQ(c.policy, Policy::first_touch);
    EXPECT_EQ(c.sizes, (std::vector<std::uint16_t>{7}));
    EXPECT_EQ(c.offset, -1);
}

TEST(SetPath, DropsBlanksAroundPathAndValue) {
    const auto c =
        read_config<MachineConfig>(with({"l2.ways= 4", " offset =\t-1 ", "policy= first_touch", R"(name=" x")"}));
    EXPECT_EQ(c.l2.ways, 4U);
    EXPECT_EQ(c.offset, -1);
    EXPECT_EQ(c.policy, Policy::first_touch);
    EXPECT_EQ(c.name, " x");
}

TEST(SetPath, ErrorsNameTheOption) {
    const auto error = [](const std::string& assignment) {
        return error_of([&] { read_config<MachineConfig>(with({assignment})); });
    };
    EXPECT_EQ(error("l2.ways=99"), "--set l2.ways: 99 is out of range; allowed are whole numbers from 1 to 64 (ways)");
    EXPECT_EQ(error("l2.wayz=9"), "--set l2.wayz: unknown key 'wayz', the nearest is 'ways'; allowed are 'ways', "
                                  "'bytes'");
    EXPECT_THAT(error("l3.ways=9"), HasSubstr("--set l3.ways: $.l3: unknown key 'l3'"));
    EXPECT_THAT(error(R"(l2={"ways": 0})"), HasSubstr("--set l2: $.l2.ways: 0 is out of range"));
    EXPECT_THAT(error("l2.ways"), HasSubstr("--set l2.ways: the value is missing"));
    EXPECT_THAT(error("l2.ways.x=1"), HasSubstr("--set l2.ways.x: 'x' is not inside an object"));
    EXPECT_THAT(error("levels[1].ways=1"), HasSubstr("there is no element [1]; the list has 1"));
    EXPECT_THAT(error("levels.ways=1"), HasSubstr("it is below a list: write [0]"));
    EXPECT_THAT(error("name=\xff"), HasSubstr("--set name: the value is not UTF-8 text"));
    for (const char* path :
         {"=1", "a..b=1", ".a=1", "a.=1", "a[=1", "a[]=1", "a[x]=1", "[0]=1", "a[0]b=1", "a[99999999999999999999]=1"})
        EXPECT_THAT(error(path), HasSubstr("the path is malformed")) << path;
}

/// Elements of a list that have names are found by them, as by their numbers; errors name the number.
TEST(SetPath, FindsElementsByName) {
    ConfigDocument document{
        "s.json",
        parse_json(R"({"parts": [{"name": "gpu", "n": 4}, {"n": 1}, {"name": "cube", "n": 16}]})", "s.json"),
        {}};
    set_path(document, "parts.cube.n=8");
    EXPECT_EQ(document.value["parts"][2]["n"], 8);
    EXPECT_EQ(document.value["parts"][0]["n"], 4);
    EXPECT_EQ(document.origins.source("$.parts[2].n"), "--set parts.cube.n");
    EXPECT_THAT(error_of([&] { set_path(document, "parts.cubes.n=8"); }),
                HasSubstr("--set parts.cubes.n: unknown element 'cubes', the nearest is 'cube'; allowed are 'gpu'"));
}

TEST(NameTable, LooksUpBothWays) {
    EXPECT_EQ(kPolicyNames.value("first_touch", "here"), Policy::first_touch);
    EXPECT_EQ(kPolicyNames.name(Policy::first_touch), "first_touch");
    EXPECT_EQ(kPolicyNames.find("other"), std::nullopt);
    static_assert(kPolicyNames.size() == 2);
    static_assert(kPolicyNames.name(Policy::interleave) == "interleave");
}

TEST(Origins, AnObjectIsOfTheOnlySourceInsideIt) {
    Origins origins;
    origins.record("$.l2.ways", "a.json");
    origins.record("$.l2.bytes", "a.json");
    EXPECT_EQ(origins.source("$.l2"), "a.json");
    EXPECT_EQ(origins.source("$.l2.ways[3]"), "a.json");
    EXPECT_EQ(origins.source("$.l1"), "");
    origins.record("$.l2.bytes", "b.json");
    EXPECT_EQ(origins.source("$.l2"), "") << "two sources";
}

TEST(WithParts, ObjectsInsideMayUseAPartAndTheWholeMayNot) {
    const ordered_json member = {{"type", "object"}, {"properties", {{"ways", {{"type", "integer"}}}}}};
    const ordered_json schema = with_parts({{"type", "object"}, {"properties", {{"l2", member}}}});
    EXPECT_FALSE(schema["properties"].contains("use"));
    EXPECT_TRUE(schema["properties"]["l2"]["properties"].contains("use"));
    EXPECT_FALSE(schema["properties"]["l2"]["properties"]["ways"].contains("properties"));
    EXPECT_EQ(schema["properties"]["l2"]["properties"]["ways"]["type"], ordered_json({"integer", "null"}))
        << "takes out";
}

TEST(NameTable, QuotesOnOneLine) {
    EXPECT_EQ(quotable("a\tb"), "a?b");
    EXPECT_EQ(quotable("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"); // UTF-8
    for (const char* odd : {"a\x80"
                            "b",
                            "a\xff"
                            "b",
                            "a\xc3"
                            "b",
                            "a\xc2\x9b"
                            "b"})
        EXPECT_EQ(quotable(odd), "a?b"); // none, or controls
    EXPECT_EQ(quotable("\xed\xa0\x80\xc0\xaf\xf4\x90\x80\x80"),
              "?????????"); // halves of pairs, long forms, beyond the last
    EXPECT_EQ(quotable("\xe2\x82"), "??");
    EXPECT_EQ(quotable(std::string(63, 'a') + "\xc3\xa9"), std::string(63, 'a') + "..."); // whole characters
    EXPECT_EQ(quotable(std::string(64, 'a')), std::string(64, 'a'));
}

TEST(NameTable, NearestIsWhatWasMeantOrNothing) {
    EXPECT_EQ(nearest_name("first_tuoch", {"interleave", "first_touch"}), "first_touch");
    EXPECT_EQ(nearest_name("touch", {"interleave", "first_touch"}), "first_touch");
    EXPECT_EQ(nearest_name("zzz", {"interleave", "first_touch"}), "");
    EXPECT_EQ(nearest_name("", {"ab"}), "");
    EXPECT_EQ(nearest_name("tuoch", {"tuxxh", "touch"}), "touch") << "two neighbours that changed places are one slip";
    EXPECT_EQ(nearest_name("xyzcdef", {"cdef"}), "") << "letters too many count where they stand";
    EXPECT_EQ(nearest_name(std::string(1 << 20, 'a'), {"ab"}), "");
}

} // namespace
} // namespace numavp
