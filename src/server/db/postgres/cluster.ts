import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { asOperator, canReach, type Operator } from './operator.ts'
import { PostgresError } from './postgres-error.ts'

const major = '18'
const initTimeoutMs = 60_000

export type ClusterOptions = { cluster: string; binaries: Binaries; operator: Operator }

/**
 * Makes the database cluster on the first start and refreshes who may connect on every one.
 * @throws PostgresError when the cluster was made by another major version, or could not be made.
 */
export async function prepareCluster(options: ClusterOptions): Promise<void> {
  const { cluster, operator } = options
  const dataDir = dirname(cluster)
  // The operator passes through the data folder, but may not list it.
  if (operator.isOther) chmodSync(dataDir, 0o711)
  if (!existsSync(join(cluster, 'PG_VERSION'))) await makeCluster(options)
  checkVersion(cluster)
  admitOnly(operator, cluster)
}

/**
 * How a program of the operator names the cluster when it is started inside it. Below a folder only
 * root may enter, the working folder is the one name the operator can still use.
 */
export function nameOfCluster(cluster: string, operator: Operator): string {
  return canReach(operator, dirname(cluster)) ? cluster : '/proc/self/cwd'
}

async function makeCluster({ cluster, binaries, operator }: ClusterOptions): Promise<void> {
  // Made beside and renamed: a start that was cut short leaves nothing half-made behind.
  const draft = `${cluster}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (operator.isOther) chownSync(draft, operator.uid, operator.gid)
  await runInitdb(binaries.initdb, draft, operator)
  if (existsSync(cluster)) rmSync(cluster, { recursive: true })
  renameSync(draft, cluster)
}

function runInitdb(initdb: string, folder: string, operator: Operator): Promise<void> {
  const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const where = ['-D', nameOfCluster(folder, operator), '-U', 'postgres', '-A', 'peer']
  // -N: the cluster is synced to disk by the first checkpoint; until then it can be made again.
  const child = spawn(initdb, [...where, ...locale, '-N', '--no-instructions'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
    timeout: initTimeoutMs,
    ...asOperator(operator),
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new PostgresError(`The database could not be made: ${cause.message}`)),
    )
    child.once('close', (code) => {
      if (code === 0) resolve()
      else
        reject(
          new PostgresError(`The database could not be made: ${said.trim() || `initdb ended with ${code}`}`),
        )
    })
  })
}

function checkVersion(cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new PostgresError(
    `The database in ${cluster} was made by PostgreSQL ${found}, this version of Atrium has ${major}: start the Atrium that made it, back it up, and restore it here.`,
  )
}

/** Over the socket, the kernel tells who calls: only the user this process runs as gets in. */
function admitOnly(operator: Operator, cluster: string): void {
  write(join(cluster, 'pg_hba.conf'), 'local all postgres peer map=atrium\n')
  write(join(cluster, 'pg_ident.conf'), `atrium "${operator.clientName}" postgres\n`)

  function write(path: string, content: string) {
    if (existsSync(path) && readFileSync(path, 'utf8') === content) return
    writeFileSync(path, content, { mode: 0o600 })
    if (operator.isOther) chownSync(path, operator.uid, operator.gid)
  }
}
