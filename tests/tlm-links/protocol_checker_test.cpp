/// The protocol checker against mutants: initiators and targets that each break one rule, and legal ones that
/// must pass. A mutant is a script of calls and answers; the report must name the rule that it broke.
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/tlm-links/checker_mutants.h"

namespace numavp::checked {
namespace {

const std::vector<Row>& legal_scripts() {
    static const std::vector<Row> rows = {
        {"four phases",
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.a, tlm::END_RESP);
         }},
        {"END_RESP completed",
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.a, tlm::END_RESP, {tlm::TLM_COMPLETED, {}});
         }},
        {"completed at once, again and again with a fresh status",
         [](Rig& r) {
             for (int i = 0; i < 3; ++i) {
                 r.a.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                 r.fw(r.a, tlm::BEGIN_REQ, completed(500), 100);
             }
         }},
        {"END_REQ on return, response completed",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, updated(tlm::END_REQ, 10), 5);
             r.bw(r.a, tlm::BEGIN_RESP, completed(3), 20);
         }},
        {"BEGIN_RESP on return, ended later",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, updated(tlm::BEGIN_RESP, 30));
             r.fw(r.a, tlm::END_RESP, accepted(), 40);
         }},
        {"BEGIN_RESP before END_REQ implies it",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.bw(r.a, tlm::BEGIN_RESP, updated(tlm::END_RESP, 5));
             r.fw(r.b, tlm::BEGIN_REQ, completed());
         }},
        {"two out of order",
         [](Rig& r) {
             r.request(r.a);
             r.request(r.b);
             r.bw(r.b, tlm::BEGIN_RESP);
             r.fw(r.b, tlm::END_RESP);
             r.bw(r.a, tlm::BEGIN_RESP, completed());
         }},
        {"a completion in another's response phase",
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.b, tlm::BEGIN_REQ, completed());
             r.fw(r.a, tlm::END_RESP);
         }},
        {"the next request from inside END_REQ",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.bw(r.a, tlm::END_REQ,
                  {tlm::TLM_ACCEPTED, [&r](auto&, auto&, auto&) { r.fw(r.b, tlm::BEGIN_REQ, completed()); }});
             r.bw(r.a, tlm::BEGIN_RESP, completed());
         }},
        {"ignorable phases both ways",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, updated(SOMETHING_ELSE));
             r.bw(r.a, SOMETHING_ELSE);
             r.fw(r.a, SOMETHING_ELSE, updated(SOMETHING_ELSE));
             r.bw(r.a, tlm::BEGIN_RESP, completed());
         }},
        {"an error is a response",
         [](Rig& r) {
             r.request(r.a);
             r.a.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
             r.answers_ok = false;
             r.bw(r.a, tlm::BEGIN_RESP, {tlm::TLM_COMPLETED, {}});
         }},
        {"the data of a read change",
         [](Rig& r) {
             r.a.set_read();
             r.request(r.a);
             r.data[3] ^= 0xff;
             r.bw(r.a, tlm::BEGIN_RESP, completed());
         }},
        {"an ignored command without data",
         [](Rig& r) {
             r.a.set_command(tlm::TLM_IGNORE_COMMAND);
             r.a.set_data_ptr(nullptr);
             r.a.set_byte_enable_ptr(nullptr);
             r.fw(r.a, tlm::BEGIN_REQ, completed());
         }},
        {"blocking, without a memory manager, annotated",
         [](Rig& r) {
             tlm_generic_payload bare;
             bare.set_read();
             bare.set_data_ptr(r.data.data());
             bare.set_data_length(4);
             bare.set_streaming_width(4);
             r.blocking(bare, completed(100), 20);
         }},
        {"debug, DMI, invalidation",
         [](Rig& r) {
             tlm::tlm_dmi dmi;
             r.grants_dmi = true;
             EXPECT_TRUE(r.initiator->get_direct_mem_ptr(r.a, dmi));
             EXPECT_EQ(r.initiator->transport_dbg(r.a), r.a.get_data_length());
             r.target->invalidate_direct_mem_ptr(0, 1);
             EXPECT_EQ(r.invalidations, 1U);
         }},
    };
    return rows;
}

