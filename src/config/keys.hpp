// The forms of configuration values.
#pragma once

#include "config/toml.hpp"
#include "wheel_audit/config.hpp"

namespace wheel_audit::detail {

/// Where values are read: errors begin with the place of the value.
struct Source {
  const toml_text::Document& document;
  std::string file;
  std::string folder;  ///< relative paths begin here; empty: the working directory

  Error error(const std::string& path, const std::string& what) const;
};

/// The value in its key's form, or what is wrong with it.
Result<Json> read_value(const Source& source, const ConfigKey& key, const Json& value);

}  // namespace wheel_audit::detail
