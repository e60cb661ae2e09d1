// What a recipe writes short: long lists and texts, counted instead of written out.
#pragma once

#include "wheel_audit/json.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit::forge {

/// The recipe with each `{"times": N, "text": "f{n}"}` written out: as N items where it is the item
/// of a list, as one text anywhere else. `{n}` is the number of the copy, from 0. `{"join": […]}`
/// is one text of several.
Result<Json> expanded(const Json& recipe);

}  // namespace wheel_audit::forge
