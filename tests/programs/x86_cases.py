# SPDX-License-Identifier: GPL-2.0-only
"""Instructions of x86-64 for test_x86_reader.py: assembler text, {} where memory is named.

What they read and write does not stand here.
"""

SUMS = ['add', 'or', 'adc', 'sbb', 'and', 'sub', 'xor', 'cmp']
REGS = {'b': 'al', 'w': 'ax', 'l': 'eax', 'q': 'rax'}
HIGH = {'b': 'r10b', 'w': 'r10w', 'l': 'r10d', 'q': 'r10'}
CONDS = ['o', 'no', 'b', 'ae', 'e', 'ne', 'be', 'a', 's', 'ns', 'p', 'np', 'l', 'ge', 'le', 'g']


def whole_numbers():
    for s, r in REGS.items():
        h, n = HIGH[s], '$3' if s == 'b' else '$0x1234'
        for op in SUMS + ['mov']:
            yield from (f'{op}{s} %{r}, {{}}', f'{op}{s} {{}}, %{r}', f'{op}{s} %{h}, {{}}',
                        f'{op}{s} {{}}, %{h}', f'{op}{s} {n}, {{}}')
            if s != 'b' and op != 'mov':
                yield f'{op}{s} $5, {{}}'
        yield from (f'test{s} %{r}, {{}}', f'test{s} {n}, {{}}', f'xchg{s} %{r}, {{}}',
                    f'xadd{s} %{r}, {{}}', f'cmpxchg{s} %{h}, {{}}')
        for op in ['inc', 'dec', 'not', 'neg', 'mul', 'imul', 'div', 'idiv']:
            yield f'{op}{s} {{}}'
        for op in ['rol', 'ror', 'rcl', 'rcr', 'shl', 'shr', 'sar']:
            yield from (f'{op}{s} {{}}', f'{op}{s} $3, {{}}', f'{op}{s} %cl, {{}}')
        if s == 'b':
            continue
        for op in ['bt', 'bts', 'btr', 'btc']:
            yield from (f'{op}{s} $3, {{}}', f'{op}{s} %{h}, {{}}')
        for op in ['shld', 'shrd']:
            yield from (f'{op}{s} $3, %{h}, {{}}', f'{op}{s} %cl, %{h}, {{}}')
        for op in ['bsf', 'bsr', 'popcnt', 'lzcnt', 'tzcnt', 'imul', 'movbe', 'crc32']:
            r = HIGH['q' if s == 'q' else 'l'] if op == 'crc32' else h
            yield f'{op}{s if op == "crc32" else ""} {{}}, %{r}'
        yield from (f'imul{s} $3, {{}}, %{h}', f'imul{s} $0x1234, {{}}, %{h}',
                    f'movbe %{h}, {{}}')
        for cond in CONDS[::3]:
            yield f'cmov{cond} {{}}, %{h}'
        for wide in 'wlq':
            for op in ['movz', 'movs']:
                if 'wlq'.index(s) <= 'wlq'.index(wide):
                    yield f'{op}b{wide} {{}}, %{HIGH[wide]}'
                if s == 'w' and wide != 'w':
                    yield f'{op}w{wide} {{}}, %{HIGH[wide]}'
    for cond in CONDS:
        yield f'set{cond} {{}}'
    yield from ('movslq {}, %r10', 'crc32b {}, %r10d', 'movnti %eax, {}', 'movnti %rax, {}',
                'cmpxchg8b {}', 'cmpxchg16b {}', 'mov %ds, {}', 'mov {}, %ds', 'lock addl $1, {}',
                'lock cmpxchgq %r10, {}', 'lock cmpxchg16b {}', 'lock xaddl %eax, {}',
                'lock orb $1, {}')
    for op in ['bextr', 'bzhi', 'shlx', 'sarx', 'shrx']:
        yield f'{op} %r9, {{}}, %r10'
    yield from ('andn {}, %r9, %r10', 'bzhi %r9d, {}, %r10d', 'blsr {}, %r10', 'blsi {}, %r10d',
                'blsmsk {}, %r10',
                'pdep {}, %r9, %r10', 'pext {}, %r9d, %r10d', 'mulx {}, %r9, %r10',
                'rorx $3, {}, %r10', 'rorx $3, {}, %r10d', 'adcx {}, %r10', 'adox {}, %r10d')


