import { describe, expect, it } from 'vitest';
import { plainGemm } from '../matrix/gemm.ts';
import { Pace } from './pace.ts';

const shapeOf = (size: number) => plainGemm({ m: size, k: size, n: size });
const lateAt = (pace: Pace, size: number) => pace.late({ kernel: 'mine', shape: shapeOf(size) }, 60);

describe('a product without an answer', () => {
  it('is one of a slow kernel, where its fastest product tells so', () => {
    const pace = new Pace();
    pace.add(shapeOf(128), 1);
    pace.add(shapeOf(256), 4);
    pace.add(shapeOf(128), 10);
    const { code, message, blames } = lateAt(pace, 384);
    expect(code).toBe('kernel-hangs');
    expect(lateAt(pace, 512)).toMatchObject({ code: 'kernel-is-slow', blames: 'nobody' });
    expect(lateAt(pace, 1024).message).toBe(
      'mine did not finish 1024×1024×1024 within 60 s. By its earlier products it needs about 256 s or more: raise its timeLimit.',
    );
    expect([message, blames]).toEqual([expect.stringContaining('within 60 s'), 'kernel']);
  });

  it('hangs where no earlier product was large enough to tell', () => {
    const pace = new Pace();
    expect(lateAt(pace, 4096).code).toBe('kernel-hangs');
    pace.add(shapeOf(64), 30);
    expect(lateAt(pace, 4096).code).toBe('kernel-hangs');
  });
});
