// Judges one need that the loader model leaves open, with the tables and the requirements.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "kinds/needs.hpp"
#include "wheel_audit/names.hpp"

namespace wheel_audit {

/// Judges the needs of one wheel; what they all ask is found out once.
class NeedJudge {
 public:
  NeedJudge(const Subject& subject, const Libraries& libraries, const Platforms& platforms);

  /// Works out the entries that the loader walks for needs of the edge's file.
  using Path = std::function<std::shared_ptr<const std::vector<AppliedEntry>>()>;
  Need judge(const Edge& edge, const Path& path) const;

 private:
  static Need with(Need& need, NeedState state);

  void note_users();

  /// Whether an object is loaded for its own sake alone: nothing in the wheel needs it, or only
  /// such objects that want the same kind of runtime themselves (torchcodec's pairs).
  bool is_plugin(const Placed* object) const;

  /// Promised by every tag; `lacking` names the first that does not where some other does.
  bool is_promised(const std::string& name, std::string& lacking) const;

  /// Shipped by this wheel or a given one, and not reached.
  bool find_in_site(Need& need) const;

  /// The member of a needed name that is not among the libraries that could be read, or nothing.
  const MemberFacts* file_named(std::string_view name) const;

  /// Whether a member, or what an ELF file has for the loader, could not be read.
  bool is_unread(const MemberFacts& member) const;

  /// Shipped by a given wheel: what it really installs beats what a table says.
  void judge_given(Need& need, const Placed& file) const;

  /// Whether a library that a given wheel's file met comes with the machine, or with the package
  /// of that wheel by a requirement.
  bool is_declared_or_promised(const Need& need, const Placed& file) const;

  /// An entry leads to a directory that has the name of a requirement of unknown content.
  bool find_owner_by_name(Need& need) const;

  /// A package of the tables ships it.
  bool find_provider(Need& need) const;

  /// Sets what becomes of a need whose provider is known: `applies` is when the wheel's own
  /// requirements bring it.
  void judge_declared(Need& need, const std::vector<Provider>& candidates,
                      const std::optional<Applies>& applies) const;

  /// A requirement for a package whose own requirements bring the provider's (cuDNN and cuBLAS).
  bool find_bringer(Need& need, const std::vector<Provider>& candidates, int best) const;

  /// torch declares the NVIDIA packages of its own train.
  void judge_by_torch(Need& need) const;

  static bool leads_to_provider(const SearchEntry& entry, const Provider& provider);

  /// Of several packages that ship it, the one of the wheel's train.
  Provider preferred(const std::vector<Provider>& candidates) const;

  /// The one train that the wheel's needs tell, or 0: cuDNN's name is the same on all of them.
  int told_train() const;

  int train_ = 0;  ///< CUDA major of the wheel, by its claim or by what it needs
  const Subject& subject_;
  const Libraries& libraries_;
  const Platforms& platforms_;
  /// How torch comes along, by a requirement or by needs for its libraries; nothing where it does
  /// not, or is pinned to a build without CUDA.
  std::optional<Applies> torch_;
  std::set<const Placed*> roots_;
  NameMap<std::vector<const ElfFacts*>> users_;       ///< by needed name
  std::unordered_set<const ElfFacts*> lone_plugins_;  ///< roots that want an optional runtime
  /// The first member of each file name that is not among the libraries that could be read.
  NameMap<const MemberFacts*> other_files_;
};

}  // namespace wheel_audit
