#include "core/report/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace mcmini {

namespace {

constexpr std::array<std::pair<const char*, const char*>, 8> kRules = {{
    {"deadlock", "Threads wait for ever."},
    {"assertion", "An assertion fails."},
    {"crash", "The program crashes."},
    {"exit", "The program ends with a status other than 0."},
    {"misuse", "The thread library is used as it must not be."},
    {"stuck", "A thread does not come back."},
    {"livelock", "Threads go round in loops for ever."},
    {"race", "Threads use the same memory at once, and nothing orders them."},
}};

std::string uriOf(const std::string& file) {
  std::string uri = "file://";
  for (char c : file) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                 c == '.' || c == '-' || c == '_' || c == '~';
    if (plain)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// Null if the file is not known: SARIF has no use for less.
JsonReport physical(const JsonReport& location) {
  if (!location.is_object() || !location.contains("file")) return nullptr;
  JsonReport json = {{"artifactLocation", {{"uri", uriOf(location["file"])}}}};
  if (location.contains("line")) json["region"] = {{"startLine", location["line"]}};
  return json;
}

JsonReport locationOf(const JsonReport& place, const std::string& message) {
  JsonReport json = JsonReport::object();
  if (JsonReport where = physical(place); !where.is_null()) json["physicalLocation"] = where;
  json["message"] = {{"text", message}};
  return json;
}

JsonReport flowsOf(const JsonReport& finding) {
  std::vector<std::pair<std::string, JsonReport>> flows;
  std::size_t order = 0;
  auto add = [&](const JsonReport& step, const std::string& suffix) {
    std::string thread = step["thread"];
    auto flow = std::ranges::find(flows, thread, &std::pair<std::string, JsonReport>::first);
    if (flow == flows.end()) flow = flows.insert(flows.end(), {thread, JsonReport::array()});
    std::string text = thread + ": " + step["call"].get<std::string>() + suffix;
    flow->second.push_back({{"location", locationOf(step["location"], text)}, {"executionOrder", ++order}});
  };
  for (const JsonReport& step : finding["schedule"])
    add(step, step.contains("result") ? " (" + step["result"].get<std::string>() + ")" : "");
  for (const JsonReport& step : finding["pending"]) add(step, " (not done)");
  JsonReport threads = JsonReport::array();
  for (auto& [thread, locations] : flows) threads.push_back({{"id", thread}, {"locations", locations}});
  return threads;
}

/// Where it happened; for a deadlock where its threads wait; else the last place that is known.
JsonReport placesOf(const JsonReport& finding) {
  JsonReport places = JsonReport::array();
  auto add = [&](const JsonReport& location) {
    if (JsonReport where = physical(location); !where.is_null())
      places.push_back({{"physicalLocation", where}});
  };
  add(finding["location"]);
  if (places.empty())
    for (const JsonReport& thread : finding["threads"]) add(thread["location"]);
  for (std::size_t step = finding["schedule"].size(); places.empty() && step-- > 0;)
    add(finding["schedule"][step]["location"]);
  return places;
}

JsonReport resultOf(const JsonReport& finding) {
  std::string kind = finding["kind"];
  auto rule = std::ranges::find(kRules, kind, &std::pair<const char*, const char*>::first);
  JsonReport result = {{"ruleId", kind},
                       {"ruleIndex", rule - kRules.begin()},
                       {"level", "error"},
                       {"message", {{"text", finding["message"]}}},
                       {"locations", placesOf(finding)}};
  if (finding.contains("accesses")) {
    result["relatedLocations"] = JsonReport::array();
    for (const JsonReport& access : finding["accesses"])
      result["relatedLocations"].push_back(
          locationOf(access["location"], access["thread"].get<std::string>() + " " +
                                             access["access"].get<std::string>() + " " +
                                             access["variable"].get<std::string>()));
  }
  JsonReport flows = flowsOf(finding);
  if (!flows.empty()) {
    JsonReport flow = {{"message", {{"text", "The schedule that leads there."}}}, {"threadFlows", flows}};
    result["codeFlows"] = JsonReport::array({flow});
  }
  if (!finding["stack"].empty()) {
    JsonReport frames = JsonReport::array();
    for (const JsonReport& frame : finding["stack"])
      frames.push_back({{"location", locationOf(frame, frame.value("function", "?"))}});
    JsonReport stack = {{"message", {{"text", "Where the thread was."}}}, {"frames", frames}};
    result["stacks"] = JsonReport::array({stack});
  }
  return result;
}

JsonReport invocationOf(const JsonReport& report) {
  bool failed = !report["error"].is_null();
  JsonReport invocation = {{"executionSuccessful", !failed},
                           {"exitCode", failed ? report["error"]["exit"] : report["result"]["exit"]},
                           {"arguments", report["arguments"]}};
  JsonReport notes = JsonReport::array();
  if (failed) notes.push_back({{"level", "error"}, {"message", {{"text", report["error"]["message"]}}}});
  for (const JsonReport& warning : report["warnings"])
    notes.push_back({{"level", "warning"}, {"message", {{"text", warning}}}});
  if (report.contains("conclusion"))
    notes.push_back({{"level", "note"}, {"message", {{"text", report["conclusion"]}}}});
  invocation["toolExecutionNotifications"] = notes;
  return invocation;
}

}  // namespace

JsonReport sarifOf(const JsonReport& report) {
  JsonReport rules = JsonReport::array();
  for (const auto& [id, text] : kRules) rules.push_back({{"id", id}, {"shortDescription", {{"text", text}}}});
  JsonReport driver = {{"name", "mcmini"}, {"version", report["mcmini"]}, {"rules", rules}};
  JsonReport results = JsonReport::array();
  for (const JsonReport& finding : report["findings"]) results.push_back(resultOf(finding));
  JsonReport run = {{"tool", {{"driver", driver}}},
                    {"invocations", JsonReport::array({invocationOf(report)})},
                    {"results", results}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", JsonReport::array({run})}};
}

}  // namespace mcmini
