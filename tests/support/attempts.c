/*
 * Tries what a process in a sandbox must not do, and prints a line for each attempt that succeeds.
 * attempts SECTIONS VICTIM FILE FOLDER [FILTER]: letters of sections; a process, a file and a folder of others; and a filter of system
 * calls that it installs first, and nothing else, as where Landlock does not restrict signals.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define TRY(name, succeeds) do { errno = 0; if (succeeds) { puts(name); fflush(stdout); } } while (0)
#define DONE(result) ((result) != -1)

static int victim;
static const char *file, *folder;

/* Signals of a pipe's end that is owned by the victim: `own` sets the owner. */
static int pair[2];
static int owned(int result) {
  if (result == -1) return 0;
  fcntl(pair[0], F_SETSIG, SIGKILL);
  fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  return DONE(write(pair[1], "x", 1));
}

static void signals(void) {
  struct f_owner_ex owner = { F_OWNER_PID, victim };
  siginfo_t info = { .si_signo = SIGKILL, .si_code = SI_QUEUE };
  TRY("F_SETOWN", owned(fcntl(pair[0], F_SETOWN, victim)));
  TRY("F_SETOWN_EX", owned(fcntl(pair[0], F_SETOWN_EX, &owner)));
  TRY("FIOSETOWN", owned(ioctl(pair[0], FIOSETOWN, &victim)));
  TRY("SIOCSPGRP", owned(ioctl(pair[0], SIOCSPGRP, &victim)));
  /* Linux reads only the low half of a request. */
  TRY("FIOSETOWN in the high half", owned(syscall(SYS_ioctl, pair[0], 0xffffffff00000000ul | FIOSETOWN, &victim)));
  TRY("F_SETOWN in the high half", owned(syscall(SYS_fcntl, pair[0], 0xffffffff00000000ul | F_SETOWN, victim)));
  TRY("F_SETSIG", DONE(fcntl(pair[0], F_SETSIG, SIGKILL)));
  TRY("kill", DONE(kill(victim, SIGKILL)));
  TRY("tkill", DONE(syscall(SYS_tkill, victim, SIGKILL)));
  TRY("tgkill", DONE(syscall(SYS_tgkill, victim, victim, SIGKILL)));
  TRY("rt_sigqueueinfo", DONE(syscall(SYS_rt_sigqueueinfo, victim, SIGKILL, &info)));
  TRY("rt_tgsigqueueinfo", DONE(syscall(SYS_rt_tgsigqueueinfo, victim, victim, SIGKILL, &info)));
  TRY("pidfd_send_signal", DONE(syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, victim, 0), SIGKILL, 0, 0)));
}

static void others(void) {
  char byte;
  struct iovec here = { &byte, 1 };
  struct rlimit none = { 0, 0 };
  struct sched_param param = { 0 };
  unsigned long nodes = 1;
  cpu_set_t first;
  /* struct sched_attr, with its size and policy. */
  unsigned attr[12] = { sizeof attr, SCHED_IDLE };
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  sched_setaffinity(victim, sizeof first, &first);
  TRY("ptrace", DONE(ptrace(PTRACE_SEIZE, victim, 0, 0)));
  TRY("process_vm_readv", DONE(process_vm_readv(victim, &here, 1, &here, 1, 0)));
  TRY("pidfd_getfd", DONE(syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, victim, 0), 0, 0)));
  TRY("kcmp", DONE(syscall(SYS_kcmp, getpid(), victim, 0, 0, 0)));
  TRY("prlimit", DONE(prlimit(victim, RLIMIT_CPU, &none, 0)));
  TRY("setpriority", DONE(setpriority(PRIO_PROCESS, victim, 19)));
  TRY("ioprio_set", DONE(syscall(SYS_ioprio_set, 1, victim, 3 << 13)));
  TRY("sched_setscheduler", DONE(sched_setscheduler(victim, SCHED_IDLE, &param)));
  TRY("sched_setparam", DONE(sched_setparam(victim, &param)));
  TRY("sched_setattr", DONE(syscall(SYS_sched_setattr, victim, attr, 0)));
  TRY("migrate_pages", DONE(syscall(SYS_migrate_pages, victim, 8 * sizeof nodes, &nodes, &nodes)));
  TRY("move_pages", DONE(syscall(SYS_move_pages, victim, 0, 0, 0, 0, 0)));
  TRY("PR_SCHED_CORE", DONE(prctl(PR_SCHED_CORE, PR_SCHED_CORE_SHARE_TO, victim, 0, 0)));
  TRY("perf_event_open", DONE(syscall(SYS_perf_event_open, 0, victim, -1, -1, 0)));
  /* A child of its own parent: it would be a child of the judge. */
  long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  TRY("CLONE_PARENT", DONE(child));
}

static void kernels(void) {
  TRY("unshare", DONE(unshare(CLONE_NEWUSER)));
  long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  TRY("CLONE_NEWUSER", DONE(child));
  TRY("setns", DONE(setns(open("/proc/self/ns/user", O_RDONLY), 0)));
  TRY("mount", DONE(mount("x", ".", "tmpfs", 0, 0)));
  TRY("chroot", DONE(chroot("/")));
  TRY("io_uring", DONE(syscall(425, 8, 0)));
  TRY("clone3", DONE(syscall(435, 0, 0)) || errno != ENOSYS);
  TRY("bpf", DONE(syscall(SYS_bpf, 0, 0, 0)));
  TRY("userfaultfd", DONE(syscall(SYS_userfaultfd, 1)));
  TRY("memfd_create", DONE(syscall(SYS_memfd_create, "x", 0)));
  TRY("memfd_secret", DONE(syscall(447, 0)));
  TRY("keyctl", DONE(syscall(SYS_keyctl, 0, -3, 1)));
  TRY("setuid", DONE(setuid(getuid())));
  TRY("a new system call", DONE(syscall(900)) || errno != ENOSYS);
#ifdef __x86_64__
  TRY("the 32-bit interface", DONE(syscall(0x40000000 | 39)));
#endif
}

