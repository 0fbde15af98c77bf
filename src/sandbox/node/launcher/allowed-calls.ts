import type { CallName } from './calls.ts';
import type { CallRefusal } from './refused-calls.ts';

/** A property of a process, and of its lane, that makes a call harmless. */
export type CallCondition = 'alone' | 'readOnly' | 'unseen' | 'gpu' | 'holdsOthers';

/** A test of the low half of an argument; Linux reads only that half of the arguments tested here. `pid` is the process itself. */
export interface ArgumentTest {
  readonly argument: number;
  /** Bits that are compared. @defaultValue all */
  readonly mask?: number;
  readonly is?: readonly (number | 'pid')[];
  readonly isNot?: readonly number[];
}

/** System calls that are allowed, and why. The first record of a call whose place applies decides. */
interface AllowedCalls {
  readonly why: string;
  readonly calls: readonly CallName[];
  /** The processes that the record concerns. @defaultValue all */
  readonly where?: CallCondition;
  /** Tests of which one must pass. @defaultValue any arguments are allowed */
  readonly only?: readonly ArgumentTest[];
  /** The answer to calls that the record does not allow. @defaultValue refused */
  readonly otherwise?: CallRefusal;
}

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, and PARENT. */
const NAMESPACES_AND_PARENT = 0x7e028000;
const AF_UNIX = 1;
/** SOCK_STREAM and SOCK_SEQPACKET reach only the socket that they are connected to. */
const CONNECTED = [1, 5];
const SOCKET_TYPE = 0xf;

/** F_DUPFD to F_SETLKW, F_GETOWN, F_GETSIG; locks of open files; F_DUPFD_CLOEXEC; sizes of pipes; seals. */
const FCNTL = [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 36, 37, 38, 1030, 1031, 1032, 1033, 1034];
/** TCGETS, TCGETS2, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, FICLONE and FICLONERANGE. */
const IOCTL = [
  ...[0x5401, 0x802c542a, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451],
  ...[0x40049409, 0x4020940d],
];
/** Families of requests to terminals, to sockets, and on flags and attributes of files, by their second byte. */
const NOT_OF_DRIVERS = [0x5400, 0x8900, 0x6600, 0x5800];
const FAMILY = 0xff00;
/**
 * PR_SET and GET_PDEATHSIG, GET_DUMPABLE, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, SET and GET_TIMERSLACK, SET and
 * GET_NO_NEW_PRIVS, SET and GET_THP_DISABLE, CAP_AMBIENT, SVE_SET_VL and GET_VL, PAC_RESET_KEYS, SET and GET_TAGGED_ADDR_CTRL,
 * PAC_SET and GET_ENABLED_KEYS, SME_SET_VL and GET_VL, SET_VMA and GET_AUXV. Source: include/uapi/linux/prctl.h.
 */
const PRCTL = [
  ...[1, 2, 3, 15, 16, 21, 23, 29, 30, 38, 39, 41, 42, 47, 50, 51, 54, 55, 56, 60, 61, 63, 64],
  ...[0x53564d41, 0x41555856],
];

/**
 * The system calls that programs in C, Python and Node need. Calls with tests come first: Linux caches the answers to the others.
 * io_uring_setup and clone3 are absent: a filter cannot see their requests and flags, and programs fall back without them.
 * memfd_secret is absent: the watcher cannot see its memory.
 */
