#include "binary_semaphore.h"

#include <mcmini/plugin.hpp>

#include <cerrno>

namespace {

using namespace mcmini;

struct Semaphore : Object<Semaphore> {
  static constexpr std::string_view kKind = "binary_semaphore";
  bool posted = false;

  bool operator==(const Semaphore&) const = default;
  std::string describe(const Names&) const override { return posted ? "posted" : "not posted"; }
};

struct Post : OperationOn<Semaphore> {
  using OperationOn::OperationOn;
  Result act(Semaphore& semaphore) const override {
    semaphore.posted = true;
    return 0;
  }
  std::string mistake(const Semaphore& semaphore) const override {
    return semaphore.posted ? "which holds a token already" : "";
  }
};

struct Wait : OperationOn<Semaphore> {
  using OperationOn::OperationOn;
  bool ready(const Semaphore& semaphore) const override { return semaphore.posted; }
  Result act(Semaphore& semaphore) const override {
    semaphore.posted = false;
    return 0;
  }
};

struct Try : OperationOn<Semaphore> {
  using OperationOn::OperationOn;
  Result act(Semaphore& semaphore) const override {
    return std::exchange(semaphore.posted, false) ? 0 : EAGAIN;
  }
};

}  // namespace

MCMINI_PLUGIN("binary_semaphore", catalog) {
  catalog.add<Post>("binary_semaphore.post");
  catalog.add<Wait>("binary_semaphore.wait");
  catalog.add<Try>("binary_semaphore.try");
}

void binary_semaphore_post(binary_semaphore_t* semaphore) {
  mcmini::announce("binary_semaphore.post", semaphore);
}
void binary_semaphore_wait(binary_semaphore_t* semaphore) {
  mcmini::announce("binary_semaphore.wait", semaphore);
}
int binary_semaphore_try(binary_semaphore_t* semaphore) {
  return static_cast<int>(mcmini::announce("binary_semaphore.try", semaphore));
}
