// An exception that nobody catches, in a thread or in main.
#include <stdexcept>
#include <thread>

namespace {

void parse(int number) {
  if (number > 0) throw std::invalid_argument("no such number");  // HERE parse
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) parse(1);
  std::thread(parse, 1).join();
}
