// Times variants of the staged kernel of binary32, A·B of n×n matrices, n a multiple of 256.
//
// node variants.mjs n rounds NAME…      with NAME as in variants.txt, such as 128x128-parts4-pathrows-load2-store6-formloop
//
// ROWSxCOLS  entries of C of a workgroup; an invocation has 8×8
// parts      parts of 8 steps of k in a trip of the loop, 2 or 4 (default 2)
// path       order of the 64 products of a step: columns (down one column, up the next; default) or rows
// load       step before which the next part is loaded (default 0)
// store      step after which it is stored (default 7, the last)
// form       for, with the condition at the beginning of the loop (default), or loop, with the condition at its end
// index      moved from part to part (default), or computed from k
// first      y, the operand that is read first from workgroup memory (default), or x
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);

const times = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const lines = (count, make) => times(count, make).join('\n');

/** Returns the options in a name. */
function optionsOf(name) {
  const [, rows, cols, rest] = /^(\d+)x(\d+)((?:-[a-z]+\w+)*)$/.exec(name);
  const given = Object.fromEntries(
    [...rest.matchAll(/-(parts|path|load|store|form|index|first)(\w+)/g)].map(([, key, value]) => [key, value]),
  );
  const text = { parts: 2, path: 'columns', load: 0, store: 7, form: 'for', index: 'moved', first: 'y', ...given };
  return { ...text, parts: +text.parts, load: +text.load, store: +text.store, down: rows / 8, across: cols / 8 };
}

/** Returns the products of a step, row and column, in their order. */
function productsOf(path) {
  const turned = (one, other) => (one % 2 === 0 ? other : 7 - other);
  return path === 'columns'
    ? times(64, (at) => [turned(at >> 3, at & 7), at >> 3])
    : times(64, (at) => [at >> 3, turned(at >> 3, at & 7)]);
}

function shaderOf({ parts, path, load, store, form, index, first, down, across }) {
  const [threads, m, n] = [down * across, 8 * down, 8 * across];
  const [ofX, ofY] = [(2 * m) / threads, (2 * n) / threads];
  const sum = (r, c) => `c${r}_${c >> 2}[${c & 3}]`;
  const x = (buffer, q, g) =>
    `vec4<f32>(${times(4, (c) => `xs[${buffer}][${q}][ty + ${g * down}u][${c}]`).join(', ')})`;
  const read = (buffer, q) => {
    const both = [
      lines(2, (g) => `let y${g} = ys[${buffer}][${q}][tx + ${g * across}u];`),
      lines(2, (g) => `let x${g} = ${x(buffer, q, g)};`),
    ];
    return (first === 'y' ? both : both.reverse()).join('\n');
  };
  const multiply = () =>
    productsOf(path)
      .map(([r, c]) => `${sum(r, c)} = fma(x${r >> 2}[${r & 3}], y${c >> 2}[${c & 3}], ${sum(r, c)});`)
      .join('\n');
  const from = (step) => [
    ...times(ofX, (t) => `gx${t} = x[ax${t} + ${step} / 4u];`),
    ...times(ofY, (t) => `gy${t} = y[ay${t} + ${step} * n4];`),
  ];
  const moved = [...times(ofX, (t) => `ax${t} += 2u;`), ...times(ofY, (t) => `ay${t} += 8u * n4;`)];
  const bring = (part) =>
    index === 'moved'
      ? [...moved, ...from('0u')]
      : [`let next = min(p + ${8 * (part + 1)}u, params.k - 8u);`, ...from('next')];
  const put = (buffer) => [
    ...times(ofX, (t) => lines(4, (c) => `xs[${buffer}][sx${t} + ${c}u][rx${t} / 4u][rx${t} % 4u] = gx${t}[${c}];`)),
    ...times(ofY, (t) => `ys[${buffer}][(local + ${t * threads}u) / ${n / 4}u][(local + ${t * threads}u) % ${n / 4}u] = gy${t};`),
  ];
  const partAt = (part) => {
    const steps = times(8, (q) => [
      ...(q === load ? bring(part) : []),
      `{\n${read(part % 2, q)}\n${multiply()}\n}`,
      ...(q === store ? put(1 - (part % 2)) : []),
    ]);
    return `{\n${steps.flat().join('\n')}\n}\nworkgroupBarrier();`;
  };
  const trip = 8 * parts;
  const loop =
    form === 'for'
      ? `for (var p = 0u; p < params.k; p += ${trip}u) {\n${lines(parts, partAt)}\n}`
      : `var p = 0u;\nloop {\n${lines(parts, partAt)}\np += ${trip}u;\nif (p >= params.k) { break; }\n}`;
  return `struct Params { m: u32, k: u32, n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> z: array<vec4<f32>>;
var<workgroup> xs: array<array<array<array<f32, 4>, ${m / 4 + 1}>, 8>, 2>;
var<workgroup> ys: array<array<array<vec4<f32>, ${n / 4}>, 8>, 2>;
@compute @workgroup_size(${threads})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
let linear = group.y * groups.x + group.x;
let band = linear / (16u * groups.x) * 16u;
let inBand = linear - band * groups.x;
let high = min(16u, groups.y - band);
let top = (band + inBand % high) * ${m}u;
let left = (inBand / high) * ${n}u;
let n4 = params.n / 4u;
let lane = local % 32u;
let warp = local / 32u;
let tx = (warp % ${across / 8}u) * 8u + lane / 2u % 8u;
let ty = (warp / ${across / 8}u) * 4u + lane / 16u * 2u + lane % 2u;
${lines(8, (r) => `var c${r}_0 = vec4<f32>();\nvar c${r}_1 = vec4<f32>();`)}
${lines(ofX, (t) => `let rx${t} = (local + ${t * threads}u) / 2u;\nlet sx${t} = 4u * ((local + ${t * threads}u) % 2u);\nvar ax${t} = ((top + rx${t}) * params.k + sx${t}) / 4u;\nvar gx${t}: vec4<f32>;`)}
${lines(ofY, (t) => `var ay${t} = (((local + ${t * threads}u) / ${n / 4}u) * params.n + left + 4u * ((local + ${t * threads}u) % ${n / 4}u)) / 4u;\nvar gy${t}: vec4<f32>;`)}
${[...from('0u'), ...put(0)].join('\n')}
workgroupBarrier();
${loop}
let row = top + 4u * ty;
let col = (left + 4u * tx) / 4u;
${lines(8, (r) => lines(2, (g) => `z[(row + ${(r >> 2) * 4 * down + (r & 3)}u) * n4 + col + ${g * across}u] = c${r}_${g};`))}
}`;
}

