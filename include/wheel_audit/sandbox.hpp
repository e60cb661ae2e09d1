// Takes from a thread what reading wheels does not need.
#pragma once

namespace wheel_audit {

/// Confines the calling thread, and the threads that it starts, by a seccomp filter: running
/// programs, new processes, sockets, tracing, opening for writing and changing files fail with
/// EPERM from then on, for good. Nothing that reading and judging does is among them: it guards
/// against a fault in a decoder that a strange file reaches. 0, or the errno where the system has
/// no such filter (ENOSYS: not Linux, or another machine than x86-64 and aarch64; else what
/// prctl(2) said, which a container may forbid): the thread stays as it was.
int confine_thread();

}  // namespace wheel_audit