export const allowedCalls: readonly AllowedCalls[] = [
  {
    why: 'locks, flags and copies of descriptors; owners and signals of descriptors would signal other processes',
    calls: ['fcntl'],
    only: [{ argument: 1, is: FCNTL }],
  },
  {
    why: 'drivers of GPUs have requests of their own',
    calls: ['ioctl'],
    where: 'gpu',
    only: [
      { argument: 1, is: IOCTL },
      { argument: 1, mask: FAMILY, isNot: NOT_OF_DRIVERS },
    ],
  },
  {
    why: 'sizes and modes of descriptors; owners of descriptors would signal other processes',
    calls: ['ioctl'],
    only: [{ argument: 1, is: IOCTL }],
  },
  {
    why: 'threads and processes without namespaces of their own, and children of their own',
    calls: ['clone'],
    only: [{ argument: 0, mask: NAMESPACES_AND_PARENT, is: [0] }],
  },
  {
    why: 'settings of a thread that concern itself alone',
    calls: ['prctl'],
    only: [{ argument: 0, is: PRCTL }],
  },
  {
    why: 'pipes of the process itself, as Node makes them',
    calls: ['socketpair'],
    only: [{ argument: 1, mask: SOCKET_TYPE, is: CONNECTED }],
  },
  {
    why: 'sockets of files, where it sees its own alone',
    calls: ['socket'],
    where: 'unseen',
    only: [{ argument: 0, is: [AF_UNIX] }],
  },
  {
    why: 'connections between sockets of its own',
    calls: ['bind', 'connect', 'listen', 'accept', 'accept4'],
    where: 'unseen',
  },
  {
    why: 'signals, where Landlock or a namespace confines them',
    calls: ['kill', 'tgkill', 'tkill', 'rt_sigqueueinfo', 'rt_tgsigqueueinfo', 'pidfd_send_signal'],
    where: 'holdsOthers',
  },
  { why: 'signals to itself and its group', calls: ['kill'], only: [{ argument: 0, is: [0, 'pid'] }] },
  { why: 'signals to its own threads', calls: ['tgkill'], only: [{ argument: 0, is: ['pid'] }] },
  {
    why: 'speed and limits of other processes, where all of them are its own',
    calls: [
      ...(['prlimit64', 'setpriority', 'ioprio_set', 'sched_setscheduler', 'sched_setparam'] as const),
      ...(['sched_setattr', 'sched_setaffinity', 'migrate_pages', 'move_pages'] as const),
    ],
    where: 'alone',
  },
  { why: 'limits of its own', calls: ['prlimit64'], only: [{ argument: 0, is: [0, 'pid'] }] },
  {
    why: 'processors of its own; a thread that pins another one need not fail, and the processor of no other process is set',
    calls: ['sched_setaffinity'],
    only: [{ argument: 0, is: [0, 'pid'] }],
    otherwise: 'done',
  },
  {
    why: 'a process that leaves its group ends with its namespace',
    calls: ['setsid', 'setpgid'],
    where: 'alone',
  },
  {
    why: 'memory, semaphores and queues of a namespace end with it',
    calls: [
      ...(['shmget', 'shmat', 'shmdt', 'shmctl', 'semget', 'semctl', 'semop', 'semtimedop'] as const),
      ...(['msgget', 'msgsnd', 'msgrcv', 'msgctl', 'mq_open', 'mq_unlink', 'mq_timedsend'] as const),
      ...(['mq_timedreceive', 'mq_notify', 'mq_getsetattr'] as const),
    ],
    where: 'alone',
  },
  {
    why: 'modes, owners, times and attributes, which Landlock does not restrict, of files that may be written anyway',
    calls: [
      ...(['chmod', 'fchmod', 'fchmodat', 'fchmodat2', 'chown', 'lchown', 'fchown', 'fchownat'] as const),
      ...(['utime', 'utimes', 'futimesat', 'utimensat', 'setxattr', 'lsetxattr', 'fsetxattr'] as const),
      ...(['setxattrat', 'removexattr', 'lremovexattr', 'fremovexattr', 'removexattrat'] as const),
      'file_setattr',
    ],
    where: 'readOnly',
  },
  {
    why: 'memory in which shaders are compiled; elsewhere it escapes the watch of files',
    calls: ['memfd_create'],
    where: 'gpu',
    otherwise: 'absent',
  },
  {
    why: 'memory of its own',
    calls: [
      ...(['brk', 'mmap', 'munmap', 'mprotect', 'mremap', 'madvise', 'msync', 'mincore', 'mlock'] as const),
      ...(['mlock2', 'mlockall', 'munlock', 'munlockall', 'membarrier', 'mbind', 'get_mempolicy'] as const),
      ...(['set_mempolicy', 'pkey_alloc', 'pkey_free', 'pkey_mprotect'] as const),
    ],
  },
  {
    why: 'threads and processes of its own',
    calls: [
      ...(['fork', 'vfork', 'execve', 'exit', 'exit_group', 'wait4', 'waitid', 'futex', 'rseq'] as const),
      ...(['set_robust_list', 'set_tid_address', 'arch_prctl', 'sched_yield'] as const),
    ],
  },
  {
    why: 'signals that it receives, and timers of its own',
    calls: [
      ...(['rt_sigaction', 'rt_sigprocmask', 'rt_sigreturn', 'rt_sigpending', 'rt_sigtimedwait'] as const),
      ...(['rt_sigsuspend', 'sigaltstack', 'signalfd', 'signalfd4', 'pause', 'restart_syscall'] as const),
      ...(['alarm', 'getitimer', 'setitimer', 'timer_create', 'timer_settime', 'timer_gettime'] as const),
      ...(['timer_getoverrun', 'timer_delete', 'timerfd_create', 'timerfd_settime'] as const),
      'timerfd_gettime',
    ],
  },
  {
    why: 'time',
    calls: [
      ...(['clock_gettime', 'clock_getres', 'clock_nanosleep', 'nanosleep', 'gettimeofday'] as const),
      ...(['time', 'times'] as const),
    ],
  },
  {
    why: 'open files',
    calls: [
      ...(['read', 'write', 'readv', 'writev', 'pread64', 'pwrite64', 'preadv', 'pwritev'] as const),
      ...(['preadv2', 'pwritev2', 'lseek', 'close', 'close_range', 'dup', 'dup2', 'dup3', 'fstat'] as const),
      ...(['fstatfs', 'fsync', 'fdatasync', 'ftruncate', 'fallocate', 'fadvise64', 'flock'] as const),
      ...(['getdents', 'getdents64', 'sendfile', 'copy_file_range', 'fchdir'] as const),
    ],
  },
  {
    why: 'files by their paths: Landlock restricts all but what stat, access, readlink, statfs and chdir tell',
    calls: [
      ...(['open', 'openat', 'creat', 'stat', 'lstat', 'newfstatat', 'statx', 'access'] as const),
      ...(['faccessat', 'faccessat2', 'readlink', 'readlinkat', 'statfs', 'getcwd', 'chdir'] as const),
      ...(['mkdir', 'mkdirat', 'rmdir', 'unlink', 'unlinkat', 'rename', 'renameat', 'renameat2'] as const),
      ...(['link', 'linkat', 'symlink', 'symlinkat', 'mknod', 'mknodat', 'truncate', 'umask'] as const),
    ],
  },
  {
    why: 'pipes, and waiting for descriptors',
    calls: [
      ...(['pipe', 'pipe2', 'eventfd', 'eventfd2', 'poll', 'ppoll', 'select', 'pselect6'] as const),
      ...(['epoll_create', 'epoll_create1', 'epoll_ctl', 'epoll_wait', 'epoll_pwait'] as const),
      'epoll_pwait2',
    ],
  },
  {
    why: 'connected sockets',
    calls: [
      ...(['sendto', 'sendmsg', 'sendmmsg', 'recvfrom', 'recvmsg', 'recvmmsg', 'shutdown'] as const),
      ...(['getsockname', 'getpeername', 'getsockopt', 'setsockopt'] as const),
    ],
  },
  {
    why: 'what it is, and what the machine is',
    calls: [
      ...(['getpid', 'gettid', 'getppid', 'getpgrp', 'getpgid', 'getsid', 'getuid', 'geteuid'] as const),
      ...(['getgid', 'getegid', 'getgroups', 'getresuid', 'getresgid', 'capget', 'getrusage'] as const),
      ...(['getrlimit', 'setrlimit', 'getpriority', 'ioprio_get', 'sched_getaffinity'] as const),
      ...(['sched_getscheduler', 'sched_getparam', 'sched_getattr', 'sched_get_priority_max'] as const),
      ...(['sched_get_priority_min', 'sched_rr_get_interval', 'uname', 'sysinfo', 'getcpu'] as const),
      'getrandom',
    ],
  },
];
