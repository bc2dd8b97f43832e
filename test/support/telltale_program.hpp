#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/report/symbolizer.hpp"

#ifndef MCMINI_TEST_CC
#define MCMINI_TEST_CC "cc"
#endif
#ifndef MCMINI_TEST_CXX
#define MCMINI_TEST_CXX "c++"
#endif

namespace mcmini {

/// Every program tells what it expects: NAMED(fork[2]) prints the address of fork[2] and its name, HERE() the
/// address of the call, its function and its line. snapshot(file) writes a StackImage of its caller.
inline constexpr const char* kTelltale = R"(
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <ucontext.h>
#ifdef __cplusplus
extern "C" void* __libc_stack_end;
#else
extern void* __libc_stack_end;
#endif
#define NAMED(object) printf("variable %p 0 %s\n", (void*)&(object), #object)
#define FUNCTION(function) printf("function %p 0 %s\n", (void*)(function), #function)
#define HERE() here(__func__, __LINE__)
#define UNDER(name) here(name, __LINE__)

__attribute__((noinline, unused)) static void here(const char* function, int line) {
  printf("place %p %d %s\n", (void*)((char*)__builtin_return_address(0) - 1), line, function);
}

__attribute__((noinline, unused)) static void snapshot(const char* file) {
  ucontext_t context;
  getcontext(&context);
  const int order[17] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                         REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  FILE* out = fopen(file, "wb");
  for (int i = 0; i < 17; ++i) fwrite(&context.uc_mcontext.gregs[order[i]], 8, 1, out);
  char* bottom = (char*)context.uc_mcontext.gregs[REG_RSP];
  fwrite(&bottom, sizeof bottom, 1, out);
  fwrite(bottom, 1, (size_t)((char*)__libc_stack_end - bottom), out);
  fclose(out);
}

__attribute__((unused)) static void pause_here(void) {
  printf("ready 0 0 -\n");
  fflush(stdout);
  getchar();
}
)";

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mcmini-symbolizer-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = pattern;
    write("telltale.h", kTelltale);
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  void run(const std::string& command) const {
    if (std::system(("cd '" + path_.string() + "' && " + command).c_str()) != 0)
      throw std::runtime_error("failed: " + command);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// What a program said about one of its addresses.
struct Claim {
  std::string kind;
  std::uint64_t address = 0;
  int line = 0;
  std::string name;
};

/// A program that has made its claims and waits for its end, which is ours.
class WaitingProgram {
 public:
  explicit WaitingProgram(const std::filesystem::path& file) {
    int in[2];
    int out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    process_ = fork();
    if (process_ == 0) {
      alarm(20);
      dup2(in[0], 0);
      dup2(out[1], 1);
      if (chdir(file.parent_path().c_str()) == 0) execl(file.c_str(), file.c_str(), nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    keepsWaiting_ = in[1];
    readClaims(out[0]);
    close(out[0]);
  }
  ~WaitingProgram() {
    close(keepsWaiting_);
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  WaitingProgram(const WaitingProgram&) = delete;
  WaitingProgram& operator=(const WaitingProgram&) = delete;

  pid_t process() const { return process_; }
  const std::vector<Claim>& claims() const { return claims_; }
  const Claim& claim(const std::string& name) const {
    auto found = std::ranges::find(claims_, name, &Claim::name);
    if (found == claims_.end()) throw std::runtime_error("the program says nothing of " + name);
    return *found;
  }

 private:
  void readClaims(int pipe) {
    std::string text;
    char buffer[4096];
    while (text.find("ready 0") == std::string::npos) {
      ssize_t count = read(pipe, buffer, sizeof buffer);
      if (count <= 0) return;
      text.append(buffer, static_cast<std::size_t>(count));
    }
    std::istringstream lines(text);
    Claim claim;
    while (lines >> claim.kind >> std::hex >> claim.address >> std::dec >> claim.line &&
           std::getline(lines >> std::ws, claim.name) && claim.kind != "ready")
      claims_.push_back(claim);
  }

  pid_t process_ = -1;
  int keepsWaiting_ = -1;
  std::vector<Claim> claims_;
};

/// What snapshot(file) has written.
inline StackImage readImage(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  StackImage image;
  constexpr std::size_t kHead = sizeof image.registers + sizeof image.address;
  if (text.size() <= kHead) throw std::runtime_error(file.string() + " is no image of a stack");
  std::memcpy(image.registers.data(), text.data(), sizeof image.registers);
  std::memcpy(&image.address, text.data() + sizeof image.registers, sizeof image.address);
  image.bytes.resize(text.size() - kHead);
  std::memcpy(image.bytes.data(), text.data() + kHead, image.bytes.size());
  return image;
}

struct Compiler {
  std::string c;
  std::string cxx;
};

/// The configured one, and gcc and clang where they are installed.
inline std::vector<Compiler> compilers() {
  std::vector<Compiler> found = {{MCMINI_TEST_CC, MCMINI_TEST_CXX}};
  for (const Compiler& other : {Compiler{"gcc", "g++"}, Compiler{"clang", "clang++"}}) {
    std::string isInstalled = "command -v " + other.c + " " + other.cxx + " >/dev/null 2>&1";
    std::string isTheSame = "test \"$(readlink -f $(command -v " + other.c +
                            "))\" = \"$(readlink -f $(command -v " MCMINI_TEST_CC "))\"";
    if (std::system(isInstalled.c_str()) == 0 && std::system(isTheSame.c_str()) != 0) found.push_back(other);
  }
  return found;
}

}  // namespace mcmini
