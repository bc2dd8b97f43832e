#include "core/app/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/app/help.hpp"
#include "core/app/help_topics.hpp"
#include "core/app/option_kinds.hpp"

namespace mcmini {

namespace {

/// Text that roff prints as it is.
std::string plain(std::string_view text) {
  std::string escaped;
  bool lineBegins = true;
  for (char c : text) {
    if (lineBegins && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
    lineBegins = c == '\n';
  }
  return escaped;
}

std::string inCapitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return c == '-' ? ' ' : static_cast<char>(std::toupper(c)); });
  return text;
}

/// A line of help, and what follows it, as sentences.
std::string sentences(const std::string& description) {
  std::size_t end = description.find('\n');
  std::string text = description.substr(0, end) + ".";
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return end == std::string::npos ? text : text + " " + description.substr(end + 1);
}

std::string optionEntry(const CLI::Option& option) {
  std::string words = sentences(option.get_description());
  std::string text = fmt::format(".TP\n.B {}\n{}\n", plain(namesOf(option)), plain(words));
  if (isRepeatable(option)) text += "May be repeated.\n";
  if (!isFlag(option) && !option.get_default_str().empty())
    text += fmt::format("Default: {}.\n", plain(option.get_default_str()));
  return text;
}

constexpr const char* kFirstSections = R"(.SH NAME
mcmini \- runs a pthread program under every schedule that can make a difference
.SH SYNOPSIS
.nf
\fBmcmini\fR [\fBcheck\fR] [\fIOPTIONS\fR] [\fB\-\-\fR] \fIPROGRAM\fR [\fIARGUMENTS\fR...]
\fBmcmini replay\fR [\fIFILE\fR|\fIN\fR]
\fBmcmini replay \-\-schedule\fR \fIN,N,...\fR \fIPROGRAM\fR [\fIARGUMENTS\fR...]
\fBmcmini gdb\fR \fIFILE\fR|\fIN\fR [\fIGDB\-ARGUMENTS\fR...]
\fBmcmini doctor\fR \fIPROGRAM\fR
\fBmcmini plugin\fR \fBlist\fR|\fBnew\fR|\fBbuild\fR|\fBcheck\fR ...
\fBmcmini help\fR [\fITOPIC\fR]
.fi
.SH DESCRIPTION
Takes a compiled program as it is, C or C++, dynamically linked, and reports deadlocks, failed assertions, crashes,
misuse of the thread library and threads that never come back, each with a schedule that leads there. Schedules that
differ only in the order of independent steps are run once.
.PP
Results are on standard output, warnings, progress and logs on standard error.
.SH OPTIONS
)";

}  // namespace

std::string manPage(const CLI::App& app) {
  std::string text =
      fmt::format(".TH MCMINI 1 \"\" \"{}\" \"User Commands\"\n{}", app.version(), kFirstSections);
  for (const std::string& group : app.get_groups()) {
    text += ".SS " + group + "\n";
    for (const CLI::Option* option : app.get_options())
      if (option->get_group() == group) text += optionEntry(*option);
  }
  for (const HelpTopic& topic : helpTopics())
    text +=
        fmt::format(".SH {}\n.nf\n{}.fi\n", inCapitals(std::string(topic.name)), plain(topic.text.substr(1)));
  return text;
}

}  // namespace mcmini
