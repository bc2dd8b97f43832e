#include "channel.h"

#include <mcmini/plugin.hpp>

#include <deque>

namespace {

using namespace mcmini;

struct Channel : Object<Channel> {
  static constexpr std::string_view kKind = "channel";
  std::uint64_t capacity = 0;
  std::deque<Result> values;

  bool operator==(const Channel&) const = default;
  std::string describe(const Names&) const override {
    return std::to_string(values.size()) + " of " + std::to_string(capacity) + " places taken";
  }
};

struct Init : OperationOn<Channel> {
  using OperationOn::OperationOn;
  Result act(Channel& channel) const override {
    channel = Channel{};
    channel.capacity = argument(0);
    return 0;
  }
};

struct Send : OperationOn<Channel> {
  using OperationOn::OperationOn;
  bool ready(const Channel& channel) const override { return channel.values.size() < channel.capacity; }
  Result act(Channel& channel) const override {
    channel.values.push_back(static_cast<Result>(argument(0)));
    return 0;
  }
};

struct Receive : OperationOn<Channel> {
  using OperationOn::OperationOn;
  bool ready(const Channel& channel) const override { return !channel.values.empty(); }
  Result act(Channel& channel) const override {
    Result value = channel.values.front();
    channel.values.pop_front();
    return value;
  }
  bool failed(Result) const override { return false; }
  std::string describeResult(Result value) const override { return "gets " + std::to_string(value); }
};

}  // namespace

MCMINI_PLUGIN("channel", catalog) {
  catalog.add<Init>("channel.init");
  catalog.add<Send>("channel.send");
  catalog.add<Receive>("channel.receive");
}

void channel_init(channel_t* channel, unsigned capacity) {
  mcmini::announce("channel.init", channel, capacity);
}
void channel_send(channel_t* channel, long value) {
  mcmini::announce("channel.send", channel, value);
}
long channel_receive(channel_t* channel) {
  return mcmini::announce("channel.receive", channel);
}
