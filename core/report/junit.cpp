#include "core/report/junit.hpp"

#include <fmt/format.h>

namespace mcmini {

namespace {

/// Text that XML can hold: what it means something in it is escaped, and what it forbids is replaced.
std::string escaped(const std::string& text) {
  std::string valid =
      JsonReport::parse(JsonReport(text).dump(-1, ' ', false, JsonReport::error_handler_t::replace))
          .get<std::string>();
  std::string xml;
  for (char c : valid) {
    if (c == '&')
      xml += "&amp;";
    else if (c == '<')
      xml += "&lt;";
    else if (c == '>')
      xml += "&gt;";
    else if (c == '"')
      xml += "&quot;";
    else if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t')
      xml += '?';
    else
      xml += c;
  }
  return xml;
}

std::string attribute(const std::string& name, std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return fmt::format(" {}=\"{}\"", name, escaped(text));
}

std::string placeOf(const JsonReport& location) {
  if (!location.contains("file") || !location.contains("line")) return "";
  return fmt::format("  ({}:{})", location["file"].get<std::string>(), location["line"].get<int>());
}

std::string describe(const JsonReport& finding) {
  std::string text =
      fmt::format("{}: {}\n", finding["kind"].get<std::string>(), finding["message"].get<std::string>());
  for (const JsonReport& access : finding.value("accesses", JsonReport::array()))
    text += fmt::format("  {} {} {}{}\n", access["thread"].get<std::string>(),
                        access["access"].get<std::string>(), access["variable"].get<std::string>(),
                        placeOf(access["location"]));
  for (const JsonReport& step : finding["schedule"])
    text +=
        fmt::format("  {:>4}  {}: {}{}\n", step["step"].get<std::size_t>(), step["thread"].get<std::string>(),
                    step["call"].get<std::string>(), placeOf(step["location"]));
  for (const JsonReport& step : finding["pending"])
    text += fmt::format("        {}: {}{}, not done\n", step["thread"].get<std::string>(),
                        step["call"].get<std::string>(), placeOf(step["location"]));
  for (const JsonReport& tip : finding["tips"]) text += "  Tip: " + tip.get<std::string>() + "\n";
  return text;
}

std::string failure(const JsonReport& findings) {
  std::string message = findings.front()["message"];
  if (findings.size() > 1) message += fmt::format(" (and {} more)", findings.size() - 1);
  std::string text;
  for (const JsonReport& finding : findings) text += describe(finding);
  return fmt::format("    <failure{}{}>{}</failure>\n", attribute("type", findings.front()["kind"]),
                     attribute("message", message), escaped(text));
}

struct Outcome {
  std::string element;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
};

Outcome outcomeOf(const JsonReport& report) {
  if (!report["error"].is_null()) {
    std::string message = report["error"]["message"];
    std::string type = fmt::format("exit {}", report["error"]["exit"].get<int>());
    return {fmt::format("    <error{}{}/>\n", attribute("type", type), attribute("message", message)), 0, 1,
            0};
  }
  if (!report["findings"].empty()) return {failure(report["findings"]), 1, 0, 0};
  if (report["result"]["complete"] == "no")
    return {fmt::format("    <skipped{}/>\n", attribute("message", report["conclusion"])), 0, 0, 1};
  return {};
}

}  // namespace

std::string junitOf(const JsonReport& report) {
  std::string name = report["program"];
  for (const JsonReport& argument : report["arguments"]) name += " " + argument.get<std::string>();
  double seconds = report["result"].is_null() ? 0 : report["result"]["time"].get<double>();
  Outcome outcome = outcomeOf(report);
  std::string conclusion = report.value("conclusion", "");
  std::string counts = fmt::format("tests=\"1\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                                   outcome.failures, outcome.errors, outcome.skipped, seconds);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  xml += fmt::format("  <testsuite name=\"mcmini\" {}>\n", counts);
  xml +=
      fmt::format("  <testcase{} classname=\"mcmini\" time=\"{:.3f}\">\n", attribute("name", name), seconds);
  xml += outcome.element;
  if (!conclusion.empty()) xml += fmt::format("    <system-out>{}</system-out>\n", escaped(conclusion));
  return xml + "  </testcase>\n  </testsuite>\n</testsuites>\n";
}

}  // namespace mcmini
