/** True if this runs in a continuous integration service. */
export const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');
