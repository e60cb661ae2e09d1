// What a map of files cannot say about an archive: the operations of a recipe's "archive" list.
#pragma once

#include "forge/fields.hpp"
#include "forge/zip_writer.hpp"

namespace wheel_audit::forge {

/// Whether an operation changes what RECORD has to list, so that it must run before RECORD is made.
bool runs_before_record(const Json& operation);

/// Applies one operation of the list; `place` is its name in messages.
Result<void> apply_operation(const Json& operation, const std::string& place, ZipPlan& plan,
                             Build& build);

}  // namespace wheel_audit::forge
