import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../config/config.ts'
import { findPrograms, pythonInBox } from './bubblewrap.ts'
import { javascriptInBox } from './quickjs.ts'
import { createSandbox, type Language } from './sandbox.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atrium-walls-')))
const dataDir = join(folder, 'data')
mkdirSync(dataDir)
writeFileSync(join(dataDir, 'secret.key'), 'secret')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const checkout = new URL('../../../../', import.meta.url).pathname
const programs = findPrograms()
const walls = createSandbox(
  parseConfig({ ATRIUM_DATA_DIR: dataDir, DATABASE_URL: 'postgres://secret@localhost' }),
)
const held = await walls.probe()
const holds = (language: Language) => held.find((found) => found.language === language)?.ok === true
afterAll(() => walls.close())

/** Tries each action of a program that escaped the interpreter. Prints those that worked. */
const attempts = `
import { execSync } from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns/promises'
import fs from 'node:fs'
import inspector from 'node:inspector'
import net from 'node:net'
import { Worker } from 'node:worker_threads'
const [port, unix, data, checkout] = process.argv.slice(2)
const settles = (emitter, good) => new Promise((resolve, reject) => emitter.once(good, resolve).once('error', reject))
const tries = {
  environment: () => { if (Object.keys(process.env).join() in { '': 1, PWD: 1 }) throw new Error('empty') },
  environ: () => fs.readFileSync('/proc/self/environ'),
  passwd: () => fs.readFileSync('/etc/passwd'),
  data: () => fs.readFileSync(data + '/secret.key'),
  folder: () => fs.readdirSync(data),
  settings: () => fs.readFileSync(checkout + '.env'),
  code: () => fs.readFileSync(checkout + 'package.json'),
  server: () => fs.readFileSync(checkout + 'src/server/platform/secrets.ts'),
  root: () => fs.readdirSync('/'),
  link: () => fs.symlinkSync('/etc/passwd', '/tmp/atrium-link'),
  write: () => fs.writeFileSync('/tmp/atrium-escape', 'x'),
  program: () => execSync('id'),
  worker: () => settles(new Worker('1', { eval: true }), 'exit'),
  wasi: async () => new (await import('node:wasi')).WASI({ version: 'preview1' }),
  addon: () => process.dlopen({ exports: {} }, process.execPath),
  inspector: () => inspector.open(0),
  connect: () => settles(net.connect(Number(port), '127.0.0.1'), 'connect'),
  socket: () => settles(net.connect(unix), 'connect'),
  listen: () => settles(net.createServer().listen(0), 'listening'),
  datagram: () => new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4').on('error', reject)
    socket.send('x', Number(port), '127.0.0.1', (error) => (error ? reject(error) : resolve()))
  }),
  lookup: async () => { if ((await dns.lookup('example.com')).address) return },
  fetch: () => fetch('http://127.0.0.1:' + port),
}
const worked = []
for (const [name, attempt] of Object.entries(tries))
  try { await attempt(); worked.push(name) } catch {}
console.log(worked.join())
process.exit()
`

const children: ChildProcess[] = []
const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
})

async function listening(where: number | string): Promise<ReturnType<typeof createServer>> {
  const server = createServer((socket) => socket.destroy())
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(where, () => resolve()))
  return server
}

/** Returns the actions that worked in the box of JavaScript. */
async function attemptsThatWork(bubblewrap: string | null): Promise<string[]> {
  const script = join(folder, 'attempts.mjs')
  writeFileSync(script, attempts)
  const server = await listening(0)
  const unix = join(folder, 'unix')
  await listening(unix)
  const { port } = server.address() as { port: number }
  const command = javascriptInBox({ bubblewrap, hidden: [dataDir], script })
  const child = spawn(command.program, [...command.args, String(port), unix, dataDir, checkout], {
    ...{ env: command.env, cwd: '/', detached: true },
    stdio: ['ignore', 'pipe', 'inherit', command.filter ? 'pipe' : 'ignore', 'ignore'],
  })
  children.push(child)
  if (command.filter) (child.stdio[3] as Writable).end(command.filter)
  const said = (await text(child.stdout as Readable)).trim()
  await new Promise<void>((resolve) =>
    child.exitCode === null ? child.once('exit', () => resolve()) : resolve(),
  )
  for (const one of servers.splice(0)) one.close()
  return said === '' ? [] : said.split(',')
}

