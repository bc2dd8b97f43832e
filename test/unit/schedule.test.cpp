#include <catch2/catch.hpp>

#include <algorithm>

#include "core/report/columns.hpp"
#include "core/report/effects.hpp"
#include "core/report/folding.hpp"
#include "core/report/schedule_table.hpp"
#include "test/support/exploration.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {
namespace {

constexpr std::uint64_t kM = 'm';
constexpr std::uint64_t kN = 'n';

Finding firstFinding(const Program& program) {
  Exploration found = explore(program);
  REQUIRE_FALSE(found.findings.empty());
  return found.findings.front();
}

std::vector<std::size_t> allEvents(const Finding& finding) {
  std::vector<std::size_t> events(finding.events.size());
  for (std::size_t i = 0; i < events.size(); ++i) events[i] = i;
  return events;
}

ScheduleRow row(std::size_t first, std::size_t last, std::uint32_t thread, const std::string& call,
                const std::string& place) {
  ScheduleRow row;
  row.first = first;
  row.last = last;
  row.thread = ThreadId{thread};
  row.name = thread == 0 ? "main" : "work#1";
  row.call = call;
  row.place = place;
  return row;
}

/// Two steps of two threads, and one of them then waits.
std::vector<ScheduleRow> fewRows() {
  std::vector<ScheduleRow> rows{row(1, 1, 0, "pthread_create(work#1)", "t.c:30"),
                                row(2, 3, 1, "pthread_mutex_lock(m)", "t.c:9"),
                                row(0, 0, 0, "pthread_mutex_lock(m)", "t.c:31")};
  rows[1].note = "m: held by work#1";
  rows[1].preempts = true;
  rows[2].isFault = true;
  return rows;
}

std::string text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    CHECK_FALSE(line.ends_with(' '));
    text += line + "\n";
  }
  return text;
}

TEST_CASE("a call is short without the name of its library", "[schedule]") {
  CHECK(shortCall("pthread_mutex_lock(m)") == "lock(m)");
  CHECK(shortCall("sem_wait(items)") == "wait(items)");
  CHECK(shortCall("wakes up from pthread_cond_wait(c, m)") == "wakes up from wait(c, m)");
  CHECK(shortCall("pthread_tryjoin_np(work#1)") == "tryjoin_np(work#1)");
  CHECK(shortCall("_exit(3)") == "_exit(3)");
  CHECK(shortCall("exit(3)") == "exit(3)");
  CHECK(shortCall("starts") == "starts");
  CHECK(shortCall("gets my_lock for reading") == "gets my_lock for reading");
}

TEST_CASE("a schedule has a column for each thread where that fits", "[schedule]") {
  CHECK(text(tableOf(fewRows(), "blocked for good", {.width = 100})) ==
        "  Schedule, lines of t.c\n"
        "    #    main                        work#1                    | after it\n"
        "    1    pthread_create(work#1) :30\n"
        "  2-3 ~                              pthread_mutex_lock(m) :9  | m: held by work#1\n"
        "      !  pthread_mutex_lock(m)  :31\n"
        "  ~ preemption: the thread before could have gone on   ! blocked for good\n");
}

TEST_CASE("columns are made to fit by shorter calls and less to say", "[schedule]") {
  std::string narrow = text(tableOf(fewRows(), "blocked for good", {.width = 65}));
  CHECK_THAT(narrow, Catch::Contains("create(work#1) :30\n") && Catch::Contains("| m: held by work#1"));
  CHECK_THAT(narrow, !Catch::Contains("pthread"));
  std::string narrower = text(tableOf(fewRows(), "blocked for good", {.width = 45}));
  CHECK_THAT(narrower, Catch::Contains("lock(m) :9") && !Catch::Contains("held by"));
}

