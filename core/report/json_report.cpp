#include "core/report/json_report.hpp"

#include "core/report/conclusion.hpp"
#include "core/report/race_facts.hpp"
#include "core/search/switches.hpp"

namespace mcmini {

namespace {

JsonReport jsonOf(const Location& location) {
  if (location.file.empty() && location.function.empty() && location.module.empty()) return nullptr;
  JsonReport json = JsonReport::object();
  if (!location.file.empty()) json["file"] = location.file;
  if (location.line > 0) json["line"] = location.line;
  if (!location.function.empty()) json["function"] = location.function;
  if (!location.module.empty()) json["module"] = location.module;
  return json;
}

JsonReport jsonOf(const StepFact& step) {
  JsonReport json = JsonReport::object();
  if (step.number > 0) json["step"] = step.number;
  json["thread"] = step.name;
  json["call"] = step.call;
  if (!step.result.empty()) json["result"] = step.result;
  if (step.isFault) json["fault"] = true;
  json["location"] = jsonOf(step.place);
  return json;
}

JsonReport jsonOf(const HeldUp& thread, const char* state, const TargetNames& names) {
  JsonReport json = {{"name", thread.name}, {"state", state}, {"call", thread.call}};
  json["location"] = jsonOf(thread.place);
  json["holds"] = JsonReport::array();
  for (const Holding& holding : thread.holds)
    json["holds"].push_back({{"object", holding.name}, {"taken", jsonOf(holding.taken)}});
  json["waitsFor"] = JsonReport::array();
  for (ThreadId other : thread.waitsFor) json["waitsFor"].push_back(names.thread(other));
  return json;
}

JsonReport threadsOf(const FindingFacts& facts) {
  JsonReport threads = JsonReport::array();
  for (const HeldUp& thread : facts.waiting()) threads.push_back(jsonOf(thread, "waits", facts.names()));
  for (const HeldUp& thread : facts.repeating()) threads.push_back(jsonOf(thread, "repeats", facts.names()));
  return threads;
}

JsonReport jsonOf(const AccessFact& access) {
  JsonReport json = {{"thread", access.name},
                     {"access", access.verb},
                     {"variable", access.variable},
                     {"size", access.size},
                     {"step", access.step}};
  json["location"] = jsonOf(access.place);
  json["holds"] = JsonReport::array();
  for (const Holding& holding : access.holds)
    json["holds"].push_back({{"object", holding.name}, {"taken", jsonOf(holding.taken)}});
  json["stack"] = JsonReport::array();
  for (const Location& frame : access.stack) json["stack"].push_back(jsonOf(frame));
  return json;
}

JsonReport switchesOf(const Finding& finding) {
  Switches switches = switchesOf(finding.events, finding.initial, finding.pending);
  return {{"all", switches.all}, {"preemptions", switches.preemptions}};
}

JsonReport jsonOf(const FindingFacts& facts, const Symbolizer& symbolizer) {
  const Finding& finding = facts.finding();
  JsonReport json = {{"kind", word(finding.kind)}, {"message", facts.sentence()}, {"run", finding.trace}};
  json["location"] = jsonOf(facts.place());
  json["threads"] = threadsOf(facts);
  json["cycle"] = JsonReport::array();
  for (ThreadId thread : facts.cycle()) json["cycle"].push_back(facts.names().thread(thread));
  json["stack"] = JsonReport::array();
  for (const Location& frame : facts.stack()) json["stack"].push_back(jsonOf(frame));
  if (finding.race) {
    json["accesses"] = JsonReport::array();
    for (const AccessFact& access : accessesOf(facts, symbolizer)) json["accesses"].push_back(jsonOf(access));
  }
  json["switches"] = switchesOf(finding);
  json["schedule"] = JsonReport::array();
  for (std::size_t event : facts.shownEvents()) json["schedule"].push_back(jsonOf(facts.step(event)));
  json["pending"] = JsonReport::array();
  for (const StepFact& step : facts.waitingSteps()) json["pending"].push_back(jsonOf(step));
  json["tips"] = facts.tips();
  json["output"] = facts.output();
  return json;
}

JsonReport stoppedBy(Cut cut) {
  switch (cut) {
    case Cut::Traces:
      return "max-traces";
    case Cut::Time:
      return "time";
    case Cut::FirstBug:
      return "first";
    case Cut::Interrupted:
      return "interrupted";
    case Cut::Stuck:
      return "stuck";
    case Cut::None:
      break;
  }
  return nullptr;
}

JsonReport beginning(const CheckedProgram& checked) {
  return {{"schema", kReportSchema},
          {"mcmini", checked.version},
          {"program", checked.program},
          {"arguments", checked.arguments}};
}

}  // namespace

void JsonCollector::onFinding(const Finding& finding) {
  findings_.push_back(jsonOf(FindingFacts(finding, symbolizer_), symbolizer_));
}

JsonReport jsonReport(const CheckedProgram& checked, const JsonReport& findings, const CheckEnd& end) {
  const Summary& summary = end.summary;
  JsonReport report = beginning(checked);
  report["result"] = {{"verdict", summary.verdict ? word(*summary.verdict) : "ok"},
                      {"bugs", summary.bugs},
                      {"traces", summary.traces},
                      {"transitions", summary.transitions},
                      {"blocked", summary.blocked},
                      {"complete", completeness(summary)},
                      {"time", end.seconds},
                      {"exit", end.exitCode}};
  report["conclusion"] = end.conclusion;
  report["stopped"] = stoppedBy(summary.cut);
  report["done"] = summary.done;
  report["error"] = nullptr;
  report["warnings"] = end.warnings;
  report["findings"] = findings;
  return report;
}

JsonReport jsonReport(const CheckedProgram& checked, const JsonReport& findings, int exitCode,
                      const std::string& error) {
  JsonReport report = beginning(checked);
  report["result"] = nullptr;
  report["error"] = {{"exit", exitCode}, {"message", error}};
  report["warnings"] = JsonReport::array();
  report["findings"] = findings;
  return report;
}

std::string textOf(const JsonReport& report) {
  return report.dump(2, ' ', false, JsonReport::error_handler_t::replace) + "\n";
}

}  // namespace mcmini
