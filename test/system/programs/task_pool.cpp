// Two workers take tasks from a queue; main waits for the results, which futures hand on by atomic variables.
#include <condition_variable>
#include <future>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
 public:
  Pool() : first_([this] { work(); }), second_([this] { work(); }) {}
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    first_.join();
    second_.join();
  }

  std::future<int> add(int number) {
    std::packaged_task<int()> task([number] { return number; });
    std::future<int> result = task.get_future();
    {
      std::lock_guard lock(mutex_);
      tasks_.push(std::move(task));
    }
    changed_.notify_one();
    return result;
  }

 private:
  void work() {
    while (true) {
      std::packaged_task<int()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return over_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::packaged_task<int()>> tasks_;
  bool over_ = false;
  std::thread first_;
  std::thread second_;
};

int main() {
  Pool pool;
  std::future<int> one = pool.add(1);
  std::future<int> two = pool.add(2);
  return one.get() + two.get() - 3;
}