# No memory is touched, or a line of the cache alone.
ADDRESSES = ['lea {}, %r10', 'lea {}, %r10d', 'lea {}, %r10w', 'nopw {}', 'nopl {}',
             'prefetcht0 {}', 'prefetcht1 {}', 'prefetcht2 {}', 'prefetchnta {}', 'prefetchw {}',
             'prefetch {}', 'clflush {}', 'clflushopt {}', 'clwb {}', 'cldemote {}', 'invlpg {}']

SYSTEM = ['sgdt {}', 'sidt {}', 'lgdt {}', 'lidt {}', 'sldt {}', 'str {}', 'lldt {}', 'ltr {}',
          'verr {}', 'verw {}', 'smsw {}', 'lmsw {}', 'larl {}, %r10d', 'lsll {}, %r10d',
          'lss {}, %r10d', 'lfs {}, %r10d', 'lgs {}, %r10w', 'fxsave {}', 'fxsave64 {}',
          'fxrstor {}', 'xsave {}', 'xsave64 {}', 'xsaveopt {}', 'xsavec {}', 'xsaves {}',
          'xrstor {}', 'xrstors {}', 'stmxcsr {}', 'ldmxcsr {}', 'vstmxcsr {}', 'vldmxcsr {}',
          'invpcid {}, %r10', 'invept {}, %r10', 'invvpid {}, %r10', 'vmread %r10, {}',
          'vmwrite {}, %r10', 'vmptrld {}', 'vmptrst {}', 'vmclear {}', 'vmxon {}',
          'ptwritel {}', 'ptwriteq {}', 'movdiri %r10d, {}', 'movdiri %r10, {}',
          'movdir64b {}, %r10', 'enqcmd {}, %r10']

X87 = [f'{op} {{}}' for op in
       ['flds', 'fldl', 'fldt', 'fsts', 'fstl', 'fstps', 'fstpl', 'fstpt', 'filds', 'fildl',
        'fildll', 'fists', 'fistl', 'fistps', 'fistpl', 'fistpll', 'fisttps', 'fisttpl',
        'fisttpll', 'fbld', 'fbstp', 'fldcw', 'fnstcw', 'fnstsw', 'fldenv', 'fnstenv', 'frstor',
        'fnsave'] +
       [f'f{i}{op}{s}' for op in ['add', 'mul', 'com', 'comp', 'sub', 'subr', 'div', 'divr']
        for i, s in [('', 's'), ('', 'l'), ('i', 's'), ('i', 'l')]]]

# Operations of two operands, with and without VEX: name, and how many operands with VEX.
PACKED = ['addps', 'addpd', 'mulps', 'subpd', 'divps', 'minps', 'maxpd', 'andps', 'andnpd', 'orps',
          'xorpd', 'unpcklps', 'unpckhpd', 'haddps', 'hsubpd', 'addsubps', 'addsubpd']
PACKED_TO = ['sqrtps', 'sqrtpd', 'rsqrtps', 'rcpps', 'movaps', 'movapd', 'movups', 'movupd',
             'movdqa', 'movdqu', 'lddqu', 'movsldup', 'movshdup', 'movddup', 'cvtdq2ps',
             'cvtps2dq', 'cvttps2dq', 'cvtps2pd', 'cvtdq2pd', 'ptest', 'pabsb', 'pabsd',
             'pmovsxbw', 'pmovsxbd', 'pmovsxbq', 'pmovsxwd', 'pmovsxwq', 'pmovsxdq', 'pmovzxbw',
             'pmovzxbd', 'pmovzxbq', 'pmovzxwd', 'pmovzxwq', 'pmovzxdq']
