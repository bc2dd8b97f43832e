#include <catch2/catch.hpp>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"

// What of a program is under control, and what is not.

namespace mcmini {
namespace {

using Catch::Contains;

Outcome doctor(const std::string& name) {
  Outcome outcome = check({"doctor", program(name)});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 0);
  return outcome;
}

TEST_CASE("the doctor tells what is controlled", "[doctor]") {
  std::string told = doctor("philosophers").out;
  CHECK_THAT(told, Contains("it can be checked") && Contains("debug information   yes"));
  CHECK_THAT(told, Contains("controlled calls    pthread_create, pthread_join, pthread_mutex_"));
  CHECK_THAT(told, Contains("uncontrolled calls  none"));
  CHECK_THAT(told, Contains("not watched         plain memory and atomic variables"));
}

TEST_CASE("the doctor tells whether memory is watched", "[doctor]") {
  CHECK_THAT(doctor("philosophers").out, Contains("mcmini-cc"));
  CHECK_THAT(doctor("memory/compiled").out,
             Contains("watched             plain memory and atomic variables") && !Contains("not watched") &&
                 Contains("own libraries   none"));
}

TEST_CASE("the doctor names what waits and is not modelled", "[doctor]") {
  CHECK_THAT(doctor("odd").out, Contains("uncontrolled calls  pause, ualarm, waitpid"));
}

TEST_CASE("system calls and what libstdc++ waits with are told to be controlled", "[doctor]") {
  CHECK_THAT(doctor("futexes").out, Contains("pthread_join, syscall"));
  CHECK_THAT(doctor("std_waits").out, Contains("uncontrolled calls  none"));
}

TEST_CASE("calls that pass through are nothing to worry about", "[doctor]") {
  CHECK_THAT(doctor("mutex_ways").out, Contains("uncontrolled calls  none"));
  CHECK_THAT(doctor("thread_ways").out, Contains("uncontrolled calls  none"));
}

TEST_CASE("functions that wait and are not modelled are a warning, an error or nothing", "[doctor]") {
  auto run = [](const std::string& what) {
    return check({"--on-unsupported", what, program("odd"), "end_at_once"});
  };
  Outcome warned = run("warn");
  CHECK(warned.exitCode == 0);
  CHECK_THAT(warned.err, Contains("odd calls pause, ualarm, waitpid, which are not modelled"));
  Outcome refused = run("error");
  CHECK(refused.exitCode == 4);
  CHECK_THAT(refused.err, Contains("pause, ualarm, waitpid") && Contains("--on-unsupported error"));
  Outcome ignored = run("ignore");
  CHECK(ignored.exitCode == 0);
  CHECK(ignored.err == kNone);
}

}  // namespace
}  // namespace mcmini
