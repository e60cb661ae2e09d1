// Computes a value once for equal keys, whatever its type: what several rules ask is worked out by
// the first.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <utility>
#include <vector>

namespace wheel_audit {

/// Values by type and by the addresses that they were computed from (tables, other values). Several
/// threads may ask at once: one computes, the others wait.
class Memo {
 public:
  /// Addresses of what outlives the memo.
  using Key = std::vector<const void*>;

  /// The value for `key`; `make` computes it the first time.
  template <typename T, typename Make>
  std::shared_ptr<const T> get(Key key, Make make) {
    const std::scoped_lock lock(mutex_);
    const std::pair place(std::type_index(typeid(T)), std::move(key));
    const auto found = values_.find(place);
    if (found != values_.end()) return std::static_pointer_cast<const T>(found->second);
    auto value = std::make_shared<const T>(make());
    values_.emplace(place, value);
    return value;
  }

 private:
  std::recursive_mutex mutex_;  ///< recursive: `make` may ask for another value
  std::map<std::pair<std::type_index, Key>, std::shared_ptr<const void>> values_;
};

}  // namespace wheel_audit