TEST_CASE("a schedule that does not fit otherwise has a line for each step", "[schedule]") {
  std::vector<ScheduleRow> rows = fewRows();
  rows[1].call = "pthread_mutex_lock(mutex_of_the_pool)";
  CHECK(text(tableOf(rows, "blocked for good", {.width = 52})) ==
        "  Schedule, lines of t.c\n"
        "    #    thread  line  call\n"
        "    1    main    :30   pthread_create(work#1)\n"
        "  2-3 ~  work#1  :9    pthread_mutex_lock(mutex_of_the_pool)\n"
        "      !  main    :31   pthread_mutex_lock(m)\n"
        "  ~ preemption: the thread before could have gone on\n"
        "  ! blocked for good\n");
  rows[1].briefNote = rows[1].note = "mutex_of_the_pool: held by work#1, 2 threads wait";
  CHECK_THAT(text(tableOf(rows, "blocked for good", {.width = 52})),
             Catch::Contains("                       | mutex_of_the_pool: held by\n"
                             "                       | work#1, 2 threads wait\n"));
}

TEST_CASE("marks that do not occur are not explained", "[schedule]") {
  std::vector<ScheduleRow> rows = fewRows();
  rows.resize(1);
  CHECK_THAT(text(tableOf(rows, "blocked for good", {})), !Catch::Contains("~") && !Catch::Contains("!"));
  rows[0].noReturn = true;
  CHECK_THAT(text(tableOf(rows, "blocked for good", {})),
             Catch::Contains("1 *") && Catch::Contains("* point of"));
}

TEST_CASE("colours change nothing else, and names cannot bring in their own", "[schedule]") {
  std::vector<ScheduleRow> rows = fewRows();
  rows[1].name = "w\033[31m";
  std::string plain = text(tableOf(rows, "blocked", {.width = 100}));
  CHECK_THAT(plain, !Catch::Contains("\033") && Catch::Contains("w\\x1b[31m"));
  std::string colored;
  for (const std::string& line : tableOf(rows, "blocked", {.width = 100, .color = true}))
    colored += line + "\n";
  CHECK_THAT(colored, Catch::Contains("\033[1;31m"));
  for (std::size_t at; (at = colored.find('\033')) != std::string::npos;)
    colored.erase(at, colored.find('m', at) + 1 - at);
  std::string unpadded;
  for (const char c : colored) {
    if (c == '\n') unpadded = withoutTrailingSpaces(unpadded);
    unpadded += c;
  }
  CHECK(unpadded == plain);
}

TEST_CASE("files are named at each step where there are several", "[schedule]") {
  std::vector<ScheduleRow> rows = fewRows();
  rows[1].place = "u.c:9";
  CHECK_THAT(text(tableOf(rows, "blocked", {.width = 120})),
             Catch::Contains("t.c:30") && Catch::Contains("u.c:9") && !Catch::Contains("lines of"));
}

/// Does nothing, at some line of the program; 0: at none.
class Nothing : public Transition {
 public:
  Nothing(std::uint32_t thread, CodeAddress line) : Transition(opAt(thread, line), {}) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState&) const override { return 0; }
  std::string describe(const Names&) const override { return "nothing"; }

 private:
  static VisibleOp opAt(std::uint32_t thread, CodeAddress line) {
    return {.op = nameId("test.nothing"), .name = "test.nothing", .thread = ThreadId{thread}, .site = line};
  }
};

struct At {
  std::uint32_t thread;
  CodeAddress line;
};

