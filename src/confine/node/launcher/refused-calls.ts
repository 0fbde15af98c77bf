import type { CallName } from './calls.ts';

/** System calls that are refused, why, and where. */
interface Refused {
  readonly why: string;
  readonly calls: readonly CallName[];
  /** What a program is told. @defaultValue that it may not */
  readonly as?: 'absent';
  /** Whether it does no harm to a process that is alone, or that sees all else read-only. @defaultValue always refused */
  readonly unless?: 'alone' | 'readOnly';
}

export const refusedCalls: readonly Refused[] = [
  {
    why: 'they look into other processes, or wait in their memory',
    calls: [
      ...([
        'ptrace',
        'process_vm_readv',
        'process_vm_writev',
        'process_madvise',
        'process_mrelease',
      ] as const),
      ...(['kcmp', 'pidfd_getfd', 'perf_event_open', 'userfaultfd', 'bpf'] as const),
    ],
  },
  {
    why: 'they change which files there are, or find files by no path',
    calls: [
      ...([
        'mount',
        'umount2',
        'pivot_root',
        'chroot',
        'unshare',
        'setns',
        'move_mount',
        'open_tree',
      ] as const),
      ...(['fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr', 'open_by_handle_at'] as const),
      ...(['name_to_handle_at', 'quotactl', 'quotactl_fd', 'swapon', 'swapoff', 'acct'] as const),
      ...(['fanotify_init', 'fanotify_mark', 'lookup_dcookie', 'uselib', 'ustat', 'nfsservctl'] as const),
    ],
  },
  {
    why: 'they change the machine',
    calls: [
      ...(['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'] as const),
      ...(['create_module', 'reboot', 'sethostname', 'setdomainname', 'iopl', 'ioperm', 'syslog'] as const),
      ...(['settimeofday', 'clock_settime', 'adjtimex', 'clock_adjtime', 'vhangup', 'modify_ldt'] as const),
      ...(['keyctl', 'add_key', 'request_key', '_sysctl'] as const),
    ],
  },
  {
    why: 'no filter sees what they do, or in which namespaces they start a process: others do the same',
    calls: ['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'clone3'],
    as: 'absent',
  },
  { why: 'its memory is seen by nobody', calls: ['memfd_secret'], as: 'absent' },
  {
    why: 'they change how fast other processes run',
    calls: [
      'setpriority',
      'ioprio_set',
      'sched_setscheduler',
      'sched_setparam',
      'sched_setattr',
      'migrate_pages',
      'move_pages',
    ],
    unless: 'alone',
  },
  { why: 'a process that leaves its group outlives it', calls: ['setsid', 'setpgid'], unless: 'alone' },
  {
    why: 'what they make outlives them, and others reach it',
    calls: [
      ...(['shmget', 'shmat', 'shmctl', 'semget', 'semctl', 'semop', 'semtimedop', 'msgget'] as const),
      ...(['msgsnd', 'msgrcv', 'msgctl', 'mq_open', 'mq_unlink'] as const),
    ],
    unless: 'alone',
  },
  {
    why: 'Landlock does not hold who may change the modes, owners, times and attributes of files',
    calls: [
      ...(['chmod', 'fchmod', 'fchmodat', 'fchmodat2', 'chown', 'lchown', 'fchown', 'fchownat'] as const),
      ...(['utime', 'utimes', 'futimesat', 'utimensat', 'setxattr', 'lsetxattr', 'fsetxattr'] as const),
      ...(['setxattrat', 'removexattr', 'lremovexattr', 'fremovexattr', 'removexattrat'] as const),
      'file_setattr',
    ],
    unless: 'readOnly',
  },
];
