// An operator delete of the program's own, for what the library's new makes.
#include <cassert>
#include <cstdlib>

namespace {

int deleted;

struct Object {
  int numbers[10];
};

}  // namespace

void operator delete(void* memory) noexcept {
  ++deleted;
  std::free(memory);
}

int main() {
  Object* volatile object = new Object;
  delete object;
  Object* volatile objects = new Object[3];
  delete[] objects;
  assert(deleted == 2);
}
