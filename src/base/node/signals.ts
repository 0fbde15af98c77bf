/** Signals that ask a process to end: of Ctrl-C, of whoever ends processes, of a terminal that is closed. */
export const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
