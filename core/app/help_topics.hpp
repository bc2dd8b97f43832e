#pragma once

#include <span>
#include <string_view>

namespace mcmini {

/// Something that `mcmini help` explains, on a screen of 80 columns.
struct HelpTopic {
  std::string_view name;
  std::string_view summary;
  std::string_view text;
};

std::span<const HelpTopic> helpTopics();

}  // namespace mcmini
