#pragma once

#include <filesystem>
#include <string>

namespace mcmini::test {

/// The heap replaces malloc, so it is tested from outside: it is built into a library, and small programs run
/// with that preloaded.
class Workshop {
 public:
  struct Outcome {
    int status;  ///< As a shell says it: 128 + n after signal n.
    std::string output, errors;
  };

  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  const Outcome& built() const { return built_; }
  std::string library() const { return path("libheap.so"); }
  std::string program() const { return path("program"); }

  Outcome shell(const std::string& command) const;
  Outcome preloaded(const std::string& command) const;
  Outcome compile(const std::string& text) const;
  Outcome run(const std::string& text) const;

 private:
  std::string path(const char* name) const { return folder_ / name; }

  std::filesystem::path folder_;
  Outcome built_;
};

const Workshop& workshop();

void expectSuccess(const Workshop::Outcome& outcome);
void expectSuccess(const std::string& program);

/// The statements, as a program, say this sentence and abort.
void expectAbort(const std::string& statements, const std::string& sentence);

/// The command prints the same with the heap as without it.
void expectSameOutput(const std::string& command);

bool present(const std::string& program);

}  // namespace mcmini::test