/** The entries of A and B, uniform in [-1, 1). */
const random = new Float32Array(2 ** 20);
for (let at = 0, state = 12345; at < random.length; at++) {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  random[at] = state / 2 ** 31;
}
const entryOfA = (i, j) => random[(i * 7919 + j * 104729 + 11) % random.length];
const entryOfB = (i, j) => random[(i * 15485863 + j * 32452843 + 5) % random.length];

const [size, rounds, ...names] = process.argv.slice(2);
const n = Number(size);
// The process aborts if this object is collected.
globalThis.gpu = create(['backend=vulkan', ...(process.env.ADAPTER ? [`adapter=${process.env.ADAPTER}`] : [])]);
const adapter = await globalThis.gpu.requestAdapter();
const limits = ['maxBufferSize', 'maxStorageBufferBindingSize', 'maxComputeWorkgroupStorageSize', 'maxComputeInvocationsPerWorkgroup'];
const device = await adapter.requestDevice({
  requiredFeatures: ['timestamp-query'],
  requiredLimits: Object.fromEntries(limits.map((name) => [name, adapter.limits[name]])),
});
console.log(`${adapter.info.device} ${adapter.info.description}, n = ${n}`);

const { STORAGE, COPY_DST, COPY_SRC, UNIFORM, QUERY_RESOLVE, MAP_READ } = GPUBufferUsage;
const buffer = (bytes, usage) => device.createBuffer({ size: bytes, usage });
const [a, b, c] = times(3, () => buffer(4 * n * n, STORAGE | COPY_DST | COPY_SRC));
for (const [matrix, entry] of [[a, entryOfA], [b, entryOfB]])
  for (let i = 0; i < n; i++)
    device.queue.writeBuffer(matrix, 4 * n * i, Float32Array.from({ length: n }, (_, j) => entry(i, j)));
const params = buffer(16, UNIFORM | COPY_DST);
device.queue.writeBuffer(params, 0, new Uint32Array([n, n, n, 0]));
const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
const [resolved, readable, row] = [buffer(16, QUERY_RESOLVE | COPY_SRC), buffer(16, MAP_READ | COPY_DST), buffer(4 * n, MAP_READ | COPY_DST)];

async function bytesOf(from, offset, to, bytes) {
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(from, offset, to, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await to.mapAsync(GPUMapMode.READ);
  const copy = to.getMappedRange().slice(0);
  to.unmap();
  return copy;
}

/** Returns the rate of a product in Tflop/s, over some of them in one pass. */
async function rateOf({ pipeline, group, grid }) {
  const repeats = Math.min(1024, Math.max(1, Math.round(2 * (8192 / n) ** 3)));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass({ timestampWrites: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  for (let at = 0; at < repeats; at++) pass.dispatchWorkgroups(...grid);
  pass.end();
  encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
  device.queue.submit([encoder.finish()]);
  const [start, end] = new BigUint64Array(await bytesOf(resolved, 0, readable, 16));
  return (2 * n ** 3 * repeats) / Number(end - start) / 1e3;
}

/** Returns the largest error of some entries of the first, a middle and the last row. */
async function errorOf() {
  let worst = 0;
  for (const i of [0, n / 2 + 13, n - 1]) {
    const found = new Float32Array(await bytesOf(c, 4 * n * i, row, 4 * n));
    for (const j of [0, 3, 65, 130, n - 1]) {
      let exact = 0;
      for (let q = 0; q < n; q++) exact += entryOfA(i, q) * entryOfB(q, j);
      worst = Math.max(worst, Math.abs(found[j] - exact));
    }
  }
  return worst;
}

const kernels = [];
for (const name of names) {
  const options = optionsOf(name);
  const module = device.createShaderModule({ code: shaderOf(options) });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const entries = [params, a, b, c].map((one, binding) => ({ binding, resource: { buffer: one } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  kernels.push({ name, pipeline, group, grid: [n / 8 / options.across, n / 8 / options.down], rates: [] });
}
for (const kernel of kernels) {
  await rateOf(kernel);
  kernel.error = await errorOf();
}
for (let at = 0; at < Number(rounds); at++) for (const kernel of kernels) kernel.rates.push(await rateOf(kernel));
for (const { name, rates, error } of kernels) {
  const median = rates.toSorted((one, other) => one - other)[rates.length >> 1];
  console.log(`${median.toFixed(2)} Tflop/s ${name} [${rates.map((rate) => rate.toFixed(1)).join(' ')}], error ${error.toExponential(1)}`);
}
process.exit();
