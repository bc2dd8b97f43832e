#include <signal.h>
#include <sys/stat.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "test/support/checker.hpp"
#include "test/support/json_schema.hpp"
#include "test/support/none.hpp"

// What --json, --junit and --sarif write, held against their schemas.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using boost::property_tree::ptree;
using Catch::Contains;
using nlohmann::json;
using namespace std::chrono_literals;

constexpr int kUsage = 2;
constexpr int kCannotCheck = 4;
constexpr int kInterrupted = 130;

std::string contentsOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

json schemaIn(const std::string& file) {
  return json::parse(contentsOf(fs::path(MCMINI_SOURCE_DIR) / file));
}

/// All three reports of one check.
struct Reports {
  explicit Reports(const std::vector<std::string>& words, Settings settings = {}) {
    ScratchDirectory directory;
    std::vector<std::string> all = {"--json",  (directory / "r.json").string(),
                                    "--junit", (directory / "r.xml").string(),
                                    "--sarif", (directory / "r.sarif").string()};
    all.insert(all.end(), words.begin(), words.end());
    outcome = check(all, settings);
    INFO(outcome.everything());
    report = json::parse(contentsOf(directory / "r.json"));
    sarif = json::parse(contentsOf(directory / "r.sarif"));
    std::istringstream xml(contentsOf(directory / "r.xml"));
    boost::property_tree::read_xml(xml, junit);
    CHECK(violations(schemaIn("core/report/mcmini-report.schema.json"), report) == kNone);
    CHECK(violations(schemaIn("test/system/sarif-essentials.schema.json"), sarif) == kNone);
    checkJUnit();
  }

  const ptree& suite() const { return junit.get_child("testsuites.testsuite"); }
  const ptree& testCase() const { return suite().get_child("testcase"); }
  const json& invocation() const { return sarif["runs"][0]["invocations"][0]; }
  const json& results() const { return sarif["runs"][0]["results"]; }

  /// What the JUnit schema of build servers demands: these attributes, these elements, and numbers that
  /// agree.
  void checkJUnit() const {
    CHECK(junit.size() == 1);
    std::size_t outcomes = 0;
    for (const char* kind : {"failure", "error", "skipped"}) {
      std::string plural = kind == std::string("skipped") ? kind : std::string(kind) + "s";
      CHECK(suite().get<std::size_t>("<xmlattr>." + plural) == testCase().count(kind));
      outcomes += testCase().count(kind);
    }
    CHECK(outcomes <= 1);
    CHECK(suite().get<int>("<xmlattr>.tests") == 1);
    CHECK(suite().get<std::string>("<xmlattr>.name") == "mcmini");
    CHECK(suite().get<double>("<xmlattr>.time") >= 0);
    CHECK(testCase().get<double>("<xmlattr>.time") >= 0);
    CHECK(testCase().get<std::string>("<xmlattr>.classname") == "mcmini");
    CHECK_FALSE(testCase().get<std::string>("<xmlattr>.name").empty());
    for (const auto& [name, child] : testCase()) {
      bool known = name == "<xmlattr>" || name == "failure" || name == "error" || name == "skipped" ||
                   name == "system-out";
      INFO(name);
      CHECK(known);
    }
  }

  Outcome outcome;
  json report;
  json sarif;
  ptree junit;
};

/// The result is that of the RESULT line.
void compareWithLine(const Reports& reports) {
  for (const auto& [field, value] : reports.report["result"].items()) {
    std::string line = reports.outcome[field];
    INFO(field << " " << value << " " << line);
    if (field == "time") continue;
    CHECK((value.is_string() ? value.get<std::string>() : value.dump()) == line);
  }
}

TEST_CASE("every kind of bug is reported to machines", "[machine]") {
  struct Case {
    std::vector<std::string> words;
    std::string verdict;
  };
  std::string stuck = program("busy_wait");
  for (const Case& one : std::vector<Case>{{{program("ab_ba")}, "deadlock"},
                                           {{program("lost_update")}, "assertion"},
                                           {{program("crashes"), "free_twice"}, "crash"},
                                           {{program("missed_job")}, "exit"},
                                           {{program("unlock_of_another")}, "misuse"},
                                           {{program("polling"), "never"}, "livelock"},
                                           {{"--step-timeout", "300ms", stuck}, "stuck"},
                                           {{program("several_bugs")}, ""}}) {
    Reports reports(one.words);
    INFO(reports.outcome.everything());
    CHECK(reports.outcome.exitCode == 1);
    compareWithLine(reports);
    CHECK(reports.report["error"].is_null());
    CHECK(reports.report["findings"].size() == reports.outcome.count("bugs"));
    CHECK(reports.results().size() == reports.outcome.count("bugs"));
    CHECK(reports.invocation()["executionSuccessful"] == true);
    CHECK(reports.testCase().count("failure") == 1);
    if (one.verdict.empty()) continue;
    CHECK(reports.report["findings"][0]["kind"] == one.verdict);
    CHECK(reports.results()[0]["ruleId"] == one.verdict);
    CHECK_FALSE(reports.results()[0]["locations"].empty());
    CHECK(reports.testCase().get<std::string>("failure.<xmlattr>.type") == one.verdict);
  }
}

