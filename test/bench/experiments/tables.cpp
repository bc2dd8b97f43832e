#include "test/bench/experiments/experiment.hpp"

// The published numbers are those of the McMini paper's tables 2 to 10 and of Inspect's table 1, as far as
// they are at hand; those marked `measured` are of McMini's main branch, run on a machine with two cores.

namespace mcmini::experiments {

namespace {

Published counted(std::uint64_t traces) {
  return {.traces = traces, .measured = true};
}

Table philosophers() {
  return {"philosophers",
          "Philosophers with mutexes, one of them reversed",
          {{"philosophers", {"4"}, {52, 849, 0.25}, {}},
           {"philosophers", {"5"}, {366, 5'206, 1.44}, {}},
           {"philosophers", {"6"}, {3'823, 48'048, 13.6}, {}},
           {"philosophers", {"7"}, {41'286, 482'762, 155}, {}},
           {"philosophers", {"8"}, {530'846, 5'711'682, 2'150}, {}},
           {"philosophers", {"12"}, {}, {}}}};
}

Table semaphores() {
  return {"semaphores",
          "Philosophers of whom a semaphore lets all but one sit down",
          {{"philosophers_semaphore", {"3"}, counted(50), {}},
           {"philosophers_semaphore", {"4"}, counted(654), {}},
           {"philosophers_semaphore", {"5"}, {9'795, 133'648, 33.3}, {}}}};
}

Table deadlocks() {
  const std::vector<std::string> first = {"--first"};
  return {"deadlocks",
          "Philosophers that can deadlock",
          {{"philosophers_all_left", {"10"}, {2'342, 34'348, 11.6}, first, false, "first deadlock"},
           {"philosophers_all_left", {"4"}, counted(25), {}},
           {"philosophers_all_left", {"5"}, counted(68), {}},
           {"philosophers_all_left", {"6"}, counted(180), {}},
           {"philosophers_all_left", {"7"}, counted(474), {}},
           {"philosophers_all_seated", {"3"}, counted(68), {}},
           {"philosophers_all_seated", {"4"}, counted(800), {}},
           {"philosophers_all_seated", {"7"}, {180'253, 2'590'839, 724}, {"--time", "600s"}, true},
           {"philosophers_all_seated", {"4"}, {}, first, false, "first deadlock"},
           {"circular_wait", {"2"}, {}, {}},
           {"circular_wait", {"3"}, {}, {}},
           {"partial_deadlock", {"2"}, {}, {}}}};
}

Table condBroadcast() {
  return {"broadcast",
          "A broadcast that may come too early",
          {{"cond_broadcast_missed", {"2"}, {}, {}},
           {"cond_broadcast_missed", {"3"}, {}, {}},
           {"cond_broadcast_missed", {"4"}, {}, {}},
           {"cond_broadcast_missed", {"5"}, {65'512, 319'848, 178}, {}},
           {"cond_broadcast", {"3"}, {}, {}}}};
}

Table producerConsumer() {
  return {"producer-consumer",
          "Producers and consumers, mutex and semaphores, or condition variables",
          {{"producer_consumer_lock_first", {"3", "1"}, {4'020, 32'374, 13.5}, {}},
           {"producer_consumer_semaphore", {"3", "1"}, {}, {}},
           {"producer_consumer", {"2"}, {}, {}},
           {"producer_consumer_one_cond", {"2"}, {}, {}},
           {"producer_consumer_if", {"2"}, {}, {}},
           {"signal_when_empty", {"3"}, {}, {}}}};
}

Table readerWriter() {
  return {"reader-writer",
          "A reader and two writers that enter twice, no preference",
          {{"readers_writers", {"1", "2", "none", "2"}, {98'480, 810'066, 423}, {}},
           {"readers_writers_rwlock", {"1", "2", "readers", "2"}, {41'066, 287'956, 91}, {}},
           {"readers_writers", {"1", "2", "none"}, {}, {}},
           {"readers_writers", {"1", "2", "readers"}, {}, {}},
           {"readers_writers", {"1", "2", "writers"}, {}, {}},
           {"readers_writers", {"1", "2", "fifo"}, {}, {}}}};
}

Table primitives() {
  return {"primitives",
          "A reader and two kinds of writers: a primitive of its own, or built on condition variables",
          {{"two_writers", {"2"}, {.traces = 130}, {"--plugin", "two_writers"}},
           {"two_writers_on_cond", {"2"}, {.traces = 98'480}, {}}}};
}

Table spuriousWakeups() {
  const std::vector<std::string> how = {"--policy", "spurious", "--max-thread-depth", "6", "--first"};
  Table table{
      "spurious-wakeups", "`if` instead of `while`: the run that finds it, 6 operations a thread", {}};
  for (const auto& [producers, trace] :
       {std::pair("1", 28U), std::pair("2", 1'046U), std::pair("3", 45'040U)})
    table.rows.push_back({"if_instead_of_while", {producers}, {.traces = trace}, how, false, "first bug"});
  return table;
}

Table policies() {
  Table table{"policies", "Wakeup policies: three philosophers of whom a semaphore lets two sit down", {}};
  auto add = [&](const std::string& policy, std::uint64_t traces, const std::string& note) {
    std::vector<std::string> options = {"--policy", policy};
    table.rows.push_back({"philosophers_semaphore", {"3"}, {.traces = traces}, options, false, note});
  };
  add("lifo", 4'519, "lifo");
  add("fifo", 5'801, "fifo");
  add("anyone_unordered.so", 3'918, "arbitrary, enqueue independent");
  add("anyone_ordered.so", 11'344, "arbitrary, enqueue dependent");
  add("arbitrary", 601, "arbitrary, no enqueue");
  return table;
}

Table rates() {
  return {"rates",
          "Runs per second (McMini: 114 to 356)",
          {{"philosophers", {"8"}, {530'846, 5'711'682, 2'150}, {}},
           {"counter", {"6"}, {}, {}},
           {"last_zero", {"8"}, {}, {}},
           {"philosophers_semaphore", {"4"}, {}, {}},
           {"bounded_queue", {"5"}, {}, {}},
           {"readers_writers_rwlock", {"3", "3"}, {}, {}},
           {"barrier_on_cond", {"3", "2"}, {}, {}}}};
}

Table inspect() {
  return {"inspect",
          "Inspect: indexer, file system, and others",
          {{"indexer", {"12"}, {}, {}},
           {"indexer", {"13"}, {}, {}},
           {"indexer", {"14"}, {}, {}},
           {"indexer", {"15"}, {}, {}},
           {"indexer", {"16"}, {.traces = 32'768, .seconds = 988}, {}},
           {"filesystem", {"14"}, {}, {}},
           {"filesystem", {"18"}, {}, {}},
           {"filesystem", {"22"}, {}, {}},
           {"filesystem", {"26"}, {.traces = 8'192, .seconds = 261}, {}},
           {"database", {"1"}, {}, {}},
           {"bank_account", {"3"}, {}, {}},
           {"bluetooth", {"1"}, {}, {}},
           {"memory/bluetooth_flags", {"1"}, {}, {}},
           {"thread_pool", {"2", "1"}, {}, {}},
           {"thread_pool", {"2", "2"}, {}, {}},
           {"pool_ended", {"2"}, {}, {}},
           {"last_zero", {"5"}, {}, {}}}};
}

}  // namespace

std::vector<Table> tables() {
  return {philosophers(), semaphores(),      deadlocks(), condBroadcast(), producerConsumer(), readerWriter(),
          primitives(),   spuriousWakeups(), policies(),  rates(),         inspect()};
}

}  // namespace mcmini::experiments
