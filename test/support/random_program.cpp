#include "test/support/random_program.hpp"

#include <functional>
#include <random>

#include "test/support/annotations.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {

namespace {

class ProgramGenerator {
 public:
  ProgramGenerator(std::uint64_t seed, const Ingredients& ingredients) : random_(seed) {
    if (ingredients.locks) pieces_.insert(pieces_.end(), {section(), nested(), attempt(), attempt()});
    if (ingredients.variables) pieces_.insert(pieces_.end(), {access(), access(), decision(), decision()});
    if (ingredients.semaphores) pieces_.insert(pieces_.end(), {signal(), signal(), timed()});
    if (ingredients.trouble) pieces_.insert(pieces_.end(), {trouble(), trouble()});
    if (ingredients.exits) pieces_.push_back([this] { return maybe(6, exitWith(below(2))); });
    if (ingredients.choices) pieces_.insert(pieces_.end(), {choice(), choice()});
    if (ingredients.assumptions) pieces_.push_back(assumption());
    if (ingredients.sections) pieces_.insert(pieces_.end(), {atomicSection(), atomicSection()});
    data_ = ingredients.data;
    if (data_ != Data::None)
      pieces_.insert(pieces_.end(), {datum(), datum(), guarded(), guarded(), published(), published()});
    threads_ = ingredients.threads;
  }

  Program program() {
    std::size_t workers = 2 + below<std::size_t>(3);
    std::vector<std::size_t> late;
    Program program{{Script{}}, 0, data_ == Data::Plain};
    if (below(2) == 0) program.threads[0] += post('s');
    for (std::size_t i = 1; i <= workers; ++i) {
      program.threads.push_back(thread(workers));
      bool byAnother = threads_ && i > 1 && below(4) == 0;
      if (byAnother) late.push_back(i);
      if (!byAnother) program.threads[0] += create(i);
    }
    for (std::size_t place : late) adopt(program, place);
    if (threads_ && below(4) == 0) program.threads[0] += Script{join(0), read('x'), unless(0, write('y', 5))};
    if (data_ != Data::None && below(3) == 0) program.threads[0] += Script{maybe(2, data()), join(0), data()};
    return program;
  }

 private:
  using Piece = std::function<Script()>;
  using Data = Ingredients::Data;

  template <class Number = int>
  Number below(Number bound) {
    return static_cast<Number>(random_() % static_cast<std::uint64_t>(bound));
  }
  std::uint64_t variable() { return below(2) == 0 ? 'x' : 'y'; }
  std::uint64_t mutex() { return below(2) == 0 ? 'm' : 'n'; }
  static std::uint64_t otherThan(std::uint64_t mutex) { return mutex == 'm' ? 'n' : 'm'; }

  Script thread(std::size_t workers) {
    Script script;
    int length = 1 + below(workers > 3 ? 2 : 3);
    for (int i = 0; i < length; ++i) script += pieces_[below(pieces_.size())]();
    return script;
  }

  /// The thread is started by a worker that comes before it, at the end or the beginning of what that does.
  void adopt(Program& program, std::size_t place) {
    Script& parent = program.threads[1 + below(place - 1)];
    parent = below(2) == 0 ? Script{create(place), parent} : Script{parent, create(place)};
    if (below(3) == 0) parent += join(0);
  }

  Script maybe(int oneIn, const Script& script) { return below(oneIn) == 0 ? script : Script{}; }

  Script failure() { return fail("number " + std::to_string(++failures_)); }

