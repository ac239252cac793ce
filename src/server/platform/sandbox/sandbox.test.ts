import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../config/config.ts'
import { type CodeJob, type CodeOutcome, createSandbox, type Language, type Sandbox } from './sandbox.ts'

let folder: string
let sandbox: Sandbox
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-sandbox-'))
  sandbox = createSandbox(parseConfig({ ATRIUM_DATA_DIR: folder, ATRIUM_LIMIT_CODE_AT_ONCE: '20' }))
  await sandbox.probe()
}, 60_000)
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

const never = new AbortController().signal
const keep = async (outcome: CodeOutcome) => outcome
const run = (language: Language, code: string, more: Partial<CodeJob> = {}) =>
  sandbox.run({ language, code, files: [], ...more }, { signal: never, use: keep })
const bytes = (name: string, text: string) => {
  const content = Buffer.from(text)
  return { name, size: content.length, open: async () => Readable.from([content]) }
}
/** Lists command lines of sandboxed programs that this process started or that were orphaned, but not those of other tests. */
const programsLeft = async () => {
  const found = new Map<string, { line: string; parent: string }>()
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent && line.includes('/box/run.py')) found.set(id, { line, parent })
  }
  const starterOf = (id: string): string => {
    const process = found.get(id)
    return process ? starterOf(process.parent) : id
  }
  return [...found]
    .filter(([id]) => [String(process.pid), '0', '1'].includes(starterOf(id)))
    .map(([, { line }]) => line)
}

describe('javascript', () => {
  it('is available everywhere, and its box passes the tests', async () => {
    const found = (await sandbox.probe()).find(({ language }) => language === 'javascript')
    expect(found).toMatchObject({ ok: true, trouble: null })
    expect(Object.values(found?.checks ?? {})).toEqual([true, true, true, true, true])
  })

  it('prints, awaits promises, and reads and writes files of its folder', async () => {
    const code = `
      const rows = files.read('in/data.csv').trim().split('\\n')
      files.write('sum.txt', String(rows.map(Number).reduce((a, b) => a + b)))
      files.remove('in/data.csv')
      console.log(rows.length, await Promise.resolve('rows'), files.list())
    `
    const kept = await sandbox.run(
      { language: 'javascript', code, files: [bytes('in/data.csv', '1\n2\n39\n')] },
      {
        signal: never,
        use: async (outcome) => ({ ...outcome, text: await readFile(outcome.files[0]?.path ?? '', 'utf8') }),
      },
    )
    expect(kept).toMatchObject({ status: 'ok', exitCode: 0, stderr: '', text: '42', gone: ['in/data.csv'] })
    expect(kept.stdout).toBe('3 rows [\n "sum.txt"\n]\n')
    expect(await readdir(join(folder, 'work'))).toEqual([])
  })

  it('reports where a program failed', async () => {
    const failed = await run('javascript', 'const list = null\nlist.length')
    expect(failed).toMatchObject({ status: 'error', exitCode: 1 })
    expect(failed.stderr).toMatch(/TypeError: cannot read property 'length' of null\n.*code\.js:2/)
  })

  it('ends an endless program, endless output, and a program that requests all memory', async () => {
    const bounds = { cpuSeconds: 1, wallSeconds: 10 }
    expect(await run('javascript', 'while (true) {}', { bounds })).toMatchObject({ status: 'timeout' })
    expect(await run('javascript', 'while (true) console.log("x".repeat(999))')).toMatchObject({
      status: 'output',
    })
    expect((await run('javascript', 'new Uint8Array(2 ** 31)')).stderr).toMatch(/out of memory|invalid/)
  })

  it('reaches neither the host nor the network', async () => {
    const names = '["process","require","fetch","WebSocket","XMLHttpRequest","Deno","Bun","module"]'
    const found = await run(
      'javascript',
      `console.log(${names}.filter((name) => name in globalThis).length)
       console.log(typeof (() => {}).constructor('return this')().process)
       await import('node:fs').then(() => console.log('imported'), (error) => console.log('refused'))`,
    )
    expect(found.stdout).toBe('0\nundefined\nrefused\n')
  })
})

const elsewhere = createSandbox(parseConfig({ ATRIUM_DATA_DIR: tmpdir() }))
const python = (await elsewhere.probe()).find(({ language }) => language === 'python')
await elsewhere.close()

describe('program', () => {
  it('is stopped with its reason', async () => {
    const stop = new AbortController()
    const running = sandbox.run(
      { language: 'javascript', code: 'while (true) {}', files: [] },
      { signal: stop.signal, use: keep },
    )
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await expect(running).rejects.toThrow('enough')
  })
})

