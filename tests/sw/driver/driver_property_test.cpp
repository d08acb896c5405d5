/// Random faults, notes and stores, against a model of the driver that was written apart from it.
#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "sw/driver/driver.h"
#include "tests/sw/driver/fake_platform.h"

namespace numavp::driver_test {
namespace {

/// Where everything is, kept as the rules say, with the containers that make them plain.
class Model {
  public:
    explicit Model(const Setting& setting) : setting_(setting), memories_(setting.sockets) {}

    struct Page {
        std::optional<Place> home;
        std::optional<std::uint64_t> host; ///< frame there that is the page's
        std::map<std::uint64_t, Place> replicas;
        unsigned moves = 0, votes = 0, collapses = 0;
        std::uint64_t voter = 0;
        Data data = 0;
    };

    /// False if the page is refused. `wish` is the policy's.
    bool fault(std::uint64_t number, std::uint64_t wish) {
        Page& page = pages_[number];
        std::uint64_t home = wish;
        if (full(home)) home = next_best(wish);
        if (full(home)) {
            if (!evict(wish, page)) return false;
            home = wish;
        }
        if (!has_room(home)) drop(home);
        page.home = take(home, number);
        page.moves = page.votes = page.collapses = 0;
        page.voter = 0;
        if (setting_.fill == 2) {
            if (!page.host) page.host = take_host();
            if (!page.host) return false;
        } else if (page.host) {
            free_host_.push_back(*page.host);
            page.host.reset();
        }
        return true;
    }

    void note(std::uint64_t number, std::uint64_t socket) {
        const auto found = pages_.find(number);
        if (found == pages_.end() || !found->second.home || found->second.home->memory == socket) return;
        Page& page = found->second;
        if (setting_.replicates) return replicate(number, page, socket);
        if (page.moves == 3) return;
        if (page.voter != socket) page.votes = 0;
        page.voter = socket;
        ++page.votes;
        if (page.votes < 1U << page.moves || full(socket)) return;
        const Place old = *page.home;
        page.home = take(socket, number);
        leave(old, number);
        ++page.moves;
        page.votes = 0;
        page.voter = 0;
    }

    /// A store to a page that has replicas.
    void collapse(std::uint64_t number) {
        Page& page = pages_[number];
        unite(number, page);
        ++page.collapses;
        page.votes = 0;
    }

    bool full(std::uint64_t memory) const { return memories_[memory].resident.size() == setting_.frames; }
    std::uint64_t count(std::uint64_t memory) const { return memories_[memory].resident.size(); }
    std::map<std::uint64_t, Page>& pages() { return pages_; }

  private:
    struct Memory {
        std::list<std::uint64_t> resident; ///< pages, the oldest first
        std::list<std::uint64_t> replicas; ///< pages that have one here, the same
        std::vector<std::uint64_t> free;   ///< frames that came back, the last one at the end
        std::uint64_t given = 0;
    };

    std::uint64_t next_best(std::uint64_t wish) const {
        std::uint64_t best = wish;
        for (std::uint64_t m = memories_.size(); m-- > 0;) {
            if (!full(m) && (full(best) || count(m) <= count(best))) best = m;
        }
        return best;
    }
    void replicate(std::uint64_t number, Page& page, std::uint64_t socket) {
        if (page.replicas.empty()) {
            if (page.collapses == 3) return;
            ++page.votes;
            if (page.votes < 1U << page.collapses) return;
        }
        if (page.replicas.count(socket) != 0 || !has_room(socket)) return;
        page.replicas[socket] = frame(socket);
        memories_[socket].replicas.push_back(number);
    }
    void leave_replica(std::uint64_t number, Page& page, std::uint64_t memory) {
        memories_[memory].replicas.remove(number);
        memories_[memory].free.push_back(page.replicas.at(memory).frame);
        page.replicas.erase(memory);
    }
    void unite(std::uint64_t number, Page& page) {
        while (!page.replicas.empty()) leave_replica(number, page, page.replicas.begin()->first);
    }
    void drop(std::uint64_t memory) {
        const std::uint64_t number = memories_[memory].replicas.front();
        leave_replica(number, pages_[number], memory);
    }
    bool has_room(std::uint64_t memory) const {
        return memories_[memory].resident.size() + memories_[memory].replicas.size() < setting_.frames;
    }
    Place take(std::uint64_t memory, std::uint64_t page) {
        memories_[memory].resident.push_back(page);
        return frame(memory);
    }
    Place frame(std::uint64_t memory) {
        Memory& m = memories_[memory];
        if (m.free.empty()) return {memory, m.given++};
        const std::uint64_t frame = m.free.back();
        m.free.pop_back();
        return {memory, frame};
    }
    void leave(Place place, std::uint64_t page) {
        memories_[place.memory].resident.remove(page);
        memories_[place.memory].free.push_back(place.frame);
    }
    std::optional<std::uint64_t> take_host() {
        if (!free_host_.empty()) {
            const std::uint64_t frame = free_host_.back();
            free_host_.pop_back();
            return frame;
        }
        if (host_given_ == setting_.host_frames) return std::nullopt;
        return host_given_++;
    }
    bool evict(std::uint64_t memory, const Page& newcomer) {
        if (memories_[memory].resident.empty()) return false;
        const std::uint64_t number = memories_[memory].resident.front();
        Page& victim = pages_[number];
        if (!victim.host) {
            const std::uint64_t left = setting_.host_frames - host_given_ + free_host_.size();
            if (left < (newcomer.host ? 1U : 2U)) return false;
            victim.host = take_host();
        }
        const Place place = *victim.home;
        victim.home.reset();
        leave(place, number);
        return true;
    }

