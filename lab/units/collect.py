"""Asks a machine's matrix units, and the libraries that drive them, for products of operands that operands.py makes.

python3 collect.py OUT: everything, each part in a process of its own; OUT gets a gzip file a format, index.json and summary.txt.
A section of index.json: format, source (a unit or a library's call), steps or k, kind, where its words lie in the
unzipped file of its format (offset and count in words of 32 bits), or which section holds the very same words (`same`).
"""
import collections, gzip, json, os, re, shutil, subprocess, sys, tempfile, time, traceback
import numpy as np
import operands as o

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = (1, 4)
UNITS = {
    'f16': ['wgmma_f16', 'mma_f16', 'short_f16', 'wgmma_f16_f16', 'mma_f16_f16'],
    'bf16': ['wgmma_bf16', 'mma_bf16', 'short_bf16'],
    'tf32': ['wgmma_tf32', 'mma_tf32', 'short_tf32'],
    'e4m3': ['wgmma_e4m3', 'mma_e4m3', 'wgmma_e4m3_f16'],
    'e5m2': ['wgmma_e5m2', 'mma_e5m2', 'wgmma_e5m2_f16'],
    'int8': ['wgmma_int8', 'mma_int8', 'wgmma_int8_sat', 'mma_int8_sat', 'wgmma_uint8', 'mma_uint8'],
}
# Results to keep: the first tiles of a kind; all tiles for the main unit.
FEWER = {'wgmma_f16_f16': 24, 'mma_f16_f16': 24, 'wgmma_e4m3_f16': 24, 'wgmma_e5m2_f16': 24}


class Store:
    def __init__(self, path, name, part):
        self.path, self.name, self.part = path, name, part
        self.sections, self.seen, self.words = [], {}, 0
        self.file = open(f'{path}/{name}.{part}.words', 'wb')

    def add(self, words, **what):
        words = np.ascontiguousarray(words).reshape(-1).view(np.uint32)
        key = words.tobytes()
        section = dict(format=self.name, part=self.part, count=len(words), **what)
        if key in self.seen:
            section['same'] = self.seen[key]
            section['offset'] = self.sections[self.seen[key]]['offset']
        else:
            self.seen[key] = len(self.sections)
            section['offset'] = self.words
            self.file.write(key)
            self.words += len(words)
        self.sections.append(section)

    def close(self):
        self.file.close()
        json.dump(self.sections, open(f'{self.path}/{self.name}.{self.part}.json', 'w'))


def say(*words):
    print(*words, flush=True)


def compile_units(work):
    """The path of the compiled units.cu."""
    target = f'{work}/units.cubin'
    command = ['nvcc', '-cubin', '-gencode=arch=compute_90a,code=sm_90a', '-o', target, f'{HERE}/units.cu']
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            say('nvcc failed:', done.stderr[-1500:])
    except Exception as error:
        say('no nvcc:', error)
    return target


def instructions(work, cubin):
    """The machine instructions in each kernel."""
    text = subprocess.run(['cuobjdump', '--dump-sass', cubin], capture_output=True, text=True, timeout=60).stdout
    name, counts = None, collections.defaultdict(collections.Counter)
    for line in text.splitlines():
        if 'Function :' in line:
            name = line.split(':')[1].strip()
        found = re.search(r'\b([HQI]G?MMA[.\w]*|F2FP[.\w]*|HADD2[.\w]*)', line)
        if found:
            counts[name][found.group(1)] += 1
    for name in sorted(counts):
        say('  sass', name, dict(counts[name]))


def launch(kernel, name, a, b, c, steps, order):
    import cupy
    tiles = len(c)
    out = cupy.zeros(tiles * 512, dtype=cupy.uint32)
    args = (cupy.asarray(a.reshape(-1).view(np.uint32)), cupy.asarray(b.reshape(-1).view(np.uint32)), cupy.asarray(c.reshape(-1)), out, np.int32(steps))
    if name.startswith('wgmma'):
        args += tuple(np.int32(x) for x in order)
    kernel((tiles,), (128,), args)
    cupy.cuda.Device().synchronize()
    return cupy.asnumpy(out).reshape(tiles, 64, 8)


