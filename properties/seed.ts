import fc from 'fast-check';

/** A setup file: the laws of a run draw by one seed, of which the nightly tier says another each time. */
const { TESTS_SEED = '20261126' } = process.env;
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TESTS_SEED) });
