#include "core/report/target_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

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

/// A variable in the stack of a thread, in words.
struct NamedLocal {
  std::uint64_t address = 0;
  std::string name;
  std::string owner;
  std::size_t order = 0;
};

/// With the thread if several threads have one of that name, or it is that of another variable; numbered as
/// they came up if one thread has several.
std::map<std::uint64_t, std::string> distinct(std::vector<NamedLocal> locals,
                                              const std::set<std::string>& taken) {
  std::map<std::string, std::map<std::string, int>> of;  // by name and owner
  for (const NamedLocal& local : locals) ++of[local.name][local.owner];
  std::ranges::sort(locals, {}, &NamedLocal::order);
  std::map<std::string, std::map<std::string, int>> count;
  std::map<std::uint64_t, std::string> names;
  for (const auto& [address, name, owner, order] : locals) {
    names[address] = name;
    if (of[name][owner] > 1) names[address] += fmt::format("#{}", ++count[name][owner]);
    if (of[name].size() > 1 || taken.contains(name)) names[address] += fmt::format(" ({})", owner);
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
  if (!rehearsal.locals.empty()) nameLocals(rehearsal.locals, state);
}

void TargetNames::nameLocals(const std::map<std::uint64_t, Local>& locals, const ModelState& state) {
  std::set<std::string> taken;
  state.forEachObject([&](ObjectId object, const ObjectState&) {
    if (!isThread(object)) taken.insert(symbolizer_.variable(addressOf(object)));
  });
  std::vector<NamedLocal> named;
  for (const auto& [address, local] : locals) {
    std::string owner = thread(local.thread);
    std::string name = fmt::format("{}", fmt::join(local.names, "/"));
    if (std::string place = name.empty() ? placeOf(local.stack, 0, symbolizer_) : ""; !place.empty())
      name = fmt::format("{}'s stack({})", owner, place);
    if (!name.empty()) named.push_back({address, name, owner, local.order});
  }
  locals_ = distinct(std::move(named), taken);
}

std::string TargetNames::thread(ThreadId thread) const {
  bool known = index(thread) < threads_.size() && !threads_[index(thread)].empty();
  return known ? threads_[index(thread)] : fmt::format("thread {}", index(thread));
}

std::string TargetNames::object(ObjectId object) const {
  if (isThread(object)) return thread(threadOf(object));
  std::string name = symbolizer_.variable(addressOf(object));
  if (!name.empty()) return name;
  if (auto local = locals_.find(addressOf(object)); local != locals_.end()) return local->second;
  auto allocated = allocated_.find(addressOf(object));
  return allocated != allocated_.end() ? allocated->second : fmt::format("{:#x}", addressOf(object));
}

}  // namespace mcmini
