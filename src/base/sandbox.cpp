// The seccomp filter of threads that read and judge. Calls are denied by list: what a C library
// needs changes with its version, and what no reader may do does not.
#include "wheel_audit/sandbox.hpp"

#include <cerrno>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    __has_include(<linux/seccomp.h>)
#define WHEEL_AUDIT_HAS_SECCOMP 1
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>
#endif

namespace wheel_audit {

#ifdef WHEEL_AUDIT_HAS_SECCOMP

namespace {

#ifdef __x86_64__
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#endif

/// Calls that later kernels have than the headers of the oldest system that this is built on. They
/// have one number on every machine.
constexpr std::uint32_t kOpenTree = 428;
constexpr std::uint32_t kMoveMount = 429;
constexpr std::uint32_t kFsOpen = 430;
constexpr std::uint32_t kFsConfig = 431;
constexpr std::uint32_t kFsMount = 432;
constexpr std::uint32_t kFsPick = 433;
constexpr std::uint32_t kPidfdOpen = 434;
constexpr std::uint32_t kClone3 = 435;
constexpr std::uint32_t kOpenat2 = 437;
constexpr std::uint32_t kPidfdGetfd = 438;
constexpr std::uint32_t kProcessMadvise = 440;
constexpr std::uint32_t kMountSetattr = 442;
constexpr std::uint32_t kMemfdSecret = 447;
constexpr std::uint32_t kFchmodat2 = 452;
constexpr std::uint32_t kSetxattrat = 463;
constexpr std::uint32_t kRemovexattrat = 466;

/// Calls that no reader makes, on every machine and on x86-64.
constexpr std::uint32_t kDenied[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mkdirat,
    SYS_mknodat,
    SYS_fchmodat,
    SYS_fchmod,
    SYS_fchownat,
    SYS_fchown,
    SYS_truncate,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_init_module,
    SYS_finit_module,
    SYS_kexec_load,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_memfd_create,
    SYS_userfaultfd,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_inotify_init1,
    SYS_pidfd_send_signal,
    SYS_kill,
    SYS_setuid,
    SYS_setgid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_io_setup,
    SYS_io_submit,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_shmget,
    SYS_semget,
    SYS_msgget,
    SYS_acct,
    SYS_quotactl,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_personality,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_tkill,
    kOpenTree,
    kMoveMount,
    kFsOpen,
    kFsConfig,
    kFsMount,
    kFsPick,
    kPidfdOpen,
    kPidfdGetfd,
    kProcessMadvise,
    kMountSetattr,
    kMemfdSecret,
    kFchmodat2,
    kSetxattrat,
    kRemovexattrat,
#ifdef __x86_64__
    SYS_creat,
    SYS_unlink,
    SYS_rename,
    SYS_renameat,
    SYS_link,
    SYS_symlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_fork,
    SYS_vfork,
#endif
};

/// Calls whose arguments lie in memory, where a filter cannot see them. ENOSYS makes the C library
/// take the older call, which it can judge.
constexpr std::uint32_t kUnseen[] = {kClone3, kOpenat2};

constexpr std::uint32_t kWrites = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

/// A BPF program over `seccomp_data`.
class Program {
 public:
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0);
  }
  /// The low half of an argument, which holds every flag that is asked about.
  void load_argument(std::size_t index) {
    load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
  }
  void answer(std::uint32_t what) { add(BPF_RET | BPF_K, what, 0, 0); }
  void answer_if_equal(std::uint32_t value, std::uint32_t what) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(what);
  }
  /// For one call: allowed where an argument has the value, else an answer.
  void answer_unless_equal(std::uint32_t call, std::size_t argument, std::uint32_t value,
                           std::uint32_t otherwise) {
    add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    answer(otherwise);
    answer(SECCOMP_RET_ALLOW);
  }
  /// For one call: an answer by whether any of the bits is set in an argument.
  void answer_by_bits(std::uint32_t call, std::size_t argument, std::uint32_t bits,
                      std::uint32_t if_set, std::uint32_t if_clear) {
    add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(if_set);
    answer(if_clear);
  }
  std::vector<sock_filter>& code() { return code_; }

 private:
  void add(int code, std::uint32_t k, std::uint8_t if_true, std::uint8_t if_false) {
    code_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, k});
  }
  std::vector<sock_filter> code_;
};

constexpr std::uint32_t failing(int error) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

Program filter() {
  constexpr std::uint32_t kRefused = failing(EPERM);
  Program program;
  program.load(offsetof(seccomp_data, arch));
  // Another machine's numbers mean other calls (32-bit ones on x86-64): none of them.
  program.code().push_back({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kMachine});
  program.answer(kRefused);
  program.load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  constexpr std::uint32_t kX32 = 0x40000000;  // __X32_SYSCALL_BIT: the same calls by other numbers
  program.code().push_back({BPF_JMP | BPF_JGE | BPF_K, 0, 1, kX32});
  program.answer(kRefused);
#endif
  for (const std::uint32_t call : kUnseen) program.answer_if_equal(call, failing(ENOSYS));
  for (const std::uint32_t call : kDenied) program.answer_if_equal(call, kRefused);
  // abort() signals its own thread; no other process is signalled.
  program.answer_unless_equal(SYS_tgkill, 0, static_cast<std::uint32_t>(getpid()), kRefused);
  program.answer_by_bits(SYS_clone, 0, CLONE_THREAD, SECCOMP_RET_ALLOW, kRefused);
  program.answer_by_bits(SYS_openat, 2, kWrites, kRefused, SECCOMP_RET_ALLOW);
#ifdef __x86_64__
  program.answer_by_bits(SYS_open, 1, kWrites, kRefused, SECCOMP_RET_ALLOW);
#endif
  program.answer(SECCOMP_RET_ALLOW);
  return program;
}

}  // namespace

int confine_thread() {
  static Program program = filter();
  sock_fprog loaded{static_cast<unsigned short>(program.code().size()), program.code().data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &loaded) == 0 ? 0 : errno;
}

#else

int confine_thread() { return ENOSYS; }

#endif

}  // namespace wheel_audit