  Script setData(std::uint64_t variable, int value) const {
    return data_ == Data::Plain ? store(variable, value) : write(variable, static_cast<std::uint64_t>(value));
  }
  Script lookAtData(std::uint64_t variable, int value, const Script& then) const {
    return data_ == Data::Plain ? whenHolds(variable, value, then)
                                : Script{read(variable), when(value, then)};
  }
  /// An access to one of the data.
  Script data() {
    std::uint64_t variable = below(2) == 0 ? 'p' : 'q';
    int value = below(2);
    Script consequence = below(3) == 0 ? post('s') : Script{};
    return below(2) == 0 ? setData(variable, 1 + value) : lookAtData(variable, value, consequence);
  }
  Piece datum() {
    return [this] { return maybe(2, data()); };
  }
  Piece guarded() {
    return [this] {
      std::uint64_t m = below(4) == 0 ? 'n' : 'm';
      return Script{lock(m), data(), unlock(m)};
    };
  }
  /// Whoever sees that it is there uses it.
  Piece published() {
    return [this]() -> Script {
      Script use = data();
      switch (below(4)) {
        case 0:
          return {use, post('s')};
        case 1:
          return {wait('s'), use};
        case 2:
          return {use, write('x', 1)};
        default:
          return {read('x'), when(1, use)};
      }
    };
  }

  Piece section() {
    return [this] {
      std::uint64_t m = mutex();
      return Script{lock(m), write(variable(), 1), unlock(m)};
    };
  }
  Piece nested() {
    return [this] {
      std::uint64_t outer = mutex();
      std::uint64_t inner = otherThan(outer);
      return Script{lock(outer), lock(inner), unlock(inner), unlock(outer)};
    };
  }
  Piece attempt() {
    return [this] {
      std::uint64_t m = mutex();
      return Script{trylock(m), when(0, {write('x', 7), unlock(m)}, maybe(3, write('y', 8)))};
    };
  }
  Piece access() {
    return [this] {
      std::uint64_t value = below<std::uint64_t>(4);
      return value < 2 ? read(variable()) : write(variable(), value - 1);
    };
  }
  Piece decision() {
    return [this] {
      Script consequence = below(2) == 0 ? write('x', 2) : Script{trylock('m'), when(0, unlock('m'))};
      return below(2) == 0 ? Script{read(variable()), unless(0, consequence)}
                           : Script{read(variable()), when(1, consequence, read('y'))};
    };
  }
  Piece signal() {
    return [this] { return below(2) == 0 ? post('s') : wait('s'); };
  }
  Piece timed() {
    return [] { return Script{timedwait('s'), when(0, write('x', 3))}; };
  }
  Piece choice() {
    return [this]() -> Script {
      switch (below(4)) {
        case 0:
          return {choose(2), when(1, access()())};
        case 1:
          return {choose(2), writeSum(variable(), 1)};
        case 2:
          return {read(variable()), unless(0, choose(2))};
        default:
          return {choose(3), when(0, section()(), attempt()()), maybe(3, choose(2))};
      }
    };
  }
  Piece assumption() {
    return [this]() -> Script {
      return below(2) == 0 ? Script{read(variable()), when(1, assumeFalse())}
                           : Script{choose(2), when(below(2), assumeFalse())};
    };
  }
  Piece atomicSection() {
    return [this]() -> Script {
      Script inside = below(2) == 0   ? Script{access()(), access()()}
                      : below(2) == 0 ? Script{read(variable()), writeSum(variable(), 1)}
                                      : pieces_[below(pieces_.size())]();
      if (below(8) == 0) inside = {atomicBegin(), inside, atomicEnd()};
      return {atomicBegin(), inside, below(12) == 0 ? Script{} : atomicEnd()};
    };
  }
  Piece trouble() {
    return [this]() -> Script {
      switch (below(7)) {
        case 0:
          return {read(variable()), unless(0, crash())};
        case 1:
          return {read(variable()), when(2, failure())};
        case 2:
          return {trylock('m'), when(0, unlock('m'), crash())};
        case 3:
          return {lock('n'), write('y', 4), maybe(2, crash()), unlock('n')};
        case 4:
          return {timedwait('s'), when(0, failure())};
        case 5:
          return maybe(4, crash());
        default:
          return use(variable());
      }
    };
  }

  std::mt19937_64 random_;
  std::vector<Piece> pieces_;
  bool threads_ = false;
  Data data_ = Data::None;
  int failures_ = 0;
};

}  // namespace

Program randomProgram(std::uint64_t seed, const Ingredients& ingredients) {
  return ProgramGenerator(seed, ingredients).program();
}

}  // namespace mcmini
