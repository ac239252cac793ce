import * as z from 'zod'
import type { CodeReadiness } from '#shared/tools/tools/code-readiness.ts'
import type { Programs } from './bubblewrap.ts'
import type { BoxBounds, CodeOutcome, Language } from './job.ts'

type Run = (
  code: string,
  bounds: Partial<BoxBounds>,
) => Promise<Pick<CodeOutcome, 'status' | 'stdout' | 'stderr' | 'ms'>>

/** Modules a program may rely on, with their Debian packages. */
export const pythonLibraries = {
  numpy: 'python3-numpy',
  pandas: 'python3-pandas',
  matplotlib: 'python3-matplotlib',
  openpyxl: 'python3-openpyxl',
  docx: 'python3-docx',
  pptx: 'python3-pptx',
  reportlab: 'python3-reportlab',
  PIL: 'python3-pil',
}

const pythonProbe = `
import ctypes, importlib.util, json, os, socket, sys
def fails(work):
    try:
        work()
    except (OSError, MemoryError):
        return True
    return False
def fork_many():
    for _ in range(200):
        if os.fork() == 0:
            import time
            time.sleep(9)
def unshare():
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000) != 0:
        raise OSError
def alone():
    tables = [f'/proc/net/{name}' for name in ('route', 'tcp', 'tcp6')]
    return all(len(open(table).readlines()) < 2 for table in tables if os.path.exists(table))
def fill():
    with open('/work/big', 'wb') as target:
        os.posix_fallocate(target.fileno(), 0, 1 << 33)
checks = {
    # The machine itself may have no way out, so its routes and sockets must also be invisible.
    'network': alone() and fails(lambda: socket.create_connection(('1.1.1.1', 53), 1)),
    'host_files': not any(os.path.exists(path) for path in ('/etc/passwd', '/etc/shadow', '/home', '/root', '/var')),
    'environment': all(name not in os.environ for name in ('DATABASE_URL', 'USER', 'OLDPWD', 'ATRIUM_DATA_DIR')),
    'host_processes': sum(name.isdigit() for name in os.listdir('/proc')) < 6,
    'read_only': fails(lambda: open('/usr/atrium', 'w')) and fails(lambda: open('/atrium', 'w')),
    'not_root': os.getuid() != 0,
    'namespaces': fails(unshare),
    'disk': fails(fill),
    'memory': fails(lambda: bytearray(1 << 35)),
    'processes': fails(fork_many),
}
found = [name for name in ${JSON.stringify(Object.keys(pythonLibraries))} if importlib.util.find_spec(name)]
print(json.dumps({'checks': checks, 'libraries': found}))
`

const javascriptProbe = `
const none = (name) => typeof globalThis[name] === 'undefined'
const fails = (work) => { try { work(); return false } catch { return true } }
console.log(JSON.stringify({
  checks: {
    network: none('fetch') && none('WebSocket'),
    host_files: none('require') && none('process'),
    recursion: fails(() => { const deeper = () => deeper() + 1; deeper() }),
    memory: fails(() => { new Uint8Array(1 << 30) }),
  },
  libraries: [],
}))
`

const Found = z.object({ checks: z.record(z.string(), z.boolean()), libraries: z.array(z.string()) })

/** Runs hostile programs in the box of a language. The language is used only if all of them are contained. */
export async function probeLanguage(
  language: Language,
  { bubblewrap, python }: Programs,
  run: Run,
): Promise<CodeReadiness> {
  const none = { language, ok: false, checks: {}, libraries: [], missing: [], start_ms: null }
  const lacking = language === 'python' ? describeMissing(bubblewrap, python) : null
  if (lacking) return { ...none, trouble: lacking }
  try {
    return await tryPrograms(language, run)
  } catch (error) {
    return { ...none, trouble: `The box cannot be started here. ${explain(error)}`.trim() }
  }
}

const programs = {
  python: { smallest: 'print(1)', hostile: pythonProbe, endless: 'while True: pass' },
  javascript: { smallest: 'console.log(1)', hostile: javascriptProbe, endless: 'while (true) {}' },
}

async function tryPrograms(language: Language, run: Run): Promise<CodeReadiness> {
  const { smallest, hostile, endless } = programs[language]
  const start = await run(smallest, {})
  if (start.status !== 'ok') throw new Error(start.stderr)
  const tried = await run(hostile, {})
  const { status, ms } = await run(endless, { cpuSeconds: 1, wallSeconds: 3 })
  const found = Found.safeParse(readJson(tried.stdout))
  if (!found.success) throw new Error(`It ended during the test. ${tried.stderr}`)
  const { libraries } = found.data
  const checks = { ...found.data.checks, time: status === 'timeout' && ms < 10_000 }
  const open = Object.entries(checks).flatMap(([name, held]) => (held ? [] : [name]))
  return {
    ...{ language, checks, libraries, start_ms: Math.round(start.ms), ok: open.length === 0 },
    trouble: open.length === 0 ? null : `The box does not hold here: ${open.join(', ')}.`,
    missing:
      language === 'python' ? Object.keys(pythonLibraries).filter((name) => !libraries.includes(name)) : [],
  }
}

function describeMissing(bubblewrap: string | null, python: string | null): string | null {
  if (process.platform !== 'linux') return 'Python runs on Linux only; JavaScript runs everywhere.'
  const lacking = [
    ...(bubblewrap ? [] : ['bubblewrap']),
    ...(python ? [] : ['python3 in /usr/bin or /usr/local/bin']),
  ]
  return lacking.length === 0 ? null : `Missing on this machine: ${lacking.join(' and ')}.`
}

/** Returns the end of the output, which holds the reason. */
function explain(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().slice(-300)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
