/** Where entries of the atlas lie unless it is said. */
export const ENTRIES = 'reports/atlas/entries';
