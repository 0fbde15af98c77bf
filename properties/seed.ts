import fc from 'fast-check';

/** A setup file: all laws of a run draw by one seed. The nightly tier sets another seed each time. */
const { TESTS_SEED = '20261126' } = process.env;
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TESTS_SEED) });