def exact_integers(unit, a, b, c, name, steps):
    x, y = o.decode(name, a), o.decode(name, b)
    if unit.endswith('uint8'):
        x, y = a.astype(np.float64), b.astype(np.float64)
    total = np.einsum('tik,tjk->tij', x, y)
    if name == 'int8':
        total = total + c.view(np.int32)
        return (total.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    return (total + c.view(np.float32)).astype(np.float32).view(np.uint32)


def units_part(work, name, cubin):
    import cupy
    module = cupy.RawModule(path=cubin)
    store = Store(work, name, 'units')
    for steps in STEPS:
        for kind in o.kinds_of(name):
            a, b, c = o.case(name, kind, steps, o.tiles_of(name))
            wa, wb = o.words(name, kind, a), o.words(name, kind, b)
            first = None
            for unit in UNITS[name]:
                tiles = min(FEWER.get(unit, len(c)), len(c))
                try:
                    d = unit_product(module, store, unit, name, wa[:tiles], wb[:tiles], c[:tiles], steps, kind, a[:tiles], b[:tiles])
                except Exception as error:
                    say(f'FAILED {name} {unit} steps {steps} {kind}: {error!r}')
                    continue
                if d is None:
                    continue
                store.add(d, source=unit, steps=steps, kind=kind, tiles=tiles)
                if first is None:
                    first = d
                else:
                    say(f'{name} steps {steps} {kind}: {unit} equals {UNITS[name][0]} on {int((d == first[:tiles]).sum())} of {d.size}')
    store.close()


ORDERS = {}


def unit_product(module, store, unit, name, wa, wb, c, steps, kind, a, b):
    """The words of D; the first product of a unit is of integers and must be exact, or the unit is left out."""
    kernel = module.get_function(unit)
    if unit not in ORDERS:
        ia, ib, ic = o.case(name, 'integers', steps, 8)
        expected = exact_integers(unit, ia, ib, ic, name, steps)
        jobs = [(128, 256), (256, 128)] if unit.startswith('wgmma') else [(0, 0)]
        right = []
        for order in jobs:
            d = launch(kernel, unit, o.words(name, 'integers', ia), o.words(name, 'integers', ib), ic, steps, order)
            wrong = int((d != expected).sum())
            if unit.endswith('_f16') and unit.count('_') == 2:
                wrong = int((np.abs(d.view(np.float32) - expected.view(np.float32)) > 8).sum())
            if wrong == 0:
                right.append(order)
            else:
                say(f'{unit} {order}: {wrong} of {d.size} integer products are wrong')
        ORDERS[unit] = right[0] if right else None
        say(f'CHECK {unit}: integer products {"exact, descriptor " + str(right[0]) if right else "WRONG, left out"}')
    if ORDERS[unit] is None:
        return None
    return launch(kernel, unit, wa, wb, c, steps, ORDERS[unit])


def on_device(name, code):
    import torch
    w = o.words(name, 'narrow', code)
    kind = {'f16': torch.float16, 'bf16': torch.bfloat16, 'tf32': torch.float32, 'e4m3': torch.float8_e4m3fn, 'e5m2': torch.float8_e5m2, 'int8': torch.int8}[name]
    signed = {1: np.int8, 2: np.int16, 4: np.int32}[o.FORMATS[name][0]]
    return torch.from_numpy(w.view(signed).copy()).cuda().view(kind)


def triton_calls():
    """Triton's products with and without promotion, of the programs beside the reports."""
    import torch
    sys.path[:0] = [f'{HERE}/../../share/programs', f'{HERE}/../../reports/formats/kernels']
    import triton_fp8 as of

    def sums(terms):
        return lambda x, y: of.product(x.float(), y.t().float(), imprecise=terms)

    def blocks(x, y):
        k = -(-x.shape[1] // 128)
        ones = {'a': torch.ones(x.shape[0], k, device='cuda'), 'b': torch.ones(-(-y.shape[0] // 128), k, device='cuda')}
        return of.product(x.float(), y.t().float(), factors={side: {'scales': [one]} for side, one in ones.items()})

    return {'triton-fast': sums(2**30), 'triton-32': sums(32), 'triton-64': sums(64), 'triton-128': sums(128), 'triton-blocks': blocks}


def calls_of(name):
    """The calls of the library for a format: name, and a function of op(A) (m × k) and B^T (n × k)."""
    import torch
    one = torch.ones((), device='cuda')
    if name in ('e4m3', 'e5m2'):
        def scaled(fast, out):
            return lambda x, y: torch._scaled_mm(x, y.t(), scale_a=one, scale_b=one, out_dtype=out, use_fast_accum=fast)

        def rows(fast):
            def run(x, y):
                sa, sb = torch.ones(x.shape[0], 1, device='cuda'), torch.ones(1, y.shape[0], device='cuda')
                return torch._scaled_mm(x, y.t(), scale_a=sa, scale_b=sb, out_dtype=torch.bfloat16, use_fast_accum=fast)
            return run
        def blocks(x, y):
            m, n, k = x.shape[0], y.shape[0], x.shape[1]
            sa = torch.ones(k // 128, m, device='cuda').t()
            sb = torch.ones(n // 128, k // 128, device='cuda').t()
            return torch._scaled_mm(x, y.t(), scale_a=sa, scale_b=sb, out_dtype=torch.bfloat16)
        triton = {}
        if name == 'e4m3':
            try:
                triton = triton_calls()
            except Exception as error:
                say(f'FAILED triton: {error!r}')
        return {
            'blocks': blocks,
            'scaled-fast': scaled(True, torch.float32), 'scaled-slow': scaled(False, torch.float32),
            'rows-fast': rows(True), 'rows-slow': rows(False),
            **triton,
        }
    if name == 'int8':
        return {'int-mm': lambda x, y: torch._int_mm(x, y.t())}
    if name == 'tf32':
        def tf32(x, y):
            torch.backends.cuda.matmul.allow_tf32 = True
            return x @ y.t()
        return {'matmul': tf32}

    def matmul(reduced, wide):
        def run(x, y):
            torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = reduced
            torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = reduced
            return torch.mm(x, y.t(), out_dtype=torch.float32) if wide else x @ y.t()
        return run
    return {'mm-f32': matmul(False, True), 'mm-reduced-on': matmul(True, False), 'mm-reduced-off': matmul(False, False)}


def kernel_name(run):
    import torch
    from torch.profiler import profile, ProfilerActivity
    with profile(activities=[ProfilerActivity.CUDA]) as p:
        run()
        torch.cuda.synchronize()
    return [e.key for e in p.key_averages() if 'memset' not in e.key.lower()][:4]


def library_part(work, name):
    import torch
    store = Store(work, name, 'library')
    for rows in (64, 1024):
        for kind in ('bits',) if name == 'int8' else ('narrow', 'wide'):
            xs, ys = (on_device(name, o.library_operand(name, kind, side, rows, 4096)) for side in 'ab')
            if name == 'e5m2':
                # the library refuses e5m2 by e5m2: B is e4m3's.
                ys = on_device('e4m3', o.library_operand('e4m3', kind, 'b', rows, 4096))
            for call, run in calls_of(name).items():
                for k in (16, 32, 64, 128, 256, 512, 1024, 2048, 4096):
                    x, y = xs[:, :k].contiguous(), ys[:, :k].contiguous()
                    try:
                        d = run(x, y)
                        torch.cuda.synchronize()
                        corner = d[:64, :64].contiguous()
                        corner = corner if corner.dtype == torch.int32 else corner.to(torch.float32)
                        names = None
                        if kind != 'wide' and k in (16, 256, 4096):
                            try:
                                names = kernel_name(lambda: run(x, y))
                            except Exception as error:
                                names = [repr(error)[:80]]
                            say(f'{name} {call} {rows}x{rows}x{k}: {names}')
                        store.add(corner.cpu().numpy(), source=call, k=k, kind=kind, rows=rows, type=str(d.dtype), kernels=names)
                    except Exception as error:
                        say(f'FAILED {name} {call} {rows} {kind} k {k}: {str(error)[:200]!r}')
                        if 'CUDA error' in str(error):
                            store.close()
                            return
    store.close()


def main(out):
    began = time.time()
    work = tempfile.mkdtemp()
    log = open(f'{out}/summary.txt', 'w')

    def tell(text):
        say(text)
        log.write(text + '\n')
        log.flush()

    try:
        tell(subprocess.run(['nvidia-smi'], capture_output=True, text=True, timeout=20).stdout)
    except Exception as error:
        tell(f'no nvidia-smi: {error}')
    cubin = compile_units(work)
    waiting = {}
    for part in ('sass', 'units', 'library'):
        for name in ['all'] if part == 'sass' else o.FORMATS:
            path = f'{work}/{part}.{name}.log'
            command = [sys.executable, os.path.abspath(__file__), '--part', work, part, name, cubin]
            waiting[part, name] = (subprocess.Popen(command, stdout=open(path, 'w'), stderr=subprocess.STDOUT, env=dict(os.environ, OMP_NUM_THREADS='2')), path)
    for (part, name), (process, path) in waiting.items():
        try:
            code = process.wait(timeout=max(1, 190 - (time.time() - began)))
        except subprocess.TimeoutExpired:
            process.kill()
            code = 'out of time'
        tell(f'--- {part} {name}: exit {code}')
        tell(open(path).read())
    sections = []
    for name in o.FORMATS:
        data = b''
        for part in ('units', 'library'):
            words, listed = f'{work}/{name}.{part}.words', f'{work}/{name}.{part}.json'
            if not os.path.exists(listed):
                continue
            for section in json.load(open(listed)):
                section['offset'] += len(data) // 4
                sections.append(section)
            data += open(words, 'rb').read()
        with gzip.open(f'{out}/{name}.gz', 'wb', 6) as file:
            file.write(data)
        tell(f'{name}: {len(data)} bytes, {os.path.getsize(f"{out}/{name}.gz")} zipped')
    info = {}
    try:
        import torch
        info = dict(device=torch.cuda.get_device_name(0), torch=torch.__version__, cuda=torch.version.cuda)
    except Exception as error:
        info = dict(error=repr(error))
    json.dump(dict(info=info, sections=sections), open(f'{out}/index.json', 'w'))
    tell(f'{len(sections)} sections, {time.time() - began:.0f} s')
    log.close()
    shutil.rmtree(work)


if __name__ == '__main__':
    if sys.argv[1] == '--part':
        _, _, work, part, name, cubin = sys.argv
        try:
            {'sass': lambda: instructions(work, cubin), 'units': lambda: units_part(work, name, cubin), 'library': lambda: library_part(work, name)}[part]()
        except Exception:
            traceback.print_exc()
            sys.exit(1)
    else:
        main(sys.argv[1])
