import fc from 'fast-check';
import { isWhole } from '../src/base/in-short.testing.ts';

/** A setup file. Short tests try the same values in every run; whole tests draw new ones, and a failure prints their seed. */
if (!isWhole) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_126 });