    Setting setting_;
    std::vector<Memory> memories_;
    std::map<std::uint64_t, Page> pages_;
    std::vector<std::uint64_t> free_host_;
    std::uint64_t host_given_ = 0;
};

/// The policies once more, over the model.
std::uint64_t wish_of(const std::string& policy, const Model& model, const Setting& setting, std::uint64_t page,
                      std::uint64_t toucher, std::uint64_t calls) {
    std::vector<std::uint64_t> counts;
    for (std::uint64_t m = 0; m < setting.sockets; ++m) counts.push_back(model.count(m));
    const auto least = static_cast<std::uint64_t>(std::min_element(counts.begin(), counts.end()) - counts.begin());
    if (policy == "round_robin") return calls % setting.sockets;
    if (policy == "page_interleave") return page % setting.sockets;
    if (policy == "least_first") return least;
    if (policy == "lab" || policy == "lab_near") {
        const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
        std::uint64_t sum = 0;
        for (const std::uint64_t c : counts) sum += c;
        const bool tie = policy == "lab_near" && counts[toucher] == counts[least];
        return most == 0 || 10 * sum > 9 * setting.sockets * most || tie ? toucher : least;
    }
    return toucher;
}

/// One driver, one model, and what happens to both.
class Twins {
  public:
    Twins(const Setting& setting, std::uint64_t seed)
        : setting_(setting), rng_(seed), platform_(setting), model_(setting) {
        const char* wrong = driver_init(&driver_, platform_.hal(), nullptr, arena_.data(), arena_.size() * 8);
        EXPECT_EQ(wrong, nullptr) << wrong;
        pages_ = 1 + rng_.below((setting.replicates ? 1 : 3) * setting.sockets * setting.frames);
    }

    void step() {
        const std::uint64_t page = 500 + rng_.below(pages_) * (rng_.chance(1, 10) ? 512 : 1);
        const std::uint64_t socket = rng_.below(setting_.sockets);
        platform_.done_at_once = rng_.chance(1, 4);
        if (setting_.migration_threshold != 0 && rng_.chance(1, 3)) {
            platform_.note(page, socket);
            model_.note(page, socket);
        } else if (!fault(page, socket)) {
            return;
        }
        driver_interrupt(&driver_);
        store(page, socket);
        if (rng_.chance(1, 16)) compare();
    }
    bool over() const { return over_; }
    const Driver& driver() const { return driver_; }

    void compare() {
        for (const std::string& breach : platform_.breaches) ADD_FAILURE() << breach;
        std::set<Place> taken;
        std::vector<std::uint64_t> counts(setting_.sockets, 0);
        for (auto& [number, page] : model_.pages()) {
            ASSERT_EQ(platform_.where(number), page.home) << "page " << number;
            const Place place = page.home ? *page.home : Place{setting_.sockets, *page.host};
            if (!page.home) {
                ASSERT_EQ(platform_.where(number, true), place) << "page " << number;
            }
            ASSERT_EQ(platform_.data(place), page.data) << "page " << number << " lost its data";
            ASSERT_TRUE(taken.insert(place).second) << "page " << number << " shares its frame";
            for (std::uint64_t s = 0; page.home && s < setting_.sockets; ++s)
                ASSERT_EQ(platform_.read_by(number, s), page.replicas.count(s) != 0 ? page.replicas[s] : place)
                    << "page " << number << ", socket " << s;
            for (const auto& [memory, replica] : page.replicas) {
                ASSERT_EQ(platform_.data(replica), page.data) << "replica of " << number << " in " << memory;
                ASSERT_TRUE(taken.insert(replica).second) << "a replica of " << number << " shares its frame";
            }
            if (page.home) ++counts[page.home->memory];
        }
        for (std::uint64_t m = 0; m < setting_.sockets; ++m) ASSERT_EQ(driver_.view.pages[m], counts[m]);
    }