/// The pieces of a schedule, before a last step: "3" for a step of line 3, "3x5" for one that is taken five
/// times, "again 4" and
/// "...".
std::string piecesOf(const std::vector<At>& steps) {
  Finding finding;
  for (const At& step : steps) finding.events.push_back({std::make_shared<Nothing>(step.thread, step.line)});
  finding.events.push_back({std::make_shared<Nothing>(99, 99)});
  std::vector<std::size_t> events = allEvents(finding);
  std::string words;
  std::size_t expected = 0;
  for (const Piece& piece : folded(finding, events)) {
    CHECK(piece.first == expected);  // each event is in one of them
    expected = piece.last + 1;
    if (expected > steps.size()) break;
    std::string line = std::to_string(steps[piece.last].line);
    words += words.empty() ? "" : ", ";
    switch (piece.kind) {
      case Piece::Kind::Steps:
        words += line;
        break;
      case Piece::Kind::Alike:
        words += line + "x" + std::to_string(piece.times);
        break;
      case Piece::Kind::Again:
        words += "again " + std::to_string(piece.times);
        break;
      case Piece::Kind::Gap:
        words += "...";
        break;
    }
  }
  CHECK(expected == steps.size() + 1);
  return words;
}

std::vector<At> repeated(std::size_t times, const std::vector<At>& steps) {
  std::vector<At> all;
  for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), steps.begin(), steps.end());
  return all;
}

TEST_CASE("what a thread does at one line over and over is one piece", "[schedule]") {
  CHECK(piecesOf(repeated(2, {{0, 7}})) == "7, 7");
  CHECK(piecesOf(repeated(3, {{0, 7}})) == "7x3");
  CHECK(piecesOf({{0, 1}, {0, 7}, {0, 7}, {0, 7}, {0, 2}}) == "1, 7x3, 2");
}

TEST_CASE("a loop of a thread is shown once", "[schedule]") {
  CHECK(piecesOf(repeated(2, {{0, 1}, {0, 2}})) == "1, 2, 1, 2");
  CHECK(piecesOf(repeated(100, {{0, 1}, {0, 2}})) == "1, 2, again 99");
  CHECK(piecesOf(repeated(100, {{0, 1}, {1, 2}})).find("again") == std::string::npos);
}

TEST_CASE("an event without a line goes with the next one of its thread", "[schedule]") {
  CHECK(piecesOf({{0, 1}, {1, 0}, {1, 2}, {1, 0}}) == "1, 2, 0");
  CHECK(piecesOf({{1, 0}, {2, 0}, {1, 3}}) == "0, 0, 3");
  CHECK(piecesOf({{1, 0}, {1, 3}, {1, 3}, {1, 3}}) == "3x3");
}

TEST_CASE("the last step is never folded", "[schedule]") {
  Finding finding;
  for (int i = 0; i < 10; ++i) finding.events.push_back({std::make_shared<Nothing>(0, 7)});
  std::vector<Piece> pieces = folded(finding, allEvents(finding));
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].times == 9);
  CHECK(pieces[1].kind == Piece::Kind::Steps);
}

TEST_CASE("the middle of what is long is left out", "[schedule]") {
  std::vector<At> oneThread;
  for (CodeAddress i = 1; i <= 100; ++i) oneThread.push_back({0, i});
  std::string words = piecesOf(oneThread);
  CHECK_THAT(words,
             Catch::StartsWith("1, 2, ") && Catch::Contains(", ..., ") && Catch::EndsWith(", 99, 100"));
  std::vector<At> inTurns;
  for (CodeAddress i = 1; i <= 100'000; ++i) inTurns.push_back({static_cast<std::uint32_t>(i % 2), i});
  CHECK(piecesOf(inTurns).size() < 1000);
}

TEST_CASE("an event's effect is what it did to its objects", "[schedule]") {
  Finding finding = firstFinding(
      parallel({{lock(kM), lock(kN), unlock(kN), unlock(kM)}, {lock(kN), lock(kM), unlock(kM), unlock(kN)}},
               {}, {join(0), join(1)}));
  std::vector<Effect> effects = effectsOf(finding, allEvents(finding), PlainNames{});
  REQUIRE(effects.size() == finding.events.size());
  std::vector<std::string> words;
  for (const Effect& effect : effects)
    for (const Change& change : effect.changes) words.push_back(change.name + " " + change.now);
  CHECK(words == std::vector<std::string>{"m taken", "n taken"});
}

}  // namespace
}  // namespace mcmini
