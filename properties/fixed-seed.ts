import fc from 'fast-check';
import { isWhole } from '../src/base/in-short.testing.ts';

/** A setup file: short tests try the same values every time. Tests asked whole draw other ones, and a failure prints their seed. */
if (!isWhole) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_126 });
