import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2'
import { freePort } from './free-port.ts'

const SERVER = '/usr/sbin/mariadbd'

/** Starts a local MariaDB with an empty folder. `ask` runs statements as its administrator. */
export async function startMariaDb() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-mariadb-'))
  const data = join(folder, 'data')
  const { username } = userInfo()
  const made = spawnSync('mariadb-install-db', [
    ...[
      '--no-defaults',
      `--datadir=${data}`,
      `--user=${username}`,
      '--auth-root-authentication-method=normal',
    ],
    '--skip-test-db',
  ])
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.error ?? made.stderr}`)
  const port = await freePort()
  const socket = join(folder, 's')
  const server = spawn(
    SERVER,
    [
      ...['--no-defaults', `--datadir=${data}`, `--user=${username}`, `--socket=${socket}`, `--port=${port}`],
      ...['--bind-address=127.0.0.1', '--innodb-buffer-pool-size=16M', '--performance-schema=off'],
      ...['--innodb-flush-log-at-trx-commit=0', '--skip-log-bin', '--skip-name-resolve'],
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const ask = (sql: string) =>
    new Promise<Record<string, unknown>[]>((resolve, reject) => {
      const connection = createConnection({ socketPath: socket, user: 'root', multipleStatements: true })
      connection.on('error', reject)
      connection.query(sql, (error, rows) => {
        connection.destroy()
        if (error) reject(error)
        else resolve(rows as unknown as Record<string, unknown>[])
      })
    })
  for (let tries = 0; ; tries += 1) {
    const isThere = await ask('select 1').then(
      () => true,
      () => false,
    )
    if (isThere) break
    if (tries > 300) throw new Error('MariaDB does not listen.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    ...{ port, ask },
    close: async () => {
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
