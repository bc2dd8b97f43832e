#include "core/report/system_code.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>

namespace mcmini {
namespace {

constexpr std::string_view kDirectories[] = {"/usr/include/",  "/usr/lib/gcc",   "/usr/lib/llvm",
                                             "/usr/lib/clang", "/usr/lib64/gcc", "/usr/lib64/clang",
                                             "bits/"};

constexpr std::string_view kModules[] = {"libc.so", "libc-",      "libm.so",   "librt.so", "libdl.so",
                                         "ld-",     "libpthread", "libstdc++", "libc++",   "libgcc_s",
                                         "libasan", "libtsan",    "libubsan"};

bool startsWithOneOf(std::span<const std::string_view> beginnings, std::string_view text) {
  return std::ranges::any_of(beginnings, [text](std::string_view begin) { return text.starts_with(begin); });
}

}  // namespace

bool isSystemFile(std::string_view path) {
  std::string normal = std::filesystem::path(path).lexically_normal().string();
  return startsWithOneOf(kDirectories, normal) || normal.find("/include/c++/") != std::string::npos;
}

bool isRuntimeModule(std::string_view fileName) {
  return startsWithOneOf(kModules, fileName);
}

}  // namespace mcmini
