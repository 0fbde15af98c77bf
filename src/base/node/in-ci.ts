/** True if this runs in a service of continuous integration. */
export const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');
