// The same deadlock as in ab_ba.c, in C++: lock_guard takes care that a lock is given back, but not of the
// order in which locks are taken. std::scoped_lock(from, to) in the place of the two guards cures it.
//   mcmini ab_ba_std
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 100;
};

Account checking;
Account savings;

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard<std::mutex> source(from.mutex);
  std::lock_guard<std::mutex> destination(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

}  // namespace

int main() {
  std::thread saver([] { transfer(checking, savings, 10); });
  std::thread spender([] { transfer(savings, checking, 20); });
  saver.join();
  spender.join();
}