SCALAR = ['addss', 'addsd', 'mulss', 'subsd', 'divss', 'minsd', 'maxss']
INTEGER = ['punpcklbw', 'punpcklwd', 'punpckldq', 'packsswb', 'pcmpgtb', 'packuswb', 'punpckhbw',
           'packssdw', 'pcmpeqb', 'pcmpeqd', 'psrlw', 'psrlq', 'psraw', 'psllw', 'psllq', 'paddq',
           'pmullw', 'psubusb', 'pminub', 'pand', 'paddusb', 'pmaxub', 'pandn', 'pavgb', 'psrad',
           'pmulhuw', 'pmulhw', 'psubsb', 'pminsw', 'por', 'paddsb', 'pxor', 'pmuludq', 'pmaddwd',
           'psadbw', 'psubb', 'psubq', 'paddb', 'paddd', 'pshufb', 'phaddw', 'pmaddubsw', 'psignd',
           'pmulhrsw']
SSE4 = ['punpcklqdq', 'punpckhqdq', 'pmuldq', 'pcmpeqq', 'packusdw', 'pminsb', 'pmaxud', 'pmulld',
        'pcmpgtq', 'aesenc', 'aesdeclast']
VEX_ONLY = ['vbroadcastss {}, %xmm1', 'vbroadcastss {}, %ymm1', 'vbroadcastsd {}, %ymm1',
            'vbroadcastf128 {}, %ymm1', 'vbroadcasti128 {}, %ymm1', 'vpbroadcastb {}, %xmm1',
            'vpbroadcastw {}, %ymm1', 'vpbroadcastd {}, %ymm1', 'vpbroadcastq {}, %ymm1',
            'vinsertf128 $1, {}, %ymm2, %ymm1', 'vextractf128 $1, %ymm1, {}',
            'vinserti128 $1, {}, %ymm2, %ymm1', 'vextracti128 $1, %ymm1, {}',
            'vperm2f128 $1, {}, %ymm2, %ymm1', 'vpermq $1, {}, %ymm1', 'vpermd {}, %ymm2, %ymm1',
            'vpermilps $1, {}, %ymm1', 'vpermilpd {}, %ymm2, %ymm1', 'vcvtph2ps {}, %xmm1',
            'vcvtph2ps {}, %ymm1', 'vcvtps2ph $0, %xmm1, {}', 'vcvtps2ph $0, %ymm1, {}',
            'vmaskmovps {}, %ymm2, %ymm1', 'vmaskmovps %ymm2, %ymm1, {}',
            'vmaskmovpd %xmm2, %xmm1, {}', 'vpmaskmovd {}, %xmm2, %xmm1',
            'vpmaskmovq %ymm2, %ymm1, {}', 'vtestps {}, %ymm1', 'vpsllvd {}, %ymm2, %ymm1',
            'vpblendd $1, {}, %ymm2, %ymm1', 'vblendvps %ymm3, {}, %ymm2, %ymm1',
            'vpsllw {}, %ymm2, %ymm1', 'vpsrad {}, %ymm2, %ymm1']


