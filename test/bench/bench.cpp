// Prints what a run costs, and how that compares with the floor: the cost of a bare fork of the same process;
// then what it costs to watch the memory of a program that computes. Costs are processor time of all
// processes involved, which other work on the machine hardly disturbs; only the ratios mean something
// elsewhere.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Output {
  std::string text;
  double microseconds = 0;
};

double processorTime() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  auto micros = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
  };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

Output run(const std::string& command) {
  double before = processorTime();
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  Output output;
  for (int c; pipe && (c = std::fgetc(pipe.get())) != EOF;) output.text += static_cast<char>(c);
  pipe.reset();
  output.microseconds = processorTime() - before;
  return output;
}

double field(const std::string& text, const std::string& name) {
  auto at = text.rfind(name + "=");
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + name.size() + 1, nullptr);
}

const std::string kBinaries = MCMINI_BINARY_DIR;
const std::string kPrograms = MCMINI_PROGRAMS;

double floorCost() {
  constexpr int kForks = 3000;
  return run("LD_PRELOAD=" + kBinaries + "/lib/mcmini/libmcmini.so " + kBinaries + "/bin/bench_floor " +
             std::to_string(kForks))
             .microseconds /
         kForks;
}

std::string checkCommand(const std::string& program, int n, const std::string& options = "") {
  return kBinaries + "/bin/mcmini -q " + options + " " + kPrograms + "/gcc-O2/" + program + " " +
         std::to_string(n);
}

/// Of several measurements the middle one: the machine has other things to do as well.
template <class Measure>
double median(Measure measure) {
  std::vector<double> values;
  for (int i = 0; i < 5; ++i) values.push_back(measure());
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void compare(const std::string& program, int n, double floor, const char* options) {
  std::string output;
  double startUp = median([&] { return run(checkCommand("independent", 1, options)).microseconds; });
  double total = median([&] {
    Output done = run(checkCommand(program, n, options));
    output = done.text;
    return done.microseconds;
  });
  double traces = field(output, "traces");
  double each = (total - startUp) / traces;
  std::printf("%-14s %2d  %6.0f traces  %7.1f us a trace  %7.0f traces/s  %5.2f times the floor  %s\n",
              program.c_str(), n, traces, each, 1e6 / each, each / floor,
              *options == 0 ? "fibers" : "threads of the system");
}

/// What a program takes to compute, without what it takes to start: plain, and compiled by mcmini-cc.
void compareComputing(const std::string& compiler, const std::string& who, int rounds) {
  auto cost = [&](const std::string& kind) {
    std::string command = kBinaries + "/bin/mcmini -q --step-timeout 60s " + kPrograms + "/compute-" +
                          compiler + "-" + kind + " " + who;
    return median([&] {
      double once = run(command + " 1").microseconds;
      return run(command + " " + std::to_string(rounds)).microseconds - once;
    });
  };
  if (!std::filesystem::exists(kPrograms + "/compute-" + compiler + "-told")) return;
  double plain = cost("plain");
  double told = cost("told");
  std::printf(
      "computing in %-6s %-5s  plain %7.1f ms  with accesses to memory watched %7.1f ms  %5.1f times\n",
      who.c_str(), compiler.c_str(), plain / 1000, told / 1000, told / plain);
}

}  // namespace

int main() {
  double floor = median(floorCost);
  std::printf("floor: fork + _exit + waitpid of the same process %18.1f us\n", floor);
  for (const char* options : {"", "--system-threads"}) {
    compare("philosophers", 8, floor, options);
    compare("counter", 6, floor, options);
  }
  run(checkCommand("counter", 7));
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  std::printf("counter         7  largest process of the checker and its target: %ld MB\n",
              usage.ru_maxrss / 1024);
  for (const char* compiler : {"gcc", "clang"}) {
    compareComputing(compiler, "main", 200);
    compareComputing(compiler, "thread", 40);
  }
  return 0;
}
