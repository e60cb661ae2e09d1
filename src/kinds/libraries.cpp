// The tables of libraries and packages, indexed by soname.
#include "kinds/libraries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

std::string directory_below_prefix(std::string_view directory) {
  constexpr std::string_view kPrefix = "<prefix>/";
  if (directory.starts_with(kPrefix)) return std::string(directory.substr(kPrefix.size()));
  return fmt::format("{}/{}", kSitePackages, directory);
}

namespace {

Provider provider_of(const Json& row) {
  Provider provider;
  provider.soname = row["soname"].as_string();
  provider.package = normalize_name(row["package"].as_string());
  provider.directories.push_back(directory_below_prefix(row["directory"].as_string()));
  for (const std::string& also : row["also"].strings()) {
    provider.directories.push_back(directory_below_prefix(also));
  }
  provider.extra = row["extra"].as_string();
  provider.train = static_cast<int>(row["train"].as_int());
  provider.only_declared = row["only_declared"].as_bool();
  provider.of_cuda = row["of_cuda"].as_bool();
  provider.tells_release = row["tells_release"].as_bool();
  provider.major = static_cast<int>(row["major"].as_int());
  return provider;
}

bool is_glob(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

}  // namespace

Libraries::Libraries(const std::vector<const Json*>& providers, const Json& driver,
                     const Json& optional, const Json& brings)
    : driver_(driver["libraries"].strings()),
      driver_versioned_(driver["versioned"].strings()),
      brings_(&brings),
      train_chooser_(brings["chooses_train"].as_string()) {
  for (const Json* table : providers) {
    for (const Json& row : (*table)["libraries"].items()) {
      providers_.push_back(provider_of(row));
      // Builds of one project under other names install the same files.
      for (const std::string& other :
           (*table)["alternatives"][providers_.back().package].strings()) {
        providers_.push_back(provider_of(row));
        providers_.back().package = normalize_name(other);
      }
    }
  }
  for (std::size_t i = 0; i < providers_.size(); ++i) {
    if (is_glob(providers_[i].soname)) {
      globs_.push_back(i);
    } else {
      by_soname_[providers_[i].soname].push_back(i);
    }
  }
  for (const Json& row : optional["libraries"].items()) {
    optional_.emplace_back(row["soname"].as_string(), row["runtime"].as_string());
  }
}

std::shared_ptr<const Libraries> Libraries::of(Params& params) {
  const std::vector<const Json*> providers = params.tables("providers");
  const Json& driver = params.table_if_named("driver");
  const Json& optional = params.table_if_named("optional");
  const Json& brings = params.table_if_named("brings");
  Memo::Key key(providers.begin(), providers.end());
  for (const Json* table : {&driver, &optional, &brings}) key.push_back(table);
  return params.shared<Libraries>(std::move(key),
                                  [&] { return Libraries(providers, driver, optional, brings); });
}

std::vector<Provider> Libraries::providers(std::string_view soname,
                                           const Expectations& expect) const {
  std::vector<Provider> found;
  const auto own = expect.provides.find(std::string(soname));
  if (own != expect.provides.end()) {
    Provider& provider = found.emplace_back();
    provider.soname = own->first;
    provider.package = normalize_name(own->second);
  }
  std::vector<std::size_t> rows;
  const auto named = by_soname_.find(soname);
  if (named != by_soname_.end()) rows = named->second;
  for (const std::size_t row : globs_) {
    if (glob_match(providers_[row].soname, soname)) rows.push_back(row);
  }
  std::ranges::sort(rows);  // the tables' own order: the first of equals is preferred
  for (const std::size_t row : rows) found.push_back(providers_[row]);
  return found;
}

bool Libraries::is_driver(std::string_view soname) const { return matches_any(driver_, soname); }

std::string Libraries::optional_runtime(std::string_view soname) const {
  for (const auto& [glob, runtime] : optional_) {
    if (glob_match(glob, soname)) return runtime;
  }
  return {};
}

std::vector<std::string> Libraries::brought_by(const Requirement& requirement) const {
  const Json& packages = (*brings_)["packages"];
  std::vector<std::string> brought = packages[requirement.name].strings();
  for (const std::string& extra : requirement.extras) {
    for (std::string& name : packages[requirement.name + "[" + extra + "]"].strings())
      brought.push_back(std::move(name));
  }
  return brought;
}

std::vector<std::string> Libraries::versioned_forms(std::string_view soname, int train) const {
  if (!soname.ends_with(".so")) return {};
  const std::string prefix = std::string(soname) + ".";
  std::set<std::string> all;
  std::set<std::string> of_train;
  for (const Provider& provider : providers_) {
    if (!provider.nvidia() || !provider.soname.starts_with(prefix)) continue;
    all.insert(provider.soname);
    if (provider.train == train) of_train.insert(provider.soname);
  }
  for (const std::string& name : driver_versioned_) {
    if (name.starts_with(prefix)) all.insert(name);
  }
  const std::set<std::string>& forms = of_train.empty() ? all : of_train;
  return {forms.begin(), forms.end()};
}

}  // namespace wheel_audit
