/** The version of this package. It equals that of `package.json`, which runtimes without files cannot read. */
export const VERSION = '0.1.0';
