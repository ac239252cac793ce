import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { makeDataFolders, remember, until } from '#tests/data-folders.ts'
import { startDatabaseProcess } from '#tests/database-process.ts'
import { descendants, isRunning } from '#tests/processes.ts'
import { createLog } from '../../log.ts'
import { connect } from '../connect.ts'
import { locateBinaries } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { findOperator } from './operator.ts'
import type { Postgres } from './postgres.ts'
import { launchPostmaster } from './postmaster.ts'
import { makeSocketFolder } from './socket-folder.ts'

/** These tests create and kill databases, which takes long on a loaded machine. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const isRoot = process.getuid?.() === 0
const log = createLog('silent')
const { base, aFolder, afterwards, start, startHere, aStoppedDatabase } = makeDataFolders()

describe('start after an interrupted start', () => {
  it.each<[string, (cluster: string, keep: (child: ChildProcess) => number) => string | number]>([
    ['an id that is nobody', () => 4_194_000],
    ['an id that is this process now', () => process.pid],
    ['an id that is another process of the same user', (_, keep) => keep(aProcess('sleep'))],
    ['an id that is a program called postgres elsewhere', (_, keep) => keep(aProcess('postgres'))],
    ['an id that is a zombie', (cluster, keep) => aZombie(cluster, keep)],
    ['a pid file of garbage', () => randomBytes(40).toString('hex')],
    ['an empty pid file', () => ''],
  ])('succeeds with %s', async (_, leave) => {
    const dataDir = await aStoppedDatabase()
    const cluster = join(dataDir, 'postgres')
    const bystanders: ChildProcess[] = []
    const first = leave(cluster, (child) => {
      bystanders.push(child)
      afterwards(() => child.kill('SIGKILL'))
      return child.pid ?? 0
    })
    const rest = ['/proc/self/cwd', '1700000000', '5432', join(dataDir, 'run'), '', '1 1', 'ready']
    writeFileSync(join(cluster, 'postmaster.pid'), first === '' ? '' : [first, ...rest].join('\n'))
    const started = Date.now()
    const server = await startHere(dataDir)
    expect(Date.now() - started).toBeLessThan(45_000)
    expect(isRunning(server.pid())).toBe(true)
    expect(bystanders.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null)).toBe(
      true,
    )
  })

  it('replaces a server that is still running, together with its active query', async () => {
    const dataDir = await aStoppedDatabase()
    const { family } = await aServerAtWork(dataDir)
    const server = await startHere(dataDir)
    expect(family.filter(isRunning)).toEqual([])
    expect(await ask(server, 'select n from kept')).toEqual([{ n: 1 }])
  })

  it('ends child processes of a killed server and removes what blocks the next start', async () => {
    const dataDir = await aStoppedDatabase()
    const { postmaster, family } = await aServerAtWork(dataDir)
    process.kill(postmaster.pid, 'SIGKILL')
    await postmaster.ended
    expect(family.some(isRunning)).toBe(true)
    const server = await startHere(dataDir)
    expect(family.filter(isRunning)).toEqual([])
    expect(await ask(server, 'select n from kept')).toEqual([{ n: 1 }])
  })

  it('succeeds immediately after a kill at any moment of the first start', async () => {
    const dataDir = aFolder()
    for (const moment of [250, 500, 900]) {
      let child: ChildProcess | null = null
      const attempt = startDatabaseProcess({ dataDir, onSpawn: (spawned) => (child = spawned) })
      await Promise.race([sleep(moment), attempt.catch(() => undefined)])
      ;(child as ChildProcess | null)?.kill('SIGKILL')
      await attempt.then(
        (server) => server.kill(),
        () => undefined,
      )
    }
    const server = await start({ dataDir })
    expect(await server.query('select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.'))).toEqual([])
  })
})

describe('hanging program', () => {
  const program = join(base, 'hangs')
  writeFileSync(
    program,
    '#!/bin/sh\ntrap "" INT QUIT TERM\necho "still thinking" >&2\nwhile :; do sleep 0.05; done\n',
    {
      mode: 0o755,
    },
  )
  const binaries = { initdb: program, postgres: program }
  const hanging = () => {
    const cluster = join(aFolder(), 'postgres')
    return { cluster, binaries, operator: findOperator(cluster) }
  }

  it('times out if it creates no database', async () => {
    const attempt = prepareCluster({ ...hanging(), initTimeoutMs: 300 })
    await expect(attempt).rejects.toThrow('could not be created: it was not done within 0.3 seconds.')
  })

  it('times out and is killed if it does not become ready', async () => {
    const options = hanging()
    mkdirSync(options.cluster)
    const socketDir = options.cluster
    const limits = { startTimeoutMs: 300, stopTimeoutMs: 200 }
    const before = descendants(process.pid)
    await expect(
      launchPostmaster({ ...options, ...limits, socketDir, settings: {}, isDurable: false, log }),
    ).rejects.toThrow('The database server was not ready within 0.3 seconds: still thinking')
    const left = () => descendants(process.pid).filter((pid) => !before.includes(pid))
    expect(await until(() => left().length === 0, 2_000)).toBeLessThan(2_000)
  })
})

/** Starts a process of the database's user. */
function aProcess(name: string): ChildProcess {
  const program = join(base, name)
  if (!existsSync(program)) cpSync('/bin/sleep', program)
  const { uid, gid } = findOperator('/nowhere')
  return spawn(program, ['60'], { cwd: '/', stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) })
}

/** A dead process that its parent never reaps, named postgres and last active in the cluster. */
function aZombie(cluster: string, keep: (child: ChildProcess) => number): number {
  const program = join(base, 'postgres')
  if (!existsSync(program)) cpSync('/bin/sleep', program)
  const file = join(base, 'zombie')
  keep(
    spawn('sh', ['-c', `${program} 0 & echo $! > ${file}; exec sleep 60`], { cwd: cluster, stdio: 'ignore' }),
  )
  for (let i = 0; i < 200 && !existsSync(file); i += 1) execFileSync('sleep', ['0.01'])
  execFileSync('sleep', ['0.1'])
  return Number(readFileSync(file, 'utf8'))
}

/** Starts an unsupervised server with a query that does not end by itself. */
async function aServerAtWork(dataDir: string) {
  const cluster = join(dataDir, 'postgres')
  const operator = findOperator(cluster)
  const socketDir = makeSocketFolder(dataDir, operator)
  const binaries = locateBinaries(dataDir, operator)
  const options = { cluster, binaries, operator, socketDir, settings: {}, isDurable: true, log }
  const postmaster = await launchPostmaster(options)
  afterwards(() => postmaster.stop())
  const { pool, close } = connect(
    { host: socketDir, port: 5432, user: 'postgres', database: 'postgres' },
    log,
  )
  afterwards(close)
  await pool.query(remember)
  void pool.query('select count(*) from generate_series(1, 4000000000) n where n % 3 = 0').catch(() => 0)
  await sleep(200)
  return { postmaster, family: descendants(postmaster.pid) }
}

async function ask(server: Postgres, sql: string) {
  const { pool, close } = connect(server.address, log)
  const { rows } = await pool.query(sql)
  await close()
  return rows
}