  private:
    /// False if the page was refused, which ends the run.
    bool fault(std::uint64_t page, std::uint64_t socket) {
        platform_.fault(page, socket);
        if (platform_.where(page)) return true;
        const bool served =
            model_.fault(page, wish_of(setting_.policy, model_, setting_, page, socket, driver_.view.calls));
        if (served) return true;
        driver_interrupt(&driver_);
        EXPECT_EQ(platform_.failed, (std::vector<std::uint64_t>{page}));
        over_ = true;
        return false;
    }
    /// A mapped page gets new contents; sometimes one with replicas, which it loses.
    void store(std::uint64_t page, std::uint64_t socket) {
        const auto place = platform_.where(page);
        if (!place) return;
        if (platform_.replicated(page)) {
            if (!rng_.chance(1, 8)) return;
            platform_.fault(page, socket, true);
            driver_interrupt(&driver_);
            model_.collapse(page);
            ASSERT_FALSE(platform_.replicated(page));
            ASSERT_EQ(platform_.where(page), place);
        }
        Data& data = platform_.data(*place);
        ASSERT_TRUE(platform_.failed.empty()) << platform_.console;
        data = model_.pages()[page].data = rng_.next() | 1;
    }

    Setting setting_;
    Rng rng_;
    FakePlatform platform_;
    Model model_;
    std::vector<std::uint64_t> arena_ = std::vector<std::uint64_t>(20000);
    Driver driver_;
    std::uint64_t pages_ = 0;
    bool over_ = false;
};

Setting random_setting(Rng& rng) {
    static const char* const policies[] = {"first_touch", "round_robin", "page_interleave",
                                           "least_first", "lab",         "lab_near"};
    Setting setting;
    setting.policy = policies[rng.below(std::size(policies))];
    setting.sockets = 1 + rng.below(5);
    setting.frames = 1 + rng.below(12);
    setting.host_frames = rng.below(40);
    setting.fill = rng.below(3);
    setting.page_shift = 12 + rng.below(10);
    setting.tables_on_host = rng.chance(1, 2);
    setting.table_frames = 200;
    setting.migration_threshold = rng.below(2);
    setting.replicates = setting.migration_threshold != 0 && rng.chance(1, 2);
    return setting;
}

TEST(DriverProperty, IsTheModelUnderRandomFaultsNotesAndStores) {
    Rng rng(2026);
    DriverCounts all{};
    std::uint64_t refused = 0;
    for (int run = 0; run < 500; ++run) {
        const Setting setting = random_setting(rng);
        Twins twins(setting, rng.next());
        for (int i = 0; i < 400 && !twins.over(); ++i) {
            twins.step();
            if (::testing::Test::HasFailure()) FAIL() << "run " << run << ", step " << i << ", " << setting.policy;
        }
        if (!twins.over()) twins.compare();
        const DriverCounts& counts = twins.driver().counts;
        all.evicted += counts.evicted;
        all.returned += counts.returned;
        all.migrated += counts.migrated;
        all.replicated += counts.replicated;
        all.dropped += counts.dropped;
        all.collapsed += counts.collapsed;
        all.elsewhere += counts.elsewhere;
        all.mapped += counts.mapped;
        refused += counts.refused;
    }
    EXPECT_GT(all.evicted, 1000U);
    EXPECT_GT(all.returned, 1000U);
    EXPECT_GT(all.migrated, 300U);
    EXPECT_GT(all.replicated, 1000U);
    EXPECT_GT(all.dropped, 150U);
    EXPECT_GT(all.collapsed, 300U);
    EXPECT_GT(all.elsewhere, 100U);
    EXPECT_GT(all.mapped, 1000U);
    EXPECT_GT(refused, 10U);
}

} // namespace
} // namespace numavp::driver_test
