import { expect, it } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { VERSION } from './version.ts';

it('is that of package.json', () => expect(VERSION).toBe(about.version));
