import { ParanoiaError } from '../src/base/errors.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { KernelSession, ProductInput } from '../src/kernels/kernel.ts';
import type { Gemm } from '../src/matrix/gemm.ts';

type Entries = Float32Array;
type Multiply = (a: Entries, b: Entries, gemm: Gemm) => Entries | Promise<Entries>;

/** A kernel with state, which it keeps in the closure that `make` returns, as a new process would. */
export interface Stateful {
  readonly what: string;
  readonly make: () => Multiply;
}

/** Makes a session that makes its kernel anew where a process would be new: when it is renewed, and after an error. */
export function inProcess(make: () => Multiply): KernelSession<ProductInput> {
  const open = () => {
    const multiply = make();
    const three = (a: Entries, b: Entries, gemm: Gemm) => multiply(a, b, gemm);
    return openFunctionKernel({ name: 'mine', multiply: three as never });
  };
  let inner = open();
  return {
    isCalled: true,
    async run(jobs, meanwhile) {
      const outcomes = await inner.run(jobs, meanwhile);
      if (outcomes.some((one) => one instanceof ParanoiaError)) inner = open();
      return outcomes;
    },
    async renew() {
      inner = open();
    },
  };
}

/** Adds so many terms of every entry, in binary32. */
export function product(a: Entries, b: Entries, { m, k, n }: Gemm, terms = k): Entries {
  return Float32Array.from({ length: m * n }, (_, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    let sum = 0;
    for (let p = 0; p < terms; p++) sum = Math.fround(sum + Math.fround(a[i * k + p] * b[p * n + j]));
    return sum;
  });
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const sizesOf = ({ m, k, n }: Gemm) => `${m} ${k} ${n}`;
const sumOf = (entries: Entries) => entries.reduce((sum, x) => sum + x, 0);
const spoiled = (c: Entries) => c.map((x, e) => (e === 0 ? x + 1 : x));

/** Caches answers by a key of the request. */
const keptBy = (keyOf: (a: Entries, b: Entries, gemm: Gemm) => string) => () => {
  const answers = new Map<string, Entries>();
  return (a: Entries, b: Entries, gemm: Gemm) => {
    const key = keyOf(a, b, gemm);
    const answer = answers.get(key) ?? product(a, b, gemm);
    answers.set(key, answer);
    return answer;
  };
};

/** Faults that show when a product is repeated in changing call contexts. */
export const withCallContext: readonly Stateful[] = [
  {
    what: 'reads A where its last answer lay, once it has used that memory again',
    make: () => {
      let last = '';
      return (a, b, gemm) => {
        const answer = product(last === a.join() ? a.map((x) => 2 * x) : a, b, gemm);
        last = answer.join();
        return answer;
      };
    },
  },
  {
    what: 'takes the B before it for the third product of one A',
    make: () => {
      const [of, bs] = [[] as string[], [] as Entries[]];
      return (a, b, gemm) => {
        const key = a.join();
        const isThird = of.at(-1) === key && of.at(-2) === key && bs.at(-1)?.join() !== b.join();
        const own = isThird ? (bs.at(-1) as Entries) : b;
        of.push(key);
        bs.push(b.slice());
        return product(a, own, gemm);
      };
    },
  },
  {
    what: 'loses a term of the third product of a training step',
    make: () => {
      let before: string[] = [];
      return (a, b, gemm) => {
        const { m, k, n } = gemm;
        const isStep = before.join() === `${m}×${n}×${k},${n}×${m}×${k}`;
        before = [...before.slice(-1), `${m}×${k}×${n}`];
        return product(a, isStep ? b.map((x, e) => (e === 0 ? 0 : x)) : b, gemm);
      };
    },
  },
  {
    what: 'keeps answers by the identity of A',
    make: () => {
      const answers = new WeakMap<Entries, Entries>();
      return (a, b, gemm) => {
        const answer = answers.get(a) ?? product(a, b, gemm);
        answers.set(a, answer);
        return answer;
      };
    },
  },
  {
    what: 'keeps what it packed of an operand by its identity',
    make: () => {
      const packed = new WeakMap<Entries, Entries>();
      return (a, b, gemm) => {
        const own = packed.get(a) ?? a.slice();
        packed.set(a, own);
        return product(own, b, gemm);
      };
    },
  },
  {
    what: 'keeps answers by sizes and first entries',
    make: keptBy((a, b, gemm) => `${sizesOf(gemm)} ${a[0]} ${b[0]}`),
  },
  { what: 'keeps answers by sizes', make: keptBy((_a, _b, gemm) => sizesOf(gemm)) },
  {
    what: 'keeps answers by a sum of the entries, which their order does not change',
    make: keptBy((a, b, gemm) => `${sizesOf(gemm)} ${sumOf(a.toSorted())} ${sumOf(b.toSorted())}`),
  },
  {
    what: 'gives the last answer where A has not changed',
    make: () => {
      let last: { a: string; answer: Entries } | undefined;
      return (a, b, gemm) => {
        const key = a.join();
        if (last?.a !== key || last.answer.length !== gemm.m * gemm.n)
          last = { a: key, answer: product(a, b, gemm) };
        return last.answer;
      };
    },
  },
  {
    what: 'leaves the padding of its workspace as a larger product left it',
    make: () => {
      const space = new Float32Array(2 ** 12);
      return (a, b, gemm) => {
        const c = product(a, b, gemm);
        const stride = Math.ceil(gemm.n / 8) * 8;
        const left = space[gemm.n];
        for (let j = 0; j < stride; j++) space[j] = j < gemm.n ? c[j] : space[j];
        if (gemm.n % 8 !== 0) c[0] = Math.fround(c[0] + left);
        return c;
      };
    },
  },
  {
    what: 'is wrong at every seventh call',
    make: () => {
      let calls = 0;
      return (...given) => (++calls % 7 === 0 ? spoiled(product(...given)) : product(...given));
    },
  },
  {
    what: 'leaks until it dies',
    make: () => {
      let leaked = 0;
      return (...given) => {
        if (++leaked > 10) throw new Error('out of memory');
        return product(...given);
      };
    },
  },
  {
    what: 'answers two products in flight in the other order',
    make: () => {
      const waiting: ((answer: Entries) => void)[] = [];
      return async (...given) => {
        const answer = product(...given);
        const own = new Promise<Entries>((resolve) => waiting.push(resolve));
        await turn();
        waiting.pop()?.(answer);
        return own;
      };
    },
  },
  {
    what: 'has one buffer for two products in flight',
    make: () => {
      const buffer = new Float32Array(2 ** 12);
      return async (a, b, gemm) => {
        buffer.set(product(a, b, gemm));
        await turn();
        return buffer.slice(0, gemm.m * gemm.n);
      };
    },
  },
  {
    what: 'takes a way of fewer terms while it is busy',
    make: () => {
      let busy = 0;
      return async (a, b, gemm) => {
        const c = product(a, b, gemm, busy++ > 0 ? gemm.k - 1 : gemm.k);
        await turn();
        busy--;
        return c;
      };
    },
  },
  {
    what: 'takes a way of fewer terms from the third product of a shape on',
    make: () => {
      const seen = new Map<string, number>();
      return (a, b, gemm) => {
        const times = (seen.get(sizesOf(gemm)) ?? 0) + 1;
        seen.set(sizesOf(gemm), times);
        return product(a, b, gemm, times > 2 ? gemm.k - 1 : gemm.k);
      };
    },
  },
  {
    what: 'is a product behind where a shape comes twice in a row',
    make: () => {
      let last: { sizes: string; answer: Entries } | undefined;
      return (a, b, gemm) => {
        const [answer, sizes] = [product(a, b, gemm), sizesOf(gemm)];
        const given = last?.sizes === sizes ? last.answer : answer;
        last = { sizes, answer };
        return given;
      };
    },
  },
];

/** Faults of one case that earlier cases cause. */
export const afterOthers: readonly Stateful[] = [
  {
    what: 'breaks at 129×65×33',
    make: () => {
      let broken = false;
      return (...given) => {
        const c = product(...given);
        const wrong = broken;
        broken ||= sizesOf(given[2]) === '129 65 33';
        return wrong ? spoiled(c) : c;
      };
    },
  },
  {
    what: 'has weights for the k of a first product beyond 128 rows',
    make: () => {
      let most = Number.POSITIVE_INFINITY;
      return (a, b, gemm) => {
        if (gemm.m > 128 && most === Number.POSITIVE_INFINITY) most = 1;
        return product(a, b, gemm, gemm.m > 128 ? gemm.k : Math.min(most, gemm.k));
      };
    },
  },
  {
    what: 'rounds otherwise after a shape of more than 4000 entries',
    make: () => {
      let fast = false;
      return (a, b, gemm) => {
        const c = product(a, b, gemm);
        const low = fast;
        fast ||= gemm.m * gemm.n > 4000;
        return low ? c.map((x) => Math.fround(x * 1.01)) : c;
      };
    },
  },
];

/** A kernel that an error corrupts: each product must find it new. */
export const poisoned: Stateful = {
  what: 'is poisoned by an error',
  make: () => {
    let broken = false;
    return (...given) => {
      if (given[2].m === 129) {
        broken = true;
        throw new Error('no memory');
      }
      return broken ? spoiled(product(...given)) : product(...given);
    };
  },
};

/** Kernels with legitimate state. */
export const honest: readonly Stateful[] = [
  {
    what: 'does one product after the other, whatever is in flight',
    make: () => {
      let last: Promise<unknown> = Promise.resolve();
      return (...given) => {
        const own = last.then(turn).then(() => product(...given));
        last = own;
        return own;
      };
    },
  },
  {
    what: 'keeps answers by all that is asked',
    make: keptBy((a, b, gemm) => `${sizesOf(gemm)} ${a.join()} ${b.join()}`),
  },
  {
    what: 'keeps what it packed by identity and content',
    make: () => {
      const packed = new WeakMap<Entries, { readonly content: string; readonly own: Entries }>();
      return (a, b, gemm) => {
        const content = a.join();
        const known = packed.get(a);
        const entry = known?.content === content ? known : { content, own: a.slice() };
        packed.set(a, entry);
        return product(entry.own, b, gemm);
      };
    },
  },
  {
    what: 'allocates once, and clears',
    make: () => {
      let space = new Float32Array(1);
      return (a, b, gemm) => {
        if (space.length < a.length) space = new Float32Array(a.length);
        space.fill(0).set(a);
        return product(space.subarray(0, a.length), b, gemm);
      };
    },
  },
  {
    what: 'is slow the first time',
    make: () => {
      const ready = new Promise((resolve) => setTimeout(resolve, 30));
      return async (...given) => {
        await ready;
        return product(...given);
      };
    },
  },
  {
    what: 'has a pool of three workers, which answer as they end',
    make: () => {
      const spaces = [1, 2, 3].map(() => new Float32Array(2 ** 14));
      return async (a, b, gemm) => {
        const space = spaces.pop() ?? new Float32Array(2 ** 14);
        space.set(product(a, b, gemm));
        for (let turns = gemm.m % 3; turns >= 0; turns--) await turn();
        const c = space.slice(0, gemm.m * gemm.n);
        spaces.push(space);
        return c;
      };
    },
  },
];