static void sockets(void) {
  int two[2];
  int families[] = { AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK };
  const char *names[] = { "IPv4", "IPv6", "netlink", "packets", "virtual machines" };
  struct sockaddr_un abstract = { AF_UNIX, "\0attempts" };
  for (int i = 0; i < 5; i++) {
    TRY(names[i], DONE(socket(families[i], SOCK_RAW, 0)));
    TRY(names[i], DONE(socket(families[i], SOCK_STREAM, 0)));
    TRY(names[i], DONE(socket(families[i], SOCK_DGRAM, 0)));
  }
  TRY("datagrams of a pair", DONE(socketpair(AF_UNIX, SOCK_DGRAM, 0, two)));
  TRY("can: sockets of its own", DONE(bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&abstract, sizeof abstract)));
}

static void files(void) {
  char path[512], text[16];
  int flags = FS_NOATIME_FL, in;
  struct stat found;
  DIR *dir;
  struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
  snprintf(path, sizeof path, "%s/new", folder);
  TRY("reads", DONE(open(file, O_RDONLY)));
  TRY("writes", DONE(open(file, O_WRONLY)));
  TRY("creates", DONE(open(path, O_CREAT | O_WRONLY, 0600)));
  TRY("makes a folder", DONE(mkdir(path, 0700)));
  TRY("lists", (dir = opendir(folder)) != 0);
  TRY("removes", DONE(unlink(file)));
  TRY("renames", DONE(rename(file, path)));
  TRY("links", DONE(link(file, "hard")));
  TRY("truncates", DONE(truncate(file, 0)));
  TRY("changes the mode", DONE(chmod(file, 0777)));
  TRY("changes the owner", DONE(chown(file, getuid(), getgid())));
  TRY("changes the times", DONE(utimensat(AT_FDCWD, file, times, 0)));
  TRY("sets an attribute", DONE(setxattr(file, "user.x", "x", 1, 0)));
  TRY("reads an attribute", DONE(getxattr(file, "user.secret", text, sizeof text)));
  TRY("lists attributes", DONE(listxattr(file, path, sizeof path)));
  TRY("inotify", DONE(inotify_add_watch(inotify_init1(IN_NONBLOCK), folder, IN_ALL_EVENTS)));
  TRY("fanotify", DONE(syscall(SYS_fanotify_init, 0x200, 0)));
  for (const char **name = (const char *[]){ "environ", "mem", "maps", "cwd/.", "root/etc/passwd", 0 }; *name; name++) {
    snprintf(path, sizeof path, "/proc/%d/%s", victim, *name);
    TRY(*name, DONE(open(path, O_RDONLY)));
  }
  in = open("/etc/passwd", O_RDONLY);
  TRY("a lease", DONE(fcntl(in, F_SETLEASE, F_RDLCK)));
  TRY("a notice", DONE(fcntl(open("/usr", O_RDONLY), F_NOTIFY, DN_CREATE)));
  TRY("flags of a file", DONE(ioctl(in, FS_IOC_SETFLAGS, &flags)));
  /* Actions that are possible, by docs/concepts/trust.md. */
  TRY("can: stat", DONE(stat(file, &found)) && found.st_size > 0);
  TRY("can: stat of a folder", DONE(access(folder, F_OK)));
  TRY("can: a lock of what it reads", DONE(flock(in, LOCK_EX | LOCK_NB)));
  TRY("can: reads /etc/passwd", DONE(in));
}

static void shared(void) {
  int status = 1;
  if (fork() == 0) _exit(!DONE(setsid()));
  wait(&status);
  TRY("can: a group of its own", status == 0);
  TRY("can: shmget", DONE(shmget(IPC_PRIVATE, 4096, 0600)));
  char here[512];
  if (getcwd(here, sizeof here))
    TRY("can: a home of its own", !strcmp(getenv("HOME"), here) && !strcmp(getenv("TMPDIR"), here) && DONE(creat("x", 0600)));
  TRY("can: shared memory", DONE(shm_open("/attempts", O_CREAT | O_RDWR, 0600)));
  TRY("can: modes of its own", DONE(creat("own", 0600)) && DONE(chmod("own", 0700)));
}

static int install(const char *path) {
  static struct sock_filter steps[4096];
  struct sock_fprog program = { 0, steps };
  program.len = read(open(path, O_RDONLY), steps, sizeof steps) / sizeof *steps;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int count, char **words) {
  struct { char letter; void (*run)(void); } sections[] = {
    { 's', signals }, { 'o', others }, { 'n', sockets }, { 'f', files }, { 'm', shared }, { 'k', kernels },
  };
  victim = atoi(words[2]), file = words[3], folder = words[4];
  if (count > 5 && install(words[5])) return 1;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 2;
  for (unsigned i = 0; i < sizeof sections / sizeof *sections; i++)
    if (strchr(words[1], sections[i].letter)) sections[i].run();
  puts("tried");
  return 0;
}