TEST_CASE("a deadlock is told with its threads, its places and its schedule", "[machine]") {
  Reports reports({program("ab_ba")});
  const json& finding = reports.report["findings"][0];
  INFO(finding.dump(2));
  CHECK(finding["threads"].size() == 3);
  CHECK(finding["cycle"].size() == 2);
  const json& save = finding["threads"][0];
  CHECK(save["name"] == "save#1");
  CHECK(save["call"] == "pthread_mutex_lock(savings)");
  CHECK(save["location"]["line"] == 13);
  CHECK(save["holds"][0]["object"] == "checking");
  CHECK(save["waitsFor"] == json{"spend#1"});
  CHECK(finding["schedule"].size() == 6);
  CHECK(finding["schedule"][3]["call"] == "pthread_mutex_lock(checking)");
  CHECK(finding["pending"].size() == 3);

  const json& result = reports.results()[0];
  std::string uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  CHECK(uri.starts_with("file:///"));
  CHECK(uri.ends_with("/examples/deadlock/ab_ba.c"));
  const json& flows = result["codeFlows"][0]["threadFlows"];
  CHECK(flows.size() == 3);
  std::set<int> order;
  for (const json& flow : flows)
    for (const json& location : flow["locations"]) order.insert(location["executionOrder"].get<int>());
  CHECK(order == std::set<int>{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK_THAT(reports.testCase().get<std::string>("failure"),
             Contains("save#1: pthread_mutex_lock(checking)"));
}

TEST_CASE("a check without bugs is one that passed", "[machine]") {
  Reports reports({program("counter"), "3"});
  CHECK(reports.outcome.exitCode == 0);
  compareWithLine(reports);
  CHECK(reports.report["arguments"] == json{"3"});
  CHECK(reports.report["stopped"].is_null());
  CHECK(reports.report["done"] == 1);
  CHECK(reports.report["findings"].empty());
  CHECK_THAT(reports.report["conclusion"].get<std::string>(), Contains("No bug in 6 runs. Complete"));
  CHECK(reports.testCase().get<std::string>("<xmlattr>.name") == program("counter") + " 3");
  for (const char* kind : {"failure", "error", "skipped"}) CHECK(reports.testCase().count(kind) == 0);
}

TEST_CASE("a check that was stopped early has not passed", "[machine]") {
  Reports reports({"--max-traces", "2", program("counter"), "3"});
  CHECK(reports.outcome.exitCode == 3);
  compareWithLine(reports);
  CHECK(reports.report["stopped"] == "max-traces");
  CHECK(reports.report["done"] > 0);
  CHECK(reports.report["done"] < 1);
  CHECK(reports.testCase().count("skipped") == 1);
}

TEST_CASE("a check that was interrupted is reported to machines", "[machine]") {
  Settings settings = dependingOnTime();
  settings.kicks = {{SIGINT, 300ms}};
  Reports reports({program("counter"), "10"}, settings);
  CHECK(reports.outcome.exitCode == kInterrupted);
  CHECK(reports.report["stopped"] == "interrupted");
  CHECK(reports.report["result"]["exit"] == kInterrupted);
}

std::string withoutNumbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

TEST_CASE("why a program cannot be checked is told to machines", "[machine]") {
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"/nowhere/prog"},
                                             {program("odd"), "lock_by_chance"},
                                             {"--on-unsupported", "error", program("odd"), "pause"}}) {
    Reports reports(words);
    INFO(reports.outcome.everything());
    CHECK(reports.outcome.exitCode == kCannotCheck);
    CHECK(reports.report["result"].is_null());
    CHECK(reports.report["error"]["exit"] == kCannotCheck);
    // Which locks are taken by chance differs each time that the check is repeated.
    CHECK(withoutNumbers(reports.outcome.err)
              .ends_with("mcmini: " + withoutNumbers(reports.report["error"]["message"]) + "\n"));
    CHECK(reports.testCase().count("error") == 1);
    CHECK(reports.invocation()["executionSuccessful"] == false);
    CHECK(reports.invocation()["exitCode"] == kCannotCheck);
  }
}

