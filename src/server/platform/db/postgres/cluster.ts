import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { asOperator, canReach, guard, type Operator } from './operator.ts'
import { PostgresError } from './postgres-error.ts'
import { reasonIn } from './said.ts'

const major = '18'
const defaultInitTimeoutMs = 60_000

export type ClusterOptions = {
  cluster: string
  binaries: Binaries
  operator: Operator
  initTimeoutMs?: number
}

/**
 * Creates the database cluster on the first start and updates the access rules on every start.
 * @throws PostgresError if another major version created the cluster, or it cannot be created
 */
export async function prepareCluster(options: ClusterOptions): Promise<void> {
  const { cluster, operator } = options
  const dataDir = dirname(cluster)
  // The operator may traverse the data folder but not list it.
  if (operator.isOther) chmodSync(dataDir, 0o711)
  if (!existsSync(join(cluster, 'PG_VERSION'))) await makeCluster(options)
  checkVersion(cluster)
  // PostgreSQL refuses a folder that others can read, such as one restored from a backup.
  chmodSync(cluster, 0o700)
  admitOnly(operator, cluster)
}

/**
 * Returns the path by which a program of the operator, started inside the cluster, refers to it. Below a folder that only
 * root may enter, only the relative working folder is usable.
 */
export function nameOfCluster(cluster: string, operator: Operator): string {
  return canReach(operator, dirname(cluster)) ? cluster : '/proc/self/cwd'
}

async function makeCluster({ cluster, binaries, operator, initTimeoutMs }: ClusterOptions): Promise<void> {
  refuseRemains(cluster)
  // Created next to the cluster and renamed, so that an interrupted start leaves nothing half-made.
  const draft = `${cluster}.new`
  // A killed start may leave processes that write here for a moment.
  rmSync(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  mkdirSync(draft, { mode: 0o700 })
  if (operator.isOther) chownSync(draft, operator.uid, operator.gid)
  await runInitdb(binaries.initdb, draft, operator, initTimeoutMs ?? defaultInitTimeoutMs).catch((error) => {
    rmSync(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    throw error
  })
  if (existsSync(cluster)) rmSync(cluster, { recursive: true })
  renameSync(draft, cluster)
}

/** Refuses a folder that has files but no database. It may hold remains of one, so nothing is deleted. */
function refuseRemains(cluster: string): void {
  if (!existsSync(cluster) || readdirSync(cluster).length === 0) return
  throw new PostgresError(
    `The folder ${cluster} is not empty but holds no complete database: restore it from a backup, or move it away to start with a new one.`,
  )
}

function runInitdb(initdb: string, folder: string, operator: Operator, timeoutMs: number): Promise<void> {
  const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const where = ['-D', nameOfCluster(folder, operator), '-U', 'postgres', '-A', 'peer']
  // -N: the first checkpoint syncs the cluster to disk; until then it can be created again.
  const command = [initdb, ...where, ...locale, '-N', '--no-instructions']
  const [program = '', ...args] = [...guard('KILL'), ...command]
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...asOperator(operator),
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new PostgresError(`The database could not be created: ${cause.message}`)),
    )
    child.once('exit', (_, signal) => {
      const why = `it was not done within ${timeoutMs / 1000} seconds`
      if (signal) reject(new PostgresError(`The database could not be created: ${why}.`))
    })
    child.once('close', (code) => {
      const why = reasonIn(said || `initdb ended with ${code}`, dirname(folder))
      if (code === 0) resolve()
      else reject(new PostgresError(`The database could not be created: ${why}.`))
    })
  })
}

function checkVersion(cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new PostgresError(
    `The database in ${cluster} was created by PostgreSQL ${found}, but this version of Atrium uses ${major}: start the Atrium version that created it, back it up, and restore the backup here.`,
  )
}

/** Allows only this process's user. Over the socket, the kernel reports the caller's user. */
function admitOnly(operator: Operator, cluster: string): void {
  write(join(cluster, 'pg_hba.conf'), 'local all postgres peer map=atrium\n')
  write(join(cluster, 'pg_ident.conf'), `atrium "${operator.clientName}" postgres\n`)

  function write(path: string, content: string) {
    if (existsSync(path) && readFileSync(path, 'utf8') === content) return
    writeFileSync(path, content, { mode: 0o600 })
    if (operator.isOther) chownSync(path, operator.uid, operator.gid)
  }
}
