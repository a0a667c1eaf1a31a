// `Refuse CALL ERROR PROGRAM [ARGUMENT…]` runs a program for which the kernel refuses one system call, as an old kernel
// (ENOSYS) and some sandboxes (EPERM) do: by a filter of seccomp(2), which its children inherit. Needs no rights.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#error "add the machine's AUDIT_ARCH"
#endif

static const struct {
  const char *name;
  unsigned number;
} calls[] = {
    {"epoll_pwait2", SYS_epoll_pwait2},
    {"inotify_add_watch", SYS_inotify_add_watch},
    {"inotify_init1", SYS_inotify_init1},
    {"memfd_create", SYS_memfd_create},
    {"pidfd_open", SYS_pidfd_open},
    {"timerfd_create", SYS_timerfd_create},
};

static int usage(void) {
  fputs("usage: Refuse CALL ENOSYS|EPERM PROGRAM [ARGUMENT...], where CALL is one of", stderr);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) fprintf(stderr, " %s", calls[i].name);
  fputc('\n', stderr);
  return 125;
}

int main(int argc, char **argv) {
  if (argc < 4) return usage();
  unsigned number = 0;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (strcmp(argv[1], calls[i].name) == 0) number = calls[i].number;
  }
  unsigned error = strcmp(argv[2], "ENOSYS") == 0 ? ENOSYS : strcmp(argv[2], "EPERM") == 0 ? EPERM : 0;
  if (number == 0 || error == 0) return usage();

  struct sock_filter steps[] = {
      // Another machine's calls have other numbers.
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {.len = sizeof steps / sizeof *steps, .filter = steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    perror("Refuse: the filter cannot be installed");
    return 125;
  }
  execvp(argv[3], argv + 3);
  perror(argv[3]);
  return 125;
}
