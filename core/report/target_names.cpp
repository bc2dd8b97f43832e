#include "core/report/target_names.hpp"

#include <fmt/format.h>

#include <iterator>
#include <set>

#include "core/report/places.hpp"

namespace mcmini {

namespace {

/// A thread is called after its start routine, unless that belongs to the runtime of a language.
std::string nameOfRoutine(const Symbolizer& symbolizer, CodeAddress entry) {
  std::string name = symbolizer.function(entry);
  bool anonymous = name.empty() || name.find("execute_native_thread_routine") != std::string::npos;
  return anonymous ? "thread" : name;
}

std::string numbered(const std::string& name, std::map<std::string, int>& count) {
  return fmt::format("{}#{}", name, ++count[name]);
}

/// Names for objects in allocated memory: by the line that allocated it, with a number if there are several
/// blocks, and the place within its block if there are several such places.
std::map<std::uint64_t, std::string> namesOf(const std::map<std::uint64_t, Allocated>& allocations,
                                             const Symbolizer& symbolizer) {
  struct Line {
    std::set<std::uint64_t> blocks;
    std::set<std::uint64_t> offsets;
  };
  std::map<std::uint64_t, std::string> places;
  std::map<std::string, Line> lines;
  for (const auto& [address, allocated] : allocations) {
    std::string place = placeOf(allocated.stack, 0, symbolizer);
    if (place.empty()) continue;
    places[address] = place;
    lines[place].blocks.insert(allocated.begin);
    lines[place].offsets.insert(address - allocated.begin);
  }
  std::map<std::uint64_t, std::string> names;
  for (const auto& [address, place] : places) {
    const Line& line = lines[place];
    std::uint64_t begin = allocations.at(address).begin;
    names[address] = "heap(" + place + ")";
    if (line.blocks.size() > 1)
      names[address] += fmt::format("#{}", 1 + std::distance(line.blocks.begin(), line.blocks.find(begin)));
    if (line.offsets.size() > 1 && address != begin) names[address] += fmt::format("+{}", address - begin);
  }
  return names;
}

}  // namespace

TargetNames::TargetNames(const Symbolizer& symbolizer, const ModelState& state, const Rehearsal& rehearsal)
    : symbolizer_(symbolizer), allocated_(namesOf(rehearsal.allocations, symbolizer)) {
  const std::map<ThreadId, std::string>& given = rehearsal.threadNames;
  std::map<std::string, int> givenTo;
  for (const auto& [thread, name] : given) ++givenTo[name];
  std::map<std::string, int> count;
  for (std::uint32_t i = 0; i < state.threadCount(); ++i) {
    const ThreadState& thread = state.thread(ThreadId{i});
    auto own = given.find(ThreadId{i});
    if (own != given.end() && givenTo[own->second] == 1)
      threads_.push_back(own->second);
    else if (own != given.end())
      threads_.push_back(numbered(own->second, count));
    else if (i == 0 || (!thread.created && thread.entry == 0))
      threads_.emplace_back(i == 0 ? "main" : "");
    else
      threads_.push_back(numbered(nameOfRoutine(symbolizer, thread.entry), count));
  }
}

std::string TargetNames::thread(ThreadId thread) const {
  bool known = index(thread) < threads_.size() && !threads_[index(thread)].empty();
  return known ? threads_[index(thread)] : fmt::format("thread {}", index(thread));
}

std::string TargetNames::object(ObjectId object) const {
  if (isThread(object)) return thread(threadOf(object));
  std::string name = symbolizer_.variable(addressOf(object));
  if (!name.empty()) return name;
  auto allocated = allocated_.find(addressOf(object));
  return allocated != allocated_.end() ? allocated->second : fmt::format("{:#x}", addressOf(object));
}

}  // namespace mcmini