describe('box of JavaScript', () => {
  it.runIf(programs.bubblewrap !== null && holds('javascript'))(
    'opens nothing to a program that got out of the interpreter',
    async () => {
      expect(await attemptsThatWork(programs.bubblewrap)).toEqual([])
    },
  )

  it('permits only network access if bubblewrap is missing', async () => {
    const network = ['connect', 'socket', 'listen', 'datagram', 'lookup', 'fetch']
    expect((await attemptsThatWork(null)).filter((name) => !network.includes(name))).toEqual([])
  })

  it('lists the files it may read one by one', () => {
    const { args } = javascriptInBox({ bubblewrap: null, hidden: [] })
    const places = args.flatMap((one) => /^--allow-fs-read=(.+)/.exec(one)?.[1] ?? [])
    const wide = places.filter((place) =>
      [dataDir, checkout, `${checkout}.env`].some((one) => one.startsWith(place)),
    )
    expect(places.length).toBeGreaterThan(3)
    expect(wide).toEqual([])
  })

  it('is available without bubblewrap, and where bubblewrap cannot be used', async () => {
    for (const bubblewrap of [null, '/bin/false']) {
      const bare = createSandbox(parseConfig({ ATRIUM_DATA_DIR: dataDir }), { bubblewrap, python: null })
      expect((await bare.probe())[1]).toMatchObject({ language: 'javascript', ok: true })
      await bare.close()
    }
  })
})

describe('boxes', () => {
  const loops = { python: 'while True: pass', javascript: 'while (true) {}' }

  it.each(Object.entries(loops).filter(([language]) => holds(language as Language)))(
    'runs a program in %s at a low priority, with all it starts',
    async (name, code) => {
      const stop = new AbortController()
      const running = walls.run(
        { language: name as Language, code, files: [] },
        { signal: stop.signal, use: async (outcome) => outcome },
      )
      const gone = running.catch(() => null)
      await expect
        .poll(() => busiest(process.pid), { timeout: 20_000 })
        .toMatchObject({ niceness: 10, session: '5' })
      stop.abort(new Error('enough'))
      await gone
    },
  )

  it.runIf(holds('python'))(
    'gives no session of its own, and no way to raise the priority, to a program',
    async () => {
      const code = `
import os
before = os.getsid(0)
if os.fork() == 0:
    os.setsid()
    os._exit(0 if os.getsid(0) == before else 1)
print(os.wait()[1])
for work in (lambda: os.setpriority(os.PRIO_PROCESS, 0, 0), lambda: open('/proc/self/autogroup', 'w').write('0')):
    try:
        work()
        print('raised')
    except OSError:
        print('refused')`
      const outcome = await walls.run(
        { language: 'python', code, files: [] },
        { signal: AbortSignal.timeout(30_000), use: async (result) => result },
      )
      expect(outcome).toMatchObject({ stderr: '', stdout: '0\nrefused\nrefused\n' })
    },
  )

  it.runIf(process.getuid?.() === 0 && holds('python'))(
    'shows no data folder that lies in a folder of the system',
    async () => {
      const place = mkdtempSync('/usr/lib/atrium-test-')
      try {
        writeFileSync(join(place, 'secret.key'), 'secret')
        const bounds = {
          wallSeconds: 9,
          cpuSeconds: 9,
          memory: 2 ** 29,
          processes: 32,
          disk: 1e6,
          files: 1,
          output: 1,
        }
        for (const { args } of [
          pythonInBox(programs, bounds, [place]),
          javascriptInBox({ bubblewrap: programs.bubblewrap, hidden: [place] }),
        ]) {
          const box = args.slice(0, args.indexOf('--'))
          const seccomp = box.indexOf('--seccomp')
          if (seccomp >= 0) box.splice(seccomp, 2)
          const own = box.flatMap((one, at) => (one === '--ro-bind-data' ? [at, at + 1, at + 2] : []))
          const plain = box.filter((_, at) => !own.includes(at))
          const child = spawn(programs.bubblewrap ?? '', [...plain, '--', '/bin/ls', '-A', place])
          expect(await text(child.stdout)).toBe('')
          expect(await text(child.stderr)).toBe('')
        }
      } finally {
        rmSync(place, { recursive: true, force: true })
      }
    },
  )
})

type Busy = { niceness: number; session: string; ticks: number }

/** Returns the niceness and session of the busiest process below one; null if there is none. */
function busiest(parent: number): Busy | null {
  const below: Busy[] = []
  const visit = (pid: number) => {
    for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)) {
      const stat = readFileSync(`/proc/${child}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const group = `/proc/${child}/autogroup`
      const session = existsSync(group)
        ? readFileSync(group, 'utf8')
            .replace(/.*nice /s, '')
            .trim()
        : '5'
      below.push({ niceness: Number(fields[16]), session, ticks: Number(fields[11]) })
      visit(Number(child))
    }
  }
  try {
    visit(parent)
  } catch {
    // A process has ended meanwhile.
  }
  const most = below.sort((a, b) => b.ticks - a.ticks)[0]
  return most && most.ticks > 20 ? most : null
}