/// The sentence of the breach, or nothing.
std::string run(const Script& script, Rig& rig) {
    try {
        script(rig);
    } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), "numavp/protocol");
        return report.get_msg();
    }
    return {};
}

void expect_all_caught(const std::vector<Mutant>& mutants, const ProtocolRules& rules) {
    std::vector<std::unique_ptr<Rig>> rigs;
    for (std::size_t i = 0; i < mutants.size(); ++i)
        rigs.push_back(std::make_unique<Rig>(("rig" + std::to_string(i)).c_str(), rules));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (std::size_t i = 0; i < mutants.size(); ++i) {
        const std::string sentence = run(mutants[i].script, *rigs[i]);
        EXPECT_NE(sentence.find(rule_text(mutants[i].rule)), std::string::npos)
            << mutants[i].name << " gave: " << (sentence.empty() ? "nothing" : sentence);
        EXPECT_NE(sentence.find("rig" + std::to_string(i) + ".checker"), std::string::npos) << "names the checker";
        EXPECT_NE(sentence.find("transaction at 0x"), std::string::npos) << "names the transaction";
    }
}

TEST(ProtocolChecker, CatchesBrokenInitiators) { expect_all_caught(initiator_mutants(), {}); }

TEST(ProtocolChecker, CatchesBrokenTargets) { expect_all_caught(target_mutants(), {}); }

TEST(ProtocolChecker, CatchesWhatThePlatformsDialectForbids) {
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    expect_all_caught(dialect_mutants(), ProtocolRules::platform(clock, clock));
}

TEST(ProtocolChecker, EveryRuleHasAMutant) {
    std::set<Rule> rules;
    for (const auto* table : {&initiator_mutants(), &target_mutants(), &dialect_mutants()})
        for (const Mutant& mutant : *table) rules.insert(mutant.rule);
    for (unsigned rule = 0; rule < static_cast<unsigned>(Rule::count); ++rule)
        EXPECT_EQ(rules.count(static_cast<Rule>(rule)), 1U) << rule_text(static_cast<Rule>(rule));
}

TEST(ProtocolChecker, LetsLegalTrafficPass) {
    std::vector<std::unique_ptr<Rig>> rigs;
    for (std::size_t i = 0; i < legal_scripts().size(); ++i)
        rigs.push_back(std::make_unique<Rig>(sc_core::sc_gen_unique_name("rig"), ProtocolRules{}));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (std::size_t i = 0; i < rigs.size(); ++i) {
        EXPECT_EQ(run(legal_scripts()[i].script, *rigs[i]), "") << legal_scripts()[i].name;
        EXPECT_NO_THROW(rigs[i]->checker.finish()) << legal_scripts()[i].name;
        EXPECT_EQ(rigs[i]->checker.begun(), rigs[i]->checker.ended());
    }
}

TEST(ProtocolChecker, LetsAnAtomicBringItsResult) {
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    Rig rig("rig", ProtocolRules::platform(clock, clock));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(run(changes_atomic([](Txn& t) { t.atomic().result.fill(0xa5); }), rig), "");
    EXPECT_NO_THROW(rig.checker.finish());
}

TEST(ProtocolChecker, SaysWhoIsTheOldest) {
    Rig rig("rig", ProtocolRules{});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    rig.request(rig.b);
    sc_core::sc_start(sc_time(2, sc_core::SC_NS));
    rig.request(rig.a);
    const std::string sentence = run([](Rig& r) { r.checker.finish(); }, rig);
    EXPECT_EQ(sentence, "rig.checker: transaction at 0x2000: not ended at the end of the simulation "
                        "(2 outstanding, the oldest since 0 ps, without its response)");
}

TEST(ProtocolChecker, AnInterconnectBelowMayRewriteTheAddress) {
    ProtocolRules rules;
    rules.rerouted_below = true;
    Rig rig("rig", rules);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(run(target_changes([](auto& p) { p.set_address(0); }), rig), "");
}

TEST(ProtocolChecker, TheEndOfASimulationChecksLiveness) {
    Rig rig("rig", ProtocolRules{});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    rig.request(rig.a);
    EXPECT_THROW(sc_core::sc_stop(), sc_core::sc_report);
}

} // namespace
} // namespace numavp::checked