it('reports what is missing if Python has no box, and refuses to run without one [XB-05]', async () => {
  const config = parseConfig({ ATRIUM_DATA_DIR: folder })
  const bare = createSandbox(config, { bubblewrap: null, python: '/usr/bin/python3' })
  const trouble = expect.stringMatching(/^Missing on this machine: bubblewrap\.$|runs on Linux only/)
  expect((await bare.probe())[0]).toMatchObject({ language: 'python', ok: false, trouble })
  const running = bare.run({ language: 'python', code: 'print(1)', files: [] }, { signal: never, use: keep })
  await expect(running).rejects.toMatchObject({ code: 'not_available', detail: trouble })
  const broken = createSandbox(config, { bubblewrap: '/bin/false', python: '/usr/bin/python3' })
  expect((await broken.probe())[0]).toMatchObject({
    ok: false,
    trouble: expect.stringContaining('cannot be started'),
  })
  await Promise.all([bare.close(), broken.close()])
})

it.runIf(python?.ok)(
  'offers no language whose box failed a test, and runs nothing in it [XB-05]',
  async () => {
    const leaky = join(folder, 'leaky-bwrap')
    // Keeps the network of the machine in the box.
    const script = [
      '#!/bin/bash',
      'args=()',
      'for arg; do args+=("$arg"); [ "$arg" = --unshare-all ] && args+=(--share-net); done',
      'exec /usr/bin/bwrap "$' + '{args[@]}"',
    ].join('\n')
    await writeFile(leaky, script, { mode: 0o755 })
    // The box is started by a user without rights.
    await chmod(folder, 0o755)
    const config = parseConfig({ ATRIUM_DATA_DIR: folder })
    const open = createSandbox(config, { bubblewrap: leaky, python: '/usr/bin/python3' })
    const [found] = await open.probe()
    const trouble = 'The box does not hold here: network.'
    expect(found).toMatchObject({
      language: 'python',
      ok: false,
      trouble,
      checks: { network: false, disk: true },
    })
    const running = open.run(
      { language: 'python', code: 'print(1)', files: [] },
      { signal: never, use: keep },
    )
    await expect(running).rejects.toMatchObject({ code: 'not_available', detail: trouble })
    await open.close()
  },
)