TEST_CASE("a wrong call that is noticed late is told to machines", "[machine]") {
  Reports reports({"--policy", "nosuch", program("counter")});
  CHECK(reports.outcome.exitCode == kUsage);
  CHECK(reports.report["error"]["exit"] == kUsage);
}

TEST_CASE("warnings are told to machines, even if people do not want them", "[machine]") {
  Reports reports({"-q", program("leftovers"), "left_waiting"});
  CHECK(reports.outcome.err == kNone);
  REQUIRE(reports.report["warnings"].size() == 1);
  CHECK_THAT(reports.report["warnings"][0].get<std::string>(), Contains("threads are still waiting"));
}

TEST_CASE("with --json - there is nothing but JSON on stdout", "[machine]") {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {program("ab_ba")}, {program("counter"), "3"}, {"-q", program("ab_ba")}, {"/nowhere/prog"}}) {
    std::vector<std::string> all = {"--json", "-"};
    all.insert(all.end(), words.begin(), words.end());
    Outcome outcome = check(all);
    INFO(outcome.everything());
    json report = json::parse(outcome.out);
    CHECK(violations(schemaIn("core/report/mcmini-report.schema.json"), report) == kNone);
    int code = report["result"].is_null() ? report["error"]["exit"] : report["result"]["exit"];
    CHECK(code == outcome.exitCode);
  }
}

TEST_CASE("a report that cannot be written is told before anything is checked", "[machine]") {
  for (const char* option : {"--json", "--junit", "--sarif"})
    for (const char* file : {"/nowhere/report", "/tmp"}) {
      Outcome outcome = check({option, file, program("counter"), "10"});
      INFO(outcome.everything());
      CHECK(outcome.exitCode == kUsage);
      CHECK(outcome.out == kNone);
      CHECK_THAT(outcome.err,
                 Contains(std::string(option) + " " + file + ": ") && Contains("Nothing was checked."));
    }
  Outcome twice = check({"--json", "/dev/null", "--sarif", "/dev/null", program("counter")});
  CHECK(twice.exitCode == kUsage);
  CHECK_THAT(twice.err, Contains("--json and --sarif would both write /dev/null."));
}

TEST_CASE("a report that does not fit on the disk is told", "[machine]") {
  Outcome outcome = check({"--json", "/dev/full", program("counter"), "2"});
  CHECK(outcome.exitCode == kUsage);
  CHECK_THAT(outcome.err, Contains("--json /dev/full cannot be written: No space left on device."));
}

TEST_CASE("what a program prints may be anything", "[machine]") {
  ScratchDirectory directory;
  directory.write(
      "odd <&>.c",
      "#include <stdio.h>\n#include <stdlib.h>\n"
      "int main(void) { puts(\"\\xff\\xfe \\001 <&>\\\" ]]> \\xc3\\xa4\"); fflush(stdout); abort(); }\n");
  std::string file = (directory / "odd <&> \xff").string();
  REQUIRE(compile(std::string(MCMINI_TEST_CC) + " -g -o '" + file + "' '" +
                  (directory / "odd <&>.c").string() + "'"));
  Reports reports({file, "<&>\"'\x01\xff"});
  CHECK_THAT(reports.report["findings"][0]["output"].get<std::string>(), Contains("<&>\" ]]> \xc3\xa4"));
  CHECK_THAT(reports.testCase().get<std::string>("<xmlattr>.name"), Contains("<&>\"'?"));
}

TEST_CASE("the schema of reports is installed, and knows nothing that it does not demand", "[machine]") {
  ScratchDirectory directory;
  CHECK(fs::exists(installInto(directory) / "share/mcmini/mcmini-report.schema.json"));
  json schema = schemaIn("core/report/mcmini-report.schema.json");
  CHECK(violations(schema, json::object()).size() == 8);
  Reports reports({program("ab_ba")});
  json wrong = reports.report;
  wrong["schema"] = 2;
  wrong["findings"][0]["kind"] = "nosuch";
  wrong["findings"][0]["schedule"][0]["location"]["line"] = 0;
  wrong["findings"][0]["threads"][0].erase("holds");
  CHECK(violations(schema, wrong).size() == 4);
}

}  // namespace
}  // namespace mcmini
