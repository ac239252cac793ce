import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { locateBinaries } from '../../src/server/platform/db/postgres/binaries.ts'
import { asOperator, findOperator } from '../../src/server/platform/db/postgres/operator.ts'
import { freePort } from './free-port.ts'

/** Starts a local PostgreSQL that asks roles for passwords. `owner` is a connection of its superuser `boss`, whose password is `boss`. */
export async function startCompanyPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-company-'))
  const data = join(folder, 'data')
  const operator = findOperator(data)
  chmodSync(folder, 0o755)
  if (operator.isOther) chownSync(folder, operator.uid, operator.gid)
  const { initdb, postgres } = locateBinaries(folder, operator)
  const password = join(folder, 'password')
  writeFileSync(password, 'boss')
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const made = spawnSync(
    initdb,
    ['-D', data, '-U', 'boss', '-A', 'scram-sha-256', `--pwfile=${password}`, '-E', 'UTF8', '--no-sync'],
    { env, ...asOperator(operator) },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.error ?? made.stderr}`)
  const port = await freePort()
  const settings = [
    'fsync=off',
    'shared_buffers=16MB',
    `unix_socket_directories=`,
    'listen_addresses=127.0.0.1',
  ]
  const server = spawn(
    postgres,
    ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])],
    {
      ...{ env, stdio: 'ignore' as const },
      ...asOperator(operator),
    },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const owner = await untilItAnswers(port)
  return {
    ...{ port, owner },
    close: async () => {
      await owner.end()
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilItAnswers(port: number): Promise<Client> {
  for (let tries = 0; tries < 300; tries += 1) {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: 'boss',
      password: 'boss',
      database: 'postgres',
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error('PostgreSQL does not answer.')
}