def vectors():
    for op in PACKED + SCALAR + SSE4 + INTEGER:
        yield from (f'{op} {{}}, %xmm1', f'v{op} {{}}, %xmm2, %xmm9')
        if op not in SCALAR and not op.startswith(('aes', 'psrl', 'psra', 'psll')):
            yield f'v{op} {{}}, %ymm2, %ymm1'
    for op in INTEGER:
        yield f'{op} {{}}, %mm1'
    for op in PACKED_TO:
        yield from (f'{op} {{}}, %xmm1', f'v{op} {{}}, %xmm9', f'v{op} {{}}, %ymm1')
    for op in ['movaps', 'movapd', 'movups', 'movupd', 'movdqa', 'movdqu', 'movntps', 'movntpd',
               'movntdq']:
        yield from (f'{op} %xmm9, {{}}', f'v{op} %xmm9, {{}}', f'v{op} %ymm1, {{}}')
    for op in ['movss', 'movsd', 'movlps', 'movlpd', 'movhps', 'movhpd', 'movd', 'movq']:
        three = ', %xmm2' if op.startswith(('movl', 'movh')) else ''
        yield from (f'{op} %xmm9, {{}}', f'{op} {{}}, %xmm1', f'v{op} %xmm1, {{}}',
                    f'v{op} {{}}{three}, %xmm9')
    for n in ('132', '213', '231'):
        for op in ('fmadd', 'fnmsub'):
            yield from (f'v{op}{n}{s} {{}}, %xmm2, %xmm1' for s in ('ps', 'pd', 'ss', 'sd'))
            yield f'v{op}{n}ps {{}}, %ymm2, %ymm1'
        yield f'vfmaddsub{n}pd {{}}, %ymm2, %ymm1'
    for op in ['ucomiss', 'comisd', 'sqrtss', 'sqrtsd', 'rsqrtss', 'rcpss', 'cvtss2sd',
               'cvtsd2ss', 'movntdqa', 'phminposuw']:
        yield f'{op} {{}}, %xmm1'
    for op in ['cvtsi2ss', 'cvtsi2sd']:
        yield from (f'{op}l {{}}, %xmm1', f'{op}q {{}}, %xmm1', f'v{op}q {{}}, %xmm2, %xmm1')
    for op in ['cvtss2si', 'cvttss2si', 'cvtsd2si', 'cvttsd2si']:
        yield from (f'{op} {{}}, %r10d', f'{op} {{}}, %r10', f'v{op} {{}}, %r10')
    for op in ['cvtpd2ps', 'cvtpd2dq', 'cvttpd2dq']:
        yield from (f'{op} {{}}, %xmm1', f'v{op}x {{}}, %xmm1', f'v{op}y {{}}, %xmm1')
    for op in ['cvtps2pi', 'cvttps2pi', 'cvtpd2pi']:
        yield f'{op} {{}}, %mm1'
    yield from ('cvtpi2ps {}, %xmm1', 'cvtpi2pd {}, %xmm1', 'movq {}, %mm1', 'movq %mm1, {}',
                'movd {}, %mm1', 'movd %mm1, {}', 'movntq %mm1, {}', 'pshufw $1, {}, %mm1')
    for op in ['pshufd', 'pshuflw', 'pshufhw', 'roundps', 'roundss', 'roundsd', 'pcmpistri',
               'pcmpestrm', 'aeskeygenassist']:
        yield f'{op} $1, {{}}, %xmm1'
    for op in ['shufps', 'shufpd', 'cmpps', 'cmppd', 'cmpss', 'cmpsd', 'palignr', 'blendps',
               'pblendw', 'dpps', 'dppd', 'mpsadbw', 'pclmulqdq', 'insertps', 'pinsrw', 'pinsrb',
               'pinsrd', 'pinsrq']:
        yield from (f'{op} $1, {{}}, %xmm1', f'v{op} $1, {{}}, %xmm2, %xmm1')
    for op in ['pextrb', 'pextrw', 'pextrd', 'pextrq', 'extractps']:
        yield from (f'{op} $1, %xmm1, {{}}', f'v{op} $1, %xmm1, {{}}')
    yield from ('sha1nexte {}, %xmm1', 'sha256msg1 {}, %xmm1', 'sha1rnds4 $1, {}, %xmm1',
                'blendvpd %xmm0, {}, %xmm1', 'pblendvb %xmm0, {}, %xmm1',
                'gf2p8mulb {}, %xmm1', 'movntss %xmm1, {}', 'movntsd %xmm1, {}')
    yield from VEX_ONLY


# The stack's, and strings, whose memory no operand names or only one of the two.
STACK = ['push %rax', 'push %r10', 'pushw %ax', 'push $1', 'push $0x12345', 'pushw $1',
         'pushw $0x1234', 'push {}', 'pushw {}', 'pushf', 'pushfw', 'push %fs', 'push %gs',
         'pop %rax', 'pop %r10', 'popw %ax', 'pop {}', 'popw {}', 'popf', 'popfw', 'pop %fs',
         'enter $0x20, $0', 'enter $0, $0', 'leave', 'call . + 0x100', 'call *%rax', 'call *{}',
         'jmp *{}']
STRINGS = [f'{rep}{op}{s}' for op in ['movs', 'stos', 'lods', 'cmps', 'scas', 'ins', 'outs']
           for s in 'bwlq' for rep in ('', 'rep ', 'repne ')
           if not (s == 'q' and op in ('ins', 'outs'))]
IMPLIED = ['maskmovdqu %xmm1, %xmm2', 'vmaskmovdqu %xmm1, %xmm2', 'maskmovq %mm1, %mm2']

