/** Returns milliseconds since some moment. */
export type Clock = () => number;

/** Returns the clock of this machine. */
export const wallClock: Clock = () => performance.now();

/** Returns the clock of a run that counts cases. It stands still, so that no time limit is ever reached. */
export const stillClock: Clock = () => 0;
