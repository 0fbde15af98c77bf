/** What asks a process to end: Ctrl-C, whoever ends processes, a terminal that is closed. */
export const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
