/** Signals that ask a process to end: from Ctrl-C, from other processes, and from a closed terminal. */
export const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
