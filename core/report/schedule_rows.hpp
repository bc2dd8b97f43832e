#pragma once

#include <string>
#include <vector>

#include "core/report/finding_facts.hpp"

namespace mcmini {

/// A line of the schedule, in words; how it is laid out is another matter.
struct ScheduleRow {
  std::size_t first = 0;  ///< The steps that it stands for, from 1; 0: what a thread waits to do at the end.
  std::size_t last = 0;
  ThreadId thread{};
  std::string name;  ///< Of the thread; empty if steps of several are left out here.
  std::string call;  ///< Or why steps are left out.
  bool isCall = true;
  std::string place;      ///< "philo.c:18".
  std::string note;       ///< What the step did.
  std::string briefNote;  ///< The same without what goes without saying.
  bool preempts = false;  ///< The thread before could have gone on.
  bool noReturn = false;  ///< From here on no run ends well.
  bool isFault = false;   ///< Here it goes wrong.
};

std::vector<ScheduleRow> rowsOf(const FindingFacts& facts);

}  // namespace mcmini
