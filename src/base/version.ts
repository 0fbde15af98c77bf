/** The version of this package: `package.json` says the same, which runtimes without files cannot read. */
export const VERSION = '0.1.0';
