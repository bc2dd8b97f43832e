// The program's own operators new and delete, of which the sized ones are the library's.
//   both     new puts a header before each object
//   arrays   the same for arrays
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <thread>

namespace {

struct alignas(16) Header {
  const Header* self;
};

std::mutex mutex;

struct Object {
  int numbers[10];
  ~Object() { numbers[0] = 0; }
};

void use(bool arrays) {
  std::lock_guard<std::mutex> guard(mutex);
  Object* volatile object = arrays ? new Object[3] : new Object;
  if (arrays)
    delete[] object;
  else
    delete object;
}

}  // namespace

void* operator new(std::size_t size) {
  auto* header = static_cast<Header*>(std::malloc(size + sizeof(Header)));
  if (header == nullptr) throw std::bad_alloc();
  header->self = header;
  return header + 1;
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  Header* header = static_cast<Header*>(memory) - 1;
  assert(header->self == header);
  std::free(header);
}

int main(int argc, char** argv) {
  const bool arrays = argc > 1 && std::string(argv[1]) == "arrays";
  std::thread thread([arrays] { use(arrays); });
  use(arrays);
  thread.join();
}
