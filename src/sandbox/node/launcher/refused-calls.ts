import type { CallName } from './calls.ts';

/** An answer to a call that the filter does not pass on: an error, or a pretended success. */
export type CallRefusal = 'refused' | 'absent' | 'unsupported' | 'done';

/** System calls of attacks, and why they are refused. Calls in neither list are reported as absent, so that programs fall back. */
interface RefusedCalls {
  readonly why: string;
  readonly calls: readonly CallName[];
  /** The answer. @defaultValue refused */
  readonly otherwise?: CallRefusal;
}

export const refusedCalls: readonly RefusedCalls[] = [
  {
    why: 'they look into other processes, or wait in their memory',
    calls: [
      ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise'] as const),
      ...(['process_mrelease', 'kcmp', 'pidfd_getfd', 'perf_event_open', 'userfaultfd', 'bpf'] as const),
    ],
  },
  {
    why: 'they watch folders that may not be read',
    calls: ['inotify_init', 'inotify_init1', 'inotify_add_watch', 'fanotify_init', 'fanotify_mark'],
  },
  {
    why: 'they read attributes of files that may not be read',
    calls: ['getxattr', 'lgetxattr', 'fgetxattr', 'listxattr', 'llistxattr', 'flistxattr'],
    otherwise: 'unsupported',
  },
  {
    why: 'they change which files there are, or find files by no path',
    calls: [
      ...(['mount', 'umount2', 'pivot_root', 'chroot', 'unshare', 'setns', 'move_mount'] as const),
      ...(['open_tree', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr'] as const),
      ...(['open_by_handle_at', 'name_to_handle_at', 'quotactl', 'quotactl_fd', 'swapon'] as const),
      ...(['swapoff', 'acct', 'lookup_dcookie', 'uselib', 'ustat', 'nfsservctl'] as const),
    ],
  },
  {
    why: 'they change whose process it is',
    calls: [
      ...(['setuid', 'setgid', 'setreuid', 'setregid', 'setresuid', 'setresgid', 'setgroups'] as const),
      ...(['setfsuid', 'setfsgid', 'capset'] as const),
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
];