describe.runIf(python?.ok)('python', () => {
  it('is tested with hostile programs before it is offered [XB-05]', () => {
    expect(python).toMatchObject({ ok: true, trouble: null })
    expect(Object.keys(python?.checks ?? {})).toEqual([
      ...['network', 'host_files', 'environment', 'host_processes', 'read_only', 'not_root'],
      ...['namespaces', 'disk', 'memory', 'processes', 'time'],
    ])
  })

  it('prints while it works, and returns its files even if the program failed', async () => {
    const said: string[] = []
    const outcome = await sandbox.run(
      {
        language: 'python',
        code: 'import sys, time\nprint("one")\ntime.sleep(0.3)\nprint("two", file=sys.stderr)\nopen("x.txt", "w").write(open("in.txt").read() * 2)\n1 / 0',
        files: [bytes('in.txt', 'été ')],
      },
      {
        signal: never,
        say: (stream, text) => said.push(`${stream}: ${text}`),
        use: async (result) => ({ ...result, text: await readFile(result.files[0]?.path ?? '', 'utf8') }),
      },
    )
    expect(said[0]).toBe('stdout: one\n')
    // The final output may arrive together with it.
    expect(said[1]).toMatch(/^stderr: two\n/)
    expect(outcome).toMatchObject({
      status: 'error',
      exitCode: 1,
      stdout: 'one\n',
      text: 'été été ',
      gone: [],
    })
    expect(outcome.files.map(({ name }) => name)).toEqual(['x.txt'])
    expect(outcome.stderr).toMatch(/File "code\.py", line 6, in <module>[\s\S]*ZeroDivisionError/)
    expect(outcome.stderr).not.toContain('run.py')
  })

  it('returns no links, no invalid names and no more files than allowed', async () => {
    const code = `
import os
os.symlink('/usr/bin/python3', 'link')
os.mkfifo('pipe')
for number in range(30): open(f'{number:02}.txt', 'w').write('x')
open('control\\n.txt', 'w').write('x')
open('big', 'wb').write(b'x' * 5_000_000)
os.remove('in.txt')
`
    const outcome = await run('python', code, {
      files: [bytes('in.txt', 'x')],
      bounds: { files: 10, disk: 6_000_000 },
    })
    expect(outcome).toMatchObject({ status: 'ok', gone: ['in.txt'] })
    expect(outcome.files).toHaveLength(10)
    expect(outcome.left).toBeGreaterThan(0)
    expect(outcome.files.some(({ name }) => /link|pipe|\n/.test(name))).toBe(false)
  })

  const hostile: [name: string, code: string, held: (outcome: CodeOutcome) => boolean][] = [
    [
      'a bomb of processes',
      'import os, time\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass',
      ({ status }) => status === 'timeout',
    ],
    [
      'many processes with much memory each',
      'import os, time\nfor _ in range(20):\n    if os.fork() == 0:\n        b = bytearray(400_000_000)\n        for i in range(0, len(b), 4096): b[i] = 1\n        time.sleep(60)\ntime.sleep(60)',
      ({ status }) => status === 'memory',
    ],
    ['one with all memory', 'bytearray(10 ** 10)', ({ stderr }) => stderr.includes('MemoryError')],
    ['an endless loop', 'while True: pass', ({ status }) => status === 'timeout'],
    ['an endless wait', 'import time\ntime.sleep(1000)', ({ status }) => status === 'timeout'],
    ['an endless print', 'while True: print("x" * 1000)', ({ status }) => status === 'output'],
    [
      'a full disk',
      'for path in ("/work/x", "/tmp/x", "/dev/shm/x"):\n    try:\n        f = open(path, "wb")\n        while True: f.write(bytes(1 << 20)); f.flush()\n    except OSError as e:\n        print(e.errno)\n        import os; os.remove(path)',
      ({ stdout }) =>
        stdout
          .trim()
          .split('\n')
          .every((errno) => ['27', '28'].includes(errno)),
    ],
    [
      'the network',
      'import socket\nfor family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):\n    try:\n        s = socket.socket(family)\n        print("open")\n    except OSError as e: print(e.errno)',
      ({ stdout }) => stdout === '1\n1\n1\n',
    ],
    [
      'files of the host',
      'import os\nprint([p for p in ("/etc/passwd", "/etc/shadow", "/home", "/root", "/var", "/proc/1/environ") if os.path.exists(p) and (not p.startswith("/proc") or open(p).read())])',
      ({ stdout, stderr }) => stdout === '[]\n' || stderr.includes('PermissionError'),
    ],
    [
      'writing beside its folder',
      'for p in ("/x", "/usr/x", "/etc/x", "/box/run.py", "/dev/x", "/proc/sys/kernel/hostname"):\n    try:\n        open(p, "w")\n        print("open", p)\n    except OSError: pass',
      ({ stdout }) => stdout === '',
    ],
    [
      'namespaces, mounts and tracing',
      'import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.unshare(0x10000000), libc.mount(b"none", b"/work", b"tmpfs", 0, None), libc.ptrace(16, 1, 0, 0))',
      ({ stdout }) => stdout === '-1 -1 -1\n',
    ],
    [
      'a daemon that outlives it',
      'import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(1000)\n    os._exit(0)\nprint("gone")',
      ({ status, stdout }) => status === 'ok' && stdout === 'gone\n',
    ],
    ['killing everything', 'import os\nos.kill(-1, 9)', ({ status }) => status !== 'ok'],
    [
      'a forged result',
      'import os, struct, json\nfor pid in os.listdir("/proc"):\n    try:\n        fd = os.open(f"/proc/{pid}/fd/4", os.O_WRONLY)\n        text = json.dumps({"kind": "file", "name": "../../../../etc/evil", "size": 4}).encode()\n        os.write(fd, struct.pack(">I", len(text)) + text + b"evil")\n    except (OSError, ValueError): pass',
      ({ files }) => files.length === 0,
    ],
    [
      'garbage for a result',
      'import os\nfor pid in os.listdir("/proc"):\n    try: os.write(os.open(f"/proc/{pid}/fd/4", os.O_WRONLY), b"\\xff" * 9999)\n    except (OSError, ValueError): pass',
      ({ files }) => files.length === 0,
    ],
  ]

  it('contains twenty concurrent hostile programs and leaves nothing of them behind', async () => {
    const bounds = { cpuSeconds: 3, wallSeconds: 5, memory: 512 * 1024 * 1024, disk: 32 * 1024 * 1024 }
    const wanted = [...hostile, ...hostile.slice(0, 20 - hostile.length)]
    expect(wanted).toHaveLength(20)
    // Twenty programs share two processors, so the one that must exceed its memory gets more time.
    const boundsOf = (name: string) => (name.includes('memory') ? { ...bounds, wallSeconds: 30 } : bounds)
    const outcomes = await Promise.all(
      wanted.map(([name, code]) => run('python', code, { bounds: boundsOf(name) })),
    )
    const escaped = wanted.flatMap(([name, , held], index) =>
      held(outcomes[index] as CodeOutcome) ? [] : [{ name, ...outcomes[index] }],
    )
    expect(escaped).toEqual([])
    expect(await programsLeft()).toEqual([])
    expect(await readdir(join(folder, 'work'))).toEqual([])
  }, 120_000)
})

it('tests the boxes after the configured delay, unless one is needed earlier', async () => {
  const begun = async (trial: string) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'atrium-sandbox-'))
    const started = createSandbox(
      parseConfig({ ATRIUM_DATA_DIR: dataDir, ATRIUM_LIMIT_CODE_TRIAL_SECONDS: trial }),
    )
    return {
      hasTried: async () => (await readdir(join(dataDir, 'work')).catch(() => null)) !== null,
      end: async () => {
        await started.close()
        await rm(dataDir, { recursive: true, force: true })
      },
    }
  }
  const [soon, late] = [await begun('0'), await begun('3600')]
  await expect.poll(soon.hasTried, { timeout: 10_000 }).toBe(true)
  expect(await late.hasTried()).toBe(false)
  await Promise.all([soon.end(), late.end()])
})
