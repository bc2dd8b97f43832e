#include "core/report/plain_name.hpp"

#include <catch2/catch.hpp>

#include "core/report/system_code.hpp"

namespace mcmini {

TEST_CASE("a symbol is reduced to what its author wrote", "[plain_name]") {
  CHECK(plainName("main") == "main");
  CHECK(plainName("work.constprop.0") == "work");
  CHECK(plainName("stdout@GLIBC_2.2.5") == "stdout");
  CHECK(plainName("_ZN4Pool4workEi") == "Pool::work");
  CHECK(plainName("_ZN4Pool4workEi.cold") == "Pool::work");
  CHECK(plainName("_ZN12_GLOBAL__N_16secretEv") == "secret");
  CHECK(plainName("_ZN4PoolC4Ev") == "Pool::Pool");
  CHECK(plainName("_ZN4PoolD0Ev") == "Pool::~Pool");
  CHECK(plainName("_ZZ4mainENKUlvE_clEv") == "main::{lambda}");
  CHECK(plainName("_ZZ4mainENK3$_0clEv") == "main::{lambda}");
  CHECK(plainName("_ZZ4mainE7counter") == "main::counter");
  CHECK(withoutClutter("std::vector<int> const& Pool::find<int, (1 > 0)>(int (*)(char)) const") ==
        "Pool::find");
  CHECK(withoutClutter("Pool::run() const::{lambda(int)#2}::operator()(int) const") == "Pool::run::{lambda}");
  CHECK(withoutClutter("std::ostream& app::operator<< <int>(std::ostream&, int)") == "app::operator<<");
  CHECK(withoutClutter("Gate::operator bool() const") == "Gate::operator bool");
  CHECK(withoutClutter("Gate::operator()(int)") == "Gate::operator()");
  CHECK(withoutClutter("Gate::operator->() const") == "Gate::operator->");
  CHECK(withoutClutter("std::string name[abi:cxx11](int)") == "name");
  CHECK(withoutClutter("").empty());
}

TEST_CASE("headers of the compiler and of the C library are not the user's", "[plain_name]") {
  CHECK(isSystemFile("/usr/include/c++/12/bits/std_mutex.h"));
  CHECK(isSystemFile("/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/mutex"));
  CHECK(isSystemFile("/usr/lib/llvm-14/lib/clang/14.0.6/include/stddef.h"));
  CHECK(isSystemFile("/opt/gcc/include/c++/13/thread"));
  CHECK_FALSE(isSystemFile("/home/me/include/pool.hpp"));
  CHECK_FALSE(isSystemFile("/home/me/bits/main.c"));
}

}  // namespace mcmini