# Nothing of memory; by what they do to general registers.
QUIET = ['fwait', 'nop', 'pause', 'xchg %ax, %ax', 'endbr64', 'lfence', 'mfence', 'sfence', 'cltd',
         'cqto', 'cltq', 'cwtl', 'cbtw', 'sahf', 'lahf', 'clc', 'cmc', 'cld', 'cli', 'sti', 'hlt',
         'rdtsc', 'rdtscp', 'rdpmc', 'cpuid', 'rdmsr', 'wrmsr', 'xgetbv', 'xsetbv', 'syscall',
         'swapgs', 'stac', 'clac', 'monitor', 'mwait', 'in $0x60, %al', 'in %dx, %eax',
         'out %al, %dx', 'mov %cr0, %rax', 'mov %rax, %cr3', 'mov %db7, %r10', 'clts', 'invd',
         'wbinvd', 'emms', 'vzeroupper', 'vzeroall', 'fld1', 'fchs', 'fninit',
         'fnstsw %ax', 'faddp', 'fxch', 'rdrand %r10', 'rdseed %eax', 'rdfsbase %r10',
         'wrgsbase %rax', 'rdpkru', 'wrpkru', 'rdpid %r10', 'sldt %r10d', 'str %eax', 'smsw %ecx',
         'lmsw %cx', 'rdsspq %r10', 'bswap %r10', 'bswap %eax', 'xlat', 'jne . + 0x30',
         'jg . + 0x300', 'jrcxz . + 4', 'loop . + 4', 'loopne . + 4', 'movabs $0x123456789, %r10',
         'movabs 0x123456789abc, %eax', 'movabs %al, 0x123456789abc', 'xchg %rax, %r10',
         'xchg %eax, %r8d', 'mov $1, %ah', 'mov $1, %bh', 'add %cl, %dh', 'mov %dil, %sil',
         'or $4, %ah', 'sete %ch', 'inc %dh', 'xchg %ah, %bl', 'xadd %ah, %bl', 'mov %cl, %ah',
         'xadd %rax, %r10', 'cmpxchg %rcx, %r10', 'mul %r10', 'mul %cl', 'div %ecx',
         'imul %rcx, %r10', 'imul $3, %rcx, %r10', 'bts %rax, %r10', 'bt %rax, %r10',
         'btr $3, %ecx', 'shld $3, %rax, %r10', 'shl %cl, %r10', 'sar $3, %eax', 'not %r10',
         'neg %dl', 'inc %r10', 'dec %ecx', 'test %rax, %r10', 'cmp %rax, %r10', 'cmp $3, %al',
         'test $3, %eax', 'add $0x1234, %eax', 'sub $1, %r10', 'mov %rax, %r10', 'mov %eax, %ecx',
         'movzbl %al, %r10d', 'movslq %eax, %r10', 'cmovne %rax, %r10', 'popcnt %rax, %r10',
         'bsf %rax, %r10', 'crc32q %rax, %r10', 'andn %rax, %rcx, %r10', 'blsr %rax, %r10',
         'mulx %rax, %r9, %r10', 'rorx $1, %rax, %r10', 'shlx %rax, %rcx, %r10',
         'adox %rax, %r10', 'movd %xmm1, %r10d', 'movq %r10, %xmm1', 'movmskps %xmm4, %r10d',
         'vmovmskpd %ymm4, %eax', 'pmovmskb %xmm1, %ecx', 'pextrw $1, %xmm4, %r10d',
         'pextrb $1, %xmm4, %eax', 'vpextrq $1, %xmm4, %r10', 'pinsrd $1, %eax, %xmm4',
         'cvttss2si %xmm4, %r10', 'cvtsi2sd %rax, %xmm4', 'movaps %xmm3, %xmm4',
         'vaddps %ymm3, %ymm4, %ymm5', 'pxor %xmm4, %xmm4', 'movhlps %xmm3, %xmm4',
         'movq2dq %mm3, %xmm4', 'movdq2q %xmm4, %mm3', 'psrldq $1, %xmm4', 'psllw $1, %mm4',
         'pcmpistri $1, %xmm3, %xmm4', 'pcmpestri $1, %xmm3, %xmm4', 'lar %eax, %r10d',
         'vmread %rax, %r10', 'vmwrite %rax, %r10', 'lea 8(%rax,%rcx), %r10',
         'mov %ds, %eax', 'mov %eax, %ds']
