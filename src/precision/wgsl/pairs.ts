import { decodePair, encodePair } from '../pair.ts';
import { literal, type Numeric } from './numeric.ts';

/**
 * Float-float in WGSL, low part first, as in the bit-exact model. Every sum and product that a compiler could simplify with another is
 * made opaque, since TwoSum and Dekker's product vanish if a compiler may reassociate. Sources: see the bit-exact model's pairs.
 */
export const pairs: Numeric = {
  words: 2,
  encode: encodePair,
  decode: decodePair,
  enables: '',
  prelude: `fn opaque(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ params.zero); }
fn leading(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }
fn addPairs(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let sh = opaque(a.y + b.y);
  let sb = opaque(sh - a.y);
  let sl = opaque(opaque(a.y - opaque(sh - sb)) + opaque(b.y - sb));
  let th = opaque(a.x + b.x);
  let tb = opaque(th - a.x);
  let tl = opaque(opaque(a.x - opaque(th - tb)) + opaque(b.x - tb));
  let c = opaque(sl + th);
  let vh = opaque(sh + c);
  let w = opaque(tl + opaque(c - opaque(vh - sh)));
  let zh = opaque(vh + w);
  return vec2<f32>(opaque(w - opaque(zh - vh)), zh);
}
fn multiplyPairs(x: vec2<f32>, y: vec2<f32>) -> vec2<f32> {
  let p = opaque(x.y * y.y);
  let x1 = leading(x.y);
  let y1 = leading(y.y);
  let x2 = opaque(x.y - x1);
  let y2 = opaque(y.y - y1);
  let e1 = opaque(opaque(x1 * y1) - p);
  let e2 = opaque(e1 + opaque(x1 * y2));
  let e3 = opaque(e2 + opaque(x2 * y1));
  let e = opaque(e3 + opaque(x2 * y2));
  let cross = opaque(opaque(x.y * y.x) + opaque(x.x * y.y));
  let low = opaque(e + cross);
  let high = opaque(p + low);
  return vec2<f32>(opaque(low - opaque(high - p)), high);
}`,
  lanes: false,
  memory: () => 'vec2<f32>',
  operand: () => 'vec2<f32>',
  value: () => 'vec2<f32>',
  zero: () => 'vec2<f32>()',
  load: (entry) => entry,
  prepare: (entry) => entry,
  splat: (operand) => operand,
  store: (value) => value,
  constant(x) {
    const high = Math.fround(x);
    return `vec2<f32>(${literal(Math.fround(x - high))}, ${literal(high)})`;
  },
  factorOf: (value) => value,
  multiplyAdd: (x, y, sum) => `addPairs(${sum}, multiplyPairs(${x}, ${y}))`,
  add: (a, b) => `addPairs(${a}, ${b})`,
  subtract: (a, b) => `addPairs(${a}, -${b})`,
  negate: (a) => `-${a}`,
};
